import { expect, test } from 'vitest';
import { numberBefore, playerNames, readGame } from './game-text';

test('tags, comments, variations, numbers and results are no moves', () => {
  const { tags, moves } = readGame(
    '[White "A \\"B\\" C"]\n[FEN "x"]\n\n1. e4! {good (really)} e5 (1... c5 2. Nf3 (2. c3) 2... d6) 2.Nf3 $1 2... Nc6?! ; the rest\n3. O-O-O 1-0\n\n[White "D"]\n\n1. d4',
  );
  expect(tags).toEqual({ White: 'A "B" C', FEN: 'x' });
  expect(moves).toEqual(['e4', 'e5', 'Nf3', 'Nc6', 'O-O-O']);
});

test('moves of xiangqi and Othello are read in their notations', () => {
  expect(readGame('1. C2.5 H8+7 2. 33.4 炮二平五 *').moves).toEqual(['C2.5', 'H8+7', '33.4', '炮二平五']);
  expect(readGame('f5 d6 c3').moves).toEqual(['f5', 'd6', 'c3']);
});

test('a game ends where the tags of the next one begin, with or without a result', () => {
  for (const result of ['', '*', '1-0 {White won}']) {
    const text = `[White "A"]\n\n1. e4 {[Site "?"]} e5 ${result}\n\n[White "B"]\n[FEN "x"]\n\n1. d4 *`;
    expect(readGame(text)).toEqual({ tags: { White: 'A' }, moves: ['e4', 'e5'] });
  }
});

test('dots after the number of a move of the second side are no move', () => {
  for (const text of ['1. ... Kf7 2. Ke2', '1... Kf7 2. Ke2', '1. ...Kf7 2.Ke2']) expect(readGame(text).moves).toEqual(['Kf7', 'Ke2']);
});

test('a text without an end is read to its end', () => {
  expect(readGame('e4 (d4 {x').moves).toEqual(['e4']);
  expect(readGame('').moves).toEqual([]);
});

test('players are named by their sides; only the first side of xiangqi may be named White', () => {
  expect(playerNames({ White: 'Smith' }, ['Black', 'White'])).toEqual(['', 'Smith']);
  expect(playerNames({ Black: 'Tanaka' }, ['Black', 'White'])).toEqual(['Tanaka', '']);
  expect(playerNames({ White: 'Hu', Black: 'Xu' }, ['Red', 'Black'])).toEqual(['Hu', 'Xu']);
  expect(playerNames({ White: '?', Black: '?' }, ['White', 'Black'])).toEqual(['', '']);
  expect(playerNames({ Black: 'Xu' }, ['Red', 'Black'])).toEqual(['', 'Xu']);
  expect(playerNames({ White: 'Anna' }, ['White', 'Black'])).toEqual(['Anna', '']);
});

test('numbers of moves go on from the start position, also if the second side begins', () => {
  const numbers = (firstPly: number) => [0, 1, 2, 3].map((index) => numberBefore(firstPly + index, index === 0));
  expect(numbers(59)).toEqual(['30... ', '31. ', '', '32. ']);
  expect(numbers(12)).toEqual(['7. ', '', '8. ', '']);
  expect(numbers(0)).toEqual(['1. ', '', '2. ', '']);
});
