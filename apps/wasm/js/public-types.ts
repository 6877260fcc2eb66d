export type {
  BoardOptions,
  Color,
  GameName,
  Issue,
  Move,
  MoveInput,
  MovesOptions,
  Outcome,
  Piece,
  Result,
  RefusedMove,
  Ruling,
  RulingOptions,
  RulingPly,
} from './board.js';
export { Board } from './board.js';
export { AlfilError, type ErrorCode } from './errors.js';
export type { Source } from './platform.js';
