import { expect, test } from 'vitest';
import { river } from '../../src/fixtures.test-support';
import './element.js';
import { menFromFen, piecesFromFen } from './position.js';

test('the names of earlier versions are read', () => {
  const board = document.createElement('alfil-board');
  const { pieces, ...rest } = river;
  const earlier = { ...rest, men: pieces };
  board.look = earlier;
  board.men = { a1: 'W' };
  board.over = { sights: [{ kind: 'stable', side: 0, squares: ['a1'] }], faults: ['a1'] };
  expect([board.look, board.pieces, board.men]).toEqual([river, { a1: 'W' }, { a1: 'W' }]);
  expect(board.over).toEqual({ tacticalMarks: [{ kind: 'stable', side: 0, squares: ['a1'] }], issues: ['a1'] });
  // The same look again does not remove the pieces.
  board.look = earlier;
  expect(board.pieces).toEqual({ a1: 'W' });
  const [letter, piece] = Object.entries(pieces)[0]!;
  const renamed = { ...piece, name: 'another' };
  board.look = { ...river, men: { [letter]: renamed } } as unknown as typeof earlier;
  expect(board.look?.pieces).toEqual({ ...pieces, [letter]: renamed });
  const placed = menFromFen(earlier, 'W2/3/3/3');
  expect(placed).toEqual(piecesFromFen(river, 'W2/3/3/3'));
});
