//! Which move first: the fewer replies it leaves the opponent, the smaller the tree it opens ("fastest first"), and
//! the likelier it is good.
//!
//! Near the leaves what is seen on the board must do; further up a search of a few plies looks, valued by [`value`](alfil_evaluation::othello::value).
//! A trained pattern evaluation belongs in the place of `value`, and selective passes above `rate`'s callers.

use alfil_othello::geometry::{CORNERS, adjacent_squares};

/// A child of a node: the move, and the position after it from the view of the side that is then to move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScoredMove {
    /// The higher, the sooner.
    pub(crate) score: i32,
    pub(crate) square: u8,
    pub(crate) mover: u64,
    pub(crate) opponent: u64,
}

/// What counts when moves are ordered, in arbitrary units.
mod weight {
    /// Each reply of the opponent's; a corner counts twice.
    pub(super) const REPLY: i32 = 64;
    /// Each empty square next to one's own discs, where a reply may come to be.
    pub(super) const FRONTIER: i32 = 12;
    /// Moving into a quadrant with an odd number of empty squares.
    pub(super) const ODD_QUADRANT: i32 = 24;
    /// Moving into a corner.
    pub(super) const CORNER: i32 = 60;
    /// A hundredth of a disc found by the ordering search.
    pub(super) const ORDERING_SEARCH: i32 = 1;
    /// The table's best move, and the one before it.
    pub(crate) const HASH_MOVES: [i32; 2] = [1 << 28, 1 << 27];
}
pub(crate) use weight::HASH_MOVES;
use weight::{CORNER, FRONTIER, ODD_QUADRANT, ORDERING_SEARCH, REPLY};

/// The part of a move's score that is seen on the board after it. `odd` says whether it filled an odd quadrant.
#[inline(always)]
pub(crate) fn static_move_score(mover: u64, opponent: u64, replies: u64, square: usize, odd: bool) -> i32 {
    let empty = !(mover | opponent);
    let count = |set: u64| set.count_ones() as i32;
    let mut score = -REPLY * (count(replies) + count(replies & CORNERS));
    score -= FRONTIER * count(adjacent_squares(opponent) & empty);
    score += if odd { ODD_QUADRANT } else { 0 };
    score + if CORNERS >> square & 1 != 0 { CORNER } else { 0 }
}

/// What a position found by the ordering search adds to a move's score.
#[inline(always)]
pub(crate) fn ordering_search_score(peeked: i32) -> i32 {
    ORDERING_SEARCH * peeked
}

/// Writes `rate` and `peek` for the instruction set of a module.
macro_rules! define_move_ordering {
    ($(#[$feature:meta])*) => {
        /// Appends the moves to these places with their scores; those of `known` come first. `depth` is that of the
        /// ordering search.
        $(#[$feature])*
        pub(crate) fn score_moves(
            position: (u64, u64),
            mut places: u64,
            depth: u32,
            known: [u8; 2],
            choices: &mut Vec<ScoredMove>,
        ) {
            let (mover, opponent) = position;
            let odd = QUADRANT_SQUARES[odd_quadrants(!(mover | opponent))];
            while places != 0 {
                let square = places.trailing_zeros() as usize;
                places &= places - 1;
                let turned = flips(mover, opponent, square);
                let (next, other) = (opponent ^ turned, mover | turned | 1 << square);
                let score = match known.iter().position(|&best| best as usize == square) {
                    Some(place) => HASH_MOVES[place],
                    None if next == 0 => 2 * HASH_MOVES[0],
                    None => {
                        let replies = mobility(next, other);
                        let static_score = static_move_score(next, other, replies, square, odd >> square & 1 != 0);
                        if depth == 0 { static_score } else { static_score - ordering_search_score(ordering_search(next, other, depth - 1, -99_999, 99_999)) }
                    }
                };
                choices.push(ScoredMove { score, square: square as u8, mover: next, opponent: other });
            }
        }

        /// A plain alpha-beta search of a few plies, valued by [`fast_eval`](alfil_evaluation::othello::fast_eval).
        $(#[$feature])*
        fn ordering_search(mover: u64, opponent: u64, depth: u32, mut alpha: i32, beta: i32) -> i32 {
            let mut places = mobility(mover, opponent);
            if depth == 0 {
                return fast_eval(mover, opponent, places, mobility(opponent, mover));
            }
            if places == 0 {
                if mobility(opponent, mover) == 0 {
                    return 100 * final_score(mover, opponent);
                }
                return -ordering_search(opponent, mover, depth, -beta, -alpha);
            }
            let mut best = -99_999;
            // Corners first: they are rarely wrong.
            let corners = places & CORNERS;
            places ^= corners;
            for mut set in [corners, places] {
                while set != 0 {
                    let square = set.trailing_zeros() as usize;
                    set &= set - 1;
                    let turned = flips(mover, opponent, square);
                    let (next, other) = (opponent ^ turned, mover | turned | 1 << square);
                    best = best.max(-ordering_search(next, other, depth - 1, -beta, -alpha));
                    if best >= beta {
                        return best;
                    }
                    alpha = alpha.max(best);
                }
            }
            best
        }
    };
}
pub(crate) use define_move_ordering;

/// The functions for the build's baseline.
pub(crate) mod scalar {
    use super::{HASH_MOVES, ScoredMove, ordering_search_score, static_move_score};
    use crate::shallow::{QUADRANT_SQUARES, final_score, odd_quadrants};
    use alfil_evaluation::othello::fast_eval;
    use alfil_othello::bitboard::scalar::{flips, mobility};
    use alfil_othello::geometry::CORNERS;

    define_move_ordering!();
}
