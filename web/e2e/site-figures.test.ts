import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { availableParallelism, loadavg } from 'node:os';
import { describe, expect, test } from 'vitest';
import { DESKTOP, siteFolder, useTestEnvironment } from './test-environment';

// Measurements of the page without a server. Durations are printed and not asserted; sizes are.
// `ALFIL_SITE=$PWD/target/site npm --prefix web run figures` runs them; other runs measure once.

const REPETITIONS = process.env.ALFIL_FIGURES ? 7 : 1;
/** The limits of the player for one game and of the scripts of the first load, gzipped, in kilobytes. */
const MAX_PLAYER = 200;
const MAX_SCRIPTS = 60;

const { available, newContext, url } = useTestEnvironment();

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
const ms = (values: number[]) => `${Math.round(median(values))} ms (${values.map(Math.round).join(', ')})`;

interface Sizes {
  gzip: number;
  brotli: number;
}

/** Returns the sizes of files together, in kilobytes: those of the compressed copies beside them. */
function sizesOf(names: string[]): Sizes {
  const sum = (kind: string) => names.reduce((total, name) => total + statSync(join(siteFolder ?? '', name + kind)).size / 1000, 0);
  return { gzip: sum('.gz'), brotli: sum('.br') };
}

describe.skipIf(!available || !siteFolder)('measurements of the page without a server', () => {
  const print = (what: string, names: string[]): Sizes => {
    const sizes = sizesOf(names);
    console.info(`${what}: ${sizes.gzip.toFixed(1)} kB gzip, ${sizes.brotli.toFixed(1)} kB brotli`);
    return sizes;
  };

  test('the sizes of the files', () => {
    const names = readdirSync(join(siteFolder ?? '', 'assets')).filter((name) => !/\.(gz|br)$/.test(name));
    const assets = names.map((name) => `assets/${name}`);
    const named = (pattern: RegExp) => assets.filter((name) => pattern.test(name));
    const scripts = print('JavaScript of the first load', named(/\/index-.*\.js$/));
    print('workers', named(/-worker-.*\.js$/));
    print('the module: rules, engine, judge and library', named(/\/page-.*\.wasm$/));
    print('network of xiangqi', named(/\/xiangqi-.*\.nnue$/));
    print('network of chess', named(/\/chess-.*\.nnue$/));
    print('network of Othello', named(/\/othello-.*\.nnue$/));
    expect(scripts.gzip).toBeLessThan(MAX_SCRIPTS);
    for (const game of ['xiangqi', 'chess', 'othello']) {
      const files = ['alfil-player.js', `${game}.js`, `${game}.wasm`].map((name) => `player/${name}`);
      expect(print(`<alfil-player> of ${game}`, files).gzip).toBeLessThan(MAX_PLAYER);
    }
  });

  for (const visit of ['first', 'second'] as const) {
    test(`the time to the first paint, the board and the engine; ${visit} visit`, async () => {
      const [paints, boards, moves, engines]: [number[], number[], number[], number[]] = [[], [], [], []];
      for (let i = 0; i < REPETITIONS; i++) {
        const context = await newContext(DESKTOP);
        const page = await context.newPage();
        if (visit === 'second') {
          await page.goto(url());
          await page.waitForSelector('.square.movable');
          await page.evaluate(async () => void (await navigator.serviceWorker.ready));
        }
        await page.addInitScript(() => {
          const measured = { board: 0, moves: 0, engine: 0 };
          Object.assign(window, { measured });
          const NativeWorker = Worker;
          window.Worker = class extends NativeWorker {
            constructor(address: string | URL, options?: WorkerOptions) {
              super(address, options);
              this.addEventListener('message', ({ data }: MessageEvent<{ kind: string }>) => {
                if (data.kind === 'ready') measured.engine ||= performance.now();
              });
            }
          };
          const check = () => {
            const root = document.querySelector('alfil-board')?.shadowRoot;
            if (root?.querySelector('.piece')) measured.board ||= performance.now();
            if (root?.querySelector('.square.movable')) measured.moves ||= performance.now();
            if (!measured.moves) requestAnimationFrame(check);
          };
          requestAnimationFrame(check);
        });
        await page.goto(url());
        await page.waitForFunction(() => {
          const { measured } = window as unknown as { measured: { moves: number; engine: number } };
          return measured.moves > 0 && measured.engine > 0;
        });
        const [paint, board, move, engine] = await page.evaluate(() => {
          const { measured } = window as unknown as { measured: { board: number; moves: number; engine: number } };
          const entry = performance.getEntriesByName('first-contentful-paint')[0];
          return [entry?.startTime ?? NaN, measured.board, measured.moves, measured.engine] as const;
        });
        paints.push(paint);
        boards.push(board);
        moves.push(move);
        engines.push(engine);
        await context.close();
      }
      console.info(
        `${visit} visit, ${availableParallelism()} processors, load ${loadavg()[0]?.toFixed(1)}: first paint ${ms(paints)}; ` +
          `board with pieces ${ms(boards)}; moves can be made ${ms(moves)}; rules and engine ready ${ms(engines)}`,
      );
      expect(paints.every((paint) => paint > 0)).toBe(true);
    });
  }
});
