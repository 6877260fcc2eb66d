import type { Page, WebSocketRoute } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import {
  DESKTOP,
  PHONE,
  gameTitles,
  isLong,
  moveCount,
  onServer,
  playRandomMove,
  seededRandom,
  startGame,
  useTestEnvironment,
  waitForTurn,
} from './test-environment';

/** No game is longer, because every ruleset ends it by repetition or after too many moves without a capture. */
const MAX_MOVES = 600;

const { available, openPage, closePage } = useTestEnvironment();

/** Waits until the move list has a number of moves. */
async function waitForMoveCount(page: Page, count: number): Promise<void> {
  await page.waitForFunction(
    (expected) => document.querySelectorAll('.move-list [data-node]').length === expected,
    count,
  );
}

/** Plays random moves until the game is over. */
async function playToEnd(page: Page, seed: number): Promise<void> {
  const random = seededRandom(seed);
  for (let ply = 0; ply < MAX_MOVES; ply++) {
    if ((await waitForTurn(page)) === 'over') return;
    await playRandomMove(page, random);
  }
  throw new Error(`the game did not end after ${MAX_MOVES} moves`);
}

describe.skipIf(!available)('playing against the computer', () => {
  test('on the first visit the board is shown, the user is to move, and the first click selects a piece', async () => {
    const page = await openPage(DESKTOP);
    expect(await page.locator('.status').textContent()).toBe('Your move');
    const board = await page.locator('alfil-board').boundingBox();
    expect(board?.height).toBeGreaterThan(600);
    await page.locator('.square.movable').first().click();
    expect(await page.locator('.square.open').count()).toBeGreaterThan(0);
    await closePage(page);
  });

  test('the computer replies to ten moves made by clicking', async () => {
    const page = await openPage(DESKTOP);
    const random = seededRandom(7);
    for (let played = 1; played <= 10; played++) {
      expect(await waitForTurn(page)).toBe('move');
      await playRandomMove(page, random);
      if ((await waitForTurn(page)) === 'over') break;
      expect(await moveCount(page)).toBe(2 * played);
    }
    expect(await moveCount(page)).toBeGreaterThan(10);
    await closePage(page);
  });

  test("the computer's bar says that its move comes from the opening book", async () => {
    const page = await openPage(DESKTOP);
    await startGame(page, 'Othello', 0, 10);
    await playRandomMove(page, seededRandom(3));
    const note = page.locator('.from-book');
    await note.waitFor();
    expect(await note.textContent()).toBe('opening book');
    expect(await waitForTurn(page)).toBe('move');
    await page.keyboard.press('ArrowLeft');
    await note.waitFor({ state: 'detached' });
    await closePage(page);
  });

  // Without a server, whole games are played in Firefox.
  test.runIf(onServer || isLong)('a whole game of each kind at level 1 ends with a verdict in words', async () => {
    const page = await openPage(DESKTOP);
    for (const game of await gameTitles(page)) {
      await startGame(page, game, 0, 1);
      await playToEnd(page, 11);
      expect(await page.locator('.status.ended').textContent()).toMatch(/wins|[Dd]rawn/);
      expect(await page.locator('.square.movable, .square.open').count()).toBe(0);
      await page.getByRole('button', { name: 'Play again' }).click();
      await waitForMoveCount(page, 0);
      expect(await waitForTurn(page)).toBe('move');
    }
    await closePage(page);
  });

  test('every game can be played from either side, and no piece of the former game stays on the board', async () => {
    const page = await openPage(DESKTOP);
    for (const [number, game] of (await gameTitles(page)).entries()) {
      for (const side of [0, 1]) {
        await startGame(page, game, side, 1);
        const random = seededRandom(100 + number);
        for (let played = 0; played < 3; played++) {
          if ((await waitForTurn(page)) === 'move') await playRandomMove(page, random);
        }
        await waitForTurn(page);
        expect(await page.locator('.game-title').textContent()).toBe(game);
        // A piece that is being captured is drawn until its animation ends.
        const surplus = () =>
          page.evaluate(() => {
            const root = document.querySelector('alfil-board')?.shadowRoot;
            const cells = [...(root?.querySelectorAll('[role=gridcell]') ?? [])];
            const occupied = cells.filter((cell) => !cell.getAttribute('aria-label')?.includes(' empty'));
            return (root?.querySelectorAll('.piece').length ?? NaN) - occupied.length;
          });
        await expect.poll(surplus).toBe(0);
      }
    }
    await closePage(page);
  });

  test('dragging moves a piece, taking back removes the move and the reply, and flipping turns the board', async () => {
    const page = await openPage(DESKTOP);
    const from = page.locator('.square.movable').last();
    const name = await from.getAttribute('data-square');
    await from.click();
    const to = page.locator('.square.open').first();
    const [a, b] = [await from.boundingBox(), await to.boundingBox()];
    if (!a || !b) throw new Error('a square is not visible');
    await page.keyboard.press('Escape');
    await page.mouse.move(a.x + a.width / 2, a.y + a.height / 2);
    await page.mouse.down();
    await page.mouse.move(b.x + b.width / 2, b.y + b.height / 2, { steps: 5 });
    await page.mouse.up();
    await waitForMoveCount(page, 2);
    await page.getByRole('button', { name: 'Take back' }).click();
    await waitForMoveCount(page, 0);
    await expect.poll(() => page.getByRole('button', { name: 'Take back' }).isDisabled()).toBe(true);

    await page.getByRole('button', { name: 'Flip' }).click();
    const flipped = () => page.locator(`.square[data-square="${name}"]`).boundingBox();
    await expect.poll(async () => (await flipped())?.y).toBeLessThan(a.y);
    await closePage(page);
  });

  test('a move can be made with the keyboard alone', async () => {
    const page = await openPage(DESKTOP);
    await page.locator('.square[tabindex="0"]').focus();
    for (let step = 0; step < 40 && !(await page.locator('.square.open').count()); step++) {
      await page.keyboard.press('Enter');
      if (await page.locator('.square.open').count()) break;
      await page.keyboard.press(step % 4 === 3 ? 'ArrowUp' : 'ArrowLeft');
    }
    await page.locator('.square.open').first().focus();
    await page.keyboard.press('Enter');
    await waitForMoveCount(page, 2);
    await page.context().close();
  });

  test.runIf(onServer)('a lost connection is shown, and the game continues after the reconnection', async () => {
    const sockets: WebSocketRoute[] = [];
    let refuse = false;
    const page = await openPage(DESKTOP, async (newPage) => {
      await newPage.routeWebSocket('**/ws', async (socket) => {
        if (refuse) return socket.close();
        socket.connectToServer();
        sockets.push(socket);
      });
    });
    await playRandomMove(page, seededRandom(3));
    expect(await waitForTurn(page)).toBe('move');
    refuse = true;
    await sockets[0]?.close();
    await page.locator('.status', { hasText: 'connection to the server is lost' }).waitFor();
    // A move that is made without a connection is sent later.
    await page.locator('.square.movable').first().click();
    await page.locator('.square.open').first().click();
    refuse = false;
    await waitForMoveCount(page, 4);
    expect(await waitForTurn(page)).toBe('move');
    expect(sockets.length).toBe(2);
    await page.context().close();
  });

  for (const scheme of ['light', 'dark'] as const) {
    test(`on a phone nothing scrolls sideways and a tap selects, ${scheme}`, async () => {
      const page = await openPage({ ...PHONE, colorScheme: scheme });
      for (const game of await gameTitles(page)) {
        await startGame(page, game, 0, 1);
        await waitForTurn(page);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(overflow).toBeLessThanOrEqual(0);
        const board = await page.locator('alfil-board').boundingBox();
        expect(board?.width).toBeGreaterThan(330);
      }
      const square = page.locator('.square.movable, .square.open').first();
      await square.tap();
      await closePage(page);
    });
  }
});
