// The packed tarball, installed into an empty folder: in Node, with TypeScript, and in an application built by Vite.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { build, createServer } from 'vite';

import { checkResult, findBrowser, resultOfPage, SCRIPT, serve } from './chromium.mjs';
import { ROOT } from './support.mjs';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'alfil-package-')));
after(() => rmSync(folder, { recursive: true, force: true }));

function runIn(cwd, program, ...rest) {
  const { status, stdout, stderr } = spawnSync(program, rest, { cwd, encoding: 'utf8' });
  assert.equal(status, 0, `${program} ${rest.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

const write = (name, content) => writeFileSync(join(folder, name), content);

runIn(PACKAGE, 'npm', 'pack', '--silent', '--pack-destination', folder);
const [tarball] = readdirSync(folder);
write('package.json', '{ "type": "module", "private": true }');
runIn(folder, 'npm', 'install', '--silent', '--offline', '--no-audit', '--no-fund', `./${tarball}`);

test('the tarball has what it needs, and nothing else', () => {
  const names = runIn(folder, 'tar', '-tzf', tarball).trim().split('\n').map((name) => name.replace('package/', ''));
  for (const name of ['LICENSE-APACHE', 'LICENSE-MIT', 'NOTICE', 'README.md', 'dist/index.d.ts', 'dist/networks/chess.nnue', 'dist/networks/othello.nnue', 'dist/networks/xiangqi.nnue']) {
    assert.ok(names.includes(name), name);
  }
  assert.deepEqual(names.filter((name) => !/^(dist\/|LICENSE|NOTICE|README|package\.json)/.test(name)), []);
});

test('Node', () => {
  write('main.js', `
    import { Engine, init, Xiangqi } from 'alfil';
    import * as rules from 'alfil/othello';
    await Promise.all([init(), rules.init()]);
    const board = new Xiangqi();
    board.move('炮二平五');
    const engine = await Engine.start({ game: 'xiangqi' });
    const move = await engine.best(board, { depth: 5 });
    console.log(board.isLegal(move), new rules.Othello().moves().length);
  `);
  assert.equal(runIn(folder, process.execPath, 'main.js').trim(), 'true 4');
});

test('the lines of the README, in a project that has nothing else', () => {
  const readme = readFileSync(new URL('README.md', ROOT), 'utf8');
  const [, lines, program] = /\*\*JavaScript\*\*.*?^```sh\n(.*?)^```.*?^```js\n(.*?)^```/ms.exec(readme);
  const [target, build, ...install] = lines.trim().split('\n');
  // The compiler and the build are those of this test.
  assert.match(target, /^rustup target add wasm32-unknown-unknown /);
  assert.match(build, /^cargo xtask wasm --build /);
  assert.match(install.join('\n'), /^\(cd apps\/wasm && npm pack\)[^]*\nmkdir -p [^]* npm install /);
  const workspace = join(folder, 'fresh/alfil');
  const isSource = (path) => !/\/(node_modules|src|tests)$|\.tgz$/.test(path);
  cpSync(PACKAGE, join(workspace, 'apps/wasm'), { recursive: true, filter: isSource });
  runIn(workspace, 'sh', '-e', '-c', install.join('\n'));
  writeFileSync(join(folder, 'fresh/my-project/main.mjs'), program);
  const fen = runIn(join(folder, 'fresh/my-project'), process.execPath, 'main.mjs').trim();
  assert.equal(fen, 'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1');
});

test('TypeScript, by the two ways in which it finds modules', () => {
  write('types.ts', `
    import { AlfilError, type BoardTarget, Chess, Engine, type Move, type Report, init, readGames, targetsOf } from 'alfil';
    import { Xiangqi } from 'alfil/xiangqi';
    export async function main(): Promise<string> {
      await init();
      const chess: Chess = new Chess();
      const moves: string[] = chess.moves();
      const verbose: Move[] = chess.moves({ verbose: true });
      const engine = await Engine.start({ game: 'chess', hash: 16 });
      const reports: Report[] = [];
      for await (const report of engine.go(chess, { depth: 3 })) reports.push(report);
      const piece = chess.get('e2')?.color;
      const games = [...readGames(new Uint8Array(), { game: 'chess' })].map((game) => game.nodes());
      try { chess.move('e5'); } catch (error) { if (error instanceof AlfilError && error.code === 'illegal-move') return error.message; }
      // @ts-expect-error there is no such game
      await Engine.start({ game: 'go' });
      const targets: BoardTarget[] = targetsOf(chess);
      const rights: boolean = chess.getCastlingRights('w').k && chess.put({ type: 'p', color: 'w' }, 'e4') && targets.length > 0;
      // @ts-expect-error there is no such option
      chess.moves({ sqare: 'e2' });
      // @ts-expect-error a piece has a color
      chess.put({ type: 'p' }, 'e4');
      // @ts-expect-error a move is no number
      chess.move(5);
      return String([moves, verbose, piece, games, rights, new Xiangqi().ruling().plies[0]?.moveClass]);
    }
  `);
  const tsc = join(PACKAGE, 'node_modules/typescript/bin/tsc');
  for (const resolution of [['bundler', 'ES2022'], ['nodenext', 'NodeNext']]) {
    const [how, module] = resolution;
    const flags = ['--noEmit', '--strict', '--target', 'ES2022', '--moduleResolution', how, '--module', module];
    runIn(folder, process.execPath, tsc, ...flags, '--lib', 'ES2022,DOM', 'types.ts');
  }
});

const browser = findBrowser();
const application = () => {
  write('index.html', '<!doctype html><script type="module" src="./app.js"></script>');
  write('app.js', `import * as alfil from 'alfil';\nimport * as rules from 'alfil/chess';\n${SCRIPT}`);
};

test('an application built by Vite', { skip: !browser }, async () => {
  application();
  await build({ root: folder, logLevel: 'error', build: { outDir: 'built' }, configFile: false });
  const server = await serve(pathToFileURL(`${folder}/built/`));
  try {
    checkResult(assert, await resultOfPage(browser, server.url), false);
  } finally {
    await server.close();
  }
});

test('the development server of Vite', { skip: !browser }, async () => {
  application();
  const server = await createServer({
    root: folder,
    logLevel: 'error',
    configFile: false,
    optimizeDeps: { exclude: ['alfil'] },
    server: { host: '127.0.0.1', port: 0 },
  });
  await server.listen();
  try {
    checkResult(assert, await resultOfPage(browser, server.resolvedUrls.local[0]), false);
  } finally {
    await server.close();
  }
});
