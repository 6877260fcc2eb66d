export type {
  BoardChange,
  BoardJson,
  BoardOptions,
  BoardTarget,
  Color,
  GameName,
  Issue,
  LoadOptions,
  Move,
  MoveInput,
  MovesOptions,
  Outcome,
  Piece,
  PieceInput,
  PositionComment,
  Result,
  RefusedMove,
  Ruling,
  RulingOptions,
  RulingPly,
} from './board.js';
export { Board, checkOf, piecesOf, targetsOf } from './board.js';
export { AlfilError, type ErrorCode } from './errors.js';
export type { Source } from './platform.js';
