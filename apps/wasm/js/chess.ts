// The rules of chess alone, in a smaller module.

import { type BoardOptions, ChessBoard, chess960, type Issue, positionIssues as issuesOf } from './board.js';
import { Instance } from './instance.js';
import type { Source } from './platform.js';

export * from './public-types.js';

const instance = new Instance(new URL('./chess.wasm', import.meta.url));

/** Loads the WebAssembly module, once. Everything else needs it. */
export function init(source?: Source | WebAssembly.Module): Promise<void> {
  return instance.init(source);
}

/** A board of chess. */
export class Chess extends ChessBoard {
  constructor(fen?: string, options?: BoardOptions) {
    super(instance, fen, options);
  }

  /** Makes a board at the start position of Chess960 with this number, 0 to 959; 518 is the position of chess. */
  static fromChess960(number: number): Chess {
    return chess960(instance, Chess, number);
  }
}

/** Returns the issues of a position text. */
export function positionIssues(fen: string): Issue[] {
  return issuesOf(instance, 'chess', fen);
}
