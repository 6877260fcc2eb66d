import { expect, test } from 'vitest';
import { begun, moment } from './names';

test('a day is written so that nobody takes it for a month', () => {
  const seconds = Date.UTC(2026, 10, 12, 12) / 1000;
  expect(moment(seconds, 'en', 'en-GB')).toMatch(/^12 Nov 2026, /);
  expect(moment(seconds, 'en', 'en-US')).toMatch(/^Nov 12, 2026, /);
  // Somebody whose browser speaks German reads the page in English.
  expect(moment(seconds, 'en', 'de-DE')).toMatch(/^12 Nov 2026, /);
  expect(moment(seconds, 'zh', 'en-GB')).toMatch(/^2026年11月12日/);
});

test('a sentence begins with a capital', () => {
  expect(begun('move 2: no')).toBe('Move 2: no');
});
