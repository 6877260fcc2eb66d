import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { DESKTOP, moveCount, openLibrary, siteFolder, startGame, useTestEnvironment } from './test-environment';

// The library that a browser keeps. Its other tests are in `library.test.ts`, with a server and without one.

const { available, openPage, closePage } = useTestEnvironment();

/** For lists of a large library on a busy machine. */
const LONG_TIMEOUT = { timeout: 30_000 };
/** The number of games that a browser has to manage. */
const GAMES = 5000;
/** A game of usual length: Kasparov against Topalov, Wijk aan Zee 1999. */
const MOVES =
  '1. e4 d6 2. d4 Nf6 3. Nc3 g6 4. Be3 Bg7 5. Qd2 c6 6. f3 b5 7. Nge2 Nbd7 8. Bh6 Bxh6 9. Qxh6 Bb7 10. a3 e5 ' +
  '11. O-O-O Qe7 12. Kb1 a6 13. Nc1 O-O-O 14. Nb3 exd4 15. Rxd4 c5 16. Rd1 Nb6 17. g3 Kb8 18. Na5 Ba8 19. Bh3 d5 ' +
  '20. Qf4+ Ka7 21. Rhe1 d4 22. Nd5 Nbxd5 23. exd5 Qd6 24. Rxd4 cxd4 25. Re7+ Kb6 26. Qxd4+ Kxa5 27. b4+ Ka4 ' +
  '28. Qc3 Qxd5 29. Ra7 Bb7 30. Rxb7 Qc4 31. Qxf6 Kxa3 32. Qxa6+ Kxb4 33. c3+ Kxc3 34. Qa1+ Kd2 35. Qb2+ Kd1 ' +
  '36. Bf1 Rd2 37. Rd7 Rxd7 38. Bxc4 bxc4 39. Qxh8 Rd3 40. Qa8 c3 41. Qa4+ Ke1 42. f4 f5 43. Kc1 Rd2 44. Qa7';

/** Returns a file of games, each with a player of its own. */
function largeFile(): { name: string; mimeType: string; buffer: Buffer } {
  const games = Array.from(
    { length: GAMES },
    (_, i) => `[Event "Club ${i % 50}"]\n[White "Player ${i}"]\n[Black "Topalov"]\n[Date "19${10 + (i % 90)}"]\n[Result "1-0"]\n\n${MOVES} 1-0\n`,
  );
  return { name: 'large.pgn', mimeType: 'text/plain', buffer: Buffer.from(games.join('\n')) };
}

const count = (page: Page) => page.locator('dialog.library .count').textContent();

describe.skipIf(!available || !siteFolder)('the library in the browser', () => {
  test('5,000 games are imported, kept over a reload, found, and shown in another window', async () => {
    const page = await openPage(DESKTOP);
    await startGame(page, 'Chess', 0, 1);
    await openLibrary(page);
    const file = largeFile();
    const input = page.locator('.library input[type=file]');
    // A cancelled import leaves nothing.
    await input.setInputFiles(file);
    await page.locator('.library-import', { hasText: /[1-9][\d,]* games/ }).waitFor(LONG_TIMEOUT);
    await page.locator('.library-import button').click();
    await page.locator('.library-import').waitFor({ state: 'detached' });
    await expect.poll(() => count(page), LONG_TIMEOUT).toMatch(/^(0 games|One game)$/);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.waitForSelector('.square.movable');
    await openLibrary(other);

    const start = performance.now();
    await input.setInputFiles(file);
    await page.locator('.library-import', { hasText: '5,000 games imported.' }).waitFor({ timeout: 120_000 });
    console.log(`5,000 games imported: ${Math.round(performance.now() - start)} ms`);
    await expect.poll(() => count(page), LONG_TIMEOUT).toBe('5,000 games');
    await other.getByRole('searchbox').fill('topalov');
    await expect.poll(() => count(other), LONG_TIMEOUT).toBe('5,000 games');
    await other.close();

    const reload = performance.now();
    await page.reload();
    await page.waitForSelector('.square.movable');
    console.log(`a reload with 5,000 games, until a move can be made: ${Math.round(performance.now() - reload)} ms`);
    const open = performance.now();
    await openLibrary(page);
    await expect.poll(() => count(page), LONG_TIMEOUT).toMatch(/5,00[01] games/);
    console.log(`the library opened: ${Math.round(performance.now() - open)} ms`);
    const search = page.getByRole('searchbox');
    for (const [words, found] of [['player 4711', 'One game'], ['topalov 49', '207 games'], ['pirc', '5,000 games']] as const) {
      await search.fill(words);
      await expect.poll(() => count(page), LONG_TIMEOUT).toBe(found);
    }
    await search.fill('player 4711');
    await expect.poll(() => count(page), LONG_TIMEOUT).toBe('One game');
    await page.locator('[aria-posinset="1"] .row-players').click();
    await expect.poll(() => moveCount(page), LONG_TIMEOUT).toBe(87);
    // The position at the end of the game occurs in all games.
    await page.keyboard.press('End');
    await expect.poll(() => page.url(), LONG_TIMEOUT).toMatch(/\/87$/);
    await openLibrary(page);
    await search.fill('');
    const position = performance.now();
    await page.getByLabel('With the position on the board').check();
    await expect.poll(() => count(page), LONG_TIMEOUT).toBe('5,000 games');
    console.log(`the first search for a position: ${Math.round(performance.now() - position)} ms`);
    await search.fill('player 4711');
    await expect.poll(() => count(page), LONG_TIMEOUT).toBe('One game');
    // All are deleted at once, and come back.
    await search.fill('');
    await page.getByLabel('With the position on the board').uncheck();
    await expect.poll(() => count(page), LONG_TIMEOUT).toMatch(/5,00[01] games/);
    await page.getByRole('button', { name: 'Select all' }).click();
    await expect.poll(() => count(page), LONG_TIMEOUT).toMatch(/5,00[01] selected/);
    await page.locator('.library-bar').getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.poll(() => count(page), LONG_TIMEOUT).toMatch(/^(0 games|One game)$/);
    await page.locator('.library .notice').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => count(page), LONG_TIMEOUT).toMatch(/5,00[01] games/);
    await closePage(page);
  });
});
