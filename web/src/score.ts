import type { ScoreDto } from './wire/types';

// All scores here are from the view of the first side, in centipawns or hundredths of a disc (`ScoreDto`).

/** From this score on the game is decided, and the page shows the result instead of a number. */
const MIN_DECIDED_SCORE = 90_000;
/** The score at which the evaluation bar shows 88 % for the first side: half of 1 + tanh 1. */
const BAR_SCALE = 500;

/** Formats a score: `+0.42`, `−16` if it is exact, `−#3` for a mate in moves, `1-0` for a decided game. */
export function formatScore({ value, mate, exact }: ScoreDto): string {
  if (mate !== null) return `${value < 0 ? '−' : ''}#${Math.ceil(Math.abs(mate) / 2)}`;
  if (Math.abs(value) >= MIN_DECIDED_SCORE) return value > 0 ? '1-0' : '0-1';
  return `${value > 0 ? '+' : value < 0 ? '−' : ''}${(Math.abs(value) / 100).toFixed(exact ? 0 : 2)}`;
}

/**
 * Formats a score for a square of the board: at most three digits, and tenths only below 10 and if they are not zero.
 */
export function formatShortScore(score: ScoreDto): string {
  if (score.mate !== null || Math.abs(score.value) >= MIN_DECIDED_SCORE) return formatScore(score);
  const tenths = Math.round(Math.abs(score.value) / 10);
  const number = tenths >= 100 || tenths % 10 === 0 ? String(Math.round(tenths / 10)) : (tenths / 10).toFixed(1);
  return tenths === 0 ? '0' : `${score.value > 0 ? '+' : '−'}${number}`;
}

/** Returns the fraction of the evaluation bar that belongs to the first side, from 0 to 1. */
export function firstSideFraction({ value, mate }: ScoreDto): number {
  if (mate !== null || Math.abs(value) >= MIN_DECIDED_SCORE) return value > 0 ? 1 : value < 0 ? 0 : 0.5;
  return 0.5 + 0.5 * Math.tanh(value / BAR_SCALE);
}

/** Formats a difference of material, given in hundredths: `+3`, `+4.5`. */
export function formatMaterial(difference: number): string {
  return `${difference > 0 ? '+' : '−'}${Number((Math.abs(difference) / 100).toFixed(1))}`;
}
