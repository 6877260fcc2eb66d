// No text and no value ends the module: each call succeeds or throws an AlfilError.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as alfil from 'alfil';

import { IS_LONG, random, rows, testdata } from './support.mjs';
import { readdirSync, readFileSync } from 'node:fs';

const ROUNDS = IS_LONG ? 200_000 : 5_000;
const GAMES = ['chess', 'xiangqi', 'othello'];

const VALUES = [
  undefined, null, 0, -1, 1.5, NaN, Infinity, 2 ** 53, true, 10n, Symbol('x'), {}, [], ['a'], [1], { lan: 5 }, { from: 1 },
  { to: null }, new Date(0), () => 1, new Uint8Array(3), '', ' ', '\0', '\ud800', 'a\udc00b', '💥', '00', '--', 'null',
  'startpos', 'x'.repeat(100_000), '['.repeat(10_000), '\u{10FFFF}'.repeat(50),
];

const numbers = random(22);
const fens = GAMES.flatMap((game) => rows(`${game}/perft.jsonl`).map((row) => row.fen ?? row.board));
const moves = ['e4', 'Nf3', 'O-O', 'e2e4', 'e7e8q', 'h2e2', '炮二平五', 'C2.5', '前兵进一', 'f5', 'pass', 'a8=Q#', 'd10c9'];
const letters = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ /-+=.#()[]{}"\\%;*!?$&<>\t\n\0é车馬２–💥\ud800';

/** Returns a text that is almost one of those that the module reads. */
function almost(list) {
  const characters = [...numbers.pick(list)];
  for (let change = numbers.below(6); change > 0; change -= 1) {
    const place = numbers.below(characters.length + 1);
    const letter = [...letters][numbers.below([...letters].length)];
    characters.splice(place, numbers.below(3), ...(numbers.below(2) ? [letter] : []));
  }
  return characters.join('');
}

function noise() {
  return Array.from({ length: numbers.below(30) }, () => letters[numbers.below(letters.length)]).join('');
}

function argument() {
  switch (numbers.below(5)) {
    case 0: return numbers.pick(VALUES);
    case 1: return almost(fens);
    case 2: return almost(moves);
    case 3: return almost(['san', 'uci', 'wxf', 'chinese', 'axf', 'cxa2020', 'claimed', 'e4', 'i9', 'pgn', 'xqf']);
    default: return noise();
  }
}

/** Calls a function; any exception but an AlfilError with a message fails the test, and so does an internal error. */
function attempt(call) {
  try {
    call();
  } catch (error) {
    if (!(error instanceof alfil.AlfilError) || error.code === 'internal' || !error.message) {
      throw new Error(`${call} threw ${error.stack}`);
    }
  }
}

test('random texts and values as every argument', async () => {
  await alfil.init();
  const game = () => (numbers.below(10) ? numbers.pick(GAMES) : argument());
  let board = alfil.createBoard('chess');
  let reached = 0;
  const calls = [
    () => { board = alfil.createBoard(game(), argument(), { waive: [numbers.pick(['all', 'generals_facing']), ] }); reached += 1; },
    () => { board = alfil.createBoard(numbers.pick(GAMES), numbers.pick(fens)); reached += 1; },
    () => { board = alfil.createBoard(numbers.pick(GAMES), undefined, { waive: argument(), moves: argument() }); },
    () => alfil.Chess.fromChess960(argument()),
    () => board.load(argument()),
    () => board.move(argument(), { notation: numbers.below(3) ? undefined : argument() }),
    () => board.move(numbers.pick(board.moves().concat(['x']))),
    () => board.parse(argument()),
    () => board.isLegal(argument(), { notation: argument() }),
    () => board.moves({ square: argument(), notation: argument(), verbose: argument() }),
    () => board.history({ notation: argument() }),
    () => board.line([argument(), argument()], { notation: argument() }),
    () => board.line(argument()),
    () => board.get(argument()),
    () => board.outcome({ rules: argument() }),
    () => board.put(argument(), argument()),
    () => board.put({ type: numbers.pick([...'pnbrqkacex']), color: numbers.pick(['w', 'b']) }, numbers.pick(board.squares())),
    () => board.put({ type: argument(), color: argument() }, argument()),
    () => board.remove(argument()),
    () => board.remove(numbers.pick(board.squares())),
    () => board.clear(argument()),
    () => board.setTurn(argument()),
    () => board.setTurn(numbers.pick(['w', 'b'])),
    () => board.attackers(argument(), argument()),
    () => board.attackers(numbers.pick(board.squares())),
    () => board.setCastlingRights?.(argument(), argument()),
    () => board.setCastlingRights?.(numbers.pick(['w', 'b']), { k: numbers.below(2) === 1, q: argument() }),
    () => board.setComment(numbers.pick(['', 'comment', '{}', '\u0000', '💥'])),
    () => [board.getComments(), board.moveNumber(), board.toJSON()],
    () => alfil.targetsOf(board, { rules: argument() }),
    () => [alfil.targetsOf(board), alfil.piecesOf(board), alfil.checkOf(board)],
    () => board.perft(numbers.below(4) ? argument() : 1),
    () => board.refusedMoves?.({ rules: argument(), notation: argument() }),
    () => board.ruling?.({ rules: argument(), occurrences: argument(), notation: argument(), language: argument() }),
    () => alfil.draw(board, argument()),
    () => alfil.draw(argument()),
    () => board.move('e4', argument()),
    () => alfil.gameOf(argument(), argument()),
    () => alfil.writeGames(argument(), argument()),
    () => alfil.readGames(argument(), argument()),
    () => alfil.positionIssues(game(), argument()),
    () => alfil.validateFen(game(), argument()),
    () => [...alfil.readGames(`[Game "${argument()?.toString?.()}"]\n\n1. ${noise()} {${noise()}} (${noise()}) *`, { game: game() })],
    () => alfil.gameOf(board, { result: argument(), tags: { [noise()]: argument() } }),
    () => alfil.gameOf(board).pgn({ notation: argument() }),
    () => alfil.writeGames([alfil.gameOf(board)], { format: argument(), notation: argument() }),
    () => [board.fen(), board.hash(), board.isCheck(), board.moves().length, board.undo()],
  ];
  // A perft of a great depth would be valid, and never end.
  const isEndless = (value) => typeof value === 'number' && value > 3;
  for (let round = 0; round < ROUNDS; round += 1) {
    const call = numbers.pick(calls);
    if (String(call).includes('perft')) {
      const depth = argument();
      if (!isEndless(depth)) attempt(() => board.perft(depth));
    } else {
      attempt(call);
    }
  }
  assert.ok(reached > ROUNDS / 200, `${reached} boards`);
  assert.equal(new alfil.Chess().perft(3), 8902);
});

test('damaged files', async () => {
  await alfil.init();
  const folder = testdata('records/xiangqi/');
  const files = readdirSync(folder).filter((name) => !name.endsWith('.md'));
  const contents = files.map((name) => readFileSync(new URL(name, folder))).filter((bytes) => bytes.length < 200_000);
  for (const path of ['records/othello/synthetic-games.ggf', 'records/othello/synthetic-wth.wtb', 'othello/ffo.obf']) {
    contents.push(readFileSync(testdata(path)));
  }
  assert.ok(contents.length > 5);
  let games = 0;
  for (let round = 0; round < (IS_LONG ? 5_000 : 300); round += 1) {
    const bytes = Uint8Array.from(numbers.pick(contents)).slice(0, 20_000);
    for (let change = numbers.below(10); change > 0 && bytes.length > 0; change -= 1) {
      bytes[numbers.below(bytes.length)] = numbers.below(256);
    }
    attempt(() => {
      for (const game of alfil.readGames(bytes.subarray(0, numbers.below(4) ? bytes.length : numbers.below(bytes.length)))) {
        games += 1;
        attempt(() => game.nodes());
        attempt(() => game.board().fen());
        attempt(() => game.pgn());
        game.dispose();
        if (games % 50 === 0) break;
      }
    });
  }
  assert.ok(games > 100, `${games} games`);
  attempt(() => [...alfil.readGames('('.repeat(100_000))]);
  attempt(() => [...alfil.readGames(`1. e4 ${'(1. d4 '.repeat(50_000)}`, { game: 'chess' })]);
  assert.equal(new alfil.Chess().perft(3), 8902);
});
