//! What a position seems to be worth at a glance, for the solver, which asks often: reasoned numbers, no patterns.

use alfil_kernel::Score;

use alfil_othello::geometry::{C_SQUARES, CORNERS, X_SQUARES, around};
use alfil_othello::stability::stable_edges;

/// Hundredths of a disc.
mod worth {
    /// A place to put a disc.
    pub(super) const PLACE: i32 = 90;
    /// More for a corner one can take.
    pub(super) const CORNER_PLACE: i32 = 300;
    /// An empty square next to the opponent's discs, where a place may come to be.
    pub(super) const FRONTIER: i32 = 45;
    /// A corner held.
    pub(super) const CORNER: i32 = 700;
    /// A disc diagonally next to an empty corner.
    pub(super) const X_SQUARE: i32 = -350;
    /// A disc next to an empty corner along the edge.
    pub(super) const C_SQUARE: i32 = -120;
    /// A disc on an edge that nothing can turn again.
    pub(super) const EDGE: i32 = 180;
    /// Having the last move of the game, should nobody pass.
    pub(super) const LAST: i32 = 80;
}

/// What a position is worth to the side to move, in hundredths of a disc. `places` and `replies` are the squares on
/// which the mover and the opponent may put a disc.
#[inline(always)]
pub fn value(mover: u64, opponent: u64, places: u64, replies: u64) -> Score {
    let empty = !(mover | opponent);
    let balance = |own: u64, other: u64| own.count_ones() as Score - other.count_ones() as Score;
    // Squares next to an empty corner are a burden to whoever stands on them.
    let near = around(CORNERS & empty);
    let mut value = worth::PLACE * balance(places, replies);
    value += worth::CORNER_PLACE * balance(places & CORNERS, replies & CORNERS);
    value += worth::FRONTIER * balance(around(opponent) & empty, around(mover) & empty);
    value += worth::CORNER * balance(mover & CORNERS, opponent & CORNERS);
    value += worth::X_SQUARE * balance(mover & near & X_SQUARES, opponent & near & X_SQUARES);
    value += worth::C_SQUARE * balance(mover & near & C_SQUARES, opponent & near & C_SQUARES);
    value += worth::EDGE * balance(stable_edges(mover, opponent), stable_edges(opponent, mover));
    value + if empty.count_ones() & 1 == 1 { worth::LAST } else { -worth::LAST }
}
