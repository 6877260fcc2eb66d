import type { GameShape } from './wire';

/** The game and the move that the address names. */
export function addressed(): [string | undefined, number | undefined] {
  const found = /^#game\/([0-9a-z]+)(?:\/(\d+))?/.exec(location.hash);
  return [found?.[1], found?.[2] === undefined ? undefined : Number(found[2])];
}

/** The text of the position a game started from, if not the usual one. */
export function standing(game: GameShape | undefined): string | undefined {
  return game && game.start !== 'startpos' ? game.start : undefined;
}
