import { expect, test } from 'vitest';
import { firstSideFraction, formatMaterial, formatShortScore, formatScore } from './score';
import { MoveTree, moveNumber, moveRows } from './move-tree';
import type { NodeDto } from './wire/types';

const score = (value: number, mate: number | null = null) => ({ value, mate });
/** The main line a b c, and the variation x instead of b. */
const nodes: NodeDto[] = [
  { node: 0, parent: 0, text: '', label: '', children: [1], score: score(30) },
  { node: 1, parent: 0, text: 'a', label: 'A', children: [2, 4], score: score(30) },
  { node: 2, parent: 1, text: 'b', label: 'B', children: [3], score: score(400) },
  { node: 3, parent: 2, text: 'c', label: 'C', score: score(-100) },
  { node: 4, parent: 1, text: 'x', label: 'X' },
];

test('the path to a node and the line through it', () => {
  const tree = new MoveTree(nodes);
  const numbers = (list: NodeDto[]) => list.map((node) => node.node);
  expect(numbers(tree.pathTo(4))).toEqual([0, 1, 4]);
  expect(numbers(tree.lineThrough(0))).toEqual([0, 1, 2, 3]);
  expect(numbers(tree.lineThrough(4))).toEqual([0, 1, 4]);
  expect([tree.moveCount, tree.children(1), tree.node(9)]).toEqual([4, [2, 4], undefined]);
});

test('a changed tree keeps the nodes that have not changed', () => {
  const tree = new MoveTree(nodes);
  const changed = tree.withChanges([{ node: 1, parent: 0, text: 'a', label: 'A', children: [2] }], [4]);
  expect([changed.moveCount, changed.children(1), changed.node(4)]).toEqual([3, [2], undefined]);
  expect(changed.node(2)).toBe(tree.node(2));
  expect([tree.moveCount, tree.children(1)]).toEqual([4, [2, 4]]);
  expect(tree.nodesFrom(2).map(({ node }) => node)).toEqual([2, 3]);
  expect(tree.nodesFrom(0)).toHaveLength(5);
});

test('the positions to which the keys go', () => {
  const tree = new MoveTree(nodes);
  expect(tree.neighbours(2)).toEqual({ first: 0, previous: 1, next: 3, last: 3, above: undefined, below: 4 });
  expect(tree.neighbours(4)).toEqual({ first: 0, previous: 1, next: undefined, last: 4, above: 2, below: undefined });
  expect(tree.neighbours(0)).toMatchObject({ first: 0, previous: undefined, next: 1, last: 3, above: undefined });
});

test('scores are formatted with signs, mates in moves and results', () => {
  expect([score(42), score(-42), score(0), score(9000, 5), score(-9000, -4), score(100_000)].map(formatScore)).toEqual([
    '+0.42',
    '−0.42',
    '0.00',
    '#3',
    '−#2',
    '1-0',
  ]);
  // An exact score counts whole discs.
  expect([score(-1600), score(0), score(2400)].map((one) => formatScore({ ...one, exact: true }))).toEqual(['−16', '0', '+24']);
});

test('short scores have at most three digits', () => {
  expect([score(4), score(42), score(-250), score(400), score(1234), score(9000, 5)].map(formatShortScore)).toEqual([
    '0',
    '+0.4',
    '−2.5',
    '+4',
    '+12',
    '#3',
  ]);
});

test('a difference of material is shown in the least valuable pieces', () => {
  expect([100, 300, -450, -200].map(formatMaterial)).toEqual(['+1', '+3', '−4.5', '−2']);
});

test('the evaluation bar is even at zero and full in a decided game', () => {
  expect([score(0), score(9000, 3), score(-9000, -3), score(-100_000)].map(firstSideFraction)).toEqual([0.5, 1, 0, 0]);
  expect(firstSideFraction(score(300))).toBeGreaterThan(firstSideFraction(score(100)));
});

test('moves are numbered from the first move of the game', () => {
  const labels = (origin: { first: 0 | 1; number: number }) =>
    moveRows(new MoveTree(nodes), origin).map(({ number, moves, variations }) => [number, ...moves.map((move) => move?.label ?? '…'), ...variations]);
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
  expect(moveNumber(3, { first: 1, number: 7 })).toEqual({ number: 9, second: false });
});

test('a comment ends its row, as it has the width of the list', () => {
  const commented = nodes.filter(({ node }) => node !== 4).map((one) => (one.node === 1 ? { ...one, comment: 'Why?', children: [2] } : one));
  const rows = moveRows(new MoveTree(commented), { first: 0, number: 1 });
  expect(rows.map(({ number, moves }) => [number, ...moves.map((move) => move?.label)])).toEqual([[1, 'A'], [1, undefined, 'B'], [2, 'C']]);
});
