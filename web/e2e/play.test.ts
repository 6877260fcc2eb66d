import type { BrowserContextOptions, Page, WebSocketRoute } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Stage, browserProgram, chance, clickMove, games, moves, start, turn } from './stage';

const program = browserProgram();
const DESKTOP = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true };
/** No game is longer: the rule books end it by repetition or by too many moves without a capture. */
const LONGEST = 600;

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

async function playOut(page: Page, seed: number): Promise<void> {
  const random = chance(seed);
  for (let ply = 0; ply < LONGEST; ply++) {
    const what = await turn(page);
    if (what === 'over') return;
    await clickMove(page, random);
  }
  throw new Error(`no end after ${LONGEST} moves`);
}

describe.skipIf(!program)('the page in a browser', () => {
  test('the first look: the board is there, it is our move, and the first click plays', async () => {
    const page = await open(DESKTOP);
    expect(await page.locator('.status').textContent()).toBe('Your move');
    const board = await page.locator('alfil-board').boundingBox();
    expect(board?.height).toBeGreaterThan(600);
    await page.locator('.square.movable').first().click();
    expect(await page.locator('.square.open').count()).toBeGreaterThan(0);
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  test('ten moves by clicking, and every one is answered', async () => {
    const page = await open(DESKTOP);
    const random = chance(7);
    for (let played = 1; played <= 10; played++) {
      expect(await turn(page)).toBe('move');
      await clickMove(page, random);
      const what = await turn(page);
      if (what === 'over') break;
      expect(await moves(page)).toBe(2 * played);
    }
    expect(await moves(page)).toBeGreaterThan(10);
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  test('one whole game of each kind against a weakened computer, to its end in words', async () => {
    const page = await open(DESKTOP);
    for (const game of await games(page)) {
      await start(page, game, 0, 1);
      await playOut(page, 11);
      expect(await page.locator('.status.ended').textContent()).toMatch(/wins|[Dd]rawn/);
      expect(await page.locator('.square.movable, .square.open').count()).toBe(0);
      await page.getByRole('button', { name: 'Play again' }).click();
      await page.waitForFunction(() => document.querySelectorAll('.record [data-node]').length === 0);
      expect(await turn(page)).toBe('move');
    }
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  test('every game of the list is played from either side, and nothing of the last game stays on the board', async () => {
    const page = await open(DESKTOP);
    for (const [number, game] of (await games(page)).entries()) {
      for (const side of [0, 1]) {
        await start(page, game, side, 1);
        const random = chance(100 + number);
        for (let played = 0; played < 3; played++) {
          if ((await turn(page)) === 'move') await clickMove(page, random);
        }
        await turn(page);
        expect(await page.locator('.what').textContent()).toBe(game);
        await page.waitForTimeout(700);
        const [men, named] = await page.evaluate(() => {
          const root = document.querySelector('alfil-board')?.shadowRoot;
          const cells = [...(root?.querySelectorAll('[role=gridcell]') ?? [])];
          const taken = cells.filter((cell) => !cell.getAttribute('aria-label')?.includes(' empty'));
          return [root?.querySelectorAll('.man').length, taken.length];
        });
        expect(men).toBe(named);
      }
    }
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  test('a drag moves a man; taking back undoes it and its answer; the board turns with its names', async () => {
    const page = await open(DESKTOP);
    const from = page.locator('.square.movable').last();
    const name = await from.getAttribute('data-square');
    await from.click();
    const to = page.locator('.square.open').first();
    const [a, b] = [await from.boundingBox(), await to.boundingBox()];
    if (!a || !b) throw new Error('squares without a place');
    await page.keyboard.press('Escape');
    await page.mouse.move(a.x + a.width / 2, a.y + a.height / 2);
    await page.mouse.down();
    await page.mouse.move(b.x + b.width / 2, b.y + b.height / 2, { steps: 5 });
    await page.mouse.up();
    await page.waitForFunction(() => document.querySelectorAll('.record [data-node]').length === 2);
    await page.getByRole('button', { name: 'Take back' }).click();
    await page.waitForFunction(() => document.querySelectorAll('.record [data-node]').length === 0);
    expect(await page.getByRole('button', { name: 'Take back' }).isDisabled()).toBe(true);

    await page.getByRole('button', { name: 'Flip' }).click();
    const flipped = await page.locator(`.square[data-square="${name}"]`).boundingBox();
    expect(flipped?.y).toBeLessThan(a.y);
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  test('a move by keys alone', async () => {
    const page = await open(DESKTOP);
    await page.locator('.square[tabindex="0"]').focus();
    for (let step = 0; step < 40 && !(await page.locator('.square.open').count()); step++) {
      await page.keyboard.press('Enter');
      if (await page.locator('.square.open').count()) break;
      await page.keyboard.press(step % 4 === 3 ? 'ArrowUp' : 'ArrowLeft');
    }
    await page.locator('.square.open').first().focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelectorAll('.record [data-node]').length === 2);
    await page.context().close();
  });

  test('a lost connection is said, and play goes on when it is back', async () => {
    const sockets: WebSocketRoute[] = [];
    let refuse = false;
    const page = await open(DESKTOP, async (fresh) => {
      await fresh.routeWebSocket('**/ws', async (socket) => {
        if (refuse) return socket.close();
        socket.connectToServer();
        sockets.push(socket);
      });
    });
    await clickMove(page, chance(3));
    expect(await turn(page)).toBe('move');
    refuse = true;
    await sockets[0]?.close();
    await page.locator('.status', { hasText: 'connection to the server is lost' }).waitFor();
    // What is played meanwhile waits for the server.
    await page.locator('.square.movable').first().click();
    await page.locator('.square.open').first().click();
    refuse = false;
    await page.waitForFunction(() => document.querySelectorAll('.record [data-node]').length === 4);
    expect(await turn(page)).toBe('move');
    expect(sockets.length).toBe(2);
    await page.context().close();
  });

  for (const scheme of ['light', 'dark'] as const) {
    test(`on a phone nothing scrolls sideways and a tap plays, ${scheme}`, async () => {
      const page = await open({ ...PHONE, colorScheme: scheme });
      for (const game of await games(page)) {
        await start(page, game, 0, 1);
        await turn(page);
        const [wide, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        expect(wide).toBeLessThanOrEqual(window ?? 0);
        const board = await page.locator('alfil-board').boundingBox();
        expect(board?.width).toBeGreaterThan(330);
      }
      const man = page.locator('.square.movable, .square.open').first();
      await man.tap();
      expect(troubles).toEqual([]);
      await page.context().close();
    });
  }
});
