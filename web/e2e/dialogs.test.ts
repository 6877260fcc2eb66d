import { describe, expect, test } from 'vitest';
import { DESKTOP, PHONE, moveCount, openText, startGame, useTestEnvironment } from './test-environment';

const { available, openPage, closePage } = useTestEnvironment();

describe.skipIf(!available)('dialogs', () => {
  const tablet = { viewport: { width: 768, height: 1024 } };
  for (const [size, options] of [['desktop', DESKTOP], ['tablet', tablet], ['phone', PHONE]] as const) {
    test(`the actions of the set-up and of the other dialogs are in sight without scrolling; ${size}`, async () => {
      const page = await openPage(options);
      for (const [opener, action] of [
        ['Set up', 'Play from here'],
        ['New game', 'Start'],
        ['Open or share', 'Close'],
      ] as const) {
        await page.getByRole('button', { name: opener }).first().click();
        const button = page.locator('dialog').getByRole('button', { name: action, exact: true });
        await button.waitFor();
        // The point in the middle of the button belongs to the button: it is neither outside nor covered.
        const isInSight = await button.evaluate((element) => {
          const { left, top, width, height } = element.getBoundingClientRect();
          return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        });
        expect([action, isInSight]).toEqual([action, true]);
        await page.keyboard.press('Escape');
        await page.locator('dialog').waitFor({ state: 'detached' });
      }
      await closePage(page);
    });
  }

  for (const [size, options] of [['desktop', DESKTOP], ['phone', PHONE]] as const) {
    test(`Back closes the open dialog, and only then leaves the game; ${size}`, async () => {
      const page = await openPage(options);
      const dialogs = () => page.locator('dialog').count();
      const game = () => page.locator('.page').getAttribute('data-game');
      const openDialog = async (name: string) => {
        await page.getByRole('button', { name, exact: true }).filter({ visible: true }).first().click();
        await page.locator('dialog').waitFor();
      };
      await startGame(page, 'Othello', 0, 1);
      await openText(page, 'f5 d6 c3');
      await expect.poll(() => moveCount(page)).toBe(3);
      const othello = await game();
      await startGame(page, 'Chess', 0, 1);
      await openText(page, '1. e4 e5');
      await expect.poll(() => moveCount(page)).toBe(2);
      const [chess, address] = [await game(), page.url()];
      const unchanged = async () => expect([await game(), await moveCount(page), page.url()]).toEqual([chess, 2, address]);
      for (const name of ['Library', 'Settings', 'Open or share', 'Set up', 'New game']) {
        await openDialog(name);
        await page.goBack();
        await expect.poll(dialogs).toBe(0);
        await unchanged();
      }
      // A dialog over another one is closed alone.
      await openDialog('Open or share');
      await page.getByRole('button', { name: 'Print', exact: true }).click();
      await page.locator('dialog.print-dialog').waitFor();
      await page.goBack();
      await expect.poll(() => page.locator('dialog.print-dialog').count()).toBe(0);
      expect(await dialogs()).toBe(1);
      // A dialog may replace another one; Escape leaves nothing behind in the history.
      await page.locator('dialog').getByRole('button', { name: 'Library' }).click();
      await page.locator('dialog.library').waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(dialogs).toBe(0);
      await unchanged();
      await expect.poll(() => page.evaluate(() => history.state?.dialogs ?? 0)).toBe(0);
      await page.goBack();
      await expect.poll(game).toBe(othello);
      await expect.poll(() => moveCount(page)).toBe(3);
      await page.goForward();
      await expect.poll(game).toBe(chess);
      // A game that is opened in a dialog has an entry of its own.
      await openDialog('Library');
      await page.locator('.library-row', { hasText: 'C20' }).first().waitFor();
      await page.locator('.library-row').nth(1).click();
      await expect.poll(game).toBe(othello);
      await expect.poll(dialogs).toBe(0);
      await expect.poll(() => page.url()).toContain(othello);
      await page.goBack();
      await expect.poll(game).toBe(chess);
      await closePage(page);
    });
  }
});
