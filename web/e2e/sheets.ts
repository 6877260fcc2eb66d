import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import UPNG from 'upng-js';
import { describe, expect, test } from 'vitest';
import { openTab, openText, useTestEnvironment } from './test-environment';

// Contact sheets of the page: screenshots of all sizes, themes, languages, games and views, compared with those of the
// last run. `npm run sheets` in web/ takes all; ALFIL_SHEETS selects by a regular expression over the names, for
// example ALFIL_SHEETS='390x844 light .* chess'; the screenshots that it does not select stay for the next comparison.
// The sheets are in web/sheets, which git ignores: one or more of each size, and of the changes, where each screenshot
// has the former one and the differing pixels beside it.

const FOLDER = fileURLToPath(new URL('../sheets', import.meta.url));
const [LATEST, PREVIOUS, DIFFERENCES] = [`${FOLDER}/latest`, `${FOLDER}/previous`, `${FOLDER}/differences`];
const SIZES = ['360x640', '390x844', '844x390', '640x400', '768x1024', '1280x800', '1440x900', '1920x1080', '2560x1440'];
/** Dialogs have few rules of their own for sizes, so that fewer screenshots show all. */
const DIALOG_SIZES = ['360x640', '768x1024', '1440x900'];
const SELECTED = new RegExp(process.env.ALFIL_SHEETS === 'all' ? '' : (process.env.ALFIL_SHEETS ?? ''));
/** The engine's lines of this depth are shown, and no later ones, so that two runs show the same. */
const SHOWN_DEPTH = 5;
/** Pixels that differ less than this in each channel are the same. */
const TOLERANCE = 24;
/** The edges of the pieces are not drawn alike by every run: screenshots with fewer differing pixels are the same. */
const MIN_DIFFERENCE = 64;
/** The greatest width of a screenshot on a sheet, in pixels. */
const THUMBNAIL_WIDTH = 460;
/** The greatest height of a sheet, in pixels: more screenshots go on another sheet. */
const SHEET_HEIGHT = 1600;
const GAP = 8;
const SHEET_WIDTH = 3 * (THUMBNAIL_WIDTH + GAP);
const CAPTION_HEIGHT = 18;

const RECORDS: Record<string, string> = {
  Xiangqi: '1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 车一平二 卒7进1 4. 车二进六 马2进3 5. 兵七进一 炮8平9',
  Chess: '1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 Nf6 5. d4 exd4 6. cxd4 Bb4+ {A comment on the check.} 7. Nc3 (7. Bd2 Bxd2+) Nxe4',
  Othello: 'f5 d6 c3 d3 c4 f4 f6 f3 e6 e7 d7 c5',
};

interface Look {
  size: string;
  theme: 'light' | 'dark';
  language: 'en' | 'zh';
  game: string;
}

/** A state of the page of which a screenshot is taken. It is shown after the views before it. */
interface View {
  name: string;
  dialog?: boolean;
  show(page: Page, look: Look): Promise<void>;
}

const VIEWS: View[] = [
  { name: 'play', show: async () => {} },
  { name: 'analysis', show: async (page, { game }) => openRecord(page, RECORDS[game] ?? '') },
  {
    name: 'x-ray',
    show: async (page) => {
      await page.evaluate(() => document.querySelector<HTMLButtonElement>('.game-actions button:nth-of-type(4)')?.click());
      await page.locator('.xray-legend').waitFor();
    },
  },
  {
    name: 'review',
    dialog: true,
    show: async (page) => {
      await openTab(page, 2);
      await page.locator('.graph .toolbar button').first().click();
      await page.locator('.review-words').waitFor({ timeout: 120_000 });
      await page.waitForTimeout(700);
    },
  },
  {
    name: 'library',
    dialog: true,
    show: async (page) => {
      await openTab(page, 0);
      await page.locator('header .header-button >> nth=3').click();
      await page.locator('.library-row .row-players').first().waitFor();
      await page.waitForTimeout(300);
    },
  },
  {
    name: 'introduction',
    dialog: true,
    show: async (page) => {
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
      await page.locator('header .wide-only, .tabs button').filter({ visible: true }).last().click();
      await page.locator('dialog form .toolbar button.small').first().click();
      await page.locator('dialog.lessons').waitFor();
    },
  },
  ...['new-game', 'setup', 'share', 'settings'].map((name, index): View => ({
    name,
    dialog: true,
    show: async (page) => {
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
      const buttons = ['header .header-button >> nth=0', 'header .header-button >> nth=1', 'header .header-button >> nth=2'];
      const settings = page.locator('header .wide-only, .tabs button').filter({ visible: true }).last();
      await (index < 3 ? page.locator(buttons[index] ?? '').first() : settings).click();
      await page.locator('dialog').waitFor();
    },
  })),
];

const { available, openPage, closePage } = useTestEnvironment();

/** Opens moves as an analysis, and waits for the lines of the engine. */
async function openRecord(page: Page, record: string): Promise<void> {
  await openText(page, record);
  await page.locator('.lines li').first().waitFor({ state: 'attached' });
  await page.waitForTimeout(700);
}

/** Opens the page with a look: its size, theme, language and game. */
async function openLook({ size, theme, language, game }: Look): Promise<Page> {
  const [width = 0, height = 0] = size.split('x').map(Number);
  const touch = width < 500 || height < 391;
  const page = await openPage({ viewport: { width, height }, hasTouch: touch, isMobile: touch, colorScheme: theme, bypassCSP: true }, async (opened) => {
    await opened.addInitScript((chosen) => localStorage.setItem('alfil.language', chosen), language);
    await opened.routeWebSocket('**/ws', (socket) => {
      const server = socket.connectToServer();
      server.onMessage((message) => {
        const depth = /"event":"thought".*?"depth":(\d+)/.exec(String(message))?.[1];
        if (depth === undefined || Number(depth) <= SHOWN_DEPTH) socket.send(message);
      });
    });
  });
  // Numbers that depend on the load of the machine, on the time or on the port are not shown.
  await page.addStyleTag({ content: '.search-info, .saved-games small, .share input.link { visibility: hidden !important }' });
  if (game !== 'Xiangqi') {
    const index = Object.keys(RECORDS).indexOf(game);
    const formerGame = await page.locator('.page').getAttribute('data-game');
    await page.locator('header .header-button >> nth=0').click();
    await page.locator('dialog .option').nth(index).click();
    await page.locator('dialog button.primary').click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.locator(`.page:not([data-game="${formerGame}"])`).waitFor();
    await page.locator('.square.movable, .square.open').first().waitFor();
  }
  return page;
}

function readScreenshot(path: string): { width: number; height: number; rgba: Uint8Array } {
  const bytes = readFileSync(path);
  const image = UPNG.decode(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer);
  const { width, height } = image;
  return { width, height, rgba: new Uint8Array(UPNG.toRGBA8(image)[0] ?? new ArrayBuffer(0)) };
}

/**
 * Returns how many pixels of a screenshot differ from the last run, or undefined if that has none of this name. If
 * pixels differ, an image is written that has them in red.
 */
function differingPixels(name: string): number | undefined {
  if (!existsSync(`${PREVIOUS}/${name}.png`)) return undefined;
  const [old, now] = [readScreenshot(`${PREVIOUS}/${name}.png`), readScreenshot(`${LATEST}/${name}.png`)];
  if (old.width !== now.width || old.height !== now.height) return now.width * now.height;
  let count = 0;
  const drawn = new Uint8Array(now.rgba.length);
  for (let i = 0; i < now.rgba.length; i += 4) {
    const value = (channel: number) => now.rgba[i + channel] ?? 0;
    const differs = [0, 1, 2].some((channel) => Math.abs(value(channel) - (old.rgba[i + channel] ?? 0)) > TOLERANCE);
    const grey = 160 + Math.round((value(0) + value(1) + value(2)) / 8);
    drawn.set(differs ? [220, 0, 0, 255] : [grey, grey, grey, 255], i);
    if (differs) count++;
  }
  if (count < MIN_DIFFERENCE) return 0;
  writeFileSync(`${DIFFERENCES}/${name}.png`, new Uint8Array(UPNG.encode([drawn.buffer], now.width, now.height, 0)));
  return count;
}

/** Returns the width and height of a screenshot on a sheet, by its name, which begins with its size. */
function thumbnailSize(name: string): [width: number, height: number] {
  const [width = 1, height = 1] = (name.split(' ')[0] ?? '').split('x').map(Number);
  const shown = Math.min(THUMBNAIL_WIDTH, width);
  return [shown, Math.round((height * shown) / width)];
}

/**
 * Writes screenshots and their names to a sheet, or to several ones with numbers. With several folders, the screenshots
 * of a name in each of them are beside each other.
 */
async function writeSheets(page: Page, sheet: string, names: string[], folders = [LATEST]): Promise<void> {
  let rest = names;
  for (let number = 1; rest.length > 0; number++) {
    const [width, height] = thumbnailSize(rest.reduce((a, b) => (thumbnailSize(a)[1] > thumbnailSize(b)[1] ? a : b)));
    const columns = Math.floor(SHEET_WIDTH / (Math.max(width, ...rest.map((name) => thumbnailSize(name)[0])) + GAP));
    const count = Math.max(1, Math.floor(columns / folders.length)) * Math.max(1, Math.floor(SHEET_HEIGHT / (height + GAP + CAPTION_HEIGHT)));
    await writeSheet(page, `${sheet} ${number}`, rest.slice(0, count), folders);
    rest = rest.slice(count);
  }
}

async function writeSheet(page: Page, sheet: string, names: string[], folders: string[]): Promise<void> {
  const figures = names.map((name) => {
    const paths = folders.map((folder) => `${folder}/${name}.png`).filter((path) => existsSync(path));
    const [width] = thumbnailSize(name);
    const images = paths.map((path) => `<img width="${width}" src="data:image/png;base64,${readFileSync(path).toString('base64')}">`);
    return `<figure>${images.join(' ')}<figcaption style="width:${width}px">${name}</figcaption></figure>`;
  });
  await page.setContent(
    `<style>body{margin:${GAP}px;font:13px sans-serif;display:flex;flex-wrap:wrap;gap:${GAP}px;align-items:start;background:#888}figure{margin:0}</style>${figures.join('')}`,
  );
  await page.screenshot({ path: `${FOLDER}/${sheet}.png`, fullPage: true });
}

describe.skipIf(!available)('contact sheets', () => {
  test('screenshots of every look and view, on sheets, compared with the last run', async () => {
    for (const folder of [PREVIOUS, DIFFERENCES]) rmSync(folder, { recursive: true, force: true });
    if (existsSync(LATEST)) cpSync(LATEST, PREVIOUS, { recursive: true });
    if (SELECTED.source === '(?:)') rmSync(LATEST, { recursive: true, force: true });
    for (const folder of [LATEST, DIFFERENCES]) mkdirSync(folder, { recursive: true });
    for (const file of readdirSync(FOLDER)) if (file.endsWith('.png')) rmSync(`${FOLDER}/${file}`);
    const taken: string[] = [];
    for (const size of SIZES) {
      for (const theme of ['light', 'dark'] as const) {
        for (const language of ['en', 'zh'] as const) {
          for (const game of Object.keys(RECORDS)) {
            const look = { size, theme, language, game };
            const views = VIEWS.filter(({ dialog }) => !dialog || DIALOG_SIZES.includes(size));
            const nameOf = (view: View) => [size, theme, language, game.toLowerCase(), view.name].join(' ');
            if (!views.some((view) => SELECTED.test(nameOf(view)))) continue;
            const page = await openLook(look);
            for (const view of views) {
              await view.show(page, look);
              await page.mouse.move(0, 0);
              const name = nameOf(view);
              if (!SELECTED.test(name)) continue;
              await page.screenshot({ path: `${LATEST}/${name}.png`, animations: 'disabled' });
              taken.push(name);
            }
            await closePage(page);
          }
        }
      }
    }
    expect(taken.length).toBeGreaterThan(0);
    const changes = taken.map((name) => ({ name, pixels: differingPixels(name) })).filter(({ pixels }) => pixels !== 0);
    const sheetPage = await openPage({ viewport: { width: SHEET_WIDTH + GAP, height: 900 }, bypassCSP: true });
    for (const size of SIZES) {
      const names = taken.filter((name) => name.startsWith(`${size} `));
      await writeSheets(sheetPage, `sheet ${size}`, names);
    }
    await writeSheets(sheetPage, 'changes', changes.map(({ name }) => name), [PREVIOUS, LATEST, DIFFERENCES]);
    await sheetPage.context().close();
    for (const { name, pixels } of changes) console.info(`${name}: ${pixels === undefined ? 'new' : `${pixels} pixels differ`}`);
    const missing = existsSync(PREVIOUS) ? readdirSync(PREVIOUS).filter((file) => !existsSync(`${LATEST}/${file}`)) : [];
    console.info(`${taken.length} screenshots, ${changes.length} new or changed, ${missing.length} not taken again: ${FOLDER}`);
  });
});
