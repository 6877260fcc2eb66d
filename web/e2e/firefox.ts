// Firefox, driven by its own protocol (Marionette), which needs no other program and no package.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type Socket, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port';

const START_MS = 60_000;

/** What a script takes and returns, as JSON. */
type Json = string | number | boolean | null | undefined | Json[] | { [name: string]: Json };

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A window of Firefox with a profile of its own. */
export class Firefox {
  private nextId = 1;
  private received = Buffer.alloc(0);
  private readonly pending = new Map<number, { resolve(value: Json): void; reject(error: Error): void }>();

  private constructor(
    private readonly browser: ChildProcess,
    /** The folder of the profile, into which files are downloaded. */
    readonly profile: string,
    private readonly socket: Socket,
  ) {
    socket.on('data', (data) => this.onData(data));
  }

  /** Starts the browser at a path, with a window of this size. */
  static async start(path: string, width: number, height: number, language = 'en-GB'): Promise<Firefox> {
    const profile = mkdtempSync(join(tmpdir(), 'alfil-firefox-'));
    const port = await freePort();
    const preferences = {
      'marionette.port': port,
      'intl.accept_languages': language,
      'intl.locale.requested': language,
      'browser.shell.checkDefaultBrowser': false,
      'datareporting.policy.dataSubmissionEnabled': false,
      'network.captive-portal-service.enabled': false,
      // Downloads are saved without a question.
      'browser.download.folderList': 2,
      'browser.download.dir': profile,
      'browser.download.useDownloadDir': true,
    };
    const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`);
    writeFileSync(join(profile, 'user.js'), lines.join('\n'));
    const options = ['--headless', '--marionette', '--no-remote', '--profile', profile, `--width=${width}`, `--height=${height}`];
    const browser = spawn(path, options, { stdio: 'ignore' });
    try {
      const firefox = new Firefox(browser, profile, await connectTo(port));
      await firefox.send('WebDriver:NewSession', { capabilities: { alwaysMatch: {} } });
      await firefox.send('WebDriver:SetWindowRect', { width, height });
      return firefox;
    } catch (error) {
      await endBrowser(browser, profile);
      throw error;
    }
  }

  /** Reads messages: the number of their bytes, a colon and JSON. */
  private onData(data: Buffer): void {
    this.received = Buffer.concat([this.received, data]);
    for (;;) {
      const colon = this.received.indexOf(':');
      const end = colon + 1 + Number(this.received.subarray(0, colon).toString());
      if (colon < 0 || this.received.length < end) return;
      const message = JSON.parse(this.received.subarray(colon + 1, end).toString());
      this.received = this.received.subarray(end);
      // The first message is a greeting.
      if (!Array.isArray(message)) continue;
      const [, id, error, value] = message as [number, number, { error: string; message: string } | null, Json];
      const call = this.pending.get(id);
      this.pending.delete(id);
      if (error) call?.reject(new Error(`${error.error}: ${error.message}`));
      else call?.resolve(value);
    }
  }

  private send(command: string, parameters: Json = {}): Promise<Json> {
    const id = this.nextId++;
    const text = JSON.stringify([0, id, command, parameters]);
    this.socket.write(`${Buffer.byteLength(text)}:${text}`);
    return new Promise((resolve, reject) => this.pending.set(id, { resolve, reject }));
  }

  async resize(width: number, height: number): Promise<void> {
    await this.send('WebDriver:SetWindowRect', { width, height });
  }

  async goto(url: string): Promise<void> {
    await this.send('WebDriver:Navigate', { url });
  }

  /** Loads the page again. The command of the protocol would load it past the service worker. */
  async reload(): Promise<void> {
    await this.evaluate(() => {
      Object.assign(window, { isOld: true });
      setTimeout(() => location.reload());
    });
    // While the page changes, no function can be run.
    const isNew = () => this.evaluate(() => !('isOld' in window) && document.readyState === 'complete').catch(() => false);
    const end = Date.now() + START_MS;
    while (!(await isNew())) {
      if (Date.now() > end) throw new Error('the page was not loaded again');
      await pause(50);
    }
  }

  /** Runs a function in the page. */
  async evaluate<A extends Json[], T>(work: (...given: A) => T | Promise<T>, ...given: A): Promise<T> {
    const script = `const [given, done] = arguments; Promise.resolve().then(() => (${work})(...given)).then(
      (value) => done({ value }), (error) => done({ error: String(error) }));`;
    const args = { script, args: [given], newSandbox: false, sandbox: null };
    const result = (await this.send('WebDriver:ExecuteAsyncScript', args)) as { value: { value?: T; error?: string } };
    if (result.value.error !== undefined) throw new Error(result.value.error);
    return result.value.value as T;
  }

  /** Waits until a function in the page returns something, and returns it. */
  async waitFor<A extends Json[], T>(work: (...given: A) => T | Promise<T>, ...given: A): Promise<NonNullable<T>> {
    const end = Date.now() + START_MS;
    for (;;) {
      const value = await this.evaluate(work, ...given);
      if (value) return value;
      if (Date.now() > end) throw new Error(`the page has not come to: ${work} (${given.join(', ')})`);
      await pause(50);
    }
  }

  /** Clicks at a point of the window with the mouse. */
  async clickAt(x: number, y: number): Promise<void> {
    const move = { type: 'pointerMove', duration: 0, x: Math.round(x), y: Math.round(y), origin: 'viewport' };
    const actions = [move, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }];
    const pointer = { type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions };
    await this.send('WebDriver:PerformActions', { actions: [pointer] });
  }

  /** Presses a key. */
  async press(key: string): Promise<void> {
    const actions = [{ type: 'keyDown', value: key }, { type: 'keyUp', value: key }];
    await this.send('WebDriver:PerformActions', { actions: [{ type: 'key', id: 'keys', actions }] });
  }

  /** Takes a picture of the window. */
  async screenshot(path: string): Promise<void> {
    const { value } = (await this.send('WebDriver:TakeScreenshot', { full: false })) as { value: string };
    writeFileSync(path, Buffer.from(value, 'base64'));
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.browser.once('exit', resolve));
    await Promise.race([this.send('Marionette:Quit', { flags: ['eForceQuit'] }).catch(() => {}), pause(5000)]);
    await Promise.race([ended, pause(5000)]);
    this.socket.destroy();
    await endBrowser(this.browser, this.profile);
  }
}

/** Ends a browser that may have ended already, and removes its profile. */
async function endBrowser(browser: ChildProcess, profile: string): Promise<void> {
  if (browser.pid !== undefined && browser.exitCode === null && browser.signalCode === null) {
    const ended = new Promise((resolve) => browser.once('exit', resolve));
    browser.kill('SIGKILL');
    await ended;
  }
  rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

/** Connects to the browser, as soon as it listens. */
async function connectTo(port: number): Promise<Socket> {
  const end = Date.now() + START_MS;
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
    if (isOpen) return socket;
    if (Date.now() > end) throw new Error('Firefox does not answer');
    await pause(100);
  }
}
