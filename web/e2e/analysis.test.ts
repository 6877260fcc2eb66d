import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { accessibilityViolations } from './accessibility';
import {
  DESKTOP,
  PHONE,
  chooseFirstMove,
  gameTitles,
  moveCount,
  openTab,
  openText,
  playRandomMove,
  seededRandom,
  setUpPosition,
  startGame,
  useTestEnvironment,
  waitForTurn,
} from './test-environment';

const SIZES = [
  ['desktop', DESKTOP],
  ['phone', PHONE],
] as const;

const { available, openPage, closePage } = useTestEnvironment();

/** Returns by how many pixels the page is wider than the window. */
async function horizontalOverflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
}

describe.skipIf(!available)('analysis, setup and import', () => {
  for (const [size, options] of SIZES) {
    test(`an analysis shows lines with arrows, plays a line, steps by keys, adds a variation and survives a reload; ${size}`, async () => {
      const page = await openPage(options);
      await page.getByRole('button', { name: 'Analyse' }).click();
      await openTab(page, 'Engine');
      await page.locator('.lines li').nth(2).waitFor();
      await expect.poll(() => page.locator('.lines li').count()).toBe(3);
      await expect.poll(() => page.locator('.overlay .arrow').count()).toBeGreaterThan(0);
      await page.locator('.lines li').first().locator('.move').nth(1).click();
      await expect.poll(() => moveCount(page)).toBe(2);
      await page.locator('.eval-bar').waitFor();
      await page.keyboard.press('Home');
      await expect.poll(() => page.locator('.move-list .current').count()).toBe(0);
      await openTab(page, 'Moves');
      // Another first move becomes a variation.
      const first = await page.locator('.move-list [data-node="1"]').textContent();
      for (let tries = 0; (await moveCount(page)) < 3; tries++) {
        await playRandomMove(page, seededRandom(50 + tries), 0);
        await expect.poll(() => page.locator('.move-list .current').count()).toBe(1);
        if ((await moveCount(page)) === 3) break;
        await page.keyboard.press('Home');
        await expect.poll(() => page.locator('.move-list .current').count()).toBe(0);
      }
      expect(await page.locator('.variation .move').count()).toBe(1);
      await expect.poll(() => page.url()).toMatch(/#game\/\w+\/3$/);
      await page.reload();
      await page.waitForSelector('.square.movable, .square.open');
      expect(await page.locator('.move-list [data-node="1"]').textContent()).toBe(first);
      expect(await page.locator('.variation .move.current').count()).toBe(1);
      expect(await horizontalOverflow(page)).toBeLessThanOrEqual(0);
      await closePage(page);
    });

    test(`a position can be set up, and its issues are described; ${size}`, async () => {
      const page = await openPage(options);
      await page.getByRole('button', { name: 'Set up' }).click();
      const dialog = page.locator('dialog.setup');
      await dialog.getByRole('button', { name: 'Clear' }).click();
      await dialog.locator('.issues li:not(.valid)').first().waitFor();
      expect(await dialog.getByRole('button', { name: 'Play from here' }).isDisabled()).toBe(true);
      await dialog.getByLabel('Position text').fill('3k5/4R4/9/9/9/9/9/9/R8/4K4 w - - 0 1');
      await dialog.getByLabel('Position text').blur();
      await dialog.locator('.issues .valid').waitFor();
      const put = dialog.locator('.square[data-square="i0"]');
      await dialog.getByRole('radio', { name: 'Red rook' }).click();
      await put.click();
      await expect.poll(() => put.getAttribute('aria-label')).toContain('Red rook');
      await dialog.getByRole('radio', { name: 'Remove pieces' }).click();
      await put.click();
      await expect.poll(() => put.getAttribute('aria-label')).toContain('empty');
      await dialog.getByRole('button', { name: 'Play from here' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.locator('.square[data-square="a1"]').click();
      await page.locator('.square[data-square="d1"]').click();
      await page.locator('.status.ended').waitFor();
      expect(await page.locator('.status').textContent()).toContain('Red wins');
      await closePage(page);
    });

    test(`all texts are translated to Chinese, and nothing scrolls sideways; ${size}`, async () => {
      const page = await openPage({ ...options, colorScheme: 'dark' });
      await page.getByRole('button', { name: '中文' }).click();
      await expect.poll(() => page.locator('.status').textContent()).toBe('轮到您走');
      expect(await page.locator('.game-title').textContent()).toBe('象棋');
      await expect.poll(() => page.locator('.square').first().getAttribute('aria-label')).toContain('黑车');
      for (const name of ['新对局', '摆棋', '打开或分享', '设置']) {
        await page.getByRole('button', { name, exact: true }).click();
        const text = await page.locator('dialog').evaluate((dialog) => {
          const walker = document.createTreeWalker(dialog, NodeFilter.SHOW_TEXT);
          const excluded = 'alfil-board, select, textarea, .saved-games';
          let found = '';
          while (walker.nextNode()) {
            const { parentElement, textContent } = walker.currentNode;
            if (!parentElement?.closest(excluded)) found += textContent;
          }
          return found;
        });
        expect(text.replace(/English|SVG|PNG|[^A-Za-z]/g, '')).toBe('');
        expect(await horizontalOverflow(page)).toBeLessThanOrEqual(0);
        await page.keyboard.press('Escape');
        await page.locator('dialog').waitFor({ state: 'detached' });
      }
      // The page leaves the entry of the closed dialog, which would end the reload.
      await expect.poll(() => page.evaluate(() => (history.state as { dialogs?: number } | null)?.dialogs)).toBeUndefined();
      await page.reload();
      await page.locator('.status', { hasText: '轮到您走' }).waitFor();
      await closePage(page);
    });
  }

  test('a review gives every move a score and draws the graph', async () => {
    const page = await openPage(DESKTOP);
    for (let played = 0; played < 3; played++) {
      await playRandomMove(page, seededRandom(40 + played));
      await waitForTurn(page);
    }
    await page.getByRole('button', { name: 'Review the game' }).click();
    await page.locator('.curve').waitFor();
    await page.locator('.review-words').waitFor({ timeout: 60_000 });
    // The tooltip of each move contains its score.
    const tooltips = await page.locator('.graph .position title').allTextContents();
    expect(tooltips).toEqual(expect.arrayContaining([expect.stringMatching(/^3… \S+: [+−]?[\d.]+$/)]));
    const graph = await page.locator('.graph svg').boundingBox();
    await page.mouse.click((graph?.x ?? 0) + 2, (graph?.y ?? 0) + 20);
    await expect.poll(() => page.locator('.move-list .current').count()).toBe(0);
    await closePage(page);
  });

  for (const [size, options] of SIZES) {
    test(`the opening is named above the moves, in one or more whole lines; ${size}`, async () => {
      const page = await openPage(options);
      await openText(page, '1. 炮二平五 炮8平5 2. 马二进三 马8进7 3. 车一平二 车9进1 4. 马八进七 车9平4 5. 兵三进一 马2进3 6. 兵七进一 车1进1');
      const opening = page.locator('.opening');
      await expect.poll(() => opening.textContent()).toBe(
        'Same-Direction Cannons: Two-Headed Snake vs Double Ranked Rooks',
      );
      const isCut = await opening.evaluate((line) => line.scrollHeight > line.clientHeight || line.clientHeight < 15);
      expect(isCut).toBe(false);
      await page.keyboard.press('Home');
      await expect.poll(() => opening.count()).toBe(0);
      await closePage(page);
    });
  }

  test('exported moves can be opened again, saved games are listed, and notation and pieces can be chosen', async () => {
    const page = await openPage(DESKTOP);
    await playRandomMove(page, seededRandom(9));
    await waitForTurn(page);
    await page.getByRole('button', { name: 'Open or share' }).click();
    const dialog = page.locator('dialog.share');
    await expect.poll(() => dialog.locator('textarea.moves').inputValue()).toMatch(/^\[Game/);
    const text = await dialog.locator('textarea.moves').inputValue();
    // A page that was loaded without encryption has no clipboard.
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await dialog.locator('label:has(textarea.moves) + .actions').getByRole('button', { name: 'Copy' }).click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    await dialog.getByLabel(/^Paste/).press('Control+V');
    expect(await dialog.getByLabel(/^Paste/).inputValue()).toBe(text);
    await dialog.getByLabel(/^Paste/).evaluate((field: HTMLTextAreaElement) => {
      // With characters of three bytes the browser has fewer characters to draw.
      field.value = '炮'.repeat(3 << 20);
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await dialog.getByRole('button', { name: 'Open', exact: true }).click();
    // The library takes texts of any size, and says why it cannot read one.
    const library = page.locator('dialog.library');
    await expect.poll(() => library.locator('.error-banner').textContent(), { timeout: 20_000 }).toContain('too long for a move');
    await library.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('button', { name: 'Open or share' }).click();
    await dialog.getByLabel(/^Paste/).fill('a1 is no move');
    await dialog.getByRole('button', { name: 'Open', exact: true }).click();
    await expect.poll(() => dialog.locator('.error-banner').textContent()).toContain('cannot read');
    await dialog.getByLabel(/^Paste/).fill(text);
    await dialog.getByRole('button', { name: 'Open', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await moveCount(page)).toBe(2);
    await page.getByRole('button', { name: 'Open or share' }).click();
    await expect.poll(() => page.locator('.saved-games li').count()).toBeGreaterThanOrEqual(2);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Settings' }).click();
    const before = await page.locator('.move-list [data-node="1"]').textContent();
    await page.locator('dialog').waitFor();
    expect(await page.getByLabel('Notation').locator('option').allTextContents()).toContain('a0a1 (UCCI coordinates)');
    await page.getByLabel('Notation').selectOption({ index: 1 });
    await expect.poll(() => page.locator('.move-list [data-node="1"]').textContent()).not.toBe(before);
    const outline = () => page.evaluate(() => document.querySelector('alfil-board')?.shadowRoot?.querySelector('.outline')?.getAttribute('d'));
    const standard = await outline();
    await page.getByText('alternative', { exact: true }).click();
    await expect.poll(outline).not.toBe(standard);
    await closePage(page);
  });

  test('the X-ray view draws tactical marks with a legend', async () => {
    const page = await openPage(DESKTOP);
    await page.getByRole('button', { name: 'X-ray' }).click();
    await page.locator('.overlay > *').first().waitFor();
    expect(await page.locator('ul.xray-legend').allTextContents()).toEqual([expect.stringContaining('Cannon screen')]);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'X-ray' }).click();
    await expect.poll(() => page.locator('.overlay > *').count()).toBe(0);
    // The legend makes the move list smaller. The current move stays visible.
    await openText(page, '炮二平五 马8进7 马二进三 车9平8 车一平二 卒7进1 车二进六 马2进3 兵七进一 炮8平9 车二平三 炮9退1 马八进七 士4进5 马七进六 车8进8');
    await page.locator('.engine').getByRole('button', { name: 'Engine' }).click();
    await page.getByRole('button', { name: 'X-ray' }).click();
    await page.locator('ul.xray-legend').waitFor();
    const bottom = async (selector: string) => {
      const box = await page.locator(selector).boundingBox();
      return (box?.y ?? 0) + (box?.height ?? 0);
    };
    await expect
      .poll(async () => (await bottom('.move-list')) - (await bottom('.move-list .current')))
      .toBeGreaterThanOrEqual(0);
    await closePage(page);
  });

  test('a phone in landscape shows the board, and in portrait the tabs lead to the settings', async () => {
    for (const [width, height] of [[640, 360], [844, 390]] as const) {
      const page = await openPage({ ...PHONE, viewport: { width, height } });
      expect((await page.locator('alfil-board').boundingBox())?.width).toBeGreaterThan(250);
      expect(await horizontalOverflow(page)).toBeLessThanOrEqual(0);
      await closePage(page);
    }
    const page = await openPage(PHONE);
    await page.locator('.tabs').getByRole('button', { name: 'Settings' }).tap();
    await page.locator('dialog').getByText('Light or dark').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('header').getByRole('button', { name: 'Xiangqi' }).tap();
    await page.locator('dialog').getByText('You play').waitFor();
    await closePage(page);
  });

  test('two windows on one game show the same moves', async () => {
    const page = await openPage(DESKTOP);
    await playRandomMove(page, seededRandom(21));
    await waitForTurn(page);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await expect.poll(() => moveCount(other)).toBe(2);
    await playRandomMove(other, seededRandom(22));
    await waitForTurn(other);
    await expect.poll(() => moveCount(page)).toBe(4);
    await closePage(page);
  });

  test('the judge panel explains the end by repetition, rules under other rulesets, and steps through the repetition', async () => {
    const page = await openPage(DESKTOP);
    const round = 'a8a9 d9d8 a9a8 d8d9';
    await openText(page, `[FEN "3k5/R8/9/9/9/9/9/9/9/4K4 w - - 0 1"]\n\n${round} ${round}`);
    const judge = page.locator('.judge');
    await judge.locator('.reasons li').first().waitFor();
    await page.getByRole('button', { name: 'Why? Show the ruling' }).click();
    await expect.poll(() => judge.locator('.reasons:focus').count()).toBe(1);
    await judge.locator('.repetition .move').first().click();
    await expect.poll(() => judge.locator('.repetition .current').count()).toBe(1);
    expect((await judge.locator('option').allTextContents()).slice(0, 2)).toEqual(['Asian rules (AXF)', 'Computer rules']);
    const rulesets = await judge.locator('option').evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
    for (const ruleset of rulesets) {
      await judge.getByLabel('Rules').selectOption(ruleset);
      await expect.poll(() => judge.getByLabel('Rules').inputValue()).toBe(ruleset);
      await expect.poll(() => judge.locator('.reasons li').count()).toBeGreaterThan(0);
    }
    await closePage(page);
  });

  test('a comment that is typed slowly stays while the engine reports, and is saved', async () => {
    const page = await openPage(DESKTOP);
    await startGame(page, 'Chess', 0, 1);
    await openText(page, '1. e4 e5 2. Nf3 Nc6 3. Bb5');
    await page.locator('.lines li').first().waitFor();
    await page.locator('.move-list .move').last().click();
    const text = 'This is the main line of the Ruy Lopez';
    await page.locator('textarea.comment').pressSequentially(text, { delay: 40 });
    expect(await page.locator('textarea.comment').inputValue()).toBe(text);
    await page.keyboard.press('Enter');
    const comments = () => page.locator('.move-list .comment-text').allTextContents();
    await expect.poll(comments).toEqual([text]);
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('It is old.');
    await page.keyboard.press('Enter');
    await expect.poll(comments).toEqual([`${text}\nIt is old.`]);
    expect(await page.locator('textarea.comment').inputValue()).toBe(`${text}\nIt is old.`);
    await closePage(page);
  });

  test('after a click on the board the arrow keys step through the game; in a board reached by Tab they move its focus', async () => {
    const page = await openPage(DESKTOP);
    await startGame(page, 'Chess', 0, 1);
    await openText(page, '1. e4 e5 2. Nf3 Nc6');
    await page.keyboard.press('End');
    await expect.poll(() => page.locator('.move-list .current').textContent()).toBe('Nc6');
    await page.locator('.square[data-square="f1"]').click();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => page.locator('.move-list .current').textContent()).toBe('Nf3');
    await page.locator('.square[data-square="d4"]').click();
    await page.keyboard.press('Home');
    await expect.poll(() => page.locator('.move-list .current').count()).toBe(0);
    await page.locator('.square[tabindex="0"]').focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('.square:focus').getAttribute('data-square')).toBe('e4');
    expect(await page.locator('.move-list .current').count()).toBe(0);
    await closePage(page);
  });

  test('forty presses of the right arrow in quick succession land on ply 40, with the engine on', async () => {
    const page = await openPage(DESKTOP);
    const moves = Array.from({ length: 12 }, () => 'Nf3 Nf6 Ng1 Ng8').join(' ');
    await startGame(page, 'Chess', 0, 1);
    await openText(page, moves);
    await page.keyboard.press('Home');
    await page.locator('.lines li').first().waitFor();
    for (let press = 0; press < 40; press++) await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.locator('.move-list .current').getAttribute('data-node')).toBe('40');
    await closePage(page);
  });

  test('a perpetual checker is warned before the move after which the repetition can be completed', async () => {
    const page = await openPage(DESKTOP);
    await openText(page, '[FEN "3k5/8R/9/9/9/9/9/9/9/4K4 w - - 0 1"]\n\ni8i9 d9d8 i9i8 d8d9 i8i9 d9d8');
    const warnings = page.locator('.warnings');
    await expect
      .poll(() => warnings.textContent())
      .toMatch(/^If R1-1 is played now, the opponent can end the game by repeating the position\. Red loses by perpetual check/);
    await closePage(page);
  });

  test('a move that loses by a rule is marked before it is played, in both languages', async () => {
    const page = await openPage(DESKTOP);
    await openText(page, '[FEN "R2k5/9/9/9/9/9/9/9/9/4K4 b - - 0 1"]\n\nd9d8 a9a8 d8d9 a8a9 d9d8 a9a8 d8d9');
    const warnings = page.locator('.warnings');
    await expect.poll(() => warnings.textContent()).toMatch(/^If R9\+1 is played now, the game ends\. Red loses by perpetual check/);
    await page.locator('.square[data-square="a8"]').click();
    expect(await page.locator('.dot.warned').count()).toBe(1);
    expect(await page.locator('.square[data-square="a9"]').getAttribute('aria-label')).toContain('Red loses by perpetual check');
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: '中文' }).click();
    // The language changes the notation, too.
    await expect.poll(() => warnings.textContent()).toBe('若现在走 车九进一，对局即告结束：红方长将判负，黑方胜');
    await closePage(page);
  });

  test('if sources disagree about a repetition, the ruling lists their verdicts', async () => {
    const page = await openPage(DESKTOP);
    const round = 'b9b7 e7f9 b7b9 f9e7';
    await openText(page, `[FEN "1RC1k4/9/4n4/9/9/9/9/4B4/9/4K4 w"]\n\n${round} ${round}`);
    await expect.poll(() => page.locator('.readings li').allTextContents()).toEqual([expect.stringMatching(/^Black wins: /), expect.stringMatching(/^a draw: .*king/)]);
    await page.getByRole('button', { name: '中文' }).click();
    await expect.poll(() => page.locator('.readings li').allTextContents()).toEqual([expect.stringMatching(/^判黑方胜：/), expect.stringMatching(/^判和棋：/)]);
    await closePage(page);
  });

  test('issues of a position are described in Chinese and marked on the board, and an invalid text marks nothing', async () => {
    const page = await openPage(DESKTOP);
    await page.getByRole('button', { name: '中文' }).click();
    await page.getByRole('button', { name: '摆棋' }).click();
    const dialog = page.locator('dialog.setup');
    const boardState = () => dialog.locator('alfil-board').evaluate((element) => {
      const board = element as unknown as { pieces: { [square: string]: string }; over: { issues?: string[] } };
      return [Object.keys(board.pieces).length, (board.over.issues ?? []).join()];
    });
    for (const [text, issue, pieces, markedSquares] of [
      ['3kk4/9/9/9/9/9/9/9/9/3K5 w', '黑方有 2 个将：d9、e9', 3, 'd9,e9,d0,d9'],
      ['3k5/9/9/9/9/9/9/9/9/B3K4 w', '红相不可能走到 a0', 3, 'a0'],
      // After an invalid text the board stays as it was, without the former marks.
      ['rnbx', '局面文本，字节 3：应为棋子', 3, ''],
      ['1. e4 e5 2. Nf3', '这看起来是国际象棋，当前对局是象棋。', 3, ''],
      ['', '这段文本里既没有局面，也没有着法。', 3, ''],
      ['炮二平五 马8进7', '此局面没有问题。', 32, ''],
    ] as const) {
      await dialog.getByLabel('局面文本').fill(text);
      await dialog.getByLabel('局面文本').blur();
      await expect.poll(() => dialog.locator('.issues, .error-banner').allTextContents().then((all) => all.join(''))).toContain(issue);
      await expect.poll(boardState, { message: text }).toEqual([pieces, markedSquares]);
    }
    await closePage(page);
  });

  test('a text is opened wherever it is pasted or dropped, and its error is shown there', async () => {
    const page = await openPage(DESKTOP);
    const send = (kind: 'paste' | 'drop', text: string) => page.evaluate(([kind, text]) => {
      const data = new DataTransfer();
      data.setData('text/plain', text ?? '');
      const target = document.querySelector('dialog') ?? document.querySelector('alfil-board');
      const init = { bubbles: true, cancelable: true };
      const event =
        kind === 'drop'
          ? new DragEvent('drop', { dataTransfer: data, ...init })
          : new ClipboardEvent('paste', { clipboardData: data, ...init });
      target?.dispatchEvent(event);
    }, [kind, text]);
    await send('paste', 'h2e2 h9g7');
    await expect.poll(() => moveCount(page)).toBe(2);
    await send('drop', '1. e4 e5 2. Nf3');
    await page.locator('.error-banner', { hasText: 'This looks like Chess; the open game is Xiangqi.' }).waitFor();
    // A dialog without an error banner is closed.
    await page.getByRole('button', { name: 'New game', exact: true }).click();
    await send('drop', 'h2h8 h9g7');
    await page.locator('.error-banner', { hasText: /^Move 1\. h2h8: / }).waitFor();
    expect(await page.locator('dialog').count()).toBe(0);
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.locator('dialog').waitFor();
    await send('paste', '1. e4 e5 2. Nf3');
    await page.locator('dialog').getByRole('button', { name: 'Open it as a new game of Chess' }).click();
    await expect.poll(() => moveCount(page)).toBe(3);
    await closePage(page);
  });

  test('a file is opened wherever it is dropped, and input fields handle dropped text themselves', async () => {
    const page = await openPage(DESKTOP);
    /** Drags a file or a text over an element and drops it. Returns whether the page handled the two events. */
    const drop = (selector: string, file: string, text: string) => page.evaluate(([selector, file, text]) => {
      const dataTransfer = new DataTransfer();
      if (file) dataTransfer.items.add(new File([file], 'game.pgn'));
      if (text) dataTransfer.setData('text/plain', text);
      return ['dragover', 'drop'].map((type) => {
        const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
        (document.querySelector(selector ?? '') ?? document).dispatchEvent(event);
        return event.defaultPrevented;
      });
    }, [selector, file, text]);
    expect(await drop('alfil-board', '[White "A"]\n\n1. e4 e5 2. Nf3 *', '')).toEqual([true, true]);
    await expect.poll(() => moveCount(page)).toBe(3);
    expect(await page.locator('.game-title').textContent()).toBe('Chess');
    expect(await drop('document', '', '1. d4')).toEqual([true, true]);
    await expect.poll(() => moveCount(page)).toBe(1);
    await page.getByRole('button', { name: 'Open or share' }).click();
    await page.locator('dialog textarea').first().waitFor();
    expect(await drop('dialog textarea', '', '1. c4 c5')).toEqual([false, false]);
    expect(await drop('dialog textarea', '1. e4 e5', '')).toEqual([true, true]);
    await page.locator('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => moveCount(page)).toBe(2);
    await closePage(page);
  });

  test('a text of another game is reported, and opened as that game with one click', async () => {
    const page = await openPage(DESKTOP);
    await page.getByRole('button', { name: 'Open or share' }).click();
    const dialog = page.locator('dialog.share');
    await dialog.getByLabel(/^Paste/).fill('1. e4 e5 2. Nf3');
    await dialog.getByRole('button', { name: 'Open', exact: true }).click();
    await dialog.locator('.error-banner', { hasText: 'This looks like Chess; the open game is Xiangqi.' }).waitFor();
    await dialog.getByRole('button', { name: 'Open it as a new game of Chess' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect([await page.locator('.game-title').textContent(), await moveCount(page)]).toEqual(['Chess', 3]);
    await closePage(page);
  });

  test('castling works by a move of the king to its target or to the rook, and the promoted piece can be chosen', async () => {
    const page = await openPage(DESKTOP);
    const square = (name: string) => page.locator(`.square[data-square="${name}"]`);
    const fen = 'r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1';
    await startGame(page, 'Chess', 0, 1);
    for (const target of ['g1', 'h1']) {
      await setUpPosition(page, fen, 'Play from here');
      await page.locator('.square.movable[data-square="e1"]').click();
      await page.locator(`.square.open[data-square="${target}"]`).click();
      await expect.poll(() => square('f1').getAttribute('aria-label')).toContain('White rook');
      expect(await square('g1').getAttribute('aria-label')).toContain('White king');
      expect(await page.locator('.move-list [data-node="1"]').textContent()).toMatch(/e1g1|O-O/);
    }
    await setUpPosition(page, fen, 'Play from here');
    await page.locator('.square.movable[data-square="b7"]').click();
    await page.locator('.square.open[data-square="a8"]').click();
    const chooser = page.locator('dialog.move-chooser');
    const choices = await chooser.getByRole('button').evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')));
    expect(choices).toEqual(['White queen', 'White rook', 'White bishop', 'White knight']);
    await page.setViewportSize(PHONE.viewport);
    for (const choice of await chooser.getByRole('button').all()) expect((await choice.boundingBox())?.width).toBeGreaterThan(60);
    expect(await chooser.evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)).toBe(0);
    await chooser.getByRole('button', { name: 'knight' }).click();
    await expect.poll(() => square('a8').getAttribute('aria-label')).toMatch(/White knight/);
    await closePage(page);
  });

  test('resigning needs a confirmation and is described in words', async () => {
    const page = await openPage(DESKTOP);
    await page.getByRole('button', { name: 'Resign' }).click();
    await page.getByRole('button', { name: 'Really resign?' }).click();
    await page.locator('.status.ended').waitFor();
    expect(await page.locator('.status').textContent()).toBe('Red resigns: Black wins');
    await closePage(page);
  });

  test('a whole game of each kind, played by hints, ends with a verdict in words and can be taken back', async () => {
    const page = await openPage(DESKTOP);
    for (const game of await gameTitles(page)) {
      await startGame(page, game, 0, 1, '0.3');
      for (let played = 0; (await waitForTurn(page)) === 'move'; played++) {
        expect(played).toBeLessThan(300);
        await playHint(page);
      }
      expect(await page.locator('.status.ended').textContent()).toMatch(/wins|[Dd]rawn|draw/);
      await page.getByRole('button', { name: 'Take back' }).click();
      await page.locator('.status.ended').waitFor({ state: 'detached' });
      expect(await waitForTurn(page)).toBe('move');
    }
    await closePage(page);
  });
});

/** Requests a hint and plays it by clicking. */
async function playHint(page: Page): Promise<void> {
  const before = await moveCount(page);
  await page.getByRole('button', { name: 'Hint' }).click();
  const hint = await page.waitForFunction(() => {
    const board = document.querySelector('alfil-board') as (Element & { over: { arrows?: { from: string | null; to: string }[] } }) | null;
    return board?.over.arrows?.[0];
  });
  const { from, to } = (await hint.jsonValue()) as { from: string | null; to: string };
  if (from) await page.locator(`.play .square[data-square="${from}"]`).click();
  await page.locator(`.play .square[data-square="${to}"]`).click();
  await chooseFirstMove(page);
  await expect.poll(() => moveCount(page), { timeout: 30_000 }).toBeGreaterThan(before);
}
