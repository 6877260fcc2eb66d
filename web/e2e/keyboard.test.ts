import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { DESKTOP, moveCount, useTestEnvironment } from './test-environment';

// Everything that can be done on the page is done with the keyboard alone: no test here uses the pointer. After every
// step the focus is on something, and seen.

const { available, openPage, closePage } = useTestEnvironment();

const FILE = [
  '[Event "Match"]\n[White "Ann"]\n[Black "Bob"]\n[Result "0-1"]\n\n1. f3 e5 (1... d5 2. d4) 2. g4 Qh4# 0-1\n',
  '[Event "Match"]\n[White "Cid"]\n[Black "Dan"]\n[Result "1-0"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n',
  '[Event "Match"]\n[White "Eve"]\n[Black "Fay"]\n[Result "*"]\n\n1. d4 d5 *\n',
].join('\n');

/** What has the focus: its name, and whether it can be seen that it has it. */
interface Focus {
  name: string;
  isBody: boolean;
  isSeen: boolean;
}

async function focus(page: Page): Promise<Focus> {
  return page.evaluate(() => {
    let element = document.activeElement as HTMLElement | null;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement as HTMLElement;
    if (!element || element === document.body) return { name: 'body', isBody: true, isSeen: false };
    const label = element.closest('label') ?? (element as HTMLInputElement).labels?.[0];
    const name = element.getAttribute('aria-label') ?? (element.matches('input, select, textarea') ? label?.textContent : element.textContent) ?? '';
    // The focus of a field in a label may be shown by the label.
    const shown = [element, label].some((one) => {
      const { outlineStyle, boxShadow } = one ? getComputedStyle(one) : { outlineStyle: 'none', boxShadow: 'none' };
      return outlineStyle !== 'none' || (one?.matches('.square') && boxShadow !== 'none');
    });
    return { name: name.trim(), isBody: false, isSeen: shown };
  });
}

/** Checks that the focus is on something, and seen. A text of its own may have the focus without a frame. */
async function checkFocus(page: Page, after: string): Promise<Focus> {
  await expect.poll(async () => (await focus(page)).isBody, { message: `the focus is lost: ${after}` }).toBe(false);
  return focus(page);
}

/** Presses Tab until an element with a name has the focus. */
async function tabTo(page: Page, name: string | RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const seen: string[] = [];
  for (let presses = 0; presses < 150; presses++) {
    const now = await focus(page);
    if (typeof name === 'string' ? now.name === name : name.test(now.name)) {
      expect(now.isSeen, `the focus on ${name} is not seen`).toBe(true);
      return;
    }
    seen.push(now.name.slice(0, 30));
    await page.keyboard.press(key);
  }
  throw new Error(`Tab does not reach ${name}: ${[...new Set(seen)].join(' | ')}`);
}

/** Goes to an element by Tab and presses a key on it. The focus must be somewhere afterwards. */
async function press(page: Page, name: string | RegExp, key = 'Enter'): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press(key);
  await checkFocus(page, `${key} on ${name}`);
}

/** Writes into the field with a name. */
async function write(page: Page, name: string | RegExp, text: string): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
}

const rows = (page: Page) => page.locator('.library-row .row-players').allTextContents();
const dialogs = (page: Page) => page.locator('dialog').count();
const record = (page: Page) => page.locator('.move-list').textContent();

/** Opens a dialog and waits until it is shown: until then Tab goes on behind it. */
async function openDialog(page: Page, name: string | RegExp, key = 'Enter'): Promise<void> {
  const former = await dialogs(page);
  await press(page, name, key);
  await expect.poll(() => dialogs(page)).toBe(former + 1);
}

/** Opens the library and imports the file there. */
async function importFile(page: Page, file: string): Promise<void> {
  await openDialog(page, 'Library');
  const chosen = page.waitForEvent('filechooser');
  await tabTo(page, /Import/);
  await page.keyboard.press('Enter');
  const chooser = await chosen;
  await chooser.setFiles(file);
  await expect.poll(() => rows(page)).toHaveLength(3);
  await checkFocus(page, 'the import');
}

describe.skipIf(!available)('the keyboard alone', () => {
  test('the library: import, search, select, export, delete and undo, rename, tags, open', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'alfil-'));
    const file = join(folder, 'match.pgn');
    writeFileSync(file, FILE);
    const page = await openPage(DESKTOP);
    await importFile(page, file);
    // Two games are selected and exported.
    await tabTo(page, /^Library\./);
    for (const key of ['Space', 'ArrowDown', 'Space']) await page.keyboard.press(key);
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Save as PGN')]);
    expect(readFileSync((await download.path()) ?? '', 'utf8').match(/\[White /g)).toHaveLength(2);
    await press(page, 'Delete');
    await expect.poll(() => rows(page)).toHaveLength(1);
    await checkFocus(page, 'the deletion of games');
    await page.keyboard.press('Control+z');
    await expect.poll(() => rows(page)).toHaveLength(3);
    await checkFocus(page, 'the undo');
    // The collection is renamed, deleted and brought back.
    await tabTo(page, /^match/);
    await press(page, 'Rename');
    await write(page, 'Name of the collection', 'Our match');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Our match/ }).waitFor();
    await checkFocus(page, 'renaming');
    await press(page, 'Delete this collection');
    await expect.poll(() => rows(page)).not.toContain('Ann – Bob');
    await checkFocus(page, 'the deletion of the collection');
    await press(page, 'Undo');
    await page.getByRole('button', { name: /^Our match/ }).waitFor();
    await checkFocus(page, 'the undo of the collection');
    // The tags of a game are edited in the list.
    await tabTo(page, /^Search/);
    await page.keyboard.type('ann');
    await expect.poll(() => rows(page)).toEqual(['Ann – Bob']);
    await tabTo(page, /^Library\./);
    await page.keyboard.press('Space');
    await openDialog(page, /^Edit/);
    await write(page, 'White', 'Anna');
    await press(page, 'Save');
    await expect.poll(() => rows(page)).toEqual(['Anna – Bob']);
    await checkFocus(page, 'the tags');
    await tabTo(page, /^Library\./);
    await page.keyboard.press('Enter');
    await expect.poll(() => dialogs(page)).toBe(0);
    expect(await moveCount(page)).toBe(6);
    await checkFocus(page, 'the opening of a game');
    await closePage(page);
    rmSync(folder, { recursive: true, force: true });
  });

  test('an opened game: steps, comment, mark, variations, tags, print, review, retry of a mistake', { timeout: 180_000 }, async () => {
    const page = await openPage(DESKTOP, async (opened) => {
      await opened.addInitScript(() => void (window.print = () => document.body.setAttribute('data-printed', '')));
    });
    await openDialog(page, /^Open/);
    await tabTo(page, /^Paste/);
    await page.keyboard.insertText(FILE.split('\n\n[Event')[0] ?? '');
    await press(page, 'Open');
    await expect.poll(() => dialogs(page)).toBe(0);
    await expect.poll(() => moveCount(page)).toBe(6);
    await checkFocus(page, 'the import of a text');
    // The engine is switched off by its key, and the game is stepped through.
    await page.keyboard.press('l');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.locator('.move-list .current').getAttribute('data-node')).toBe('1');
    await write(page, 'Comment on this move', 'It weakens the king.');
    await page.keyboard.press('Enter');
    await expect.poll(() => record(page)).toContain('It weakens the king.');
    await checkFocus(page, 'the comment');
    await press(page, /^Marks, variations/);
    await page.locator('.line-menu .signs button').first().waitFor();
    await press(page, /^\?\? /);
    await expect.poll(() => record(page)).toContain('f3??');
    await checkFocus(page, 'the mark');
    await press(page, 'Close');
    // The variation is promoted and deleted, and comes back.
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.locator('.move-list .current').textContent()).toContain('d5');
    await press(page, /^Marks, variations/);
    await press(page, 'Promote the variation');
    await expect.poll(() => page.locator('.variation').textContent()).toContain('e5');
    await checkFocus(page, 'the promotion');
    await press(page, 'Close');
    await press(page, /^Delete/);
    await expect.poll(() => moveCount(page)).toBe(4);
    await checkFocus(page, 'the deletion of moves');
    await page.keyboard.press('Control+z');
    await expect.poll(() => moveCount(page)).toBe(6);
    await checkFocus(page, 'the undo');
    await page.keyboard.press('Control+z');
    await expect.poll(() => page.locator('.variation').textContent()).toContain('d5');
    // Tags and print.
    await openDialog(page, /^Edit/);
    await write(page, 'Event', 'Club championship');
    await press(page, 'Save');
    await expect.poll(() => page.locator('.event').textContent()).toContain('Club championship');
    await checkFocus(page, 'the tags');
    await press(page, /^Marks, variations/);
    await press(page, /^Print/);
    await page.locator('dialog.print-dialog button.primary:enabled').waitFor();
    await tabTo(page, /^Print/);
    await page.keyboard.press('Enter');
    await page.locator('body[data-printed]').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => dialogs(page)).toBe(0);
    await checkFocus(page, 'the print');
    await press(page, 'Close');
    // The review, and a mistake that is bettered on the board.
    await press(page, 'Review the game');
    await page.locator('.review-words').waitFor({ timeout: 120_000 });
    await checkFocus(page, 'the review');
    await press(page, 'Retry the mistakes');
    await page.locator('.retry-task').waitFor();
    await press(page, 'Show the solution');
    await page.locator('.retry-task.solved').waitFor();
    await checkFocus(page, 'the solution');
    await press(page, /^(Next mistake|Finish)/);
    await checkFocus(page, 'the next mistake');
    await closePage(page);
  });

  test('a button that has led to the end keeps the focus, and Enter does nothing more', async () => {
    const page = await openPage(DESKTOP);
    await openDialog(page, /^Open/);
    await tabTo(page, /^Paste/);
    await page.keyboard.insertText('[White "Ann"]\n[Black "Bob"]\n\n1. e4 e5 2. Nf3 Nc6 *');
    await press(page, 'Open');
    await expect.poll(() => moveCount(page)).toBe(4);
    await page.keyboard.press('Home');
    await press(page, 'Next move');
    const current = () => page.locator('.move-list .current').getAttribute('data-node');
    for (const node of ['1', '2', '3', '4', '4', '4']) {
      await expect.poll(current).toBe(node);
      expect((await focus(page)).name).toBe('Next move');
      await page.keyboard.press('Enter');
    }
    expect(await page.getByRole('button', { name: 'Next move' }).isDisabled()).toBe(true);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(current).toBe('3');
    expect([await moveCount(page), (await focus(page)).name]).toEqual([4, 'Next move']);
    await closePage(page);
  });

  test('a position is set up, a game is started, and moves are made on the board', async () => {
    const page = await openPage(DESKTOP);
    await openDialog(page, 'Set up');
    await write(page, /FEN|position/i, '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1');
    await page.keyboard.press('Enter');
    await checkFocus(page, 'the text of a position');
    await page.keyboard.press('Escape');
    await expect.poll(() => dialogs(page)).toBe(0);
    await checkFocus(page, 'the set-up');
    await startChess(page);
    await checkFocus(page, 'the start of a game');
    await tabTo(page, /^[a-h][1-8] /);
    for (let row = 0; row < 8 && !(await focus(page)).name.startsWith('e1 '); row++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    expect((await focus(page)).name).toMatch(/^e2 .*selected/);
    for (const key of ['ArrowUp', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
    await expect.poll(() => record(page)).toContain('e4');
    await checkFocus(page, 'a move');
    // A dialog returns the focus to the square of the board.
    await openDialog(page, /^e4 /, '?');
    await press(page, 'Close');
    await expect.poll(() => dialogs(page)).toBe(0);
    expect((await checkFocus(page, 'the list of keys')).name).toMatch(/^e4 /);
    await expect.poll(() => moveCount(page)).toBe(2);
    await checkFocus(page, 'the reply');
    await press(page, /^Take back/);
    await expect.poll(() => moveCount(page)).toBe(0);
    await checkFocus(page, 'taking back');
    await closePage(page);
  });

  /** Starts a game of chess, and waits until it is on the board: the dialog may close before. */
  async function startChess(page: Page): Promise<void> {
    const openGame = () => page.locator('.page').getAttribute('data-game');
    const former = await openGame();
    await openDialog(page, 'New game');
    await tabTo(page, 'Xiangqi');
    await page.keyboard.press('ArrowDown');
    expect((await focus(page)).name).toBe('Chess');
    await press(page, 'Start');
    await expect.poll(openGame).not.toBe(former);
    await expect.poll(() => dialogs(page)).toBe(0);
  }

  /** Goes to a square of the board by the arrow keys. */
  async function goToSquare(page: Page, square: string): Promise<void> {
    for (let presses = 0; presses < 20; presses++) {
      const [, file = '', rank = ''] = /^([a-h])([1-8]) /.exec((await focus(page)).name) ?? [];
      if (file + rank === square) return;
      const [right, up] = [square.charCodeAt(0) - file.charCodeAt(0), Number(square[1]) - Number(rank)];
      await page.keyboard.press(right > 0 ? 'ArrowRight' : right < 0 ? 'ArrowLeft' : up > 0 ? 'ArrowUp' : 'ArrowDown');
    }
    throw new Error(`the arrow keys do not reach ${square}`);
  }

  test('a position is set up piece by piece, and a game is started from it', async () => {
    const page = await openPage(DESKTOP);
    await startChess(page);
    await openDialog(page, 'Set up');
    await press(page, 'Clear');
    for (const [piece, square] of [['White king', 'e1'], ['White rook', 'a1'], ['Black king', 'e8']] as const) {
      // The palette is one stop of Tab, before the board's next one.
      await tabTo(page, /^(Remove|White|Black) /);
      for (let presses = 0; presses < 13 && (await focus(page)).name !== piece; presses++) await page.keyboard.press('ArrowRight');
      expect((await focus(page)).name).toBe(piece);
      await page.keyboard.press('Shift+Tab');
      await goToSquare(page, square);
      await page.keyboard.press('Enter');
      await expect.poll(async () => (await focus(page)).name).toContain(`${square} ${piece}`);
      await page.keyboard.press('Tab');
    }
    await page.locator('.issues .valid').waitFor();
    await press(page, 'Play from here');
    await expect.poll(() => dialogs(page)).toBe(0);
    await tabTo(page, /^[a-h][1-8] /, 'Shift+Tab');
    await goToSquare(page, 'a1');
    await page.keyboard.press('Enter');
    await goToSquare(page, 'a7');
    await page.keyboard.press('Enter');
    await expect.poll(() => record(page)).toContain('Ra7');
    await closePage(page);
  });

  test('mistakes are retried on the board, which has the focus when it is the turn of the user', { timeout: 120_000 }, async () => {
    const page = await openPage(DESKTOP);
    await openDialog(page, /^Open/);
    await tabTo(page, /^Paste/);
    await page.keyboard.insertText('[White "Ann"]\n[Black "Bob"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Nf3 Nxh5 1-0');
    await press(page, 'Open');
    await expect.poll(() => moveCount(page)).toBe(8);
    await press(page, 'Review the game');
    await page.locator('.review-words').waitFor({ timeout: 90_000 });
    await press(page, 'Retry the mistakes');
    const task = () => page.locator('.retry-task').textContent();
    await expect.poll(async () => (await focus(page)).name).toMatch(/^[a-h][1-8] /);
    const tryMove = async (from: string, to: string) => {
      await goToSquare(page, from);
      await page.keyboard.press('Enter');
      await goToSquare(page, to);
      await page.keyboard.press('Enter');
    };
    await tryMove('a7', 'a6');
    await expect.poll(task, { timeout: 30_000 }).toMatch(/a6 is not good enough/);
    expect((await focus(page)).name).toMatch(/^a6 /);
    // Escape goes to the hints, and a hint back to the board.
    await page.keyboard.press('Escape');
    expect((await focus(page)).name).toBe('Hint');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await focus(page)).name).toMatch(/^a6 /);
    await tryMove('g7', 'g6');
    await expect.poll(task, { timeout: 30_000 }).toMatch(/^g6 is (right: it is the best move|good\. The best move of the review is (Qe7|Qf6))\.$/);
    await expect.poll(async () => (await focus(page)).name).toBe('Next mistake');
    await page.keyboard.press('Enter');
    await expect.poll(task).toContain('Mistake 2 of 2');
    await expect.poll(async () => (await focus(page)).name).toMatch(/^[a-h][1-8] /);
    await tryMove('h5', 'f7');
    await expect.poll(task).toMatch(/Qxf7# is right/);
    await expect.poll(async () => (await focus(page)).name).toBe('Finish');
    await page.keyboard.press('Enter');
    await page.locator('.review-words').waitFor();
    await checkFocus(page, 'the end of the retrying');
    await closePage(page);
  });
});
