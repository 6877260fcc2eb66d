import { describe, expect, test } from 'vitest';
import { accessibilityViolations, appearances } from './accessibility';
import { DESKTOP, PHONE, startGame, useTestEnvironment } from './test-environment';

const { available, openPage, closePage } = useTestEnvironment();

describe.skipIf(!available)('people who do not know the game', () => {
  for (const { name, locale, options } of appearances([['desktop', DESKTOP], ['phone', PHONE]])) {
    test(`every step of the introduction is accessible; ${name}`, async () => {
      const page = await openPage(options);
      expect(await accessibilityViolations(page)).toEqual([]);
      await page.locator('.move-list .link').click();
      const dialog = page.locator('dialog.lessons');
      await dialog.locator('.steps button').nth(4).click();
      await dialog.getByText(locale === 'en-GB' ? 'its leg' : '蹩马腿').waitFor();
      await dialog.getByText('c3, c5, d2, f2, g3, g5').waitFor();
      expect(await accessibilityViolations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      await dialog.locator('.actions button').first().click();
      await page.locator('dialog.keys').waitFor();
      expect(await accessibilityViolations(page)).toEqual([]);
      await closePage(page);
    });
  }

  test('the board plays the moves of a piece, and takes those of the user back', async () => {
    const page = await openPage(DESKTOP);
    await page.getByRole('button', { name: 'How the pieces move' }).first().click();
    const dialog = page.locator('dialog.lessons');
    const piece = (square: string) => dialog.locator(`.square[data-square="${square}"]`);
    await dialog.getByRole('button', { name: 'Cannon' }).click();
    await dialog.getByRole('button', { name: 'Show the moves' }).click();
    await expect.poll(() => piece('e2').getAttribute('aria-label')).toContain('empty');
    await dialog.getByRole('button', { name: 'Stop' }).click();
    await expect.poll(() => piece('e2').getAttribute('aria-label')).toContain('cannon');
    // With the keyboard: pick up, go to the soldier, put down.
    await piece('e2').focus();
    await page.keyboard.press('Enter');
    for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect.poll(() => piece('e6').getAttribute('aria-label')).toContain('Red cannon');
    await expect.poll(() => piece('e6').getAttribute('aria-label')).toContain('Black soldier');
    await closePage(page);
  });

  test('pictures are offered once, and are chosen for this game alone', async () => {
    const page = await openPage(DESKTOP);
    const pictures = () => page.locator('.play alfil-board').evaluate((board) => (board as unknown as { pictures: boolean }).pictures);
    await page.getByRole('button', { name: 'Show pictures' }).click();
    await page.locator('.offer').waitFor({ state: 'detached' });
    await page.reload();
    await page.locator('.square.movable').first().waitFor();
    expect(await page.locator('.offer').count()).toBe(0);
    await expect.poll(pictures).toBe(true);
    for (const title of ['Chess', 'Othello']) {
      await startGame(page, title, 0, 1);
      await expect.poll(pictures).toBe(false);
    }
    await startGame(page, 'Xiangqi', 0, 1);
    await expect.poll(pictures).toBe(true);
    await closePage(page);
  });

  test('a piece under the pointer says its name and shows its moves', async () => {
    const page = await openPage(DESKTOP);
    const horse = page.locator('.play .square[data-square="b0"]');
    await horse.hover();
    expect(await horse.getAttribute('title')).toBe('Red horse');
    await expect.poll(() => page.locator('.play .preview .dot').count()).toBe(2);
    await closePage(page);
  });

  test('the end of a game is explained', async () => {
    const page = await openPage(DESKTOP);
    await startGame(page, 'Chess', 0, 1);
    await page.getByRole('button', { name: 'Open or share' }).click();
    const share = page.locator('dialog.share');
    await share.getByLabel(/^Paste/).fill('1. f3 e5 2. g4 Qh4#');
    await share.getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByRole('button', { name: 'Why is the game over?' }).click();
    await page.getByText('no move ends the attack').waitFor();
    await closePage(page);
  });
});
