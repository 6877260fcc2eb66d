import { expect, test } from 'vitest';
import { AnalysisLines } from './analysis-lines';
import type { SearchInfoDto, Side } from './wire/types';

/** Returns the first moves and ranks of the lines after lines with these scores for the first side were added. */
function shownAfter(scores: number[], sideToMove: Side, isThreat: boolean): [string | undefined, number][] {
  const lines = new AnalysisLines();
  let shown: SearchInfoDto[] = [];
  scores.forEach((value, i) => {
    const line: SearchInfoDto = {
      of: 1, node: 0, rank: i + 1, depth: 7, score: { value, mate: null }, nodes: 1000, seconds: 1,
      line: [`move ${value}`], labels: [`move ${value}`], ...(isThreat && { threat_squares: ['a1', 'a2'] }),
    };
    shown = lines.add(line, shown, sideToMove);
  });
  return shown.map(({ line: [first], rank }) => [first, rank]);
}

test('the best line of the side to move comes first', () => {
  expect(shownAfter([10, 30, 20], 0, false)).toEqual([['move 30', 1], ['move 20', 2], ['move 10', 3]]);
  expect(shownAfter([10, 30, 20], 1, false)).toEqual([['move 10', 1], ['move 20', 2], ['move 30', 3]]);
});

test('a search with fewer lines replaces the lines of the former one', () => {
  const lines = new AnalysisLines();
  const line = (of: number, rank: number): SearchInfoDto => ({
    of, node: 0, rank, depth: 7, score: { value: 0, mate: null }, nodes: 1000, seconds: 1, line: [`${of}`], labels: [],
  });
  const former = [1, 2, 3].reduce<SearchInfoDto[]>((shown, rank) => lines.add(line(1, rank), shown, 0), []);
  expect(lines.add(line(2, 1), former, 0).map(({ of }) => of)).toEqual([2]);
});

test('the greatest threat of the opponent comes first', () => {
  expect(shownAfter([10, 30, 20], 0, true)).toEqual([['move 10', 1], ['move 20', 2], ['move 30', 3]]);
  expect(shownAfter([10, 30, 20], 1, true)).toEqual([['move 30', 1], ['move 20', 2], ['move 10', 3]]);
});
