import type { AppearanceDto } from './protocol';

/** Returns whether the board shows the value of every legal move on its square instead of arrows. */
export function showsMoveValues(look: AppearanceDto): boolean {
  return look.shows_move_values ?? isDiscGame(look);
}

/** Returns whether the page shows the number of pieces beside the name of each side. */
export function showsPieceCounts(look: AppearanceDto): boolean {
  return look.shows_piece_counts ?? isDiscGame(look);
}

/** The fallback for a server that does not send these features: of its games only Othello is played on cells of one colour. */
function isDiscGame(look: AppearanceDto): boolean {
  return look.layout === 'cells';
}
