import { describe, expect, test } from 'vitest';
import { DESKTOP, PHONE, useTestEnvironment } from './test-environment';

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
});
