import { type EngineOptions, loadEngineOptions } from './engine-options';
import type { Arrow } from '../board/src/types';
import { type Language, browserLanguage } from './messages';
import { MoveTree } from './move-tree';
import { DEFAULT_LEVEL, loadPreference } from './preferences';
import type { GameFiles } from './file-field';
import type {
  SearchInfoDto,
  AppearanceDto,
  GameDto,
  GameName,
  ImportProgress,
  LibraryQuery,
  EditDto,
  EditsDto,
  PositionDto,
  ReviewDto,
  SavedGame,
  Side,
  TacticalMarkDto,
  TargetDto,
  StorageDto,
  TurnDto,
  TimeControlDto,
  TrialDto,
} from './wire/types';

/** Imported text that belongs to another game than the open one. */
export interface OtherGameText {
  game: string;
  text: string;
  /** Whether each character of the text stands for a byte of a file that is not UTF-8. */
  bytes: boolean;
}

/** A notice about a change. */
export type Notice =
  | { kind: 'movesDeleted'; count: number }
  | { kind: 'gameDeleted' }
  | { kind: 'gameRestored' }
  | { kind: 'gamesDeleted' | 'gamesDeletedAgain' | 'gamesRestored' | 'deletedGamesRestored'; count: number }
  | { kind: 'collectionDeleted' | 'collectionRestored' | 'collectionRenamed'; name: string }
  | { kind: 'detailsChanged' | 'detailsRestored' }
  | { kind: 'undo' | 'redo'; edit: EditDto };

/** Why the library is opened: to import a file, or to show what was imported. */
export interface LibraryRequest {
  file?: GameFiles;
  imported?: ImportProgress;
}

/** A mistake of the reviewed game that the user tries to improve. */
export interface Retry {
  /** The moves to retry, in the order of the game, and the place of the present one among them. */
  mistakes: number[];
  index: number;
  /** The position in which the mistake was made. */
  node: number;
  /** `open`: the user has to move; `judging`: the server judges the move; then its judgement, or the solution. */
  stage: 'open' | 'judging' | 'wrong' | 'right' | 'solved';
  /** 0: no hint yet; 1: the piece is shown; 2: the square is shown, too. */
  hints: 0 | 1 | 2;
  trial?: TrialDto;
  /** Whether the engine was on before; it is off meanwhile, because it would show the solution. */
  engineOn: boolean;
}

/** The state from which the page is rendered. */
export interface UiState {
  /** The games that the server offers. */
  games: GameName[];
  /** The saved games that were loaded so far. */
  savedGames: SavedGame[];
  hasMoreSavedGames: boolean;
  game?: GameDto;
  appearance?: AppearanceDto;
  position?: PositionDto;
  /** When the position was received, as `performance.now()`. The clocks count down from there. */
  positionReceivedAt: number;
  tree: MoveTree;
  /** The node of the tree whose position is on the board. */
  node: number;
  /** The skill level of the computer in the next new game. */
  level: number;
  /** The time for a reply of the computer, in seconds; 0 if its clock decides. */
  replySeconds: number;
  /** Whose turn it is, as the server says. */
  turn: TurnDto;
  /** Whether the engine searches a hint. Meanwhile the user may move. */
  searchesHint: boolean;
  /** The node after the computer's last move, if that comes from the opening book. */
  bookNode: number | undefined;
  /** Whether the search waits for the searches of other games. */
  searchQueued: boolean;
  flipped: boolean;
  muted: boolean;
  /** Whether the pieces of the open game have their alternative drawing. */
  pictures: boolean;
  language: Language;
  connected: boolean;
  /** What the server says of the saved games: changes are not saved, or their file is another one. */
  storage?: StorageDto;
  /** Why the last request failed. */
  error?: string;
  /** An error that belongs to no request. It stays until the user closes it, or opens or closes a dialog. */
  standaloneError?: string;
  /** Whether the last search stopped because of an internal error. */
  engineFailed?: boolean;
  otherGameText?: OtherGameText;
  /** What was changed last, with a button that undoes or redoes it. */
  notice?: Notice;
  /** Set when the library has to be opened. */
  libraryRequest?: LibraryRequest;
  /** The list of the library from which the game with this id was opened, and its place there. */
  listedGame?: { id: string; query: LibraryQuery; index: number; total: number };
  /** The edits of the open game that can be undone and redone. */
  edits?: EditsDto;
  /** The move that the engine recommends. */
  hint?: TargetDto;
  /**
   * Arrows and rings that explain something: what a piece chases, or the move of a retry. They take the place of the
   * engine's arrows.
   */
  explanationArrows: Arrow[];
  engineOn: boolean;
  lineCount: number;
  /** The engine's lines for the position, the best first. */
  analysisLines: SearchInfoDto[];
  analysing: boolean;
  /** Whether the engine searches what the opponent would play after a pass. */
  threatOn: boolean;
  engineOptions: EngineOptions;
  /** The external engine that analyses; undefined for the built-in one. */
  analyser?: string;
  xray: boolean;
  tacticalMarks: TacticalMarkDto[];
  /** The number of positions that the running review has evaluated; undefined if no review runs. */
  reviewedPositions?: number;
  /** The review of the open game, if it was reviewed. */
  review?: ReviewDto;
  retry?: Retry;
  /** The text of the refused move that the user has tried to play. */
  refusedMove?: string;
  /** The moves that the user may enter before the computer's reply. */
  premoveTargets: TargetDto[];
  /** The move that the user has entered before the computer's reply. */
  premove?: Pick<TargetDto, 'from' | 'to' | 'choice'>;
  /** Whether the board turns to the side to move when two people play. */
  turnsBoard: boolean;
  /** Whether the moves of a piece are shown under the pointer. */
  showsMoves: boolean;
}

/** The part of the state that says that nothing is known about the position. */
export const NO_FINDINGS = { analysisLines: [], hint: undefined, refusedMove: undefined, tacticalMarks: [], explanationArrows: [], threatOn: false } satisfies Partial<UiState>;

/** Whose turn it is while no game is open. */
export const NO_TURN: TurnDto = { next: 'wait' };

/** Returns the state before the first response of the server. */
export function initialState(): UiState {
  return {
    games: [],
    savedGames: [],
    hasMoreSavedGames: false,
    positionReceivedAt: 0,
    tree: new MoveTree(),
    node: 0,
    level: Number(loadPreference('level', String(DEFAULT_LEVEL))),
    replySeconds: Number(loadPreference('seconds', '1')),
    turn: NO_TURN,
    searchesHint: false,
    bookNode: undefined,
    searchQueued: false,
    flipped: false,
    muted: loadPreference('muted', 'no') === 'yes',
    pictures: false,
    language: loadPreference('language', browserLanguage()) === 'zh' ? 'zh' : 'en',
    connected: true,
    engineOn: false,
    lineCount: Number(loadPreference('lines', '3')),
    analysisLines: [],
    explanationArrows: [],
    analysing: false,
    threatOn: false,
    engineOptions: loadEngineOptions(),
    xray: false,
    tacticalMarks: [],
    premoveTargets: [],
    turnsBoard: loadPreference('turnsBoard', 'no') === 'yes',
    showsMoves: loadPreference('showsMoves', 'yes') === 'yes',
  };
}

/** Returns whether a game is played, against the computer or by two people; an analysis is not. */
export function isPlayed(game: GameDto | undefined): boolean {
  return game !== undefined && (game.person !== null || Boolean(game.two_people));
}

/** Returns whether a game is one of the computer against itself, which the user watches. */
export function isWatched(game: GameDto | undefined): boolean {
  return game?.levels !== undefined;
}

/** Returns what the engine searches for the game: the computer's reply, perhaps to another position, or a hint. */
export function searchedMove({ turn, searchesHint }: UiState): 'reply' | 'hint' | undefined {
  if (turn.replying) return 'reply';
  return searchesHint ? 'hint' : undefined;
}

/** Returns whether a reply of the computer did not come and waits for the user. */
export function isReplyMissing({ turn, connected, reviewedPositions }: UiState): boolean {
  const isMissing = turn.reason === 'reply_failed' || turn.reason === 'reply_stopped';
  return isMissing && connected && reviewedPositions === undefined;
}

/** Returns the side that has run out of time. In analysis the clock does not count. */
export function timeForfeitSide({ game, position }: UiState): Side | null {
  return isPlayed(game) ? (position?.clock?.flagged ?? null) : null;
}

/** Returns the side that has resigned. In analysis a resignation does not count, here as on the server. */
export function resignedSide({ game }: UiState): Side | null {
  return isPlayed(game) ? (game?.resigned ?? null) : null;
}

/** Returns whether the game is over: by the rules, by resignation or on time. */
export function isGameOver(state: UiState): boolean {
  return Boolean(state.position?.ending) || resignedSide(state) !== null || timeForfeitSide(state) !== null;
}

/**
 * Returns the side at the bottom of the board: the user, in analysis the first side, unless the board was flipped. Two
 * people may have the board turned to the side to move.
 */
export function bottomSide({ game, flipped, turnsBoard, position }: UiState): Side {
  const player = game?.two_people && turnsBoard ? position?.side : game?.person;
  return (player === 1) === flipped ? 0 : 1;
}

/** Returns whether a game that is played is open and an earlier position of it is on the board. */
export function isEarlierPosition({ game, tree, node }: UiState): boolean {
  return isPlayed(game) && tree.children(node).length > 0;
}

/** Returns the time control of the open game, which a new game takes over. */
export function currentTimeControl({ position, game }: UiState): TimeControlDto | undefined {
  const clock = position?.clock;
  return clock && isPlayed(game) ? { base: clock.base, increment: clock.increment } : undefined;
}

/** How a new game starts, if not from the standard position and without a clock. */
export interface StartOptions {
  fen?: string;
  /** The names of the setup issues that the user allows. */
  waive?: string[];
  clock?: TimeControlDto;
  /** Whether two people play at this screen. */
  two_people?: boolean;
  /** The external engine that plays against the user. */
  engine?: string;
  /** The levels of both sides, if the computer plays against itself. */
  levels?: [number, number];
  /** Whether the level that the user has chosen for new games stays. */
  keepsLevel?: boolean;
}

/** Returns the time for a reply in milliseconds; undefined if the computer's clock decides. */
export function replyTimeMs({ replySeconds }: UiState): number | undefined {
  return replySeconds > 0 ? Math.round(1000 * replySeconds) : undefined;
}
