import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DESKTOP, startGame, useTestEnvironment } from './test-environment';

const { available, openPage, closePage } = useTestEnvironment();
/** Random games with the numbers of players and tournaments, and with names, times and results. */
const file = (name: string) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: readFileSync(new URL(`../../crates/records/testdata/othello/${name}`, import.meta.url)),
});

describe.skipIf(!available)('texts about games of files', () => {
  test('a base without names is listed by its numbers, with discs, all moves and the year, in both languages', async () => {
    const page = await openPage(DESKTOP);
    await startGame(page, 'Othello', 0, 1);
    await page.getByRole('button', { name: 'Library', exact: true }).click();
    await page.locator('.library input[type=file]').setInputFiles(file('synthetic-wth.wtb'));
    const row = page.locator('[aria-posinset="1"]');
    await expect.poll(() => row.locator('.row-players').textContent()).toMatch(/^Player \d+ – Player \d+$/);
    expect(await row.locator('.row-result').textContent()).toBe('37–27');
    expect(await row.locator('.row-details').textContent()).toMatch(/Tournament \d+ · 2026 · 60 moves$/);
    await row.locator('.row-players').click();
    await page.locator('dialog.library').waitFor({ state: 'detached' });
    const event = page.locator('p.event span');
    await expect.poll(() => event.textContent()).toMatch(/^37–27 · Tournament \d+ · 2026$/);
    await expect.poll(() => page.locator('.player-name').allTextContents()).toEqual([
      expect.stringMatching(/^Player \d+$/),
      expect.stringMatching(/^Player \d+$/),
    ]);
    await page.getByRole('button', { name: '中文' }).click();
    await expect.poll(() => event.textContent()).toMatch(/^37–27 · \d+ 号赛事 · 2026年$/);
    await page.getByRole('button', { name: '棋谱库', exact: true }).click();
    await expect.poll(() => row.locator('.row-players').textContent()).toMatch(/^\d+ 号棋手 – \d+ 号棋手$/);
    expect(await row.locator('.row-details').textContent()).toMatch(/\d+ 号赛事 · 2026年 · 60 手$/);
    await closePage(page);
  });

  test('the time of a GGF date is not shown, and the printed game has its discs', async () => {
    const page = await openPage(DESKTOP);
    await startGame(page, 'Othello', 0, 1);
    await page.getByRole('button', { name: 'Library', exact: true }).click();
    await page.locator('.library input[type=file]').setInputFiles(file('synthetic-games.ggf'));
    const row = page.locator('[aria-posinset="1"]');
    await expect.poll(() => row.locator('.row-details').textContent()).toContain('20 Nov 2026 · 60 moves');
    await row.locator('.row-players').click();
    await page.locator('dialog.library').waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('p.event span').textContent()).toMatch(/^37–27 · 20 Nov 2026$/);
    await page.getByRole('button', { name: 'Open or share' }).click();
    await page.locator('dialog.share').getByRole('button', { name: 'Print' }).click();
    await page.locator('dialog.print-dialog').getByRole('button', { name: 'Print' }).and(page.locator(':enabled')).waitFor();
    await page.emulateMedia({ media: 'print' });
    const sheet = page.locator('.print-sheet');
    expect(await sheet.locator('.print-event').textContent()).toContain('Othello · 37–27 · 20 Nov 2026');
    expect(await sheet.locator('.print-moves > b').textContent()).toBe('37–27');
    await closePage(page);
  });
});
