import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContextOptions, type Page, chromium } from 'playwright-core';

/** Where Debian and others keep the browser; `ALFIL_CHROMIUM` names another place. */
const BROWSERS = [process.env.ALFIL_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const MEND = 'Install it with: apt-get install -y chromium';

/** The browser's program, or nothing where it is missing and that may be skipped; says so loudly. */
export function browserProgram(): string | undefined {
  const found = BROWSERS.find((path) => path && existsSync(path));
  const forbidden = !['', '0', undefined].includes(process.env.ALFIL_NO_SKIP);
  if (!found && forbidden) throw new Error(`Chromium is missing, and ALFIL_NO_SKIP forbids to skip its tests. ${MEND}`);
  if (!found) console.error(`\n*** SKIPPED: the page in a browser; Chromium is missing. ${MEND} ***\n`);
  return found;
}

/** A server that runs and a browser that can look at it. */
export class Stage {
  private constructor(
    private readonly server: ChildProcess,
    private readonly browser: Browser,
    readonly url: string,
    private readonly data: string,
  ) {}

  static async raise(program: string): Promise<Stage> {
    const usual = fileURLToPath(new URL('../../target/debug/alfil', import.meta.url));
    const alfil = process.env.ALFIL_BIN ?? usual;
    if (!existsSync(alfil)) throw new Error(`no program at ${alfil}: build it, or name it in ALFIL_BIN`);
    // Port 0 takes a free one; the first line says which.
    const data = mkdtempSync(join(tmpdir(), 'alfil-'));
    const server = spawn(alfil, ['serve', '--port', '0', '--data', data], { stdio: ['ignore', 'pipe', 'inherit'] });
    const url = await new Promise<string>((found, failed) => {
      server.once('exit', (code) => failed(new Error(`alfil serve ended with ${code}`)));
      server.stdout?.on('data', (line) => {
        const address = /http:\S+/.exec(String(line))?.[0];
        if (address) found(address);
      });
    });
    const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
    return new Stage(server, browser, url, data);
  }

  /** The page in a window of its own, ready for the first click; errors of the page go to `troubles`. */
  async open(
    options: BrowserContextOptions,
    troubles: string[],
    prepare: (page: Page) => Promise<void> = async () => {},
  ): Promise<Page> {
    const context = await this.browser.newContext({ reducedMotion: 'reduce', locale: 'en-GB', ...options });
    const page = await context.newPage();
    page.on('pageerror', (error) => troubles.push(error.message));
    page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
    await prepare(page);
    await page.goto(this.url);
    await page.waitForSelector('.square.movable, .square.open');
    return page;
  }

  async close(): Promise<void> {
    await this.browser.close();
    this.server.removeAllListeners('exit');
    this.server.kill();
    rmSync(this.data, { recursive: true, force: true });
  }
}

/** Numbers that come the same every time: a small generator by Marsaglia (xorshift32). */
export function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** How many moves the record shows. */
export async function moves(page: Page): Promise<number> {
  return page.locator('.record [data-node]').count();
}

/** Waits until the person may move, or the game is over; says which. Forced passes happen by themselves. */
export async function turn(page: Page): Promise<'move' | 'over'> {
  const over = page.locator('.status.ended');
  const square = page.locator('.square.movable, .square.open');
  await over.or(square).first().waitFor({ state: 'attached', timeout: 30_000 });
  return (await over.count()) ? 'over' : 'move';
}

/** The names of the squares of a kind: they keep when the kind changes under a click. */
async function named(page: Page, kind: string): Promise<(string | null)[]> {
  return page.locator(kind).evaluateAll((squares) => squares.map((square) => square.getAttribute('data-square')));
}

/**
 * Plays one of the moves that the page offers, by clicking: one that takes something if there is one among the men tried,
 * else any. The record grows by as much as said: a move that it has already is only gone to.
 */
export async function clickMove(page: Page, random: (below: number) => number, more = 1): Promise<void> {
  const before = await moves(page);
  // A second click on a man would set it down again, so each is tried once. Discs are put down: no man is taken up.
  const movable = await named(page, '.square.movable');
  for (let tries = 0; movable.length > 0 && tries < 4; tries++) {
    const [man] = movable.splice(random(movable.length), 1);
    await page.locator(`[data-square="${man}"]`).click();
    if (await page.locator('.prey').count()) break;
  }
  // What may be moved can change between two clicks, and then one man was clicked twice: another is taken up.
  for (let again = 0; again < 3 && (await page.locator('.square.open').count()) === 0; again++) {
    await page.locator('.square.movable, .square.open').first().waitFor();
    if (await page.locator('.square.open').count()) break;
    await page.locator('.square.movable').first().click();
  }
  const prey = await named(page, '.square.open:not([aria-label*=" empty"])');
  const open = prey.length > 0 ? prey : await named(page, '.square.open');
  if (open.length === 0) throw new Error('the man taken up can go nowhere');
  await page.locator(`[data-square="${open[random(open.length)]}"]`).click();
  const chooser = page.locator('.chooser button').first();
  if (await chooser.isVisible()) await chooser.click();
  await page.waitForFunction((count) => document.querySelectorAll('.record [data-node]').length >= count, before + more);
}

/** Starts a game by the dialog. */
export async function start(page: Page, game: string, side: number, level: number, seconds?: string, clock?: string): Promise<void> {
  const last = await page.locator('.page').getAttribute('data-game');
  await page.getByRole('button', { name: 'New game' }).click();
  await page.locator('.option', { hasText: game }).first().click();
  await page.locator('input[name=side]').nth(side).check({ force: true });
  await page.locator('input[type=range]').fill(String(level));
  if (clock) await page.locator('select[name=clock]').selectOption({ label: clock });
  if (seconds) await page.locator('select[name=time]').selectOption(seconds);
  await page.getByRole('button', { name: 'Start' }).click();
  await page.locator(`.page:not([data-game="${last}"])`).waitFor();
  await page.locator('dialog').waitFor({ state: 'detached' });
}

/** The games of the dialog. */
export async function games(page: Page): Promise<string[]> {
  await page.getByRole('button', { name: 'New game' }).click();
  const names = await page.locator('.option:has(input[name=game])').allTextContents();
  await page.getByRole('button', { name: 'Cancel' }).click();
  return names.map((name) => name.trim());
}
