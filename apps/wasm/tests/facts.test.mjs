// The facts of the crates of the games, through the JavaScript package: the whole module, and those of one game.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';

import * as alfil from 'alfil';
import * as chessRules from 'alfil/chess';
import * as othelloRules from 'alfil/othello';
import * as xiangqiRules from 'alfil/xiangqi';

import { IS_LONG, ROOT, rows, text } from './support.mjs';

// The largest count of a test, in leaves.
const MAX_NODES = IS_LONG ? 100_000_000 : 5_000_000;

const CLASSES = {
  chess: [alfil.Chess, chessRules.Chess],
  xiangqi: [alfil.Xiangqi, xiangqiRules.Xiangqi],
  othello: [alfil.Othello, othelloRules.Othello],
};

before(() => Promise.all([alfil.init(), chessRules.init(), xiangqiRules.init(), othelloRules.init()]));

for (const [game, classes] of Object.entries(CLASSES)) {
  test(`perft of ${game}`, () => {
    let checked = 0;
    for (const row of rows(`${game}/perft.jsonl`)) {
      const isCounted = row.nodes <= MAX_NODES && (row.convention ?? 'ply') === 'ply' && row.verified !== false;
      if (!isCounted) continue;
      for (const Class of row.nodes > MAX_NODES / 20 ? classes.slice(0, 1) : classes) {
        const board = new Class(row.fen ?? row.board);
        assert.equal(board.perft(row.depth), row.nodes, JSON.stringify(row));
        board.dispose();
      }
      checked += 1;
    }
    assert.ok(checked >= 8, `${checked} counts`);
  });

  test(`a perft of ${game} in JavaScript is that of the module`, () => {
    const count = (board, depth) => {
      if (depth === 0) return 1;
      let total = 0;
      for (const move of board.moves()) {
        board.move(move);
        total += count(board, depth - 1);
        board.undo();
      }
      return total;
    };
    for (const [number, Class] of classes.entries()) {
      const board = new Class();
      const fen = board.fen();
      // A perft of three plies of xiangqi has 79,666 leaves.
      const depth = IS_LONG || number > 0 || game !== 'xiangqi' ? 3 : 2;
      assert.equal(count(board, depth), board.perft(depth));
      assert.equal(board.fen(), fen);
    }
  });
}

test('Chess960', () => {
  assert.equal(alfil.Chess.fromChess960(518).fen(), new alfil.Chess().fen());
  for (let number = 0; number < 960; number += 97) {
    for (const Chess of CLASSES.chess) {
      const board = Chess.fromChess960(number);
      assert.equal(board.perft(2), new Chess(board.fen()).perft(2));
      for (const move of board.moves({ notation: 'uci960' })) {
        const parsed = board.parse(move, { notation: 'uci960' });
        assert.equal(board.parse(parsed).lan, parsed.lan);
      }
    }
  }
  // The king takes its own rook, or moves to the square where it castles to.
  const board = new alfil.Chess('k7/8/8/8/8/8/8/1RK4R w KQ - 0 1');
  assert.equal(board.move('O-O').after.split(' ')[0], 'k7/8/8/8/8/8/8/1R3RK1');
  board.undo();
  assert.equal(board.parse('c1h1', { notation: 'uci960' }).san, 'O-O');
  assert.throws(() => alfil.Chess.fromChess960(960), { code: 'invalid-argument' });
});

test('SAN', () => {
  const seen = [];
  for (const row of rows('chess/perft.jsonl')) {
    if (seen.includes(row.fen)) continue;
    seen.push(row.fen);
    const board = new alfil.Chess(row.fen);
    const moves = board.moves();
    assert.equal(new Set(moves).size, moves.length, 'every move has a SAN of its own');
    for (const [index, move] of board.moves({ verbose: true }).entries()) {
      assert.equal(move.san, moves[index]);
      assert.equal(board.parse(move.san).lan, move.lan);
      assert.equal(new alfil.Chess(move.after).isCheck(), /[+#]$/.test(move.san), `${row.fen} ${move.san}`);
    }
  }
  assert.ok(seen.length >= 8);
  const cases = [
    ['4k3/8/8/8/8/8/R6R/4K1N1 w - - 0 1', 'a2d2', 'Rad2'],
    ['4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1', 'e1c1', 'O-O-O'],
    ['8/P6k/8/8/8/8/8/K7 w - - 0 1', 'a7a8q', 'a8=Q'],
    ['rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1', 'd4e3', 'dxe3'],
    ['6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1', 'a1a8', 'Ra8#'],
    ['2k5/8/8/Q5Q1/8/8/Q7/7K w - - 0 1', 'a5d2', 'Qa5d2'],
  ];
  for (const [fen, lan, san] of cases) assert.equal(new alfil.Chess(fen).parse(lan).san, san);
});

test('the notations of xiangqi', () => {
  const lines = text('xiangqi/notation.tsv').split('\n').filter((line) => line && !line.startsWith('#'));
  assert.ok(lines.length > 20);
  for (const line of lines) {
    const [, fen, ucci, uci10, iccs, simplified, traditional, xqbase, wxf, fairy] = line.split('\t');
    for (const Xiangqi of CLASSES.xiangqi) {
      const board = new Xiangqi(fen, { waive: ['all'] });
      const named = { uci10, iccs, chinese: simplified, 'chinese-traditional': traditional };
      for (const [notation, move] of Object.entries(named)) {
        if (move) assert.equal(board.parse(move, { notation }).lan, ucci, `${fen} ${move}`);
      }
      for (const move of [xqbase, wxf, fairy]) {
        if (move) assert.equal(board.parse(move, { notation: 'wxf' }).lan, ucci, `${fen} ${move}`);
      }
      assert.deepEqual(board.line([ucci], { notation: 'chinese' }), [simplified]);
    }
  }
});

/** The verdicts on figures that differ from the book on purpose, with the reasons in the Rust test. */
function differences() {
  const source = readFileSync(new URL('crates/xiangqi/tests/figures.rs', ROOT), 'utf8');
  const table = /const VERDICT_DIFFERENCES: .*? = \[(.*?)\];/s.exec(source)[1];
  return Object.fromEntries([...table.matchAll(/\("([^"]+)", "([^"]+)"\)/g)].map((row) => row.slice(1)));
}

// The files, their columns, and the rulesets of the columns.
const RULINGS = [
  ['xiangqi/repetitions.jsonl', 'axf', 'axf'],
  ['xiangqi/loops.jsonl', 'computer', 'computer'],
  ['xiangqi/loops.jsonl', 'axf', 'axf'],
  ['xiangqi/figures.jsonl', 'cxa2020', 'cxa2020'],
];

for (const [path, column, rules] of RULINGS) {
  test(`the rulings of ${path} by ${rules}`, () => {
    const exceptions = rules === 'cxa2020' ? differences() : {};
    let checked = 0;
    for (const row of rows(path).filter((row) => column in row)) {
      for (const Xiangqi of CLASSES.xiangqi) {
        const board = new Xiangqi(row.fen, { waive: ['all'], moves: row.moves.split(' ') });
        const ruling = board.ruling({ rules });
        assert.equal(ruling.verdict, exceptions[row.id] ?? row[column], row.id);
        assert.ok(ruling.rules === rules && ruling.heading && ruling.explanation.length && ruling.plies.length);
      }
      checked += 1;
    }
    assert.ok(checked >= 10, `${checked} rulings`);
  });
}

test('a ruling has reasons', () => {
  const { fen, moves } = rows('xiangqi/figures.jsonl').find((row) => row.id === 'cxa2020-fig02');
  for (const Xiangqi of CLASSES.xiangqi) {
    const { winner, result, repetition, plies } = new Xiangqi(fen, { moves: moves.split(' ') }).ruling({ rules: 'cxa2020' });
    assert.deepEqual([winner, result, repetition.length], ['b', '0-1', 2]);
    const chase = plies.find((ply) => ply.victims.length > 0);
    assert.ok(chase.attacks.some((attack) => attack.victim === chase.victims[0].square), JSON.stringify(chase));
  }
});

test('exact scores of Othello', async () => {
  const engine = await alfil.Engine.start({ game: 'othello' });
  let checked = 0;
  for (const line of text('othello/ffo.obf').split('\n')) {
    if (!line || line.startsWith('%')) continue;
    const [position, best] = line.split(';');
    if (position.split('-').length - 1 > (IS_LONG ? 20 : 16)) continue;
    const board = new alfil.Othello(position);
    const score = Number(best.split(':')[1]);
    const solution = await engine.solve(board);
    assert.equal(solution.score, score, position);
    for (const move of solution.pv) board.move(move);
    assert.ok(board.isGameOver() && board.outcome().margin === Math.abs(score));
    const outcome = await engine.solve(new alfil.Othello(position), { outcomeOnly: true });
    assert.equal(outcome.score, Math.sign(score));
    checked += 1;
  }
  assert.ok(checked >= 3, `${checked} positions`);
  engine.quit();
});
