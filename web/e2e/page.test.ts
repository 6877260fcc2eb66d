import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { type Browser, type Page, chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AlfilBoard } from '../src/board/element';

const CHROMIUM = '/usr/bin/chromium';
const BINARY = process.env.ALFIL_BIN ?? '../target/debug/alfil';
const present = existsSync(CHROMIUM);
const strict = !['', '0', undefined].includes(process.env.ALFIL_NO_SKIP);
if (!present) {
  const words = 'the page in a browser. Install it with: apt-get install -y chromium';
  if (strict) throw new Error(`ALFIL_NO_SKIP forbids skipping ${words}`);
  console.warn(`\n*** SKIPPED: ${words} ***\n`);
}

let browser: Browser;
let server: ChildProcess;
let port: number;
let page: Page;

/** A port that is free now. */
function freePort(): Promise<number> {
  return new Promise((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => done(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

async function serve(): Promise<void> {
  server = spawn(BINARY, ['serve', '--port', String(port)], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise<void>((done) => server.stdout?.once('data', () => done()));
}

async function open(width = 1280, height = 800): Promise<void> {
  const context = await browser.newContext({ viewport: { width, height }, reducedMotion: 'reduce' });
  page = await context.newPage();
  page.on('pageerror', (error) => {
    throw error;
  });
  await page.goto(`http://127.0.0.1:${port}/`);
  await ready();
}

/** The person is to move, or the game is over. */
async function ready(): Promise<void> {
  await page.waitForFunction(
    () =>
      (document.querySelector('alfil-board') as AlfilBoard | null)?.targets.length ||
      document.querySelector('.status.ended'),
    null,
    { timeout: 15_000 },
  );
}

const square = (name: string) => page.locator(`alfil-board [data-square="${name}"]`);
const moves = () => page.locator('.record .move').count();
const status = async () => (await page.locator('.status').textContent()) ?? '';

async function move(from: string, to: string): Promise<void> {
  await square(from).click();
  await square(to).click();
  await ready();
}

/** Clicks a legal move, a capture if there is one, and waits for the reply. */
async function moveSomehow(turn: number): Promise<void> {
  const target = await page.evaluate((turn) => {
    const { targets } = document.querySelector('alfil-board') as AlfilBoard;
    const taking = targets.filter(({ script }) => script.filter((change) => change.do === 'lift').length > 1);
    const from = taking.length > 0 ? taking : targets;
    const { from: origin, to } = from[(turn * 7919) % from.length]!;
    return { origin, to };
  }, turn);
  if (target.to === null) {
    await page.getByText('Pass:').click();
  } else {
    if (target.origin) await square(target.origin).click();
    await square(target.to).click();
  }
  await page.waitForTimeout(20);
  await ready();
}

async function newGame(game: string, level: number): Promise<void> {
  await page.getByRole('button', { name: 'New game' }).click();
  await page.getByRole('radio', { name: game }).check();
  await page.getByRole('slider').fill(String(level));
  await page.getByRole('button', { name: 'Start' }).click();
  await page.waitForFunction((game) => document.querySelector('.what')?.textContent === game, game);
  await ready();
}

describe.runIf(present)('the page', () => {
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    port = await freePort();
    await serve();
  });
  afterEach(async () => {
    await page?.context().close();
  });
  afterAll(async () => {
    await browser?.close();
    server?.kill();
  });

  it('plays ten moves by clicking', async () => {
    await open();
    expect(await status()).toBe('Your move');
    await move('h2', 'e2');
    expect(await moves()).toBe(2);
    for (let turn = 1; turn < 10; turn++) await moveSomehow(turn);
    expect(await moves()).toBe(20);
  });

  for (const game of ['Xiangqi', 'Othello']) {
    it(`plays a whole game of ${game} to its end`, async () => {
      await open();
      await newGame(game, 1);
      for (let turn = 0; (await page.locator('.status.ended').count()) === 0; turn++) {
        expect(turn).toBeLessThan(400);
        await moveSomehow(turn);
      }
      expect(await status()).toMatch(/wins|[Dd]rawn/);
      await page.getByRole('button', { name: 'Play again' }).click();
      await page.waitForFunction(() => document.querySelectorAll('.record .move').length === 0);
    });
  }

  it('takes back, flips, and drags', async () => {
    await open();
    await square('b0').dragTo(square('c2'));
    await page.waitForFunction(() => document.querySelectorAll('.record .move').length === 2);
    await ready();
    await page.getByRole('button', { name: 'Take back' }).click();
    await page.waitForFunction(() => document.querySelectorAll('.record .move').length === 0);
    const before = await square('a0').boundingBox();
    await page.getByRole('button', { name: 'Flip' }).click();
    const after = await square('a0').boundingBox();
    expect(after!.y).toBeLessThan(before!.y);
    expect(await square('b0').getAttribute('aria-label')).toBe('b0 Red horse');
  });

  it('is played with the keyboard alone', async () => {
    await open();
    await square('e0').focus();
    for (const key of ['h', 'ArrowUp', 'ArrowUp', 'Enter', 'e', 'Enter']) await page.keyboard.press(key);
    await page.waitForFunction(() => document.querySelectorAll('.record .move').length === 2);
    expect(await page.locator('.record .move').first().textContent()).toBe('h2e2');
  });

  it('says that the connection is lost, and goes on where it was', async () => {
    await open();
    await move('h2', 'e2');
    server.kill();
    await page.waitForFunction(() => document.querySelector('.status')?.textContent?.includes('connection is lost'));
    await serve();
    await page.waitForFunction(() => document.querySelector('.status')?.textContent?.includes('Your move'));
    expect(await moves()).toBe(2);
    await moveSomehow(1);
    expect(await moves()).toBe(4);
  });

  it('fits a phone', async () => {
    await open(360, 640);
    await move('h2', 'e2');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    expect((await page.locator('alfil-board').boundingBox())!.width).toBeGreaterThan(330);
  });
});
