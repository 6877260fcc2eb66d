import { expect, test } from 'vitest';
import { MAX_LINK_LENGTH, gameLink, isLink, positionLink, readLink } from './link';

const moves = Array.from({ length: 40 }, (_, index) => `${index + 1}. Nf3 Nf6 ${index + 41}. Ng1 Ng8`).join(' ');
const PGN = `[Event "Zürich 瑞士"]\n[White "Anna"]\n[Black "Bert"]\n[Result "*"]\n\n${moves} {a comment; with = & # +} *\n`;

test('a game comes back from its link as it was', async () => {
  const link = await gameLink('chess', PGN, 12);
  expect(isLink(link)).toBe(true);
  expect(link.length).toBeLessThan(MAX_LINK_LENGTH);
  expect(link).toMatch(/^#game=chess&pgn=[\w-]+&ply=12$/);
  expect(await readLink(link)).toEqual({ game: 'chess', text: PGN, ply: 12 });
});

test('a position comes back from its link as it was', async () => {
  const fen = 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2';
  const link = positionLink('chess', fen);
  expect(link).toBe('#game=chess&fen=rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR+w+KQkq+c6+0+2');
  expect(await readLink(link)).toEqual({ game: 'chess', text: fen, ply: undefined });
});

test('links can be written by hand', async () => {
  expect(await readLink('#game=xiangqi&moves=h2e2,h9g7')).toMatchObject({ game: 'xiangqi', text: 'startpos moves h2e2 h9g7' });
  expect(await readLink('#moves=h2e2.h9g7&ply=1')).toMatchObject({ text: 'startpos moves h2e2 h9g7', ply: 1 });
  expect(await readLink('#game=xiangqi&moves=C2.5,H8%2B7')).toMatchObject({ text: 'startpos moves C2.5 H8+7' });
  expect(await readLink('#game=othello&pgn=f5d6c3')).toMatchObject({ game: 'othello', text: 'f5d6c3' });
  expect(await readLink('#pgn=1.%20e4%20e5&game=chess')).toMatchObject({ game: 'chess', text: '1. e4 e5' });
  expect(await readLink('#fen=4k4/9/9/9/9/9/9/9/9/4K4%20w&moves=e0e1')).toMatchObject({
    text: 'fen 4k4/9/9/9/9/9/9/9/9/4K4 w moves e0e1',
  });
});

test('other addresses are no links', () => {
  for (const hash of ['', '#', '#game/0123/4', '#game=chess', '#fens=1', '#about&pgn=x']) expect(isLink(hash), hash).toBe(false);
});

test('damaged and hostile links are refused', async () => {
  const link = await gameLink('chess', PGN, 0);
  const compressed = /pgn=([\w-]+)/.exec(link)?.[1] ?? '';
  for (const text of [compressed.slice(0, 40), `A${compressed}`, 'AAAA', '_', '']) {
    expect(await readLink(`#pgn=${text}`), text).toBeUndefined();
  }
  // 64 MB of blanks in some kilobytes.
  const bomb = await gameLink('chess', ' '.repeat(1 << 26), 0);
  expect(await readLink(bomb)).toBeUndefined();
  expect(await readLink('#fen=')).toBeUndefined();
  const named = await readLink('#game=<img src=x>&fen=8/8&ply=1e9');
  expect(named).toEqual({ game: undefined, text: '8/8', ply: undefined });
});
