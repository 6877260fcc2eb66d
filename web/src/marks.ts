import type { NagDto, ReviewMark } from './wire/types';

/** The signs of the marks of a review. */
export const MARK_SIGNS: Record<ReviewMark, string> = { inaccuracy: '?!', mistake: '?', blunder: '??', only_move: '□' };

/** The marks that the keys ! and ? make, by their numbers. */
const TYPED: Record<string, number> = { '!': 1, '?': 2, '!!': 3, '??': 4, '!?': 5, '?!': 6 };

/** Returns those marks of a move that have the sign of one, which is itself or the other member of its pair. */
export function marksLike(nags: number[], number: number, known: NagDto[]): number[] {
  const signOf = (nag: number) => known.find((one) => one.number === nag)?.sign || `$${nag}`;
  return nags.filter((nag) => signOf(nag) === signOf(number));
}

/** Returns the marks of a move after one was chosen: a second choice removes it. A move has one mark that judges it. */
export function withMark(nags: number[], number: number, known: NagDto[]): number[] {
  const present = marksLike(nags, number, known);
  if (present.length > 0) return nags.filter((nag) => !present.includes(nag));
  const ofMove = (nag: number) => known.find((one) => one.number === nag)?.of_move ?? nag < 10;
  return ofMove(number) ? [number, ...nags.filter((nag) => !ofMove(nag))] : [...nags, number];
}

/**
 * Returns the marks of a move after the key ! or ? was pressed: it continues the sign, as ! and ? make !?, or begins
 * anew. A third key removes a sign of two characters that ends with it.
 */
export function markAfterKey(nags: number[], key: '!' | '?', known: NagDto[]): number[] {
  const sign = Object.keys(TYPED).find((text) => nags.includes(TYPED[text] ?? 0)) ?? '';
  const others = nags.filter((nag) => !Object.values(TYPED).includes(nag));
  if (sign.length === 2 && sign.endsWith(key)) return others;
  const typed = TYPED[sign.length === 1 ? sign + key : key];
  return typed === undefined ? nags : withMark(others, typed, known);
}
