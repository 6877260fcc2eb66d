import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Searches } from './searches';
import type { FromSearchWorker, ToSearchWorker } from './worker-messages';

vi.mock('./assets', () => ({ NETWORKS: { othello: 'othello.nnue', xiangqi: 'xiangqi.nnue' } }));

let workers: FakeWorker[];
let messages: FromSearchWorker[];
/** Whether the files of networks can be loaded. */
let canFetch: boolean;

class FakeWorker {
  onmessage?: (event: { data: FromSearchWorker }) => void;
  onerror?: (event: { message: string }) => void;
  received: ToSearchWorker[] = [];
  isTerminated = false;

  constructor() {
    workers.push(this);
  }

  postMessage(message: ToSearchWorker): void {
    this.received.push(message);
  }

  terminate(): void {
    this.isTerminated = true;
  }

  /** Returns the games of the searches, each with whether its network came with it. */
  searches(): [string, boolean][] {
    return this.received.flatMap((one) => (one.kind === 'search' ? [[one.game, one.network !== undefined]] : []));
  }
}

const order = (number: number, game = 'othello') => ({ number, game, rules: null, search: '{}' });
const open = () => new Searches({} as WebAssembly.Module, (message) => messages.push(message));

beforeEach(() => {
  [workers, messages, canFetch] = [[], [], true];
  vi.stubGlobal('Worker', FakeWorker);
  vi.stubGlobal('fetch', () => Promise.resolve({ ok: canFetch, status: 404, arrayBuffer: () => new ArrayBuffer(8) }));
});

afterEach(() => vi.unstubAllGlobals());

test('a worker that cannot be loaded is replaced at the next search, which says that it fails again', async () => {
  const searches = open();
  workers[0]?.onerror?.({ message: '' });
  expect(messages).toEqual([]);
  await searches.start(order(1));
  expect(workers.map((worker) => worker.searches().length)).toEqual([0, 1]);
  workers[1]?.onerror?.({ message: 'no such file' });
  expect(messages).toEqual([{ kind: 'lost', number: 1, reason: 'no such file' }]);
  await searches.start(order(2));
  workers[2]?.onmessage?.({ data: { kind: 'end', number: 2, end: {} } });
  expect(messages.at(-1)).toEqual({ kind: 'end', number: 2, end: {} });
  expect(workers.map((worker) => worker.isTerminated)).toEqual([true, true, false]);
});

test('a worker gets each network once, and another worker gets it again', async () => {
  const searches = open();
  const searchAll = async (games: string[], number: number) => {
    for (const game of games) {
      await searches.start(order(number, game));
      workers.at(-1)?.onmessage?.({ data: { kind: 'end', number: number++, end: {} } });
    }
  };
  await searchAll(['othello', 'othello', 'xiangqi', 'chess', 'othello', 'xiangqi'], 1);
  expect(workers[0]?.searches().map(([, hasNetwork]) => hasNetwork)).toEqual([true, false, true, false, false, false]);
  // Without a flag in shared memory a search is stopped by the end of its worker.
  await searches.start(order(9));
  searches.stop();
  await searchAll(['othello', 'othello'], 10);
  expect(workers[1]?.searches().map(([, hasNetwork]) => hasNetwork)).toEqual([true, false]);
});

test('a network whose file could not be loaded is sent when it can be', async () => {
  const searches = open();
  canFetch = false;
  await searches.start(order(1));
  workers[0]?.onmessage?.({ data: { kind: 'end', number: 1, end: {} } });
  canFetch = true;
  await searches.start(order(2));
  expect(workers[0]?.searches()).toEqual([
    ['othello', false],
    ['othello', true],
  ]);
});
