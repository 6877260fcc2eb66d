import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { freePort } from './free-port';
import { StaticServer } from './static-server';
import { DESKTOP, moveCount, openText, playRandomMove, reportMissing, seededRandom, siteFolder, useTestEnvironment } from './test-environment';

// The lines of docs/play/hosting.md, with the programs that are installed here.

const { available, newContext } = useTestEnvironment();

const DOCUMENT = readFileSync(new URL('../../docs/play/hosting.md', import.meta.url), 'utf8');

/** Returns the lines for a host in the document. */
function linesOf(language: string): string {
  const found = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(DOCUMENT)?.[1];
  if (!found?.includes('/srv/alfil-site')) throw new Error(`docs/play/hosting.md has no lines for ${language}`);
  return found;
}

/** Returns the lines for a domain of its own, as the document describes them. */
function atRoot(lines: string, isCaddy: boolean): string {
  const others = lines.trim().split('\n').slice(1);
  if (isCaddy) return others.slice(1, -1).join('\n');
  return others.join('\n').replaceAll(/\/alfil(?![\w-])/g, '');
}

interface Host {
  program: string[];
  language: string;
  arguments(folder: string, port: number, lines: string): string[];
}

const HOSTS: Record<string, Host> = {
  nginx: {
    program: ['/usr/sbin/nginx', '/usr/bin/nginx'],
    language: 'nginx',
    arguments: (folder, port, lines) => {
      const server = `server { listen 127.0.0.1:${port};\n${lines}\n}`;
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`);
      const http = `include /etc/nginx/mime.types; access_log off; ${paths.join(' ')}\n${server}`;
      // A superuser's processes would serve the files as another user.
      const user = process.getuid?.() === 0 ? 'user root;' : '';
      writeFileSync(join(folder, 'conf'), `daemon off; ${user} pid ${folder}/pid; error_log ${folder}/log;\nevents {}\nhttp { ${http} }`);
      return ['-e', `${folder}/log`, '-c', `${folder}/conf`];
    },
  },
  Caddy: {
    program: ['/usr/bin/caddy'],
    language: 'caddy',
    arguments: (folder, port, lines) => {
      const options = `{\nadmin off\nauto_https off\nstorage file_system ${folder}\n}`;
      writeFileSync(join(folder, 'conf'), `${options}\nhttp://127.0.0.1:${port} {\n${lines}\n}\n`);
      return ['run', '--config', `${folder}/conf`, '--adapter', 'caddyfile'];
    },
  },
};

let running: ChildProcess | undefined;
let folder = '';

async function stop(): Promise<void> {
  // A host with a mistake in its configuration has ended already.
  if (running && running.exitCode === null && running.signalCode === null) {
    const ended = new Promise((resolve) => running?.once('exit', resolve));
    running.kill();
    await ended;
  }
  running = undefined;
  if (folder) rmSync(folder, { recursive: true });
  folder = '';
}

afterEach(stop);

/** Starts a host, and returns the address of the page. */
async function start(name: string, path: string): Promise<string | undefined> {
  const host = HOSTS[name];
  const program = host?.program.find((candidate) => existsSync(candidate));
  if (!host || !program) return undefined;
  folder = mkdtempSync(join(tmpdir(), 'alfil-host-'));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const lines = linesOf(host.language);
  const shown = path === '/' ? atRoot(lines, host.language === 'caddy') : lines;
  const adapted = shown.replaceAll('/srv/alfil-site', siteFolder ?? '');
  const environment = { ...process.env, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
  running = spawn(program, host.arguments(folder, port, adapted), { stdio: 'ignore', env: environment });
  const url = `http://127.0.0.1:${port}${path}`;
  await expect.poll(() => fetch(url).then(({ status }) => status, () => 0), { timeout: 20_000 }).toBe(200);
  return url;
}

/** Starts the host of the document for a club. */
async function startPython(): Promise<string> {
  const port = await freePort();
  const options = ['-m', 'http.server', String(port), '--bind', '127.0.0.1', '--directory', siteFolder ?? ''];
  running = spawn('python3', options, { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}/`;
  await expect.poll(() => fetch(url).then(({ status }) => status, () => 0), { timeout: 20_000 }).toBe(200);
  return url;
}

/** Returns the headers of a file for a browser that takes compressed ones. */
function headersOf(url: string): Record<string, string> {
  const encodings = 'Accept-Encoding: gzip, deflate, br';
  const text = execFileSync('curl', ['-s', '-o', '/dev/null', '-D', '-', '-H', encodings, url], { encoding: 'utf8' });
  const lines = text.split('\r\n').filter((line) => line.includes(': '));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]));
}

/** Opens the page, ends the host, and plays a move after the page was loaded again. */
async function playWithoutHost(url: string): Promise<void> {
  const context = await newContext(DESKTOP);
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForSelector('.square.movable');
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await stop();
  await page.reload();
  await page.waitForSelector('.square.movable');
  await playRandomMove(page, seededRandom(3), 2);
  expect(await moveCount(page)).toBe(2);
  await context.close();
}

describe.skipIf(!available || !siteFolder)('hosts of the page', () => {
  for (const name of Object.keys(HOSTS)) {
    for (const path of ['/alfil/', '/']) {
      test(`${name} sends compressed files with the right headers under ${path}, and is not needed then`, async ({ skip }) => {
        const url = await start(name, path);
        if (!url) {
          reportMissing(name, name.toLowerCase());
          return skip(`${name} is not installed`);
        }
        const assets = readdirSync(join(siteFolder ?? '', 'assets'));
        const asset = (pattern: RegExp) => `assets/${assets.find((one) => pattern.test(one))}`;
        const forEver = 'public, max-age=31536000, immutable';
        for (const [file, type, caching] of [
          ['', /^text\/html/, 'no-cache'],
          ['service-worker.js', /^(text|application)\/javascript/, 'no-cache'],
          ['manifest.webmanifest', /./, 'no-cache'],
          ['player/alfil-player.js', /^(text|application)\/javascript/, 'no-cache'],
          [asset(/^index-.*\.js$/), /^(text|application)\/javascript/, forEver],
          [asset(/^page-.*\.wasm$/), /^application\/wasm/, forEver],
          [asset(/^xiangqi-.*\.nnue$/), /./, forEver],
        ] as const) {
          const headers = headersOf(url + file);
          expect([file, headers['cache-control']]).toEqual([file, caching]);
          expect([file, headers['content-encoding']]).toEqual([file, name === 'Caddy' ? 'br' : 'gzip']);
          expect([file, headers.vary]).toEqual([file, 'Accept-Encoding']);
          expect(headers['content-type'] ?? '(none)').toMatch(type);
        }
        if (path !== '/') expect(headersOf(url.slice(0, -1)).location).toMatch(/\/alfil\/$/);
        await playWithoutHost(url);
      });
    }
  }

  test('python3 -m http.server is not needed after the first visit', async () => {
    await playWithoutHost(await startPython());
  });

  test('the content security policies of the page and of the document allow what the page does', async () => {
    const policy = /^Content-Security-Policy: (.*)$/m.exec(DOCUMENT)?.[1] ?? '(none)';
    expect(policy).toContain('frame-ancestors');
    const server = await StaticServer.start(siteFolder ?? '', { 'content-security-policy': policy });
    const context = await newContext(DESKTOP);
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await page.addInitScript(() => {
      addEventListener('securitypolicyviolation', (event) => console.error(`${event.effectiveDirective} blocks ${event.blockedURI}`));
    });
    await page.goto(server.url);
    await page.waitForSelector('.square.movable');
    await playRandomMove(page, seededRandom(3), 2);
    // The picture of a diagram is a data URL.
    // A position that was set up is drawn above its moves.
    await openText(page, '[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4! Kd7 *');
    await expect.poll(() => moveCount(page)).toBe(2);
    await page.getByRole('button', { name: 'Open or share' }).click();
    await page.locator('dialog.share').getByRole('button', { name: 'Print' }).click();
    await page.locator('dialog.print-dialog button.primary:enabled').waitFor();
    await page.emulateMedia({ media: 'print' });
    const widths = () => page.locator('.print-sheet figure img').evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth));
    await expect.poll(async () => (await widths()).map((width) => width > 0)).toEqual([true, true]);
    expect(errors).toEqual([]);
    await context.close();
    await server.close();
  });
});
