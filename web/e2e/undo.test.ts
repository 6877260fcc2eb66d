import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import {
  DESKTOP,
  PHONE,
  moveCount,
  onServer,
  openText,
  playRandomMove,
  seededRandom,
  startGame,
  useTestEnvironment,
  waitForTurn,
} from './test-environment';

const { available, openPage, closePage } = useTestEnvironment();

const GAME = '[Event "A match"]\n\n1. e4 e5 (1... c5 2. Nf3) 2. Nf3 Nc6 3. Bb5 a6 *';

/** Opens a game of eight moves, at its end, perhaps with more tags. */
async function openGame(page: Page, tags = ''): Promise<void> {
  await startGame(page, 'Chess', 0, 1);
  await openText(page, tags + GAME);
  await expect.poll(() => moveCount(page)).toBe(8);
  await page.keyboard.press('End');
  await expect.poll(() => page.locator('.move-list .current').textContent()).toContain('a6');
}

async function comment(page: Page, text: string): Promise<void> {
  await page.getByLabel('Comment on this move').fill(text);
  await page.getByLabel('Comment on this move').blur();
}

const notice = (page: Page) => page.locator('.notice').textContent();
const current = (page: Page) => page.locator('.move-list .current').textContent();

describe.skipIf(!available)('undo and redo', () => {
  test('deleting says how many moves go, and they come back by the button of the notice', async () => {
    const page = await openPage(DESKTOP);
    await openGame(page);
    await page.locator('.move-list [data-node="1"]').click();
    await expect.poll(() => current(page)).toContain('e4');
    await page.getByRole('button', { name: 'Delete this move and the 7 after it' }).click();
    await expect.poll(() => notice(page)).toContain('8 moves deleted.');
    await expect.poll(() => moveCount(page)).toBe(0);
    await page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => moveCount(page)).toBe(8);
    await expect.poll(() => current(page)).toContain('e4');
    await expect.poll(() => notice(page)).toContain('Undone: deleted moves.');
    await page.locator('.notice').getByRole('button', { name: 'Redo' }).click();
    await expect.poll(() => moveCount(page)).toBe(0);
    await closePage(page);
  });

  test('Ctrl-Z and Ctrl-Shift-Z undo and redo moves, comments and deletions in their order, also after a reload', async () => {
    const page = await openPage(DESKTOP);
    await openGame(page);
    await page.keyboard.press('Home');
    await expect.poll(() => page.locator('.move-list .current').count()).toBe(0);
    await page.locator('.square.movable[data-square="d2"]').click();
    await page.locator('.square.open[data-square="d4"]').click();
    await expect.poll(() => moveCount(page)).toBe(9);
    await comment(page, 'a second line');
    await page.locator('.move-list .comment-text').waitFor();
    await page.locator('.move-list [data-node="4"]').click();
    await expect.poll(() => current(page)).toContain('Nc6');
    await page.getByRole('button', { name: 'Delete this move and the 2 after it' }).click();
    await expect.poll(() => moveCount(page)).toBe(6);
    await page.keyboard.press('Control+z');
    await expect.poll(() => moveCount(page)).toBe(9);
    await page.keyboard.press('Control+z');
    await expect.poll(() => page.locator('.move-list .comment-text').count()).toBe(0);
    await expect.poll(() => notice(page)).toContain('Undone: a comment.');
    // The server keeps the edits over a reload; a page without one forgets them.
    if (onServer) {
      await page.reload();
      await page.waitForSelector('.square.movable');
    }
    await page.keyboard.press('Control+z');
    await expect.poll(() => moveCount(page)).toBe(8);
    await expect.poll(() => notice(page)).toContain('Undone: one move.');
    for (const count of [9, 9, 6]) {
      await page.keyboard.press('Control+Shift+Z');
      await expect.poll(() => moveCount(page)).toBe(count);
    }
    await page.locator('.move-list .comment-text').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Redo' }).first().isDisabled()).toBe(true);
    await closePage(page);
  });

  test('in a text field Ctrl-Z undoes what was typed, not a move', async () => {
    const page = await openPage(DESKTOP);
    await openGame(page);
    const field = page.getByLabel('Comment on this move');
    await field.click();
    await page.keyboard.type('typed');
    await page.keyboard.press('Control+z');
    await expect.poll(() => field.inputValue()).not.toBe('typed');
    expect(await moveCount(page)).toBe(8);
    await closePage(page);
  });

  test('in analysis "Take back" steps back and deletes nothing', async () => {
    const page = await openPage(PHONE);
    await openGame(page);
    for (const move of ['Bb5', 'Nc6', 'Nf3']) {
      await page.getByRole('button', { name: 'Take back' }).click();
      await expect.poll(() => current(page)).toContain(move);
      expect(await moveCount(page)).toBe(8);
    }
    await closePage(page);
  });

  test('against the computer the reply is undone and redone with the move', async () => {
    const page = await openPage(DESKTOP);
    await startGame(page, 'Xiangqi', 0, 1);
    await playRandomMove(page, seededRandom(71));
    await waitForTurn(page);
    await expect.poll(() => moveCount(page)).toBe(2);
    const moves = await page.locator('.move-list .move').allTextContents();
    await page.keyboard.press('Control+z');
    await expect.poll(() => moveCount(page)).toBe(0);
    await page.keyboard.press('Control+Shift+Z');
    await expect.poll(() => page.locator('.move-list .move').allTextContents()).toEqual(moves);
    // Moves that were taken back are restored, too.
    await page.getByRole('button', { name: 'Take back' }).click();
    await expect.poll(() => moveCount(page)).toBe(0);
    await page.keyboard.press('Control+z');
    await expect.poll(() => page.locator('.move-list .move').allTextContents()).toEqual(moves);
    await closePage(page);
  });

  test('a deleted game comes back by the notice in the dialog, or by Ctrl-Z', async () => {
    const page = await openPage(DESKTOP);
    await openGame(page, '[White "Deleted"]');
    await startGame(page, 'Othello', 0, 1);
    await page.getByRole('button', { name: 'Open or share' }).click();
    const games = page.locator('.saved-games li');
    // The list is first that of the last visit, and is then loaded again. The game that was changed last is the first.
    await games.first().filter({ hasText: 'Deleted' }).waitFor();
    const count = await games.count();
    const deleteFirst = () => games.first().getByRole('button', { name: 'Delete this game' }).click();
    await deleteFirst();
    await expect.poll(() => games.count()).toBe(count - 1);
    await expect.poll(() => notice(page)).toContain('Game deleted.');
    await page.locator('dialog .notice').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => games.count()).toBe(count);
    await deleteFirst();
    await expect.poll(() => games.count()).toBe(count - 1);
    await page.keyboard.press('Control+z');
    await expect.poll(() => games.count()).toBe(count);
    await games.first().getByRole('button', { name: /Chess/ }).click();
    await expect.poll(() => moveCount(page)).toBe(8);
    await closePage(page);
  });
});
