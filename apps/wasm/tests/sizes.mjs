// Prints the sizes of the package, and fails where a promise of the README does not hold. Kilobytes are thousands of bytes.

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

console.log(`${''.padEnd(32)} ${'raw'.padStart(9)} ${'gzip'.padStart(9)} ${'brotli'.padStart(9)}`);
let isTooLarge = false;
for (const name of readdirSync(dist).filter((name) => name.endsWith('.wasm'))) {
  const size = sizeOf(name);
  print(name, size);
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
process.exitCode = isTooLarge ? 1 : 0;
