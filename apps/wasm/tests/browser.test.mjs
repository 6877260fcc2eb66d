// The package in Chromium, from a plain module script: where pages may share memory, and where they may not.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { checkResult, findBrowser, resultOfPage, SCRIPT, serve } from './chromium.mjs';

const browser = findBrowser();
const PAGE = `<!doctype html>
<script type="module">
import * as alfil from '/dist/index.js';
import * as rules from '/dist/chess.js';
${SCRIPT}
</script>`;

for (const isolated of [false, true]) {
  test(`a plain module script, ${isolated ? 'isolated' : 'not isolated'}`, { skip: !browser }, async () => {
    const server = await serve(new URL('../', import.meta.url), { pages: { '/': PAGE }, isolated });
    try {
      checkResult(assert, await resultOfPage(browser, server.url), isolated);
    } finally {
      await server.close();
    }
  });
}
