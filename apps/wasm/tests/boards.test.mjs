// Boards: the methods that chess.js has too, errors, and the life of objects.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  AlfilError,
  checkOf,
  Chess,
  createBoard,
  draw,
  Engine,
  gameOf,
  init,
  liveObjects,
  Othello,
  piecesOf,
  positionIssues,
  readGames,
  targetsOf,
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
  // A stalemate ends the game by another cause, and the material is insufficient all the same.
  const bishop = new Chess('k7/8/K7/8/5B2/8/8/8 b - - 0 1');
  assert.ok(bishop.isStalemate() && bishop.isInsufficientMaterial());
  assert.equal(new Chess().isInsufficientMaterial(), false);
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
    [() => chess.moves({ square: 'z9' }), 'invalid-argument', /no square "z9"/],
    [() => chess.attackers('z9'), 'invalid-argument', /no square "z9"/],
    [() => chess.attackers('e4', 'red'), 'invalid-argument', /no color red/],
    [() => chess.get(5), 'invalid-argument', /type/],
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

test('options that do not exist are errors, which name those that do', async () => {
  const [chess, xiangqi] = [new Chess(), new Xiangqi()];
  const engine = await Engine.start({ game: 'chess', hash: 1 });
  for (const call of [
    () => chess.moves({ sqare: 'e2' }),
    () => chess.move('e4', { strict: true }),
    () => chess.history({ verbos: true }),
    () => chess.outcome({ rule: 'claimed' }),
    () => chess.isGameOver({ ruleset: 'claimed' }),
    () => chess.load(chess.fen(), { skipValidation: true }),
    () => chess.setCastlingRights('w', { K: true }),
    () => new Chess(undefined, { waived: ['all'] }),
    () => xiangqi.ruling({ lang: 'zh' }),
    () => xiangqi.refusedMoves({ ruleset: 'tiantian' }),
    () => readGames('1. e4', { gaem: 'chess' }),
    () => gameOf(chess, { Result: '1-0' }),
    () => gameOf(chess).pgn({ dialect: 'san' }),
    () => writeGames([gameOf(chess)], { fromat: 'pgn' }),
    () => targetsOf(xiangqi, { ruleset: 'tiantian' }),
    () => engine.go(chess, { deph: 3 }),
  ]) {
    assert.throws(call, { name: 'AlfilError', code: 'invalid-argument', message: /there is no option ".*" here: the options are / }, String(call));
  }
  for (const call of [
    Engine.start({ game: 'chess', hsah: 1 }),
    engine.best(chess, { depth: 1, deph: 3 }),
    engine.solve(chess, { outcome: true }),
  ]) {
    await assert.rejects(call, { name: 'AlfilError', code: 'invalid-argument', message: /there is no option/ });
  }
  engine.quit();
});

test('a square that is not on the board has no piece, as in chess.js', () => {
  for (const square of ['e9', 'z1', '', 'E2', 'e', '💥']) assert.equal(new Chess().get(square), undefined);
  assert.equal(new Xiangqi().get('e10'), undefined);
  assert.equal(new Xiangqi().get('e9').letter, 'k');
});

test('objects are small and useful as JSON', async () => {
  const chess = new Chess('4k3/8/8/8/8/8/4P3/4K3 w - - 0 1', { moves: ['e4', 'Kd7'] });
  const json = JSON.stringify(chess);
  assert.equal(json, '{"game":"chess","fen":"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1","moves":["e2e4","e8d7"]}');
  const { game, fen, moves } = JSON.parse(json);
  assert.equal(createBoard(game, fen, { moves }).hash(), chess.hash());
  assert.equal(JSON.stringify({ xiangqi: new Xiangqi(undefined, { moves: ['炮二平五'] }) }).includes('"moves":["h2e2"]'), true);
  const engine = await Engine.start({ game: 'chess', hash: 1 });
  // A board as JSON is a position to search.
  assert.equal((await engine.best(JSON.parse(json), { depth: 1 })).color, 'w');
  assert.throws(() => engine.go({ game: 'xiangqi' }, { depth: 1 }), { code: 'invalid-argument' });
  const reader = readGames('1. e4 {best} *', { game: 'chess' });
  const read = reader.next();
  assert.equal(JSON.parse(JSON.stringify(read)).nodes[1].comment, 'best');
  for (const object of [read, reader, engine]) assert.ok(JSON.stringify(object).length < 1000, JSON.stringify(object).slice(0, 300));
  engine.quit();
});

test('positions are set up piece by piece', () => {
  const chess = new Chess(undefined, { moves: ['e4'] });
  chess.clear();
  assert.equal(chess.fen(), '8/8/8/8/8/8/8/8 w - - 0 1');
  assert.deepEqual([chess.pieces(), chess.history(), chess.undo(), chess.board()[0][0]], [[], [], null, null]);
  assert.throws(() => chess.moves(), { code: 'invalid-position', message: /White has no king/ });
  assert.ok(chess.put({ type: 'k', color: 'w' }, 'e1') && chess.put({ type: 'k', color: 'b' }, 'e8'));
  assert.ok(chess.put({ type: 'r', color: 'w' }, 'h1') && chess.put({ type: 'p', color: 'b' }, 'a2'));
  assert.equal(chess.put({ type: 'k', color: 'w' }, 'd4'), false);
  assert.equal(chess.put({ type: 'x', color: 'w' }, 'd4'), false);
  assert.equal(chess.put({ type: 'p', color: 'w' }, 'd9'), false);
  assert.ok(chess.setCastlingRights('w', { k: true }));
  assert.equal(chess.setCastlingRights('b', { k: true }), false);
  assert.deepEqual(chess.getCastlingRights('w'), { k: true, q: false });
  assert.equal(chess.move('O-O').after, '4k3/8/8/8/8/8/p7/5RK1 b - - 1 1');
  assert.equal(chess.setTurn('b'), false);
  assert.ok(chess.setTurn('w'));
  assert.deepEqual(chess.remove('a2'), { square: 'a2', letter: 'p', type: 'p', color: 'b' });
  assert.equal(chess.remove('a2'), undefined);
  assert.equal(chess.fen().split(' ').slice(0, 2).join(' '), '4k3/8/8/8/8/8/8/5RK1 w');
  // A copy of a position that cannot be played is one, too; a new position makes the board whole.
  chess.remove('g1');
  const copy = chess.copy();
  assert.throws(() => copy.isCheck(), { code: 'invalid-position' });
  copy.reset();
  assert.equal(copy.moves().length, 20);
  assert.throws(() => gameOf(chess), { code: 'invalid-position' });
  assert.deepEqual(targetsOf(chess), []);
  const chess960 = Chess.fromChess960(0);
  assert.ok(chess960.setCastlingRights('w', { q: false }));
  const both = { k: true, q: true };
  assert.deepEqual(['w', 'b'].map((color) => chess960.getCastlingRights(color)), [{ k: true, q: false }, both]);
  assert.ok(chess960.setCastlingRights('w', both));
  assert.equal(chess960.fen(), Chess.fromChess960(0).fen());

  const xiangqi = new Xiangqi();
  assert.ok(xiangqi.remove('h2').type === 'c' && xiangqi.put({ type: 'c', color: 'w' }, 'e2'));
  assert.equal(xiangqi.move('炮五进四').lan, 'e2e6');
  xiangqi.remove('e0');
  assert.throws(() => xiangqi.moves(), { code: 'invalid-position', message: /Red has no king/ });
  const othello = new Othello();
  assert.equal(othello.put({ type: 'x', color: 'b' }, 'a1'), true);
  assert.equal(othello.put({ type: 'x', color: 'w' }, 'a1'), false);
  assert.deepEqual(othello.discs(), { b: 3, w: 2 });
  assert.equal(othello.moveNumber(), 1);
});

test('a piece to put or to find has a color', () => {
  for (const [board, type] of [[new Chess(), 'q'], [new Xiangqi(), 'r'], [new Othello(), 'x']]) {
    const fen = board.fen();
    for (const color of [undefined, null, '', 'x', 'r', 'W', 'white', 1]) {
      const error = { name: 'AlfilError', code: 'invalid-argument', message: /no color .*: choose "w" or "b"/ };
      assert.throws(() => board.put({ type, color }, 'e4'), error, `${board.game} ${color}`);
      assert.throws(() => board.findPiece({ type, color }), error, `${board.game} ${color}`);
    }
    assert.throws(() => board.findPiece(), { name: 'AlfilError', code: 'invalid-argument' });
    assert.equal(board.put({ type: 'z', color: 'w' }, 'e4'), false);
    assert.equal(board.fen(), fen);
  }
  const xiangqi = new Xiangqi();
  assert.ok(xiangqi.put({ type: 'r', color: 'w' }, 'e4') && xiangqi.put({ type: 'r', color: 'b' }, 'e5'));
  assert.deepEqual(['e4', 'e5'].map((square) => xiangqi.get(square).letter), ['R', 'r']);
});

test('a change of castling rights leaves the others with their rooks', () => {
  const inner = '4k3/8/8/8/8/8/8/4K1RR w G - 0 1';
  for (const [fen, color, rights, wanted] of [
    [inner, 'b', { k: false }, 'G'],
    [inner, 'w', { q: false }, 'G'],
    [inner, 'w', { k: true }, 'G'],
    [inner, 'w', {}, 'G'],
    [inner, 'w', { k: false }, '-'],
    ['4k3/8/8/8/8/8/8/4K1RR w - - 0 1', 'w', { k: true }, 'K'],
    ['1rr1k1rr/8/8/8/8/8/8/1RR1K1RR w GCgc - 0 1', 'w', { q: false }, 'Ggc'],
    ['1rr1k1rr/8/8/8/8/8/8/1RR1K1RR w GCgc - 0 1', 'b', { k: false, q: true }, 'GCc'],
    ['r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1', 'b', { k: false }, 'KQq'],
  ]) {
    const chess = new Chess(fen);
    const message = `${fen} ${color} ${JSON.stringify(rights)}`;
    assert.equal(chess.setCastlingRights(color, rights), true, message);
    assert.equal(chess.fen().split(' ')[2], wanted, message);
  }
  // Without a king the position cannot be played; the right of the other side stays as it was.
  const chess = new Chess('4k2r/8/8/8/8/8/8/4K1RR w Gk - 0 1');
  chess.remove('e8');
  chess.setCastlingRights('b', { k: false });
  chess.put({ type: 'k', color: 'b' }, 'e8');
  assert.equal(chess.fen().split(' ')[2], 'G');
});

test('a move by its squares has the keys of a move', () => {
  const chess = new Chess();
  for (const [move, message] of [
    [{ from: 'e2', too: 'e4' }, /a move has no "too": choose from, to and promotion, or lan/],
    [{ from: 'e2', to: 'e4', promote: 'q' }, /a move has no "promote"/],
    [['e2', 'e4'], /a move has no "0"/],
    [{ from: 'e2' }, /the move has no square "to"/],
    [{ from: 'e2', to: null }, /the move has no square "to"/],
    [{}, /the move has no square "to"/],
  ]) {
    for (const name of ['move', 'parse', 'isLegal']) {
      assert.throws(() => chess[name](move), { name: 'AlfilError', code: 'invalid-argument', message }, name);
    }
  }
  assert.deepEqual(chess.history(), []);
  // Moves of this package and of chess.js are arguments, too.
  const verbose = chess.moves({ square: 'g1', verbose: true })[0];
  const { lan, ...squares } = verbose;
  assert.deepEqual([chess.parse(verbose).lan, chess.parse({ ...squares, flags: 'n' }).lan], [lan, lan]);
  assert.equal(chess.move({ from: 'e2', to: 'e4', promotion: undefined }).san, 'e4');
});

test('what needs the rules is an error while the position cannot be played, and a side is named', () => {
  const chess = new Chess('4k3/8/8/8/8/8/8/R3K3 w - - 100 80');
  assert.equal(chess.isDrawByFiftyMoves(), true);
  for (const color of [undefined, null, 'x']) {
    assert.throws(() => chess.isAttacked('a3', color), { code: 'invalid-argument', message: /no color/ });
  }
  assert.ok(chess.isAttacked('a3', 'w') && !chess.isAttacked('a3', 'b'));
  const calls = {
    chess: [
      'moves', 'isCheck', 'inCheck', 'isCheckmate', 'isStalemate', 'isInsufficientMaterial', 'isDrawByFiftyMoves',
      'isThreefoldRepetition', 'occurrences', 'outcome', 'isGameOver', 'isDraw', 'hash',
    ],
    xiangqi: ['moves', 'isCheck', 'isCheckmate', 'refusedMoves', 'ruling', 'outcome', 'isGameOver', 'isDraw', 'hash'],
  };
  for (const board of [chess, new Chess(), new Xiangqi()]) {
    board.remove(board.findPiece({ type: 'k', color: 'w' })[0]);
    const error = { name: 'AlfilError', code: 'invalid-position', message: /has no king/ };
    for (const name of calls[board.game]) assert.throws(() => board[name](), error, `${board.game} ${name}`);
    assert.throws(() => board.isAttacked('a3', 'w'), error);
    assert.throws(() => board.perft(1), error);
    assert.deepEqual([board.turn(), board.history(), board.undo(), board.startFen()], ['w', [], null, board.fen()]);
  }
});

test('the headers Result, FEN and SetUp', () => {
  const [white, black] = ['1-0', '0-1'];
  const start = '4k3/8/8/8/8/8/8/4K2R w K - 0 1';
  const board = new Chess(start, { moves: ['O-O'] });
  board.setHeader('Result', white);
  board.setHeader('FEN', new Chess().fen());
  board.setHeader('SetUp', '0');
  for (const [header, result] of [
    [undefined, white],
    [{ tags: {} }, white],
    [{ tags: { Result: black } }, black],
    [{ result: '1/2-1/2' }, '1/2-1/2'],
    [{ tags: { Result: black }, result: '*' }, '*'],
  ]) {
    const game = gameOf(board, header);
    assert.deepEqual([game.result, game.start, game.tags], [result, start, []]);
    const [again] = readGames(game.pgn());
    assert.deepEqual([again.result, again.start, again.moves()], [result, start, ['e1g1']]);
    assert.equal(game.pgn().match(/^\[(Result|FEN|SetUp) /gm).length, 3);
  }
  const error = { name: 'AlfilError', code: 'invalid-argument', message: /is no result: choose "1-0"/ };
  assert.throws(() => gameOf(board, { tags: { Result: 'White won' } }), error);
  board.setHeader('Result', '2-0');
  assert.throws(() => gameOf(board), error);
});

test('comments and headers go into the record of a board', () => {
  const board = new Chess();
  board.setComment('the start');
  board.setHeader('White', 'A');
  assert.deepEqual(board.setHeader('Black', 'B'), { White: 'A', Black: 'B' });
  for (const move of ['e4', 'e5']) board.move(move);
  board.setComment('open');
  board.move('Nf3');
  board.setComment('taken back');
  board.undo();
  assert.deepEqual(board.getComments().map(({ comment }) => comment), ['the start', 'open']);
  assert.equal(board.copy().getComment(), 'open');
  const pgn = gameOf(board, { tags: { Black: 'C' }, result: '1-0' }).pgn();
  assert.ok(pgn.includes('[White "A"]') && pgn.includes('[Black "C"]'), pgn);
  assert.match(pgn, /\{the start\} 1\. e4 e5 \{open\} 1-0/);
  assert.equal(board.removeHeader('Black') && board.removeHeader('Black'), false);
  board.load(board.fen(), { preserveHeaders: true });
  assert.deepEqual([board.getHeaders(), board.getComments()], [{ White: 'A' }, []]);
  board.reset();
  assert.deepEqual(board.getHeaders(), {});
  board.setComment('x');
  assert.deepEqual(board.removeComments(), [{ fen: board.fen(), comment: 'x' }]);
  assert.equal(board.getComment(), '');
});

test('the moves for a board element have all that they change', () => {
  const chess = new Chess('r3k2r/8/8/3pP3/8/8/P7/R3K2R w KQkq d6 0 1');
  const script = (board, text) => targetsOf(board).find((target) => target.text === text)?.script;
  assert.deepEqual(
    script(chess, 'e1g1').map(({ do: action, square, piece }) => `${action} ${square} ${piece}`).sort(),
    ['lift e1 K', 'lift h1 R', 'put f1 R', 'put g1 K'],
  );
  assert.ok(script(chess, 'e5d6').some(({ do: action, square }) => action === 'lift' && square === 'd5'));
  chess.setTurn('b');
  chess.remove('h1');
  chess.put({ type: 'p', color: 'b' }, 'h2');
  assert.deepEqual(
    targetsOf(chess).filter(({ to }) => to === 'h1' ).map(({ from, choice }) => `${from}${choice ?? ''}`).sort(),
    ['h2b', 'h2n', 'h2q', 'h2r'],
  );
  assert.equal(piecesOf(chess).e8, 'k');
  assert.equal(checkOf(new Chess('4k3/8/8/8/8/8/4R3/4K3 b - - 0 1')), 'e8');
  assert.equal(checkOf(chess), null);
  const disc = targetsOf(new Othello()).find(({ to }) => to === 'f5');
  assert.deepEqual([disc.from, disc.script.map(({ do: action }) => action)], [null, ['put', 'turn']]);
  // Every script leads to the position after its move, and the texts are the legal moves.
  const numbers = random(7);
  for (const game of ['chess', 'xiangqi', 'othello']) {
    const board = createBoard(game);
    for (let ply = 0; ply < 60 && board.moves().length > 0; ply += 1) {
      const targets = targetsOf(board);
      const target = numbers.pick(targets);
      const pieces = piecesOf(board);
      for (const { do: action, square, piece } of target.script) {
        if (action === 'lift') delete pieces[square];
        else pieces[square] = piece;
      }
      board.move({ lan: target.text });
      assert.deepEqual(pieces, piecesOf(board), target.text);
    }
  }
  const refusing = new Xiangqi('4k4/9/3R5/9/9/4P4/9/9/9/3K5 w');
  for (const move of 'd7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7 f9e9 f7e7 e9f9 e7f7 f9e9'.split(' ')) refusing.move(move);
  const refused = targetsOf(refusing, { rules: 'tiantian' }).filter((target) => target.refused);
  assert.equal(refused.length, 2);
  assert.match(refused[0].refused, /6 checks in a row/);
  assert.ok(targetsOf(refusing).every((target) => target.refused === undefined));
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
    () => targetsOf({}),
    () => piecesOf(null),
    () => board.put(null, 'e4'),
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
