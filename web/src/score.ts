import type { NodeDto, ScoreDto } from './protocol';

/** From this score on the game is decided, and the page shows the result instead of a number. */
const MIN_DECIDED_SCORE = 90_000;

/** Formats a score: `+0.42`, `−#3` for a mate in moves, `1-0` for a decided game. */
export function formatScore({ value, mate }: ScoreDto): string {
  if (mate !== null) return `${value < 0 ? '−' : ''}#${Math.ceil(Math.abs(mate) / 2)}`;
  if (Math.abs(value) >= MIN_DECIDED_SCORE) return value > 0 ? '1-0' : '0-1';
  return `${value > 0 ? '+' : value < 0 ? '−' : ''}${(Math.abs(value) / 100).toFixed(2)}`;
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
  return 0.5 + 0.5 * Math.tanh(value / 500);
}

/** A move that lost a part of the score. */
export interface MoveLoss {
  node: number;
  /** The loss in hundredths. */
  loss: number;
  /** The better move, in the chosen dialect if the server has sent it in that dialect, else in the default dialect. */
  betterMove: string;
}

/** A smaller loss is not listed, in hundredths. */
const MIN_LOSS = 60;
/** Scores are clipped here, because a side with such an advantage wins anyway. */
const MAX_COUNTED_SCORE = 1500;

/** Returns the moves of a line that lost most, from the view of the side that played them, the largest loss first. */
export function largestLosses(line: NodeDto[], first: 0 | 1, maxCount = 6): MoveLoss[] {
  const clipped = (score: ScoreDto) => Math.max(-MAX_COUNTED_SCORE, Math.min(MAX_COUNTED_SCORE, score.value));
  const losses: MoveLoss[] = [];
  line.forEach((node, i) => {
    const before = line[i - 1];
    if (!before?.score || !node.score || !before.best || before.best === node.text) return;
    const sign = (first + i - 1) % 2 === 0 ? 1 : -1;
    const loss = sign * (clipped(before.score) - clipped(node.score));
    if (loss >= MIN_LOSS) losses.push({ node: node.node, loss, betterMove: before.best_label ?? before.best });
  });
  return losses.sort((a, b) => b.loss - a.loss).slice(0, maxCount);
}
