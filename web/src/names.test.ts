import { expect, test } from 'vitest';
import { capitalized, formatDate, openingText } from './names';

test('a date cannot be misread: the month is a word, or the order is fixed', () => {
  const seconds = Date.UTC(2026, 10, 12, 12) / 1000;
  expect(formatDate(seconds, 'en', 'en-GB')).toMatch(/^12 Nov 2026, /);
  expect(formatDate(seconds, 'en', 'en-US')).toMatch(/^Nov 12, 2026, /);
  // There is no German page: a German browser gets the English page with British dates.
  expect(formatDate(seconds, 'en', 'de-DE')).toMatch(/^12 Nov 2026, /);
  expect(formatDate(seconds, 'zh', 'en-GB')).toMatch(/^2026年11月12日/);
});

test('the first letter of a sentence is a capital', () => {
  expect(capitalized('move 2: no')).toBe('Move 2: no');
});

test('an opening is shown with its code, and in the language of the page', () => {
  const opening = { eco: 'C30', name: "King's Gambit", name_zh: '王翼弃兵' };
  expect(openingText(opening, 'en')).toBe("C30 King's Gambit");
  expect(openingText({ ...opening, eco: '' }, 'zh')).toBe('王翼弃兵');
});
