/// <reference lib="esnext.disposable" preserve="true" />

import { instanceOf, itemsOf, objectOf, optionsOf } from './arguments.js';
import { Board, type GameName, type Result } from './board.js';
import { AlfilError } from './errors.js';
import type { Instance, Place } from './instance.js';

/** A file of games: its bytes, or its text. */
export type GameFile = string | ArrayBuffer | ArrayBufferView;

/** A move of a game with its annotation. Node 0 is the start. */
export interface GameNode {
  index: number;
  /** The node before this one; null for the start. */
  parent: number | null;
  /** The move in coordinates, `0000` for a null move; null for the start. */
  move: string | null;
  commentBefore: string;
  comment: string;
  /** The numeric annotation glyphs. */
  nags: number[];
  /** The evaluation in centipawns, for the side with the first move. */
  score: number | null;
  /** The number of moves to mate. */
  mate: number | null;
  /** The time on the clock after the move, in milliseconds. */
  clock: number | null;
  /** The time that the move took, in milliseconds. */
  elapsed: number | null;
}

/** What the module says of a game. */
interface GameFacts {
  id: number;
  number: number;
  offset: number | null;
  game: GameName | '';
  tags: [string, string][];
  result: Result;
  start: string | null;
  error: string | null;
  warnings: string[];
}

/** What a game to write has beside its moves. */
export interface GameHeader {
  /**
   * Tags, in place of the headers of the board with their names. The tag `Result` is the result of the game if `result`
   * is not given; `FEN` and `SetUp` are passed over: the position of the board counts.
   */
  tags?: Record<string, string>;
  result?: Result;
}

type AdoptBoard = (game: GameName, id: number) => Board;

/** A game of a file: moves with variations, comments, clocks and evaluations. */
export class Game {
  /** The name of the game; empty if nothing could be read. */
  readonly game: GameName | '';
  /** The number of the game in its file, from 1. */
  readonly number: number;
  /** The byte offset of the game in its file; null in formats that are read as a whole. */
  readonly offset: number | null;
  /** The tags in the order of the file. */
  readonly tags: readonly (readonly [string, string])[];
  readonly result: Result;
  /** The text of the initial position; null for the start position of the game. */
  readonly start: string | null;
  /** The place and reason of the error that ended the game; null if it was read to its end. */
  readonly error: string | null;
  /** The parts that were skipped in reading. */
  readonly warnings: readonly string[];
  /** @internal */
  readonly instance: Instance;
  /** @internal */
  readonly place: Place;
  /** @internal */
  readonly adoptBoard: AdoptBoard;

  /** @internal */
  constructor(instance: Instance, adoptBoard: AdoptBoard, facts: GameFacts) {
    this.instance = instance;
    this.adoptBoard = adoptBoard;
    this.game = facts.game;
    this.number = facts.number;
    this.offset = facts.offset;
    this.tags = facts.tags;
    this.result = facts.result;
    this.start = facts.start;
    this.error = facts.error;
    this.warnings = facts.warnings;
    this.place = instance.adopt(this, 'game', facts.id);
  }

  /** The tags as an object; of tags with one name, the first. */
  get headers(): Record<string, string> {
    return Object.fromEntries([...this.tags].reverse());
  }

  /** Returns the start and the moves. A move follows its parent, and the main continuation precedes alternatives. */
  nodes(): GameNode[] {
    return this.instance.callOn(this.place, 'nodes');
  }

  /** Returns the nodes of the main line, without the start. */
  mainLine(): GameNode[] {
    const line: GameNode[] = [];
    let last = 0;
    for (const node of this.nodes()) {
      if (node.index !== 0 && node.parent === last) {
        line.push(node);
        last = node.index;
      }
    }
    return line;
  }

  /** Returns the moves of the main line in coordinates. */
  moves(): string[] {
    return this.mainLine().map((node) => node.move ?? '');
  }

  /** Returns a board at a node, with the moves that lead there; by default at the end of the main line. */
  board(node?: number): Board {
    const number = node ?? this.mainLine().at(-1)?.index ?? 0;
    const id = this.instance.callOn(this.place, 'board', { number });
    return this.adoptBoard(this.game as GameName, id);
  }

  /** Returns the game as PGN, with its moves in the record notation nearest to `notation`. */
  pgn(options?: { notation?: string }): string {
    return this.instance.callOn(this.place, 'pgn', { notation: optionsOf(options, ['notation']).notation });
  }

  /** Returns what the game is, with its nodes. */
  toJSON(): object {
    const { game, number, tags, result, start, error, warnings } = this;
    return { game, number, tags, result, start, error, warnings, nodes: this.nodes() };
  }

  /** Frees the game now. Without it, that happens some time after the last reference to it is gone. */
  dispose(): void {
    this.instance.dispose(this.place);
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** A file of games that is read one by one. */
export class GameReader implements Iterable<Game> {
  /** @internal */
  readonly instance: Instance;
  /** @internal */
  readonly adoptBoard: AdoptBoard;
  /** @internal */
  readonly place: Place;

  /** @internal */
  constructor(instance: Instance, adoptBoard: AdoptBoard, file: GameFile, game: GameName | undefined) {
    this.instance = instance;
    this.adoptBoard = adoptBoard;
    this.place = instance.adopt(this, 'reader', instance.call('reader.new', { game }, bytesOf(file)));
  }

  /** The format of the file: `pgn`, `xqf`, `wthor` and others; null for text of no certain format, read as PGN. */
  get format(): string | null {
    return this.instance.callOn(this.place, 'format');
  }

  /** Returns the next game; undefined at the end of the file. */
  next(): Game | undefined {
    const facts = this.instance.callOn(this.place, 'next');
    return facts ? new Game(this.instance, this.adoptBoard, facts) : undefined;
  }

  *[Symbol.iterator](): Iterator<Game> {
    for (let game = this.next(); game; game = this.next()) yield game;
  }

  /** Frees the reader and its copy of the file now. */
  dispose(): void {
    this.instance.dispose(this.place);
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

function bytesOf(file: GameFile): Uint8Array {
  if (typeof file === 'string') return new TextEncoder().encode(file);
  if (ArrayBuffer.isView(file)) return new Uint8Array(file.buffer, file.byteOffset, file.byteLength);
  if (file instanceof ArrayBuffer) return new Uint8Array(file);
  throw new AlfilError('invalid-argument', 'a file must be a text, an ArrayBuffer or a typed array');
}

/** Makes a game of the moves of a board. */
export function gameOfBoard(
  instance: Instance,
  adoptBoard: AdoptBoard,
  board: Board,
  header?: GameHeader,
): Game {
  const { tags, result } = optionsOf(header, ['tags', 'result']);
  const { place } = instanceOf(board, Board, 'board');
  const id = instance.number(place);
  const comments = board.getComments().map(({ fen, comment }): [string, string] => [fen, comment]);
  // The result and the start are no tags of a game that is read either: they are the game's own.
  const { Result: tagged, FEN: _fen, SetUp: _setUp, ...others } = { ...board.getHeaders(), ...objectOf(tags) };
  const facts = instance.call('game.new', { id, tags: Object.entries(others), comments, result: result ?? tagged });
  return new Game(instance, adoptBoard, facts);
}

/** Writes games of one kind as one file. */
export function writeGames(
  instance: Instance,
  games: Iterable<Game>,
  format: string | undefined,
  notation: string | undefined,
): Uint8Array {
  // The places stay with their games, which live until the call returns.
  const list = itemsOf(games, 'games');
  const ids = list.map((game) => instance.number(instanceOf(game, Game, 'game').place));
  return instance.call('game.write', { ids, format, notation });
}
