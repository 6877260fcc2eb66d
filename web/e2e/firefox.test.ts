import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Firefox } from './firefox';
import { StaticServer } from './static-server';
import { findBrowser, seededRandom, siteFolder } from './test-environment';

// The page without a server in Firefox. The network is cut after the first load.

const GAMES = ['Xiangqi', 'Chess', 'Othello'];
const MAX_MOVES = 600;

const path = siteFolder ? findBrowser('Firefox') : undefined;

/** Clicks a button, or what else has a text, in the page. */
function press(firefox: Firefox, text: string, selector = 'button'): Promise<boolean> {
  return firefox.waitFor(
    (wanted, among) => {
      const all = [...document.querySelectorAll<HTMLElement>(among)];
      const names = (one: HTMLElement) => [one.textContent?.trim(), one.getAttribute('aria-label'), one.title];
      const found = all.reverse().find((one) => names(one).includes(wanted) && !one.matches(':disabled, [aria-disabled=true]') && one.offsetParent);
      found?.click();
      return found !== undefined;
    },
    text,
    selector,
  );
}

const moveCount = (firefox: Firefox) => firefox.evaluate(() => document.querySelectorAll('.move-list [data-node]').length);
const hasText = (firefox: Firefox, selector: string, text: string) =>
  firefox.waitFor((one, wanted) => document.querySelector(one)?.textContent?.includes(wanted), selector, text);

/** Waits until the user may move or the game is over. While the computer searches, squares are those of a premove. */
function waitForTurn(firefox: Firefox): Promise<'move' | 'over'> {
  return firefox.waitFor(() => {
    if (document.querySelector('.status.ended')) return 'over';
    if (document.querySelector('.thinking')) return undefined;
    const root = document.querySelector('alfil-board')?.shadowRoot;
    return root?.querySelector('.square.movable, .square.open') ? 'move' : undefined;
  });
}

/** Plays a random move with the mouse, preferably a capture. */
async function playRandomMove(firefox: Firefox, random: (limit: number) => number): Promise<void> {
  const before = await moveCount(firefox);
  const squares = (selector: string) =>
    firefox.evaluate((wanted) => {
      const root = document.querySelector('alfil-board')?.shadowRoot;
      return [...(root?.querySelectorAll(wanted) ?? [])].map((square) => {
        const { x, y, width, height } = square.getBoundingClientRect();
        return [x + width / 2, y + height / 2] as [number, number];
      });
    }, selector);
  let targets: [number, number][] = [];
  // If the board changes between two clicks, another piece is selected.
  for (let tries = 0; tries < 5 && targets.length === 0; tries++) {
    const movable = await squares('.square.movable');
    const from = movable[movable.length > 0 ? random(movable.length) : 0];
    if (from) await firefox.clickAt(...from);
    const captures = await squares('.square.open:not([aria-label*=" empty"])');
    targets = captures.length > 0 ? captures : await squares('.square.open');
  }
  const to = targets[random(Math.max(targets.length, 1))];
  if (!to) throw new Error('no selected piece has a target');
  await firefox.clickAt(...to);
  await firefox.waitFor((count) => {
    document.querySelector<HTMLElement>('.move-chooser button')?.click();
    return document.querySelectorAll('.move-list [data-node]').length > count;
  }, before);
}

/** Opens a text with the share dialog. */
async function openText(firefox: Firefox, text: string): Promise<void> {
  await press(firefox, 'Open or share');
  await firefox.waitFor((pasted) => {
    const field = document.querySelector<HTMLTextAreaElement>('dialog.share textarea');
    if (!field) return false;
    field.value = pasted;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    return true;
  }, text);
  await press(firefox, 'Open', 'dialog.share button');
  await firefox.waitFor(() => !document.querySelector('dialog.share'));
}

describe.skipIf(!path)('the page without a server in Firefox', () => {
  let firefox: Firefox;
  let server: StaticServer | undefined;

  beforeAll(async () => {
    server = await StaticServer.start(siteFolder ?? '');
    firefox = await Firefox.start(path ?? '', 1280, 900);
    await firefox.goto(server.url);
    await firefox.waitFor(() => document.querySelector('alfil-board')?.shadowRoot?.querySelector('.square.movable') !== null);
    await firefox.evaluate(async () => void (await navigator.serviceWorker.ready));
    await server.close();
    server = undefined;
  });

  afterAll(async () => {
    await firefox?.close();
    await server?.close();
  });

  test.each(GAMES)('a whole game of %s against the computer ends with a verdict in words', async (game) => {
    await press(firefox, 'New game');
    await firefox.waitFor((title) => {
      const option = [...document.querySelectorAll<HTMLElement>('.option')].find((one) => one.textContent?.includes(title));
      option?.click();
      return option !== undefined;
    }, game);
    await firefox.evaluate(() => {
      document.querySelector<HTMLInputElement>('input[name=side]')?.click();
      const level = document.querySelector<HTMLInputElement>('input[type=range]');
      if (!level) throw new Error('there is no choice of the level');
      level.value = '1';
      level.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await press(firefox, 'Start');
    await firefox.waitFor((title) => document.querySelector('.game-title')?.textContent === title && !document.querySelector('dialog'), game);
    const random = seededRandom(11);
    let moves = 0;
    while ((await waitForTurn(firefox)) === 'move') {
      await playRandomMove(firefox, random);
      expect(++moves).toBeLessThan(MAX_MOVES);
    }
    expect(await firefox.evaluate(() => document.querySelector('.status.ended')?.textContent ?? '')).toMatch(/wins|[Dd]rawn/);
    // The game is there after the page was loaded again, from no network.
    const played = await moveCount(firefox);
    await firefox.reload();
    await firefox.waitFor((count) => document.querySelectorAll('.move-list [data-node]').length === count, played);
  });

  test('a game is imported, analysed, reviewed and shared', async () => {
    await openText(firefox, '[White "Ada"]\n[Black "Max"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Nf3 Nxh5 1-0');
    await firefox.waitFor(() => document.querySelectorAll('.move-list [data-node]').length === 8);
    // The engine of an analysis runs by itself.
    await firefox.waitFor(() => /depth \d/i.test(document.querySelector('.engine, .engine-panel')?.textContent ?? ''));
    await press(firefox, 'Review the game');
    await firefox.waitFor(() => document.querySelector('.review-words')?.textContent);
    await press(firefox, 'Open or share');
    const link = await firefox.waitFor(() => document.querySelector<HTMLInputElement>('dialog.share input.link')?.value);
    expect(link).toMatch(/#game=chess&pgn=[\w-]+/);
    await firefox.press('\uE00C');
    await firefox.waitFor(() => !document.querySelector('dialog'));
    await firefox.evaluate((address) => void (location.hash = new URL(address).hash), link);
    await firefox.waitFor(() => document.querySelectorAll('.move-list [data-node]').length === 8 && /#game\/\w+\/\d/.test(location.hash));
    await hasText(firefox, '.page', 'Ada');
  });

  test('all games are saved as a file, and the file is read', async () => {
    await press(firefox, 'Open or share');
    await press(firefox, 'Save all games');
    const downloaded = () => readdirSync(firefox.profile).find((name) => name.startsWith('alfil') && name.endsWith('.json'));
    await expect.poll(downloaded, { timeout: 20_000 }).toBeDefined();
    const path = join(firefox.profile, downloaded() ?? '');
    await expect.poll(() => readFileSync(path, 'utf8').endsWith(']}\n'), { timeout: 20_000 }).toBe(true);
    const file = JSON.parse(readFileSync(path, 'utf8')) as { games: { row: { id: string } }[] };
    expect(file.games.length).toBeGreaterThanOrEqual(2);
    // A game that is not here yet.
    const [first] = file.games;
    if (first) first.row.id = 'ffffffffffff';
    await firefox.waitFor((text) => {
      const input = document.querySelector<HTMLInputElement>('input[type=file][accept=".json"]');
      const files = new DataTransfer();
      files.items.add(new File([text], 'games.json', { type: 'application/json' }));
      if (input) input.files = files.files;
      return input?.dispatchEvent(new Event('change', { bubbles: true }));
    }, JSON.stringify(file));
    await hasText(firefox, 'dialog.share', 'Games read: 1');
  });

  test('on a narrow screen nothing is wider than the window, in both languages', async () => {
    await firefox.resize(450, 844);
    for (const language of ['zh', 'en']) {
      await firefox.evaluate((chosen) => localStorage.setItem('alfil.language', chosen), language);
      await firefox.reload();
      expect(await waitForTurn(firefox)).toBeDefined();
      const [wide, width] = await firefox.evaluate(() => [document.documentElement.scrollWidth, innerWidth] as const);
      expect(wide).toBeLessThanOrEqual(width);
    }
  });
});
