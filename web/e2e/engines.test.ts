import { describe, expect, test } from 'vitest';
import { DESKTOP, moveCount, programPath, useTestEnvironment } from './test-environment';

// The program itself speaks the protocols of engines, so that it can stand for an external one.
const { available, openPage, closePage } = useTestEnvironment([
  '--engine',
  `name=Twin cmd='${programPath()} engine' proto=uci`,
  '--engine',
  'name=Broken cmd=/bin/false proto=uci',
]);

describe.skipIf(!available)('external engines', () => {
  for (const [opponent, works] of [['Twin', true], ['Broken', false]] as const) {
    test(`an engine of the command line ${works ? 'plays and analyses' : 'that ends is said in words'}`, async () => {
      const page = await openPage(DESKTOP);
      await page.getByRole('button', { name: 'New game' }).click();
      await page.locator('.option', { hasText: 'Chess' }).click();
      await page.getByLabel('Opponent').selectOption(opponent);
      await page.locator('select[name=time]').selectOption('0.3');
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      await page.locator('dialog').waitFor({ state: 'detached' });
      await page.locator('.player-name', { hasText: opponent }).waitFor();
      await page.locator('.play .square[data-square="e2"]').click();
      await page.locator('.play .square[data-square="e4"]').click();
      if (works) {
        await expect.poll(() => moveCount(page), { timeout: 30_000 }).toBe(2);
        await page.getByRole('button', { name: 'Analyse' }).click();
        await page.locator('.engine-options summary').click();
        await page.locator('.engine-options').getByLabel('Engine').selectOption('Twin');
        await page.locator('.lines li').first().waitFor();
      } else {
        await page.locator('.error-banner', { hasText: 'Broken: ' }).waitFor({ timeout: 30_000 });
        expect(await moveCount(page)).toBe(1);
      }
      await closePage(page);
    });
  }
});
