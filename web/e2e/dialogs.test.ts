import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { DESKTOP, PHONE, moveCount, openText, startGame, useTestEnvironment, waitForDialogEntries } from './test-environment';

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
        await waitForDialogEntries(page);
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
      await waitForDialogEntries(page);
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

  /** Returns what scrolls sideways: the page, or an element of it. */
  async function sideways(page: Page): Promise<string[]> {
    return page.evaluate(() => {
      const wide = (element: Element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0;
      const scrolls = (element: Element) => ['auto', 'scroll'].includes(getComputedStyle(element).overflowX);
      const found = [...document.querySelectorAll('*')].filter((element) => scrolls(element) && wide(element));
      const page = document.documentElement.scrollWidth > innerWidth ? ['the page'] : [];
      return [...page, ...found.map((element) => `${element.tagName}.${element.className}`)];
    });
  }

  const LONG = 'A very long name of a championship of several cities, which no phone shows in one line';
  const GAMES = [1, 2].map((round) => `[Event "${LONG}"]\n[White "${LONG}"]\n[Black "Max"]\n[Round "${round}"]\n\n1. e4 {${LONG}} e5 *\n`).join('\n');
  for (const width of [360, 390, 768, 1280]) {
    for (const language of ['en', 'zh'] as const) {
      test(`nothing scrolls sideways, and a dialog has one button that closes it; ${width} px, ${language}`, async () => {
        const viewport = { width, height: width < 1000 ? 800 : 720 };
        const page = await openPage({ viewport }, async (opened) => {
          await opened.addInitScript((chosen) => localStorage.setItem('alfil.language', chosen), language);
        });
        const closers = () => page.locator('dialog').getByRole('button', { name: language === 'en' ? 'Close' : '关闭', exact: true }).count();
        const headerButton = (index: number) => page.locator('header .header-button').nth(index).click();
        const check = async (place: string) => expect([place, await sideways(page)]).toEqual([place, []]);
        await headerButton(3);
        await page.locator('.library input[type=file]').setInputFiles({ name: `${LONG}.pgn`, mimeType: 'text/plain', buffer: Buffer.from(GAMES) });
        await page.locator('.library-import [role=status]').waitFor();
        await page.locator('.library-row .row-players').first().waitFor();
        await check('library');
        expect(await closers()).toBe(1);
        await page.locator('.collection-actions button').filter({ visible: true }).first().click();
        await check('the name of a collection');
        await page.locator('.library-row').first().click();
        await page.locator('dialog').waitFor({ state: 'detached' });
        await expect.poll(() => moveCount(page)).toBe(2);
        await check('page');
        await headerButton(2);
        await page.locator('dialog.share textarea').first().fill(GAMES.split('\n\n[Event')[0] ?? '');
        await page.locator('dialog.share .primary').click();
        await page.locator('dialog').waitFor({ state: 'detached' });
        for (const [index, name] of ['new game', 'set-up', 'share'].entries()) {
          await headerButton(index);
          await page.locator('dialog').waitFor();
          if (name === 'share') await page.locator('.saved-games li').first().waitFor();
          await check(name);
          expect(await closers()).toBeLessThanOrEqual(1);
          await page.keyboard.press('Escape');
          await page.locator('dialog').waitFor({ state: 'detached' });
        }
        await page.locator('header .wide-only, .tabs button').filter({ visible: true }).last().click();
        await page.locator('dialog').waitFor();
        await check('settings');
        for (const help of [0, 1]) {
          await page.locator('dialog form .toolbar button').nth(help).click();
          await page.locator('dialog.lessons, dialog.keys').waitFor();
          await check(`help ${help}`);
          await page.keyboard.press('Escape');
          await page.locator('dialog').waitFor({ state: 'detached' });
          await page.locator('header .wide-only, .tabs button').filter({ visible: true }).last().click();
          await page.locator('dialog form .toolbar').waitFor();
        }
        await closePage(page);
      });
    }
  }
});
