import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { Firefox } from './firefox';
import { DESKTOP, findBrowser, onServer, siteFolder, useTestEnvironment } from './test-environment';

// The content security policies of the page and of the book, and the token of the server. A violation fails every test
// of the browser (`test-environment.ts`).

const { available, url, firstUrl, newContext, newEmptyContext } = useTestEnvironment();

/** Returns what a script does that was brought into the page, as an attacker would. */
async function injectScript(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const blocked = new Promise<string>((resolve) => {
      addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective));
      setTimeout(() => resolve('nothing'), 2000);
    });
    const script = document.createElement('script');
    script.textContent = 'window.isAttacked = true';
    document.body.append(script);
    return 'isAttacked' in window ? 'attacked' : blocked;
  });
}

describe.skipIf(!available)('content security policies', () => {
  for (const path of ['', 'book/', 'book/zh/', 'book/reference/command-options.html', ...(onServer ? [] : ['player/examples.html'])]) {
    test(`scripts of others do not run: /${path}`, async () => {
      const context = await newEmptyContext();
      const page = await context.newPage();
      await page.goto(firstUrl());
      await page.goto(url() + path);
      expect(await injectScript(page)).toBe('script-src-elem');
      await context.close();
    });
  }

  test('the book changes its pages, its colours and its language, and searches', async () => {
    const context = await newContext(DESKTOP);
    const page = await context.newPage();
    await page.goto(`${url()}book/`);
    await page.waitForFunction(() => document.querySelector('.VPContent h1') !== null);
    await page.locator('.VPSidebar').getByText('The first game', { exact: true }).click();
    await page.waitForURL(`${url()}book/start/first-game.html`);
    const isDark = () => page.evaluate(() => document.documentElement.classList.contains('dark'));
    const before = await isDark();
    await page.locator('.VPNavBarAppearance button').click();
    await expect.poll(isDark).toBe(!before);
    await page.locator('.DocSearch-Button').click();
    await page.locator('#localsearch-input').fill('perft');
    await page.locator('.results .result').first().click();
    await page.locator('.vp-doc pre').first().waitFor();
    await context.close();
  });
});

describe.skipIf(!available || siteFolder !== undefined)('the token of the server', () => {
  test('the printed address opens the page, later the address without it', async () => {
    const context = await newEmptyContext();
    const page = await context.newPage();
    expect((await page.goto(url()))?.status()).toBe(403);
    expect(await page.locator('h1').allInnerTexts()).toEqual(expect.arrayContaining([expect.stringContaining('启动 Alfil')]));
    await page.goto(`${firstUrl()}#game=chess&moves=e2e4`);
    await page.waitForSelector('.square.movable');
    expect(page.url()).not.toContain('token');
    expect(await page.locator('.move-list [data-node]').count()).toBe(1);
    await page.goto(url());
    await page.waitForSelector('.square.movable');
    expect(await page.evaluate(() => document.cookie)).toBe('');
    await context.close();
  });

  const firefoxPath = findBrowser('Firefox');
  test.skipIf(!firefoxPath)('Firefox opens the page, and its policy allows the WebSocket', { timeout: 120_000 }, async () => {
    const firefox = await Firefox.start(firefoxPath ?? '', 1280, 800);
    try {
      await firefox.goto(firstUrl());
      // The moves come from the server.
      await firefox.waitFor(() => Boolean(document.querySelector('alfil-board')?.shadowRoot?.querySelector('.square.movable')));
      expect(await firefox.evaluate(() => location.search)).toBe('');
    } finally {
      await firefox.close();
    }
  });

  test('no other site shows the page in a frame, and a link from it opens the page', async () => {
    const context = await newEmptyContext();
    const page = await context.newPage();
    await page.route('http://other.example/', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<a href="${firstUrl()}">Alfil</a><iframe src="${url()}"></iframe>` }),
    );
    await page.goto('http://other.example/');
    const frame = page.frames()[1];
    expect(frame?.url()).not.toBe(url());
    await page.getByText('Alfil').click();
    await page.waitForSelector('.square.movable');
    expect(page.url().split('#')[0]).toBe(url());
    await context.close();
  });
});
