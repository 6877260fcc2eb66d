import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { StoreChanges } from './game-database';
import type { FromPageWorker, FromSearchWorker, ToPageWorker } from './worker-messages';

// The module, the database and the worker of searches are mocked.

type Row = { id: string; revision: number; deleted?: number; edits?: unknown; blocks?: unknown[] };

const NO_CHANGES: StoreChanges = { games: [], collections: [], removed: [], removed_collections: [] };
const changed = (...rows: Row[]): StoreChanges => ({ ...NO_CHANGES, games: rows.map((row) => ({ row, blocks: {} })) });
/** What the module returns from a call; `flag` is the number of milliseconds until a flag falls. */
const output = (fields: object) => ({ messages: [], changes: NO_CHANGES, search: null, open: ['abc', 1], flag: null, ...fields });

const fakes = vi.hoisted(() => ({
  /** What the module answers by the names of its calls. */
  answers: {} as Record<string, (text: string, number: number) => unknown>,
  calls: [] as [name: string, text: string][],
  rows: new Map<string, Row>(),
  isFull: false,
  /** Whether a full disk is noticed when a transaction ends. */
  isFullAtEnd: false,
  openDatabase: undefined as undefined | (() => Promise<unknown>),
  stops: 0,
  report: undefined as undefined | ((message: unknown) => void),
}));

vi.mock('./assets', () => ({ MODULE: 'page.wasm', NETWORKS: {} }));

vi.mock('./searches', () => ({
  Searches: class {
    constructor(_module: unknown, report: (message: unknown) => void) {
      fakes.report = report;
    }
    stop(): void {
      fakes.stops++;
    }
    start(): Promise<void> {
      return Promise.resolve();
    }
  },
}));

vi.mock('../../../apps/wasm/js/instance', () => ({
  Instance: class {
    readonly module = {};
    init(): Promise<void> {
      return Promise.resolve();
    }
    call(name: string, { number }: { number: number }, bytes: Uint8Array): unknown {
      const text = new TextDecoder().decode(bytes);
      fakes.calls.push([name.replace('page.', ''), text]);
      return fakes.answers[name.replace('page.', '')]?.(text, number);
    }
  },
}));

vi.mock('./game-database', async (original) => ({
  ...(await original<object>()),
  GameDatabase: { open: () => fakes.openDatabase?.() },
}));

/** A database that keeps the rows of games. */
const database = {
  read: <T>(work: (access: object) => Promise<T>) => work(accessTo(fakes.rows)),
  change: async <T>(work: (access: object) => Promise<T>) => {
    const rows = new Map(fakes.rows);
    const value = await work(accessTo(rows));
    if (fakes.isFullAtEnd && rows.get('stale')?.revision === 2) throw new DOMException('full', 'QuotaExceededError');
    fakes.rows = rows;
    return value;
  },
};

function accessTo(rows: Map<string, Row>) {
  return {
    row: (id: string) => Promise.resolve(rows.get(id)),
    rows: () => Promise.resolve([...rows.values()]),
    blocks: (id: string) => Promise.resolve(rows.get(id)?.blocks ?? []),
    positionsOf: () => Promise.resolve(undefined),
    collections: () => Promise.resolve([]),
    collection: () => Promise.resolve(undefined),
    remove: (id: string) => rows.delete(id),
    apply: ({ games }: StoreChanges) => {
      if (fakes.isFull && games.length > 0) throw new DOMException('full', 'QuotaExceededError');
      for (const { row, blocks } of games) rows.set(row.id, { ...row, blocks: Object.values(blocks) });
    },
  };
}

let posted: FromPageWorker[];

/** Returns the responses and events that were posted since the last call, each as its id or its name, and its error. */
function messages(): unknown[] {
  const all = posted.splice(0).flatMap((one) => (one.kind === 'messages' ? one.messages : []));
  return all.map((one) => ('event' in one ? one.event : one.error === undefined ? one.id : [one.id, one.error.slice(0, 35)]));
}

/** Waits until the worker has done everything. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 20));

async function send(data: ToPageWorker): Promise<void> {
  self.onmessage?.({ data } as MessageEvent);
  await settle();
}

async function onSearch(message: FromSearchWorker): Promise<void> {
  fakes.report?.(message);
  await settle();
}

const request = (id: number) => send({ kind: 'request', id, text: JSON.stringify({ id }) });
const FULL = 'the browser has no more space for g';

beforeEach(async () => {
  posted = [];
  Object.assign(fakes, { calls: [], rows: new Map(), isFull: false, isFullAtEnd: false, stops: 0, openDatabase: () => Promise.resolve(database) });
  fakes.answers = {
    needs: () => ({ games: [], rows: false, library: false }),
    changed: () => output({}),
    contains: (text: string) => {
      const [whole, part] = (JSON.parse(text) as { blocks: string[] }[]).map(({ blocks }) => blocks.join(''));
      return part !== undefined && Boolean(whole?.includes(part));
    },
    text: () => output({}),
    lost: (text: string, id: number) =>
      output({ messages: [{ event: 'changed', id: 0 }, { id, error: (JSON.parse(text) as { message: string }).message }] }),
  };
  vi.stubGlobal('postMessage', (message: FromPageWorker) => posted.push(message));
  vi.stubGlobal('BroadcastChannel', class {
    postMessage(): void {}
  });
  vi.resetModules();
  await import('./page-worker');
});

afterEach(() => {
  self.onmessage = null;
  vi.unstubAllGlobals();
});

/** Starts the worker with an open game that is in the database. */
async function start(): Promise<void> {
  await send({ kind: 'start' });
  fakes.rows.set('abc', { id: 'abc', revision: 1 });
  await request(1);
  expect(posted.splice(0)[0]?.kind).toBe('ready');
}

test('a request whose answer cannot be saved gets the error, and so does the request whose search it has stopped', async () => {
  await start();
  fakes.isFull = true;
  fakes.answers.search = () => output({ messages: [{ event: 'thought' }, { id: 7 }], changes: changed({ id: 'abc', revision: 2 }) });
  await onSearch({ kind: 'end', number: 1, end: {} });
  expect(messages()).toEqual(['changed', [7, FULL]]);
  fakes.answers.text = () => output({ messages: [{ id: 8 }, { id: 9 }], changes: changed({ id: 'abc', revision: 2 }), search: 'stop' });
  await request(9);
  expect(messages()).toEqual(['changed', [9, FULL], [8, FULL]]);
  // The module has dropped the search that request 9 has stopped.
  expect(fakes.stops).toBe(1);
  fakes.answers.search = () => output({ messages: [{ event: 'changed' }], changes: changed({ id: 'abc', revision: 2 }) });
  await onSearch({ kind: 'info', number: 1, info: {} });
  expect(messages()).toEqual(['changed', [0, FULL]]);
  expect(fakes.rows.get('abc')?.revision).toBe(1);
});

test('a flag fall is not written over what another window has saved meanwhile', async () => {
  // An info message changes a game only if a flag has fallen.
  await start();
  fakes.answers.search = () => {
    // The other window saves the game before the transaction of this one begins.
    fakes.rows.set('abc', { id: 'abc', revision: 2 });
    return output({ messages: [{ id: 5 }, { event: 'changed' }], changes: changed({ id: 'abc', revision: 2 }), open: ['abc', 2], search: 'stop' });
  };
  fakes.calls = [];
  await onSearch({ kind: 'info', number: 1, info: {} });
  expect(messages()).toEqual(['changed', [5, 'the game was changed in another win']]);
  expect(fakes.calls.map(([name]) => name)).toEqual(['search', 'put', 'lost']);
  // Without another window it is written.
  fakes.rows.set('abc', { id: 'abc', revision: 1 });
  fakes.answers.search = () => output({ messages: [{ event: 'changed' }], changes: changed({ id: 'abc', revision: 2 }) });
  await onSearch({ kind: 'info', number: 1, info: {} });
  expect([messages(), fakes.rows.get('abc')?.revision]).toEqual([['changed'], 2]);
});

test.each([
  ['opened', () => Promise.reject(new Error('denied'))],
  ['read', () => Promise.resolve({ read: () => Promise.reject(new Error('denied')) })],
])('a database that cannot be %s leaves a page that answers and says that it cannot save', async (_name, open) => {
  fakes.openDatabase = open;
  await send({ kind: 'start' });
  expect(posted.splice(0).map(({ kind }) => kind)).toEqual(['ready']);
  fakes.answers.text = () => output({ messages: [{ id: 2 }], open: null });
  await request(2);
  expect(messages()).toEqual([2]);
  fakes.answers.text = () => output({ messages: [{ id: 3 }], changes: changed({ id: 'abc', revision: 1 }) });
  await request(3);
  expect(messages()).toEqual(['changed', [3, 'the browser cannot save games here,']]);
  await send({ kind: 'load', id: 4, text: '{"format":"alfil-games","version":1,"games":[]}' });
  expect(posted[0]).toMatchObject({ kind: 'done', id: 4, error: { message: expect.stringContaining('cannot save games here') } });
});

test('the games of a file that were added are counted', async () => {
  await start();
  fakes.rows.set('newer', { id: 'newer', revision: 5 });
  const games = ['newer', 'other'].map((id) => ({ row: { id, revision: 3 }, blocks: [] }));
  await send({ kind: 'load', id: 2, text: JSON.stringify({ format: 'alfil-games', version: 1, games }) });
  expect(posted[0]).toMatchObject({ kind: 'done', id: 2, count: 1 });
  expect([...fakes.rows.values()].map(({ id, revision }) => [id, revision])).toEqual([['abc', 1], ['newer', 5], ['other', 3]]);
});

test('a game that has diverged in a file and here is kept twice, but not once more on a second load', async () => {
  await start();
  const game = (id: string, revision: number, ...blocks: string[]) => ({ row: { id, revision }, blocks });
  const here = { one: ['e4', 'e5'], two: ['e4'], three: ['e4', 'e5'] };
  for (const [id, blocks] of Object.entries(here)) fakes.rows.set(id, { id, revision: 2, blocks });
  // In the file, the first game has fewer moves than here, the second more, and the third a different one.
  const games = [game('one', 9, 'e4'), game('two', 1, 'e4', 'c5'), game('three', 9, 'e4', 'c5')];
  const file = JSON.stringify({ format: 'alfil-games', version: 1, games });
  for (const count of [2, 0]) {
    await send({ kind: 'load', id: 2, text: file });
    expect(posted.pop()).toMatchObject({ kind: 'done', id: 2, count });
    const saved = [...fakes.rows.values()].map(({ id, revision, blocks = [] }) => `${id} ${revision} ${blocks.join(' ')}`);
    expect(saved.slice(1).sort()).toEqual(['one 2 e4 e5', 'three 2 e4 e5', 'threex2 9 e4 c5', 'two 3 e4 c5']);
  }
});

test('a game of a file that gets the id of another game of the file does not replace it', async () => {
  await start();
  fakes.rows.set('g', { id: 'g', revision: 2, blocks: ['e4', 'e5'] });
  const games = [
    { row: { id: 'g', revision: 3 }, blocks: ['e4', 'c5', 'Nf3'] },
    { row: { id: 'gx2', revision: 1 }, blocks: ['d4'] },
  ];
  const file = JSON.stringify({ format: 'alfil-games', version: 1, games });
  for (const count of [2, 0]) {
    await send({ kind: 'load', id: 2, text: file });
    expect(posted.pop()).toMatchObject({ kind: 'done', id: 2, count });
    const saved = [...fakes.rows.values()].map(({ id, blocks = [] }) => `${id} ${blocks.join(' ')}`);
    expect(saved.slice(1).sort()).toEqual(['g e4 e5', 'gx2 e4 c5 Nf3', 'gx2x2 d4']);
  }
});

test('a file has no edit histories: they contain what was deleted', async () => {
  await start();
  const edits = { revision: 2, done: [{ kind: 'comment' }] };
  fakes.rows.set('abc', { id: 'abc', revision: 2, edits });
  await send({ kind: 'save', id: 2 });
  const saved = posted.pop();
  if (saved?.kind !== 'done' || saved.text === undefined) throw new Error('no file');
  expect(JSON.parse(saved.text)).toMatchObject({ games: [{ row: { id: 'abc', revision: 2 } }] });
  expect(saved.text).not.toContain('edits');
  // Files of former versions have them.
  const games = [{ row: { id: 'old', revision: 2, edits }, blocks: [] }];
  await send({ kind: 'load', id: 3, text: JSON.stringify({ format: 'alfil-games', version: 2, games }) });
  expect(fakes.rows.get('old')).toEqual({ id: 'old', revision: 2, blocks: [] });
});

test.each(['isFull', 'isFullAtEnd'] as const)('a list is answered although its summaries cannot be saved (%s)', async (kind) => {
  await start();
  fakes.rows.set('stale', { id: 'stale', revision: 1 });
  let isStale = true;
  fakes.answers.needs = () => ({ games: [], rows: false, library: true });
  fakes.answers.stale = () => ({ moves: isStale ? ['stale'] : [], positions: false });
  fakes.answers.refresh = () => {
    isStale = false;
    return changed({ id: 'stale', revision: 2 });
  };
  let answers = 0;
  fakes.answers.text = () => {
    answers++;
    return output({ messages: [{ id: 2 }] });
  };
  fakes[kind] = true;
  await request(2);
  expect([posted.map(({ kind: one }) => one), messages(), answers]).toEqual([['messages'], [2], 1]);
  expect(fakes.rows.get('stale')?.revision).toBe(1);
});

test('a file that the module cannot read is refused as a whole', async () => {
  await start();
  fakes.answers.check = () => ({ game: 1 });
  const games = ['one', 'two'].map((id) => ({ row: { id, revision: 3 }, blocks: [] }));
  await send({ kind: 'load', id: 2, text: JSON.stringify({ format: 'alfil-games', version: 1, games }) });
  expect(posted[0]).toMatchObject({ error: { message: 'game 2 of this file is damaged; nothing was read' } });
  expect([...fakes.rows.keys()]).toEqual(['abc']);
});

test('games of the database that cannot be read are left out, and reported once', async () => {
  await start();
  fakes.answers.put = () => 2;
  fakes.answers.needs = () => ({ games: [{ id: 'abc', revision: 0, needsMoves: true }], rows: true, library: false });
  fakes.answers.text = () => output({ messages: [{ id: 2 }] });
  fakes.answers.purge = () => NO_CHANGES;
  await request(2);
  expect(messages()).toEqual([[0, 'games and collections that are dama'], 2]);
});
