// What happens if the module has an error of its own: a trap, which no known input causes.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Instance } from '../dist/instance.js';

test('a trap is an error, and the module can be started anew', async () => {
  const instance = new Instance(new URL('../dist/chess.wasm', import.meta.url));
  await instance.init();
  const owner = {};
  const place = instance.adopt(owner, 'board', instance.call('board.new', { game: 'chess' }));
  const { exports } = instance;
  const trap = () => {
    throw new WebAssembly.RuntimeError('unreachable');
  };
  instance.exports = { ...exports, alfil_call: trap };
  assert.throws(() => instance.callOn(place, 'fen'), { code: 'internal', message: /unreachable; please report it/ });
  assert.throws(() => instance.callOn(place, 'fen'), { code: 'not-ready' });
  await instance.init();
  instance.call('board.new', { game: 'chess' });
  assert.throws(() => instance.callOn(place, 'fen'), { code: 'disposed', message: /started anew/ });
  instance.dispose(place);
  assert.equal(instance.liveObjects(), 1);
});

test('a module can be loaded by an address as text', async () => {
  const instance = new Instance();
  await instance.init(String(new URL('../dist/chess.wasm', import.meta.url)));
  instance.call('board.new', { game: 'chess' });
});

test('a module that cannot be loaded is an error that names its place', async () => {
  const nothing = new URL('nothing.wasm', import.meta.url);
  await assert.rejects(new Instance(nothing).init(), { code: 'load', message: /nothing\.wasm/ });
  await assert.rejects(new Instance().init(new Uint8Array([1, 2, 3])), { code: 'load', message: /cannot be compiled/ });
  assert.throws(() => new Instance().call('module.objects'), { code: 'not-ready' });
});

test('a module of another program is an error, and the right one can be loaded afterwards', async () => {
  const instance = new Instance(new URL('../dist/chess.wasm', import.meta.url));
  // The header of a module, without imports and exports; then with an import that nothing provides.
  const empty = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  const importing = [...empty, 1, 4, 1, 0x60, 0, 0, 2, 7, 1, 1, 0x61, 1, 0x62, 0, 0];
  await assert.rejects(instance.init(new Uint8Array(empty)), { code: 'load', message: /does not belong to Alfil/ });
  await assert.rejects(instance.init(new Uint8Array(importing)), { code: 'load', message: /cannot be started/ });
  await instance.init();
  instance.call('board.new', { game: 'chess' });
});
