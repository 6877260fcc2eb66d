// Boards: the methods that chess.js has too, errors, and the life of objects.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  AlfilError,
  Chess,
  createBoard,
  draw,
  Engine,
  gameOf,
  init,
  liveObjects,
  Othello,
  positionIssues,
  readGames,
  validateFen,
  writeGames,
  Xiangqi,
} from 'alfil';
import * as chessRules from 'alfil/chess';

import { random } from './support.mjs';

test('nothing works before init, and the error says so', () => {
  assert.throws(() => new Chess(), { name: 'AlfilError', code: 'not-ready' });
});

test('init may be called again and again', async () => {
  await Promise.all([init(), init()]);
  await init();
  assert.equal(new Chess().fen(), 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1');
});

test('a game of chess as in chess.js', () => {
  const chess = new Chess();
  assert.equal(chess.turn(), 'w');
  assert.equal(chess.moves().length, 20);
  assert.deepEqual(chess.moves({ square: 'g1' }).sort(), ['Nf3', 'Nh3']);
  const move = chess.move('e4');
  assert.deepEqual(
    [move.color, move.from, move.to, move.piece, move.san, move.lan],
    ['w', 'e2', 'e4', 'p', 'e4', 'e2e4'],
  );
  assert.ok(move.before.startsWith('rnbqkbnr/pppppppp/8/8/8') && move.after === chess.fen());
  chess.move({ from: 'd7', to: 'd5' });
  const capture = chess.move('exd5');
  assert.equal(capture.captured, 'p');
  assert.deepEqual(chess.history(), ['e4', 'd5', 'exd5']);
  assert.deepEqual(chess.history({ verbose: true }).map((move) => move.lan), ['e2e4', 'd7d5', 'e4d5']);
  assert.deepEqual(chess.history({ notation: 'uci' }), ['e2e4', 'd7d5', 'e4d5']);
  assert.deepEqual(chess.get('d5'), { square: 'd5', letter: 'P', type: 'p', color: 'w' });
  assert.equal(chess.get('e4'), undefined);
  assert.equal(chess.undo().san, 'exd5');
  assert.equal(chess.move(capture).lan, 'e4d5');
  assert.equal(chess.board().length, 8);
  assert.equal(chess.board()[0][0].letter, 'r');
  assert.ok(chess.ascii().startsWith('r n b q k b n r\n'));
  chess.reset();
  assert.equal(chess.undo(), null);
  const mate = new Chess(undefined, { moves: ['f3', 'e5', 'g4', 'Qh4#'] });
  assert.ok(mate.isCheckmate() && mate.isGameOver() && mate.inCheck() && !mate.isStalemate() && !mate.isDraw());
  assert.deepEqual(
    [mate.outcome().winner, mate.outcome().result, mate.outcome().cause],
    ['b', '0-1', 'checkmate'],
  );
  const stalemate = new Chess('7k/5Q2/6K1/8/8/8/8/8 b - - 0 1');
  assert.ok(stalemate.isStalemate() && stalemate.isDraw() && stalemate.outcome().winner === null);
  assert.ok(new Chess('8/8/4k3/8/8/4K3/8/8 w - - 0 1').isInsufficientMaterial());
  // The position occurs for the third time, too.
  const late = new Chess('4k3/8/8/8/8/8/8/R3K3 w - - 96 80');
  for (const move of ['Ra2', 'Ke7', 'Ra1', 'Ke8', 'Ra2', 'Ke7', 'Ra1']) late.move(move);
  assert.ok(late.isDrawByFiftyMoves());
  const promotion = new Chess('8/P6k/8/8/8/8/8/K7 w - - 0 1');
  assert.equal(promotion.move({ from: 'A7', to: 'A8', promotion: 'n' }).promotion, 'n');
  assert.equal(promotion.isLegal({ from: 'z9', to: 'e8', promotion: 'q' }), false);
  // Pages name a promotion with each move, which counts for promotions alone.
  const queens = new Chess('6k1/P2R4/8/8/8/8/4P3/4K3 w - - 0 1');
  assert.equal(queens.move({ from: 'd7', to: 'd8', promotion: 'q' }).san, 'Rd8+');
  queens.undo();
  assert.equal(queens.move({ from: 'e2', to: 'e4', promotion: 'q' }).lan, 'e2e4');
  queens.undo();
  assert.throws(() => queens.move({ from: 'a7', to: 'a8', promotion: 'k' }), { code: 'invalid-move' });
  assert.throws(() => queens.move({ from: 'a7', to: 'a8' }), AlfilError);
  assert.equal(new Xiangqi().move({ from: 'h2', to: 'e2', promotion: 'q' }).lan, 'h2e2');
});

test('moves that a ruleset refuses', () => {
  const board = new Xiangqi('4k4/9/3R5/9/9/4P4/9/9/9/3K5 w');
  for (const move of 'd7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7 f9e9'.split(' ')) board.move(move);
  const refused = board.refusedMoves({ rules: 'tiantian', notation: 'ucci' });
  const check = refused.find(({ move }) => move === 'f7e7');
  assert.deepEqual([check.lan, check.cause, check.limit], ['f7e7', 'perpetual_check', 6]);
  assert.ok(check.reason.includes('6 checks') && check.reasonZh.includes('6 着'));
  assert.ok(board.refusedMoves({ rules: 'tiantian' }).some(({ move }) => move === 'R4.5'));
  assert.ok(board.moves({ notation: 'ucci' }).includes('f7e7') && !refused.some(({ move }) => move === 'f7f6'));
  assert.deepEqual([board.refusedMoves(), board.refusedMoves({ rules: 'axf' })], [[], []]);
  assert.throws(() => board.refusedMoves({ rules: 'club' }), AlfilError);
});

test('repetitions', () => {
  const chess = new Chess();
  for (let round = 0; round < 2; round += 1) for (const move of ['Nf3', 'Nf6', 'Ng1', 'Ng8']) chess.move(move);
  assert.ok(chess.isThreefoldRepetition() && !chess.isGameOver() && chess.isGameOver({ rules: 'claimed' }));
  const xiangqi = new Xiangqi('3k5/8R/9/9/9/9/9/9/9/4K4 w');
  for (const move of ['车一进一', 'd9d8', 'i9i8', 'd8d9', 'i8i9', 'd9d8', 'i9i8', 'd8d9', 'i8i9', 'd9d8']) {
    xiangqi.move(move);
  }
  const ruling = xiangqi.ruling({ notation: 'wxf' });
  assert.deepEqual([ruling.winner, ruling.cause, ruling.verdict], ['b', 'perpetual_check', 'red_loses']);
  assert.ok(xiangqi.ruling({ language: 'zh' }).explanation.join('').includes('将'));
  assert.equal(xiangqi.outcome().winner, 'b');
});

test('xiangqi and Othello', () => {
  const xiangqi = new Xiangqi();
  assert.equal(xiangqi.move('炮二平五').san, 'C2.5');
  assert.equal(xiangqi.move('h8+7').lan, 'h9g7');
  assert.deepEqual(xiangqi.history({ notation: 'chinese' }), ['炮二平五', '马８进７']);
  assert.equal(xiangqi.board().length, 10);
  assert.equal(xiangqi.squares().length, 90);
  assert.equal(xiangqi.turn(), 'w');
  const othello = new Othello();
  assert.equal(othello.turn(), 'b');
  assert.equal(othello.move({ to: 'f5' }).piece, 'x');
  assert.deepEqual(othello.discs(), { b: 4, w: 1 });
  assert.deepEqual(othello.moves({ square: 'f6' }), ['f6']);
  assert.equal(othello.board()[4][5].color, 'b');
});

test('copies are independent', () => {
  const board = new Chess();
  board.move('e4');
  const copy = board.copy();
  copy.move('e5');
  assert.ok(copy instanceof Chess);
  assert.deepEqual([board.history().length, copy.history().length], [1, 2]);
  assert.equal(createBoard('xiangqi') instanceof Xiangqi, true);
});

test('errors have a code and say what is wrong', () => {
  const chess = new Chess();
  const cases = [
    [() => chess.move('Ke3'), 'illegal-move', /no White king can move to e3/],
    [() => chess.move('?'), 'invalid-move', /cannot read|expected/],
    [() => new Chess('garbage'), 'invalid-position', /./],
    [() => new Chess('8/8/8/8/8/8/8/8 w - - 0 1'), 'invalid-position', /no king/],
    [() => chess.move('e4', { notation: 'wxf' }), 'invalid-argument', /no notation "wxf"/],
    [() => chess.get('z9'), 'invalid-argument', /no square "z9"/],
    [() => chess.outcome({ rules: 'axf' }), 'invalid-argument', /ruleset/],
    [() => createBoard('go'), 'invalid-argument', /there is no game "go"/],
    [() => chess.perft(65), 'invalid-argument', /choose 0 to 64/],
    [() => chess.perft(1.5), 'invalid-argument', /cannot be read/],
    [() => chess.perft(), 'invalid-argument', /depth/],
    [() => chess.move(), 'invalid-argument', /must be a text/],
    [() => new Chess({ waive: [] }), 'invalid-argument', /type/],
    [() => new Chess('4k3/8/8/8/8/8/R6R/4K1N1 w - - 0 1').move('Rd2'), 'ambiguous-move', /./],
  ];
  for (const [call, code, message] of cases) {
    assert.throws(call, (error) => {
      assert.ok(error instanceof AlfilError && error instanceof Error, String(call));
      assert.equal(error.code, code, `${call}: ${error.message}`);
      assert.match(error.message, message);
      return true;
    });
  }
  assert.equal(chess.fen(), new Chess().fen());
  assert.throws(() => chess.load('garbage'));
  assert.equal(chess.fen(), new Chess().fen());
  assert.deepEqual(validateFen('chess', new Chess().fen()), { ok: true });
  assert.equal(validateFen('chess', 'garbage').ok, false);
  assert.ok(positionIssues('xiangqi', '4k4/9/9/9/9/9/9/9/9/4K4 w').some((issue) => issue.isWaivable));
});

test('pictures', () => {
  assert.ok(draw(new Xiangqi(), 'svg').startsWith('<svg'));
  assert.ok(draw(new Xiangqi(), 'hanzi').includes('炮'));
  assert.throws(() => draw(new Xiangqi(), 'oil'), { code: 'invalid-argument' });
});

test('a module of rules is a module of its own', async () => {
  await chessRules.init();
  const board = new chessRules.Chess();
  assert.equal(board.move('e4').lan, 'e2e4');
  assert.throws(() => draw(board), { code: 'invalid-argument' });
});

test('a disposed board is an error', () => {
  const board = new Chess();
  board.dispose();
  board.dispose();
  assert.throws(() => board.fen(), { code: 'disposed' });
});

test('random games go back to their start', () => {
  const numbers = random(2026);
  for (const game of ['chess', 'xiangqi', 'othello']) {
    for (let round = 0; round < 20; round += 1) {
      const board = createBoard(game);
      const fens = [board.fen()];
      while (fens.length < 120 && board.moves().length > 0) {
        const move = numbers.pick(board.moves({ verbose: true }));
        assert.equal(board.move(move).after, board.fen());
        fens.push(board.fen());
      }
      const again = createBoard(game, board.startFen(), { moves: board.history() });
      assert.equal(again.hash(), board.hash());
      while (fens.length > 1) {
        assert.equal(board.fen(), fens.pop());
        board.undo();
      }
      assert.equal(board.fen(), fens[0]);
      board.dispose();
      again.dispose();
    }
  }
});

test('boards without a reference are freed, and disposed ones at once', async () => {
  const collect = async () => {
    for (let round = 0; round < 20; round += 1) {
      globalThis.gc();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  await collect();
  const before = liveObjects();
  for (let number = 0; number < 1000; number += 1) new Chess().dispose();
  assert.equal(liveObjects(), before);
  // Each round frees the boards of the round before, so that the memory stays bounded.
  for (let round = 0; round < 20; round += 1) {
    for (let number = 0; number < 1000; number += 1) new Chess().copy();
    await collect();
    if (round > 2) assert.ok(liveObjects() < before + 2000, `${liveObjects()} boards are left`);
  }
  await collect();
  assert.ok(liveObjects() <= before + 10, `${liveObjects()} boards are left, ${before} before`);
});

test('only legal moves are legal, and a wrong notation is an error', () => {
  const chess = new Chess('4k3/8/8/8/8/8/4r3/4K3 w - - 0 1');
  assert.deepEqual(['Kxe2', 'Kd1', 'Kd2', '--', '0000', 'nonsense'].map((move) => chess.isLegal(move)), [true, true, false, false, false, false]);
  assert.throws(() => chess.isLegal('Kd1', { notation: 'wfx' }), { code: 'invalid-argument' });
});

test('what is no text is no position', () => {
  const chess = new Chess();
  chess.move('e4');
  const after = chess.fen();
  for (const wrong of [undefined, null, NaN, 5, {}]) {
    assert.throws(() => chess.load(wrong), { code: 'invalid-argument' });
    if (wrong !== undefined) assert.throws(() => new Chess(wrong), { code: 'invalid-argument' });
    assert.throws(() => Chess.fromChess960(wrong === 5 ? 5.5 : wrong), { code: 'invalid-argument' });
  }
  assert.equal(chess.fen(), after);
});

test('options may be missing; what is no board, game or options is an error of its own', async () => {
  const board = new Chess(undefined, null);
  assert.equal(board.moves(null).length, 20);
  assert.equal(board.move('e4', null).lan, 'e2e4');
  assert.deepEqual([board.history(null), board.line(['e5'], null), board.outcome(null)], [['e4'], ['e5'], null]);
  for (const call of [
    () => board.move('e5', 'san'),
    () => board.moves(5),
    () => new Chess(undefined, 'all'),
    () => draw({}),
    () => draw(null, 'svg'),
    () => gameOf({}),
    () => gameOf(board, 5),
    () => gameOf(board, { tags: 'White' }),
    () => writeGames(5),
    () => writeGames(null),
    () => writeGames([board]),
    () => readGames('1. e4', 'chess'),
  ]) {
    assert.throws(call, { name: 'AlfilError', code: 'invalid-argument', message: /wrong type/ }, String(call));
  }
  await assert.rejects(Engine.start(null), { code: 'invalid-argument' });
  const engine = await Engine.start({ game: 'chess', hash: 1 });
  assert.throws(() => engine.go(null), { code: 'invalid-argument' });
  assert.throws(() => engine.go({}, 5), { code: 'invalid-argument' });
  assert.equal((await engine.best(board, { nodes: 100 })).color, 'b');
  engine.quit();
});
