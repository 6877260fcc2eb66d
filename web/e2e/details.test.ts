import { describe, expect, test } from 'vitest';
import { DESKTOP, PHONE, moveCount, openText, startGame, useTestEnvironment } from './test-environment';

const { available, openPage, closePage } = useTestEnvironment();

const GAME = '[Event "A match"]\n[White "Anna"]\n[Black "Bert"]\n[Date "2026.11.23"]\n[Annotator "Cleo"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n';

describe.skipIf(!available)('the details of a game', () => {
  test('captured pieces and long names make nothing wider than a phone', async () => {
    const page = await openPage(PHONE);
    await startGame(page, 'Chess', 0, 1);
    const names = '[White "Anna Alba of the Chess Club at the Harbour"]\n[Black "Bert Botha of the Chess Club at the Station"]';
    await openText(page, `${names}\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 Qxg2 4. Bxg2 Nc6 5. Bxc6+ bxc6 1-0`);
    // A record is opened at its first move.
    await page.keyboard.press('End');
    await page.locator('.captured').first().waitFor({ state: 'attached' });
    const board = await page.locator('alfil-board').boundingBox();
    expect((board?.x ?? 0) + (board?.width ?? 0)).toBeLessThanOrEqual(PHONE.viewport.width);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await closePage(page);
  });

  for (const [size, options] of [['desktop', DESKTOP], ['phone', PHONE]] as const) {
    test(`an imported game shows its players, event and result, which can be edited and the edit undone; ${size}`, async () => {
      const page = await openPage(options);
      await startGame(page, 'Chess', 0, 1);
      await openText(page, GAME);
      await expect.poll(() => moveCount(page)).toBe(2);
      const players = page.locator('.player-name');
      expect(await players.allTextContents()).toEqual(['Bert', 'Anna']);
      const event = page.locator('.event span');
      expect(await event.textContent()).toBe('1–0 · A match · 23 Nov 2026');
      await page.locator('.event').getByRole('button', { name: 'Edit' }).click();
      const dialog = page.locator('dialog.details');
      expect(await dialog.getByLabel('Event').inputValue()).toBe('A match');
      await dialog.getByLabel('White', { exact: true }).fill('Anna Alba');
      await dialog.getByLabel('Event').fill('');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
      await expect.poll(() => players.allTextContents()).toEqual(['Bert', 'Anna Alba']);
      expect(await event.textContent()).toBe('1–0 · 23 Nov 2026');
      // The tags that have no field are kept, and all are exported.
      await page.getByRole('button', { name: 'Open or share' }).click();
      const exported = page.locator('dialog.share textarea.moves');
      await expect.poll(() => exported.inputValue()).toContain('[White "Anna Alba"]');
      expect(await exported.inputValue()).toContain('[Annotator "Cleo"]');
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('Control+z');
      await expect.poll(() => event.textContent()).toBe('1–0 · A match · 23 Nov 2026');
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      await closePage(page);
    });
  }
});
