// What several tests use.

import { readFileSync } from 'node:fs';

export const ROOT = new URL('../../../', import.meta.url);

/** Returns the address of a file of test data, such as `xiangqi/perft.jsonl`: of the crate, and the path in it. */
export function testdata(path) {
  const [crate, ...rest] = path.split('/');
  return new URL(`crates/${crate}/testdata/${rest.join('/')}`, ROOT);
}

/** Whether the long tests run. */
export const IS_LONG = !['', '0', undefined].includes(process.env.ALFIL_LONG);

/** Whether a skipped test is a failure. */
export const NO_SKIP = !['', '0', undefined].includes(process.env.ALFIL_NO_SKIP);

export const text = (path) => readFileSync(testdata(path), 'utf8');

/** Returns the rows of a file of JSON lines. */
export function rows(path) {
  const lines = text(path).split('\n').filter((line) => line.trim());
  return lines.map((line) => JSON.parse(line));
}

/** A generator of random numbers that a failure can be repeated with (mulberry32). */
export function random(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit) => Math.floor(next() * limit);
  return { next, below, pick: (list) => list[below(list.length)] };
}

/** Returns the blocks of JavaScript of a document of the repository; a block of text right after one is its output. */
export function examples(path) {
  const document = readFileSync(new URL(path, ROOT), 'utf8');
  const blocks = [...document.matchAll(/^```(\w*)\n(.*?)^```$/gms)];
  const found = [];
  blocks.forEach((block, index) => {
    if (block[1] !== 'js') return;
    const next = blocks[index + 1];
    const between = next && document.slice(block.index + block[0].length, next.index);
    found.push({ code: block[2], output: next?.[1] === 'text' && between.trim() === '' ? next[2] : undefined });
  });
  return found;
}

/** Returns the one example of a document that imports a package. */
export function example(path, name) {
  const found = examples(path).filter(({ code }) => code.includes(`from '${name}'`));
  if (found.length !== 1) throw new Error(`${path} has ${found.length} examples with ${name}`);
  return found[0].code;
}
