import type { NodeDto, ScoreDto } from './protocol';

/** From here on a value means that the game is decided; nobody wants to read its number. */
const DECIDED = 90_000;

/** A value as people write it, positive if the first side stands better. */
export function words({ value, mate }: ScoreDto): string {
  if (mate !== null) return `${value < 0 ? '−' : ''}#${Math.ceil(Math.abs(mate) / 2)}`;
  if (Math.abs(value) >= DECIDED) return value > 0 ? '1-0' : '0-1';
  return `${value > 0 ? '+' : value < 0 ? '−' : ''}${(Math.abs(value) / 100).toFixed(2)}`;
}

/** The same in as little room as a square has: tenths only where they matter, no fraction of nothing. */
export function short(score: ScoreDto): string {
  if (score.mate !== null || Math.abs(score.value) >= DECIDED) return words(score);
  const tenths = Math.round(Math.abs(score.value) / 10);
  const number = tenths >= 100 || tenths % 10 === 0 ? String(Math.round(tenths / 10)) : (tenths / 10).toFixed(1);
  return tenths === 0 ? '0' : `${score.value > 0 ? '+' : '−'}${number}`;
}

/** How much of the bar belongs to the first side, from 0 to 1. */
export function share({ value, mate }: ScoreDto): number {
  if (mate !== null || Math.abs(value) >= DECIDED) return value > 0 ? 1 : value < 0 ? 0 : 0.5;
  return 0.5 + 0.5 * Math.tanh(value / 500);
}

/** A move that gave something away. */
export interface Loss {
  node: number;
  /** In hundredths. */
  lost: number;
  /** The better move, in the dialect chosen as soon as the server has written it so. */
  better: string;
}

/** A move that loses less is not worth a word, in hundredths. */
const WORTH_A_WORD = 60;
/** Beyond this a side has won anyway. */
const WON = 1500;

/** The moves of a line that lost most, the worst first: each seen from the side that played it. */
export function losses(line: NodeDto[], first: 0 | 1, most = 6): Loss[] {
  const clipped = (score: ScoreDto) => Math.max(-WON, Math.min(WON, score.value));
  const found: Loss[] = [];
  line.forEach((node, i) => {
    const before = line[i - 1];
    if (!before?.score || !node.score || !before.best || before.best === node.text) return;
    const mover = (first + i - 1) % 2 === 0 ? 1 : -1;
    const lost = mover * (clipped(before.score) - clipped(node.score));
    if (lost >= WORTH_A_WORD) found.push({ node: node.node, lost, better: before.best_label ?? before.best });
  });
  return found.sort((a, b) => b.lost - a.lost).slice(0, most);
}
