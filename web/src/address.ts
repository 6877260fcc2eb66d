import { savePreference } from './preferences';
import type { Shown } from './shown';
import type { GameDto, Side } from './protocol';

/** A game in which nothing was played yet: nobody keeps it, so its entry in the history says how to begin it. */
interface Anew {
  game: string;
  person: Side | null;
  level: number;
}

/** The game and the move that the address names. */
export function addressed(): [string | undefined, number | undefined] {
  const found = /^#game\/([0-9a-z]+)(?:\/(\d+))?/.exec(location.hash);
  return [found?.[1], found?.[2] === undefined ? undefined : Number(found[2])];
}

/** How to begin the game that the address names, if there is nothing in it to come back to. */
export function anew(): Anew | null {
  return history.state as Anew | null;
}

/**
 * The address bar names the game and the move. Another game is another entry of the browser's history, unless nothing was
 * played in the one before; so is none where the address `stays`, because it led nowhere.
 */
export function readdress({ game, tree, node, position }: Shown, stays = false): void {
  if (!game) return;
  const bare = tree.size === 0 && game.start === 'startpos' && !position?.clock;
  const first = location.hash === '' || location.hash === '#';
  if (!bare) savePreference('game', game.id);
  if (bare && first) return;
  const state: Anew | null = bare ? { game: game.game, person: game.person, level: game.level } : null;
  const address = `#game/${game.id}/${node}`;
  if (stays || first || anew() || location.hash.startsWith(`#game/${game.id}/`)) history.replaceState(state, '', address);
  else history.pushState(state, '', address);
}

/** The text of the position a game started from, if not the usual one. */
export function standing(game: GameDto | undefined): string | undefined {
  return game && game.start !== 'startpos' ? game.start : undefined;
}
