import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Page, chromium } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { StaticServer } from './static-server';
import {
  DESKTOP,
  findBrowser,
  moveCount,
  openText,
  playRandomMove,
  seededRandom,
  siteFolder,
  startGame,
  useTestEnvironment,
  waitForTurn,
} from './test-environment';

// The page without a server, and links, with a server and without one. Which other files run for both pages is in
// `xtask/src/test.rs`.

/** For pages that are being loaded on a busy machine. */
const LONG_TIMEOUT = { timeout: 20_000 };

const { available, url, newContext, openPage, closePage } = useTestEnvironment();

/** Lets a test end the workers of a page. */
async function watchWorkers(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const workers: Worker[] = [];
    Object.assign(window, { workers });
    const NativeWorker = Worker;
    window.Worker = class extends NativeWorker {
      constructor(address: string | URL, options?: WorkerOptions) {
        super(address, options);
        workers.push(this);
      }
    };
  });
}

/** Ends the worker of a page as a browser does that has no memory left. */
async function killWorker(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { workers } = window as unknown as { workers: Worker[] };
    const last = workers[workers.length - 1];
    last?.terminate();
    last?.dispatchEvent(new ErrorEvent('error'));
  });
}

/** Returns the moves of the list as texts. */
const moves = (page: Page) => page.locator('.move-list [data-node]').allTextContents();

/** Starts an analysis of xiangqi, in which a click needs no reply. */
async function startAnalysis(page: Page): Promise<void> {
  await openText(page, 'h2e2 h9g7');
  await page.waitForSelector('.square.movable');
  await page.keyboard.press('Escape');
}

describe.skipIf(!available || !siteFolder)('the page without a server', () => {
  test('on a first visit a move can be made before the module is loaded', async () => {
    for (const [locale, label] of [['en-GB', /1\.\s*[A-Z]/], ['zh-CN', /1\.\s*[一-龥]/]] as const) {
      const context = await newContext({ ...DESKTOP, locale, serviceWorkers: 'block' });
      const page = await context.newPage();
      let release = () => {};
      const isReleased = new Promise<void>((resolve) => (release = resolve));
      await context.route('**/*.wasm', async (route) => {
        await isReleased;
        await route.continue();
      });
      await page.goto(url());
      await page.locator('.square.movable').last().click();
      await page.locator('.square.open').first().click();
      expect(await page.locator('.square.movable').count()).toBe(0);
      const pieces = (each: Page) => each.locator('.piece').count();
      expect([await pieces(page), await moveCount(page)]).toEqual([32, 0]);
      release();
      // The move is played, and the computer replies. The game is saved under the id that the page has given it.
      await expect.poll(() => moveCount(page), LONG_TIMEOUT).toBe(2);
      expect(await page.locator('.move-list').innerText()).toMatch(label);
      const played = await moves(page);
      await page.reload();
      await expect.poll(() => moves(page), LONG_TIMEOUT).toEqual(played);
      await context.close();
    }
  });

  test('edits can be undone and redone after the page was loaded again', async () => {
    const page = await openPage(DESKTOP);
    await startAnalysis(page);
    await playRandomMove(page, seededRandom(3));
    await playRandomMove(page, seededRandom(4));
    const played = await moves(page);
    expect(played.length).toBe(4);
    await page.keyboard.press('Control+z');
    await expect.poll(() => moveCount(page), LONG_TIMEOUT).toBe(3);
    await page.reload();
    await page.waitForSelector('.square.movable');
    await expect.poll(() => moveCount(page), LONG_TIMEOUT).toBe(3);
    await page.keyboard.press('Control+Shift+z');
    await expect.poll(() => moves(page), LONG_TIMEOUT).toEqual(played);
    for (const left of [3, 2]) {
      await page.keyboard.press('Control+z');
      await expect.poll(() => moveCount(page), LONG_TIMEOUT).toBe(left);
    }
    await closePage(page);
  });

  test('the worker is ended at fifty moments, and no move is lost that was shown as played', async () => {
    const page = await openPage(DESKTOP, watchWorkers);
    await startAnalysis(page);
    const random = seededRandom(7);
    let known = await moves(page);
    for (let round = 0; round < 50; round++) {
      // A random moment: before, during or after the answer to a move.
      await page.evaluate((delay) => {
        const root = document.querySelector('alfil-board')?.shadowRoot;
        const movable = [...(root?.querySelectorAll<HTMLElement>('.square.movable') ?? [])];
        movable[delay % movable.length]?.click();
        root?.querySelector<HTMLElement>('.square.open')?.click();
      }, random(1000));
      await page.waitForTimeout(random(30));
      const shown = await moves(page);
      await killWorker(page);
      // There is no server, and no connection that is lost.
      expect(await page.locator('body').innerText()).not.toMatch(/server|connection/i);
      await page.locator('.status', { hasText: 'starting again' }).waitFor({ state: 'detached' });
      await page.waitForSelector('.square.movable');
      const after = await moves(page);
      expect(after.slice(0, shown.length)).toEqual(shown);
      expect(shown.length).toBeGreaterThanOrEqual(known.length);
      known = after;
      if (round % 10 === 9) {
        await page.reload();
        await page.waitForSelector('.square.movable');
        await expect.poll(() => moves(page), LONG_TIMEOUT).toEqual(known);
      }
    }
    expect(known.length).toBeGreaterThan(10);
    await closePage(page);
  });

  test('two windows on one game see each other\'s moves, and neither overwrites the other', async () => {
    const page = await openPage(DESKTOP);
    await startAnalysis(page);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.waitForSelector('.square.movable');
    for (let round = 0; round < 6; round++) {
      const [one, two] = round % 2 ? [page, other] : [other, page];
      const before = await moveCount(one);
      // A window in the background is drawn so seldom that a click takes seconds.
      await one.bringToFront();
      await playRandomMove(one, seededRandom(round + 20));
      await expect.poll(() => moveCount(two), LONG_TIMEOUT).toBe(before + 1);
      expect(await moves(two)).toEqual(await moves(one));
    }
    // Both at once: one of them wins, and both show the same.
    const click = (each: Page) =>
      each.evaluate(() => {
        const root = document.querySelector('alfil-board')?.shadowRoot;
        root?.querySelector<HTMLElement>('.square.movable')?.click();
        root?.querySelector<HTMLElement>('.square.open')?.click();
      });
    await Promise.all([click(page), click(other)]);
    await expect.poll(async () => (await moves(other)).join() === (await moves(page)).join(), LONG_TIMEOUT).toBe(true);
    const last = await moves(page);
    await page.reload();
    await expect.poll(() => moves(page), LONG_TIMEOUT).toEqual(last);
    await page.context().close();
  });

  test('a full disk is reported in words, and the page shows what is saved', async () => {
    const context = await newContext({ ...DESKTOP, serviceWorkers: 'block' });
    const page = await context.newPage();
    // The worker finds the disk full when the test says so.
    const full = `{
      const { put } = IDBObjectStore.prototype;
      let isFull = false;
      new BroadcastChannel('test').onmessage = ({ data }) => (isFull = data);
      IDBObjectStore.prototype.put = function (...args) {
        if (isFull) throw new DOMException('The disk is full', 'QuotaExceededError');
        return put.apply(this, args);
      };
    }\n`;
    await page.route('**/page-worker-*.js', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: full + (await response.text()) });
    });
    const setFull = (isFull: boolean) =>
      page.evaluate((value) => new BroadcastChannel('test').postMessage(value), isFull);
    await page.goto(url());
    await page.waitForSelector('.square.movable');
    await startAnalysis(page);
    const saved = await moves(page);
    await setFull(true);
    await page.locator('.square.movable').first().click();
    await page.locator('.square.open').first().click();
    await page.locator('.error-banner', { hasText: 'no more space' }).waitFor();
    await expect.poll(() => moves(page), LONG_TIMEOUT).toEqual(saved);
    // The list of games is shown although what is found for it cannot be saved, and the worker goes on.
    let newWorkers = 0;
    page.on('worker', (worker) => (newWorkers += Number(worker.url().includes('page-worker'))));
    await page.getByRole('button', { name: 'Library', exact: true }).click();
    await page.locator('dialog.library .library-row').first().waitFor();
    expect(newWorkers).toBe(0);
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await setFull(false);
    await playRandomMove(page, seededRandom(5));
    const after = await moves(page);
    expect(after.length).toBe(saved.length + 1);
    await page.reload();
    await expect.poll(() => moves(page), LONG_TIMEOUT).toEqual(after);
    // The computer moves first, and its move cannot be saved. The game goes on, and is saved with the next move.
    await setFull(true);
    await startGame(page, 'Othello', 1, 3);
    await page.locator('.error-banner', { hasText: 'no more space' }).waitFor();
    await expect.poll(() => moveCount(page), LONG_TIMEOUT).toBe(1);
    await setFull(false);
    await playRandomMove(page, seededRandom(6));
    expect(await waitForTurn(page)).toBe('move');
    const played = await moves(page);
    expect(played.length).toBe(3);
    await page.reload();
    await expect.poll(() => moves(page), LONG_TIMEOUT).toEqual(played);
    await context.close();
  });

  test('all games are saved as one file, and another browser reads it', async () => {
    const page = await openPage(DESKTOP);
    const two = '[Event "Cup"]\n[White "Anna"]\n[Black "Bert"]\n\n1. e4 e5 (1... c5 2. Nf3) 2. Nf3 {good} *\n\n[Event "Cup"]\n\n1. d4 *\n';
    await openText(page, two);
    await page.locator('.library-import', { hasText: '2 games imported.' }).waitFor();
    await page.keyboard.press('Escape');
    await openText(page, '1. c4 *');
    await page.getByRole('button', { name: 'Open or share' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save all games' }).click(),
    ]);
    const path = await download.path();
    const file = JSON.parse(readFileSync(path, 'utf8'));
    expect([file.games.length, file.collections.length]).toEqual([3, 1]);
    const other = await openPage(DESKTOP);
    await other.getByRole('button', { name: 'Open or share' }).click();
    await other.locator('input[type=file][accept=".json"]').setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer: Buffer.from('{"games":1}') });
    await other.locator('.error-banner', { hasText: 'no file of all games' }).waitFor();
    // A file with an incomplete game is refused as a whole, and the page goes on.
    const damaged = JSON.parse(readFileSync(path, 'utf8')) as { games: { row: { record?: unknown } }[] };
    delete damaged.games[1]?.row.record;
    const buffer = Buffer.from(JSON.stringify(damaged));
    await other.locator('input[type=file][accept=".json"]').setInputFiles({ name: 'b.json', mimeType: 'application/json', buffer });
    await other.locator('.error-banner', { hasText: 'game 2 of this file is damaged' }).waitFor();
    await other.locator('input[type=file][accept=".json"]').setInputFiles(path);
    await other.getByText('Games read: 3').waitFor();
    expect(await other.locator('.saved-games li').count()).toBe(1);
    await other.getByRole('button', { name: 'Library', exact: true }).last().click();
    await other.getByRole('searchbox').fill('cup');
    await expect.poll(() => other.locator('.library-row').count(), LONG_TIMEOUT).toBe(2);
    await other.locator('.library-row .row-players', { hasText: 'Anna' }).click();
    await expect.poll(() => moveCount(other), LONG_TIMEOUT).toBe(5);
    await closePage(page);
    await closePage(other);
  });

  test('the player shows games of each kind, and says where one stops', async () => {
    const page = await (await newContext(DESKTOP)).newPage();
    await page.goto(`${url()}player/examples.html`);
    const moves = (id: string) => page.locator(`#${id} li`).allTextContents();
    await expect.poll(() => moves('xiangqi'), LONG_TIMEOUT).toEqual(['1. C2.5', 'N8+7', '2. N2+3', 'R9.8', '3. R1.2', 'C8+4']);
    await expect.poll(async () => (await moves('chess')).length, LONG_TIMEOUT).toBe(45);
    await expect.poll(async () => (await moves('othello')).length, LONG_TIMEOUT).toBe(6);
    // Six moves were played: the queen has given check.
    expect(await page.locator('#chess [data-square="h4"]').getAttribute('aria-label')).toContain('queen');
    // The arrow keys step through the game after a click on its board, and after a click that has disabled its button.
    const current = page.locator('#xiangqi li button[aria-current]');
    await page.locator('#xiangqi alfil-board').click();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => current.textContent(), LONG_TIMEOUT).toBe('C2.5');
    await page.locator('#xiangqi').getByRole('button', { name: 'Last position' }).click();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => current.textContent(), LONG_TIMEOUT).toBe('R1.2');
    // On a square of the board they move the focus between the squares.
    await page.locator('#xiangqi [data-square="e0"]').focus();
    await page.keyboard.press('ArrowLeft');
    expect(await current.textContent()).toBe('R1.2');
    await page.locator('#othello').evaluate((player) => player.setAttribute('pgn', 'f5 d6 a1'));
    await page.locator('#othello .problem', { hasText: 'The game stops here' }).waitFor();
    expect((await moves('othello')).length).toBe(2);
    await page.context().close();
  });

  test('a new version is offered, and taken when the user wants it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'alfil-site-'));
    cpSync(siteFolder ?? '', folder, { recursive: true });
    const server = await StaticServer.start(folder);
    const context = await newContext(DESKTOP);
    const page = await context.newPage();
    await page.goto(server.url);
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    const change = (file: string, from: string, to: string) => {
      const text = readFileSync(join(folder, file), 'utf8');
      expect(text).toContain(from);
      writeFileSync(join(folder, file), text.replace(from, to));
    };
    change('index.html', '<title>Alfil</title>', '<title>Alfil, newer</title>');
    change('service-worker.js', "VERSION = '", "VERSION = 'newer");
    await page.reload();
    await page.waitForSelector('.new-version');
    expect(await page.title()).toBe('Alfil');
    await page.reload();
    expect(await page.title()).toBe('Alfil');
    await page.locator('.new-version button').first().click();
    await expect.poll(() => page.title().catch(() => ''), LONG_TIMEOUT).toBe('Alfil, newer');
    await context.close();
    await server.close();
    rmSync(folder, { recursive: true });
  });

  test('a browser can install the page', async () => {
    // A private window installs nothing.
    const profile = mkdtempSync(join(tmpdir(), 'alfil-profile-'));
    const context = await chromium.launchPersistentContext(profile, { executablePath: findBrowser(), args: ['--no-sandbox'] });
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await page.goto(url());
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    const { errors, url: address } = await session.send('Page.getAppManifest');
    expect([errors, address]).toEqual([[], `${url()}manifest.webmanifest`]);
    expect(await session.send('Page.getInstallabilityErrors')).toEqual({ installabilityErrors: [] });
    // The examples are no app.
    await page.goto(`${url()}player/examples.html`);
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(['no-manifest']);
    await context.close();
    rmSync(profile, { recursive: true });
  });

  test('on a cross-origin isolated page a search is stopped without a new worker', async () => {
    const headers = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };
    const server = await StaticServer.start(siteFolder ?? '', headers);
    const context = await newContext(DESKTOP);
    const page = await context.newPage();
    let workers = 0;
    page.on('worker', () => workers++);
    await page.goto(server.url);
    await page.waitForSelector('.square.movable');
    await startGame(page, 'Othello', 0, 3);
    await playRandomMove(page, seededRandom(3));
    expect(await waitForTurn(page)).toBe('move');
    const before = workers;
    await page.getByRole('button', { name: 'Analyse' }).click();
    await page.locator('.lines li').first().waitFor();
    // A step removes the lines of the former position; the next ones come from a search that follows the stopped one.
    for (const [key, node] of [['ArrowLeft', '1'], ['ArrowLeft', null], ['ArrowRight', '1']] as const) {
      await page.keyboard.press(key);
      const current = page.locator('.move-list .current');
      await expect.poll(async () => ((await current.count()) ? current.getAttribute('data-node') : null)).toBe(node);
      await page.locator('.lines li').first().waitFor();
    }
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    expect(workers).toBe(before);
    await context.close();
    await server.close();
  });
});

describe.skipIf(!available)('links', () => {
  const PGN = '[White "Anna"]\n[Black "Bert"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n';

  test('a shared link opens the game at the ply, in another browser', async () => {
    const page = await openPage(DESKTOP);
    await openText(page, PGN);
    await expect.poll(() => moveCount(page), LONG_TIMEOUT).toBe(6);
    await page.keyboard.press('End');
    for (let step = 0; step < 2; step++) await page.keyboard.press('ArrowLeft');
    await expect.poll(() => page.url(), LONG_TIMEOUT).toMatch(/\/4$/);
    await page.getByRole('button', { name: 'Open or share' }).click();
    await expect.poll(() => page.locator('input.link').inputValue(), LONG_TIMEOUT).toMatch(/#game=chess&pgn=[\w-]+&ply=4$/);
    const link = await page.locator('input.link').inputValue();
    expect(link.length).toBeLessThan(2000);
    await closePage(page);
    const other = await (await newContext({ ...DESKTOP, locale: 'zh-CN' })).newPage();
    await other.goto(link);
    await expect.poll(() => moveCount(other), LONG_TIMEOUT).toBe(6);
    await expect.poll(() => other.url(), LONG_TIMEOUT).toMatch(/#game\/\w+\/4$/);
    await other.context().close();
  });

  test('links written by hand open positions and moves, and damaged ones say so', async () => {
    const context = await newContext(DESKTOP);
    const page = await context.newPage();
    await page.goto(`${url()}#game=xiangqi&moves=h2e2.h9g7.h0g2&ply=2`);
    await expect.poll(() => moveCount(page), LONG_TIMEOUT).toBe(3);
    await expect.poll(() => page.url(), LONG_TIMEOUT).toMatch(/\/2$/);
    await page.goto(`${url()}#fen=8/8/8/4k3/8/8/4P3/4K3+w+-+-+0+1`);
    await expect.poll(() => page.locator('[data-square="e5"]').getAttribute('aria-label'), LONG_TIMEOUT).toContain('king');
    await page.goto(`${url()}#pgn=AAAA`);
    await page.locator('.error-banner', { hasText: 'cannot be read' }).waitFor();
    await page.goto(`${url()}#game=chess&fen=<img src=x onerror=alert(1)>`);
    await page.locator('.error-banner').waitFor();
    expect(await page.locator('img').count()).toBe(0);
    await page.reload();
    await page.waitForSelector('.square.movable');
    await context.close();
  });
});
