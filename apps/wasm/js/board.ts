/// <reference lib="esnext.disposable" preserve="true" />

import { optionsOf } from './arguments.js';
import { AlfilError } from './errors.js';
import type { Instance, Place } from './instance.js';

/** The games. */
export type GameName = 'xiangqi' | 'chess' | 'othello';

/** A side: `w` is White, in xiangqi Red; `b` is Black, who has the first move in Othello. */
export type Color = 'w' | 'b';

/** The result of a game as PGN writes it: `1-0` if the side with the first move wins; `*` if the game is not over. */
export type Result = '1-0' | '0-1' | '1/2-1/2' | '*';

/** A move with what a user interface shows of it. */
export interface Move {
  /** The side that moves. */
  color: Color;
  /** The square that the piece leaves; null for a new disc, a pass and a null move. */
  from: string | null;
  /** The square on which the piece arrives; null for a pass and a null move. */
  to: string | null;
  /** The lower-case letter of the piece. */
  piece: string | null;
  /** The lower-case letter of the captured piece. */
  captured?: string;
  /** The lower-case letter of the piece promoted to. */
  promotion?: string;
  /** The move as people write it: SAN, in xiangqi WXF, in Othello the square. */
  san: string;
  /** The move in coordinates: `e2e4`, in xiangqi `h2e2` with ranks from 0, in Othello `f5` or `pass`. */
  lan: string;
  /** The position before the move. */
  before: string;
  /** The position after the move. */
  after: string;
}

/** A move as an argument: a text in any notation, a {@link Move}, or its squares. */
export type MoveInput =
  | string
  | { lan: string }
  | { from?: string | null; to: string; promotion?: string | null };

/** A piece on a square. */
export interface Piece {
  square: string;
  /** The letter as in a position text. */
  letter: string;
  /** The lower-case letter. */
  type: string;
  color: Color;
}

/** The end of a game. */
export interface Outcome {
  /** The winner; null for a draw. */
  winner: Color | null;
  result: Result;
  /** The number of discs by which the winner of Othello is ahead; 0 in other games. */
  margin: number;
  /** The cause in one word: `checkmate`, `perpetual_chase`. */
  cause: string;
  /** The verdict as a sentence. */
  message: string;
  /** The verdict as a sentence in Chinese. */
  messageZh: string;
}

/** An issue of a position text. */
export interface Issue {
  /** The name by which it is waived. */
  name: string;
  message: string;
  isWaivable: boolean;
}

/** A legal move that a ruleset refuses in a game, because too many such moves were played in a row. */
export interface RefusedMove {
  /** The move in the notation of the request. */
  move: string;
  /** The move in coordinates. */
  lan: string;
  /** What the moves in a row have in common, in one word: `perpetual_check`. */
  cause: string;
  /** The number of such moves in a row that are allowed. */
  limit: number;
  /** The reason as a sentence. */
  reason: string;
  /** The reason as a sentence in Chinese. */
  reasonZh: string;
}

/** A move of a repetition, as a ruling sees it. */
export interface RulingPly {
  /** The number of the ply in the game, from 1. */
  number: number;
  move: string;
  /** `check`, `kill`, `chase`, `exchange`, `offer`, `follow`, `block` or `idle`. */
  moveClass: string;
  /** The pieces that the move newly attacks. */
  victims: { piece: string; square: string }[];
  /** The new attacks: the squares of attacker and victim, and of the pieces that could take back. */
  attacks: { attacker: string; victim: string; protectors: string[] }[];
}

/** A verdict on a repetition, with its reasons. */
export interface Ruling {
  /** The ruleset. */
  rules: string;
  winner: Color | null;
  result: Result;
  /** The cause in one word; `none` if the game continues. */
  cause: string;
  /** The verdict: `red_loses`, `draw`. */
  verdict: string;
  /** Verdict and cause in one line. */
  heading: string;
  /** The first and the last ply of the repetition, from 1. */
  repetition: [number, number] | null;
  plies: RulingPly[];
  /** The verdict and its reasons, one sentence each. */
  explanation: string[];
  /** The moves by which the offender could have avoided the loss. */
  alternatives: string[];
  /** Other readings of the rules, where sources dispute the repetition. */
  disputed: string[];
}

/** The options of a new board. */
export interface BoardOptions {
  /** The issues of the position that are accepted, by name; `all` accepts every one that can be. */
  waive?: string[];
  /** Moves to play, in any notation. */
  moves?: string[];
}

/** The options of a list of moves. */
export interface MovesOptions {
  /** Only the moves of the piece on this square. */
  square?: string;
  /** The notation of the texts. */
  notation?: string;
}

/** The options of a ruling. */
export interface RulingOptions {
  /** The ruleset; by default that of play between people. */
  rules?: string;
  /** The occurrence at which a repetition is judged, if not that of the ruleset. */
  occurrences?: number;
  /** The notation of the moves. */
  notation?: string;
  language?: 'en' | 'zh';
}

/** The coordinates of a move in each game. */
const COORDINATES: Record<GameName, string> = { xiangqi: 'ucci', chess: 'uci', othello: 'transcript' };

/** Refuses what is no text, which would otherwise stand for the start position. */
function checkPosition(fen: unknown): void {
  if (typeof fen !== 'string') throw new AlfilError('invalid-argument', `wrong type: a position is a text, found ${String(fen)}`);
}

/** A board of a module that has its number already. */
class Adopted {
  constructor(readonly id: number) {}
}

/** A position and the moves that led to it. */
export abstract class Board {
  /** The name of the game. */
  readonly game: GameName;
  /** @internal */
  readonly instance: Instance;
  /** @internal */
  readonly place: Place;

  /** @internal */
  constructor(instance: Instance, game: GameName, source: unknown, options?: BoardOptions) {
    this.instance = instance;
    this.game = game;
    const { waive, moves } = optionsOf(options);
    if (source !== undefined && !(source instanceof Adopted)) checkPosition(source);
    const id = source instanceof Adopted ? source.id : instance.call('board.new', { game, fen: source, waive, moves });
    this.place = instance.adopt(this, 'board', id);
  }

  /** @internal */
  static adopt<B extends Board>(make: new (fen: any) => B, id: number): B {
    return new make(new Adopted(id));
  }

  private call(name: string, args = {}): any {
    return this.instance.callOn(this.place, name, args);
  }

  /** Returns the position as text. */
  fen(): string {
    return this.call('fen');
  }

  /** Returns the text of the position before the first move. */
  startFen(): string {
    return this.call('startFen');
  }

  /** Replaces the position by that of a text, without moves. */
  load(fen: string, options?: BoardOptions): void {
    checkPosition(fen);
    const { waive, moves } = optionsOf(options);
    this.call('load', { game: this.game, fen, waive, moves });
  }

  /** Returns to the start position of the game, without moves. */
  reset(): void {
    this.call('load', { game: this.game });
  }

  /** Returns a board with the same position and moves. The two are independent. */
  copy(): this {
    return Board.adopt(this.constructor as new (fen: any) => this, this.call('copy'));
  }

  /** Frees the board now. Without it, that happens some time after the last reference to it is gone. */
  dispose(): void {
    this.instance.dispose(this.place);
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /** Returns the side to move. */
  turn(): Color {
    return this.call('turn');
  }

  /** Returns the hash key of the position: 16 hexadecimal digits. */
  hash(): string {
    return this.call('hash');
  }

  /** Returns the names of the notations of moves, the coordinates first. */
  notations(): string[] {
    return this.call('notations');
  }

  /** Returns the names of all squares. */
  squares(): string[] {
    return this.call('squares');
  }

  /**
   * Returns the legal moves, by default as people write them: SAN, in xiangqi WXF. Those that a ruleset of xiangqi
   * refuses are among them: see {@link XiangqiBoard.refusedMoves}.
   */
  moves(options?: MovesOptions & { verbose?: false }): string[];
  moves(options: MovesOptions & { verbose: true }): Move[];
  moves(options?: MovesOptions & { verbose?: boolean }): string[] | Move[] {
    const { square, notation, verbose } = optionsOf(options);
    return this.call(verbose ? 'verboseMoves' : 'moves', { square, notation });
  }

  /** Plays a move and returns it. An {@link AlfilError} says why a move is not legal; the board is then unchanged. */
  move(move: MoveInput, options?: { notation?: string }): Move {
    return this.call('move', this.argumentsOf(move, optionsOf(options).notation));
  }

  /** Reads a legal move without playing it. */
  parse(move: MoveInput, options?: { notation?: string }): Move {
    return this.call('parse', this.argumentsOf(move, optionsOf(options).notation));
  }

  /** Returns whether this is a legal move. */
  isLegal(move: MoveInput, options?: { notation?: string }): boolean {
    return this.call('isLegal', this.argumentsOf(move, optionsOf(options).notation));
  }

  private argumentsOf(move: MoveInput, notation: string | undefined): { text: unknown; notation?: string } {
    if (typeof move !== 'object' || move === null) return { text: move, notation };
    if ('lan' in move) return { text: move.lan, notation: COORDINATES[this.game] };
    const { from, to, promotion } = move;
    const kind = promotion && this.isPromotion(from, to) ? promotion : '';
    return { text: `${from ?? ''}${to}${kind}`, notation: COORDINATES[this.game] };
  }

  /**
   * Returns whether a move between these squares promotes. Programs written for chess.js name a promotion with each
   * move, which is ignored in the others.
   */
  protected isPromotion(_from: string | null | undefined, _to: string): boolean {
    return false;
  }

  /** Takes the last move back and returns it; null if there is none. */
  undo(): Move | null {
    return this.call('undo');
  }

  /** Returns the moves played, by default as people write them. */
  history(options?: { notation?: string; verbose?: false }): string[];
  history(options: { verbose: true }): Move[];
  history(options?: { notation?: string; verbose?: boolean }): string[] | Move[] {
    const { notation, verbose } = optionsOf(options);
    return verbose ? this.call('verbosePlayed') : this.call('played', { notation });
  }

  /** Returns a line of moves from this position, given in any notations, in one notation. */
  line(moves: string[], options?: { notation?: string }): string[] {
    return this.call('line', { moves, notation: optionsOf(options).notation });
  }

  /** Returns the piece on a square. */
  get(square: string): Piece | undefined {
    return this.call('piece', { square }) ?? undefined;
  }

  /** Returns all pieces. */
  pieces(): Piece[] {
    return this.call('pieces');
  }

  /** Returns the rows of the board from the far side, as in a position text, with null for empty squares. */
  board(): (Piece | null)[][] {
    const placed = new Map(this.pieces().map((piece) => [piece.square, piece]));
    const rows = new Map<string, (Piece | null)[]>();
    for (const square of this.squares()) {
      const rank = square.slice(1);
      if (!rows.has(rank)) rows.set(rank, []);
      rows.get(rank)?.push(placed.get(square) ?? null);
    }
    const ranks = [...rows.keys()].map(Number).sort((a, b) => b - a);
    // The ranks of Othello count from its first row down.
    if (this.game === 'othello') ranks.reverse();
    return ranks.map((rank) => rows.get(String(rank)) ?? []);
  }

  /** Returns the board as text. */
  ascii(): string {
    const rows = this.board().map((row) => row.map((piece) => piece?.letter ?? '.').join(' '));
    return `${rows.join('\n')}\n`;
  }

  /** Returns whether the side to move is in check. */
  isCheck(): boolean {
    return this.call('isCheck');
  }

  /** As {@link isCheck}. */
  inCheck(): boolean {
    return this.isCheck();
  }

  /** Returns whether the side to move is checkmated. */
  isCheckmate(): boolean {
    return this.isCheck() && this.moves().length === 0;
  }

  /** Returns whether the side to move has no legal move and is not in check. */
  isStalemate(): boolean {
    return !this.isCheck() && this.moves().length === 0;
  }

  /** Returns how often the position has occurred in the game, this time included. */
  occurrences(): number {
    return this.call('occurrences');
  }

  /** Returns whether the position has occurred three times. */
  isThreefoldRepetition(): boolean {
    return this.occurrences() >= 3;
  }

  /**
   * Returns the end of the game; null if it continues. `rules` is a ruleset of xiangqi; in chess `claimed` ends the
   * game by the third occurrence of a position and by 50 moves, `unclaimed` by the fifth and by 75.
   */
  outcome(options?: { rules?: string }): Outcome | null {
    return this.call('end', { rules: optionsOf(options).rules });
  }

  /** Returns whether the game is over. */
  isGameOver(options?: { rules?: string }): boolean {
    return this.outcome(options) !== null;
  }

  /** Returns whether the game is drawn. */
  isDraw(options?: { rules?: string }): boolean {
    const outcome = this.outcome(options);
    return outcome !== null && outcome.winner === null;
  }

  /** Returns the number of legal move paths of `depth` plies. */
  perft(depth: number): number {
    return this.call('perft', { depth });
  }

  toString(): string {
    return this.fen();
  }
}

/** A board of chess. Chess960 needs no switch: its castling rights are in the position. */
export abstract class ChessBoard extends Board {
  /** @internal */
  constructor(instance: Instance, fen: unknown, options?: BoardOptions) {
    super(instance, 'chess', fen, options);
  }

  protected override isPromotion(from: string | null | undefined, to: string): boolean {
    const isOnBoard = typeof from === 'string' && /^[a-h][1-8]$/i.test(from);
    return isOnBoard && /^[a-h][18]$/i.test(to) && this.get(from.toLowerCase())?.type === 'p';
  }

  /** Returns whether neither side can give mate. */
  isInsufficientMaterial(): boolean {
    return this.outcome()?.cause === 'material';
  }

  /** Returns whether 50 moves without a capture or a move of a pawn end the game by a claim. */
  isDrawByFiftyMoves(): boolean {
    return Number(this.fen().split(' ')[4]) >= 100 && this.moves().length > 0;
  }
}

/** A board of xiangqi. Squares are `a0` to `i9`. */
export abstract class XiangqiBoard extends Board {
  /** @internal */
  constructor(instance: Instance, fen: unknown, options?: BoardOptions) {
    super(instance, 'xiangqi', fen, options);
  }

  /**
   * Returns the legal moves that a ruleset refuses in this game now, with the reasons; by default that of play between
   * people, which refuses none.
   */
  refusedMoves(options?: { rules?: string; notation?: string }): RefusedMove[] {
    const { rules, notation } = optionsOf(options);
    return this.instance.callOn(this.place, 'refused', { rules, notation });
  }

  /** Rules on the repetition at the end of the game, with the reasons. */
  ruling(options?: RulingOptions): Ruling {
    const { rules, occurrences, notation, language } = optionsOf(options);
    return this.instance.callOn(this.place, 'ruling', { rules, occurrences, notation, language });
  }
}

/** A board of Othello. A side without a move passes: `pass` is then its only legal move. */
export abstract class OthelloBoard extends Board {
  /** @internal */
  constructor(instance: Instance, fen: unknown, options?: BoardOptions) {
    super(instance, 'othello', fen, options);
  }

  /** Returns the number of discs of each side. */
  discs(): { b: number; w: number } {
    const pieces = this.pieces();
    const count = (color: Color) => pieces.filter((piece) => piece.color === color).length;
    return { b: count('b'), w: count('w') };
  }
}

/** Makes the start position of Chess960 with a number. */
export function chess960<B extends Board>(instance: Instance, make: new (fen: any) => B, number: number): B {
  // JSON has no other numbers, and none stands for the usual start position.
  if (!Number.isInteger(number)) throw new AlfilError('invalid-argument', `choose a number from 0 to 959, found ${String(number)}`);
  return Board.adopt(make, instance.call('board.new', { game: 'chess', number }));
}

/** Returns the issues of a position text. */
export function positionIssues(instance: Instance, game: GameName, fen: string): Issue[] {
  return instance.call('board.issues', { game, fen });
}

/** Returns whether a position text can be read and played, as chess.js does, and why not. */
export function validateFen(
  instance: Instance,
  game: GameName,
  fen: string,
): { ok: true } | { ok: false; error: string } {
  try {
    const issues = positionIssues(instance, game, fen);
    return issues.length === 0
      ? { ok: true }
      : { ok: false, error: issues.map((issue) => issue.message).join('; ') };
  } catch (error) {
    if (error instanceof AlfilError && error.code === 'invalid-position') return { ok: false, error: error.message };
    throw error;
  }
}
