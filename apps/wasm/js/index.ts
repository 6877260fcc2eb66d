// The whole package: boards of all games, records and engine.

import { instanceOf, optionsOf } from './arguments.js';
import {
  Board,
  type BoardOptions,
  ChessBoard,
  chess960,
  type GameName,
  type Issue,
  OthelloBoard,
  positionIssues as issuesOf,
  validateFen as validate,
  XiangqiBoard,
} from './board.js';
import { Engine as EngineBase, type EngineOptions } from './engine.js';
import { AlfilError } from './errors.js';
import { Instance } from './instance.js';
import { type Source, copyOf, isBytes } from './platform.js';
import { type Game, type GameFile, type GameHeader, gameOfBoard, GameReader, writeGames as write } from './records.js';

export * from './public-types.js';
export type { EngineOptions, EnginePosition, Limits, Report, SearchResult, Solution } from './engine.js';
export { Search } from './engine.js';
export type { GameFile, GameHeader, GameNode } from './records.js';
export { Game, GameReader } from './records.js';

const instance = new Instance(new URL('./alfil.wasm', import.meta.url));

/**
 * Loads the WebAssembly module, once. Everything else needs it. By default the module is read from its place beside
 * this file; `source` is another place, its bytes, or the compiled module.
 */
export function init(source?: Source | WebAssembly.Module): Promise<void> {
  return instance.init(source);
}

/** A board of chess. Chess960 needs no switch: its castling rights are in the position. */
export class Chess extends ChessBoard {
  constructor(fen?: string, options?: BoardOptions) {
    super(instance, fen, options);
  }

  /** Makes a board at the start position of Chess960 with this number, 0 to 959; 518 is the position of chess. */
  static fromChess960(number: number): Chess {
    return chess960(instance, Chess, number);
  }
}

/** A board of xiangqi. Squares are `a0` to `i9`. */
export class Xiangqi extends XiangqiBoard {
  constructor(fen?: string, options?: BoardOptions) {
    super(instance, fen, options);
  }
}

/** A board of Othello. A side without a move passes: `pass` is then its only legal move. */
export class Othello extends OthelloBoard {
  constructor(fen?: string, options?: BoardOptions) {
    super(instance, fen, options);
  }
}

const CLASSES = { chess: Chess, xiangqi: Xiangqi, othello: Othello };

function classOf(game: GameName): (typeof CLASSES)[GameName] {
  if (typeof game !== 'string' || !Object.hasOwn(CLASSES, game)) {
    const games = Object.keys(CLASSES).join(', ');
    throw new AlfilError('invalid-argument', `there is no game ${JSON.stringify(game)}: the games are ${games}`);
  }
  return CLASSES[game];
}

/** Makes a board of a game by its name. */
export function createBoard(game: GameName, fen?: string, options?: BoardOptions): Board {
  return new (classOf(game))(fen, options);
}

function adoptBoard(game: GameName, id: number): Board {
  return Board.adopt(classOf(game) as new (fen: any) => Board, id);
}

/** Returns the issues of a position text. */
export function positionIssues(game: GameName, fen: string): Issue[] {
  return issuesOf(instance, game, fen);
}

/** Returns whether a position text can be read and played, as chess.js does, and why not. */
export function validateFen(game: GameName, fen: string): { ok: true } | { ok: false; error: string } {
  return validate(instance, game, fen);
}

/** Returns the board as text, with the characters of the game, or as a picture in SVG. */
export function draw(board: Board, style: 'hanzi' | 'letters' | 'ascii' | 'svg' = 'letters'): string {
  const { place } = instanceOf(board, Board, 'board');
  return style === 'svg' ? instance.callOn(place, 'svg') : instance.callOn(place, 'text', { style });
}

/**
 * Reads a file of games of any format that Alfil reads: PGN of all games, XQF, CBR, CBL, CBF, UBB, DhtmlXQ, WXF, GGF,
 * SGF, WTHOR, OBF, transcripts; text in UTF-8, GB18030, Big5 or Windows-1252. `game` names the game where the file does
 * not.
 */
export function readGames(file: GameFile, options?: { game?: GameName }): GameReader {
  return new GameReader(instance, adoptBoard, file, optionsOf(options, ['game']).game);
}

/** Makes a game of the moves of a board, with its headers and comments; `header` has more tags, and the result. */
export function gameOf(board: Board, header?: GameHeader): Game {
  return gameOfBoard(instance, adoptBoard, board, header);
}

/** Writes games of one kind as one file: `pgn`, or one of the formats of the game that are written. */
export function writeGames(games: Iterable<Game>, options?: { format?: string; notation?: string }): Uint8Array {
  const { format, notation } = optionsOf(options, ['format', 'notation']);
  return write(instance, games, format, notation);
}

/** An engine in a worker of its own. It keeps what it found for the next search, and answers one call at a time. */
export class Engine extends EngineBase {
  private constructor(options: EngineOptions) {
    super(instance, options);
  }

  /** Starts an engine, and loads the network of the game. */
  static async start(options: EngineOptions): Promise<Engine> {
    classOf(options?.game);
    const { network = 'default' } = optionsOf(options, ['game', 'hash', 'rules', 'network']);
    const source = isBytes(network) ? copyOf(network) : network;
    await instance.init();
    const engine = new Engine(options);
    try {
      await engine.prepare(source);
    } catch (error) {
      engine.quit();
      throw error;
    }
    return engine;
  }
}

/** Returns the number of objects that the module holds: for tests of leaks. */
export function liveObjects(): number {
  return instance.liveObjects();
}
