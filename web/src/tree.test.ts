import { expect, test } from 'vitest';
import { losses, share, short, words } from './score';
import { Tree, numbered, pairs } from './tree';
import type { NodeDto } from './protocol';

const score = (value: number, mate: number | null = null) => ({ value, mate });
/** a b c, and x instead of b. */
const nodes: NodeDto[] = [
  { node: 0, parent: 0, text: '', label: '', children: [1], score: score(30), best: 'a' },
  { node: 1, parent: 0, text: 'a', label: 'A', children: [2, 4], score: score(30), best: 'x' },
  { node: 2, parent: 1, text: 'b', label: 'B', children: [3], score: score(400), best: 'z' },
  { node: 3, parent: 2, text: 'c', label: 'C', score: score(-100), best: 'q' },
  { node: 4, parent: 1, text: 'x', label: 'X' },
];

test('roads and lines', () => {
  const tree = new Tree(nodes);
  const numbers = (list: NodeDto[]) => list.map((node) => node.node);
  expect(numbers(tree.road(4))).toEqual([0, 1, 4]);
  expect(numbers(tree.line(0))).toEqual([0, 1, 2, 3]);
  expect(numbers(tree.line(4))).toEqual([0, 1, 4]);
  expect([tree.size, tree.children(1), tree.at(9)]).toEqual([4, [2, 4], undefined]);
});

test('values as people write them', () => {
  expect([score(42), score(-42), score(0), score(9000, 5), score(-9000, -4), score(100_000)].map(words)).toEqual([
    '+0.42',
    '−0.42',
    '0.00',
    '#3',
    '−#2',
    '1-0',
  ]);
});

test('values in little room', () => {
  expect([score(4), score(42), score(-250), score(400), score(1234), score(9000, 5)].map(short)).toEqual([
    '0',
    '+0.4',
    '−2.5',
    '+4',
    '+12',
    '#3',
  ]);
});

test('the bar is even at nothing and full at the end', () => {
  expect([score(0), score(9000, 3), score(-9000, -3), score(-100_000)].map(share)).toEqual([0.5, 1, 0, 0]);
  expect(share(score(300))).toBeGreaterThan(share(score(100)));
});

test('losses are counted for the side that moved, the worst first', () => {
  const line = new Tree(nodes).line(0);
  expect(losses(line, 0)).toEqual([
    { node: 3, lost: 500, better: 'z' },
    { node: 2, lost: 370, better: 'x' },
  ]);
  expect(losses(line, 1)).toEqual([]);
});

test('moves are numbered from where the game began', () => {
  const labels = (origin: { first: 0 | 1; number: number }) =>
    pairs(new Tree(nodes), origin).map(({ number, moves, asides }) => [number, ...moves.map((move) => move?.label ?? '…'), ...asides]);
  expect(labels({ first: 0, number: 1 })).toEqual([
    [1, 'A', 'B', 4],
    [2, 'C'],
  ]);
  // The second side begins at move 7: 7… A 8. B (8. X) 8… C.
  expect(labels({ first: 1, number: 7 })).toEqual([
    [7, '…', 'A'],
    [8, 'B', 4],
    [8, '…', 'C'],
  ]);
  expect(numbered(3, { first: 1, number: 7 })).toEqual({ number: 9, second: false });
});
