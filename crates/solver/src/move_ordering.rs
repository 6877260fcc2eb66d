//! Move ordering: moves that leave the opponent few replies come first, as their trees are small (fastest-first).
//!
//! Near the leaves a static score of the move orders; higher in the tree a search of a few plies is added, with the
//! patterns of the evaluation at its leaves, or [`fast_eval`](alfil_evaluation::othello::fast_eval) without their
//! weights.

use alfil_evaluation::othello::PatternWeights;
use alfil_othello::geometry::{CORNERS, adjacent_squares};

use crate::table::SolverTable;

/// A move with its ordering score and the position after it, from the view of the side that is then to move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScoredMove {
    /// The ordering score; moves with higher scores are searched first.
    pub(crate) score: i32,
    pub(crate) square: u8,
    pub(crate) mover: u64,
    pub(crate) opponent: u64,
}

/// How the moves of a node are ordered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveOrdering<'a> {
    pub(crate) weights: Option<&'a PatternWeights>,
    /// The depth of the ordering search in plies; 0 for none.
    pub(crate) depth: u32,
    /// The moves with the highest scores.
    pub(crate) hash_moves: [u8; 2],
    /// The table that is probed for all children next.
    pub(crate) table: Option<&'a SolverTable>,
}

/// The weights of the ordering score, in arbitrary units.
mod weight {
    /// A reply of the opponent; a corner counts twice.
    pub(super) const REPLY: i32 = 180;
    /// An empty square next to an own disc, a potential reply.
    pub(super) const FRONTIER: i32 = 19;
    /// A move into a quadrant with an odd number of empty squares.
    pub(super) const ODD_QUADRANT: i32 = 38;
    /// A hundredth of a disc of the ordering search score.
    pub(super) const ORDERING_SEARCH: i32 = 1;
    /// The best move of the table, and its previous best move.
    pub(crate) const HASH_MOVES: [i32; 2] = [1 << 28, 1 << 27];
}
pub(crate) use weight::HASH_MOVES;
use weight::{FRONTIER, ODD_QUADRANT, ORDERING_SEARCH, REPLY};

/// Returns the static part of the score of a move, from the position after it. `is_odd` is whether the move is in a
/// quadrant with an odd number of empty squares.
#[inline(always)]
pub(crate) fn static_move_score(mover: u64, opponent: u64, replies: u64, is_odd: bool) -> i32 {
    let empty = !(mover | opponent);
    let count = |set: u64| set.count_ones() as i32;
    let mut score = -REPLY * (count(replies) + count(replies & CORNERS));
    score -= FRONTIER * count(adjacent_squares(opponent) & empty);
    score + if is_odd { ODD_QUADRANT } else { 0 }
}

/// Returns the weighted score of the ordering search.
#[inline(always)]
pub(crate) fn ordering_search_score(score: i32) -> i32 {
    ORDERING_SEARCH * score
}

/// Defines `score_moves` and `ordering_search` over the `mobility` and `flips` of the enclosing module.
macro_rules! define_move_ordering {
    ($(#[$feature:meta])*) => {
        /// Appends the moves of a set of squares with their scores.
        $(#[$feature])*
        pub(crate) fn score_moves(
            ordering: &MoveOrdering<'_>,
            (mover, opponent): (u64, u64),
            mut moves: u64,
            scored_moves: &mut Vec<ScoredMove>,
        ) {
            let &MoveOrdering { weights, depth, hash_moves, table } = ordering;
            let odd_squares = QUADRANT_SQUARES[odd_quadrants(!(mover | opponent))];
            let states = match (weights, depth) {
                (Some(_), 1..) => PatternStates::of(mover, opponent),
                _ => PatternStates::EMPTY,
            };
            while moves != 0 {
                let square = moves.trailing_zeros() as usize;
                moves &= moves - 1;
                let flipped = flips(mover, opponent, square);
                let (next, other) = (opponent ^ flipped, mover | flipped | 1 << square);
                if let Some(table) = table {
                    table.prefetch(next, other);
                }
                let score = match hash_moves.iter().position(|&hash_move| hash_move as usize == square) {
                    Some(index) => HASH_MOVES[index],
                    None if next == 0 => 2 * HASH_MOVES[0],
                    None => {
                        let replies = mobility(next, other);
                        let is_odd = odd_squares >> square & 1 != 0;
                        let static_score = static_move_score(next, other, replies, is_odd);
                        if depth == 0 {
                            static_score
                        } else {
                            let states = states.after_move(square, flipped).swapped();
                            let leaf = (next, other, &states);
                            let reply_score = ordering_search(weights, leaf, depth - 1, -99_999, 99_999);
                            static_score - ordering_search_score(reply_score)
                        }
                    }
                };
                scored_moves.push(ScoredMove { score, square: square as u8, mover: next, opponent: other });
            }
        }

        /// Searches a few plies by alpha-beta with the static evaluation at the leaves. The states are those of the
        /// mover; they are not used without weights.
        $(#[$feature])*
        pub(crate) fn ordering_search(
            weights: Option<&PatternWeights>,
            (mover, opponent, states): (u64, u64, &PatternStates),
            depth: u32,
            mut alpha: i32,
            beta: i32,
        ) -> i32 {
            let mut moves = mobility(mover, opponent);
            if depth == 0 {
                let replies = mobility(opponent, mover);
                let Some(weights) = weights else { return fast_eval(mover, opponent, moves, replies) };
                let (moves, replies) = (moves.count_ones(), replies.count_ones());
                return weights.score(states, Counts { moves, replies, empty: !(mover | opponent) });
            }
            if moves == 0 {
                if mobility(opponent, mover) == 0 {
                    return 100 * final_score(mover, opponent);
                }
                let passed = (opponent, mover, &states.swapped());
                return -ordering_search(weights, passed, depth, -beta, -alpha);
            }
            let mut best = -99_999;
            // Corners first, as they are mostly good moves.
            let corners = moves & CORNERS;
            moves ^= corners;
            for mut set in [corners, moves] {
                while set != 0 {
                    let square = set.trailing_zeros() as usize;
                    set &= set - 1;
                    let flipped = flips(mover, opponent, square);
                    let (next, other) = (opponent ^ flipped, mover | flipped | 1 << square);
                    let child = (next, other, &states.after_move(square, flipped).swapped());
                    best = best.max(-ordering_search(weights, child, depth - 1, -beta, -alpha));
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
#[cfg(target_arch = "x86_64")]
pub(crate) use define_move_ordering;

/// The functions for the baseline of the build.
pub(crate) mod scalar {
    use super::{HASH_MOVES, MoveOrdering, ScoredMove, ordering_search_score, static_move_score};
    use crate::shallow::{QUADRANT_SQUARES, final_score, odd_quadrants};
    use alfil_evaluation::othello::{Counts, PatternStates, PatternWeights, fast_eval};
    use alfil_othello::bitboard::scalar::{flips, mobility};
    use alfil_othello::geometry::CORNERS;

    define_move_ordering!();
}
