import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LIBRARY_MESSAGES } from './library-messages';
import { MESSAGES, message } from './messages';
import { REVIEW_MESSAGES } from './review-messages';

const folder = `${process.cwd()}/src`;
const files = readdirSync(folder).filter((name) => /\.tsx?$/.test(name) && !/test|messages/.test(name));
const sources = files.map((name) => readFileSync(`${folder}/${name}`, 'utf8'));

test('both languages have the same messages with the same placeholders', () => {
  const placeholders = (text: string) => (text.match(/\{\d\}/g) ?? []).sort();
  for (const { en, zh } of [MESSAGES, REVIEW_MESSAGES] as { en: object; zh: Record<string, string> }[]) {
    expect(Object.keys(zh).sort()).toEqual(Object.keys(en).sort());
    for (const [key, english] of Object.entries(en)) {
      const chinese = zh[key] ?? '';
      expect(chinese.length, key).toBeGreaterThan(0);
      expect(placeholders(chinese), key).toEqual(placeholders(english));
      if (!['otherLanguage', 'accuracyOf', 'listComma'].includes(key)) expect(chinese, key).toMatch(/[\u4e00-\u9fff]/);
    }
  }
});

test('the messages of the library have the same keys and placeholders in both languages, and are used', () => {
  expect(Object.keys(LIBRARY_MESSAGES.zh)).toEqual(Object.keys(LIBRARY_MESSAGES.en));
  const placeholders = (text: string | undefined) => (text?.match(/\{\d\}/g) ?? []).sort();
  const chinese: Record<string, string> = LIBRARY_MESSAGES.zh;
  for (const [key, english] of Object.entries(LIBRARY_MESSAGES.en)) {
    expect(placeholders(chinese[key]), key).toEqual(placeholders(english));
    expect(sources.join('\n'), key).toMatch(new RegExp(`'${key}'`));
  }
});

test('every message is used', () => {
  const all = sources.join('\n');
  const keys = [...Object.keys(MESSAGES.en), ...Object.keys(REVIEW_MESSAGES.en)];
  for (const key of keys.filter((name) => !/^level\d/.test(name))) {
    expect(all, key).toMatch(new RegExp(`'${key}'`));
  }
});

test('the markup has no text that is not a message', () => {
  for (const [i, source] of sources.entries()) {
    // The name of the program is the same in every language.
    const elements = source.matchAll(/<\w[^<>=]*>\s*([A-Za-z][A-Za-z ,.!?]+?)\s*<\//g);
    const texts = [...elements].map((found) => found[1]).filter((text) => text !== 'Alfil');
    if (files[i]?.endsWith('.tsx')) expect(texts, files[i]).toEqual([]);
    const attributes = [...source.matchAll(/(?:aria-label|title|placeholder)="([^"]+)"/g)].map((found) => found[1]);
    expect(attributes, files[i]).toEqual([]);
  }
});

test('the Chinese word for a pass in Othello is not the word for a pass in Go', () => {
  const texts = [message('zh', 'sidePassed', '黑方'), message('zh', 'youPass')];
  expect(texts).toEqual(['黑方无处可下，弃权', '您无处可下，弃权']);
});

test('values replace the placeholders', () => {
  expect(message('en', 'resigned', 'Red', 'Black')).toBe('Red resigns: Black wins');
  expect(message('zh', 'reviewing', 3, 10)).toBe('正在复盘：3 / 10');
});
