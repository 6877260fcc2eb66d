import { describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { DESKTOP, PHONE, moveCount, openText, startGame, useTestEnvironment } from './test-environment';

const { available, openPage, closePage } = useTestEnvironment();

const square = (page: Page, name: string) => page.locator(`.play .square[data-square="${name}"]`);
const shapes = (page: Page) => page.locator('.play .shape').evaluateAll((all) => all.map((shape) => shape.getAttribute('class')));

/** Drags with the right button from the middle of a square to that of another. */
async function drawArrow(page: Page, from: string, to: string, key?: string): Promise<void> {
  const centre = async (name: string) => {
    const box = await square(page, name).boundingBox();
    return [box!.x + box!.width / 2, box!.y + box!.height / 2] as const;
  };
  if (key) await page.keyboard.down(key);
  await page.mouse.move(...(await centre(from)));
  await page.mouse.down({ button: 'right' });
  await page.mouse.move(...(await centre(to)), { steps: 4 });
  await page.mouse.up({ button: 'right' });
  if (key) await page.keyboard.up(key);
}

/** Returns the game of the page as PGN. */
async function exported(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Open or share' }).click();
  const text = page.locator('dialog.share textarea.moves');
  await expect.poll(() => text.inputValue()).not.toBe('');
  const value = await text.inputValue();
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  return value;
}

describe.skipIf(!available)('interaction', () => {
  test('drawn arrows and circles are saved, exported, undone and read again, and never shown as text', async () => {
    const page = await openPage(DESKTOP);
    await startGame(page, 'Chess', 0, 1);
    await openText(page, '1. e4 {[%csl Rd5] Takes the centre. [%cal Ge4d5]} e5');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => shapes(page)).toEqual(['shape red circle', 'shape green']);
    expect(await page.locator('.moves').textContent()).not.toContain('%');
    expect(await page.locator('.comment').inputValue()).toBe('Takes the centre.');
    await drawArrow(page, 'g8', 'f6');
    await drawArrow(page, 'e7', 'e7', 'Shift');
    await expect.poll(() => shapes(page)).toHaveLength(4);
    expect(await exported(page)).toContain('[%csl Rd5,Re7] [%cal Ge4d5,Gg8f6] Takes the centre.}');
    await page.keyboard.press('Control+z');
    await expect.poll(() => shapes(page)).toHaveLength(3);
    await page.reload();
    await expect.poll(() => shapes(page)).toHaveLength(3);
    await drawArrow(page, 'g8', 'f6');
    await expect.poll(() => shapes(page)).toHaveLength(2);
    await closePage(page);
  });

  test('keys flip the board, switch X-ray and engine, play the best move and list themselves; the wheel steps', async () => {
    const page = await openPage(DESKTOP);
    await openText(page, 'h2e2 h9g7 h0g2');
    await page.keyboard.press('l');
    await expect.poll(() => page.locator('.switch').getAttribute('aria-pressed')).toBe('false');
    await page.keyboard.press('f');
    await page.keyboard.press('x');
    await page.locator('.xray-legend').waitFor();
    await page.keyboard.press('l');
    await page.locator('.lines li').first().waitFor();
    const before = await moveCount(page);
    await page.keyboard.press(' ');
    await expect.poll(() => moveCount(page)).toBe(before + 1);
    await square(page, 'e4').hover();
    await page.mouse.wheel(0, -100);
    await expect.poll(() => page.url()).toMatch(/\/3$/);
    await page.mouse.wheel(0, 100);
    await expect.poll(() => page.url()).toMatch(/\/4$/);
    await page.keyboard.press('?');
    await page.locator('dialog.keys').getByText('play the engine’s best move').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await closePage(page);
  });

  test('a move entered while the computer searches is played after its reply, and a click cancels it', async () => {
    const page = await openPage(DESKTOP);
    // The move is in no opening book, so that the reply takes its time.
    await startGame(page, 'Chess', 0, 10, '3');
    const click = async (name: string) => square(page, name).click();
    await click('h2');
    await click('h4');
    await page.locator('.thinking').first().waitFor();
    await page.locator('.square.movable[data-square="g1"]').waitFor();
    await click('g1');
    await click('f3');
    await page.locator('.premove').first().waitFor();
    await click('a5');
    await expect.poll(() => page.locator('.premove').count()).toBe(0);
    await click('g1');
    await click('f3');
    await page.locator('.premove').first().waitFor();
    await expect.poll(() => moveCount(page), { timeout: 30_000 }).toBeGreaterThanOrEqual(3);
    expect(await page.locator('.move-list [data-node]').nth(2).textContent()).toContain('Nf3');
    await closePage(page);
  });

  test('two people play at one screen with a clock of their own, and the board can turn', async () => {
    const page = await openPage(DESKTOP);
    await page.evaluate(() => localStorage.setItem('alfil.turnsBoard', 'yes'));
    await page.reload();
    await page.locator('.square.movable').first().waitFor();
    await page.getByRole('button', { name: 'New game' }).click();
    await page.locator('.option', { hasText: 'Chess' }).click();
    await page.locator('.option', { hasText: 'Two people' }).click();
    await page.locator('select[name=clock]').selectOption({ label: 'other …' });
    await page.getByLabel('Minutes each').fill('7');
    await page.getByLabel('Minutes each').blur();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('.clock').first().textContent()).toContain('7:00');
    const firstOfWhite = await square(page, 'e2').boundingBox();
    await square(page, 'e2').click();
    await square(page, 'e4').click();
    await expect.poll(async () => (await square(page, 'e2').boundingBox())!.y).not.toBe(firstOfWhite!.y);
    await square(page, 'e7').click();
    await square(page, 'e5').click();
    await expect.poll(() => moveCount(page)).toBe(2);
    await page.locator('.clock.running').waitFor();
    await page.getByRole('button', { name: 'Resign' }).click();
    await page.getByRole('button', { name: 'Really resign?' }).click();
    await page.getByText('White resigns: Black wins').waitFor();
    await closePage(page);
  });

  test('the computer plays itself, with a pause', async () => {
    const page = await openPage(DESKTOP);
    await page.getByRole('button', { name: 'New game' }).click();
    await page.locator('.option', { hasText: 'Othello' }).click();
    await page.locator('.option', { hasText: 'Computer against computer' }).click();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.locator('.watch-speed select').selectOption({ label: '0 s' });
    await expect.poll(() => moveCount(page), { timeout: 30_000 }).toBeGreaterThan(4);
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.locator('.thinking').waitFor({ state: 'detached' });
    const paused = await moveCount(page);
    await page.getByRole('button', { name: 'Go on' }).waitFor();
    // Nothing says that no move will be made: a reply would be here long before. Nor does a reload make one.
    await page.waitForTimeout(700);
    expect(await moveCount(page)).toBe(paused);
    await page.reload();
    await page.getByRole('button', { name: 'Go on' }).waitFor();
    expect(await moveCount(page)).toBe(paused);
    await page.getByRole('button', { name: 'Go on' }).click();
    await expect.poll(() => moveCount(page), { timeout: 30_000 }).toBeGreaterThan(paused);
    await page.getByRole('button', { name: 'Analyse' }).click();
    await page.getByRole('button', { name: 'X-ray' }).waitFor();
    await closePage(page);
  });

  test('the engine shows the threat, and says why there is none in check', async () => {
    const page = await openPage(DESKTOP);
    await startGame(page, 'Chess', 0, 1);
    await openText(page, '6k1/5ppp/8/8/8/8/5PPP/R5K1 b - - 0 1');
    await page.locator('.lines li').first().waitFor();
    await page.locator('.engine-options summary').click();
    await page.getByLabel('Threat').check();
    await page.locator('.lines .move', { hasText: 'Ra8#' }).first().waitFor();
    await page.getByText('The threat: what White would play after a pass.').waitFor();
    await openText(page, 'R5k1/5p1p/6p1/8/8/8/5PPP/6K1 b - - 0 1');
    await page.locator('.engine-options .help', { hasText: 'in check' }).waitFor();
    expect(await page.getByLabel('Threat').isDisabled()).toBe(true);
    await closePage(page);
  });

  test('the engine says how sure its score of an ending is, and calls only an exact one so', async () => {
    const page = await openPage(DESKTOP);
    await startGame(page, 'Othello', 0, 1);
    // FFO 51, whose exact solution takes long, and FFO 22.
    await openText(page, '----O-X------X-----XXXO-OXXXXXOO-XXOOXOOXXOXXXOO--OOOO-O----OO-- O');
    const confidence = page.locator('.lines li').first().locator('.confidence');
    await confidence.waitFor({ timeout: 60_000 });
    expect(await confidence.textContent()).toMatch(/^(73|95|99) %$/);
    expect(await confidence.getAttribute('title')).toContain('not exact');
    await openText(page, '--OOOO--X-OOOOO-XXOOXOXXXOXOXXXXXXXOXXXX-XXOXOXX--OXXX-X----X--- O');
    await expect.poll(() => confidence.allTextContents(), { timeout: 60_000 }).toEqual(['exact']);
    // An exact score is a whole number of discs, and a longer search finds nothing more.
    expect(await page.locator('.lines li .score').first().textContent()).toBe('−2exact');
    await expect.poll(() => page.getByRole('button', { name: 'Search longer' }).count()).toBe(0);
    await closePage(page);
  });

  test('the four first moves of Othello have one score, and say that they are in the book', async () => {
    const page = await openPage(DESKTOP);
    await startGame(page, 'Othello', 0, 1);
    await openText(page, '---------------------------OX------XO--------------------------- X');
    await page.getByLabel('Lines').selectOption('4');
    await expect.poll(() => page.locator('.lines li').count(), { timeout: 60_000 }).toBe(4);
    const scores = await page.locator('.lines .score').allTextContents();
    expect(new Set(scores).size).toBe(1);
    expect(scores[0]).toMatch(/^[+−]?\d+\.\d\dbook$/);
    const first = await page.locator('.lines li').evaluateAll((lines) => lines.map((line) => line.querySelector('.move')?.textContent));
    expect([...first].sort()).toEqual(['c4', 'd3', 'e6', 'f5']);
    await closePage(page);
  });

  for (const [name, viewport, minWidth] of [
    ['desktop', { width: 1440, height: 900 }, 640],
    ['tablet', { width: 768, height: 1024 }, 640],
    ['phone', PHONE.viewport, 340],
    ['phone on its side', { width: 844, height: 390 }, 330],
    ['zoom of 200 %', { width: 640, height: 400 }, 340],
    ['large screen', { width: 2560, height: 1440 }, 1100],
  ] as const) {
    test(`the board is as large as fits, and nothing is cut off; ${name}`, async () => {
      const page = await openPage({ viewport });
      const box = await page.locator('.play alfil-board').boundingBox();
      expect(box!.width).toBeGreaterThan(minWidth);
      expect(box!.x).toBeGreaterThanOrEqual(0);
      expect(box!.y + box!.height).toBeLessThanOrEqual(viewport.height);
      await openText(page, 'h2e2 h9g7');
      const number = page.locator('.eval-bar .number');
      await expect.poll(() => number.textContent()).toMatch(/^[+−#]?\d/);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      await closePage(page);
    });
  }
});
