import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LIBRARY_MESSAGES } from './library-messages';
import { MESSAGES, message } from './messages';
import { LATER_MESSAGES, laterMessage } from './later-messages';

const folder = `${process.cwd()}/src`;
const files = readdirSync(folder).filter((name) => /\.tsx?$/.test(name) && !/test|messages/.test(name));
const sources = files.map((name) => readFileSync(`${folder}/${name}`, 'utf8'));
/** The phases of a game, which the server names: their messages have these keys. */
const PHASES = ['opening', 'middlegame', 'ending'];

/** Returns whether sources name a message in a call or a table, and not only as another value or as a type. */
function isUsed(key: string, text: string): boolean {
  const before = [...text.matchAll(new RegExp(`'${key}'`, 'g'))].map(({ index }) => text.slice(index - 30, index).trimEnd());
  const isKey = (code: string) => !/(?:===|do:|[|<]|case)$/.test(code) && (!code.endsWith('(') || /(?:message|text)\($/i.test(code));
  return before.some(isKey);
}

/** Returns the sources that import a module. */
const importing = (module: string) => sources.filter((source) => source.includes(`'./${module}'`)).join('\n');

test('both languages have the same messages with the same placeholders', () => {
  const placeholders = (text: string) => (text.match(/\{\d\}/g) ?? []).sort();
  for (const { en, zh } of [MESSAGES, LATER_MESSAGES] as { en: object; zh: Record<string, string> }[]) {
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
    expect(isUsed(key, importing('library-messages')), key).toBe(true);
  }
});

test('every message is used', () => {
  const unused = (messages: object, text: string) => Object.keys(messages).filter((key) => !isUsed(key, text));
  expect(unused(MESSAGES.en, sources.join('\n')).filter((key) => !/^level\d/.test(key))).toEqual([]);
  const ofLaterParts = importing('later-messages');
  expect(unused(LATER_MESSAGES.en, ofLaterParts)).toEqual(PHASES);
  // The menu of a line has this word as another value.
  expect([ofLaterParts.includes("'review'"), isUsed('review', ofLaterParts)]).toEqual([true, false]);
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
  expect(laterMessage('zh', 'reviewing', 3, 10)).toBe('正在复盘：3 / 10');
});
