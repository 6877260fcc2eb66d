import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Stage, browserProgram, chance, clickMove, moves, start, turn } from './stage';

const program = browserProgram();
const DESKTOP = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true };

let stage: Stage;
let troubles: string[];

beforeAll(async () => {
  if (program) stage = await Stage.raise(program);
});
afterAll(async () => stage?.close());

async function open(options: BrowserContextOptions, prepare?: (page: Page) => Promise<void>): Promise<Page> {
  troubles = [];
  return stage.open(options, troubles, prepare);
}

async function done(page: Page): Promise<void> {
  expect(troubles).toEqual([]);
  await page.context().close();
}

describe.skipIf(!program)('games by the clock, and games that are kept', () => {
  for (const [size, options] of [['desktop', DESKTOP], ['phone', PHONE]] as const) {
    test(`both clocks stand beside the players, run in turn and are there after a reload; ${size}`, async () => {
      const page = await open(options);
      await start(page, 'Xiangqi', 0, 1, undefined, '5 min + 3 s');
      const faces = () => page.locator('.clock').allTextContents();
      expect(await faces()).toEqual(['5:00', '5:00']);
      expect(await page.locator('.clock.running').count()).toBe(0);
      await clickMove(page, chance(31));
      await turn(page);
      // The person is below; the computer has moved and got its increment.
      await expect.poll(() => page.locator('.clock.running').count()).toBe(1);
      await expect.poll(async () => (await faces())[1]).toMatch(/^4:/);
      expect((await faces())[0]).toMatch(/^5:0/);
      await page.reload();
      await page.waitForSelector('.square.movable');
      expect((await faces())[1]).toMatch(/^4:/);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      await done(page);
    });
  }

  test('whose flag falls has lost, in words, and the same clock is offered again', async () => {
    const page = await open(DESKTOP, async (fresh) => {
      // A minute is longer than a test should last: the server is asked for two seconds.
      await fresh.routeWebSocket('**/ws', (socket) => {
        const server = socket.connectToServer();
        socket.onMessage((message) => server.send(String(message).replace('"base":60000', '"base":2000')));
      });
    });
    await start(page, 'Xiangqi', 0, 1, undefined, '1 min + 0 s');
    await clickMove(page, chance(32));
    await page.locator('.status.ended').waitFor({ timeout: 30_000 });
    expect(await page.locator('.status').textContent()).toMatch(/^(Red|Black) has run out of time: (Red|Black) wins$/);
    expect(await page.locator('.square.movable').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Take back' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Analyse' }).click();
    await page.waitForSelector('.square.movable');
    await done(page);
  });

  test('moves are numbered from the side and the number of the position text', async () => {
    const page = await open(DESKTOP);
    await start(page, 'Chess', 0, 1);
    await page.getByRole('button', { name: 'Set up' }).click();
    const dialog = page.locator('dialog.setup');
    await dialog.getByLabel('Position text').fill('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 7');
    await dialog.getByLabel('Position text').blur();
    await dialog.locator('.faults .fine').waitFor();
    await dialog.getByRole('button', { name: 'Analyse' }).click();
    await dialog.waitFor({ state: 'detached' });
    for (const [from, to] of [['e7', 'e5'], ['g1', 'f3']]) {
      await page.locator(`.square.movable[data-square="${from}"]`).click();
      await page.locator(`.square.open[data-square="${to}"]`).click();
      await page.locator(`.square[data-square="${to}"][aria-label*="last"], .record .current`).first().waitFor();
    }
    await expect.poll(() => moves(page)).toBe(2);
    expect(await page.locator('.record li').allTextContents()).toEqual([expect.stringMatching(/^7\.….*e5$/), expect.stringMatching(/^8\..*f3$/)]);
    await done(page);
  });

  test('back and forward lead from game to game, one in which nothing was played yet included', async () => {
    const page = await open(DESKTOP);
    const named = (name: string, played: number) =>
      expect.poll(async () => [await page.locator('.what').textContent(), await moves(page)]).toEqual([name, played]);
    await clickMove(page, chance(33));
    await turn(page);
    await start(page, 'Othello', 0, 1);
    await page.goBack();
    await named('Xiangqi', 2);
    await page.goForward();
    await named('Othello', 0);
    await page.reload();
    await page.waitForSelector('.square.open');
    await named('Othello', 0);
    await page.goBack();
    await named('Xiangqi', 2);
    await done(page);
  });

  test('every game that is kept can be reached: by its address and by the list', async () => {
    const page = await open(DESKTOP);
    const first = await page.evaluate(async () => {
      const socket = new WebSocket(`ws://${location.host}/ws`);
      await new Promise((opened) => (socket.onopen = opened));
      const ids: string[] = [];
      for (let id = 1; id <= 105; id++) {
        const answered = new Promise<string>((done) => (socket.onmessage = ({ data }) => done(data)));
        socket.send(JSON.stringify({ id, do: 'new', game: 'xiangqi', moves: ['h2e2', 'h9g7'] }));
        ids.push(JSON.parse(await answered).game.id);
      }
      socket.close();
      return ids[0];
    });
    await page.goto(`${stage.url}#game/${first}/1`);
    await page.reload();
    await expect.poll(() => moves(page)).toBe(2);
    expect(page.url()).toContain(`${first}/1`);
    await page.getByRole('button', { name: 'Open or share' }).click();
    await expect.poll(() => page.locator('.kept li').count()).toBe(100);
    expect(await page.locator('.kept [aria-current=true]').count()).toBe(0);
    await page.getByRole('button', { name: 'More games' }).click();
    await page.locator('.kept [aria-current=true]').waitFor();
    // Thrown away, the game on the board goes on as a new one.
    await page.locator('.kept li:has([aria-current=true])').getByRole('button', { name: 'Delete this game' }).click();
    await expect.poll(() => page.locator('.kept [aria-current=true]').count()).toBe(0);
    await page.keyboard.press('Escape');
    expect(page.url()).not.toContain(first);
    await page.goto(`${stage.url}#game/${first}/1`);
    await page.reload();
    await page.locator('.trouble', { hasText: 'No game is saved here' }).waitFor();
    await done(page);
  });
});
