import { loadPreference, savePreference } from './preferences';
import type { GameDto } from './wire/types';

/** Who plays a game, beside the person: an external engine, or the computer on both sides. */
export interface FormerPlayers {
  engine?: string;
  levels?: [number, number];
}

/**
 * Returns who plays a game that was left before its players belonged to it, and forgets it: then the page kept them in
 * its preferences, a line `id:engine` for each game with an external engine, and `id level level` for the game that was
 * watched last.
 */
export function takeFormerPlayers({ id, person, engine, levels }: GameDto): FormerPlayers | undefined {
  const opponents = loadPreference('opponent', '').split('\n');
  const opponent = opponents.find((line) => line.startsWith(`${id}:`));
  if (person !== null && engine === undefined && opponent) {
    savePreference('opponent', opponents.filter((line) => line !== opponent).join('\n'));
    return { engine: opponent.slice(id.length + 1) };
  }
  const [watched, first, second] = loadPreference('watched', '').split(' ');
  if (person !== null || levels || watched !== id) return undefined;
  savePreference('watched', '');
  return { levels: [Number(first), Number(second)] };
}
