import type { Language } from './messages';
import { type MoveTree, type NumberingOrigin, numberedLabel } from './move-tree';
import type { ReviewDto, SideReviewDto } from './wire/types';
import { type LaterMessageKey, laterMessage } from './later-messages';

/** Formats permille as percent without a fraction. */
export function percent(permille: number): string {
  return String(Math.round(permille / 10));
}

/** Returns a move with its number; empty if there is no such move. */
export function moveWithNumber(tree: MoveTree, node: number, origin: NumberingOrigin): string {
  const path = tree.pathTo(node);
  return path.at(-1)?.label ? numberedLabel(path, path.length - 1, origin) : '';
}

/** Returns the review of a game in sentences: the accuracy and the errors of both sides, and the turning point. */
export function summarySentences(
  review: ReviewDto,
  tree: MoveTree,
  origin: NumberingOrigin,
  names: [string, string],
  language: Language,
): string[] {
  const text = (key: LaterMessageKey, ...values: (string | number)[]) => laterMessage(language, key, ...values);
  const sentences = review.sides.map((side, i) =>
    side.accuracy === null
      ? text('sideNotReviewed', names[i] ?? '')
      : text('sideSummary', names[i] ?? '', Math.round(side.accuracy), errorsInWords(side, text)),
  );
  const [turning] = review.turning_points;
  const point = turning === undefined ? '' : moveWithNumber(tree, turning, origin);
  sentences.push(point ? text('turningPoint', point) : text('noTurningPoint'));
  if (!review.complete) sentences.push(text('incomplete'));
  return sentences;
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
