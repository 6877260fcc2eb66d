import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { DESKTOP, onServer, playRandomMove, seededRandom, startGame, useTestEnvironment, waitForTurn } from './test-environment';

// Measurements of the page. Durations are printed and not asserted. `npm run figures` in web/ takes all
// measurements; other runs measure once.

const REPETITIONS = process.env.ALFIL_FIGURES ? 7 : 1;
/** More games than processors, so that some searches are queued. */
const SEARCHING_GAMES = Math.max(20, 2 * availableParallelism());
/** The connections, some of which search later. */
const IDLE_SOCKETS = Math.max(200, SEARCHING_GAMES);
/** The time of each search, in milliseconds; all are requested in this time. */
const SEARCH_TIME = 500;

const { available, openPage } = useTestEnvironment();

beforeAll(() => console.info(`${availableParallelism()} processors, load ${loadavg()[0]?.toFixed(1)}`));

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/** Returns the gzipped size of a built file, in kilobytes. */
function gzippedKilobytes(name: string): number {
  return gzipSync(readFileSync(new URL(`../${name}`, import.meta.url)), { level: 9 }).length / 1000;
}

const ms = (value: number) => `${value.toFixed(1)} ms`;

/** Records when the board has its pieces, and the durations of long tasks, in `window.measured`. */
async function measure(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const measured = { board: 0, tasks: [] as number[] };
    Object.assign(window, { measured });
    new PerformanceObserver((list) => measured.tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: 'longtask' });
    const checkBoard = () => {
      if (document.querySelector('alfil-board')?.shadowRoot?.querySelector('.piece')) measured.board = performance.now();
      else requestAnimationFrame(checkBoard);
    };
    requestAnimationFrame(checkBoard);
  });
}

describe.skipIf(!available)('measurements', () => {
  test('the sizes of the built files', () => {
    const [page, board] = [gzippedKilobytes('dist/index.js'), gzippedKilobytes('board/dist/board.js')];
    const html = gzippedKilobytes('dist/index.html');
    console.info(
      `gzipped: JavaScript ${page.toFixed(1)} kB, the board element alone ${board.toFixed(1)} kB, HTML with the style ${html.toFixed(1)} kB`,
    );
    expect(page).toBeLessThan(60);
    expect(board).toBeLessThan(20);
  });

  test('the time to the first paint and to the first board', async () => {
    const [paints, boards]: [number[], number[]] = [[], []];
    for (let i = 0; i < REPETITIONS; i++) {
      const page = await openPage(DESKTOP, measure);
      await page.waitForFunction(() => (window as unknown as { measured: { board: number } }).measured.board > 0);
      const [paint, board] = await page.evaluate(() => [
        performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
        (window as unknown as { measured: { board: number } }).measured.board,
      ]);
      paints.push(paint ?? NaN);
      boards.push(board ?? NaN);
      await page.context().close();
    }
    console.info(
      `first paint ${ms(median(paints))} (${paints.map(Math.round).join(', ')}), ` +
        `first board with pieces ${ms(median(boards))}; medians of ${REPETITIONS}`,
    );
    expect(paints.every((paint) => paint > 0)).toBe(true);
  });

  test('the time of a click, the frame rate of a drag, and the longest task', async () => {
    const page = await openPage({ ...DESKTOP, reducedMotion: 'no-preference' }, measure);
    const frames = await page.evaluate(async () => {
      const root = document.querySelector('alfil-board')?.shadowRoot;
      const grid = root?.querySelector('.grid');
      const square = root?.querySelector<HTMLElement>('.square.movable');
      const box = grid?.getBoundingClientRect();
      if (!grid || !square || !box) throw new Error('the board is missing');
      const at = square.getBoundingClientRect();
      const point = (kind: string, on: Element, x: number, y: number) =>
        on.dispatchEvent(new PointerEvent(kind, { bubbles: true, composed: true, button: 0, clientX: x, clientY: y }));
      point('pointerdown', square, at.x + 5, at.y + 5);
      const times: number[] = [];
      for (let frame = 0; frame < 121; frame++) {
        times.push(await new Promise<number>((next) => requestAnimationFrame(next)));
        point('pointermove', square, box.x + (box.width * (frame % 60)) / 60, box.y + (box.height * (frame % 40)) / 40);
      }
      point('pointercancel', square, 0, 0);
      return (1000 * 120) / ((times[120] ?? 0) - (times[0] ?? 0));
    });
    const clicks: number[] = [];
    for (let played = 0; played < 6 && (await waitForTurn(page)) === 'move'; played++) {
      const move = await page.evaluate(async () => {
        const root = document.querySelector('alfil-board')?.shadowRoot;
        const firstTarget = () => root?.querySelector<HTMLElement>('.square.open');
        for (const square of root?.querySelectorAll<HTMLElement>('.square.movable') ?? []) {
          square.click();
          if (firstTarget()) break;
        }
        const to = firstTarget();
        const begin = performance.now();
        to?.click();
        root?.querySelector('.piece')?.getBoundingClientRect();
        const drawn = performance.now() - begin;
        const label = root?.querySelector(`[data-square="${to?.dataset.square}"]`)?.getAttribute('aria-label');
        return { drawn, label: label ?? '' };
      });
      expect(move.label).not.toContain('empty');
      clicks.push(move.drawn);
      await expect.poll(() => page.locator('.status').textContent(), { timeout: 30_000 }).toMatch(/move|wins|drawn/i);
    }
    await startGame(page, 'Othello', 0, 1, '0.3');
    for (let played = 0; played < 8 && (await waitForTurn(page)) === 'move'; played++) await playRandomMove(page, seededRandom(60 + played));
    const tasks = await page.evaluate(() => (window as unknown as { measured: { tasks: number[] } }).measured.tasks);
    console.info(
      `${frames.toFixed(0)} frames a second while dragging; from click to drawn move ${ms(median(clicks))} ` +
        `(at most ${ms(Math.max(...clicks))}); longest task ${ms(Math.max(0, ...tasks))}`,
    );
    expect(clicks.length).toBeGreaterThan(0);
    await page.context().close();
  });

  test.runIf(onServer)('the response times with many sockets and many searches', async () => {
    const page = await openPage(DESKTOP);
    const found = await page.evaluate(
      async ([idle, searching, time]) => {
        type Message = { id?: number; event?: string; hint?: string };
        const connect = async () => {
          const socket = new WebSocket(`ws://${location.host}/ws`);
          await new Promise((resolve) => (socket.onopen = resolve));
          return socket;
        };
        const request = (socket: WebSocket, body: object, onMessage?: (message: Message) => void) =>
          new Promise<{ response: Message; time: number }>((resolve) => {
            const begin = performance.now();
            socket.onmessage = ({ data }) => {
              const message = JSON.parse(String(data)) as Message;
              onMessage?.(message);
              if (message.id !== undefined) resolve({ response: message, time: performance.now() - begin });
            };
            socket.send(JSON.stringify({ id: 1, ...body }));
          });
        const sockets: WebSocket[] = [];
        while (sockets.length < idle) sockets.push(await connect());
        const own = await connect();
        await request(own, { do: 'new', game: 'xiangqi' });
        const amongIdle = (await request(own, { do: 'play', text: 'h2e2' })).time;
        let queued = 0;
        const searchers = sockets.slice(0, searching);
        for (const socket of searchers) await request(socket, { do: 'new', game: 'xiangqi' });
        const replies = Promise.all(
          searchers.map((socket) =>
            request(socket, { do: 'hint', time }, ({ event }) => void (queued += event === 'waiting' ? 1 : 0)),
          ),
        );
        const pings: number[] = [];
        let over = false;
        void replies.then(() => (over = true));
        while (!over) {
          pings.push((await request(own, { do: 'tactical_marks' })).time);
          await new Promise((next) => setTimeout(next, 50));
        }
        const responses = await replies;
        for (const socket of [...sockets, own]) socket.close();
        return { amongIdle, queued, pings, waits: responses.map(({ time }) => time), moved: responses.filter(({ response }) => response.hint).length };
      },
      [IDLE_SOCKETS, SEARCHING_GAMES, SEARCH_TIME] as const,
    );
    console.info(
      `with ${IDLE_SOCKETS} idle sockets a move takes ${ms(found.amongIdle)}; of ${SEARCHING_GAMES} searches ${found.queued} were ` +
        `queued, replies after ${ms(median(found.waits))} (at most ${ms(Math.max(...found.waits))}), other responses ` +
        `meanwhile after ${ms(median(found.pings))} (at most ${ms(Math.max(...found.pings))})`,
    );
    expect(found.moved).toBe(SEARCHING_GAMES);
    expect(found.queued).toBeGreaterThan(0);
    await page.context().close();
  });
});
