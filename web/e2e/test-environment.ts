import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, type BrowserContextOptions, type Page, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { StaticServer } from './static-server';

export const DESKTOP = { viewport: { width: 1280, height: 800 } };
export const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true };

/** Where Linux distributions install the browsers. `ALFIL_CHROMIUM` and `ALFIL_FIREFOX` name other paths. */
const CHROMIUM_PATHS = [
  process.env.ALFIL_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const FIREFOX_PATHS = [process.env.ALFIL_FIREFOX, '/usr/bin/firefox-esr', '/usr/bin/firefox'];

/** Returns the path of a browser. Without it its tests are skipped, or fail if `ALFIL_NO_SKIP` is set. */
export function findBrowser(name: 'Chromium' | 'Firefox' = 'Chromium'): string | undefined {
  const paths = name === 'Chromium' ? CHROMIUM_PATHS : FIREFOX_PATHS;
  const path = paths.find((candidate) => candidate && existsSync(candidate));
  if (!path) reportMissing(name, name === 'Chromium' ? 'chromium' : 'firefox-esr');
  return path;
}

/** Reports a program whose tests are skipped. Throws if `ALFIL_NO_SKIP` is set. */
export function reportMissing(name: string, debianPackage: string): void {
  const skipForbidden = !['', '0', undefined].includes(process.env.ALFIL_NO_SKIP);
  const help = `Install it with: apt-get install -y ${debianPackage}`;
  if (skipForbidden) throw new Error(`${name} is missing, and ALFIL_NO_SKIP forbids to skip its tests. ${help}`);
  console.error(`\n*** SKIPPED: the tests in ${name}, which is missing. ${help} ***\n`);
}

/** Returns the path of the program: that of the tests, unless `ALFIL_BIN` names another. */
export function programPath(): string {
  return process.env.ALFIL_BIN ?? fileURLToPath(new URL('../../target/debug/alfil', import.meta.url));
}

/**
 * Whether the page is that without a server (`ALFIL_SITE` is the folder of `cargo xtask site`): the games are in the
 * browser, and the network is cut after the first load.
 */
export const siteFolder = process.env.ALFIL_SITE || undefined;
/** For tests of what only the server has. */
export const onServer = siteFolder === undefined;
/** Whether the tests of `cargo xtask test --long` run, too. */
export const isLong = !['', '0', undefined].includes(process.env.ALFIL_LONG);

/** What answers the page. */
interface Host {
  readonly url: string;
  /** The address with which a browser begins that has no cookie yet. */
  readonly firstUrl: string;
  close(): Promise<void>;
}

/** A server of Alfil with an empty database. */
export class AlfilServer implements Host {
  private constructor(
    private readonly server: ChildProcess,
    readonly firstUrl: string,
    private readonly dataFolder: string,
  ) {}

  /** The address without the token. */
  get url(): string {
    return new URL('/', this.firstUrl).href;
  }

  static async start(serverArguments: string[]): Promise<AlfilServer> {
    const program = programPath();
    if (!existsSync(program)) throw new Error(`no program at ${program}: build it, or set ALFIL_BIN to its path`);
    const dataFolder = mkdtempSync(join(tmpdir(), 'alfil-'));
    // With port 0 the server takes a free port. Its first line of output contains the address.
    const server = spawn(program, ['serve', '--port', '0', '--data', dataFolder, ...serverArguments], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const url = await new Promise<string>((resolve, reject) => {
      server.once('exit', (code) => reject(new Error(`alfil serve exited with code ${code}`)));
      server.stdout?.on('data', (line) => {
        const address = /http:\S+/.exec(String(line))?.[0];
        if (address) resolve(address);
      });
    });
    return new AlfilServer(server, url, dataFolder);
  }

  async close(): Promise<void> {
    this.server.removeAllListeners('exit');
    this.server.kill();
    rmSync(this.dataFolder, { recursive: true, force: true });
  }
}

/** How long a part of the page is delayed: longer than the next step of a test takes that does not wait for it. */
const PART_DELAY_MS = 100;

/**
 * Delays the parts of the page that are loaded when they are first shown, as a busy machine does: a test that does not
 * wait for a dialog then fails everywhere.
 */
async function delayLaterParts(page: Page): Promise<void> {
  await page.route(/\/(?!index)[\w-]+\.js$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, PART_DELAY_MS));
    // The test may have closed the page in the meantime.
    await route.continue().catch(() => undefined);
  });
}

/** A host of the page, and a browser. */
class TestEnvironment {
  private constructor(
    private readonly host: Host,
    private readonly browser: Browser,
  ) {}

  static async start(browserPath: string, serverArguments: string[]): Promise<TestEnvironment> {
    const host = await (siteFolder ? StaticServer.start(siteFolder) : AlfilServer.start(serverArguments));
    const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
    return new TestEnvironment(host, browser);
  }

  get url(): string {
    return this.host.url;
  }

  get firstUrl(): string {
    return this.host.firstUrl;
  }

  async openPage(
    options: BrowserContextOptions,
    errors: string[],
    prepare: (page: Page) => Promise<void>,
  ): Promise<Page> {
    const context = await this.newContext(options);
    const page = await context.newPage();
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    if (onServer) await delayLaterParts(page);
    await prepare(page);
    await page.goto(this.url);
    await page.waitForSelector('.square.movable, .square.open');
    if (siteFolder) {
      await page.evaluate(async () => void (await navigator.serviceWorker.ready));
      await context.setOffline(true);
    }
    return page;
  }

  /** Opens a window that has the cookie of the server. What a page violates of its policy is in `violations`. */
  async newContext(options: BrowserContextOptions): Promise<BrowserContext> {
    const context = await this.browser.newContext({ reducedMotion: 'reduce', locale: 'en-GB', ...options });
    context.on('console', (message) => {
      if (/content.security.policy/i.test(message.text())) this.violations.push(message.text());
    });
    if (onServer) await context.request.get(this.host.firstUrl);
    return context;
  }

  /** Opens a window without a cookie. */
  newEmptyContext(): Promise<BrowserContext> {
    return this.browser.newContext({ ...DESKTOP, locale: 'en-GB' });
  }

  readonly violations: string[] = [];

  async close(): Promise<void> {
    await this.browser.close();
    await this.host.close();
  }
}

/** Starts a server and a browser before the tests of a file, and stops them after the tests. */
export function useTestEnvironment(serverArguments: string[] = []) {
  const browserPath = findBrowser();
  const errors = new WeakMap<Page, string[]>();
  let environment: TestEnvironment | undefined;
  const running = () => {
    if (!environment) throw new Error('the test environment is not running');
    return environment;
  };
  beforeAll(async () => {
    if (browserPath) environment = await TestEnvironment.start(browserPath, serverArguments);
  });
  afterAll(async () => {
    await environment?.close();
    expect(environment?.violations ?? []).toEqual([]);
  });
  return {
    /** Whether there is a browser. */
    available: browserPath !== undefined,
    /** Opens a window beside the tests' own ones. */
    newContext: (options: BrowserContextOptions = {}) => running().newContext(options),
    /** Opens a window without a cookie, in which the policy may be violated. */
    newEmptyContext: () => running().newEmptyContext(),
    /** Returns the address of the page. */
    url: () => running().url,
    /** Returns the address of the page for a browser that has no cookie yet. */
    firstUrl: () => running().firstUrl,
    /** Opens the page in a window of its own and waits until a move can be made. */
    async openPage(options: BrowserContextOptions, prepare: (page: Page) => Promise<void> = async () => {}): Promise<Page> {
      const pageErrors: string[] = [];
      const page = await running().openPage(options, pageErrors, prepare);
      errors.set(page, pageErrors);
      return page;
    },
    /** Checks that the page reported no errors, and closes its window. */
    async closePage(page: Page): Promise<void> {
      expect(errors.get(page)).toEqual([]);
      await page.context().close();
    },
  };
}

/** Returns a generator of pseudo-random integers that always gives the same series (xorshift32, Marsaglia 2003). */
export function seededRandom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}

/** Returns the number of moves in the move list. */
export async function moveCount(page: Page): Promise<number> {
  return page.locator('.move-list [data-node]').count();
}

/**
 * Waits until the user may move or the game is over, and returns which. The page plays forced passes by itself. While
 * the computer searches, the squares are those of a premove.
 */
export async function waitForTurn(page: Page): Promise<'move' | 'over'> {
  const over = page.locator('.status.ended');
  const square = page.locator('main:not(:has(.thinking))').locator('.square.movable, .square.open');
  await over.or(square).first().waitFor({ state: 'attached', timeout: 30_000 });
  return (await over.count()) ? 'over' : 'move';
}

/** Returns the names of the squares that match a selector. The names stay valid when a click changes the classes. */
async function squareNames(page: Page, selector: string): Promise<(string | null)[]> {
  return page.locator(selector).evaluateAll((squares) => squares.map((square) => square.getAttribute('data-square')));
}

/**
 * Plays a random move by clicking, preferably a capture. Waits until the move list has `addedMoves` more moves; a move
 * that the list has already adds none.
 */
export async function playRandomMove(page: Page, random: (limit: number) => number, addedMoves = 1): Promise<void> {
  const before = await moveCount(page);
  // A second click on a piece would deselect it, so each is tried once. In a disc game there is no piece to select.
  const movable = await squareNames(page, '.square.movable');
  for (let tries = 0; movable.length > 0 && tries < 4; tries++) {
    const [square] = movable.splice(random(movable.length), 1);
    await page.locator(`[data-square="${square}"]`).click();
    if (await page.locator('.capture').count()) break;
  }
  // If the targets change between two clicks, a piece may be clicked twice. Then another piece is selected.
  for (let tries = 0; tries < 3 && (await page.locator('.square.open').count()) === 0; tries++) {
    await page.locator('.square.movable, .square.open').first().waitFor();
    if (await page.locator('.square.open').count()) break;
    await page.locator('.square.movable').first().click();
  }
  const captures = await squareNames(page, '.square.open:not([aria-label*=" empty"])');
  const targets = captures.length > 0 ? captures : await squareNames(page, '.square.open');
  if (targets.length === 0) throw new Error('the selected piece has no target');
  await page.locator(`[data-square="${targets[random(targets.length)]}"]`).click();
  await chooseFirstMove(page);
  await page.waitForFunction(
    (count) => document.querySelectorAll('.move-list [data-node]').length >= count,
    before + addedMoves,
  );
}

/** If the page offers several moves, chooses the first. */
export async function chooseFirstMove(page: Page): Promise<void> {
  const choice = page.locator('.move-chooser button').first();
  if (await choice.isVisible()) await choice.click();
}

/** Starts a game with the dialog for a new game. */
export async function startGame(
  page: Page,
  title: string,
  side: number,
  level: number,
  seconds?: string,
  clock?: string,
): Promise<void> {
  const formerGame = await page.locator('.page').getAttribute('data-game');
  await page.getByRole('button', { name: 'New game' }).click();
  await page.locator('.option', { hasText: title }).first().click();
  await page.locator('input[name=side]').nth(side).check({ force: true });
  // The time can be chosen at the highest level; hints take it at every level.
  await page.locator('input[type=range]').fill('10');
  if (clock) await page.locator('select[name=clock]').selectOption({ label: clock });
  if (seconds) await page.locator('select[name=time]').selectOption(seconds);
  await page.locator('input[type=range]').fill(String(level));
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.locator(`.page:not([data-game="${formerGame}"])`).waitFor();
  await page.locator('dialog').waitFor({ state: 'detached' });
  await waitForDialogEntries(page);
}

/** Returns the titles of the games in the dialog for a new game. */
export async function gameTitles(page: Page): Promise<string[]> {
  await page.getByRole('button', { name: 'New game' }).click();
  const titles = await page.locator('.option:has(input[name=game])').allTextContents();
  await page.getByRole('button', { name: 'Cancel' }).click();
  return titles.map((title) => title.trim());
}

/** Opens a text with the share dialog, in any language. */
export async function openText(page: Page, text: string): Promise<void> {
  await page.locator('header .header-button').nth(2).click();
  const dialog = page.locator('dialog.share');
  await dialog.locator('textarea').first().fill(text);
  await dialog.locator('button.primary').first().click();
  await dialog.waitFor({ state: 'detached' });
  await waitForDialogEntries(page);
}

/** Waits until only the open dialogs have entries of the browser history: then the address is written, too. */
export async function waitForDialogEntries(page: Page): Promise<void> {
  const surplus = () => page.evaluate(() => (history.state?.dialogs ?? 0) - document.querySelectorAll('dialog').length);
  await expect.poll(surplus).toBe(0);
}

/** Opens a tab, by its name or its index, if the screen is so narrow that it shows one panel at a time. */
export async function openTab(page: Page, tab: string | number): Promise<void> {
  const tabs = page.locator('.tabs');
  const button = typeof tab === 'number' ? tabs.locator('button').nth(tab) : tabs.getByRole('button', { name: tab });
  if (await button.isVisible()) await button.click();
}

/** Opens the library, in English, and waits for its games. */
export async function openLibrary(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Library', exact: true }).click();
  await page.locator('dialog.library .count').filter({ hasText: 'game' }).waitFor();
}

/** Sets up a position with the setup dialog, and presses one of its buttons. */
export async function setUpPosition(page: Page, fen: string, button: 'Play from here' | 'Analyse'): Promise<void> {
  await page.getByRole('button', { name: 'Set up' }).click();
  const dialog = page.locator('dialog.setup');
  await dialog.getByLabel('Position text').fill(fen);
  await dialog.getByLabel('Position text').blur();
  await dialog.locator('.issues .valid').waitFor();
  await dialog.getByRole('button', { name: button }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** Replaces a part of the requests that a page sends. */
export async function rewriteRequests(page: Page, part: string, replacement: string): Promise<void> {
  await page.routeWebSocket('**/ws', (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => server.send(String(message).replace(part, replacement)));
  });
  await page.addInitScript(
    ([from, to]) => {
      const { postMessage } = Worker.prototype;
      Worker.prototype.postMessage = function (message: { text?: string }) {
        const text = message.text?.replace(from, to);
        postMessage.call(this, text === undefined ? message : { ...message, text });
      };
    },
    [part, replacement] as const,
  );
}
