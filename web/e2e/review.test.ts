import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { accessibilityViolations } from './accessibility';
import { DESKTOP, PHONE, moveCount, openTab, openText, startGame, useTestEnvironment } from './test-environment';

const { available, openPage, closePage } = useTestEnvironment();

/** Black lets White mate, and White does not see it. */
const GAME =
  '[Event "A lesson"]\n[White "Ada"]\n[Black "Max"]\n[Result "1-0"]\n\n' +
  '1. e4 {[%clk 0:05:00]} e5 {[%clk 0:04:59]} 2. Bc4 {[%eval 0.31] [%clk 0:04:50] natural} Nc6 (2... Nf6 3. d3) 3. Qh5 Nf6 4. Nf3 Nxh5 1-0';
const MOVES = 9;

async function openGame(page: Page, text = GAME, count = MOVES + 1): Promise<void> {
  await startGame(page, 'Chess', 0, 1);
  await openText(page, text);
  await expect.poll(() => moveCount(page)).toBe(count);
}

async function review(page: Page): Promise<void> {
  await openTab(page, 'Review');
  await page.getByRole('button', { name: 'Review the game' }).click();
  await page.locator('.review-words').waitFor({ timeout: 120_000 });
}

/** Returns everything that a review says. */
async function findings(page: Page): Promise<string[]> {
  const tooltips = await page.locator('.graph .position title').allTextContents();
  const texts = await page.locator('.review-words, .review-table, .turning-points').allTextContents();
  const marks = await page.locator('.move-list .review-mark').allTextContents();
  return [...tooltips, ...texts, ...marks];
}

async function play(page: Page, from: string, to: string): Promise<void> {
  await page.locator(`.play .square[data-square="${from}"]`).click();
  await page.locator(`.play .square.open[data-square="${to}"]`).click();
}

const task = (page: Page) => page.locator('.retry-task').textContent();
const menuButton = (page: Page) => page.getByRole('button', { name: 'Marks, variations, copies and print' });

describe.skipIf(!available)('the record and its review', () => {
  test('two reviews say the same: marks, accuracies, turning points and every score', async () => {
    const page = await openPage(DESKTOP);
    await openGame(page);
    await review(page);
    const first = await findings(page);
    expect(first.join('\n')).toContain('4. Nf3');
    expect(await page.locator('.review-words').textContent()).toMatch(/White: accuracy \d+ %, .*Black: accuracy \d+ %/);
    // The turning points stand in the order of the game, with what is proved of them.
    expect(await page.locator('.turning-points .move').allTextContents()).toEqual([
      expect.stringMatching(/^3… Nf6\?\? cost Black \d+ % of the expected score: it allowed mate in 1\. .* was better\.$/),
      expect.stringMatching(/^4\. Nf3\?\? cost White \d+ % of the expected score: there was a mate in 1\. Qxf7#? was better\.$/),
    ]);
    const blunders = await page.locator('.move-list .move.blunder').allTextContents();
    expect(blunders.map((text) => text.trim())).toEqual(['Nf6??', 'Nf3??']);
    expect(await page.locator('.graph .loss.blunder').count()).toBe(2);
    expect(await page.locator('.phases').textContent()).toBe('Opening');
    await page.getByRole('button', { name: 'Review again' }).click();
    await page.locator('.review .search-info').waitFor();
    await page.locator('.review-words').waitFor({ timeout: 120_000 });
    expect(await findings(page)).toEqual(first);
    expect(await accessibilityViolations(page)).toEqual([]);
    // The marks of the review are in the file of the game.
    await page.getByRole('button', { name: 'Open or share' }).click();
    const moves = page.locator('dialog.share textarea.moves');
    await expect.poll(() => moves.inputValue()).toMatch(/\[AccuracyVersion "2"\][^]*3\. Qh5 .*Nf6 \$4[^]*4\. Nf3 \$4/);
    await page.locator('dialog.share').getByRole('button', { name: 'Close' }).click();
    // The review is stored with the game.
    await page.reload();
    await page.locator('.review-words').waitFor();
    expect(await findings(page)).toEqual(first);
    await closePage(page);
  });

  for (const [width, height] of [[1440, 900], [1280, 800]] as const) {
    test(`after a review the moves, the graph and the marks are in sight beside the board; ${width}x${height}`, async () => {
      const page = await openPage({ viewport: { width, height } });
      await openGame(page);
      await page.keyboard.press('l');
      await review(page);
      expect(await page.locator('aside').evaluate((side) => side.scrollHeight - side.clientHeight)).toBe(0);
      for (const part of ['.move-list', '.navigation', '.comment', '.graph svg', '.review-table', '.review .primary']) {
        const box = await page.locator(part).boundingBox();
        const end = await page.locator('aside').evaluate((side) => side.getBoundingClientRect().bottom);
        expect([part, box !== null && box.y > 0 && box.y + box.height <= end]).toEqual([part, true]);
      }
      // Each row has one line, with its scores; a comment has the width of the list.
      const moves = page.locator('.move-list > li > .move');
      expect(await moves.evaluateAll((all) => all.filter((move) => move.clientHeight > 30 || move.scrollHeight > 30).length)).toBe(0);
      expect(await moves.first().evaluate((move) => getComputedStyle(move, '::after').content)).toMatch(/[+−]\d/);
      const widths = await page.locator('.move-list .comment-text').evaluate((comment) => [comment.clientWidth, comment.closest('ol')?.clientWidth ?? 0]);
      expect(widths[0]).toBeGreaterThan(0.9 * (widths[1] ?? 0));
      await closePage(page);
    });
  }

  for (const [size, options] of [
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ] as const) {
    test(`a mistake is retried with a wrong move, a hint and the right move; ${size}`, async () => {
      const page = await openPage(options);
      await openGame(page);
      await review(page);
      await page.getByLabel('Whose mistakes').selectOption({ label: 'White' });
      await page.getByRole('button', { name: 'Retry the mistakes' }).click();
      await expect.poll(() => task(page)).toContain('Mistake 1 of 1: White played 4. Nf3');
      await expect.poll(() => page.locator('.retry').evaluate((panel) => panel === document.activeElement)).toBe(true);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      expect(await accessibilityViolations(page)).toEqual([]);
      // The move of the game is no better, and it is not played a second time.
      await play(page, 'g1', 'f3');
      await expect.poll(() => task(page)).toMatch(/Nf3 is not good enough: it loses \d+ %/);
      expect(await moveCount(page)).toBe(MOVES + 1);
      await page.locator('.play .square.movable[data-square="g1"]').waitFor();
      await page.getByRole('button', { name: 'Hint', exact: true }).last().click();
      await expect.poll(() => task(page)).toContain('The marked piece has a better move');
      expect(await page.locator('.overlay .ring').count()).toBe(1);
      await page.getByRole('button', { name: 'Hint', exact: true }).last().click();
      await expect.poll(() => page.locator('.overlay .ring').count()).toBe(2);
      await play(page, 'h5', 'f7');
      await expect.poll(() => task(page)).toBe('Qxf7# is right: it is the best move.');
      await page.getByRole('button', { name: 'Finish' }).click();
      await page.locator('.review-words').waitFor();
      expect(await moveCount(page)).toBe(MOVES + 1);
      await closePage(page);
    });
  }

  test('a move that the review does not know is searched, and the solution is shown', async () => {
    const page = await openPage(DESKTOP);
    await openGame(page);
    await review(page);
    await page.getByLabel('Whose mistakes').selectOption({ label: 'Black' });
    await page.getByRole('button', { name: 'Retry the mistakes' }).click();
    await expect.poll(() => task(page)).toContain('Black played 3… Nf6');
    await play(page, 'a7', 'a6');
    await expect.poll(() => task(page), { timeout: 30_000 }).toMatch(/a6 is not good enough/);
    await page.getByRole('button', { name: 'Show the solution' }).click();
    await expect.poll(() => task(page)).toMatch(/The best move is (g6|Qe7|Qf6)\./);
    await page.locator('.overlay .arrow').first().waitFor();
    await closePage(page);
  });

  test('scores, clock times, captured pieces and names of an imported game are shown', async () => {
    const page = await openPage(DESKTOP);
    await openGame(page);
    const facts = await page.locator('.move-list > li .move[data-facts]').evaluateAll((moves) => moves.map((move) => move.getAttribute('data-facts')));
    // The game opens at its first move, of which the engine may have a score by now.
    expect(facts).toEqual(expect.arrayContaining([expect.stringMatching(/5:00$/), '4:59', '+0.31 · 4:50']));
    expect(await page.locator('.graph .time-used').count()).toBe(1);
    expect(await page.locator('.player').allTextContents()).toEqual([expect.stringContaining('Max'), expect.stringContaining('Ada')]);
    await page.keyboard.press('End');
    await expect.poll(() => page.locator('.captured').first().getAttribute('aria-label')).toBe('Captured: White queen; ahead by 9');
    await closePage(page);
  });

  test('marks are entered by the menu and by the keys, and undone', async () => {
    const page = await openPage(DESKTOP);
    await openGame(page);
    await page.locator('.move-list [data-node="1"]').click();
    await page.locator('.move-list .current[data-node="1"]').waitFor();
    const label = () => page.locator('.move-list [data-node="1"]').textContent();
    await menuButton(page).click();
    await page.getByRole('button', { name: '!? interesting move' }).click();
    await expect.poll(label).toBe('e4!?');
    await page.getByRole('button', { name: '∞ unclear' }).click();
    await expect.poll(label).toBe('e4!? ∞');
    await page.keyboard.press('!');
    await expect.poll(label).toBe('e4! ∞');
    await page.keyboard.press('!');
    await expect.poll(label).toBe('e4!! ∞');
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.locator('.line-menu').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+z');
    await expect.poll(label).toBe('e4! ∞');
    await expect.poll(() => page.locator('.notice').textContent()).toContain('marks of a move');
    await closePage(page);
  });

  test('a variation is promoted, and a line is copied as PGN', async () => {
    const page = await openPage(DESKTOP);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await openGame(page);
    await page.locator('.variation .move', { hasText: 'd3' }).click();
    await page.locator('.variation .move.current', { hasText: 'd3' }).waitFor();
    await menuButton(page).click();
    await page.getByRole('button', { name: 'Copy this line as PGN' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(/2\. Bc4\s.*Nf6 3\. d3/s);
    expect(copied).not.toContain('Nc6');
    await page.getByRole('button', { name: 'Promote the variation' }).click();
    await page.locator('.variation .move', { hasText: 'Nc6' }).waitFor();
    expect(await page.locator('.variation .move', { hasText: 'd3' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Promote the variation' }).isDisabled()).toBe(true);
    await closePage(page);
  });

  test.each([['a desktop', DESKTOP], ['a phone', PHONE]])('after a review its mistakes can be retried and printed; %s', async (_name, size) => {
    const page = await openPage(size);
    await openGame(page);
    await review(page);
    const retry = page.getByRole('button', { name: 'Retry the mistakes' });
    // The button follows the summary: on a desktop it is in sight at once.
    if (size === DESKTOP) expect(await retry.evaluate((button) => button.getBoundingClientRect().bottom < innerHeight)).toBe(true);
    expect(await retry.evaluate((button) => button.compareDocumentPosition(document.querySelector('.review-table') ?? button))).toBe(4);
    const dialog = page.locator('dialog.print-dialog');
    const isPrepared = async () => {
      await dialog.getByRole('button', { name: 'Print' }).and(page.locator(':enabled')).waitFor();
      await page.emulateMedia({ media: 'print' });
      expect(await page.locator('.print-sheet').isVisible()).toBe(true);
      expect(await page.locator('header').isVisible()).toBe(false);
      await page.emulateMedia({ media: 'screen' });
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await page.locator('.review').getByRole('button', { name: 'Print' }).click();
    await isPrepared();
    await page.getByRole('button', { name: 'Open or share' }).click();
    await page.locator('dialog.share').getByRole('button', { name: 'Print' }).click();
    await isPrepared();
    expect(await page.locator('dialog.share').isVisible()).toBe(true);
    await closePage(page);
  });

  test('the printed page has names, moves with marks and comments, diagrams and the graph, and nothing else', async () => {
    const page = await openPage({ ...DESKTOP, colorScheme: 'dark' });
    await openGame(page);
    await review(page);
    await menuButton(page).click();
    await page.locator('.line-menu').getByRole('button', { name: 'Print' }).click();
    const dialog = page.locator('dialog.print-dialog');
    await dialog.getByRole('button', { name: 'Print' }).and(page.locator(':enabled')).waitFor();
    await page.emulateMedia({ media: 'print' });
    const sheet = page.locator('.print-sheet');
    expect(await sheet.locator('h1').textContent()).toBe('White: Ada – Black: Max');
    const text = (await sheet.innerText()).replace(/\s+/g, ' ');
    expect(text).toMatch(/1\. e4 e5 2\. Bc4 natural 2… Nc6 \( ?2… Nf6 3\. d3 ?\) 3\. Qh5 Nf6\?\?/);
    expect(text).toMatch(/after 4\. Nf3\?*.* 1–0 .*White: accuracy/);
    expect(await sheet.locator('figure img').count()).toBe(2);
    expect(await sheet.locator('figure img').evaluateAll((images) => images.every((one) => (one as HTMLImageElement).naturalWidth > 0))).toBe(true);
    expect(await page.locator('.print-graph').count()).toBe(1);
    expect(await page.locator('.page').isVisible()).toBe(false);
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(255, 255, 255)');
    await page.emulateMedia({ media: null });
    const pdf = await page.pdf({ format: 'A4', path: process.env.ALFIL_PRINTED });
    expect(pdf.length).toBeGreaterThan(10_000);
    await dialog.getByLabel('Diagrams').selectOption({ label: 'none' });
    await expect.poll(() => page.locator('.print-sheet figure').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => page.locator('.print-root').count()).toBe(0);
    await closePage(page);
  });
});
