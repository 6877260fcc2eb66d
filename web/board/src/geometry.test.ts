import { expect, test } from 'vitest';
import { checkers, river } from '../../src/fixtures.test-support';
import { Geometry, UNIT } from './geometry.js';
import { undefendedAttacks } from './overlay.js';
import type { TacticalMark } from './types.js';

test('with orientation first, the first file is on the left and the first rank at the bottom', () => {
  const geometry = new Geometry(river, 'first');
  expect(geometry.centre({ file: 0, rank: 0 })).toEqual([UNIT / 2, 3.5 * UNIT]);
  expect(geometry.rows()[0]?.map((place) => geometry.name(place))).toEqual(['a4', 'b4', 'c4']);
});

test('with orientation second, the board is rotated by half a turn', () => {
  const geometry = new Geometry(river, 'second');
  expect(geometry.centre({ file: 0, rank: 0 })).toEqual([2.5 * UNIT, UNIT / 2]);
  expect(geometry.rows()[0]?.map((place) => geometry.name(place))).toEqual(['c1', 'b1', 'a1']);
});

for (const orientation of ['first', 'second'] as const) {
  test(`names, places and points of the drawing correspond, orientation ${orientation}`, () => {
    for (const appearance of [river, checkers]) {
      const geometry = new Geometry(appearance, orientation);
      const names = geometry.rows().flat().map((place) => geometry.name(place));
      expect(new Set(names).size).toBe(appearance.files * appearance.ranks);
      for (const place of geometry.rows().flat()) {
        expect(geometry.place(geometry.name(place))).toEqual(place);
        expect(geometry.at(...geometry.centre(place))).toEqual(place);
      }
    }
  });

  test(`a step goes in the direction on the screen and stays on the board, orientation ${orientation}`, () => {
    const geometry = new Geometry(river, orientation);
    for (const from of geometry.rows().flat()) {
      const [x, y] = geometry.centre(from);
      for (const [columns, rows] of [[1, 0], [-1, 0], [0, 1], [0, -1]] as const) {
        expect(geometry.step(from, columns, rows)).toEqual(geometry.at(x + columns * UNIT, y + rows * UNIT));
      }
    }
  });
}

test('a point or name outside the board has no place', () => {
  const geometry = new Geometry(river, 'first');
  expect(geometry.at(-1, 10)).toBeUndefined();
  expect(geometry.at(10, 4 * UNIT)).toBeUndefined();
  expect(geometry.place('z9')).toBeUndefined();
});

test('an attacked piece is undefended unless another piece defends it', () => {
  const mark = (kind: TacticalMark['kind'], ...squares: string[]): TacticalMark => ({ kind, side: 0, squares });
  const attacks = [mark('attack', 'a1', 'a2'), mark('attack', 'b1', 'b2')];
  expect(undefendedAttacks([...attacks, mark('guard', 'c1', 'b2'), mark('stable', 'a2')])).toEqual([attacks[0]]);
});
