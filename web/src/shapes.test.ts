import { expect, test } from 'vitest';
import { MoveTree } from './move-tree';
import { joinComment, splitComment, withDrawnShape } from './shapes';

test('arrows and circles are read from a comment and written to it, and the text stays', () => {
  const comment = '[%csl Ge4,Rd5] [%cal Gd2d4,Ya0i9] The point of the move.';
  const { text, shapes } = splitComment(comment);
  expect(text).toBe('The point of the move.');
  expect(shapes).toEqual([
    { from: null, to: 'e4', colour: 'green' },
    { from: null, to: 'd5', colour: 'red' },
    { from: 'd2', to: 'd4', colour: 'green' },
    { from: 'a0', to: 'i9', colour: 'yellow' },
  ]);
  expect(joinComment(text, shapes)).toBe(comment);
  expect(joinComment('only text')).toBe('only text');
});

test('a comment keeps what is no shape, and broken shapes are left out', () => {
  expect(splitComment('before [%cal Gd2] [%csl Xa1,Rb2] after [%foo bar]')).toEqual({
    text: 'before after [%foo bar]',
    shapes: [
      { from: null, to: 'd2', colour: 'green' },
      { from: null, to: 'b2', colour: 'red' },
    ],
  });
});

test('the same shape again removes it, another colour replaces it', () => {
  const green = { from: 'a1', to: 'a2', colour: 'green' } as const;
  const red = { ...green, colour: 'red' } as const;
  expect(withDrawnShape([], green)).toEqual([green]);
  expect(withDrawnShape([green], red)).toEqual([red]);
  expect(withDrawnShape([red], red)).toEqual([]);
});

test('the nodes of a tree have their shapes apart from the comment', () => {
  const node = { node: 1, parent: 0, text: 'a1a2', label: 'a1a2', comment: '[%cal Ga1a2] good' };
  const tree = new MoveTree([{ node: 0, parent: 0, text: '', label: '', children: [1] }, node]);
  expect(tree.node(1)).toMatchObject({ comment: 'good', shapes: [{ from: 'a1', to: 'a2', colour: 'green' }] });
  // Shapes that are apart stay although the comment has commands that are no shapes.
  const effect = new MoveTree([{ ...node, comment: '[%csl Ga1] [%c_effect x] good' }]).withScore(1, { score: { value: 0, mate: null } });
  expect(effect.node(1)).toMatchObject({ comment: '[%c_effect x] good', shapes: [{ to: 'a1' }] });
  const changed = tree.withScore(1, { score: { value: 0, mate: null } }).withChanges([{ ...node, comment: '[%csl Bc3]' }]);
  expect(changed.node(1)).toMatchObject({ comment: undefined, shapes: [{ from: null, to: 'c3', colour: 'blue' }] });
});
