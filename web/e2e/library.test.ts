import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityViolations, appearances } from './accessibility';
import { DESKTOP, PHONE, moveCount, openLibrary, openText, siteFolder, startGame, useTestEnvironment } from './test-environment';

const { available, openPage, closePage } = useTestEnvironment();

const PLAYERS = ['Adams, Anna', 'Botha, Bert', 'Castañeda, Carla', '胡荣华', 'Dvořák, Dana'];
const MOVES = [
  '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6',
  '1. d4 Nf6 2. c4 g6 3. Nc3 Bg7 4. e4 d6 5. Nf3 O-O',
  '1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6',
];
const RESULTS = ['1-0', '0-1', '1/2-1/2'];

/** Returns a file of games. Game 500 is of a player of its own. */
function pgnFile(count: number): string {
  return Array.from({ length: count }, (_, i) => {
    const white = i === 499 ? 'Zukertort, Zoe' : PLAYERS[i % 5];
    const tags = [
      ['Event', i % 10 === 0 ? 'Wijk aan Zee' : `Round ${1 + (i % 9)}`],
      ['Date', `${1950 + (i % 70)}.05.01`],
      ['White', white],
      ['Black', PLAYERS[(i + 1) % 5]],
      ['Result', RESULTS[i % 3]],
    ];
    return `${tags.map(([name, value]) => `[${name} "${value}"]`).join('\n')}\n\n${MOVES[i % 3]} ${RESULTS[i % 3]}\n`;
  }).join('\n');
}

/** Opens a page with games in the library: those of the tests before, or of a file if the browser keeps them. */
async function openFilledPage(options: BrowserContextOptions): Promise<Page> {
  const page = await openPage(options);
  if (siteFolder) {
    await page.locator('header nav button').nth(3).click();
    const buffer = Buffer.from(pgnFile(120));
    await page.locator('.library input[type=file]').setInputFiles({ name: 'games.pgn', mimeType: 'text/plain', buffer });
    await page.locator('.library-import [role=status]').waitFor();
    await page.locator('.library-header button').last().click();
  }
  return page;
}

const count = (page: Page) => page.locator('dialog.library .count').textContent();
const rows = (page: Page) => page.locator('.library-row');
/** Returns the names of the players of the first game in the list. */
const firstPlayers = (page: Page) => page.locator('[aria-posinset="1"] .row-players').textContent();

describe.skipIf(!available)('the library', () => {
  let folder = '';
  let file = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'alfil-'));
    file = join(folder, 'club games.pgn');
    writeFileSync(file, pgnFile(1000));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('a file of 1,000 games is imported, and one is found, opened, edited, deleted, restored and exported', async () => {
    const page = await openPage(DESKTOP);
    await startGame(page, 'Chess', 0, 1);
    await openLibrary(page);
    await page.locator('.library input[type=file]').setInputFiles(file);
    await page.locator('.library-import', { hasText: '1,000 games imported.' }).waitFor();
    await expect.poll(() => count(page)).toBe('1,000 games');
    expect(await page.locator('.library-collections [aria-pressed=true]').textContent()).toContain('club games');
    await expect.poll(() => firstPlayers(page)).toBe('Adams, Anna – Botha, Bert');

    // By player, event and opening.
    const search = page.getByRole('searchbox');
    await search.fill('zukertort');
    await expect.poll(() => count(page)).toBe('One game');
    await search.fill('wijk zee');
    await expect.poll(() => count(page)).toBe('100 games');
    await search.fill('荣华');
    await expect.poll(() => count(page)).toBe('400 games');
    await search.fill('ruy lopez');
    await expect.poll(() => count(page)).toBe('334 games');
    await search.fill('');
    await page.locator('.library select[aria-label="Sort by"]').selectOption('date');
    await expect.poll(() => page.locator('[aria-posinset="1"]').textContent()).toContain('2019');

    // It is opened, its tags are edited there, and the list shows them.
    await search.fill('zukertort');
    await expect.poll(() => count(page)).toBe('One game');
    await page.locator('[aria-posinset="1"] .row-players').click();
    await page.locator('dialog.library').waitFor({ state: 'detached' });
    await expect.poll(() => moveCount(page)).toBe(10);
    await openLibrary(page);
    await search.fill('zukertort');
    await expect.poll(() => count(page)).toBe('One game');
    await page.locator('[aria-posinset="1"] .row-check').click();
    await page.getByRole('button', { name: 'Edit names and event' }).click();
    const details = page.locator('dialog.details');
    await details.getByLabel('Event').fill('Final of the club');
    await details.getByRole('button', { name: 'Save', exact: true }).click();
    await details.waitFor({ state: 'detached' });
    await search.fill('final club');
    await expect.poll(() => count(page)).toBe('One game');
    await page.locator('.library .notice').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => count(page)).toBe('0 games');
    await page.getByText('No game matches.').waitFor();

    // Games are deleted, and come back.
    await search.fill('ruy lopez');
    await expect.poll(() => count(page)).toBe('334 games');
    const allOfList = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save all as PGN' }).click();
    expect(readFileSync(await (await allOfList).path(), 'utf8').match(/\[White "/g)?.length).toBe(334);
    await page.getByRole('button', { name: 'Select all' }).click();
    await expect.poll(() => count(page)).toBe('334 selected');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as PGN' }).click();
    const exported = readFileSync(await (await download).path(), 'utf8');
    expect([exported.match(/\[White "/g)?.length, exported.includes('Castañeda')]).toEqual([334, true]);
    await page.locator('.library-bar').getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.poll(() => count(page)).toBe('0 games');
    await page.locator('.library .notice').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => count(page)).toBe('334 games');
    await closePage(page);
  });

  test('the list keeps search, order, place and widths, and the games before and after are opened from a game', async () => {
    const page = await openFilledPage(DESKTOP);
    await openLibrary(page);
    const search = page.getByRole('searchbox');
    await search.fill('anna');
    await page.locator('.library-column').getByRole('button', { name: 'Date' }).click();
    await page.locator('.library-column [aria-pressed=true]', { hasText: 'Date ↓' }).waitFor();
    const edge = page.getByRole('separator', { name: 'Width of the column Players' });
    const width = () => page.locator('.library-column').first().evaluate((column) => Math.round(column.getBoundingClientRect().width));
    const before = await width();
    await edge.focus();
    for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowRight');
    await expect.poll(width).toBeGreaterThan(before + 20);
    const wide = await width();
    await page.locator('.library-list').evaluate((list) => list.scrollTo({ top: 36 * 20 }));
    const row = page.locator('[aria-posinset="25"]');
    await row.locator('.row-players').click();
    await page.locator('dialog.library').waitFor({ state: 'detached' });
    // A game of a file begins with its first move.
    await expect.poll(() => page.locator('.move-list .current').getAttribute('data-node')).toBe('1');
    const steps = page.locator('.list-steps');
    await expect.poll(() => steps.textContent()).toMatch(/^25 of /);
    const address = page.url();
    await steps.getByRole('button', { name: 'Next game' }).click();
    await expect.poll(() => steps.textContent()).toMatch(/^26 of /);
    expect(page.url()).not.toBe(address);
    await page.keyboard.press('PageUp');
    await expect.poll(() => steps.textContent()).toMatch(/^25 of /);
    expect(page.url()).toBe(address);
    await openLibrary(page);
    await row.locator('.row-players').waitFor();
    expect([await search.inputValue(), await width()]).toEqual(['anna', wide]);
    expect(await page.locator('.library-list').evaluate((list) => list.scrollTop)).toBe(36 * 20);
    await closePage(page);
  });

  test('games with the position on the board are found, also those that were played here', async () => {
    const page = await openFilledPage(DESKTOP);
    await startGame(page, 'Chess', 0, 1);
    await openText(page, '1. Nf3 Nf6 2. c4 g6 3. d4 Bg7 4. Nc3 *');
    await openLibrary(page);
    // The list was closed with the collection of the file.
    await page.getByRole('button', { name: /^All games/ }).click();
    const all = Number((await count(page))?.replace(/\D/g, ''));
    await page.getByLabel('With the position on the board').check();
    await expect.poll(async () => Number((await count(page))?.replace(/\D/g, ''))).toBeLessThan(all);
    await expect.poll(() => firstPlayers(page)).toBe('Analysis');
    await closePage(page);
  });

  // The moves of the last text lead to the position, those of the first ones in another order or beyond it.
  test.each([
    ['Xiangqi', ['a3a4 h9g7', 'c3c4 h9g7 h2e2', 'h2e2 h9g7 c3c4 i9h9', 'h2e2 h9g7 c3c4']],
    ['Othello', ['f5 f6', 'f5 d6 c3 d3 c4 f4', 'f5 d6 c3 d3 c4 b3', 'f5 d6 c3 d3 c4']],
  ])('games of %s with the position on the board are found', async (game, texts) => {
    const page = await openPage(DESKTOP);
    await startGame(page, game, 0, 1);
    for (const text of texts) {
      await openText(page, text);
      await expect.poll(() => moveCount(page)).toBe(text.split(' ').length);
    }
    await openLibrary(page);
    await page.getByLabel('With the position on the board').check();
    await expect.poll(() => count(page)).toBe('3 games');
    await closePage(page);
  });

  test('the keyboard alone scrolls, selects, deletes and opens', async () => {
    const page = await openFilledPage(DESKTOP);
    await openLibrary(page);
    const list = page.getByRole('listbox');
    await list.focus();
    await page.keyboard.press('End');
    const last = page.locator('.library-row.active');
    await expect.poll(() => last.locator('.row-players').count()).toBe(1);
    const total = Number(await last.getAttribute('aria-setsize'));
    expect(await last.getAttribute('aria-posinset')).toBe(String(total));
    // Only rows in sight are in the document.
    expect(await rows(page).count()).toBeLessThan(40);
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowUp');
    await expect.poll(() => count(page)).toBe('2 selected');
    await page.keyboard.press('Delete');
    await expect.poll(() => rows(page).first().getAttribute('aria-setsize')).toBe(String(total - 2));
    await page.keyboard.press('Control+z');
    await expect.poll(() => rows(page).first().getAttribute('aria-setsize')).toBe(String(total));
    await list.focus();
    await page.keyboard.press('Home');
    await expect.poll(() => page.locator('[aria-posinset="1"].active .row-players').count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.locator('dialog.library').waitFor({ state: 'detached' });
    await closePage(page);
  });

  test('a collection is renamed, deleted and restored; a small file of several games becomes one, too', async () => {
    const page = await openPage(DESKTOP);
    const small = join(folder, 'small.pgn');
    writeFileSync(small, pgnFile(6));
    await page.getByRole('button', { name: 'Open or share' }).click();
    await page.locator('dialog.share input[type=file]').first().setInputFiles(small);
    await page.locator('.library-import', { hasText: '6 games imported.' }).waitFor();
    const chosen = page.locator('.library-collections [aria-pressed=true]');
    await expect.poll(() => chosen.textContent()).toBe('small6');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('Name of the collection').fill('six games');
    await page.keyboard.press('Enter');
    await expect.poll(() => chosen.textContent()).toBe('six games6');
    await page.getByRole('button', { name: 'Delete this collection' }).click();
    await expect.poll(() => chosen.textContent()).toContain('All games');
    await expect.poll(() => page.locator('.library-collections').textContent()).not.toContain('six games');
    await page.locator('.library .notice').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => page.locator('.library-collections').textContent()).toContain('six games');
    await closePage(page);
  });

  test('deleted games are listed, restored, and removed for ever after a question', async () => {
    const page = await openPage(DESKTOP);
    const small = join(folder, 'deleted.pgn');
    writeFileSync(small, pgnFile(6));
    await openLibrary(page);
    await page.locator('.library input[type=file]').setInputFiles(small);
    await page.locator('.library-import', { hasText: '6 games imported.' }).waitFor();
    const places = page.locator('.library-collections');
    const bar = page.locator('.library-bar');
    const selectAll = async (games: number) => {
      await page.getByRole('button', { name: 'Select all' }).click();
      await expect.poll(() => count(page)).toBe(`${games} selected`);
    };
    const deletedCount = () => places.getByRole('button', { name: 'Deleted games' }).locator('small').textContent();
    await page.locator('.row-check').first().click();
    await bar.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete this collection' }).click();
    // The deletions cannot be undone after a reload, but the games are still there.
    await expect.poll(() => places.textContent()).not.toContain('deleted6');
    await page.reload();
    await openLibrary(page);
    const before = Number(await deletedCount());
    await places.getByRole('button', { name: 'Deleted games' }).click();
    await page.getByRole('searchbox').fill('botha');
    const others = rows(page).filter({ hasNotText: 'Botha' });
    await expect.poll(() => others.count()).toBe(0);
    await page.locator('.row-check').first().click();
    await bar.getByRole('button', { name: 'Restore' }).click();
    await expect.poll(deletedCount).toBe(String(before - 1));
    await expect.poll(() => places.textContent()).toContain('deleted1');
    await bar.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(deletedCount).toBe(String(before));
    await expect.poll(() => places.textContent()).not.toContain('deleted1');
    await page.getByRole('searchbox').fill('');
    await expect.poll(() => count(page)).toBe(`${before} games`);
    await selectAll(before);
    // The second click of a double click is no answer.
    await bar.getByRole('button', { name: 'Delete for ever' }).dblclick();
    await bar.getByText('This cannot be undone').waitFor();
    expect(await count(page)).toBe(`${before} selected`);
    await bar.getByRole('button', { name: 'Yes, delete for ever' }).click();
    await expect.poll(() => count(page)).toBe('0 games');
    await places.getByRole('button', { name: 'All games' }).click();
    await expect.poll(() => places.textContent()).not.toContain('Deleted games');
    await closePage(page);
  });

  const WIDER_PHONE = { ...PHONE, viewport: { width: 390, height: 844 } };
  for (const { name, locale, options } of appearances([['desktop', DESKTOP], ['phone', PHONE], ['390 px', WIDER_PHONE]])) {
    test(`nothing is cut off and axe finds no violation; ${name}`, async () => {
      const page = await openFilledPage(options);
      await page.getByRole('button', { name: locale === 'en-GB' ? 'Library' : '棋谱库', exact: true }).click();
      await page.locator('.library-row .row-players').first().waitFor();
      await page.locator('.row-check').nth(1).click();
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      const overflow = await page.evaluate(() => {
        const dialog = document.querySelector('dialog.library');
        return dialog ? dialog.scrollWidth - dialog.clientWidth : NaN;
      });
      expect(overflow).toBeLessThanOrEqual(0);
      expect(await accessibilityViolations(page)).toEqual([]);
      await closePage(page);
    });
  }
});
