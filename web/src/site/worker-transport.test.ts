import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FromPageWorker, ToPageWorker } from './worker-messages';
import { WorkerTransport } from './worker-transport';

/** A worker that the test plays. */
class FakeWorker {
  static all: FakeWorker[] = [];
  onmessage?: (event: { data: FromPageWorker }) => void;
  readonly received: ToPageWorker[] = [];

  constructor() {
    FakeWorker.all.push(this);
  }

  postMessage(message: ToPageWorker): void {
    this.received.push(message);
  }

  terminate(): void {}

  send(data: FromPageWorker): void {
    this.onmessage?.({ data });
  }
}

const ready: FromPageWorker = { kind: 'ready', module: {} as WebAssembly.Module };
const current = () => FakeWorker.all.at(-1) as FakeWorker;

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  FakeWorker.all = [];
});

afterEach(() => vi.useRealTimers());

function open() {
  const listener = { onEvent: vi.fn(), onError: vi.fn(), onConnectionChange: vi.fn() };
  const transport = new WorkerTransport(listener, () => new FakeWorker() as unknown as Worker);
  return { transport, listener };
}

test('a worker that fails at each request is started again after longer and longer times', async () => {
  const { transport } = open();
  const delays: number[] = [];
  for (let round = 0; round < 4; round++) {
    current().send(ready);
    transport.request({ do: 'games' }).catch(() => {});
    const [worker, start] = [current(), Date.now()];
    worker.send({ kind: 'failed', reason: 'full' });
    while (current() === worker) await vi.advanceTimersByTimeAsync(10);
    delays.push(Date.now() - start);
  }
  expect(delays.every((delay, index) => index === 0 || delay > (delays[index - 1] ?? 0))).toBe(true);
  // After an answer the times are short again.
  current().send(ready);
  const answered = transport.request({ do: 'games' });
  const { id } = current().received.at(-1) as ToPageWorker & { kind: 'request' };
  current().send({ kind: 'messages', messages: [{ id } as never], saved: false });
  await answered;
  const [worker, start] = [current(), Date.now()];
  worker.send({ kind: 'failed', reason: 'full' });
  while (current() === worker) await vi.advanceTimersByTimeAsync(10);
  expect(Date.now() - start).toBe(delays[0]);
});
