// A browser and a server of files, for tests.

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname } from 'node:path';

import { chromium } from 'playwright-core';

import { NO_SKIP } from './support.mjs';

/** Where Linux distributions install the browser. `ALFIL_CHROMIUM` names another path. */
const BROWSER_PATHS = [
  process.env.ALFIL_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const INSTALL_HELP = 'Install it with: apt-get install -y chromium';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
};

/** Returns the path of the browser. Without one the tests are skipped, or fail if `ALFIL_NO_SKIP` is set. */
export function findBrowser() {
  const path = BROWSER_PATHS.find((candidate) => candidate && existsSync(candidate));
  if (!path && NO_SKIP) throw new Error(`Chromium is missing, and ALFIL_NO_SKIP forbids to skip its tests. ${INSTALL_HELP}`);
  if (!path) console.error(`*** SKIPPED: the browser tests of the package; Chromium is missing. ${INSTALL_HELP} ***`);
  return path;
}

/** Serves the files of a folder and further pages by their paths. An isolated server lets pages share memory. */
export async function serve(folder, { pages = {}, isolated = false } = {}) {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, 'http://localhost').pathname;
    const headers = { 'content-type': TYPES[extname(path)] ?? 'text/html; charset=utf-8' };
    if (isolated) {
      headers['cross-origin-opener-policy'] = 'same-origin';
      headers['cross-origin-embedder-policy'] = 'require-corp';
    }
    try {
      const name = path.endsWith('/') ? `${path}index.html` : path;
      const content = pages[path] ?? (await readFile(new URL(`.${name}`, folder)));
      response.writeHead(200, headers).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}/`;
  return { url, close: () => new Promise((resolve) => server.close(resolve)) };
}

/** Opens a page, waits until its script has set `window.result`, and returns that. */
export async function resultOfPage(browserPath, url) {
  const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    const errors = [];
    page.on('pageerror', (error) => errors.push(error.stack ?? error.message));
    page.on('console', (message) => {
      // Browsers request an icon, which these pages do not have.
      const isIcon = message.location().url.endsWith('/favicon.ico');
      if (message.type() === 'error' && !isIcon) errors.push(message.text());
    });
    await page.goto(url);
    try {
      await page.waitForFunction('window.result !== undefined', undefined, { timeout: 60_000 });
    } catch (error) {
      throw new Error(`the page has no result: ${errors.join('\n')}\n${error}`);
    }
    const result = await page.evaluate('window.result');
    return { result, errors };
  } finally {
    await browser.close();
  }
}

/** What the pages of the tests do: JavaScript that sets `window.result`, with the imports before it. */
export const SCRIPT = `
const run = async () => {
  await alfil.init();
  await rules.init();
  const board = new alfil.Xiangqi();
  board.move('炮二平五');
  const bench = {};
  for (const game of ['xiangqi', 'chess', 'othello']) {
    const engine = await alfil.Engine.start({ game });
    bench[game] = await engine.bench();
    engine.quit();
  }
  const engine = await alfil.Engine.start({ game: 'xiangqi' });
  const search = engine.go(board);
  let deepest = 0;
  for await (const report of search) {
    deepest = report.depth;
    if (report.depth === 6) search.stop();
  }
  const { bestMove } = await search.result;
  const next = await engine.go(board, { depth: 5 }).result;
  const chess = await alfil.Engine.start({ game: 'chess' });
  const deep = await chess.go({ fen: '8/8/8/3k4/8/3K4/4P3/8 w - - 0 1' }, { depth: 120, nodes: 1_000_000 }).result;
  return {
    isolated: crossOriginIsolated,
    fen: board.fen(),
    perft: [new alfil.Chess().perft(4), new rules.Chess().perft(4)],
    game: [...alfil.readGames('1. e4 e5 *', { game: 'chess' })][0].moves(),
    isLegal: board.isLegal({ lan: bestMove }),
    deepest,
    nextDepth: next.report.depth,
    seldepth: deep.report.seldepth,
    bench,
  };
};
run().then((result) => { window.result = result; }, (error) => { window.result = { failure: String(error.stack ?? error) }; });
`;

/** Checks the result of a page. */
export function checkResult(assert, { result, errors }, isolated) {
  assert.deepEqual(errors, []);
  assert.equal(result.failure, undefined);
  const { deepest, seldepth, ...rest } = result;
  assert.ok(deepest >= 6 && seldepth >= 40, `depths ${deepest} and ${seldepth}`);
  assert.deepEqual(rest, {
    isolated,
    fen: 'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1',
    perft: [197_281, 197_281],
    game: ['e2e4', 'e7e5'],
    isLegal: true,
    nextDepth: 5,
    bench: BENCH,
  });
}

const source = await readFile(new URL('../../../crates/session/tests/bench.rs', import.meta.url), 'utf8');
const BENCH = Object.fromEntries(
  [...source.matchAll(/\("(\w+)", ([\d_]+)\)/g)].map(([, game, nodes]) => [game, Number(nodes.replaceAll('_', ''))]),
);
