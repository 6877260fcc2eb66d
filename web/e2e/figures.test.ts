import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Stage, browserProgram, chance, clickMove, start, turn } from './stage';

// What the page promises in numbers. They are printed, never asserted: `npm run figures` in web/ prints them alone.

const program = browserProgram();
const DESKTOP = { viewport: { width: 1280, height: 800 } };
const TIMES = 7;
const IDLE = 200;
const THINKING = 20;

let stage: Stage;

beforeAll(async () => {
  if (program) stage = await Stage.raise(program);
  console.info(`${availableParallelism()} processors, load ${loadavg()[0]?.toFixed(1)}`);
});
afterAll(async () => stage?.close());

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/** Kilobytes of a built file, gzipped. */
function kilobytes(name: string): number {
  return gzipSync(readFileSync(new URL(`../dist/${name}`, import.meta.url)), { level: 9 }).length / 1000;
}

const ms = (value: number) => `${value.toFixed(1)} ms`;

/** Notes when the board has its men, and every task that blocks. */
async function watch(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const notes = { board: 0, tasks: [] as number[] };
    Object.assign(window, { notes });
    new PerformanceObserver((list) => notes.tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: 'longtask' });
    const look = () => {
      if (document.querySelector('alfil-board')?.shadowRoot?.querySelector('.man')) notes.board = performance.now();
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

describe.skipIf(!program)('figures', () => {
  test('what is sent', () => {
    const [page, board] = [kilobytes('index.js'), kilobytes('board.js')];
    console.info(`JavaScript ${page.toFixed(1)} kB gzipped, the board element alone ${board.toFixed(1)} kB, the page's text with its style ${kilobytes('index.html').toFixed(1)} kB`);
    expect(page).toBeLessThan(60);
    expect(board).toBeLessThan(20);
  });

  test('the first paint', async () => {
    const [paints, boards]: [number[], number[]] = [[], []];
    for (let i = 0; i < TIMES; i++) {
      const page = await stage.open(DESKTOP, [], watch);
      await page.waitForFunction(() => (window as unknown as { notes: { board: number } }).notes.board > 0);
      const [paint, board] = await page.evaluate(() => [
        performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
        (window as unknown as { notes: { board: number } }).notes.board,
      ]);
      paints.push(paint ?? NaN);
      boards.push(board ?? NaN);
      await page.context().close();
    }
    console.info(`first paint ${ms(median(paints))} (${paints.map(Math.round).join(', ')}), the board with its men ${ms(median(boards))}; medians of ${TIMES}`);
    expect(paints.every((paint) => paint > 0)).toBe(true);
  });

  test('a click, a drag, and what blocks', async () => {
    const page = await stage.open({ ...DESKTOP, reducedMotion: 'no-preference' }, [], watch);
    const frames = await page.evaluate(async () => {
      const root = document.querySelector('alfil-board')?.shadowRoot;
      const grid = root?.querySelector('.grid');
      const man = root?.querySelector<HTMLElement>('.square.movable');
      const box = grid?.getBoundingClientRect();
      if (!grid || !man || !box) throw new Error('no board');
      const at = man.getBoundingClientRect();
      const point = (kind: string, on: Element, x: number, y: number) =>
        on.dispatchEvent(new PointerEvent(kind, { bubbles: true, composed: true, button: 0, clientX: x, clientY: y }));
      point('pointerdown', man, at.x + 5, at.y + 5);
      const times: number[] = [];
      for (let frame = 0; frame < 121; frame++) {
        times.push(await new Promise<number>((next) => requestAnimationFrame(next)));
        point('pointermove', man, box.x + (box.width * (frame % 60)) / 60, box.y + (box.height * (frame % 40)) / 40);
      }
      point('pointercancel', man, 0, 0);
      return (1000 * 120) / ((times[120] ?? 0) - (times[0] ?? 0));
    });
    const clicks: number[] = [];
    for (let played = 0; played < 6 && (await turn(page)) === 'move'; played++) {
      const shown = await page.evaluate(async () => {
        const root = document.querySelector('alfil-board')?.shadowRoot;
        const open = () => root?.querySelector<HTMLElement>('.square.open');
        for (const man of root?.querySelectorAll<HTMLElement>('.square.movable') ?? []) {
          man.click();
          if (open()) break;
        }
        const to = open();
        const begin = performance.now();
        to?.click();
        root?.querySelector('.man')?.getBoundingClientRect();
        const drawn = performance.now() - begin;
        const taken = root?.querySelector(`[data-square="${to?.dataset.square}"]`)?.getAttribute('aria-label');
        return { drawn, taken: taken ?? '' };
      });
      expect(shown.taken).not.toContain('empty');
      clicks.push(shown.drawn);
      await expect.poll(() => page.locator('.status').textContent(), { timeout: 30_000 }).toMatch(/move|wins|drawn/i);
    }
    await start(page, 'Othello', 0, 1, '0.3');
    for (let played = 0; played < 8 && (await turn(page)) === 'move'; played++) await clickMove(page, chance(60 + played));
    const tasks = await page.evaluate(() => (window as unknown as { notes: { tasks: number[] } }).notes.tasks);
    console.info(`${frames.toFixed(0)} frames a second while dragging; click to shown move ${ms(median(clicks))} (most ${ms(Math.max(...clicks))}); longest task ${ms(Math.max(0, ...tasks))}`);
    expect(clicks.length).toBeGreaterThan(0);
    await page.context().close();
  });

  test('many windows, and many games that think', async () => {
    const page = await stage.open(DESKTOP, []);
    const found = await page.evaluate(
      async ([idle, thinking]) => {
        type Said = { id?: number; event?: string; step?: unknown };
        const connect = async () => {
          const socket = new WebSocket(`ws://${location.host}/ws`);
          await new Promise((opened) => (socket.onopen = opened));
          return socket;
        };
        const ask = (socket: WebSocket, deed: object, heard?: (said: Said) => void) =>
          new Promise<{ said: Said; took: number }>((done) => {
            const begin = performance.now();
            socket.onmessage = ({ data }) => {
              const said = JSON.parse(String(data)) as Said;
              heard?.(said);
              if (said.id !== undefined) done({ said, took: performance.now() - begin });
            };
            socket.send(JSON.stringify({ id: 1, ...deed }));
          });
        const crowd: WebSocket[] = [];
        while (crowd.length < idle) crowd.push(await connect());
        const own = await connect();
        await ask(own, { do: 'new', game: 'xiangqi' });
        const amongIdle = (await ask(own, { do: 'play', text: 'h2e2' })).took;
        let queued = 0;
        const thinkers = crowd.slice(0, thinking);
        for (const socket of thinkers) await ask(socket, { do: 'new', game: 'xiangqi' });
        const replies = Promise.all(
          thinkers.map((socket) => ask(socket, { do: 'think', level: 6 }, ({ event }) => void (queued += event === 'waiting' ? 1 : 0))),
        );
        const pings: number[] = [];
        let over = false;
        void replies.then(() => (over = true));
        while (!over) {
          pings.push((await ask(own, { do: 'sights' })).took);
          await new Promise((next) => setTimeout(next, 50));
        }
        const answers = await replies;
        for (const socket of [...crowd, own]) socket.close();
        return { amongIdle, queued, pings, waits: answers.map(({ took }) => took), moved: answers.filter(({ said }) => said.step).length };
      },
      [IDLE, THINKING] as const,
    );
    console.info(
      `among ${IDLE} idle sockets a move is answered in ${ms(found.amongIdle)}; of ${THINKING} games that think ${found.queued} were told that they queue, ` +
        `replies after ${ms(median(found.waits))} (most ${ms(Math.max(...found.waits))}), others answered meanwhile in ${ms(median(found.pings))} (most ${ms(Math.max(...found.pings))})`,
    );
    expect(found.moved).toBe(THINKING);
    expect(found.queued).toBeGreaterThan(0);
    await page.context().close();
  });
});
