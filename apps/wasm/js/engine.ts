/// <reference lib="esnext.disposable" preserve="true" />

import { optionsOf } from './arguments.js';
import { Board, type GameName, type Move } from './board.js';
import { EngineWorker } from './engine-worker.js';
import { AlfilError } from './errors.js';
import type { Instance } from './instance.js';
import { load, type Source } from './platform.js';

/** The networks of the package: files of their own, loaded when an engine needs them. */
const NETWORKS: Partial<Record<GameName, URL>> = {
  chess: new URL('./networks/chess.nnue', import.meta.url),
  othello: new URL('./networks/othello.nnue', import.meta.url),
  xiangqi: new URL('./networks/xiangqi.nnue', import.meta.url),
};

/** The options of an engine. */
export interface EngineOptions {
  game: GameName;
  /** The size of the table, in MiB, 1 to 1024; 32 by default. */
  hash?: number;
  /** The ruleset of xiangqi by which repetitions are searched. */
  rules?: string;
  /**
   * The network that evaluates: `default` is the one of the package, where the game has one; null stands for the
   * hand-made terms; else the file, or where it is.
   */
  network?: 'default' | null | Exclude<Source, string>;
}

/** A position to search: a board, a board as JSON, or a text with the moves that follow it. */
export type EnginePosition = Board | { game?: GameName; fen?: string; moves?: string[] };

/** The limits of a search; the first that is reached ends it. Times are in milliseconds. */
export interface Limits {
  /** The maximum depth, in plies. */
  depth?: number;
  /** The maximum number of positions. */
  nodes?: number;
  /** The maximum time. */
  time?: number;
  /** A forced win in this number of moves ends the search. */
  mate?: number;
  /** The time left on the clock of the side to move. */
  clock?: number;
  /** The time added after each move. */
  increment?: number;
  /** The number of moves until the next time control. */
  movesToGo?: number;
  /** The skill level, 1 to 10; full strength by default. */
  level?: number;
  /** The seed of the random choices of a skill level; a new one by default. */
  seed?: number;
  /** The number of best lines. */
  multipv?: number;
  /** The only moves to search, in coordinates. */
  rootMoves?: string[];
  /** Stops the search. */
  signal?: AbortSignal;
}

/** The names of all limits. */
const LIMITS = [
  'depth', 'nodes', 'time', 'mate', 'clock', 'increment', 'movesToGo', 'level', 'seed', 'multipv', 'rootMoves', 'signal',
] as const satisfies (keyof Limits)[];

/** The state of a search after an iteration. */
export interface Report {
  /** The number of the line, from 1. */
  multipv: number;
  depth: number;
  seldepth: number;
  /** In centipawns, in Othello hundredths of a disc; positive if the side to move is better. */
  score: number;
  /**
   * Whether the score is exact, or a lower or an upper bound. It may be a bound while the solver of Othello runs, and
   * when an iteration is stopped.
   */
  bound: 'exact' | 'lower' | 'upper';
  /** The number of moves to a forced win, negative to a forced loss. */
  mate: number | null;
  nodes: number;
  /** The positions a second. */
  nps: number;
  /** The time since the start, in milliseconds. */
  time: number;
  /** The part of the table in use, in permille. */
  hashfull: number;
  /** The best line in coordinates. */
  pv: string[];
  /** The same line as people write it. */
  san: string[];
}

/** The result of a search. */
export interface SearchResult {
  /** The move to play, in coordinates; null where there is no legal move. */
  bestMove: string | null;
  /** The last report of the best line. */
  report: Report | null;
  /** The internal error that ended the search early. */
  failure: string | null;
}

/** An exact solution of a position of Othello. */
export interface Solution {
  /** The final score for the side to move in discs; 1, 0 or -1 if only the outcome was requested. */
  score: number;
  bestMove: string | null;
  pv: string[];
  nodes: number;
}

/** A running search: iterate over its reports, or await its result. */
export class Search implements AsyncIterable<Report> {
  /** The result, when the search is over. */
  readonly result: Promise<SearchResult>;
  private readonly reports: Report[] = [];
  private best: Report | null = null;
  private isOver = false;
  private wake: () => void = () => {};
  private changed: Promise<void>;
  private readonly number: number;
  private readonly worker: EngineWorker;

  /** @internal */
  constructor(worker: EngineWorker, request: Record<string, unknown>, fallback: () => string | null, signal?: AbortSignal) {
    this.worker = worker;
    this.changed = new Promise((resolve) => (this.wake = resolve));
    const { number, answer } = worker.call('engine.search', request, {
      onReport: (report) => this.receive(report as Report),
      onEnd: () => ({ bestMove: this.best?.pv[0] ?? fallback(), failure: null }),
    });
    this.number = number;
    const stop = () => this.stop();
    signal?.addEventListener('abort', stop);
    this.result = answer
      .then((result) => ({ ...result, report: this.best }))
      .finally(() => {
        signal?.removeEventListener('abort', stop);
        this.isOver = true;
        this.wake();
      });
    // A caller that awaits the result receives its error; one that does not must not be ended by it.
    this.result.catch(() => {});
    if (signal?.aborted) this.stop();
  }

  private receive(report: Report): void {
    if (report.multipv === 1) this.best = report;
    this.reports.push(report);
    this.wake();
    this.changed = new Promise((resolve) => (this.wake = resolve));
  }

  /** Requests the end of the search; its result still comes. */
  stop(): void {
    this.worker.stop(this.number);
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Report> {
    let next = 0;
    try {
      for (;;) {
        while (next < this.reports.length) yield this.reports[next++] as Report;
        if (this.isOver) break;
        await this.changed;
      }
      // An error of the search is one of the loop.
      await this.result;
    } finally {
      // A loop that is left ends the search.
      this.stop();
    }
  }
}

/** The workers of engines to which no reference is left. */
const abandoned = new FinalizationRegistry<EngineWorker>((worker) => worker.quit());

/** An engine in a worker of its own. It keeps what it found for the next search, and answers one call at a time. */
export class Engine {
  readonly game: GameName;
  private readonly instance: Instance;
  private readonly worker: EngineWorker;

  /** @internal */
  constructor(instance: Instance, options: EngineOptions) {
    const { game, hash, rules } = options;
    this.game = game;
    this.instance = instance;
    this.worker = new EngineWorker(instance.module, { game, hash, rules });
    abandoned.register(this, this.worker, this.worker);
  }

  /** @internal */
  async prepare(network: EngineOptions['network']): Promise<void> {
    const source = network === 'default' ? (NETWORKS[this.game] ?? null) : (network ?? null);
    await this.setNetwork(source);
  }

  /** Chooses the network that evaluates; null stands for the hand-made terms. Returns its description. */
  async setNetwork(source: Exclude<Source, string> | null): Promise<string | null> {
    const file = source === null ? new Uint8Array() : await load(source, 'the network');
    if (source !== null && file.length === 0) throw new AlfilError('load', 'the network is an empty file');
    return this.call('engine.setNetwork', {}, file);
  }

  /** Starts a search. Without a limit it runs until it is stopped. */
  go(position: EnginePosition = {}, limits?: Limits): Search {
    const { signal, seed, ...rest } = optionsOf(limits, LIMITS);
    if (signal && typeof signal.addEventListener !== 'function') {
      throw new AlfilError('invalid-argument', `the limit signal is ${String(signal)}: give an AbortSignal`);
    }
    // The request is sent later, when the caller may have changed the array.
    if (Array.isArray(rest.rootMoves)) rest.rootMoves = [...rest.rootMoves];
    for (const [name, value] of Object.entries({ ...rest, seed })) {
      if (typeof value === 'number' && !Number.isFinite(value)) {
        throw new AlfilError('invalid-argument', `the limit ${name} is ${value}: give a finite number`);
      }
    }
    const request = this.requestOf(position, {
      limits: { ...rest, seed: seed ?? Math.floor(Math.random() * Number.MAX_SAFE_INTEGER) },
    });
    return new Search(this.worker, request, () => this.firstMove(request), signal);
  }

  /** Searches a position and returns the move to play; null where there is no legal move. There must be a limit. */
  async best(position: EnginePosition, limits: Limits): Promise<Move | null> {
    const { depth, nodes, time, clock, signal } = optionsOf(limits, LIMITS);
    if ([depth, nodes, time, clock, signal].every((limit) => limit === undefined || limit === null)) {
      throw new AlfilError('invalid-argument', 'the search has no limit: give depth, nodes, time, clock or signal');
    }
    // The caller may change or free the board during the search.
    const request = this.requestOf(position, {});
    const { bestMove, failure } = await this.go(request as EnginePosition, limits).result;
    if (failure) throw new AlfilError('internal', failure);
    if (bestMove === null) return null;
    return this.onBoard(request, (id) => this.instance.call('board.parse', { id, text: bestMove }));
  }

  /** Returns the static evaluation for the side to move: centipawns, in Othello hundredths of a disc. */
  async evaluate(position: EnginePosition = {}): Promise<number> {
    return this.call('engine.evaluate', this.requestOf(position, {}));
  }

  /** Solves a position of Othello exactly. The time grows with the number of empty squares. */
  async solve(position: EnginePosition, options?: { outcomeOnly?: boolean }): Promise<Solution> {
    const request = this.requestOf(position, { outcomeOnly: optionsOf(options, ['outcomeOnly']).outcomeOnly });
    return this.call('engine.solve', request);
  }

  /** Returns the number of nodes of a fixed search: that of the program with the same network. */
  async bench(): Promise<number> {
    return this.call('engine.bench');
  }

  /** Clears the transposition table and the histories of earlier searches. */
  async clear(): Promise<void> {
    return this.call('engine.clear');
  }

  /** Stops the search that runs. `solve` and the other calls are ended by `quit` alone. */
  stop(): void {
    this.worker.stopCurrent();
  }

  toJSON(): { game: GameName } {
    return { game: this.game };
  }

  /** Ends the engine and its worker. */
  quit(): void {
    abandoned.unregister(this.worker);
    this.worker.quit();
  }

  [Symbol.dispose](): void {
    this.quit();
  }

  private call(call: string, request: Record<string, unknown> = {}, file?: Uint8Array): Promise<any> {
    return this.worker.call(call, request, { file, owner: this }).answer;
  }

  private checkGame(game: GameName): void {
    if (game === this.game) return;
    throw new AlfilError('invalid-argument', `an engine for ${this.game} cannot search a board of ${String(game)}`);
  }

  private requestOf(position: EnginePosition, rest: Record<string, unknown>): Record<string, unknown> {
    if (position instanceof Board) {
      this.checkGame(position.game);
      const notation = position.notations()[0];
      return { ...rest, fen: position.startFen(), moves: position.history({ notation }) };
    }
    const isObject = typeof position === 'object' && position !== null;
    const wrong = isObject ? Object.keys(position).find((key) => !['game', 'fen', 'moves'].includes(key)) : String(position);
    if (wrong !== undefined) {
      const message = `a position is a board, or an object with fen and moves; found ${wrong}`;
      throw new AlfilError('invalid-argument', message);
    }
    // The request is sent later, when the caller may have changed the array.
    const { game, fen, moves } = position;
    if (game !== undefined) this.checkGame(game);
    return { ...rest, fen, moves: Array.isArray(moves) ? [...moves] : moves };
  }

  /** The answer to a search that was ended before its first report: a move that was allowed. */
  private firstMove(request: Record<string, unknown>): string | null {
    const [allowed] = (request.limits as Limits | undefined)?.rootMoves ?? [];
    if (allowed !== undefined) return allowed;
    return this.onBoard(request, (id) => {
      const [notation] = this.instance.call('board.notations', { id });
      return this.instance.call('board.moves', { id, notation })[0] ?? null;
    });
  }

  /** Calls a function with the number of a board of the request, which is freed afterwards. */
  private onBoard<T>(request: Record<string, unknown>, use: (id: number) => T): T {
    const id = this.instance.call('board.new', { ...request, game: this.game, waive: ['all'] });
    try {
      return use(id);
    } finally {
      this.instance.call('module.dispose', { text: 'board', id });
    }
  }
}
