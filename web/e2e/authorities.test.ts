import { describe, expect, test } from 'vitest';
import { accessibilityViolations } from './accessibility';
import { DESKTOP, PHONE, openText, useTestEnvironment } from './test-environment';

const { available, openPage, closePage } = useTestEnvironment();

const SIX_CHECKS = `[FEN "4k4/9/3R5/9/9/4P4/9/9/9/3K5 w - - 0 1"]\n\nd7e7 e9f9 ${'e7f7 f9e9 f7e7 e9f9 '.repeat(2)}e7f7 f9e9`;
/** A phone that is as wide as most. */
const WIDE_PHONE = { ...PHONE, viewport: { width: 390, height: 844 } };
const SCREENSHOTS = process.env.ALFIL_AUTHORITY_SCREENSHOTS;

describe.skipIf(!available)('what the rules of xiangqi say about repetitions', () => {
  for (const [name, options] of [['desktop', DESKTOP], ['phone', WIDE_PHONE]] as const) {
    test(`a move that the ruleset refuses is shown as such and is not played; ${name}`, async () => {
      const page = await openPage(options);
      await openText(page, SIX_CHECKS);
      const judge = page.locator('.judge');
      await judge.getByLabel('Rules').selectOption('tiantian');
      await judge.getByRole('button', { name: 'Continue the game under these rules' }).click();
      const said = page.locator('.refused-moves:not(:empty)');
      await expect.poll(() => said.allTextContents()).toEqual([expect.stringContaining('6 checks in a row are allowed')]);
      const square = (at: string) => page.locator(`alfil-board .square[data-square="${at}"]`);
      await square('f7').click();
      expect(await page.locator('alfil-board path.refused').count()).toBeGreaterThan(0);
      expect(await square('e7').getAttribute('title')).toContain('6 checks in a row');
      expect(await square('e7').getAttribute('aria-label')).toContain('may not move here');
      const moves = await page.locator('.move-list [data-node]').count();
      await square('e7').click();
      await page.locator('.refused-moves.tried p').waitFor();
      expect(await page.locator('.move-list [data-node]').count()).toBe(moves);
      expect(await accessibilityViolations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/refused-${name}.png` });
      // With the keyboard: the piece is still selected.
      await square('e7').focus();
      await page.keyboard.press('Enter');
      expect(await page.locator('.move-list [data-node]').count()).toBe(moves);
      await square('f6').click();
      await expect.poll(() => page.locator('.move-list [data-node]').count()).toBe(moves + 1);
      await expect.poll(() => said.count()).toBe(0);
      await closePage(page);
    });

    test(`the verdicts of all rulesets on one loop stand in a table; ${name}`, async () => {
      const page = await openPage(options);
      await openText(page, SIX_CHECKS);
      await page.getByText('One loop, every authority').click();
      const rows = page.locator('.authorities tbody');
      await expect.poll(() => rows.count()).toBe(7);
      const cells = (ruleset: string) => rows.filter({ hasText: ruleset }).locator('td').allTextContents();
      expect((await cells('Chinese rules (CXA 2020)')).slice(1, 4)).toEqual(['Red', '25.1', 'diagrams']);
      expect((await cells('Tiantian'))[1]).toBe('Red');
      expect((await cells('Tiantian')).at(-1)).toContain('Refused now');
      expect(await accessibilityViolations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      await page.locator('.authorities').scrollIntoViewIfNeeded();
      if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/authorities-${name}.png`, fullPage: true });
      await closePage(page);
    });

    test(`the quiz on who must change counts the answers; ${name}`, async () => {
      const page = await openPage(options);
      await page.getByRole('button', { name: 'How the pieces move' }).first().click();
      await page.getByRole('button', { name: 'Quiz: who must change?' }).click();
      const dialog = page.locator('dialog.quiz');
      await dialog.getByText('Repetition 1 of 20').waitFor();
      for (let i = 1; i <= 20; i++) {
        await dialog.getByText(`Repetition ${i} of 20`).waitFor();
        await dialog.locator('.quiz-answers button').nth(2).click();
        await dialog.locator('.quiz-moves li').first().waitFor();
        if (i === 1) {
          expect(await dialog.locator('.verdict').textContent()).toContain('Not so. Red must change.');
          expect(await accessibilityViolations(page)).toEqual([]);
          if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/quiz-${name}.png` });
        }
        await dialog.locator('.actions .primary').click();
      }
      await dialog.getByText('You answered 9 of 20 correctly.').waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      await closePage(page);
    });
  }

  test('an address opens the quiz, in Chinese, too', async () => {
    const page = await openPage({ ...DESKTOP, locale: 'zh-CN' });
    await page.goto(`${page.url().split('#')[0]}#quiz/xiangqi`);
    await page.locator('dialog.quiz').getByText('第 1 题，共 20 题').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('dialog.quiz').count()).toBe(0);
    await closePage(page);
  });
});
