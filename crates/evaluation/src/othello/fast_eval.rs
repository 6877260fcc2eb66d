//! What a position seems to be worth at a glance, for the solver, which asks often: reasoned numbers, no patterns.

use alfil_othello::geometry::{C_SQUARES, CORNERS, X_SQUARES, adjacent_squares};
use alfil_othello::stability::stable_edges;

/// Hundredths of a disc.
mod weights {
    /// A place to put a disc.
    pub(super) const MOBILITY: i32 = 90;
    /// More for a corner one can take.
    pub(super) const CORNER_MOBILITY: i32 = 300;
    /// An empty square next to the opponent's discs, where a place may come to be.
    pub(super) const FRONTIER: i32 = 45;
    /// A corner held.
    pub(super) const CORNER: i32 = 700;
    /// A disc diagonally next to an empty corner.
    pub(super) const X_SQUARE: i32 = -350;
    /// A disc next to an empty corner along the edge.
    pub(super) const C_SQUARE: i32 = -120;
    /// A disc on an edge that nothing can turn again.
    pub(super) const STABLE_EDGE: i32 = 180;
    /// Having the last move of the game, should nobody pass.
    pub(super) const LAST_MOVE: i32 = 80;
}

/// What a position is worth to the side to move, in hundredths of a disc. `places` and `replies` are the squares on
/// which the mover and the opponent may put a disc.
#[inline(always)]
pub fn fast_eval(mover: u64, opponent: u64, places: u64, replies: u64) -> i32 {
    let empty = !(mover | opponent);
    let balance = |own: u64, other: u64| own.count_ones() as i32 - other.count_ones() as i32;
    // Squares next to an empty corner are a burden to whoever stands on them.
    let near = adjacent_squares(CORNERS & empty);
    let mut value = weights::MOBILITY * balance(places, replies);
    value += weights::CORNER_MOBILITY * balance(places & CORNERS, replies & CORNERS);
    value += weights::FRONTIER * balance(adjacent_squares(opponent) & empty, adjacent_squares(mover) & empty);
    value += weights::CORNER * balance(mover & CORNERS, opponent & CORNERS);
    value += weights::X_SQUARE * balance(mover & near & X_SQUARES, opponent & near & X_SQUARES);
    value += weights::C_SQUARE * balance(mover & near & C_SQUARES, opponent & near & C_SQUARES);
    value += weights::STABLE_EDGE * balance(stable_edges(mover, opponent), stable_edges(opponent, mover));
    value + if empty.count_ones() & 1 == 1 { weights::LAST_MOVE } else { -weights::LAST_MOVE }
}
