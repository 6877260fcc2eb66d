import type { ServerEvent, ServerResponse } from '../wire/types';

/** A message of the page to its worker. */
export type ToPageWorker =
  /** The first message, with the module if the page has it from an earlier worker. */
  | { kind: 'start'; module?: WebAssembly.Module }
  /** A request of `protocol.ts` as JSON, with its id. */
  | { kind: 'request'; id: number; text: string }
  /** Requests that the page has answered itself, and the id that it has given to the new game. */
  | { kind: 'begin'; requests: string[]; game: string }
  /** All games are wanted as one file. */
  | { kind: 'save'; id: number }
  /** A file of all games. */
  | { kind: 'load'; id: number; text: string };

/** A message of the worker to its page. */
export type FromPageWorker =
  /** Requests can be sent. */
  | { kind: 'ready'; module: WebAssembly.Module }
  /** Responses and events, and whether games have been written to the database. */
  | { kind: 'messages'; messages: (ServerResponse | ServerEvent)[]; saved: boolean }
  /** The answer to what is no request: a file, or a number of games, or an error in both languages. */
  | { kind: 'done'; id: number; text?: string; count?: number; error?: Words }
  /** The worker cannot go on. */
  | { kind: 'failed'; reason: string };

/** A sentence in both languages. */
export interface Words {
  message: string;
  message_zh: string;
}

/** A message to the worker of searches. */
export type ToSearchWorker =
  /** The first message. `flag` holds the number of the last search that must stop. */
  | { kind: 'start'; module: WebAssembly.Module; flag: SharedArrayBuffer | undefined }
  | {
      kind: 'search';
      number: number;
      game: string;
      rules: string | null;
      search: string;
      /** The network of the game, if the worker has not got it yet. */
      network?: Uint8Array;
    };

/** A message of the worker of searches. */
export type FromSearchWorker =
  | { kind: 'info'; number: number; info: unknown }
  | { kind: 'end'; number: number; end: unknown }
  /** The search has ended with an error. */
  | { kind: 'lost'; number: number; reason: string };
