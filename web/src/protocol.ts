/**
 * The JSON messages between the page and the server, see crates/page/src/wire.rs. Field names and values are a
 * contract.
 */

import type { ImportProgress, LibraryResponse } from './protocol-library';

export type * from './protocol-library';

/** 0 for the first side, 1 for the second. */
export type Side = 0 | 1;

/** A request of the page: the name of the request in `do`, and its arguments. */
export interface ClientRequest {
  do: string;
  [argument: string]: unknown;
}

/** One change of the board during a move. */
export interface BoardChangeDto {
  do: 'put' | 'lift' | 'turn';
  square: string;
  /** The letter of the piece after the change, or of the lifted piece. */
  piece: string;
}

/** A legal move, named after the square that the user chooses. */
export interface TargetDto {
  /** The square of the piece that moves; null if a new piece is placed, and for a pass. */
  from: string | null;
  /** The square where the piece arrives; null for a pass. */
  to: string | null;
  /** The move in the default dialect. */
  text: string;
  /** The changes of the board, in the order in which they are shown. */
  script: BoardChangeDto[];
  /** The letter that distinguishes several moves between the same squares, such as promotions. */
  choice: string | null;
}

/** A move that was played or taken back. */
export interface MoveResultDto {
  text: string;
  /** The changes of the board, in the order in which they are shown. */
  script: BoardChangeDto[];
  sound: 'move' | 'capture' | 'check' | 'end';
}

/** How a game ended. */
export interface GameEndDto {
  /** Null for a draw. */
  winner: Side | null;
  cause: string;
  /** The verdict as a sentence. */
  words: string;
  words_zh: string;
}

/** A legal move after which the game ends by a rule, as a loss or a draw for the side that plays it. */
export interface RuleWarningDto {
  text: string;
  /** The move in the chosen dialect. */
  label: string;
  /** Whether the opponent can end the game by his reply; otherwise the move itself ends it. */
  by_reply: boolean;
  ending: GameEndDto;
}

/** A position with its legal moves. */
export interface PositionDto {
  fen: string;
  /** The side to move. */
  side: Side;
  /** The letters of the pieces by square. */
  pieces: Record<string, string>;
  /** The squares of the last move. */
  last: string[];
  /** The square of the king in check. */
  check: string | null;
  /** The state of the game in a sentence. */
  words: string;
  ending: GameEndDto | null;
  targets: TargetDto[];
  warnings: RuleWarningDto[];
  /** The number of pieces of each side. */
  tally: [number, number];
  /** How often the position has occurred, this time included. */
  occurrences: number;
  /** The last named opening that the game has reached. */
  opening: OpeningDto | null;
  clock: ClockDto | null;
  /** The captured pieces, in games whose pieces have values. */
  material?: MaterialDto;
}

/** What was captured since the start of the game, and which side is ahead. */
export interface MaterialDto {
  /** The letters of each side's captured pieces, the most valuable first. */
  captured: [string[], string[]];
  /** The value of the first side's pieces less that of the second side's, in hundredths of the least valuable piece. */
  difference: number;
}

/** A named opening; the code is that of the Encyclopaedia of Chess Openings, and empty in other games. */
export interface OpeningDto {
  eco: string;
  name: string;
  name_zh: string;
}

/** A time control, in milliseconds. */
export interface TimeControlDto {
  base: number;
  increment: number;
}

/** The clock of a game at the moment when it was sent. */
export interface ClockDto extends TimeControlDto {
  /** The time left for each side, in milliseconds. */
  left: [number, number];
  /** The side whose clock runs. */
  running: Side | null;
  /** The side that has run out of time. */
  flagged: Side | null;
  /** Whether running out of time is a draw, because the opponent has insufficient material to win. */
  drawn: boolean;
}

/** The appearance of a game: its names, its board and its pieces. */
export interface AppearanceDto {
  game: string;
  title: string;
  title_zh?: string;
  files: number;
  ranks: number;
  layout: 'points' | 'checkered' | 'cells';
  file_names: string[];
  rank_names: string[];
  /** The names of the files at the edges of both players, from the first player's left, by the dialect. */
  edge_names_by_dialect: Record<string, [string[], string[]]>;
  /** Lines on the board: x and y of both ends, in squares. */
  lines: [number, number, number, number][];
  /** Intersections with corner marks. */
  marks: [number, number][];
  sides: [string, string];
  sides_zh?: [string, string];
  /** The kinds of pieces by letter. `outline` and `picture` are SVG path data, `picture` the alternative. */
  pieces: Record<string, { side: Side; name: string; name_zh?: string; outline: string; picture?: string }>;
  /** Text across the middle of the board. */
  legend: string[];
  /** The same text as SVG path data. */
  legend_outlines?: string[];
  /** Whether the board shows the value of every legal move on its square, as Othello programs do, instead of arrows. */
  shows_move_values: boolean;
  /** Whether the number of pieces of each side is shown beside its name, because it decides the game. */
  shows_piece_counts: boolean;
}

/**
 * A tactical mark of the X-ray view. `guard` is a piece that protects another one, and `free` a square to which a side
 * can move.
 */
export interface TacticalMarkDto {
  kind: 'blocked' | 'screen' | 'attack' | 'guard' | 'pin' | 'stable' | 'free';
  side: Side;
  squares: string[];
}

/** The names of a game and of its sides. */
export interface GameName {
  game: string;
  title: string;
  title_zh: string;
  sides: [string, string];
  sides_zh: [string, string];
  /** The unit in which players count the length of a game. */
  length_unit: 'full_moves' | 'plies';
}

/** An entry in the list of saved games. */
export interface SavedGame {
  id: string;
  game: string;
  plies: number;
  /** The time of the last change, in seconds since 1970. */
  changed: number;
  /** The names of the players, the result and the event; empty if unknown. */
  players: [string, string];
  result: string;
  /** The final score of a game that is won by counting pieces. */
  score?: [number, number];
  event: string;
}

/** The names of a ruleset. */
export interface RulesetDto {
  name: string;
  title: string;
  title_zh: string;
}

/** The open game without its moves. */
export interface GameDto {
  id: string;
  game: string;
  /** The side that the user plays; null in analysis. */
  person: Side | null;
  /** Whether two people play at one screen. */
  two_people?: boolean;
  /** The skill level of the computer. */
  level: number;
  /** The side that resigned. */
  resigned: Side | null;
  /** The dialects in which moves can be written. */
  dialects: string[];
  /** The same move in each dialect. */
  samples: string[];
  /** The chosen dialect. */
  dialect: string;
  /** The default dialect for English readers. */
  dialect_en: string;
  /** The default dialect for Chinese readers. */
  dialect_zh: string | null;
  /** The English names of the dialects. */
  dialects_en: string[];
  dialects_zh: string[];
  /** The rulesets that can rule on the game; none if there is only one. */
  books: RulesetDto[];
  /** The ruleset of the game. */
  book: string | null;
  /** The tags: names and values, in their order. */
  tags: [string, string][];
  /** The final score of the main line, in a game that is won by counting pieces. */
  score?: [number, number];
  /** The FEN of the start position, or `startpos`. */
  start: string;
  /** The side that moved first. */
  first: Side;
  /** The number of the first move. */
  number: number;
}

/** A score from the view of the first side, in centipawns or hundredths of a disc; `mate` in plies. */
export interface ScoreDto {
  value: number;
  mate: number | null;
}

/** An arrow that a person has drawn; without `from`, a circle around `to`. */
export interface DrawnShapeDto {
  from: string | null;
  to: string;
  colour: 'green' | 'red' | 'blue' | 'yellow';
}

/** A move in the tree of a game. Node 0 is the start position and has no move. */
export interface NodeDto {
  node: number;
  parent: number;
  /** The move in the default dialect. */
  text: string;
  /** The move in the chosen dialect, with its annotation signs. */
  label: string;
  comment?: string;
  /** What is drawn in the position. The server has it in the comment, from which the page takes it. */
  shapes?: DrawnShapeDto[];
  /** The numbers of the annotation marks, as in PGN: 1 is `!`. */
  nags?: number[];
  /** The clock times in the notation of PGN: `[%clk 0:03:00]`. */
  clocks?: string;
  /** The score that the review of the game has found. */
  review?: ScoreDto;
  /** The score of the position after the move. */
  score?: ScoreDto;
  /** The next moves, the main line first. */
  children?: number[];
}

/** A position that was set up, and its issues. */
export interface SetupDto {
  fen: string;
  issues: { name: string; words: string; words_zh: string; squares: string[]; waivable: boolean }[];
  /** The pieces, if the request was a text. */
  pieces: Record<string, string> | null;
  /** The side to move, if the request was a text. */
  side: Side | null;
}

/** A ruling on a game under a ruleset. */
export interface RulingDto {
  book: string;
  /** Whether there is a verdict; if not, the game continues. */
  decided: boolean;
  winner: Side | null;
  /** The plies of the repetition. */
  plies: {
    ply: number;
    /** The class of the move. */
    nature: 'check' | 'kill' | 'chase' | 'exchange' | 'offer' | 'follow' | 'block' | 'idle';
    /** The squares of the pieces that the move chases. */
    victims: string[];
  }[];
  explanation: string[];
  /** Moves that avoid the repetition. */
  instead: string[];
  /** The verdict of the ruleset and those of other readings, each with its reason, if they disagree. */
  readings: { winner: Side | null; words: string }[];
}

/** A step of the introduction to a game: an example with the moves of a piece. */
export interface LessonDto {
  title: string;
  title_zh: string;
  text: string;
  text_zh: string;
  pieces: Record<string, string>;
  /** The square of the piece whose moves are shown; null if new pieces are placed, or nothing moves. */
  square: string | null;
  targets: TargetDto[];
}

/** The explanation of a way in which a game ends. */
export interface EndLessonDto {
  cause: string;
  text: string;
  text_zh: string;
}

/** The mark of a move in a review. */
export type ReviewMark = 'inaccuracy' | 'mistake' | 'blunder' | 'only_move';

/** A move in the review of a game. Losses and expectations are in permille of the expected score. */
export interface ReviewedMoveDto {
  node: number;
  side: Side;
  loss: number;
  mark: ReviewMark | null;
  /** The expected score of the first side after the move. */
  expected: number;
  phase: 'opening' | 'middlegame' | 'ending';
  /** The best move instead, in the default and in the chosen dialect; null if the move was the best one. */
  best: string | null;
  best_label: string | null;
}

/** The review of one side: the accuracy in percent, and the number of moves with each mark. */
export interface SideReviewDto {
  accuracy: number | null;
  inaccuracy: number;
  mistake: number;
  blunder: number;
  only_move: number;
}

/** The review of a game. */
export interface ReviewDto {
  moves: ReviewedMoveDto[];
  sides: [SideReviewDto, SideReviewDto];
  /** The mistakes and blunders that lost most, at most three, the largest loss first. */
  turning_points: number[];
  /** The number of nodes with which each position was searched at least. */
  nodes: number;
  /** Whether every position of the main line was reviewed. */
  complete: boolean;
  /** The number of nodes of a deeper review. */
  deep_nodes: number;
}

/** The judgement on a move that was tried instead of a mistake. */
export interface TrialDto {
  node: number;
  text: string;
  label: string;
  loss: number;
  mark: ReviewMark | null;
  /** Whether it is the best move of the review. */
  best: boolean;
  /** The score of the position after the move. */
  score: ScoreDto;
}

/** An annotation mark that can be entered. */
export interface NagDto {
  number: number;
  sign: string;
  /** Whether it judges the move, and not the position. */
  of_move: boolean;
  words: string;
  words_zh: string;
}

/** A position to be drawn. */
export interface DiagramDto {
  node: number;
  pieces: Record<string, string>;
  last: string[];
  check: string | null;
}

/** A position of the game that can be shown before the server goes there. Its clock is null. */
export interface TreePositionDto {
  node: number;
  position: PositionDto;
  /** The move that leads to the position, and how it is taken back; null at the start. */
  step: MoveResultDto | null;
  back: MoveResultDto | null;
}

/** An edit of a game. `marks` are the annotation marks of a move; a `promotion` puts a variation before the others. */
export interface EditDto {
  kind: 'moves' | 'take_back' | 'deletion' | 'comment' | 'marks' | 'promotion' | 'tags' | 'resignation';
  /** The number of moves that it added or removed. */
  moves: number;
}

/** The edits that would be undone and redone next. */
export interface EditsDto {
  undo: EditDto | null;
  redo: EditDto | null;
}

/** The response to a request. Fields that do not belong to the request are absent. */
export interface ServerResponse {
  /** The id of the request. */
  id: number;
  /** Why the request failed. */
  error?: string;
  error_zh?: string;
  /**
   * The reason as a code, if the page has a message of its own for it: the game is `over` or was `changed` in another
   * window, what was named is `gone`, the text is of an `other` game or `empty`, the search has `failed`, or there is
   * `no_edit` to undo or redo.
   */
  cause?: 'over' | 'changed' | 'gone' | 'other' | 'empty' | 'failed' | 'no_edit';
  /** The game that the imported text belongs to, if it is not the open game. */
  other?: string;
  /** Whether the issues of an imported position can be allowed in the setup dialog. */
  waivable?: boolean;
  /** Whether the computer's move comes from the opening book. */
  from_book?: boolean;
  games?: GameName[];
  /** Saved games, the newest first. */
  kept?: SavedGame[];
  /** Whether there are more saved games than `kept` lists. */
  more?: boolean;
  game?: GameDto;
  look?: AppearanceDto;
  /** How often the open game was replaced by that of another window; beside `tree`. */
  reloads?: number;
  /** All nodes of the game. */
  tree?: NodeDto[];
  /** The nodes that have changed, instead of all nodes. */
  nodes?: NodeDto[];
  /** The nodes that were removed, together with `nodes`. */
  removed?: number[];
  edits?: EditsDto;
  /** The edit that was undone or redone. */
  edit?: EditDto;
  node?: number;
  step?: MoveResultDto;
  steps?: MoveResultDto[];
  position?: PositionDto;
  hint?: string;
  /** The names of the external engines that can play the game. */
  engines?: string[];
  /** The moves that the user may enter before the computer's reply. */
  premoves?: TargetDto[];
  /** The introduction to a game. */
  lessons?: LessonDto[];
  /** The explanations of the ends of a game. */
  ends?: EndLessonDto[];
  tactical_marks?: TacticalMarkDto[];
  setup?: SetupDto;
  ruling?: RulingDto;
  text?: string;
  /** The collection that an import of several games has made. */
  imported?: ImportProgress;
  library?: LibraryResponse;
  /** The review of the game; null if it was not reviewed. */
  review?: ReviewDto | null;
  trial?: TrialDto;
  nags?: NagDto[];
  diagrams?: DiagramDto[];
  positions?: TreePositionDto[];
}

/** A principal variation of a search. `of` is the id of the request, here and in the other events. */
export interface AnalysisLineEvent {
  event: 'thought';
  of: number;
  node: number;
  /** The MultiPV index of the line, from 1. */
  rank: number;
  depth: number;
  score: ScoreDto;
  nodes: number;
  seconds: number;
  /** The moves in the default dialect. */
  line: string[];
  /** The moves in the chosen dialect. */
  labels: string[];
  /**
   * How sure the score is as that of the end of the game, as a percentage: 100 is exact, less is the score of a
   * selective search. Absent from a search that does not reach the end of the game.
   */
  confidence?: number;
  /** If the line is what the opponent would play after a pass: the squares of its first move. */
  threat_squares?: string[];
}

/** The search waits until the searches of other games have finished. */
export interface SearchQueuedEvent {
  event: 'waiting';
  of: number;
}

/** The search stopped because of an internal error. A response to the request follows. */
export interface SearchFailedEvent {
  event: 'failed';
  of: number;
}

/** A game review has evaluated one position. */
export interface PositionReviewedEvent {
  event: 'reviewed';
  of: number;
  node: number;
  score: ScoreDto;
  best: string | null;
}

/**
 * The game was changed in another window, or a player ran out of time. With `nodes` only their scores are new, or the
 * review is.
 */
export type GameChangedEvent = { event: 'changed' } & ServerResponse;

export type ServerEvent =
  | AnalysisLineEvent
  | SearchQueuedEvent
  | SearchFailedEvent
  | PositionReviewedEvent
  | GameChangedEvent;
