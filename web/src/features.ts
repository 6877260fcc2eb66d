import type { AppearanceDto } from './protocol';

/** Returns whether the board shows the value of every legal move on its square instead of arrows. */
export function showsMoveValues(appearance: AppearanceDto): boolean {
  return appearance.shows_move_values ?? isDiscGame(appearance);
}

/** Returns whether the page shows the number of pieces beside the name of each side. */
export function showsPieceCounts(appearance: AppearanceDto): boolean {
  return appearance.shows_piece_counts ?? isDiscGame(appearance);
}

/**
 * The fallback for a server that does not send these features: of its games only Othello is played on cells of one
 * colour.
 */
function isDiscGame(appearance: AppearanceDto): boolean {
  return appearance.layout === 'cells';
}
