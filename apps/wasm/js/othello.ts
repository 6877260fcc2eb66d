// The rules of othello alone, in a smaller module.

import { type BoardOptions, OthelloBoard, type Issue, positionIssues as issuesOf } from './board.js';
import { Instance } from './instance.js';
import type { Source } from './platform.js';

export * from './public-types.js';

const instance = new Instance(new URL('./othello.wasm', import.meta.url));

/** Loads the WebAssembly module, once. Everything else needs it. */
export function init(source?: Source | WebAssembly.Module): Promise<void> {
  return instance.init(source);
}

/** A board of othello. */
export class Othello extends OthelloBoard {
  constructor(fen?: string, options?: BoardOptions) {
    super(instance, fen, options);
  }
}

/** Returns the issues of a position text. */
export function positionIssues(fen: string): Issue[] {
  return issuesOf(instance, 'othello', fen);
}
