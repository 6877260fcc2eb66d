import { expect, test } from 'vitest';
import { gameDto, river } from './fixtures.test-support';
import { gameFileName, isLocalHost } from './share-dialog';

test('an address that leads to this computer alone is recognised', () => {
  for (const host of ['localhost', '127.0.0.1', '127.1.2.3', '[::1]', '']) expect([host, isLocalHost(host)]).toEqual([host, true]);
  for (const host of ['192.168.1.7', 'example.org', 'localhost.example.org', 'alfil.local']) expect([host, isLocalHost(host)]).toEqual([host, false]);
});

test('a saved file has the name of its game', () => {
  const name = (tags: [string, string][]) => gameFileName({ game: { ...gameDto(null), tags }, appearance: river }, new Date('2026-11-30'));
  const [first, second] = river.sides;
  expect(name([[first, 'Carlsen, Magnus'], [second, '王天一'], ['Date', '2024.05.??']])).toBe('Carlsen_Magnus-王天一-2024');
  expect(name([[first, 'A/B: "C"?'], ['Date', '????.??.??']])).toBe('A_B_C');
  expect(name([['Event', 'lesson 3']])).toBe('lesson_3');
  expect(name([])).toBe('river-2026-11-30');
});
