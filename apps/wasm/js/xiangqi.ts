// The rules of xiangqi alone, in a smaller module.

import { type BoardOptions, XiangqiBoard, type Issue, positionIssues as issuesOf } from './board.js';
import { Instance } from './instance.js';
import type { Source } from './platform.js';

export * from './public-types.js';

const instance = new Instance(new URL('./xiangqi.wasm', import.meta.url));

/** Loads the WebAssembly module, once. Everything else needs it. */
export function init(source?: Source | WebAssembly.Module): Promise<void> {
  return instance.init(source);
}

/** A board of xiangqi. */
export class Xiangqi extends XiangqiBoard {
  constructor(fen?: string, options?: BoardOptions) {
    super(instance, fen, options);
  }
}

/** Returns the issues of a position text. */
export function positionIssues(fen: string): Issue[] {
  return issuesOf(instance, 'xiangqi', fen);
}
