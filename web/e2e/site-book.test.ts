import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { DESKTOP, PHONE, siteFolder, useTestEnvironment } from './test-environment';

// The book beside the page without a server, which is not at the root of its host.

const { available, url, newContext } = useTestEnvironment();

/** Opens a page of the book and runs a test on it, in which the browser may report no error. */
async function onPage(path: string, options: BrowserContextOptions, check: (page: Page) => Promise<void>): Promise<void> {
  const context = await newContext(options);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('response', (response) => response.status() >= 400 && errors.push(`${response.status()} ${response.url()}`));
  await page.goto(`${url()}book/${path}`);
  await page.waitForFunction(() => document.querySelector('.VPContent h1') !== null);
  await check(page);
  expect(errors).toEqual([]);
  await context.close();
}

/** Searches for a text and returns the titles of the results. */
async function search(page: Page, text: string): Promise<string[]> {
  await page.locator('.DocSearch-Button').click();
  await page.locator('#localsearch-input').fill(text);
  await page.locator('.results .result').first().waitFor();
  return page.locator('.results .result .titles').allInnerTexts();
}

describe.skipIf(!available || siteFolder === undefined)('the book', () => {
  test('links lead to pages, to the other language and back to the page of Alfil', async () => {
    await onPage('', DESKTOP, async (page) => {
      await page.locator('.VPSidebar').getByText('The first game', { exact: true }).click();
      await page.waitForURL(`${url()}book/start/first-game.html`);
      await page.locator('.vp-doc').getByRole('link', { name: 'retry your mistakes' }).click();
      await page.waitForURL(`${url()}book/play/reviewing.html`);
      await expect.poll(() => page.locator('h1').innerText()).toContain('Review a game');
      expect(await page.locator('.VPNav a', { hasText: 'The page' }).first().evaluate((link: HTMLAnchorElement) => link.href)).toBe(url());
    });
    await onPage('play/reviewing.html', DESKTOP, async (page) => {
      await page.locator('.VPNavBarTranslations').hover();
      await page.locator('.VPNavBarTranslations a', { hasText: '中文' }).click();
      await page.waitForURL(`${url()}book/zh/play/reviewing.html`);
      await expect.poll(() => page.locator('h1').innerText()).toContain('复盘');
    });
  });

  test('the search finds words in English and in Chinese, and a result is opened', async () => {
    await onPage('', DESKTOP, async (page) => {
      expect((await search(page, 'perpetual chase')).join()).toContain('How a repetition is judged');
    });
    await onPage('zh/', DESKTOP, async (page) => {
      expect((await search(page, '蹩马腿')).join()).toContain('象棋规则');
      await page.locator('.results .result[href*="rules-of-xiangqi"]').first().click();
      await page.waitForURL(new RegExp(`^${url()}book/zh/play/rules-of-xiangqi.html`));
    });
  });

  test('no page is wider than a phone', async () => {
    for (const path of ['', 'zh/play/rules-of-xiangqi.html', 'reference/command-options.html', 'inside/strength.html']) {
      await onPage(path, PHONE, async (page) => {
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), path).toBe(0);
      });
    }
  });
});
