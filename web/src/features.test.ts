import { expect, test } from 'vitest';
import { discs, river } from './fixtures.test-data';
import { showsMoveValues, showsPieceCounts } from './features';

test('the features that the server sends decide', () => {
  const pieces = { ...discs, shows_move_values: false, shows_piece_counts: false };
  expect([showsMoveValues(pieces), showsPieceCounts(pieces)]).toEqual([false, false]);
  const placement = { ...river, shows_move_values: true, shows_piece_counts: true };
  expect([showsMoveValues(placement), showsPieceCounts(placement)]).toEqual([true, true]);
});

test('without features from the server, a board with cells of one colour is taken for a disc game', () => {
  expect([river, discs].map(showsMoveValues)).toEqual([false, true]);
  expect([river, discs].map(showsPieceCounts)).toEqual([false, true]);
});
