/** The kind of an {@link AlfilError}. */
export type ErrorCode =
  /** An argument is out of range or of another type, or there is no game, notation, square or ruleset of this name. */
  | 'invalid-argument'
  /** A position text cannot be read, or the position cannot be played. */
  | 'invalid-position'
  /** A text is no move of the game or of the notation. */
  | 'invalid-move'
  /** The move is not legal in the position; the message says why. */
  | 'illegal-move'
  /** A text fits several legal moves. */
  | 'ambiguous-move'
  /** A file of games, or a game, cannot be read or written. */
  | 'record'
  /** The object was disposed. */
  | 'disposed'
  /** There is not enough memory. */
  | 'memory'
  /** `init` was not called, or has not finished. */
  | 'not-ready'
  /** A file of the package cannot be loaded. */
  | 'load'
  /** The module has an error and has stopped; please report it. */
  | 'internal';

/** Why a call failed: a sentence that says what is wrong and where. The object is then unchanged. */
export class AlfilError extends Error {
  override readonly name = 'AlfilError';
  /** The kind of the error. */
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
