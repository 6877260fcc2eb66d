// The examples of the documents: each is run in a program of its own, and prints what the document shows.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { Chess as Reference } from 'chess.js';

import { examples } from './support.mjs';

for (const [path, least] of [['docs/libraries/javascript.md', 5], ['docs/libraries/coming-from.md', 1], ['apps/wasm/README.md', 1], ['README.md', 1]]) {
  for (const [index, { code, output }] of examples(path).entries()) {
    // The board element is for browsers: another test runs its example.
    if (code.includes("from 'alfil-board'")) continue;
    test(`${path}, example ${index + 1}`, () => {
      const options = { cwd: new URL('..', import.meta.url), encoding: 'utf8', timeout: 60_000, input: code };
      const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-'], options);
      assert.equal(status, 0, stderr);
      assert.equal(stderr, '');
      if (output !== undefined) assert.equal(stdout, output);
    });
  }
  test(`${path} has examples`, () => {
    assert.ok(examples(path).length >= least);
  });
}

test('every method of chess.js is named', () => {
  const text = readFileSync(new URL('../../../docs/libraries/coming-from.md', import.meta.url), 'utf8');
  const section = text.slice(text.indexOf('## From chess.js'), text.indexOf('## From pyffish'));
  const methods = Object.getOwnPropertyNames(Reference.prototype).filter((name) => !name.startsWith('_'));
  const missing = methods.filter((name) => name !== 'constructor' && !new RegExp(`\\b${name}\\b`).test(section));
  assert.ok(methods.length > 40);
  assert.deepEqual(missing, []);
});
