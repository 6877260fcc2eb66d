// The worker of searches: a module of its own, which searches while the worker of the page answers.

import { Instance, type SearchHost } from '../../../apps/wasm/js/instance';
import type { FromSearchWorker, ToSearchWorker } from './worker-messages';

const instance = new Instance();
type SearchMessage = ToSearchWorker & { kind: 'search' };

/** The engine of the last search. A search in the same game goes on with its table. */
let engine: { game: string; rules: string | null; id: number; hasNetwork: boolean } | undefined;
/** The networks that were received, by their games. */
const networks = new Map<string, Uint8Array>();
let stopped: Int32Array | undefined;
let started: Promise<void> | undefined;

function post(message: FromSearchWorker): void {
  postMessage(message);
}

/** The size of the table, in MiB: that of the server. */
const HASH_MIB = 32;

async function search({ number, game, rules, search, network: received }: SearchMessage): Promise<void> {
  if (received) networks.set(game, received);
  const network = networks.get(game);
  const hasNetwork = network !== undefined;
  // A network that came late needs another engine: the scores in the table are those of the terms.
  if (engine && (engine.game !== game || engine.rules !== rules || engine.hasNetwork !== hasNetwork)) {
    instance.call('module.dispose', { text: 'engine', id: engine.id });
    engine = undefined;
  }
  if (!engine) {
    const id = instance.call('engine.new', { game, rules: rules ?? undefined, hash: HASH_MIB });
    if (network) instance.call('engine.setNetwork', { id }, network);
    engine = { game, rules, id, hasNetwork };
  }
  const host: SearchHost = {
    // The flag holds the number of the last search that must stop.
    isStopped: () => stopped !== undefined && Atomics.load(stopped, 0) >= number,
    report: (info) => post({ kind: 'info', number, info }),
  };
  const end = instance.call('engine.pageSearch', { id: engine.id }, new TextEncoder().encode(search), host);
  post({ kind: 'end', number, end });
}

self.onmessage = async ({ data }: MessageEvent<ToSearchWorker>) => {
  if (data.kind === 'start') {
    stopped = data.flag && new Int32Array(data.flag);
    started = instance.init(data.module);
    return;
  }
  try {
    await started;
    await search(data);
  } catch (error) {
    post({ kind: 'lost', number: data.number, reason: error instanceof Error ? error.message : String(error) });
  }
};
