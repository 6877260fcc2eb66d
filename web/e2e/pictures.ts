import { writeFileSync } from 'node:fs';
import type { BrowserContextOptions, Page } from 'playwright-core';
import UPNG from 'upng-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Stage, browserProgram, start } from './stage';

// The pictures of the README: `npm run pictures` in web/ takes them anew.

const COLOURS = 256;
/** A picture is for a page that is read: so many bytes at most. */
const MOST = 150_000;
const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };
const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 640 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.raise(browserProgram() ?? '');
});
afterAll(async () => stage?.close());

/** Opens a game that was played somewhere, in analysis. */
async function paste(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Open or share' }).click();
  const dialog = page.locator('dialog.share');
  await dialog.getByLabel(/^Paste/).fill(text);
  await dialog.getByRole('button', { name: 'Open', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** Waits until the engine has looked for a while. */
async function thought(page: Page): Promise<void> {
  await page.locator('.lines li').first().waitFor();
  await page.waitForTimeout(4000);
}

async function take(page: Page, name: string): Promise<void> {
  // Nothing is pointed at.
  await page.mouse.move(0, 0);
  const taken = await page.screenshot();
  const picture = UPNG.decode(taken.buffer.slice(taken.byteOffset, taken.byteOffset + taken.length) as ArrayBuffer);
  const bytes = UPNG.encode(UPNG.toRGBA8(picture), picture.width, picture.height, COLOURS);
  expect(bytes.byteLength, name).toBeLessThan(MOST);
  writeFileSync(new URL(`../../docs/pictures/${name}.png`, import.meta.url), new Uint8Array(bytes));
  console.info(`${name}.png: ${picture.width} x ${picture.height}, ${bytes.byteLength} bytes`);
  await page.context().close();
}

const XIANGQI = '1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 车一平二 卒7进1 4. 车二进六 马2进3 5. 兵七进一 炮8平9 6. 车二平三 炮9退1 7. 马八进七 士4进5 8. 马七进六 车8进8';
const CHESS = '1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 Nf6 5. d4 exd4 6. cxd4 Bb4+ 7. Nc3 Nxe4 8. O-O Bxc3 9. d5 Bf6 10. Re1 Ne7 11. Rxe4 d6';
const OTHELLO = 'f5 d6 c3 d3 c4 f4 f6 f3 e6 e7 d7 c5';

test('a game of xiangqi that was reviewed', async () => {
  const page = await stage.open({ ...DESKTOP, colorScheme: 'light' }, [], async (fresh) => {
    // A picture may show no value of a machine that was busy just then: the review takes its time.
    await fresh.routeWebSocket('**/ws', (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((message) => server.send(String(message).replace('"do":"review"', '"do":"review","time":3000')));
    });
  });
  await paste(page, XIANGQI);
  await page.getByRole('button', { name: 'Review the game' }).click();
  await page.locator('.losses, .graph .help').first().waitFor({ timeout: 120_000 });
  await thought(page);
  await take(page, 'page');
});

test('chess in the dark', async () => {
  const page = await stage.open({ ...DESKTOP, colorScheme: 'dark' }, []);
  await start(page, 'Chess', 0, 6);
  await paste(page, CHESS);
  await thought(page);
  await take(page, 'page-dark');
});

test('a game against the computer on a phone', async () => {
  const page = await stage.open({ ...PHONE, colorScheme: 'light' }, []);
  await page.locator('.square[data-square="h2"]').tap();
  await page.locator('.square[data-square="e2"]').tap();
  await expect.poll(() => page.locator('.record [data-node]').count(), { timeout: 30_000 }).toBe(2);
  await page.locator('.square[data-square="h0"]').tap();
  await take(page, 'phone');
});

test('the value of every move of Othello on a phone in the dark', async () => {
  const page = await stage.open({ ...PHONE, colorScheme: 'dark' }, []);
  await start(page, 'Othello', 0, 6);
  await paste(page, OTHELLO);
  await page.locator('.tabs').getByRole('button', { name: 'Engine' }).tap();
  await thought(page);
  await take(page, 'phone-dark');
});
