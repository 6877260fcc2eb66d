// The moves of a board on the board element, in a browser: castling moves the rook, a capture en passant takes the pawn,
// and a promotion is chosen in the element.

import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { chromium } from 'playwright-core';
import { build } from 'vite';

import { findBrowser, serve } from './chromium.mjs';
import { example, ROOT } from './support.mjs';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'alfil-board-element-')));
after(() => rmSync(folder, { recursive: true, force: true }));
const path = (name) => fileURLToPath(new URL(name, ROOT));
const browserPath = findBrowser();

/** Builds the page of the documents, with its board in the global `board`. */
async function buildPage() {
  const code = example('docs/libraries/javascript.md', 'alfil-board');
  writeFileSync(join(folder, 'app.js'), `${code}\nwindow.board = board;\nwindow.show = show;\n`);
  writeFileSync(join(folder, 'index.html'), '<!doctype html><alfil-board></alfil-board><script type="module" src="app.js"></script>');
  const alias = [
    { find: /^alfil-board\/looks\/(\w+)$/, replacement: path('web/board/looks/$1.json') },
    { find: /^alfil-board$/, replacement: path('web/board/src/index.ts') },
    { find: /^alfil\/chess$/, replacement: path('apps/wasm/dist/chess.js') },
  ];
  // Rollup puts only files into the output that are named by the sources.
  await build({ root: folder, logLevel: 'error', configFile: false, resolve: { alias }, build: { outDir: 'built', target: 'es2022' } });
  return serve(pathToFileURL(`${folder}/built/`));
}

test('castling, a capture en passant and a promotion on the element', { skip: !browserPath }, async () => {
  const server = await buildPage();
  const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({ reducedMotion: 'reduce' });
    const errors = [];
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(server.url);
    await page.waitForFunction('window.board !== undefined');
    const square = (name) => page.locator(`[data-square="${name}"]`);
    const play = async (from, to) => {
      await square(from).click();
      await square(to).click();
    };
    /** Checks the board and what the element shows. */
    const shows = async (fen, labels) => {
      assert.equal(await page.evaluate('board.fen()'), fen);
      for (const [name, label] of Object.entries(labels)) {
        assert.equal(await square(name).getAttribute('aria-label'), `${name} ${label}`);
      }
    };
    const load = (fen) => page.evaluate((text) => { board.load(text); show(); }, fen);

    await load('r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1');
    await play('e1', 'g1');
    await shows('r3k2r/8/8/3pP3/8/8/8/R4RK1 b kq - 1 1', { e1: 'empty', f1: 'White rook', g1: 'White king', h1: 'empty' });
    await play('e8', 'c8');
    await shows('2kr3r/8/8/3pP3/8/8/8/R4RK1 w - - 2 2', { c8: 'Black king', d8: 'Black rook', a8: 'empty' });

    await load('4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1');
    await play('e5', 'd6');
    await shows('4k3/8/3P4/8/8/8/8/4K3 b - - 0 1', { d5: 'empty', d6: 'White pawn', e5: 'empty' });

    await load('4k3/P7/8/8/8/8/8/4K3 w - - 0 1');
    await play('a7', 'a8');
    const menu = page.getByRole('menu', { name: 'Choose the piece' });
    assert.deepEqual(await menu.getByRole('menuitem').evaluateAll((items) => items.map((item) => item.ariaLabel)), [
      'White queen', 'White rook', 'White bishop', 'White knight',
    ]);
    // The menu begins on the square of the promotion.
    const [box, first] = [await square('a8').boundingBox(), await menu.getByRole('menuitem').first().boundingBox()];
    assert.ok(Math.abs(box.x - first.x) < 2 && Math.abs(box.y - first.y) < 2 && Math.abs(box.width - first.width) < 2);
    await page.keyboard.press('Escape');
    await shows('4k3/P7/8/8/8/8/8/4K3 w - - 0 1', { a7: 'White pawn', a8: 'empty' });
    await play('a7', 'a8');
    await menu.getByRole('menuitem', { name: 'White knight' }).click();
    await shows('N3k3/8/8/8/8/8/8/4K3 b - - 0 1', { a7: 'empty', a8: 'White knight' });
    // By the keyboard, from the square of the pawn on.
    await load('4k3/P7/8/8/8/8/8/4K3 w - - 0 1');
    await square('a7').focus();
    for (const key of ['Enter', 'ArrowUp', 'Enter', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await shows('R3k3/8/8/8/8/8/8/4K3 b - - 0 1', { a8: 'White rook', e8: 'Black king' });
    assert.deepEqual(errors, []);
  } finally {
    await browser.close();
    await server.close();
  }
});
