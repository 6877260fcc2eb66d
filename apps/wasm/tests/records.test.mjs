// Files of games.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { Chess, gameOf, init, Othello, readGames, writeGames, Xiangqi } from 'alfil';

import { testdata } from './support.mjs';

await init();
const file = (path) => readFileSync(testdata(path));

test('a PGN with variations, comments, clocks and evaluations', () => {
  const pgn = `[White "A"]
[Black "B"]
[Result "1-0"]

1. e4 {best by test [%clk 0:05:00]} (1. d4 d5 {[%eval 0.31]}) 1... e5 $1 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0

[White "C"]

1. e4 e9 *
`;
  const [first, second, ...rest] = readGames(pgn, { game: 'chess' });
  assert.equal(rest.length, 0);
  assert.deepEqual([first.game, first.number, first.result, first.error], ['chess', 1, '1-0', null]);
  assert.deepEqual(first.headers, { White: 'A', Black: 'B' });
  assert.deepEqual(first.moves(), ['e2e4', 'e7e5', 'd1h5', 'b8c6', 'f1c4', 'g8f6', 'h5f7']);
  const nodes = first.nodes();
  assert.deepEqual([nodes[0].move, nodes[0].parent, nodes[1].comment, nodes[1].clock], [null, null, 'best by test', 300_000]);
  const variation = nodes.find((node) => node.move === 'd7d5');
  assert.equal(variation.score, 31);
  assert.deepEqual(first.board(variation.index).history(), ['d4', 'd5']);
  assert.ok(first.board() instanceof Chess && first.board().isCheckmate());
  assert.deepEqual(first.mainLine()[1].nags, [1]);
  assert.match(second.error, /game 2, line \d+, byte \d+, move 1\.\.\. e9: /);
  assert.deepEqual(second.moves(), ['e2e4']);
  const again = [...readGames(first.pgn(), { game: 'chess' })];
  assert.deepEqual(again[0].nodes(), nodes);
  assert.throws(() => first.board(99), { code: 'invalid-argument' });
});

test('files of xiangqi in their encodings', () => {
  const expected = [...readGames(file('records/xiangqi/roundtrip-chinese.utf8.pgn'))].map((game) => game.moves());
  assert.ok(expected.length > 0 && expected[0].length > 5);
  for (const name of ['chinese.gb18030', 'chinese-trad.big5', 'iccs', 'wxf']) {
    const reader = readGames(file(`records/xiangqi/roundtrip-${name}.pgn`));
    assert.equal(reader.format, 'pgn');
    assert.deepEqual([...reader].map((game) => game.moves()), expected, name);
  }
  const reader = readGames(file('records/xiangqi/spec-example.xqf'));
  assert.equal(reader.format, 'xqf');
  const game = reader.next();
  assert.ok(game.game === 'xiangqi' && game.board() instanceof Xiangqi);
});

test('boards are written as files', () => {
  const board = new Xiangqi(undefined, { moves: ['炮二平五', 'h8+7'] });
  const game = gameOf(board, { tags: { Red: '甲' }, result: '1/2-1/2' });
  assert.match(game.pgn({ notation: 'chinese' }), /炮二平五/);
  const xqf = writeGames([game], { format: 'xqf' });
  const [again] = readGames(xqf);
  assert.deepEqual(again.moves(), ['h2e2', 'h9g7']);
  const othello = gameOf(new Othello(undefined, { moves: ['f5', 'd6'] }));
  assert.ok(new TextDecoder().decode(writeGames([othello], { format: 'sgf' })).includes(';B[f5];W[d6]'));
  const two = writeGames([game, game]);
  assert.equal([...readGames(two)].length, 2);
  assert.throws(() => writeGames([game], { format: 'doc' }), { code: 'invalid-argument' });
  assert.throws(() => writeGames([game], { format: 'wthor' }), { code: 'record' });
  assert.throws(() => writeGames([], { format: 'xqf' }), { code: 'invalid-argument' });
  assert.throws(() => gameOf(board, { result: '2-0' }), { code: 'invalid-argument' });
  assert.throws(() => readGames(5), { code: 'invalid-argument' });
});
