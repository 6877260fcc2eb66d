// Prints the sizes of the package, and fails where a promise of the README does not hold, or a document names another
// size. Kilobytes are thousands of bytes.

import { readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** The largest modules, in bytes after brotli: the rules of one game, and everything. */
const MAX_RULES = 150_000;
const MAX_ALL = 1_000_000;

const dist = new URL('../dist/', import.meta.url);
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(0).padStart(6)} KB`;

function sizeOf(path) {
  const bytes = readFileSync(new URL(path, dist));
  return { raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotliCompressSync(bytes).length };
}

function print(name, { raw, gzip, brotli }) {
  console.log(`${name.padEnd(32)} ${kilobytes(raw)} ${kilobytes(gzip)} ${kilobytes(brotli)}`);
}

/** The documents that name the sizes of the modules, in kilobytes after brotli. */
const DOCUMENTS = ['docs/libraries/javascript.md', 'apps/wasm/README.md'];
/** Another compiler makes modules of other sizes; the documents have those of one. In parts of the size. */
const TOLERANCE = 0.04;

console.log(`${''.padEnd(32)} ${'raw'.padStart(9)} ${'gzip'.padStart(9)} ${'brotli'.padStart(9)}`);
let isTooLarge = false;
const measured = {};
for (const name of readdirSync(dist).filter((name) => name.endsWith('.wasm'))) {
  const size = sizeOf(name);
  print(name, size);
  measured[name] = size.brotli / 1000;
  const max = name === 'alfil.wasm' ? MAX_ALL : MAX_RULES;
  if (size.brotli > max) {
    console.error(`${name} has ${size.brotli} bytes after brotli: at most ${max} are promised`);
    isTooLarge = true;
  }
}
const scripts = readdirSync(dist).filter((name) => name.endsWith('.js'));
const sum = { raw: 0, gzip: 0, brotli: 0 };
for (const name of scripts) {
  const size = sizeOf(name);
  for (const kind of Object.keys(sum)) sum[kind] += size[kind];
}
print(`${scripts.length} scripts`, sum);
for (const name of readdirSync(new URL('networks/', dist))) print(`networks/${name}`, sizeOf(`networks/${name}`));

/** Returns the sizes that a document names: of the rules of chess, xiangqi and Othello, and of the whole module. */
function namedSizes(text) {
  const words = text.replaceAll(/\s+/g, ' ');
  const rules = /(\d+), (\d+)(?: and |, )(\d+) KB/.exec(words.slice(words.search(/smaller: \d|the rules of one game: chess, xiangqi, Othello/)));
  const all = /beside (\d+) KB of `alfil`|three games \| (\d+) KB/.exec(words);
  return [...rules.slice(1), all[1] ?? all[2]].map(Number);
}
for (const path of DOCUMENTS) {
  const named = namedSizes(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8'));
  for (const [index, name] of ['chess.wasm', 'xiangqi.wasm', 'othello.wasm', 'alfil.wasm'].entries()) {
    if (Math.abs(named[index] / measured[name] - 1) <= TOLERANCE) continue;
    console.error(`${path} says that ${name} has ${named[index]} KB after brotli, found ${measured[name].toFixed(0)}`);
    isTooLarge = true;
  }
}
process.exitCode = isTooLarge ? 1 : 0;
