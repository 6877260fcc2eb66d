import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DESKTOP, openText, startGame, useTestEnvironment } from './test-environment';

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
    expect(await row.textContent()).toMatch(/2026Tournament \d+.*60 moves$/);
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
    expect(await row.textContent()).toMatch(/2026年\d+ 号赛事.*60 手$/);
    await closePage(page);
  });

  test('the three files of a base are chosen together, and its games have names', async () => {
    const page = await openPage(DESKTOP);
    await startGame(page, 'Othello', 0, 1);
    await page.getByRole('button', { name: 'Library', exact: true }).click();
    const names = ['synthetic-wthor.jou', 'synthetic-wth.wtb', 'synthetic-wthor.trn'];
    await page.locator('.library input[type=file]').setInputFiles(names.map(file));
    await page.locator('.library-import [role=status]').waitFor();
    const row = page.locator('[aria-posinset="1"]');
    await expect.poll(() => row.locator('.row-players').textContent()).toContain(' – ');
    expect(await row.textContent()).not.toMatch(/Player \d|Tournament \d/);
    await closePage(page);
  });

  test('the time of a GGF date is not shown, and the printed game has its discs', async () => {
    const page = await openPage(DESKTOP);
    await startGame(page, 'Othello', 0, 1);
    await page.getByRole('button', { name: 'Library', exact: true }).click();
    await page.locator('.library input[type=file]').setInputFiles(file('synthetic-games.ggf'));
    const row = page.locator('[aria-posinset="1"]');
    await expect.poll(() => row.textContent()).toMatch(/20 Nov 2026.*60 moves$/);
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

  test('openings of chess have Chinese names in Chinese, in the record and in the library', async () => {
    const page = await openPage(DESKTOP);
    await startGame(page, 'Chess', 0, 1);
    await openText(page, '[White "Anna"]\n\n1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 *');
    const opening = page.locator('p.opening');
    // A record is opened at its first move.
    await expect.poll(() => opening.textContent()).toBe('B00 King\'s Pawn Game');
    await page.keyboard.press('End');
    await expect.poll(() => opening.textContent()).toBe('B90 Sicilian Defense: Najdorf Variation');
    await page.getByRole('button', { name: '中文' }).click();
    await expect.poll(() => opening.textContent()).toBe('B90 西西里防御：纳道尔夫变例');
    await page.getByRole('button', { name: '棋谱库', exact: true }).click();
    const row = page.locator('.library-row', { hasText: 'Anna' });
    await expect.poll(() => row.textContent()).toMatch(/B90 西西里防御：纳道尔夫变例5 回合$/);
    await closePage(page);
  });

  test('an import says in plain words what was done with which game, and that a file is there already', async () => {
    const page = await openPage(DESKTOP);
    await startGame(page, 'Chess', 0, 1);
    await page.getByRole('button', { name: 'Library', exact: true }).click();
    const names = '[White "Anna"]\n[Black "Bert"]\n';
    const text = `${names}[Result "1-0"]\n\n1. e4 e5 0-1\n\n${names}\n1. e4 e5 2. Ke3 *\n\n${names}\n1. d4 d5 *\n`;
    const club = { name: 'club.pgn', mimeType: 'text/plain', buffer: Buffer.from(text) };
    const report = page.locator('.library-import');
    await page.locator('.library input[type=file]').setInputFiles(club);
    await report.locator('li').first().waitFor();
    const remarks = await report.locator('li').allTextContents();
    expect(remarks[0]).toMatch(/^Game 1 \(Anna – Bert\): the header has another result .* kept\. \(line 1, byte 0\)$/);
    expect(remarks[1]).toMatch(/^Game 2 \(Anna – Bert\): move 2\. Ke3: .*\. The game is kept up to this point\. \(line 10, /);
    expect(remarks.length).toBe(2);
    await page.locator('.library input[type=file]').setInputFiles([]);
    await page.locator('.library input[type=file]').setInputFiles(club);
    await report.getByText('The same games are already in “club”. The new collection is called “club (2)”').waitFor();
    await page.locator('.library-collections').getByText('club (2)', { exact: true }).waitFor();
    const collections = await page.locator('.library-collections div > button span').allTextContents();
    expect(collections.slice(0, 2)).toEqual(['club (2)', 'club']);
    await closePage(page);
  });
});
