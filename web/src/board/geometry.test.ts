import { expect, test } from 'vitest';
import { checkers, river } from '../examples.test-data';
import { Geometry, UNIT } from './geometry';
import { hanging } from './overlay';
import type { TacticalMark } from './types';

test('the first player sits below and sees the first file at the left', () => {
  const geometry = new Geometry(river, 'first');
  expect(geometry.centre({ file: 0, rank: 0 })).toEqual([UNIT / 2, 3.5 * UNIT]);
  expect(geometry.rows()[0]?.map((place) => geometry.name(place))).toEqual(['a4', 'b4', 'c4']);
});

test('seen by the second player everything is turned about the middle', () => {
  const geometry = new Geometry(river, 'second');
  expect(geometry.centre({ file: 0, rank: 0 })).toEqual([2.5 * UNIT, UNIT / 2]);
  expect(geometry.rows()[0]?.map((place) => geometry.name(place))).toEqual(['c1', 'b1', 'a1']);
});

for (const orientation of ['first', 'second'] as const) {
  test(`names, places and points of the picture belong together, ${orientation}`, () => {
    for (const look of [river, checkers]) {
      const geometry = new Geometry(look, orientation);
      const names = geometry.rows().flat().map((place) => geometry.name(place));
      expect(new Set(names).size).toBe(look.files * look.ranks);
      for (const place of geometry.rows().flat()) {
        expect(geometry.place(geometry.name(place))).toEqual(place);
        expect(geometry.at(...geometry.centre(place))).toEqual(place);
      }
    }
  });

  test(`a step goes where it is seen to go, and not off the board, ${orientation}`, () => {
    const geometry = new Geometry(river, orientation);
    for (const from of geometry.rows().flat()) {
      const [x, y] = geometry.centre(from);
      for (const [columns, rows] of [[1, 0], [-1, 0], [0, 1], [0, -1]] as const) {
        expect(geometry.step(from, columns, rows)).toEqual(geometry.at(x + columns * UNIT, y + rows * UNIT));
      }
    }
  });
}

test('outside the board there is no place', () => {
  const geometry = new Geometry(river, 'first');
  expect(geometry.at(-1, 10)).toBeUndefined();
  expect(geometry.at(10, 4 * UNIT)).toBeUndefined();
  expect(geometry.place('z9')).toBeUndefined();
});

test('who is attacked hangs unless somebody protects him', () => {
  const sight = (kind: TacticalMark['kind'], ...squares: string[]): TacticalMark => ({ kind, side: 0, squares });
  const attacks = [sight('attack', 'a1', 'a2'), sight('attack', 'b1', 'b2')];
  expect(hanging([...attacks, sight('guard', 'c1', 'b2'), sight('stable', 'a2')])).toEqual([attacks[0]]);
});
