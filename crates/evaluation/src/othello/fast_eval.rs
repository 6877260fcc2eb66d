//! A fast evaluation without patterns for the move ordering of the solver, with estimated weights.

use alfil_othello::geometry::{C_SQUARES, CORNERS, X_SQUARES, adjacent_squares};
use alfil_othello::stability::stable_edges;

/// The weights in hundredths of a disc.
mod weights {
    /// A legal move.
    pub(super) const MOBILITY: i32 = 90;
    /// A legal move to a corner, in addition.
    pub(super) const CORNER_MOBILITY: i32 = 300;
    /// An empty square next to a disc of the opponent (potential mobility).
    pub(super) const POTENTIAL_MOBILITY: i32 = 45;
    /// A disc in a corner.
    pub(super) const CORNER: i32 = 700;
    /// A disc on the X-square of an empty corner.
    pub(super) const X_SQUARE: i32 = -350;
    /// A disc on a C-square of an empty corner.
    pub(super) const C_SQUARE: i32 = -120;
    /// A stable disc on an edge.
    pub(super) const STABLE_EDGE: i32 = 180;
    /// The last move of the game if neither side passes (parity).
    pub(super) const LAST_MOVE: i32 = 80;
}

/// Returns the score of a position in hundredths of a disc, from the view of the side to move. `moves` and
/// `opponent_moves` are the mobility of the side to move and of the opponent.
#[inline(always)]
pub fn fast_eval(mover: u64, opponent: u64, moves: u64, opponent_moves: u64) -> i32 {
    let empty = !(mover | opponent);
    let balance = |own: u64, other: u64| own.count_ones() as i32 - other.count_ones() as i32;
    // X-squares and C-squares count only next to an empty corner.
    let next_to_corner = adjacent_squares(CORNERS & empty);
    let mut score = weights::MOBILITY * balance(moves, opponent_moves);
    score += weights::CORNER_MOBILITY * balance(moves & CORNERS, opponent_moves & CORNERS);
    score += weights::POTENTIAL_MOBILITY
        * balance(adjacent_squares(opponent) & empty, adjacent_squares(mover) & empty);
    score += weights::CORNER * balance(mover & CORNERS, opponent & CORNERS);
    score += weights::X_SQUARE
        * balance(mover & next_to_corner & X_SQUARES, opponent & next_to_corner & X_SQUARES);
    score += weights::C_SQUARE
        * balance(mover & next_to_corner & C_SQUARES, opponent & next_to_corner & C_SQUARES);
    score += weights::STABLE_EDGE * balance(stable_edges(mover, opponent), stable_edges(opponent, mover));
    score + if empty.count_ones() & 1 == 1 { weights::LAST_MOVE } else { -weights::LAST_MOVE }
}
