import type { Arrow } from './board/types';
import { loadPreference } from './preferences';
import { Tree } from './tree';
import { type Language, browserLanguage } from './messages';
import type { GameName, GameDto, SavedGame, AppearanceDto, TimeControlDto, PositionDto, Side, TacticalMarkDto, TargetDto, AnalysisLineEvent } from './protocol';

/** Everything the page shows. */
export interface Shown {
  games: GameName[];
  /** The games that are kept, as far as they were asked for, and whether there are more. */
  kept: SavedGame[];
  more: boolean;
  game?: GameDto;
  look?: AppearanceDto;
  position?: PositionDto;
  /** When the position came, in the milliseconds of `performance.now()`: clocks count down from there. */
  heard: number;
  tree: Tree;
  /** Where in the tree the position stands. */
  node: number;
  /** The level of the next game's computer, and its time for a reply in seconds; 0 for as long as its clock allows. */
  level: number;
  seconds: number;
  thinking: boolean;
  /** Whether others are thinking first. */
  queued: boolean;
  flipped: boolean;
  muted: boolean;
  pictures: boolean;
  language: Language;
  connected: boolean;
  /** Why the last thing asked for was not done. */
  trouble?: string;
  /** Whether the engine broke off when it was asked last. */
  broken?: boolean;
  /** What was pasted and belongs to another kind of game. */
  stray?: { game: string; text: string; bytes: boolean };
  /** A move shown to the person. */
  hint?: TargetDto;
  /** Arrows of the judge: what a move of a repetition attacks. */
  attacks: Arrow[];
  engine: boolean;
  lines: number;
  /** What the engine found about this position, by rank. */
  thoughts: AnalysisLineEvent[];
  /** Whether it is still at it. */
  analysing: boolean;
  xray: boolean;
  sights: TacticalMarkDto[];
  /** How many positions a review has done, while it lasts. */
  reviewed?: number;
  /** A forced pass is about to be played. */
  passing: boolean;
}

const FIRST_LEVEL = 3;

/** What is shown before the server has said anything. */
export function fresh(): Shown {
  return {
    games: [],
    kept: [],
    more: false,
    heard: 0,
    tree: new Tree(),
    node: 0,
    level: Number(loadPreference('level', String(FIRST_LEVEL))),
    seconds: Number(loadPreference('seconds', '1')),
    thinking: false,
    queued: false,
    flipped: false,
    muted: loadPreference('muted', 'no') === 'yes',
    pictures: loadPreference('pictures', 'no') === 'yes',
    language: loadPreference('language', browserLanguage()) === 'zh' ? 'zh' : 'en',
    connected: true,
    engine: false,
    lines: Number(loadPreference('lines', '3')),
    thoughts: [],
    attacks: [],
    analysing: false,
    xray: false,
    sights: [],
    passing: false,
  };
}

/** The side whose time is over. In analysis nobody's time counts. */
export function flagged({ game, position }: Shown): Side | null {
  return game && game.person !== null ? (position?.clock?.flagged ?? null) : null;
}

/** Whether the game is over: by the rules, by the clock, or because somebody gave up. */
export function over(shown: Shown): boolean {
  const { position, game } = shown;
  return Boolean(position?.ending) || (game !== undefined && game.resigned !== null) || flagged(shown) !== null;
}

/** The clock by which the game is played, for another one. */
export function pace({ position, game }: Shown): TimeControlDto | undefined {
  const clock = position?.clock;
  return clock && game?.person !== null ? { base: clock.base, increment: clock.increment } : undefined;
}
