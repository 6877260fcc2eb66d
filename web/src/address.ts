import { writeBelowDialogs } from './dialog-entries';
import { savePreference } from './preferences';
import type { GameDto, Side } from './wire/types';
import type { UiState } from './ui-state';

/**
 * How a game without moves and edits was started. The server does not save such a game, so its entry in the browser
 * history holds what is needed to start it again.
 */
interface NewGameState {
  game: string;
  person: Side | null;
  two_people?: boolean;
  level: number;
  /** The levels of both sides, if the computer plays against itself. */
  levels?: [number, number];
  /** The external engine that plays against the user: the game that is started again has another id. */
  opponent?: string;
}

/** Returns the id of the game and the number of the node in the address `#game/ID/NODE`. */
export function parseAddress(): [id: string | undefined, node: number | undefined] {
  const found = /^#game\/([0-9a-z]+)(?:\/(\d+))?/.exec(location.hash);
  return [found?.[1], found?.[2] === undefined ? undefined : Number(found[2])];
}

/** Returns how to start the game at the address, if that game has no moves and was not saved. */
export function newGameState(): NewGameState | null {
  const state = history.state as Partial<NewGameState> | null;
  return state?.game === undefined ? null : (state as NewGameState);
}

/** Whether the address leads to nothing any more, until it is written again. */
let leadsToNothing = false;

/**
 * Writes the game and the node to the address. Another game gets a new entry in the browser history, except if the game
 * before it has no moves, or with `replace`, when the address leads to nothing. It stays while a dialog is open.
 */
export function updateAddress(state: UiState, replace = false): void {
  leadsToNothing ||= replace;
  writeBelowDialogs(() => {
    writeAddress(state, leadsToNothing);
    leadsToNothing = false;
  });
}

function writeAddress({ game, games, tree, node, position, edits }: UiState, replace: boolean): void {
  if (!game) return;
  const start = tree.node(0);
  const isEdited = edits?.undo || edits?.redo || game.tags.length > 0 || start?.comment || start?.shapes?.length;
  const unsaved = tree.moveCount === 0 && game.start === 'startpos' && !position?.clock && !isEdited;
  const first = location.hash === '' || location.hash === '#';
  if (!unsaved) savePreference('game', game.id);
  // An empty address begins such a game.
  const isDefault = game.game === games[0]?.game && game.person === 0 && !game.engine;
  if (unsaved && first && isDefault) return;
  const { person, two_people, level, levels, engine } = game;
  const state: NewGameState | null = unsaved ? { game: game.game, person, two_people, level, levels, opponent: engine } : null;
  const address = `#game/${game.id}/${node}`;
  const sameEntry = replace || first || newGameState() !== null || location.hash.startsWith(`#game/${game.id}/`);
  if (sameEntry) history.replaceState(state, '', address);
  else history.pushState(state, '', address);
}

/** Returns the FEN of the position where a game started, if it is not the standard start position. */
export function customStartFen(game: GameDto | undefined): string | undefined {
  return game && game.start !== 'startpos' ? game.start : undefined;
}
