import { describe, expect, test } from 'vitest';
import chessLook from '../looks/chess.json';
import othelloLook from '../looks/othello.json';
import xiangqiLook from '../looks/xiangqi.json';
import { piecesFromFen, moveTarget } from './position.js';
import type { BoardAppearance } from './types.js';

const [xiangqi, chess, othello] = [xiangqiLook, chessLook, othelloLook] as unknown as BoardAppearance[] as [
  BoardAppearance,
  BoardAppearance,
  BoardAppearance,
];
const XIANGQI_START = 'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1';

describe('piecesFromFen', () => {
  test('a FEN of xiangqi, with either letters of elephants and horses', () => {
    const pieces = piecesFromFen(xiangqi, XIANGQI_START);
    expect(Object.keys(pieces)).toHaveLength(32);
    expect([pieces.e0, pieces.h2, pieces.a9, pieces.c6, pieces.e4]).toEqual(['K', 'C', 'r', 'p', undefined]);
    expect(piecesFromFen(xiangqi, XIANGQI_START.replaceAll('n', 'h').replaceAll('b', 'e').replaceAll('N', 'H').replaceAll('B', 'E'))).toEqual(pieces);
  });

  test('a FEN of chess', () => {
    const pieces = piecesFromFen(chess, 'rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2');
    expect(Object.keys(pieces)).toHaveLength(32);
    expect([pieces.e1, pieces.e4, pieces.f3, pieces.c5, pieces.g1, pieces.d8]).toEqual(['K', 'P', 'N', 'p', undefined, 'q']);
  });

  test('a board text of Othello begins with a1, whose rank is the first from the top', () => {
    const rows = ['X-------', '--------', '--------', '---OX---', '---XO---', '--------', '--------', '-------O'];
    const pieces = { a1: 'X', d4: 'O', e4: 'X', d5: 'X', e5: 'O', h8: 'O' };
    expect(piecesFromFen(othello, `${rows.join('')} X`)).toEqual(pieces);
    expect(piecesFromFen(othello, rows.join('\n').replaceAll('X', '*').replaceAll('-', '.'))).toEqual(pieces);
  });

  test('a FEN of Othello begins with rank 8', () => {
    const pieces = { d5: 'O', e5: 'X', d4: 'X', e4: 'O', a8: 'X' };
    expect(piecesFromFen(othello, 'p7/8/8/3Pp3/3pP3/8/8/8[PPpp] b - - 0 1')).toEqual(pieces);
  });

  test('a board text on a board whose ranks are numbered from the bottom begins there', () => {
    expect(piecesFromFen({ ...chess, files: 2, ranks: 2, file_names: ['a', 'b'], rank_names: ['1', '2'] }, 'KQ-p')).toEqual({
      a1: 'K',
      b1: 'Q',
      b2: 'p',
    });
  });

  test('a board with more than nine files has numbers of two digits', () => {
    const file_names = [...'abcdefghijk'];
    const wide = { ...chess, files: 11, ranks: 2, file_names, rank_names: ['1', '2'] };
    expect(piecesFromFen(wide, '10K/11')).toEqual({ k2: 'K' });
  });

  test('an error names the text, the place and what was expected', () => {
    const parse = (look: BoardAppearance, text: string) => () => piecesFromFen(look, text);
    expect(parse(chess, '8/8/8')).toThrow('alfil-board: "8/8/8" is no position of Chess: 8 rows were expected, not 3');
    expect(parse(chess, '8/8/8/8/8/8/44K/8')).toThrow('row 7, "44K", has 9 squares instead of 8');
    expect(parse(chess, '8/8/8/8/8/8/4E3/8')).toThrow('"E" on e2 is no piece');
    expect(parse(xiangqi, 'startpos')).toThrow('a FEN, or a text of 90 squares was expected, not 8 characters');
    expect(parse(othello, '?'.repeat(64))).toThrow('"?" on a1 is no piece');
    expect(parse(xiangqi, '')).toThrow('not 0 characters');
  });
});

describe('moveTarget', () => {
  const pieces = piecesFromFen(xiangqi, XIANGQI_START);

  test('a move lifts the piece and puts it on its target', () => {
    expect(moveTarget(pieces, 'h2', 'e2')).toEqual({
      from: 'h2',
      to: 'e2',
      text: 'h2e2',
      choice: null,
      script: [
        { do: 'lift', square: 'h2', piece: 'C' },
        { do: 'put', square: 'e2', piece: 'C' },
      ],
    });
  });

  test('a capture also lifts the captured piece', () => {
    expect(moveTarget(pieces, 'b2', 'b9').script[1]).toEqual({ do: 'lift', square: 'b9', piece: 'n' });
  });

  test('a move from an empty square is an error', () => {
    expect(() => moveTarget(pieces, 'e3', 'e4')).not.toThrow();
    expect(() => moveTarget(pieces, 'e4', 'e5')).toThrow('no piece on e4');
  });
});
