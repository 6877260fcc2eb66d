import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { DESKTOP, isLong, moveCount, onServer, openText, seededRandom, startGame, useTestEnvironment } from './test-environment';

// Measurements with a large library, and of steps through a reviewed game. Durations are printed and not asserted.
// `npm run figures` in web/ runs them with 100,000 games, `cargo xtask test --long` with fewer games, frames and steps.

const [GAMES, FRAMES, STEPS] = process.env.ALFIL_FIGURES ? [100_000, 240, 30] : [1_000, 24, 3];
const PRESSES = 40;
const PRESS_INTERVAL_MS = 33;

const { available, openPage } = useTestEnvironment();

const ms = (value: number) => `${value.toFixed(1)} ms`;

/** Returns the middle value and the greatest one as text. */
function distribution(values: number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  return `median ${ms(sorted[Math.floor(sorted.length / 2)] ?? NaN)}, worst ${ms(sorted.at(-1) ?? NaN)}`;
}

const LINES = [
  'e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7',
  'd4 Nf6 c4 g6 Nc3 Bg7 e4 d6 Nf3 O-O Be2 e5 O-O Nc6 d5 Ne7 Ne1 Nd7 Be3 f5',
  'e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Be2 e5 Nb3 Be7 O-O O-O Be3 Be6 f4 Qc7',
  'd4 d5 c4 e6 Nc3 Nf6 Bg5 Be7 e3 O-O Nf3 Nbd7 Rc1 c6 Bd3 dxc4 Bxc4 Nd5 Bxe7 Qxe7',
  'e4 e6 d4 d5 Nc3 Nf6 Bg5 Be7 e5 Nfd7 Bxe7 Qxe7 f4 O-O Nf3 c5 dxc5 Nc6 Bd3 f6',
].map((line) => line.split(' '));
const SYLLABLES = ['ba', 'dor', 'ek', 'fin', 'gal', 'her', 'ist', 'ko', 'lan', 'mir', 'no', 'pol', 'ras', 'sen', 'tov', 'wen'];

/** Returns the names and moves of many different games. The event of game 500 is its own. */
function pgnFile(count: number): string {
  const random = seededRandom(23);
  const pick = <T>(values: T[]) => values[random(values.length)] as T;
  const name = () => {
    const surname = [pick(SYLLABLES), pick(SYLLABLES), pick(SYLLABLES)].join('');
    return `${surname[0]?.toUpperCase()}${surname.slice(1)}, ${pick(['Anna', 'Bert', 'Carla', 'Dana', 'Emil'])}`;
  };
  const games: string[] = [];
  for (let i = 0; i < count; i++) {
    const line = pick(LINES).slice(0, 8 + random(13));
    const moves = line.map((move, ply) => (ply % 2 === 0 ? `${1 + ply / 2}. ${move}` : move)).join(' ');
    const result = pick(['1-0', '0-1', '1/2-1/2']);
    const event = i === 499 ? 'Zwischenzug' : `Open of ${pick(SYLLABLES)}${pick(SYLLABLES)}`;
    const tags = { Event: event, Date: `${1950 + random(70)}.0${1 + random(9)}.01`, White: name(), Black: name(), Result: result };
    games.push(`${Object.entries(tags).map(([tag, value]) => `[${tag} "${value}"]`).join('\n')}\n\n${moves} ${result}\n`);
  }
  return games.join('\n');
}

/** Scrolls the list for some seconds; returns the durations of the frames, and how often a row in sight was empty. */
async function scrollList(page: Page, pixelsPerFrame: number, frames: number): Promise<{ times: number[]; empty: number }> {
  return page.evaluate(
    async ([step, count]) => {
      const list = document.querySelector('.library-list');
      if (!list) throw new Error('the list is missing');
      list.scrollTop = 0;
      const [times, seen]: [number[], number[]] = [[], []];
      let last = await new Promise<number>((next) => requestAnimationFrame(next));
      for (let frame = 0; frame < count; frame++) {
        list.scrollTop += step;
        const now = await new Promise<number>((next) => requestAnimationFrame(next));
        times.push(now - last);
        last = now;
        seen.push([...list.querySelectorAll('.library-row')].filter((row) => row.textContent === '…').length);
      }
      return { times, empty: seen.filter((rows) => rows > 4).length };
    },
    [pixelsPerFrame, frames] as const,
  );
}

const count = (page: Page) => page.locator('dialog.library .count').textContent();

/** Opens a game of 40 plies as an analysis, and reviews it. */
async function openReviewedGame(page: Page): Promise<void> {
  await startGame(page, 'Chess', 0, 1);
  const moves = [...(LINES[0] ?? []), 'Bc2', 'Bb7', 'Nbd2', 'Re8', 'Nf1', 'Bf8', 'Ng3', 'g6', 'Bd2', 'Bg7', 'Qc1', 'c5', 'd5', 'Nb6', 'b3', 'Rc8', 'Bh6', 'Nfd7', 'Bxg7', 'Kxg7'];
  await openText(page, moves.map((move, ply) => (ply % 2 === 0 ? `${1 + ply / 2}. ${move}` : move)).join(' '));
  await expect.poll(() => moveCount(page)).toBe(40);
  await page.getByRole('button', { name: 'Review the game' }).click();
  await page.locator('.review-words').waitFor({ timeout: 300_000 });
  await page.keyboard.press('Home');
  await page.locator('.lines li').first().waitFor();
}

/** Presses the right arrow; returns when the new position is in the document, and when its frame has ended. */
async function timeOfStep(page: Page): Promise<{ shown: number; painted: number }> {
  return page.evaluate(
    () =>
      new Promise((done) => {
        const list = document.querySelector('.move-list');
        if (!list) throw new Error('the moves are missing');
        const begin = performance.now();
        const observer = new MutationObserver(() => {
          observer.disconnect();
          const shown = performance.now() - begin;
          // A message that is sent in a frame arrives after the page was drawn.
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => done({ shown, painted: performance.now() - begin });
            port2.postMessage(0);
          });
        });
        observer.observe(list, { subtree: true, attributes: true, attributeFilter: ['class'] });
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true }));
      }),
  );
}

// What they check beside the times is checked in `library.test.ts` and `analysis.test.ts`, too.
describe.skipIf(!available || !onServer || !(process.env.ALFIL_FIGURES || isLong))('measurements of the library and of steps', () => {
  test(`the library with ${GAMES} games: import, search, scrolling`, { timeout: 900_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'alfil-'));
    const file = join(folder, 'many games.pgn');
    writeFileSync(file, pgnFile(GAMES));
    const page = await openPage(DESKTOP);
    await page.getByRole('button', { name: 'Library', exact: true }).click();
    const begin = performance.now();
    await page.locator('.library input[type=file]').setInputFiles(file);
    await page.locator('.library-import', { hasText: 'games imported.' }).waitFor({ timeout: 800_000 });
    console.info(`import of ${GAMES} games: ${((performance.now() - begin) / 1000).toFixed(1)} s`);
    await expect.poll(() => count(page)).toBe(`${GAMES.toLocaleString('en')} games`);
    const search = page.getByRole('searchbox');
    for (const [kind, text] of [['event, one game', 'zwischenzug'], ['player', 'dorlan'], ['opening, many games', 'ruy lopez'], ['all games', '']] as const) {
      // The time from the key to the new list in the document, the delay after typing included.
      const former = (await count(page)) ?? '';
      const started = performance.now();
      await search.fill(text);
      await page.waitForFunction((old) => document.querySelector('dialog.library .count')?.textContent !== old, former, { polling: 'raf' });
      console.info(`search by ${kind}: ${ms(performance.now() - started)}, ${await count(page)}`);
    }
    for (const pixels of [20, 120, 1200]) {
      const { times, empty } = await scrollList(page, pixels, FRAMES);
      console.info(
        `scrolling by ${pixels} pixels a frame: ${distribution(times)}, ${(1000 / (times.reduce((a, b) => a + b) / times.length)).toFixed(1)} ` +
          `frames a second; rows were missing in ${empty} of ${times.length} frames`,
      );
    }
    expect(await page.locator('.library-row').count()).toBeLessThan(40);
    await page.context().close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('a step through a reviewed game and forty presses, with the engine on', { timeout: 600_000 }, async () => {
    const page = await openPage(DESKTOP);
    await openReviewedGame(page);
    const [shown, painted]: [number[], number[]] = [[], []];
    for (let step = 0; step < STEPS; step++) {
      await page.waitForTimeout(300);
      const times = await timeOfStep(page);
      shown.push(times.shown);
      painted.push(times.painted);
    }
    console.info(`a step through a reviewed game with the engine on, from the key to the new position: ${distribution(shown)}`);
    console.info(`from the key to the end of the frame that shows it: ${distribution(painted)}`);
    await page.keyboard.press('Home');
    await page.waitForTimeout(1000);
    for (let press = 0; press < PRESSES; press++) {
      await page.keyboard.press('ArrowRight');
      await page.waitForTimeout(PRESS_INTERVAL_MS);
    }
    const ply = () => page.locator('.move-list .current').getAttribute('data-node');
    const atOnce = await ply();
    await expect.poll(ply).toBe('40');
    console.info(`${PRESSES} presses at ${PRESS_INTERVAL_MS} ms: ply ${atOnce} at the last press, then ply ${await ply()}`);
    await page.context().close();
  });
});
