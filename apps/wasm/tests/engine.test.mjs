// The engine in its worker.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { Chess, Engine, init, Othello, Xiangqi } from 'alfil';

import { ROOT } from './support.mjs';

await init();

/** Returns the node counts of the program, which a test of the session pins. */
function benchCounts() {
  const source = readFileSync(new URL('crates/session/tests/bench.rs', ROOT), 'utf8');
  return [...source.matchAll(/\("(\w+)", ([\d_]+)\)/g)].map(([, game, nodes]) => [game, Number(nodes.replaceAll('_', ''))]);
}

test('a fixed search visits the nodes that it visits in the program', async () => {
  const counts = benchCounts();
  assert.equal(counts.length, 3);
  for (const [game, nodes] of counts) {
    const engine = await Engine.start({ game });
    assert.equal(await engine.bench(), nodes, game);
    engine.quit();
  }
});

test('every network of the package is that of a game', async () => {
  const { readdirSync } = await import('node:fs');
  const source = readFileSync(new URL('../js/engine.ts', import.meta.url), 'utf8');
  for (const name of readdirSync(new URL('../dist/networks/', import.meta.url))) {
    assert.ok(source.includes(`'./networks/${name}'`), name);
  }
});

test('without its network xiangqi is evaluated by the hand-made terms', async () => {
  const fen = 'r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1';
  const engine = await Engine.start({ game: 'xiangqi', network: null });
  const terms = await engine.evaluate({ fen });
  const url = new URL('../dist/networks/xiangqi.nnue', import.meta.url);
  assert.ok(await engine.setNetwork(url));
  const network = await engine.evaluate({ fen });
  assert.notEqual(network, terms);
  assert.ok(await engine.setNetwork(readFileSync(url)));
  // The caller may use its bytes for something else at once.
  const bytes = new Uint8Array(readFileSync(url));
  const isSet = engine.setNetwork(bytes);
  bytes.fill(0);
  assert.ok(await isSet);
  await assert.rejects(engine.setNetwork(undefined), { code: 'load' });
  assert.equal(await engine.evaluate({ fen }), network);
  await assert.rejects(engine.setNetwork(new Uint8Array([1, 2, 3])), { code: 'invalid-argument' });
  assert.equal(await engine.evaluate({ fen }), network);
  assert.equal(await engine.setNetwork(null), null);
  assert.equal(await engine.evaluate({ fen }), terms);
  await assert.rejects(engine.setNetwork(new URL('nothing.nnue', url)), { code: 'load' });
  engine.quit();
  await assert.rejects(Engine.start({ game: 'chess', network: readFileSync(url) }), { name: 'AlfilError' });
});

test('a search reports, and its line can be played', async () => {
  const engine = await Engine.start({ game: 'xiangqi', hash: 8 });
  const board = new Xiangqi();
  board.move('炮二平五');
  const reports = [];
  const search = engine.go(board, { depth: 8, multipv: 2 });
  for await (const report of search) reports.push(report);
  const { bestMove, report, failure } = await search.result;
  assert.equal(failure, null);
  assert.ok(reports.length >= 16 && reports.some((report) => report.multipv === 2));
  assert.deepEqual(report, reports.filter((report) => report.multipv === 1).at(-1));
  assert.equal(bestMove, report.pv[0]);
  assert.ok(report.depth === 8 && report.nodes > 100 && report.nps > 0 && report.time > 0 && report.mate === null);
  assert.deepEqual(board.line(report.pv), report.san);
  for (const move of report.san) board.move(move);
  // The same search again is another one, because the table is kept; after `clear` it is the same.
  const again = async () => (await engine.go(new Xiangqi(), { depth: 7 }).result).report.nodes;
  await engine.clear();
  const first = await again();
  const second = await again();
  assert.notEqual(second, first);
  await engine.clear();
  assert.equal(await again(), first);
  engine.quit();
});

test('a report has the bound of its score: the solver reports lower ones before the exact score', async () => {
  const engine = await Engine.start({ game: 'othello' });
  const search = engine.go({ fen: '--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X' }, { depth: 20 });
  const bounds = new Set();
  for await (const report of search) bounds.add(report.bound);
  assert.deepEqual([...bounds].sort(), ['exact', 'lower']);
  const { report } = await search.result;
  assert.deepEqual([report.bound, report.score], ['exact', 1800]);
  engine.quit();
});

test('the limits of a search', async () => {
  const engine = await Engine.start({ game: 'chess' });
  const mate = await engine.go({ fen: '6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1' }, { mate: 1, depth: 20 }).result;
  assert.deepEqual([mate.bestMove, mate.report.mate], ['a1a8', 1]);
  const nodes = await engine.go({}, { nodes: 5000 }).result;
  assert.ok(nodes.report.nodes <= 10_000);
  const timed = await engine.go({ moves: ['e4', 'e5'] }, { time: 100 }).result;
  assert.ok(timed.bestMove && timed.report.time >= 0);
  const clock = await engine.go({}, { clock: 3000, increment: 10, movesToGo: 40 }).result;
  assert.ok(clock.bestMove);
  const chosen = await engine.go({}, { depth: 4, rootMoves: ['a2a3'] }).result;
  assert.equal(chosen.bestMove, 'a2a3');
  const weak = async (seed) => (await engine.go({}, { depth: 5, level: 1, seed }).result).bestMove;
  assert.equal(await weak(7), await weak(7));
  const openings = [];
  for (let seed = 1; seed <= 8; seed++) openings.push(await weak(seed));
  assert.ok(new Set(openings).size > 1, `a weak level plays different moves: ${openings}`);
  const move = await engine.best(new Chess('7k/5Q2/6K1/8/8/8/8/8 w - - 0 1'), { depth: 3 });
  assert.equal(new Chess(move.after).isCheckmate(), true);
  assert.equal(await engine.best({ fen: '7k/5Q2/6K1/8/8/8/8/8 b - - 0 1' }, { depth: 3 }), null);
  await assert.rejects(engine.best({}, {}), { code: 'invalid-argument' });
  for (const limits of [{ level: 11 }, { time: -1 }, { depth: 1.5 }, { rootMoves: ['e2e5'] }, { rootMoves: [] }, { depth: 1, increment: 9 }, { nodes: 'many' }]) {
    await assert.rejects(engine.go({}, limits).result, { code: 'invalid-argument' }, JSON.stringify(limits));
  }
  await assert.rejects(engine.go({ fen: 'garbage' }).result, { code: 'invalid-position' });
  assert.throws(() => engine.go(new Xiangqi()), { code: 'invalid-argument' });
  engine.quit();
  await assert.rejects(engine.evaluate(), { code: 'disposed' });
  await assert.rejects(Engine.start({ game: 'chess', hash: 5000 }), { code: 'invalid-argument' });
  await assert.rejects(Engine.start({ game: 'go' }), { code: 'invalid-argument' });
});

test('a deep search has enough stack', async () => {
  const positions = [
    ['chess', '8/8/8/3k4/8/3K4/4P3/8 w - - 0 1', 40],
    ['xiangqi', '4k4/9/9/p7p/9/9/P7P/9/9/4K4 w - - 0 1', 25],
  ];
  for (const [game, fen, least] of positions) {
    const engine = await Engine.start({ game });
    const { report } = await engine.go({ fen }, { depth: 120, nodes: 1_000_000 }).result;
    assert.ok(report.seldepth >= least, `${game}: ${report.seldepth}`);
    engine.quit();
  }
});

test('a search without limits ends by stop, by a signal, and by leaving its loop', async () => {
  const engine = await Engine.start({ game: 'othello' });
  const search = engine.go(new Othello());
  for await (const report of search) if (report.depth === 2) search.stop();
  assert.ok((await search.result).bestMove);
  const controller = new AbortController();
  const second = engine.go(new Othello(), { signal: controller.signal });
  for await (const report of second) if (report.depth === 4) controller.abort();
  assert.ok((await second.result).report.depth >= 4);
  const third = engine.go(new Othello());
  for await (const report of third) if (report.depth === 3) break;
  assert.ok((await third.result).bestMove);
  const aborted = engine.go(new Othello(), { signal: AbortSignal.abort() });
  assert.ok((await aborted.result).bestMove);
  // Calls wait for those before them; one that is stopped before its turn is answered at once.
  const running = engine.go(new Othello());
  const waiting = engine.go(new Othello());
  const score = engine.evaluate(new Othello());
  waiting.stop();
  assert.deepEqual((await waiting.result).report, null);
  running.stop();
  assert.ok((await running.result).bestMove);
  assert.equal(typeof (await score), 'number');
  const last = engine.go(new Othello());
  for await (const report of last) if (report.depth === 2) engine.quit();
  assert.ok((await last.result).bestMove);
});

test('where memory cannot be shared, a stopped search is answered by its last report', async () => {
  const Shared = globalThis.SharedArrayBuffer;
  globalThis.SharedArrayBuffer = undefined;
  try {
    const engine = await Engine.start({ game: 'xiangqi' });
    const before = await engine.evaluate({ moves: ['C2.5'] });
    const search = engine.go(new Xiangqi());
    const waiting = engine.evaluate({ moves: ['C2.5'] });
    let last;
    for await (const report of search) {
      last = report;
      if (report.depth === 6) search.stop();
    }
    const { bestMove, report } = await search.result;
    assert.deepEqual([bestMove, report], [last.pv[0], last]);
    // The new worker has the network, too.
    assert.equal(await waiting, before);
    const early = engine.go(new Xiangqi());
    early.stop();
    assert.equal(new Xiangqi().isLegal({ lan: (await early.result).bestMove }), true);
    assert.equal((await engine.go(new Xiangqi(), { depth: 5 }).result).report.depth, 5);
    engine.quit();
  } finally {
    globalThis.SharedArrayBuffer = Shared;
  }
});

test('an engine without a reference does not keep Node alive, and a search goes on without its engine', async () => {
  const { spawnSync } = await import('node:child_process');
  const script = `
    import { init, Engine } from 'alfil';
    await init();
    const search = (await Engine.start({ game: 'chess' })).go({}, { depth: 9 });
    for (let round = 0; round < 10; round++) { gc(); await new Promise((done) => setTimeout(done, 1)); }
    console.log((await search.result).report.depth);
  `;
  const options = { cwd: new URL('..', import.meta.url), encoding: 'utf8', timeout: 60_000 };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], options);
  assert.deepEqual([stdout.trim(), status], ['9', 0], stderr);
});

test('a worker that is not ready when its engine quits does not keep the program', async () => {
  // No search was begun when the engine quits; every call is answered all the same.
  const engine = await Engine.start({ game: 'chess', network: null });
  const searches = [engine.go(), engine.go({}, { rootMoves: ['a2a3'] }), engine.go({ fen: 'garbage' })];
  const evaluation = engine.evaluate();
  const solution = engine.bench();
  engine.quit();
  const results = await Promise.allSettled([...searches.map(({ result }) => result), evaluation, solution]);
  assert.equal(results[0].status, 'fulfilled');
  assert.equal(results[1].value.bestMove, 'a2a3');
  assert.deepEqual(results.slice(2).map(({ reason }) => reason?.code), ['invalid-position', 'disposed', 'disposed']);
});

test('a search that is stopped before its turn is answered, and those after it run', async () => {
  const engine = await Engine.start({ game: 'chess' });
  const first = engine.go({}, { depth: 6 });
  const second = engine.go({ fen: 'garbage' });
  const third = engine.go({}, { depth: 3 });
  second.stop();
  await assert.rejects(second.result, { code: 'invalid-position' });
  assert.ok((await first.result).bestMove && (await third.result).bestMove);
  engine.quit();
});

test('`stop` ends searches only', async () => {
  const engine = await Engine.start({ game: 'xiangqi' });
  const nodes = engine.bench();
  engine.stop();
  assert.ok((await nodes) > 0);
  engine.quit();
});

test('limits that are no numbers or are misspelt are errors', async () => {
  const engine = await Engine.start({ game: 'chess' });
  for (const time of [NaN, Infinity]) {
    await assert.rejects(engine.best({}, { time }), { code: 'invalid-argument' });
  }
  await assert.rejects(engine.best({}, { time: null }), { code: 'invalid-argument' });
  assert.throws(() => engine.go({}, { movetime: 100 }), { code: 'invalid-argument', message: /movetime/ });
  engine.quit();
});

test('a position that is changed or freed during a search is searched as it was', async () => {
  const engine = await Engine.start({ game: 'chess', network: null });
  const start = new Chess().fen();
  const [board, freed, moves] = [new Chess(), new Chess(), []];
  const searches = [board, freed, { moves }].map((position) => engine.best(position, { depth: 3 }));
  board.move('e4');
  freed.dispose();
  moves.push('e4');
  for (const search of searches) assert.equal((await search).before, start);
  engine.quit();
});

test('what is no position is an error, not the start position', async () => {
  const engine = await Engine.start({ game: 'chess' });
  for (const position of ['4k3/8/8/8/8/8/8/4K2R w K - 0 1', { FEN: '4k3/8/8/8/8/8/8/4K2R w K - 0 1' }, null, 5]) {
    await assert.rejects(engine.best(position, { depth: 1 }), { code: 'invalid-argument' });
    assert.throws(() => engine.go(position, { depth: 1 }), { code: 'invalid-argument' });
  }
  engine.quit();
});
