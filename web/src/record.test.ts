import { expect, test } from 'vitest';
import { clockSeconds, formatSeconds, usedSeconds } from './clocks';
import { lineNodes } from './fixtures.test-support';
import { markAfterKey, withMark } from './marks';
import { MoveTree } from './move-tree';
import type { NagDto, NodeDto, ReviewDto } from './wire/types';
import { summarySentences, turningPoints, turningSentence } from './review-summary';
import { scoredPoints, stepPath } from './score-graph';

test('clock times of PGN are read and shown as clocks show them', () => {
  expect(clockSeconds('[%clk 1:02:03]', 'clk')).toBe(3723);
  expect(clockSeconds('[%clk 0:03:00] [%emt 0:00:07.5]', 'emt')).toBe(7.5);
  expect([clockSeconds('[%clk 0:03:00]', 'emt'), clockSeconds(undefined, 'clk')]).toEqual([undefined, undefined]);
  expect([3723, 245, 9.5, 0, 59.96].map(formatSeconds)).toEqual(['1:02:03', '4:05', '0:09.5', '0:00', '1:00']);
});

test('the time of a move is recorded, or the difference of the clock times of its side', () => {
  const clocks = ['', '[%clk 0:05:00]', '[%clk 0:05:00]', '[%clk 0:04:48]', '[%emt 0:00:03]'];
  const line = clocks.map((text, node) => ({ node, parent: 0, text: '', label: '', clocks: text }));
  expect(usedSeconds(line)).toEqual([undefined, undefined, undefined, 12, 3]);
});

const KNOWN = [
  { number: 1, of_move: true },
  { number: 5, of_move: true },
  { number: 16, of_move: false },
  { number: 36, of_move: false },
] as NagDto[];

test('a move has one mark that judges it, and any signs of the position', () => {
  expect(withMark([], 1, KNOWN)).toEqual([1]);
  expect(withMark([1, 16], 5, KNOWN)).toEqual([5, 16]);
  expect(withMark([1, 16], 36, KNOWN)).toEqual([1, 16, 36]);
  expect(withMark([1, 16], 16, KNOWN)).toEqual([1]);
});

test('the marks of a pair have one sign, and a mark without a sign can be removed', () => {
  const known = [22, 23].map((number) => ({ number, of_move: false, sign: '⨀' })) as NagDto[];
  expect(withMark([1, 23, 222], 22, known)).toEqual([1, 222]);
  expect(withMark([1, 222], 22, known)).toEqual([1, 222, 22]);
  expect(withMark([1, 222], 222, known)).toEqual([1]);
});

test('the keys ! and ? continue a sign, begin anew, or remove it', () => {
  const typed = (keys: string) => {
    let nags = [16];
    for (const key of keys) nags = markAfterKey(nags, key as '!' | '?', KNOWN);
    return nags;
  };
  const found = ['!', '?', '!!', '??', '!?', '?!', '!?!', '!!!'].map(typed);
  expect(found).toEqual([[1, 16], [2, 16], [3, 16], [4, 16], [5, 16], [6, 16], [1, 16], [16]]);
});

test('the graph has a step for each evaluated position, and nothing between others', () => {
  const score = { value: 0, mate: null };
  const line: NodeDto[] = lineNodes('a', 'b', 'c', 'd').map((node, i) => (i === 2 ? node : { ...node, score }));
  const { curve } = stepPath(scoredPoints(line), 80);
  expect(curve).toBe('M0.0 55.0H40.0V55.0H120.0M200.0 55.0H280.0V55.0H320.0');
  // The score of a review has precedence, as it stays the same.
  const reviewed = { ...line[0], review: { value: 9000, mate: 3 } } as NodeDto;
  expect(scoredPoints([reviewed])[0]?.y).toBe(0);
});

test('the review is summed up in sentences in both languages', () => {
  const tree = new MoveTree(lineNodes('Nf3', 'e5', 'Nxe5'));
  const side = { accuracy: 83.6, inaccuracy: 0, mistake: 2, blunder: 1, only_move: 0 };
  const move: ReviewDto['moves'][number] = {
    node: 2,
    side: 1,
    loss: 310,
    mark: 'blunder',
    expected: 900,
    phase: 'opening',
    best: 'd7d5',
    best_label: 'd5',
    reason: { kind: 'hanging', reply: 'Nxe5' },
  };
  const review: ReviewDto = {
    moves: [{ ...move, node: 1, side: 0, loss: 120, mark: 'mistake', reason: { kind: 'misses_mate', moves: 3 } }, move],
    sides: [side, { ...side, accuracy: null }],
    accuracy_version: 2,
    turning_points: [2, 1],
    nodes: 100,
    complete: true,
    deep_nodes: 1000,
  };
  const label = (node: number) => tree.node(node)?.label;
  const words = { review, tree, origin: { first: 0 as const, number: 1 }, names: ['White', 'Black'] as [string, string], language: 'en' as const };
  expect(summarySentences(words)).toEqual(['White: accuracy 84 %, 2 mistakes, 1 blunder.', 'Black: no moves.']);
  // The turning points stand in the order of the game.
  expect(turningPoints(words).map((node) => turningSentence(words, node))).toEqual([
    `1. ${label(1)}? cost White 12 % of the expected score: there was a mate in 3. d5 was better.`,
    `1… ${label(2)}?? cost Black 31 % of the expected score: it left a piece hanging to Nxe5. d5 was better.`,
  ]);
  const partial = { ...words, review: { ...review, turning_points: [], complete: false }, names: ['红方', '黑方'] as [string, string], language: 'zh' as const };
  expect(summarySentences(partial)).toEqual([
    '红方：准确率 84%，2 个失着，1 个败着。',
    '黑方：没有着法。',
    '黑方是一点一点输掉的：没有一着单独损失 10% 的期望得分。',
    '并非所有局面都已复盘。',
  ]);
  const solved = { ...move, reason: { kind: 'solved', before: 4, after: -2 } } as const;
  const ending = { ...partial, review: { ...partial.review, complete: true, moves: [{ ...solved, expected: 500 }], solved: { node: 2, empties: 18 } } };
  expect(summarySentences(ending).slice(2)).toEqual(['没有改变局势的着法。', `从 1… ${label(2)} 起（18 个空格），每个局面都已精确求解。`]);
  expect(turningSentence(ending, 2)).toBe(`1… ${label(2)}??使黑方损失 31% 的期望得分：精确得分由 +4 变为 −2。d5 更好。`);
});
