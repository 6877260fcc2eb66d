// The examples of the documents: each is run in a program of its own, and prints what the document shows.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { ROOT } from './support.mjs';

/** Returns the blocks of JavaScript of a document; a block of text right after one is its output. */
function examples(document) {
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

for (const [path, least] of [['docs/libraries/javascript.md', 5], ['docs/libraries/coming-from.md', 1], ['apps/wasm/README.md', 1], ['README.md', 1]]) {
  for (const [index, { code, output }] of examples(readFileSync(new URL(path, ROOT), 'utf8')).entries()) {
    test(`${path}, example ${index + 1}`, () => {
      const options = { cwd: new URL('..', import.meta.url), encoding: 'utf8', timeout: 60_000, input: code };
      const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-'], options);
      assert.equal(status, 0, stderr);
      assert.equal(stderr, '');
      if (output !== undefined) assert.equal(stdout, output);
    });
  }
  test(`${path} has examples`, () => {
    assert.ok(examples(readFileSync(new URL(path, ROOT), 'utf8')).length >= least);
  });
}
