// The searches of the page, seen from its worker: one at a time, in another worker.

import { NETWORKS } from './assets';
import type { FromSearchWorker, ToSearchWorker } from './worker-messages';

/** A search as the module orders it. */
export interface SearchOrder {
  number: number;
  game: string;
  rules: string | null;
  /** For the module in the other worker. */
  search: string;
}

/** Memory that the other worker sees change, where the server of the files allows it. */
function newFlag(): SharedArrayBuffer | undefined {
  return self.crossOriginIsolated && typeof SharedArrayBuffer === 'function' ? new SharedArrayBuffer(4) : undefined;
}

/** The worker of searches. */
export class Searches {
  /** The worker; undefined after it has failed, until the next search. */
  private worker?: Worker;
  /** The games whose networks the worker has got. */
  private sent = new Set<string>();
  private readonly flag = newFlag();
  /** The number of the running search, or 0. */
  private running = 0;
  private readonly networks = new Map<string, Promise<Uint8Array | undefined>>();

  constructor(
    private readonly module: WebAssembly.Module,
    private readonly onMessage: (message: FromSearchWorker) => void,
  ) {
    this.open();
  }

  private open(): Worker {
    const worker = new Worker(new URL('./search-worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<FromSearchWorker>) => {
      if (data.number !== this.running) return;
      if (data.kind !== 'info') this.running = 0;
      this.onMessage(data);
      // A module that has failed is replaced.
      if (data.kind === 'lost') this.replace();
    };
    worker.onerror = (event) => {
      // The next search gets another worker: this one may not even have been loaded.
      worker.terminate();
      if (this.worker === worker) this.worker = undefined;
      const number = this.running;
      this.running = 0;
      if (number > 0) this.onMessage({ kind: 'lost', number, reason: event.message || 'the worker cannot be loaded' });
    };
    worker.postMessage({ kind: 'start', module: this.module, flag: this.flag } satisfies ToSearchWorker);
    this.worker = worker;
    this.sent = new Set();
    return worker;
  }

  private replace(): void {
    this.worker?.terminate();
    this.open();
  }

  /** Stops the search: by the flag, or by the end of the worker, whose table is then lost. */
  stop(): void {
    if (this.running === 0) return;
    if (this.flag) Atomics.store(new Int32Array(this.flag), 0, this.running);
    else this.replace();
    this.running = 0;
  }

  /** Starts a search. */
  async start({ number, game, rules, search }: SearchOrder): Promise<void> {
    this.stop();
    this.running = number;
    const network = await this.network(game);
    // Another search may have been ordered meanwhile.
    if (this.running !== number) return;
    const worker = this.worker ?? this.open();
    const message: ToSearchWorker = { kind: 'search', number, game, rules, search };
    // A network is copied at every message, so the worker gets it once.
    if (network && !this.sent.has(game)) message.network = network;
    if (network) this.sent.add(game);
    worker.postMessage(message);
  }

  /** Returns the network of a game; undefined if it is evaluated by terms, or the file cannot be loaded. */
  private network(game: string): Promise<Uint8Array | undefined> {
    const known = this.networks.get(game);
    if (known) return known;
    const url = NETWORKS[game];
    const load = async () => {
      if (!url) return undefined;
      const response = await fetch(url);
      if (!response.ok) throw new Error(`${response.status}`);
      return new Uint8Array(await response.arrayBuffer());
    };
    const loading = load().catch(() => {
      this.networks.delete(game);
      return undefined;
    });
    this.networks.set(game, loading);
    return loading;
  }
}
