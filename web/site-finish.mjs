// Finishes the folder of the page without a server: the policy of the examples, the list of files in the service worker,
// and compressed copies.
// Usage: node site-finish.mjs FOLDER

import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { withContentPolicy } from './content-policy.mjs';

const folder = process.argv[2];
if (!folder) throw new Error('usage: node site-finish.mjs FOLDER');

/** Returns the paths of all files below a folder. */
function filesBelow(path) {
  return readdirSync(path).flatMap((name) => {
    const inner = join(path, name);
    return statSync(inner).isDirectory() ? filesBelow(inner) : [inner];
  });
}

const examples = join(folder, 'player', 'examples.html');
writeFileSync(examples, withContentPolicy(readFileSync(examples, 'utf8'), { 'script-src': ["'wasm-unsafe-eval'"] }));

const nameOf = (path) => relative(folder, path).split(sep).join('/');
const isCopy = (path) => path.endsWith('.br') || path.endsWith('.gz');
const paths = filesBelow(folder).filter((path) => !isCopy(path));

// What the page needs without a network. Examples for authors of other pages and the book are left out.
const worker = join(folder, 'service-worker.js');
const kept = paths.filter((path) => path !== worker && !/^(player|book)\//.test(nameOf(path))).sort();
const hash = createHash('sha256');
for (const path of kept) hash.update(nameOf(path)).update(readFileSync(path));
const list = kept.map((path) => `'${nameOf(path)}'`).join(', ');
const template = readFileSync(worker, 'utf8');
const source = template.replace("'@FILES@'", list).replace('@VERSION@', hash.digest('hex').slice(0, 16));
if (source.includes('@FILES@') || source.includes('@VERSION@') || source === template) {
  throw new Error('the service worker lacks a text that is replaced');
}
writeFileSync(worker, source);

const sums = { raw: 0, gzip: 0, brotli: 0 };
for (const path of paths.filter((path) => !path.endsWith('.png'))) {
  const bytes = readFileSync(path);
  const gzip = gzipSync(bytes, { level: 9 });
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
  writeFileSync(`${path}.gz`, gzip);
  writeFileSync(`${path}.br`, brotli);
  const sizes = { raw: bytes.length, gzip: gzip.length, brotli: brotli.length };
  for (const kind of Object.keys(sums)) sums[kind] += sizes[kind];
  print(nameOf(path), sizes);
}
print('all', sums);

/** Prints sizes in kilobytes, which are thousands of bytes. */
function print(name, { raw, gzip, brotli }) {
  const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1).padStart(8)} KB`;
  console.log(`${name.padEnd(40)} ${kilobytes(raw)} ${kilobytes(gzip)} gzip ${kilobytes(brotli)} brotli`);
}
