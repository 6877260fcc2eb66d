import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ReplyLease } from './reply-lease';

/** The locks of a browser: the requests for each name, of which the first has the lock. */
class FakeLocks {
  private readonly queues = new Map<string, (() => void)[]>();

  request(name: string, { signal }: { signal: AbortSignal }, hold: () => Promise<void>): Promise<void> {
    const queue = this.queues.get(name) ?? [];
    this.queues.set(name, queue);
    return new Promise((resolve, reject) => {
      const run = () => void hold().then(() => {
        queue.shift();
        queue[0]?.();
        resolve();
      });
      queue.push(run);
      if (queue.length === 1) return run();
      signal.addEventListener('abort', () => {
        if (queue[0] === run || !queue.includes(run)) return;
        queue.splice(queue.indexOf(run), 1);
        reject(new Error('aborted'));
      });
    });
  }
}

let granted: string[];
/** Returns the lease of a window. */
const lease = (window: string) => new ReplyLease((game) => granted.push(`${window} ${game}`));
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

beforeEach(() => {
  granted = [];
  vi.stubGlobal('navigator', { locks: new FakeLocks() });
});

afterEach(() => vi.unstubAllGlobals());

test('one window has the lease on a game, and the next one gets it when it is given back', async () => {
  const [one, two, three] = [lease('one'), lease('two'), lease('three')];
  for (const window of [one, two, three]) window.want('a');
  one.want('a');
  lease('four').want('b');
  expect(granted).toEqual(['one a', 'four b']);
  // The second window has got the reply of the first, and needs no lease any more.
  two.want(null);
  one.want(null);
  await settle();
  expect(granted).toEqual(['one a', 'four b', 'three a']);
  one.want('a');
  three.want('c');
  await settle();
  expect(granted.slice(3)).toEqual(['three c', 'one a']);
});

test('in a browser without locks each window has the lease', () => {
  vi.stubGlobal('navigator', {});
  lease('one').want('a');
  lease('two').want('a');
  expect(granted).toEqual(['one a', 'two a']);
});
