import type { ErrorCode } from './errors.js';

/** A message to the worker of an engine. Each has a number of its own, which its answer repeats. */
export type ToWorker =
  | {
      number: number;
      kind: 'start';
      module: WebAssembly.Module;
      /** The number of the last call that must stop; undefined where memory cannot be shared. */
      flag: SharedArrayBuffer | undefined;
      request: Record<string, unknown>;
    }
  | { number: number; kind: 'call'; call: string; request: Record<string, unknown>; file?: Uint8Array };

/** A message from the worker. */
export type FromWorker =
  | { number: number; kind: 'answer'; value: unknown }
  | { number: number; kind: 'report'; value: unknown }
  | { number: number; kind: 'error'; code: ErrorCode; message: string };
