import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { type Browser, type Page, chromium } from 'playwright-core';
import { preview } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBrowser } from '../../e2e/test-environment';

// Packs the package, installs it into copies of the examples that have nothing else, and drives them in a browser.

const packageFolder = fileURLToPath(new URL('..', import.meta.url));
/** Pictures of the examples, to be looked at. */
const screenshots = fileURLToPath(new URL('../../../target/board', import.meta.url));
const browserPath = findBrowser();
const isSkippingForbidden = !['', '0', undefined].includes(process.env.ALFIL_NO_SKIP);
/** What npm writes without a connection. */
const NETWORK_ERROR = /\b(EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|ENOTFOUND|ETIMEDOUT)\b/;

let folder: string;
let tarball: string;
let packed: string[];
/** Why the examples cannot be installed, if so. */
let offline: string | undefined;
let browser: Browser;

/** Runs a program in a folder and returns its output. Its errors are part of the message if it fails. */
async function run(cwd: string, program: string, ...programArguments: string[]): Promise<string> {
  try {
    return (await promisify(execFile)(program, programArguments, { cwd })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${programArguments.join(' ')} failed in ${cwd}\n${stdout ?? ''}${stderr ?? error}`);
  }
}

/** Returns the blocks of the README in a language. */
function readmeBlocks(language: string): string[] {
  const readme = readFileSync(join(packageFolder, 'README.md'), 'utf8');
  const blocks = [...readme.matchAll(/^```(\w*)\n(.*?)^```$/gms)].filter((block) => block[1] === language).map((block) => block[2] ?? '');
  expect(blocks, `the README has no block of ${language}`).not.toEqual([]);
  return blocks;
}

/** Copies an example, without what was installed and built in it, and installs the tarball. */
async function install(example: string): Promise<void> {
  const source = join(packageFolder, 'examples', example);
  const copy = join(folder, example);
  cpSync(source, copy, { recursive: true, filter: (path) => !/\/(node_modules|dist)$/.test(path) });
  await run(copy, 'npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', tarball);
}

/** A module that the compiler accepts only if the types are right and not too wide. */
const TYPES = `import look from 'alfil-board/looks/chess';
import { AlfilBoard } from 'alfil-board/react';
const board: AlfilBoard = document.createElement('alfil-board');
board.addEventListener('pick', ({ detail }) => detail.square.length);
board.addEventListener('drop', ({ detail }) => detail.targets[0].script);
board.addEventListener('keydown', ({ key }) => key);
board.orientation = 'second';
// @ts-expect-error: there are two players.
board.orientation = 'third';
// @ts-expect-error: the pieces are letters.
board.pieces = { a1: 1 };
// @ts-expect-error: the event has targets.
board.addEventListener('drop', ({ detail }) => detail.square);
export const right = <alfil-board orientation="first" className="board" onplace={({ detail }) => detail.from} />;
export const more = <alfil-board showsMoves ondraw={({ detail }) => detail.colour} />;
// @ts-expect-error: there are two players.
export const wrong = <alfil-board orientation="third" />;
// The names of earlier versions.
export const earlier = <alfil-board look={{ ...look, men: look.pieces }} men={{ a1: 'K' }} over={{ sights: [] }} />;
`;

beforeAll(async () => {
  if (!browserPath) return;
  folder = mkdtempSync(join(tmpdir(), 'alfil-board-'));
  mkdirSync(screenshots, { recursive: true });
  await run(packageFolder, 'npm', 'run', '--silent', 'build');
  const name = await run(packageFolder, 'npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', folder);
  tarball = join(folder, name.trim());
  const list = await run(folder, 'tar', '--list', '--gzip', '--file', tarball);
  packed = list.trim().split('\n').map((path) => path.replace('package/', ''));
  try {
    await Promise.all(['react', 'svelte'].map(install));
  } catch (error) {
    if (isSkippingForbidden || !NETWORK_ERROR.test(String(error))) throw error;
    offline = 'npm does not reach its registry';
    console.error(`\n*** SKIPPED: the examples of the board element in React and Svelte; ${offline}. ***\n`);
  }
  browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
});

afterAll(async () => {
  await browser?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** Opens a page in a window of its own, and checks after the steps that it reported no errors. */
async function withPage(url: string, steps: (page: Page) => Promise<void>): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 640, height: 720 }, reducedMotion: 'reduce' });
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  // Browsers look for an icon, which the examples do not have.
  page.on('console', (message) => message.type() === 'error' && !message.location().url.endsWith('/favicon.ico') && errors.push(message.text()));
  await page.goto(url);
  await steps(page);
  expect(errors).toEqual([]);
  await page.close();
}

/** Waits until the label of a square, for screen readers, is this. */
async function expectSquare(page: Page, square: string, label: string): Promise<void> {
  await expect.poll(() => page.locator(`[data-square="${square}"]`).getAttribute('aria-label')).toBe(`${square} ${label}`);
}

async function centre(page: Page, square: string): Promise<[x: number, y: number]> {
  const box = await page.locator(`[data-square="${square}"]`).boundingBox();
  if (!box) throw new Error(`no square ${square}`);
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/** Plays a move in an example and turns its board. All examples show the same position. */
async function drive(page: Page, name: string, move: (page: Page) => Promise<void>): Promise<void> {
  await expectSquare(page, 'h2', 'Red cannon');
  expect(await page.locator('.piece').count()).toBe(32);
  expect(await page.locator('.square.movable').count()).toBe(4);
  await move(page);
  expect(await page.locator('.last').count()).toBe(2);
  expect(await page.locator('.square.movable').count()).toBe(0);
  const [before] = await centre(page, 'a0');
  await page.getByRole('button', { name: 'Turn the board' }).click();
  await expect.poll(async () => (await centre(page, 'a0'))[0] > before + 300).toBe(true);
  await page.screenshot({ path: join(screenshots, `${name}.png`) });
}

async function dragCannon(page: Page): Promise<void> {
  await page.mouse.move(...(await centre(page, 'h2')));
  await page.mouse.down();
  await page.mouse.move(...(await centre(page, 'e2')), { steps: 5 });
  expect(await page.locator('.drop-target').count()).toBe(1);
  await page.mouse.up();
  await expectSquare(page, 'e2', 'Red cannon');
  await expectSquare(page, 'h2', 'empty');
  expect(await page.locator('.piece:not(.captured)').count()).toBe(32);
}

async function captureByClicks(page: Page): Promise<void> {
  await page.mouse.click(...(await centre(page, 'b2')));
  await expectSquare(page, 'b2', 'Red cannon, selected');
  expect(await page.locator('.capture').count()).toBe(1);
  await page.mouse.click(...(await centre(page, 'b9')));
  await expectSquare(page, 'b9', 'Red cannon');
  expect(await page.locator('.piece:not(.captured)').count()).toBe(31);
}

/** Serves a built example and drives it. */
async function driveBuilt(copy: string, name: string, move: (page: Page) => Promise<void>): Promise<void> {
  const server = await preview({ root: copy, configFile: false, logLevel: 'error', preview: { port: 0, host: '127.0.0.1' } });
  try {
    await withPage(server.resolvedUrls?.local[0] ?? '', (page) => drive(page, name, move));
  } finally {
    await server.close();
  }
}

describe.skipIf(!browserPath)('the package', () => {
  test('has everything that its exports name, and nothing of its sources and tests', () => {
    const { exports } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
      exports: Record<string, string | Record<string, string>>;
    };
    const named = Object.values(exports).flatMap((target) => Object.values(typeof target === 'string' ? [target] : target));
    const files = named.filter((path) => !path.includes('*')).map((path) => path.replace('./', ''));
    expect(files.filter((path) => !packed.includes(path))).toEqual([]);
    expect(packed).toEqual(expect.arrayContaining(['README.md', 'LICENSE-MIT', 'LICENSE-APACHE', 'NOTICE', 'dist/board.js', 'looks/chess.json']));
    const readme = readFileSync(join(packageFolder, 'README.md'), 'utf8');
    const links = [...readme.matchAll(/(?:\]\(|src=")([\w/.-]+)[)"]/g)].map((link) => link[1] ?? '').filter((link) => !link.startsWith('node_modules/'));
    expect(links.length).toBeGreaterThan(7);
    expect(links.filter((link) => !packed.includes(link))).toEqual([]);
    expect(packed.filter((path) => /^(src|test)\/|node_modules|vite/.test(path))).toEqual([]);
  });

  test('is as large as the documents say', () => {
    const kilobytes = Math.round(gzipSync(readFileSync(join(packageFolder, 'dist/board.js'))).length / 1000);
    for (const path of ['web/board/README.md', 'README.md']) {
      const text = readFileSync(join(packageFolder, '../..', path), 'utf8').replaceAll(/\s+/g, ' ');
      expect(text, path).toContain(` ${kilobytes} KB gzipped`);
    }
  });

  test('works in React: types, build, drag, and import on a server', async (context) => {
    context.skip(offline !== undefined, offline);
    const copy = join(folder, 'react');
    writeFileSync(join(copy, 'src/types.tsx'), TYPES);
    readmeBlocks('tsx').forEach((block, i) => writeFileSync(join(copy, `src/readme${i}.tsx`), block));
    await run(copy, 'npm', 'run', 'check');
    await run(copy, 'npm', 'run', 'build');
    await driveBuilt(copy, 'react', dragCannon);
    // A server that renders pages has no document.
    const script = `import { piecesFromFen } from 'alfil-board';
      import othello from 'alfil-board/looks/othello';
      import chess from 'alfil-board/looks/chess.json' with { type: 'json' };
      console.log(piecesFromFen(othello, 'X' + '-'.repeat(63)).a1, piecesFromFen(chess, '8/8/8/8/8/8/8/7k').h1);`;
    expect(await run(copy, 'node', '--input-type=module', '--eval', script)).toBe('X k\n');
  });

  test('works in Svelte: types, build and clicks', async (context) => {
    context.skip(offline !== undefined, offline);
    const copy = join(folder, 'svelte');
    readmeBlocks('svelte').forEach((block, i) => writeFileSync(join(copy, `src/Readme${i}.svelte`), block));
    await run(copy, 'npm', 'run', 'check');
    await run(copy, 'npm', 'run', 'build');
    await driveBuilt(copy, 'svelte', captureByClicks);
  });

  test('works on a page that is opened as a file', async () => {
    const copy = join(folder, 'plain');
    mkdirSync(copy);
    await run(copy, 'tar', '--extract', '--gzip', '--file', tarball);
    const example = pathToFileURL(join(copy, 'package/examples/plain.html')).href;
    await withPage(example, (page) => drive(page, 'plain', dragCannon));
  });

  test('shows a position with the lines of the README', async () => {
    const copy = join(folder, 'readme');
    mkdirSync(join(copy, 'node_modules'), { recursive: true });
    await run(copy, 'tar', '--extract', '--gzip', '--file', tarball);
    renameSync(join(copy, 'package'), join(copy, 'node_modules/alfil-board'));
    const [html] = readmeBlocks('html');
    // The blocks of scripts use the board of the page, and what the package exports.
    const [position, ...others] = readmeBlocks('js').map((block) => block.replace(/^import .*;$/gm, '').replace('const board =', 'void'));
    const blocks = others.map((block) => `{ const { moveTarget } = alfil; ${block} }`);
    const start = `{ const { piecesFromFen, looks: { xiangqi } } = alfil; ${position} }`;
    writeFileSync(join(copy, 'page.html'), `${html}<script>${[start, ...blocks].join('\n')}</script>`);
    await withPage(pathToFileURL(join(copy, 'page.html')).href, async (page) => {
      expect(await page.locator('.piece').count()).toBe(32);
      await dragCannon(page);
      expect(await page.locator('.last').count()).toBe(2);
    });
  });

  test.each(['pieces', 'men'])('takes the properties that were set before the script was loaded: %s', async (name) => {
    await withPage('about:blank', async (page) => {
      await page.setContent('<alfil-board></alfil-board>');
      await page.addScriptTag({ path: join(packageFolder, 'dist/look-othello.js') });
      await page.evaluate((name) => {
        const { alfil } = window as unknown as { alfil: { looks: Record<string, unknown> } };
        Object.assign(document.querySelector('alfil-board') ?? {}, { [name]: { d4: 'O', d5: 'X' }, look: alfil.looks.othello, editing: true });
      }, name);
      await page.addScriptTag({ path: join(packageFolder, 'dist/board.js') });
      expect(await page.locator('.piece').count()).toBe(2);
      expect(await page.locator('.square.movable').count()).toBe(2);
    });
  });
});
