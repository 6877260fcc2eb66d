import type { AppearanceDto } from './wire/types';

/** The level of the computer, unless another one was chosen. */
export const DEFAULT_LEVEL = 3;

/**
 * Loads a setting of the user. Returns the default if it is not saved, or if the browser denies access to its storage.
 */
export function loadPreference(name: string, defaultValue: string): string {
  try {
    return localStorage.getItem(`alfil.${name}`) ?? defaultValue;
  } catch {
    return defaultValue;
  }
}

/** Saves a setting of the user for the next visit. */
export function savePreference(name: string, value: string): void {
  try {
    localStorage.setItem(`alfil.${name}`, value);
  } catch {
    // A private window may deny access to the storage. The page works without saved settings.
  }
}

/** Returns the ruleset that the user has chosen for a kind of game; undefined for the default one. */
export function preferredRuleset(game: string): string | undefined {
  return loadPreference(`book.${game}`, '') || undefined;
}

/** Returns whether a game shows its pieces in their alternative drawing. Each game has a choice of its own. */
export function loadPictures({ game, pieces }: AppearanceDto): boolean {
  // Former versions had one choice for all games, and made it for characters that many users cannot read.
  const hasPictures = Object.values(pieces).some(({ picture }) => picture);
  return loadPreference(`pictures.${game}`, hasPictures ? loadPreference('pictures', 'no') : 'no') === 'yes';
}
