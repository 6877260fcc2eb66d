import { existsSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Message, connect, pageWorker, request } from './page-transport';
import { AlfilServer, DESKTOP, programPath, siteFolder, useTestEnvironment } from './test-environment';

// The engine in the browser finds what that of the server finds, after the same numbers of nodes.

const { available, newContext, url } = useTestEnvironment();

/** Some positions of each game: one of the opening, of the middlegame and near the end; in Othello the moves to it. */
const POSITIONS: [game: string, positions: string[]][] = [
  ['xiangqi', [
    'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1',
    'r1bakab1r/9/1cn3nc1/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKAB1R w - - 0 1',
    '3ak4/4a4/4b4/9/2p1P4/9/9/4B4/4A4/3AK1R2 w - - 0 1',
  ]],
  ['chess', [
    'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
    'r1bqk2r/pp1n1ppp/2pbpn2/3p4/2PP4/2NBPN2/PP3PPP/R1BQK2R w KQkq - 0 1',
    '8/5pk1/6p1/8/3R4/5P2/r5PP/6K1 w - - 0 1',
  ]],
  ['othello', ['', 'f5 d6 c3 d3 c4 f4 f6 f3 e6 e7']],
];
/** The depth to which a position is searched. Discs are searched more quickly, and quick reports are left out. */
const depthOf = (game: string) => (game === 'othello' ? 15 : 11);
/** Games that are reviewed. */
const GAMES: [game: string, moves: string][] = [
  ['xiangqi', 'h2e2 h9g7 h0g2 i9h9 g3g4 b9c7'],
  ['chess', 'e2e4 e7e5 g1f3 b8c6 f1b5 a7a6'],
  ['othello', 'f5 d6 c3 d3 c4'],
];

/** Reports of a search by depth and rank, without their times. */
interface Findings {
  /** The last score and line of each. */
  lines: Map<string, string>;
  /** All of them with their numbers of nodes. */
  reports: Set<string>;
}

function findingsOf(messages: Message[], maxDepth: number): Findings {
  const found: Findings = { lines: new Map(), reports: new Set() };
  for (const { event, of: _, node: _node, seconds: _seconds, nodes, ...report } of messages) {
    if (event !== 'thought' || (report.depth as number) > maxDepth) continue;
    found.lines.set(`${String(report.depth)}/${String(report.rank)}`, JSON.stringify(report));
    found.reports.add(JSON.stringify({ nodes, ...report }));
  }
  return found;
}

describe.skipIf(!available || !siteFolder || !existsSync(programPath()))('the engine in the browser', () => {
  let server: AlfilServer | undefined;
  const pages: Page[] = [];
  beforeAll(async () => {
    if (!siteFolder || !existsSync(programPath())) return;
    server = await AlfilServer.start([]);
    for (const [address, name] of [[server.firstUrl, undefined], [url(), pageWorker(siteFolder)]] as const) {
      const page = await (await newContext(DESKTOP)).newPage();
      await page.goto(address);
      await connect(page, name);
      pages.push(page);
    }
  });
  afterAll(async () => {
    for (const page of pages) await page.context().close();
    await server?.close();
  });

  /** Sends the same requests both ways and returns what each has found at the depths. */
  const both = <T>(work: (page: Page) => Promise<T>): Promise<T[]> => Promise.all(pages.map(work));

  for (const [game, positions] of POSITIONS) {
    test(`moves, evaluations and numbers of nodes are those of the server: ${game}`, async () => {
      for (const fen of positions) {
        const [native, browser] = await both(async (page) => {
          const start = game === 'othello' ? { moves: fen.split(' ').filter(Boolean) } : { fen };
          const opened = await request(page, { do: 'new', game, ...start });
          expect(opened.filter(({ error }) => error)).toEqual([]);
          const analysis = { do: 'analyse', lines: 2, seconds: 20, threads: 1, hash: 32 };
          return findingsOf(await request(page, analysis, depthOf(game) + 1), depthOf(game));
        });
        if (!native || !browser) throw new Error('there are two ways to the games');
        // Reports that follow each other quickly are left out: those that came both ways are compared.
        const common = [...native.lines.keys()].filter((key) => browser.lines.has(key));
        expect(common.length).toBeGreaterThan(1);
        for (const key of common) expect(browser.lines.get(key)).toBe(native.lines.get(key));
        const equal = [...native.reports].filter((report) => browser.reports.has(report));
        expect(equal.length).toBeGreaterThanOrEqual(common.length / 2);
      }
    });
  }

  for (const [game, moves] of GAMES) {
    test(`a review finds what that of the server finds, also after other searches: ${game}`, async () => {
      const [native, browser] = await both(async (page) => {
        await request(page, { do: 'new', game, moves: moves.split(' ') });
        await request(page, { do: 'analyse', lines: 1, seconds: 60 }, 9);
        const found = await request(page, { do: 'review' });
        return found.filter(({ event }) => event === 'reviewed').map(({ node, score, best }) => ({ node, score, best }));
      });
      expect(browser?.length).toBeGreaterThan(4);
      expect(browser).toEqual(native);
    });
  }
});
