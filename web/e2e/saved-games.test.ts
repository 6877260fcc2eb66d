import { describe, expect, test } from 'vitest';
import {
  DESKTOP,
  PHONE,
  moveCount,
  onServer,
  playRandomMove,
  rewriteRequests,
  seededRandom,
  setUpPosition,
  startGame,
  useTestEnvironment,
  waitForTurn,
} from './test-environment';

const { available, url, openPage, closePage } = useTestEnvironment();

describe.skipIf(!available)('clocks and saved games', () => {
  for (const [size, options] of [['desktop', DESKTOP], ['phone', PHONE]] as const) {
    test(`both clocks are shown, run in turn and survive a reload; ${size}`, async () => {
      const page = await openPage(options);
      await startGame(page, 'Xiangqi', 0, 1, undefined, '5 min + 3 s');
      const times = () => page.locator('.clock').allTextContents();
      expect(await times()).toEqual(['5:00', '5:00']);
      expect(await page.locator('.clock.running').count()).toBe(0);
      await playRandomMove(page, seededRandom(31));
      await waitForTurn(page);
      // The user sits at the bottom. The computer has moved and got its increment.
      await expect.poll(() => page.locator('.clock.running').count()).toBe(1);
      await expect.poll(async () => (await times())[1]).toMatch(/^4:/);
      expect((await times())[0]).toMatch(/^5:0/);
      await page.reload();
      await page.waitForSelector('.square.movable');
      expect((await times())[1]).toMatch(/^4:/);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      await closePage(page);
    });
  }

  test('running out of time ends the game with a message, and the game can be analysed afterwards', async () => {
    const page = await openPage(DESKTOP, async (newPage) => {
      // A minute is too long for a test, so the request is changed to two seconds.
      await rewriteRequests(newPage, '"base":60000', '"base":2000');
    });
    await startGame(page, 'Xiangqi', 0, 1, undefined, '1 min + 0 s');
    await playRandomMove(page, seededRandom(32));
    await page.locator('.status.ended').waitFor({ timeout: 30_000 });
    expect(await page.locator('.status').textContent()).toMatch(/^(Red|Black) has run out of time: (Red|Black) wins$/);
    expect(await page.locator('.square.movable').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Take back' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Analyse' }).click();
    await page.waitForSelector('.square.movable');
    await closePage(page);
  });

  test('moves are numbered from the side to move and the move number of the FEN', async () => {
    const page = await openPage(DESKTOP);
    await startGame(page, 'Chess', 0, 1);
    await setUpPosition(page, 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 7', 'Analyse');
    for (const [from, to] of [['e7', 'e5'], ['g1', 'f3']]) {
      await page.locator(`.square.movable[data-square="${from}"]`).click();
      await page.locator(`.square.open[data-square="${to}"]`).click();
      await page.locator('.move-list .current').first().waitFor();
    }
    await expect.poll(() => moveCount(page)).toBe(2);
    const rows = await page.locator('.move-list li').allTextContents();
    expect(rows).toEqual([expect.stringMatching(/^7\.….*e5$/), expect.stringMatching(/^8\..*f3$/)]);
    await closePage(page);
  });

  test('back and forward go from game to game, also to a game without moves', async () => {
    const page = await openPage(DESKTOP);
    const expectGame = (title: string, count: number) =>
      expect
        .poll(async () => [await page.locator('.game-title').textContent(), await moveCount(page)])
        .toEqual([title, count]);
    await playRandomMove(page, seededRandom(33));
    await waitForTurn(page);
    await startGame(page, 'Othello', 0, 1);
    await page.goBack();
    await expectGame('Xiangqi', 2);
    await page.goForward();
    await expectGame('Othello', 0);
    await page.reload();
    await page.waitForSelector('.square.open');
    await expectGame('Othello', 0);
    await page.goBack();
    await expectGame('Xiangqi', 2);
    await closePage(page);
  });

  test.runIf(onServer)('every saved game can be opened by its address and from the list', async () => {
    const page = await openPage(DESKTOP);
    const firstId = await page.evaluate(async () => {
      const socket = new WebSocket(`ws://${location.host}/ws`);
      await new Promise((resolve) => (socket.onopen = resolve));
      const ids: string[] = [];
      for (let id = 1; id <= 105; id++) {
        const response = new Promise<string>((resolve) => (socket.onmessage = ({ data }) => resolve(data)));
        socket.send(JSON.stringify({ id, do: 'new', game: 'xiangqi', moves: ['h2e2', 'h9g7'] }));
        ids.push(JSON.parse(await response).game.id);
      }
      socket.close();
      return ids[0];
    });
    await page.goto(`${url()}#game/${firstId}/1`);
    await page.reload();
    await expect.poll(() => moveCount(page)).toBe(2);
    expect(page.url()).toContain(`${firstId}/1`);
    await page.getByRole('button', { name: 'Open or share' }).click();
    const current = page.locator('.saved-games [aria-current=true]');
    await expect.poll(() => page.locator('.saved-games li').count()).toBe(100);
    expect(await current.count()).toBe(0);
    await page.getByRole('button', { name: 'More games' }).click();
    await current.waitFor();
    // When the open game is deleted, it continues as a new game.
    const row = page.locator('.saved-games li:has([aria-current=true])');
    await row.getByRole('button', { name: 'Delete this game' }).click();
    await expect.poll(() => current.count()).toBe(0);
    await page.keyboard.press('Escape');
    // The address is written when the dialog has left the history.
    await expect.poll(() => page.url()).not.toContain(firstId);
    await page.goto(`${url()}#game/${firstId}/1`);
    await page.reload();
    await page.locator('.error-banner', { hasText: 'No game is saved here' }).waitFor();
    await closePage(page);
  });
});
