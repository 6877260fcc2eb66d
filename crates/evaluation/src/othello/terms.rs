//! The sum of the evaluation terms. Each term counts for the mover and against the opponent.

use crate::TaperedScore;

use super::patterns;
use super::weights::Weights;
use alfil_othello::bitboard::scalar::mobility;
use alfil_othello::geometry::{C_SQUARES, CORNERS, QUADRANTS, X_SQUARES, adjacent_squares};
use alfil_othello::stability::stable_edges;

/// Returns the weighted sum of all terms, from the view of the mover.
#[inline]
pub(super) fn sum_terms(mover: u64, opponent: u64, weights: &Weights) -> TaperedScore {
    let empty = !(mover | opponent);
    let (moves, replies) = (mobility(mover, opponent), mobility(opponent, mover));
    let balance = |own: u64, other: u64| own.count_ones() as i32 - other.count_ones() as i32;
    // X-squares and C-squares count only next to an empty corner.
    let next_to_corner = adjacent_squares(CORNERS & empty);
    let next_to_empty = adjacent_squares(empty);
    let mut sum = weights.last_move * if empty.count_ones() & 1 == 1 { 1 } else { -1 };
    sum += weights.disc * balance(mover, opponent);
    sum += weights.mobility * balance(moves, replies);
    sum += weights.corner_mobility * balance(moves & CORNERS, replies & CORNERS);
    sum += weights.pass * (i32::from(moves == 0) - i32::from(replies == 0));
    sum += weights.frontier * balance(adjacent_squares(opponent) & empty, adjacent_squares(mover) & empty);
    sum += weights.interior * balance(mover & !next_to_empty, opponent & !next_to_empty);
    sum += weights.corner * balance(mover & CORNERS, opponent & CORNERS);
    sum +=
        weights.x_square * balance(mover & next_to_corner & X_SQUARES, opponent & next_to_corner & X_SQUARES);
    sum +=
        weights.c_square * balance(mover & next_to_corner & C_SQUARES, opponent & next_to_corner & C_SQUARES);
    sum += weights.stable_edge * balance(stable_edges(mover, opponent), stable_edges(opponent, mover));
    let odd_quadrants = QUADRANTS.iter().filter(|&quadrant| (empty & quadrant).count_ones() & 1 == 1);
    let odd = odd_quadrants.fold(0, |odd, quadrant| odd | quadrant);
    sum += weights.odd_mobility * balance(moves & odd, replies & odd);
    sum += patterns::rows(&weights.edge, mover, opponent, 0);
    sum += patterns::rows(&weights.second_row, mover, opponent, 1);
    sum += patterns::diagonals(&weights.diagonal, mover, opponent);
    sum + patterns::corners(&weights.triangle, mover, opponent)
}
