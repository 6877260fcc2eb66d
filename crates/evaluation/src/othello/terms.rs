//! What is seen in a position, each term once for the mover and once against the opponent.

use alfil_kernel::TaperedScore;

use super::patterns;
use super::weights::Weights;
use alfil_othello::bitboard::scalar::mobility;
use alfil_othello::geometry::{C_SQUARES, CORNERS, QUADRANTS, X_SQUARES, adjacent_squares};
use alfil_othello::stability::stable_edges;

/// All terms, from the mover's view.
#[inline]
pub(super) fn sum_terms(mover: u64, opponent: u64, weights: &Weights) -> TaperedScore {
    let empty = !(mover | opponent);
    let (places, replies) = (mobility(mover, opponent), mobility(opponent, mover));
    let balance = |own: u64, other: u64| own.count_ones() as i32 - other.count_ones() as i32;
    // Squares next to an empty corner are a burden to whoever stands on them.
    let near = adjacent_squares(CORNERS & empty);
    let exposed = adjacent_squares(empty);
    let mut sum = weights.last_move * if empty.count_ones() & 1 == 1 { 1 } else { -1 };
    sum += weights.disc * balance(mover, opponent);
    sum += weights.mobility * balance(places, replies);
    sum += weights.corner_mobility * balance(places & CORNERS, replies & CORNERS);
    sum += weights.pass * (i32::from(places == 0) - i32::from(replies == 0));
    sum += weights.frontier * balance(adjacent_squares(opponent) & empty, adjacent_squares(mover) & empty);
    sum += weights.interior * balance(mover & !exposed, opponent & !exposed);
    sum += weights.corner * balance(mover & CORNERS, opponent & CORNERS);
    sum += weights.x_square * balance(mover & near & X_SQUARES, opponent & near & X_SQUARES);
    sum += weights.c_square * balance(mover & near & C_SQUARES, opponent & near & C_SQUARES);
    sum += weights.stable_edge * balance(stable_edges(mover, opponent), stable_edges(opponent, mover));
    let odd = QUADRANTS.iter().filter(|&quadrant| (empty & quadrant).count_ones() & 1 == 1);
    let odd = odd.fold(0, |odd, quadrant| odd | quadrant);
    sum += weights.odd_mobility * balance(places & odd, replies & odd);
    sum += patterns::rows(&weights.edge, mover, opponent, 0);
    sum += patterns::rows(&weights.second_row, mover, opponent, 1);
    sum += patterns::diagonals(&weights.diagonal, mover, opponent);
    sum + patterns::corners(&weights.triangle, mover, opponent)
}
