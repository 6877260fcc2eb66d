import { writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import UPNG from 'upng-js';
import { expect, test } from 'vitest';
import { DESKTOP, PHONE, openText, startGame, useTestEnvironment } from './test-environment';

// The screenshots of the README. `npm run screenshots` in web/ takes them.

const COLOURS = 256;
/** The README is loaded over a network, so its images are small. */
const MAX_IMAGE_BYTES = 150_000;
/** The phone of the tests with two pixels of the screen to each pixel of the page in both directions. */
const PHONE_2X = { ...PHONE, deviceScaleFactor: 2 };

const { openPage } = useTestEnvironment();

/** Waits until the engine has searched for some seconds. */
async function waitForAnalysis(page: Page): Promise<void> {
  await page.locator('.lines li').first().waitFor();
  await page.waitForTimeout(4000);
}

/** Saves a screenshot with a palette of 256 colours, and closes the window. */
async function saveScreenshot(page: Page, name: string): Promise<void> {
  // Moves the pointer away, so that no button is highlighted.
  await page.mouse.move(0, 0);
  const png = await page.screenshot();
  const image = UPNG.decode(png.buffer.slice(png.byteOffset, png.byteOffset + png.length) as ArrayBuffer);
  const bytes = UPNG.encode(UPNG.toRGBA8(image), image.width, image.height, COLOURS);
  expect(bytes.byteLength, name).toBeLessThan(MAX_IMAGE_BYTES);
  writeFileSync(new URL(`../../docs/pictures/${name}.png`, import.meta.url), new Uint8Array(bytes));
  console.info(`${name}.png: ${image.width} x ${image.height}, ${bytes.byteLength} bytes`);
  await page.context().close();
}

const XIANGQI = '1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 车一平二 卒7进1 4. 车二进六 马2进3 5. 兵七进一 炮8平9 6. 车二平三 炮9退1 7. 马八进七 士4进5 8. 马七进六 车8进8';
const CHESS = '1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 Nf6 5. d4 exd4 6. cxd4 Bb4+ 7. Nc3 Nxe4 8. O-O Bxc3 9. d5 Bf6 10. Re1 Ne7 11. Rxe4 d6';
const OTHELLO = 'f5 d6 c3 d3 c4 f4 f6 f3 e6 e7 d7 c5';

test.each([
  ['page', 'en-GB', 'Review the game'],
  ['page-chinese', 'zh-CN', '复盘'],
])('%s: a reviewed game of xiangqi', async (name, locale, review) => {
  const page = await openPage({ ...DESKTOP, colorScheme: 'light', locale });
  if (locale === 'zh-CN') await page.locator('header .language', { hasText: 'English' }).waitFor();
  await openText(page, XIANGQI);
  await page.getByRole('button', { name: review, exact: true }).last().click();
  await page.locator('.review-words').waitFor({ timeout: 120_000 });
  await waitForAnalysis(page);
  await saveScreenshot(page, name);
});

test('page-dark: an analysis of a chess game', async () => {
  const page = await openPage({ ...DESKTOP, colorScheme: 'dark' });
  await startGame(page, 'Chess', 0, 6);
  await openText(page, CHESS);
  await waitForAnalysis(page);
  await saveScreenshot(page, 'page-dark');
});

test('phone: a game against the computer', async () => {
  const page = await openPage({ ...PHONE_2X, colorScheme: 'light' });
  await page.locator('.square[data-square="h2"]').tap();
  await page.locator('.square[data-square="e2"]').tap();
  await expect.poll(() => page.locator('.move-list [data-node]').count(), { timeout: 30_000 }).toBe(2);
  await page.locator('.square[data-square="h0"]').tap();
  await saveScreenshot(page, 'phone');
});

test('phone-dark: the value of every legal move in Othello', async () => {
  const page = await openPage({ ...PHONE_2X, colorScheme: 'dark' });
  await startGame(page, 'Othello', 0, 6);
  await openText(page, OTHELLO);
  await page.locator('.tabs').getByRole('button', { name: 'Engine' }).tap();
  await waitForAnalysis(page);
  await saveScreenshot(page, 'phone-dark');
});
