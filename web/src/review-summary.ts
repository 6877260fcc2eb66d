import type { Language } from './messages';
import { type MoveTree, type NumberingOrigin, numberedLabel } from './move-tree';
import { MARK_SIGNS } from './marks';
import { formatScore } from './score';
import type { ReviewDto, ReviewedMoveDto, SideReviewDto } from './wire/types';
import { type LaterMessageKey, laterMessage } from './later-messages';

/** From this expected score on, in permille, a game is won. */
const DECIDED = 800;

/** Formats permille as percent without a fraction. */
export function percent(permille: number): string {
  return String(Math.round(permille / 10));
}

/** Returns a move with its number; empty if there is no such move. */
export function moveWithNumber(tree: MoveTree, node: number, origin: NumberingOrigin): string {
  const path = tree.pathTo(node);
  return path.at(-1)?.label ? numberedLabel(path, path.length - 1, origin) : '';
}

/** What the sentences about a review are made from. */
export interface ReviewWords {
  review: ReviewDto;
  tree: MoveTree;
  origin: NumberingOrigin;
  names: [string, string];
  language: Language;
}

/** Returns what a turning point cost, why as far as that is proved, and what was better. */
export function turningSentence({ review, tree, origin, names, language }: ReviewWords, node: number): string {
  const text = (key: LaterMessageKey, ...values: (string | number)[]) => laterMessage(language, key, ...values);
  const move = review.moves.find((one) => one.node === node);
  if (!move) return '';
  const sign = move.mark ? MARK_SIGNS[move.mark] : '';
  const better = move.best_label ?? move.best ?? '';
  return text('turningMove', moveWithNumber(tree, node, origin) + sign, names[move.side], percent(move.loss), reasonInWords(move, language), better);
}

/** Returns why a move lost, as the continuation of a sentence; empty if no reason is proved. */
function reasonInWords({ reason }: ReviewedMoveDto, language: Language): string {
  const text = (key: LaterMessageKey, ...values: (string | number)[]) => laterMessage(language, key, ...values);
  const discs = (score: number) => formatScore({ value: 100 * score, mate: null, exact: true });
  switch (reason?.kind) {
    case 'allows_mate':
      return text('allowsMate', reason.moves);
    case 'misses_mate':
      return text('missesMate', reason.moves);
    case 'solved':
      return text('solvedReason', discs(reason.before), discs(reason.after));
    case 'rule':
      return text('ruleReason', (language === 'zh' ? reason.message_zh : reason.message).replace(/[.。]$/, ''));
    case 'hanging':
      return text('hanging', reason.reply);
    default:
      return '';
  }
}

/** Returns the review of a game in sentences: the accuracies, the errors, and what can be said of the whole game. */
export function summarySentences({ review, tree, origin, names, language }: ReviewWords): string[] {
  const text = (key: LaterMessageKey, ...values: (string | number)[]) => laterMessage(language, key, ...values);
  const sentences = review.sides.map((side, i) =>
    side.accuracy === null
      ? text('sideNotReviewed', names[i] ?? '')
      : text('sideSummary', names[i] ?? '', Math.round(side.accuracy), errorsInWords(side, text)),
  );
  if (review.turning_points.length === 0) {
    const last = review.moves.at(-1)?.expected ?? 500;
    const loser = last >= DECIDED ? names[1] : last <= 1000 - DECIDED ? names[0] : undefined;
    sentences.push(loser === undefined ? text('noTurningPoint') : text('littleByLittle', loser));
  }
  const { solved } = review;
  if (solved) sentences.push(text('solvedFrom', moveWithNumber(tree, solved.node, origin) || text('start'), solved.empties));
  if (!review.complete) sentences.push(text('incomplete'));
  return sentences;
}

/** Returns the turning points in the order of the game. */
export function turningPoints({ review }: ReviewWords): number[] {
  const points = new Set(review.turning_points);
  return review.moves.map(({ node }) => node).filter((node) => points.has(node));
}

/** Returns the numbers of the inaccuracies, mistakes and blunders of a side in words. */
function errorsInWords(side: SideReviewDto, text: (key: LaterMessageKey, ...values: number[]) => string): string {
  const counts: [number, LaterMessageKey, LaterMessageKey][] = [
    [side.inaccuracy, 'oneInaccuracy', 'inaccuracies'],
    [side.mistake, 'oneMistake', 'mistakes'],
    [side.blunder, 'oneBlunder', 'blunders'],
  ];
  const words = counts.filter(([count]) => count > 0).map(([count, one, many]) => text(count === 1 ? one : many, count));
  return words.length > 0 ? words.join(text('listComma')) : text('noErrors');
}
