// The worker of an engine: a module of its own, which searches while the page goes on.

import { AlfilError } from './errors.js';
import { Instance, type SearchHost } from './instance.js';
import { importOfNode, isNode } from './platform.js';
import type { FromWorker, ToWorker } from './worker-messages.js';

interface Port {
  postMessage(message: FromWorker): void;
}

const instance = new Instance();
let stopped: Int32Array | undefined;

async function answer(message: ToWorker, port: Port): Promise<void> {
  const { number } = message;
  try {
    if (message.kind === 'start') {
      stopped = message.flag && new Int32Array(message.flag);
      await instance.init(message.module);
      port.postMessage({ number, kind: 'answer', value: instance.call('engine.new', message.request) });
      return;
    }
    const host: SearchHost = {
      // The flag holds the number of the last call that must stop.
      isStopped: () => stopped !== undefined && Atomics.load(stopped, 0) >= number,
      report: (value) => port.postMessage({ number, kind: 'report', value }),
    };
    const value = instance.call(message.call, message.request, message.file, host);
    port.postMessage({ number, kind: 'answer', value });
  } catch (error) {
    const code = error instanceof AlfilError ? error.code : 'internal';
    port.postMessage({ number, kind: 'error', code, message: error instanceof Error ? error.message : String(error) });
  }
}

// There is no `await` here: bundlers may make a plain script of this file.
if (isNode) {
  void importOfNode('worker_threads').then(({ parentPort }) => {
    parentPort.on('message', (message: ToWorker) => answer(message, parentPort));
  });
} else {
  const port = self as unknown as Port;
  self.onmessage = (event: MessageEvent<ToWorker>) => answer(event.data, port);
}
