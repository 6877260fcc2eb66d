import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { expect, test } from 'vitest';
import { findBrowser } from '../../e2e/test-environment';
import type { AlfilBoard, Overlays, piecesFromFen } from '../src/index';
import type { BoardAppearance } from '../src/types';

// Writes the images of the README with `snapshot()`: `npm run readme-images`, after `npm run build`.

interface ReadmeImage {
  game: string;
  fen: string;
  over: Overlays;
  last?: string[];
  check?: string;
  pictures?: boolean;
  /** Squares where a disc can be placed. */
  open?: string[];
}

const IMAGES: Record<string, ReadmeImage> = {
  xiangqi: {
    game: 'xiangqi',
    fen: 'r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKABR1',
    last: ['i0', 'h0'],
    over: { arrows: [{ from: 'b0', to: 'c2', rank: 1 }, { from: 'h0', to: 'h6', rank: 2 }] },
  },
  'xiangqi-pictures': {
    game: 'xiangqi',
    fen: '2bak4/4a4/4b1n2/p1p1p3p/9/6P2/P1P1P3P/2N1B4/4A4/2B1KA3',
    pictures: true,
    over: { tacticalMarks: [{ kind: 'blocked', side: 0, squares: ['c2', 'c3'] }] },
  },
  chess: {
    game: 'chess',
    fen: 'r1bqk1nr/pppp1Bpp/2n5/2b1p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 0 4',
    last: ['c4', 'f7'],
    check: 'e8',
    over: { arrows: [{ from: 'e8', to: 'f7', rank: 1 }] },
  },
  othello: {
    game: 'othello',
    fen: '------------------XO-O----XXOO-----XOX-----OOX------O----------- X',
    last: ['e7'],
    open: ['c2', 'd2', 'e2', 'f2', 'g2', 'e3', 'g4', 'c6', 'd7', 'f7', 'd8'],
    over: {},
  },
};

test('the images of the README', async () => {
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] });
  const page = await browser.newPage();
  await page.setContent('<alfil-board></alfil-board>');
  const script = (name: string) => page.addScriptTag({ path: fileURLToPath(new URL(`../dist/${name}.js`, import.meta.url)) });
  for (const name of ['board', 'look-xiangqi', 'look-chess', 'look-othello']) await script(name);
  for (const [name, image] of Object.entries(IMAGES)) {
    const svg = await page.evaluate(({ game, fen, last, check, over, pictures, open }) => {
      interface Package {
        looks: Record<string, BoardAppearance>;
        piecesFromFen: typeof piecesFromFen;
      }
      const { alfil } = window as unknown as { alfil: Package };
      const board = document.querySelector('alfil-board') as AlfilBoard;
      const look = alfil.looks[game];
      if (!look) throw new Error(`no look of ${game}`);
      const targets = (open ?? []).map((to) => ({ from: null, to, text: to, script: [], choice: null }));
      Object.assign(board, { look, pieces: alfil.piecesFromFen(look, fen), targets, last: last ?? [], check: check ?? null, over, pictures: pictures ?? false });
      return board.snapshot();
    }, image);
    expect(svg).toContain('class="piece"');
    writeFileSync(new URL(`../pictures/${name}.svg`, import.meta.url), `${svg}\n`);
  }
  await browser.close();
});
