import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { WORDS, say } from './words';

const folder = `${process.cwd()}/src`;
const files = readdirSync(folder).filter((name) => /\.tsx?$/.test(name) && !/test|words/.test(name));
const source = files.map((name) => readFileSync(`${folder}/${name}`, 'utf8'));

test('every string is there in both languages, with the same places to fill', () => {
  expect(Object.keys(WORDS.zh).sort()).toEqual(Object.keys(WORDS.en).sort());
  const places = (words: string) => (words.match(/\{\d\}/g) ?? []).sort();
  for (const [word, english] of Object.entries(WORDS.en)) {
    const chinese = WORDS.zh[word as keyof typeof WORDS.zh];
    expect(chinese.length, word).toBeGreaterThan(0);
    expect(places(chinese), word).toEqual(places(english));
    if (word !== 'otherLanguage') expect(chinese, word).toMatch(/[\u4e00-\u9fff]/);
  }
});

test('every string is said somewhere', () => {
  const all = source.join('\n');
  for (const word of Object.keys(WORDS.en).filter((name) => !/^level\d/.test(name))) {
    expect(all, word).toMatch(new RegExp(`'${word}'`));
  }
});

test('nothing is said past the words: no text stands in the markup', () => {
  for (const [i, text] of source.entries()) {
    // The name of the house, and of file formats, is the same in every language.
    const bare = [...text.matchAll(/<\w[^<>=]*>\s*([A-Za-z][A-Za-z ,.!?]+?)\s*<\//g)].map((found) => found[1]);
    if (files[i]?.endsWith('.tsx')) expect(bare.filter((words) => words !== 'Alfil'), files[i]).toEqual([]);
    expect([...text.matchAll(/(?:aria-label|title|placeholder)="([^"]+)"/g)].map((found) => found[1]), files[i]).toEqual([]);
  }
});

test('who cannot move in Othello gives up his turn in the words of that game, not of Go', () => {
  expect([say('zh', 'passed', '黑方'), say('zh', 'youPass')]).toEqual(['黑方无处可下，弃权', '您无处可下，弃权']);
});

test('parts are put in their places', () => {
  expect(say('en', 'resigned', 'Red', 'Black')).toBe('Red resigns: Black wins');
  expect(say('zh', 'reviewing', 3, 10)).toBe('正在复盘：3 / 10');
});
