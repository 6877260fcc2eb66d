// Measures a search in Node beside the program, on one thread with a new table: the same depth from the start position,
// the same evaluation, and hence the same nodes, in alternating runs.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { Engine, init } from 'alfil';

const program = process.env.ALFIL_BIN ?? fileURLToPath(new URL('../../../target/release/alfil', import.meta.url));
const RUNS = 7;
const HASH = 64;
const DEPTHS = { xiangqi: 16, chess: 16, othello: 14 };

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** The program as an engine by UCI. */
class Program {
  constructor(game) {
    this.process = spawn(program, ['engine', '--game', game], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
  }

  send(...commands) {
    this.process.stdin.write(`${commands.join('\n')}\n`);
  }

  /** Returns the lines up to the first that begins so. */
  async until(start) {
    const lines = [];
    for (;;) {
      const { value, done } = await this.lines.next();
      if (done) throw new Error(`the program ended before it wrote ${start}`);
      lines.push(value);
      if (value.startsWith(start)) return lines;
    }
  }

  async open() {
    this.send('uci', 'setoption name Threads value 1', `setoption name Hash value ${HASH}`);
    await this.until('uciok');
  }

  async search(depth) {
    this.send('ucinewgame', 'position startpos', 'isready');
    await this.until('readyok');
    const start = performance.now();
    this.send(`go depth ${depth}`);
    const lines = await this.until('bestmove');
    const milliseconds = performance.now() - start;
    const reports = lines.map((line) => / nodes (\d+) /.exec(line)).filter(Boolean);
    return { nodes: Number(reports.at(-1)[1]), milliseconds };
  }
}

async function searchHere(engine, depth) {
  await engine.clear();
  const start = performance.now();
  const { report } = await engine.go({}, { depth }).result;
  return { nodes: report.nodes, milliseconds: performance.now() - start };
}

await init();
console.log(`${'game'.padEnd(10)} ${'nodes'.padStart(8)} ${'native'.padStart(12)} ${'wasm'.padStart(12)}  ratio`);
for (const [game, depth] of Object.entries(DEPTHS)) {
  const native = new Program(game);
  await native.open();
  const engine = await Engine.start({ game, hash: HASH });
  await searchHere(engine, depth);
  const speeds = { native: [], wasm: [], ratio: [] };
  let nodes = 0;
  for (let run = 0; run < RUNS; run += 1) {
    const there = await native.search(depth);
    const here = await searchHere(engine, depth);
    if (there.nodes !== here.nodes) throw new Error(`${game}: ${here.nodes} nodes here, ${there.nodes} in the program`);
    nodes = here.nodes;
    speeds.native.push((1000 * nodes) / there.milliseconds);
    speeds.wasm.push((1000 * nodes) / here.milliseconds);
    speeds.ratio.push(there.milliseconds / here.milliseconds);
  }
  native.send('quit');
  engine.quit();
  const perSecond = (values) => `${Math.round(median(values))}/s`.padStart(12);
  const percent = (100 * median(speeds.ratio)).toFixed(0);
  console.log(
    `${game.padEnd(10)} ${String(nodes).padStart(8)} ${perSecond(speeds.native)} ${perSecond(speeds.wasm)}  ${percent} %`,
  );
}
