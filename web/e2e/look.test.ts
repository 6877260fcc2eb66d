import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Stage, browserProgram, chance, clickMove, games, moves, start, turn } from './stage';

const program = browserProgram();
const DESKTOP = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true };
const SIZES = [
  ['desktop', DESKTOP],
  ['phone', PHONE],
] as const;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let stage: Stage;
let troubles: string[];

beforeAll(async () => {
  if (program) stage = await Stage.raise(program);
});
afterAll(async () => stage?.close());

async function open(options: BrowserContextOptions): Promise<Page> {
  troubles = [];
  return stage.open(options, troubles);
}

async function done(page: Page): Promise<void> {
  expect(troubles).toEqual([]);
  await page.context().close();
}

/** A phone shows one panel at a time. */
async function tab(page: Page, name: string): Promise<void> {
  const button = page.locator('.tabs').getByRole('button', { name });
  if (await button.isVisible()) await button.click();
}

/** Opens what somebody has sent. */
async function paste(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Open or share' }).click();
  const dialog = page.locator('dialog.share');
  await dialog.getByLabel(/^Paste/).fill(text);
  await dialog.getByRole('button', { name: 'Open', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

async function sideways(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
}

/** What axe finds wrong, in words. */
async function faults(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const found = await (window as unknown as { axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } }).axe.run();
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
  });
}

describe.skipIf(!program)('looking into a game', () => {
  for (const [size, options] of SIZES) {
    test(`analysis: lines with arrows, one of them walked, steps by keys, a variation, a reload; ${size}`, async () => {
      const page = await open(options);
      await page.getByRole('button', { name: 'Analyse' }).click();
      await tab(page, 'Engine');
      await page.locator('.lines li').nth(2).waitFor();
      await expect.poll(() => page.locator('.lines li').count()).toBe(3);
      expect(await page.locator('.overlay .arrow').count()).toBeGreaterThan(0);
      await page.locator('.lines li').first().locator('.move').nth(1).click();
      await expect.poll(() => moves(page)).toBe(2);
      await page.locator('.balance').waitFor();
      await page.keyboard.press('Home');
      await expect.poll(() => page.locator('.record .current').count()).toBe(0);
      await tab(page, 'Moves');
      // Another first move is a variation beside the first.
      const first = await page.locator('.record [data-node="1"]').textContent();
      for (let tries = 0; (await moves(page)) < 3; tries++) {
        await clickMove(page, chance(50 + tries), 0);
        await expect.poll(() => page.locator('.record .current').count()).toBe(1);
        if ((await moves(page)) === 3) break;
        await page.keyboard.press('Home');
        await expect.poll(() => page.locator('.record .current').count()).toBe(0);
      }
      expect(await page.locator('.aside .move').count()).toBe(1);
      await expect.poll(() => page.url()).toMatch(/#game\/\w+\/3$/);
      await page.reload();
      await page.waitForSelector('.square.movable, .square.open');
      expect(await page.locator('.record [data-node="1"]').textContent()).toBe(first);
      expect(await page.locator('.aside .move.current').count()).toBe(1);
      expect(await sideways(page)).toBeLessThanOrEqual(0);
      await done(page);
    });

    test(`any position is set up by hand, with what is wrong in words; ${size}`, async () => {
      const page = await open(options);
      await page.getByRole('button', { name: 'Set up' }).click();
      const dialog = page.locator('dialog.setup');
      await dialog.getByRole('button', { name: 'Clear' }).click();
      await dialog.locator('.faults li:not(.fine)').first().waitFor();
      expect(await dialog.getByRole('button', { name: 'Play from here' }).isDisabled()).toBe(true);
      await dialog.getByLabel('Position text').fill('3k5/4R4/9/9/9/9/9/9/R8/4K4 w - - 0 1');
      await dialog.getByLabel('Position text').blur();
      await dialog.locator('.faults .fine').waitFor();
      const put = dialog.locator('.square[data-square="i0"]');
      await dialog.getByRole('radio', { name: 'Red chariot' }).click();
      await put.click();
      await expect.poll(() => put.getAttribute('aria-label')).toContain('Red chariot');
      await dialog.getByRole('radio', { name: 'Remove pieces' }).click();
      await put.click();
      await expect.poll(() => put.getAttribute('aria-label')).toContain('empty');
      await dialog.getByRole('button', { name: 'Play from here' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.locator('.square[data-square="a1"]').click();
      await page.locator('.square[data-square="d1"]').click();
      await page.locator('.status.ended').waitFor();
      expect(await page.locator('.status').textContent()).toContain('Red wins');
      await done(page);
    });

    test(`everything is said in Chinese, and nothing scrolls sideways; ${size}`, async () => {
      const page = await open({ ...options, colorScheme: 'dark' });
      await page.getByRole('button', { name: '中文' }).click();
      expect(await page.locator('.status').textContent()).toBe('轮到您走');
      expect(await page.locator('.what').textContent()).toBe('象棋');
      expect(await page.locator('.square').first().getAttribute('aria-label')).toContain('黑车');
      for (const name of ['新对局', '摆棋', '打开或分享', '设置']) {
        await page.getByRole('button', { name, exact: true }).click();
        const words = await page.locator('dialog').evaluate((dialog) => {
          const walk = document.createTreeWalker(dialog, NodeFilter.SHOW_TEXT);
          let found = '';
          while (walk.nextNode()) if (!walk.currentNode.parentElement?.closest('alfil-board, select, textarea, .kept')) found += walk.currentNode.textContent;
          return found;
        });
        expect(words.replace(/English|SVG|PNG|[^A-Za-z]/g, '')).toBe('');
        expect(await sideways(page)).toBeLessThanOrEqual(0);
        await page.keyboard.press('Escape');
        await page.locator('dialog').waitFor({ state: 'detached' });
      }
      await page.reload();
      await page.locator('.status', { hasText: '轮到您走' }).waitFor();
      await done(page);
    });
  }

  test('axe finds nothing: page, dialogs, analysis, in light and dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await open({ ...DESKTOP, colorScheme });
      await clickMove(page, chance(5));
      await turn(page);
      expect(await faults(page)).toEqual([]);
      for (const name of ['New game', 'Set up', 'Open or share', 'Settings']) {
        await page.getByRole('button', { name, exact: true }).click();
        await page.waitForTimeout(200);
        expect(await faults(page), name).toEqual([]);
        await page.keyboard.press('Escape');
      }
      await page.getByRole('button', { name: 'Analyse' }).click();
      await page.locator('.lines li').first().waitFor();
      expect(await faults(page)).toEqual([]);
      await done(page);
    }
  });

  test('a whole game is reviewed: every move has a value, the graph is drawn', async () => {
    const page = await open(DESKTOP);
    for (let played = 0; played < 3; played++) {
      await clickMove(page, chance(40 + played));
      await turn(page);
    }
    await page.getByRole('button', { name: 'Review the game' }).click();
    await page.locator('.curve').waitFor();
    await page.getByRole('button', { name: 'Review the game' }).waitFor({ timeout: 30_000 });
    // Each move says what it is worth where it stands.
    expect(await page.locator('.graph .step title').allTextContents()).toEqual(expect.arrayContaining([expect.stringMatching(/^3… \S+: [+−]?[\d.]+$/)]));
    const graph = await page.locator('.graph svg').boundingBox();
    await page.mouse.click((graph?.x ?? 0) + 2, (graph?.y ?? 0) + 20);
    await expect.poll(() => page.locator('.record .current').count()).toBe(0);
    await done(page);
  });

  test('what is exported is opened again; kept games are listed; notation and pieces are chosen', async () => {
    const page = await open(DESKTOP);
    await clickMove(page, chance(9));
    await turn(page);
    await page.getByRole('button', { name: 'Open or share' }).click();
    const dialog = page.locator('dialog.share');
    await expect.poll(() => dialog.locator('textarea.moves').inputValue()).toMatch(/^\[Game/);
    const text = await dialog.locator('textarea.moves').inputValue();
    // Without encryption a page has no clipboard of its own.
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await dialog.getByRole('button', { name: 'Copy' }).last().click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    await dialog.getByLabel(/^Paste/).press('Control+V');
    expect(await dialog.getByLabel(/^Paste/).inputValue()).toBe(text);
    await dialog.getByLabel(/^Paste/).evaluate((field: HTMLTextAreaElement) => {
      // Of letters of three bytes fewer have to be drawn.
      field.value = '炮'.repeat(3 << 20);
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await dialog.getByRole('button', { name: 'Open', exact: true }).click();
    await expect.poll(() => dialog.locator('.trouble').textContent()).toContain('eight megabytes');
    await dialog.getByLabel(/^Paste/).fill('a1 is no move');
    await dialog.getByRole('button', { name: 'Open', exact: true }).click();
    await expect.poll(() => dialog.locator('.trouble').textContent()).toContain('no move');
    await dialog.getByLabel(/^Paste/).fill(text);
    await dialog.getByRole('button', { name: 'Open', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await moves(page)).toBe(2);
    await page.getByRole('button', { name: 'Open or share' }).click();
    await expect.poll(() => page.locator('.kept li').count()).toBeGreaterThanOrEqual(2);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Settings' }).click();
    const before = await page.locator('.record [data-node="1"]').textContent();
    expect(await page.getByLabel('Notation').locator('option').allTextContents()).toContain('a0a1 (UCCI coordinates)');
    await page.getByLabel('Notation').selectOption({ index: 1 });
    await expect.poll(() => page.locator('.record [data-node="1"]').textContent()).not.toBe(before);
    const outline = () => page.evaluate(() => document.querySelector('alfil-board')?.shadowRoot?.querySelector('.outline')?.getAttribute('d'));
    const usual = await outline();
    await page.getByText('alternative', { exact: true }).click();
    await expect.poll(outline).not.toBe(usual);
    await done(page);
  });

  test('x-ray draws what is easily overlooked, in every game that has something', async () => {
    const page = await open(DESKTOP);
    await page.getByRole('button', { name: 'X-ray' }).click();
    await page.locator('.overlay > *').first().waitFor();
    // What the marks mean stands beside them.
    expect(await page.locator('ul.legend').allTextContents()).toEqual([expect.stringContaining('Cannon screen')]);
    expect(await faults(page)).toEqual([]);
    await page.getByRole('button', { name: 'X-ray' }).click();
    await expect.poll(() => page.locator('.overlay > *').count()).toBe(0);
    // What the marks mean takes room from the record: the move that stands on the board stays in sight.
    await paste(page, '炮二平五 马8进7 马二进三 车9平8 车一平二 卒7进1 车二进六 马2进3 兵七进一 炮8平9 车二平三 炮9退1 马八进七 士4进5 马七进六 车8进8');
    await page.locator('.engine').getByRole('button', { name: 'Engine' }).click();
    await page.getByRole('button', { name: 'X-ray' }).click();
    await page.locator('ul.legend').waitFor();
    const below = (box: { y: number; height: number } | null) => (box?.y ?? 0) + (box?.height ?? 0);
    await expect
      .poll(async () => below(await page.locator('.record').boundingBox()) - below(await page.locator('.record .current').boundingBox()))
      .toBeGreaterThanOrEqual(0);
    await done(page);
  });

  test('the element stands on a page of its own, opened as a file, as in the example', async () => {
    const page = await open(DESKTOP);
    await page.goto(new URL('../examples/board.html', import.meta.url).href);
    await page.locator('.square.open').first().click();
    await expect.poll(() => page.locator('.man').count()).toBe(2);
    await done(page);
  });

  test('a phone that lies on its side shows a board, and the tabs of one that stands lead to the settings', async () => {
    for (const [width, height] of [[640, 360], [844, 390]] as const) {
      const page = await open({ ...PHONE, viewport: { width, height } });
      expect((await page.locator('alfil-board').boundingBox())?.width).toBeGreaterThan(250);
      expect(await sideways(page)).toBeLessThanOrEqual(0);
      await done(page);
    }
    const page = await open(PHONE);
    await page.locator('.tabs').getByRole('button', { name: 'Settings' }).tap();
    await page.locator('dialog').getByText('Light or dark').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('header').getByRole('button', { name: 'Xiangqi' }).tap();
    await page.locator('dialog').getByText('You play').waitFor();
    await done(page);
  });

  test('two windows on one game show the same', async () => {
    const page = await open(DESKTOP);
    await clickMove(page, chance(21));
    await turn(page);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await expect.poll(() => moves(other)).toBe(2);
    await clickMove(other, chance(22));
    await turn(other);
    await expect.poll(() => moves(page)).toBe(4);
    await done(page);
  });

  test('the judge says why a repetition ends the game, rules by other books, and its moves can be walked', async () => {
    const page = await open(DESKTOP);
    const round = 'a8a9 d9d8 a9a8 d8d9';
    await paste(page, `[FEN "3k5/R8/9/9/9/9/9/9/9/4K4 w - - 0 1"]\n\n${round} ${round}`);
    const judge = page.locator('.judge');
    await judge.locator('.reasons li').first().waitFor();
    await page.getByRole('button', { name: 'Why? Show the ruling' }).click();
    expect(await judge.locator('.reasons:focus').count()).toBe(1);
    await judge.locator('.window .move').first().click();
    await expect.poll(() => judge.locator('.window .current').count()).toBe(1);
    expect((await judge.locator('option').allTextContents()).slice(0, 2)).toEqual(['Asian rules (AXF)', 'Computer rules']);
    const books = await judge.locator('option').evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
    for (const book of books) {
      await judge.getByLabel('Rules').selectOption(book);
      await expect.poll(() => judge.getByLabel('Rules').inputValue()).toBe(book);
      expect(await judge.locator('.reasons li').count()).toBeGreaterThan(0);
    }
    await done(page);
  });

  test('a move that would offend is marked and told before it is played, in both languages', async () => {
    const page = await open(DESKTOP);
    await paste(page, '[FEN "R2k5/9/9/9/9/9/9/9/9/4K4 b - - 0 1"]\n\nd9d8 a9a8 d8d9 a8a9 d9d8 a9a8 d8d9');
    const warnings = page.locator('.warnings');
    await expect.poll(() => warnings.textContent()).toMatch(/^If a8a9 is played now, the game ends\. Red checked perpetually and loses/);
    await page.locator('.square[data-square="a8"]').click();
    expect(await page.locator('.dot.warned').count()).toBe(1);
    expect(await page.locator('.square[data-square="a9"]').getAttribute('aria-label')).toContain('Red checked perpetually');
    expect(await faults(page)).toEqual([]);
    await page.getByRole('button', { name: '中文' }).click();
    // The notation goes with the language.
    await expect.poll(() => warnings.textContent()).toBe('若现在走 车九进一，对局即告结束：红方长将判负，黑方胜');
    await done(page);
  });

  test('where sources dispute a repetition, each reading stands in the verdict', async () => {
    const page = await open(DESKTOP);
    const round = 'b9b7 e7f9 b7b9 f9e7';
    await paste(page, `[FEN "1RC1k4/9/4n4/9/9/9/9/4B4/9/4K4 w"]\n\n${round} ${round}`);
    await expect.poll(() => page.locator('.readings li').allTextContents()).toEqual([expect.stringMatching(/^Black wins: /), expect.stringMatching(/^a draw: .*general/)]);
    await page.getByRole('button', { name: '中文' }).click();
    await expect.poll(() => page.locator('.readings li').allTextContents()).toEqual([expect.stringMatching(/^判黑方胜：/), expect.stringMatching(/^判和棋：/)]);
    await done(page);
  });

  test('what is wrong with a position is said in Chinese, its circles stand on its own board, and a text that is none has none', async () => {
    const page = await open(DESKTOP);
    await page.getByRole('button', { name: '中文' }).click();
    await page.getByRole('button', { name: '摆棋' }).click();
    const dialog = page.locator('dialog.setup');
    const shown = () => dialog.locator('alfil-board').evaluate((element) => {
      const board = element as unknown as { men: { [square: string]: string }; over: { faults?: string[] } };
      return [Object.keys(board.men).length, (board.over.faults ?? []).join()];
    });
    for (const [text, words, men, circles] of [
      ['3kk4/9/9/9/9/9/9/9/9/3K5 w', '黑方有 2 个将：d9、e9', 3, 'd9,e9,d0,d9'],
      ['3k5/9/9/9/9/9/9/9/9/B3K4 w', '红相不可能走到 a0', 3, 'a0'],
      // The board stays as it was, and nothing that was wrong with it is said of the text.
      ['rnbx', '局面文本，字节 3：应为棋子', 3, ''],
      ['1. e4 e5 2. Nf3', '这看起来是国际象棋，当前对局是象棋。', 3, ''],
      ['', '这段文本里既没有局面，也没有着法。', 3, ''],
      ['炮二平五 马8进7', '此局面没有问题。', 32, ''],
    ] as const) {
      await dialog.getByLabel('局面文本').fill(text);
      await dialog.getByLabel('局面文本').blur();
      await expect.poll(() => dialog.locator('.faults, .trouble').allTextContents().then((all) => all.join(''))).toContain(words);
      expect(await shown(), text).toEqual([men, circles]);
    }
    await done(page);
  });

  test('text is opened wherever it is pasted or dropped, and what is wrong with it is said there', async () => {
    const page = await open(DESKTOP);
    const give = (kind: 'paste' | 'drop', text: string) => page.evaluate(([kind, text]) => {
      const data = new DataTransfer();
      data.setData('text/plain', text ?? '');
      const place = document.querySelector('dialog') ?? document.querySelector('alfil-board');
      const how = { bubbles: true, cancelable: true };
      place?.dispatchEvent(kind === 'drop' ? new DragEvent('drop', { dataTransfer: data, ...how }) : new ClipboardEvent('paste', { clipboardData: data, ...how }));
    }, [kind, text]);
    await give('paste', 'h2e2 h9g7');
    await expect.poll(() => moves(page)).toBe(2);
    await give('drop', '1. e4 e5 2. Nf3');
    await page.locator('.trouble', { hasText: 'This looks like Chess; the open game is Xiangqi.' }).waitFor();
    // A dialog that has no place for it gives way.
    await page.getByRole('button', { name: 'New game', exact: true }).click();
    await give('drop', 'h2e2 h2e2');
    await page.locator('.trouble', { hasText: /^Move 2: / }).waitFor();
    expect(await page.locator('dialog').count()).toBe(0);
    await page.getByRole('button', { name: 'Set up' }).click();
    await give('paste', '1. e4 e5 2. Nf3');
    await page.locator('dialog').getByRole('button', { name: 'Open it as a new game of Chess' }).click();
    await expect.poll(() => moves(page)).toBe(3);
    await done(page);
  });

  test('a file is opened wherever it is dropped, a field takes text by itself', async () => {
    const page = await open(DESKTOP);
    /** Carries a file or a text over a place and lets it go there: whether the page takes both gestures on itself. */
    const give = (place: string, file: string, text: string) => page.evaluate(([place, file, text]) => {
      const dataTransfer = new DataTransfer();
      if (file) dataTransfer.items.add(new File([file], 'game.pgn'));
      if (text) dataTransfer.setData('text/plain', text);
      return ['dragover', 'drop'].map((gesture) => {
        const event = new DragEvent(gesture, { dataTransfer, bubbles: true, cancelable: true });
        (document.querySelector(place ?? '') ?? document).dispatchEvent(event);
        return event.defaultPrevented;
      });
    }, [place, file, text]);
    expect(await give('alfil-board', '[White "A"]\n\n1. e4 e5 2. Nf3 *', '')).toEqual([true, true]);
    await expect.poll(() => moves(page)).toBe(3);
    expect(await page.locator('.what').textContent()).toBe('Chess');
    expect(await give('document', '', '1. d4')).toEqual([true, true]);
    await expect.poll(() => moves(page)).toBe(1);
    await page.getByRole('button', { name: 'Open or share' }).click();
    expect(await give('dialog textarea', '', '1. c4 c5')).toEqual([false, false]);
    expect(await give('dialog textarea', '1. e4 e5', '')).toEqual([true, true]);
    await page.locator('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => moves(page)).toBe(2);
    await done(page);
  });

  test('what belongs to another game is named, and opened there with one click', async () => {
    const page = await open(DESKTOP);
    await page.getByRole('button', { name: 'Open or share' }).click();
    const dialog = page.locator('dialog.share');
    await dialog.getByLabel(/^Paste/).fill('1. e4 e5 2. Nf3');
    await dialog.getByRole('button', { name: 'Open', exact: true }).click();
    await dialog.locator('.trouble', { hasText: 'This looks like Chess; the open game is Xiangqi.' }).waitFor();
    await dialog.getByRole('button', { name: 'Open it as a new game of Chess' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect([await page.locator('.what').textContent(), await moves(page)]).toEqual(['Chess', 3]);
    await done(page);
  });

  test('castling by either gesture, and a promotion that is chosen', async () => {
    const page = await open(DESKTOP);
    const square = (name: string) => page.locator(`.square[data-square="${name}"]`);
    const castling = 'r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1';
    const from = async (fen: string) => {
      await page.getByRole('button', { name: 'Set up' }).click();
      const dialog = page.locator('dialog.setup');
      await dialog.getByLabel('Position text').fill(fen);
      await dialog.getByLabel('Position text').blur();
      await dialog.locator('.faults .fine').waitFor();
      await dialog.getByRole('button', { name: 'Play from here' }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await start(page, 'Chess', 0, 1);
    for (const goal of ['g1', 'h1']) {
      await from(castling);
      await page.locator('.square.movable[data-square="e1"]').click();
      await page.locator(`.square.open[data-square="${goal}"]`).click();
      await expect.poll(() => square('f1').getAttribute('aria-label')).toContain('White rook');
      expect(await square('g1').getAttribute('aria-label')).toContain('White king');
      expect(await page.locator('.record [data-node="1"]').textContent()).toMatch(/e1g1|O-O/);
    }
    await from(castling);
    await page.locator('.square.movable[data-square="b7"]').click();
    await page.locator('.square.open[data-square="a8"]').click();
    const chooser = page.locator('dialog.chooser');
    const choices = await chooser.getByRole('button').evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')));
    expect(choices).toEqual(['White queen', 'White rook', 'White bishop', 'White knight']);
    await page.setViewportSize(PHONE.viewport);
    for (const choice of await chooser.getByRole('button').all()) expect((await choice.boundingBox())?.width).toBeGreaterThan(60);
    expect(await chooser.evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)).toBe(0);
    await chooser.getByRole('button', { name: 'knight' }).click();
    await expect.poll(() => square('a8').getAttribute('aria-label')).toMatch(/White knight/);
    await done(page);
  });

  test('giving up is asked twice and said in words', async () => {
    const page = await open(DESKTOP);
    await page.getByRole('button', { name: 'Resign' }).click();
    await page.getByRole('button', { name: 'Really resign?' }).click();
    await page.locator('.status.ended').waitFor();
    expect(await page.locator('.status').textContent()).toBe('Red resigns: Black wins');
    await done(page);
  });

  test('a whole game of each kind by the hints of the page, to its end in words, and back again', async () => {
    const page = await open(DESKTOP);
    for (const game of await games(page)) {
      await start(page, game, 0, 1, '0.3');
      for (let played = 0; (await turn(page)) === 'move'; played++) {
        expect(played).toBeLessThan(300);
        await hinted(page);
      }
      expect(await page.locator('.status.ended').textContent()).toMatch(/wins|[Dd]rawn|draw/);
      await page.getByRole('button', { name: 'Take back' }).click();
      await page.locator('.status.ended').waitFor({ state: 'detached' });
      expect(await turn(page)).toBe('move');
    }
    await done(page);
  });
});

/** Plays the move that the page hints at, by clicking. */
async function hinted(page: Page): Promise<void> {
  const before = await moves(page);
  await page.getByRole('button', { name: 'Hint' }).click();
  const squares = await page.waitForFunction(() => {
    const board = document.querySelector('alfil-board') as (Element & { over: { arrows?: { from: string | null; to: string }[] } }) | null;
    return board?.over.arrows?.[0];
  });
  const { from, to } = await squares.jsonValue() as { from: string | null; to: string };
  if (from) await page.locator(`.play .square[data-square="${from}"]`).click();
  await page.locator(`.play .square[data-square="${to}"]`).click();
  const chooser = page.locator('.chooser button').first();
  if (await chooser.isVisible()) await chooser.click();
  await expect.poll(() => moves(page), { timeout: 30_000 }).toBeGreaterThan(before);
}
