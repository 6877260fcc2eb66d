/**
 * Data with names of earlier versions, which are still read: `men` for `pieces`, `sights` for `tacticalMarks`, `faults`
 * for `issues`.
 */

import type { BoardAppearance, Overlays, TacticalMark } from './types.js';

/** A look that has its pieces as `men`, the name of earlier versions. */
export interface EarlierAppearance extends Omit<BoardAppearance, 'pieces'> {
  men: BoardAppearance['pieces'];
}

/** Overlays that may have `sights` and `faults`, the names of earlier versions. */
export interface EarlierOverlays extends Overlays {
  sights?: TacticalMark[];
  faults?: string[];
}

/** The looks that were converted, so that the same look stays the same object. */
const converted = new WeakMap<EarlierAppearance, BoardAppearance>();

/** Returns a look with the present names, in which each piece of `men` is added to `pieces` or replaces one. */
export function currentAppearance(look: BoardAppearance | EarlierAppearance): BoardAppearance {
  if (!('men' in look)) return look;
  const { men, ...rest } = look;
  const { pieces } = rest as Partial<BoardAppearance>;
  const current = converted.get(look) ?? { ...rest, pieces: { ...pieces, ...men } };
  converted.set(look, current);
  return current;
}

/** Returns overlays with the present names. */
export function currentOverlays(over: EarlierOverlays): Overlays {
  const { sights, faults, ...rest } = over;
  return { ...(sights && { tacticalMarks: sights }), ...(faults && { issues: faults }), ...rest };
}
