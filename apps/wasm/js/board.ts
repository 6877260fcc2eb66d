/// <reference lib="esnext.disposable" preserve="true" />

import { describe, instanceOf, optionsOf } from './arguments.js';
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

/** The options of {@link Board.load}. */
export interface LoadOptions extends BoardOptions {
  /** Whether the headers stay, which are else removed. */
  preserveHeaders?: boolean;
}

/** A piece to put on a board: its lower-case letter and its side. */
export type PieceInput = Pick<Piece, 'type' | 'color'>;

/** A board as JSON: `new Chess(fen, { moves })` makes it again, and an engine searches it. */
export interface BoardJson {
  game: GameName;
  /** The position before the first move. */
  fen: string;
  /** The moves in coordinates. */
  moves: string[];
}

/** A comment on a position of the game. */
export interface PositionComment {
  fen: string;
  comment: string;
}

/** A change of the board during a move, as `<alfil-board>` plays it. */
export interface BoardChange {
  do: 'put' | 'lift' | 'turn';
  square: string;
  /** The letter of the piece after the change, or of the lifted piece. */
  piece: string;
}

/** A move that a person may make, as the property `targets` of `<alfil-board>` takes it. */
export interface BoardTarget {
  from: string | null;
  to: string | null;
  /** The move in coordinates: `board.move({ lan: target.text })` plays it. */
  text: string;
  /** All that the move changes: castling moves the rook, too, and a capture en passant takes the pawn beside it. */
  script: BoardChange[];
  /** The letter of the piece promoted to; null in all other moves. */
  choice: string | null;
  /** Why the ruleset refuses the move in this game now. */
  refused?: string;
}

/** The options of a list of moves. */
export interface MovesOptions {
  /** Only the moves of the piece on this square. */
  square?: string;
  /** Only the moves of the pieces with this lower-case letter. */
  piece?: string;
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

/** The lower-case letters of the pieces of each game, and the side of each disc of Othello. */
const LETTERS: Record<GameName, string> = { xiangqi: 'kabnrcp', chess: 'kqrbnp', othello: 'xo' };
const DISCS: Record<string, Color> = { x: 'b', o: 'w' };

function checkColor(color: unknown): void {
  if (color === 'w' || color === 'b') return;
  throw new AlfilError('invalid-argument', `no color ${describe(color)}: choose "w" or "b"`);
}

/** Refuses what is no piece: an object with a text as its type, and a side as its color. */
function checkPiece(piece: PieceInput): void {
  if (typeof piece !== 'object' || piece === null || typeof piece.type !== 'string') {
    throw new AlfilError('invalid-argument', `wrong type: a piece is an object with type and color, found ${describe(piece)}`);
  }
  checkColor(piece.color);
}

/** The keys of a move that is given by its squares, and those that a {@link Move} or one of chess.js has, too. */
const MOVE_KEYS = ['from', 'to', 'promotion', 'color', 'piece', 'captured', 'san', 'before', 'after', 'flags'];

/** Refuses an object that has no target square of a move, or a key that no move has. */
function checkMove(move: object): void {
  const unknown = Object.keys(move).find((key) => !MOVE_KEYS.includes(key));
  const hint = 'choose from, to and promotion, or lan';
  if (unknown !== undefined) throw new AlfilError('invalid-argument', `a move has no ${JSON.stringify(unknown)}: ${hint}`);
  if (typeof (move as { to?: unknown }).to === 'string') return;
  throw new AlfilError('invalid-argument', `the move has no square "to": ${hint}`);
}

function notationOf(options: { notation?: string } | null | undefined): string | undefined {
  return optionsOf(options, ['notation']).notation;
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
  /** The comments by their positions. */
  private comments = new Map<string, string>();
  private headers = new Map<string, string>();
  /** Whether the position can be played: one that is set up may be impossible meanwhile. */
  private isPlayable = true;

  /** @internal */
  constructor(instance: Instance, game: GameName, source: unknown, options?: BoardOptions) {
    this.instance = instance;
    this.game = game;
    const { waive, moves } = optionsOf(options, ['waive', 'moves']);
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
    return this.isPlayable ? this.call('startFen') : this.fen();
  }

  /** Returns game, start position and moves, small enough to be stored. */
  toJSON(): BoardJson {
    return { game: this.game, fen: this.startFen(), moves: this.history({ notation: COORDINATES[this.game] }) };
  }

  /** Replaces the position by that of a text, without moves, comments and headers. */
  load(fen: string, options?: LoadOptions): void {
    checkPosition(fen);
    const { waive, moves, preserveHeaders } = optionsOf(options, ['waive', 'moves', 'preserveHeaders']);
    this.call('load', { game: this.game, fen, waive, moves });
    this.isPlayable = true;
    this.forget(preserveHeaders);
  }

  /** Returns to the start position of the game, without moves, comments and headers. */
  reset(): void {
    this.call('load', { game: this.game });
    this.isPlayable = true;
    this.forget();
  }

  /**
   * Removes all pieces, moves and comments, and the headers unless they are preserved. The side with the first move is
   * to move. See {@link put}.
   */
  clear(options?: { preserveHeaders?: boolean }): void {
    const { preserveHeaders } = optionsOf(options, ['preserveHeaders']);
    this.setUp({ text: 'clear' });
    this.forget(preserveHeaders);
  }

  private forget(keepsHeaders = false): void {
    this.comments.clear();
    if (!keepsHeaders) this.headers.clear();
  }

  /**
   * Puts a piece on a square, in place of one that is there. The position becomes the start of a game without moves.
   * Returns false if the game has no such piece or square, or if the side has a king elsewhere. A color that is neither
   * `w` nor `b` is an error: Red is `w`, too.
   *
   * Between two calls the position may be one that cannot be played: without a king, say. The methods that read the
   * position or change it (`fen`, `turn`, `get`, `pieces`, `board`, `put`) work then, too, and the game has no moves.
   * What needs the rules (moves, attacks, checks, repetitions, the end of the game) throws an error that says what is
   * wrong with the position. Issues that can be waived are. In chess, rights to castle without the king or the rook are
   * lost.
   */
  put(piece: PieceInput, square: string): boolean {
    checkPiece(piece);
    const { type, color } = piece;
    // A disc of Othello has one letter for its side.
    const isOthello = this.game === 'othello';
    const isPiece = type.length === 1 && LETTERS[this.game].includes(type) && (!isOthello || DISCS[type] === color);
    if (!isPiece || !this.squares().includes(square)) return false;
    if (type === 'k' && this.findPiece(piece).some((at) => at !== square)) return false;
    this.setUp({ square, text: isOthello || color === 'w' ? type.toUpperCase() : type });
    return true;
  }

  /** Changes the position, which becomes the start of a game. */
  protected setUp(change: { square?: string; text?: string }): void {
    this.isPlayable = this.call('setUp', change);
  }

  /** Removes the piece on a square, as {@link put} puts it, and returns it. */
  remove(square: string): Piece | undefined {
    const piece = this.get(square);
    if (piece) this.setUp({ square });
    return piece;
  }

  /** Lets a side move, as {@link put} changes the position; returns false if it is to move already. */
  setTurn(color: Color): boolean {
    checkColor(color);
    if (color === this.turn()) return false;
    this.setUp({ text: 'turn' });
    return true;
  }

  /** Returns the squares of the pieces of a side, by default the one to move, that attack or protect a square. */
  attackers(square: string, color: Color = this.turn()): string[] {
    checkColor(color);
    return this.call('attackers', { square, text: color });
  }

  /** Returns whether pieces of a side attack or protect a square. */
  isAttacked(square: string, color: Color): boolean {
    checkColor(color);
    return this.attackers(square, color).length > 0;
  }

  /** Returns the squares of the pieces of this kind. */
  findPiece(piece: PieceInput): string[] {
    checkPiece(piece);
    const { type, color } = piece;
    return this.pieces().flatMap((placed) => (placed.type === type && placed.color === color ? [placed.square] : []));
  }

  /** Returns a board with the same position, moves, comments and headers. The two are independent. */
  copy(): this {
    const copy = Board.adopt(this.constructor as new (fen: any) => this, this.call('copy'));
    copy.isPlayable = this.isPlayable;
    copy.comments = new Map(this.comments);
    copy.headers = new Map(this.headers);
    return copy;
  }

  /** Returns the comment on the position; an empty text if there is none. */
  getComment(): string {
    return this.comments.get(this.fen()) ?? '';
  }

  /** Sets the comment on the position. */
  setComment(comment: string): void {
    this.comments.set(this.fen(), String(comment));
  }

  /** Removes the comment on the position and returns it. */
  removeComment(): string {
    const comment = this.getComment();
    this.comments.delete(this.fen());
    return comment;
  }

  /** Returns the comments on the positions of the game from its start, and forgets those on other positions. */
  getComments(): PositionComment[] {
    if (this.comments.size === 0) return [];
    const fens = new Set([this.startFen(), ...this.history({ verbose: true }).map(({ after }) => after)]);
    const comments = [...fens].flatMap((fen) => {
      const comment = this.comments.get(fen);
      return comment === undefined ? [] : [{ fen, comment }];
    });
    this.comments = new Map(comments.map(({ fen, comment }) => [fen, comment]));
    return comments;
  }

  /** Removes all comments and returns them. */
  removeComments(): PositionComment[] {
    const comments = this.getComments();
    this.comments.clear();
    return comments;
  }

  /**
   * Sets a header of the game, a tag of PGN, and returns all of them. `gameOf` takes the result of the game from
   * `Result`, and passes over `FEN` and `SetUp`: the position of the board counts.
   */
  setHeader(name: string, value: string): Record<string, string> {
    this.headers.set(String(name), String(value));
    return this.getHeaders();
  }

  /** Removes a header; false if there is none of this name. */
  removeHeader(name: string): boolean {
    return this.headers.delete(name);
  }

  /** Returns the headers that were set. */
  getHeaders(): Record<string, string> {
    return Object.fromEntries(this.headers);
  }

  /** Returns the number of the move, which grows after each move of the second side. */
  moveNumber(): number {
    const [, , , , , number] = this.fen().split(' ');
    // A position of Othello does not count the moves.
    return number === undefined ? 1 + Math.floor(this.history().length / 2) : Number(number);
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
    const { square, piece, notation, verbose } = optionsOf(options, ['square', 'piece', 'notation', 'verbose']);
    if (piece === undefined) return this.call(verbose ? 'verboseMoves' : 'moves', { square, notation });
    const moves: Move[] = this.call('verboseMoves', { square });
    const chosen = moves.filter((move) => move.piece === piece);
    if (verbose) return chosen;
    return chosen.map(({ san, lan }) => (notation === undefined ? san : (this.line([lan], { notation })[0] ?? san)));
  }

  /** Plays a move and returns it. An {@link AlfilError} says why a move is not legal; the board is then unchanged. */
  move(move: MoveInput, options?: { notation?: string }): Move {
    return this.call('move', this.argumentsOf(move, notationOf(options)));
  }

  /** Reads a legal move without playing it. */
  parse(move: MoveInput, options?: { notation?: string }): Move {
    return this.call('parse', this.argumentsOf(move, notationOf(options)));
  }

  /** Returns whether this is a legal move. */
  isLegal(move: MoveInput, options?: { notation?: string }): boolean {
    return this.call('isLegal', this.argumentsOf(move, notationOf(options)));
  }

  private argumentsOf(move: MoveInput, notation: string | undefined): { text: unknown; notation?: string } {
    if (typeof move !== 'object' || move === null) return { text: move, notation };
    if ('lan' in move) return { text: move.lan, notation: COORDINATES[this.game] };
    checkMove(move);
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
    return this.isPlayable ? this.call('undo') : null;
  }

  /** Returns the moves played, by default as people write them. */
  history(options?: { notation?: string; verbose?: false }): string[];
  history(options: { verbose: true }): Move[];
  history(options?: { notation?: string; verbose?: boolean }): string[] | Move[] {
    const { notation, verbose } = optionsOf(options, ['notation', 'verbose']);
    if (!this.isPlayable) return [];
    return verbose ? this.call('verbosePlayed') : this.call('played', { notation });
  }

  /** Returns a line of moves from this position, given in any notations, in one notation. */
  line(moves: string[], options?: { notation?: string }): string[] {
    return this.call('line', { moves, notation: notationOf(options) });
  }

  /** Returns the piece on a square; undefined if it is empty, or not on the board. */
  get(square: string): Piece | undefined {
    if (this.isPlayable) return this.call('piece', { square }) ?? undefined;
    return this.pieces().find((piece) => piece.square === square);
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
    return this.call('end', { rules: optionsOf(options, ['rules']).rules });
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

  /** Returns whether no series of legal moves can give mate. */
  isInsufficientMaterial(): boolean {
    return this.instance.callOn(this.place, 'insufficientMaterial');
  }

  /** Returns whether a side may castle with the king's rook (`k`) and the queen's (`q`), as far as its rights go. */
  getCastlingRights(color: Color): { k: boolean; q: boolean } {
    checkColor(color);
    const { k, q } = this.castlingLetters(color);
    return { k: k !== '', q: q !== '' };
  }

  /** Returns the letters of the castling rights of a side, as they stand in the position, by wing. */
  private castlingLetters(color: Color): { k: string; q: string } {
    const field = this.fen().split(' ')[2] ?? '';
    const [king = ''] = this.findPiece({ type: 'k', color });
    const letters = { k: '', q: '' };
    for (const letter of field.match(color === 'w' ? /[A-Z]/g : /[a-z]/g) ?? []) {
      const name = letter.toLowerCase();
      // In Chess960 the letter may be the file of the rook.
      const wing = name === 'k' || name === 'q' ? name : name > king ? 'k' : 'q';
      letters[wing] += letter;
    }
    return letters;
  }

  /**
   * Sets castling rights of a side, as {@link put} changes the position, and returns whether the side has them now:
   * rights without king and rook in place are dropped when the position can be played. A new right is that of the
   * outermost rook; the rights that the side keeps, and those of the other side, stay with their rooks.
   */
  setCastlingRights(color: Color, rights: { k?: boolean; q?: boolean }): boolean {
    checkColor(color);
    const { k, q } = optionsOf(rights, ['k', 'q']);
    const [white, black] = [this.castlingLetters('w'), this.castlingLetters('b')];
    const [letters, names] = color === 'w' ? [white, { k: 'K', q: 'Q' }] : [black, { k: 'k', q: 'q' }];
    if (k !== undefined) letters.k = k ? letters.k || names.k : '';
    if (q !== undefined) letters.q = q ? letters.q || names.q : '';
    this.setUp({ text: white.k + white.q + black.k + black.q || '-' });
    const now = this.getCastlingRights(color);
    return (k === undefined || now.k === k) && (q === undefined || now.q === q);
  }

  /** Returns whether a square is light or dark; null if there is no such square. */
  squareColor(square: string): 'light' | 'dark' | null {
    const [, file, rank] = /^([a-h])([1-8])$/.exec(square) ?? [];
    if (file === undefined) return null;
    return (file.charCodeAt(0) + Number(rank)) % 2 === 0 ? 'dark' : 'light';
  }

  /** Returns whether 50 moves without a capture or a move of a pawn end the game by a claim. */
  isDrawByFiftyMoves(): boolean {
    // The moves come first: a position that cannot be played has none to count, and is an error.
    return this.moves().length > 0 && Number(this.fen().split(' ')[4]) >= 100;
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
    const { rules, notation } = optionsOf(options, ['rules', 'notation']);
    return this.instance.callOn(this.place, 'refused', { rules, notation });
  }

  /** Rules on the repetition at the end of the game, with the reasons. */
  ruling(options?: RulingOptions): Ruling {
    const { rules, occurrences, notation, language } = optionsOf(options, ['rules', 'occurrences', 'notation', 'language']);
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

/**
 * Returns the legal moves of a board for the property `targets` of `<alfil-board>`; none if the position cannot be
 * played. With `rules`, those that the ruleset refuses say why.
 */
export function targetsOf(board: Board, options?: { rules?: string }): BoardTarget[] {
  const { instance, place, game } = instanceOf(board, Board, 'board');
  const { rules } = optionsOf(options, ['rules']);
  if (!canBePlayed(board)) return [];
  const targets: BoardTarget[] = instance.callOn(place, 'targets');
  if (rules === undefined) return targets;
  const refused: RefusedMove[] = instance.callOn(place, 'refused', { rules, notation: COORDINATES[game] });
  const reasons = new Map(refused.map(({ lan, reason }) => [lan, reason]));
  return targets.map((target) => {
    const reason = reasons.get(target.text);
    return reason === undefined ? target : { ...target, refused: reason };
  });
}

/** Returns the letters of the pieces by square, for the property `pieces` of `<alfil-board>`. */
export function piecesOf(board: Board): Record<string, string> {
  return Object.fromEntries(instanceOf(board, Board, 'board').pieces().map(({ square, letter }) => [square, letter]));
}

/** Returns the square of the king in check, for the property `check` of `<alfil-board>`; null without a check. */
export function checkOf(board: Board): string | null {
  const { instance, place } = instanceOf(board, Board, 'board');
  return canBePlayed(board) ? instance.callOn(place, 'checkedKing') : null;
}

/** Returns whether a position that is set up can be played already. */
function canBePlayed(board: Board): boolean {
  return board['isPlayable'];
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
