//! The search of the last empty squares, with a small table of the worker. It takes most of the time.
//!
//! [`define_shallow_search`] defines the functions once for each instruction set. Those of five to two empty squares
//! are alike on purpose: each is written out for its number of squares, with no loop that counts them. All of them
//! search with the null window (`alpha`, `alpha + 1`) in discs: a result above `alpha` is a lower bound of the score,
//! any other an upper bound.

use alfil_othello::geometry::QUADRANTS;

use crate::params::MIN_TABLE_EMPTIES;
use crate::shallow_table::ShallowTable;

/// The state of a worker's shallow search.
#[derive(Debug)]
pub(crate) struct ShallowState {
    /// The visited positions.
    pub(crate) nodes: u64,
    pub(crate) table: ShallowTable,
}

impl ShallowState {
    pub(crate) fn new() -> ShallowState {
        ShallowState { nodes: 0, table: ShallowTable::new() }
    }
}

/// The most empty squares of the shallow search.
pub(crate) const MAX_SHALLOW_EMPTIES: usize = MIN_TABLE_EMPTIES as usize - 1;

/// A bound below every score.
pub(crate) const NEGATIVE_INFINITY: i32 = -65;

/// Returns the score of a finished game in discs, with the empty squares given to the winner.
#[inline(always)]
pub(crate) const fn final_score(mover: u64, opponent: u64) -> i32 {
    let (own, other) = (mover.count_ones() as i32, opponent.count_ones() as i32);
    let difference = own - other;
    difference + difference.signum() * (64 - own - other)
}

/// The squares of a set of quadrants, which has one bit for each.
pub(crate) static QUADRANT_SQUARES: [u64; 16] = {
    let mut sets = [0; 16];
    let mut quadrants = 0;
    while quadrants < 16 {
        let mut quadrant = 0;
        while quadrant < 4 {
            if quadrants >> quadrant & 1 != 0 {
                sets[quadrants] |= QUADRANTS[quadrant];
            }
            quadrant += 1;
        }
        quadrants += 1;
    }
    sets
};

/// Returns the quadrants with an odd number of empty squares, one bit each. The side that moves first in such a
/// quadrant tends to move last in it too, and no later move in the quadrant flips its last disc.
#[inline(always)]
pub(crate) const fn odd_quadrants(empty: u64) -> usize {
    let mut odd = 0;
    let mut quadrant = 0;
    while quadrant < 4 {
        odd |= ((empty & QUADRANTS[quadrant]).count_ones() as usize & 1) << quadrant;
        quadrant += 1;
    }
    odd
}

/// Defines `search_shallow` over the functions `mobility`, `flips` and `count_last_flip` of the enclosing module.
macro_rules! define_shallow_search {
    ($(#[$feature:meta])*) => {
        /// Searches a position with fewer empty squares than
        /// [`MIN_TABLE_EMPTIES`](crate::params::MIN_TABLE_EMPTIES). It counts the visited positions, but
        /// not full boards, nor those after a pass with at most two empty squares.
        $(#[$feature])*
        pub(crate) fn search_shallow(mover: u64, opponent: u64, alpha: i32, state: &mut ShallowState) -> i32 {
            let empty = !(mover | opponent);
            match empty.count_ones() {
                0 => final_score(mover, opponent),
                1 => solve_1(mover, alpha, empty.trailing_zeros() as usize, state),
                2 => {
                    let [a, b, ..] = first_squares(empty);
                    solve_2(mover, opponent, alpha, [a, b], state)
                }
                3 => {
                    let [a, b, c, _] = first_squares(empty);
                    solve_3(mover, opponent, alpha, [a, b, c], state)
                }
                4 => solve_4(mover, opponent, alpha, odd_quadrants(empty), state),
                5 => solve_5(mover, opponent, alpha, odd_quadrants(empty), state),
                _ => solve_by_mobility(mover, opponent, alpha, odd_quadrants(empty), state),
            }
        }

        /// Searches six or more empty squares: the best move of the table first, then moves with few replies, a corner
        /// counting twice, and of equal ones those in odd quadrants.
        $(#[$feature])*
        fn solve_by_mobility(mover: u64, opponent: u64, alpha: i32, odd: usize, state: &mut ShallowState) -> i32 {
            state.nodes += 1;
            let empties = (mover | opponent).count_zeros();
            let mut hash_move = NO_SQUARE;
            if let Some(entry) = state.table.probe(mover, opponent) {
                if i32::from(entry.lower) > alpha {
                    return entry.lower.into();
                }
                if i32::from(entry.upper) <= alpha {
                    return entry.upper.into();
                }
                hash_move = entry.best_move;
            }
            let mut moves = mobility(mover, opponent);
            if moves == 0 {
                if mobility(opponent, mover) == 0 {
                    return final_score(mover, opponent);
                }
                return -solve_by_mobility(opponent, mover, -alpha - 1, odd, state);
            }
            // All ranks are computed before any is compared, as a comparison is a branch that the processor predicts
            // badly. A rank has the index of its move in the last byte, which decides between equal ones.
            let mut ranks = [u32::MAX; MAX_SHALLOW_EMPTIES];
            let mut flips_of = [0; MAX_SHALLOW_EMPTIES];
            let mut count = 0;
            while moves != 0 && count < MAX_SHALLOW_EMPTIES {
                let square = moves.trailing_zeros() as usize;
                moves &= moves - 1;
                let flipped = flips(mover, opponent, square);
                let (next, other) = (opponent ^ flipped, mover | flipped | 1 << square);
                let replies = mobility(next, other);
                let is_even = !odd >> QUADRANT_OF[square] & 1;
                let rank = 2 * (replies.count_ones() + (replies & CORNERS).count_ones()) + is_even as u32;
                let rank = if square == hash_move as usize { 0 } else { rank };
                ranks[count] = rank << 16 | (square << 8 | count) as u32;
                flips_of[count] = flipped;
                count += 1;
            }
            let mut best = (NEGATIVE_INFINITY, NO_SQUARE);
            for _ in 0..count {
                let first = ranks.iter().fold(u32::MAX, |first, &rank| first.min(rank));
                let square = (first >> 8 & 63) as usize;
                let index = (first & 0xFF) as usize % MAX_SHALLOW_EMPTIES;
                ranks[index] = u32::MAX;
                let flipped = flips_of[index];
                let (next, other) = (opponent ^ flipped, mover | flipped | 1 << square);
                let odd = odd ^ 1 << QUADRANT_OF[square];
                let score = if empties > 6 {
                    -solve_by_mobility(next, other, -alpha - 1, odd, state)
                } else {
                    -solve_5(next, other, -alpha - 1, odd, state)
                };
                if score > best.0 {
                    best = (score, square as u8);
                    if score > alpha {
                        break;
                    }
                }
            }
            state.table.store((mover, opponent), alpha, best);
            best.0
        }

        /// Searches five empty squares: those in odd quadrants first.
        $(#[$feature])*
        fn solve_5(mover: u64, opponent: u64, alpha: i32, odd: usize, state: &mut ShallowState) -> i32 {
            state.nodes += 1;
            let empty = !(mover | opponent);
            let sooner = empty & QUADRANT_SQUARES[odd];
            let mut best = NEGATIVE_INFINITY;
            for mut set in [sooner, empty ^ sooner] {
                while set != 0 {
                    let square = set.trailing_zeros() as usize & 63;
                    set &= set - 1;
                    if NEIGHBOURS[square] & opponent == 0 {
                        continue;
                    }
                    let flipped = flips(mover, opponent, square);
                    if flipped != 0 {
                        let (next, other) = (opponent ^ flipped, mover | flipped | 1 << square);
                        let score = -solve_4(next, other, -alpha - 1, odd ^ 1 << QUADRANT_OF[square], state);
                        if score > alpha {
                            return score;
                        }
                        best = best.max(score);
                    }
                }
            }
            if best == NEGATIVE_INFINITY {
                if mobility(opponent, mover) == 0 {
                    return final_score(mover, opponent);
                }
                return -solve_5(opponent, mover, -alpha - 1, odd, state);
            }
            best
        }

        /// Returns the lowest four squares of a set.
        #[inline]
        $(#[$feature])*
        fn first_squares(mut set: u64) -> [usize; 4] {
            let mut squares = [0; 4];
            for square in &mut squares {
                *square = set.trailing_zeros() as usize & 63;
                set &= set.wrapping_sub(1);
            }
            squares
        }

        /// Searches four empty squares: those in odd quadrants first.
        $(#[$feature])*
        fn solve_4(mover: u64, opponent: u64, alpha: i32, odd: usize, state: &mut ShallowState) -> i32 {
            state.nodes += 1;
            let empty = !(mover | opponent);
            let sooner = empty & QUADRANT_SQUARES[odd];
            let order = if sooner == 0 || sooner == empty {
                first_squares(empty)
            } else {
                let ([a, b, ..], [c, d, ..]) = (first_squares(sooner), first_squares(empty ^ sooner));
                [a, b, c, d]
            };
            let [a, b, c, d] = order;
            let mut best = NEGATIVE_INFINITY;
            for (square, rest) in [(a, [b, c, d]), (b, [a, c, d]), (c, [a, b, d]), (d, [a, b, c])] {
                if NEIGHBOURS[square] & opponent == 0 {
                    continue;
                }
                let flipped = flips(mover, opponent, square);
                if flipped != 0 {
                    let (next, other) = (opponent ^ flipped, mover | flipped | 1 << square);
                    let score = -solve_3(next, other, -alpha - 1, rest, state);
                    if score > alpha {
                        return score;
                    }
                    best = best.max(score);
                }
            }
            if best == NEGATIVE_INFINITY {
                if mobility(opponent, mover) == 0 {
                    return final_score(mover, opponent);
                }
                return -solve_4(opponent, mover, -alpha - 1, odd, state);
            }
            best
        }

        /// Searches three empty squares: one that is alone in its quadrant first.
        $(#[$feature])*
        fn solve_3(mover: u64, opponent: u64, alpha: i32, order: [usize; 3], state: &mut ShallowState) -> i32 {
            state.nodes += 1;
            let [a, b, c] = order;
            let [in_a, in_b, in_c] = [QUADRANT_OF[a], QUADRANT_OF[b], QUADRANT_OF[c]];
            let (a, b, c) = if in_a == in_b {
                (c, a, b)
            } else if in_a == in_c {
                (b, a, c)
            } else {
                (a, b, c)
            };
            let mut best = NEGATIVE_INFINITY;
            for (square, rest) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
                if NEIGHBOURS[square] & opponent == 0 {
                    continue;
                }
                let flipped = flips(mover, opponent, square);
                if flipped != 0 {
                    let (next, other) = (opponent ^ flipped, mover | flipped | 1 << square);
                    let score = -solve_2(next, other, -alpha - 1, rest, state);
                    if score > alpha {
                        return score;
                    }
                    best = best.max(score);
                }
            }
            if best == NEGATIVE_INFINITY {
                if mobility(opponent, mover) == 0 {
                    return final_score(mover, opponent);
                }
                return -solve_3(opponent, mover, -alpha - 1, [a, b, c], state);
            }
            best
        }

        /// Searches two empty squares.
        $(#[$feature])*
        fn solve_2(mover: u64, opponent: u64, alpha: i32, order: [usize; 2], state: &mut ShallowState) -> i32 {
            state.nodes += 1;
            let best = best_of_2(mover, opponent, alpha, order, state);
            if best != NEGATIVE_INFINITY {
                return best;
            }
            // The mover passes.
            let reply = best_of_2(opponent, mover, -alpha - 1, order, state);
            if reply != NEGATIVE_INFINITY { -reply } else { final_score(mover, opponent) }
        }

        /// Returns the better score of two squares, or [`NEGATIVE_INFINITY`] if the mover can place a disc on neither.
        #[inline]
        $(#[$feature])*
        fn best_of_2(mover: u64, opponent: u64, alpha: i32, order: [usize; 2], state: &mut ShallowState) -> i32 {
            let [a, b] = order;
            let mut best = NEGATIVE_INFINITY;
            if NEIGHBOURS[a] & opponent != 0 {
                let flipped = flips(mover, opponent, a);
                if flipped != 0 {
                    best = -solve_1(opponent ^ flipped, -alpha - 1, b, state);
                    if best > alpha {
                        return best;
                    }
                }
            }
            if NEIGHBOURS[b] & opponent != 0 {
                let flipped = flips(mover, opponent, b);
                if flipped != 0 {
                    best = best.max(-solve_1(opponent ^ flipped, -alpha - 1, a, state));
                }
            }
            best
        }

        /// Searches one empty square by counting flips. The result is exact or, at or below `alpha`, an upper bound.
        #[inline]
        $(#[$feature])*
        fn solve_1(mover: u64, alpha: i32, square: usize, state: &mut ShallowState) -> i32 {
            state.nodes += 1;
            let own = mover.count_ones() as i32;
            // The score if the opponent's disc were on the square without flips.
            let score = 2 * own - 64;
            let flipped = count_last_flip(mover, square) as i32;
            if flipped != 0 {
                return score + 2 * flipped + 2;
            }
            // The mover passes. The best case is that the opponent cannot move either; the winner is then given the
            // square.
            let score_if_empty = if score >= 0 { score + 2 } else { score };
            if score_if_empty <= alpha {
                return score_if_empty;
            }
            let flipped = count_last_flip(!mover & !(1 << square), square) as i32;
            if flipped != 0 { score - 2 * flipped } else { score_if_empty }
        }
    };
}
#[cfg(target_arch = "x86_64")]
pub(crate) use define_shallow_search;

/// The functions for the baseline of the build.
pub(crate) mod scalar {
    use super::{
        MAX_SHALLOW_EMPTIES, NEGATIVE_INFINITY, QUADRANT_SQUARES, ShallowState, final_score, odd_quadrants,
    };
    use crate::table::NO_SQUARE;
    use alfil_othello::bitboard::scalar::{count_last_flip, flips, mobility};
    use alfil_othello::geometry::{CORNERS, NEIGHBOURS, QUADRANT_OF};

    define_shallow_search!();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd;
    use alfil_kernel::zobrist::SplitMix64;
    use alfil_othello::bitboard::scalar::{flips, mobility};
    use alfil_othello::bitboard::simd::Isa;

    /// Returns the score by minimax without pruning.
    fn minimax(mover: u64, opponent: u64) -> i32 {
        let mut moves = mobility(mover, opponent);
        if moves == 0 {
            let is_over = mobility(opponent, mover) == 0;
            return if is_over { final_score(mover, opponent) } else { -minimax(opponent, mover) };
        }
        let mut best = NEGATIVE_INFINITY;
        while moves != 0 {
            let square = moves.trailing_zeros() as usize;
            moves &= moves - 1;
            let flipped = flips(mover, opponent, square);
            best = best.max(-minimax(opponent ^ flipped, mover | flipped | 1 << square));
        }
        best
    }

    #[test]
    fn null_window_bounds_agree_with_minimax_on_every_instruction_set() {
        let mut random = SplitMix64::new(51);
        for round in 0..6_000 {
            let mut occupied = u64::MAX;
            while occupied.count_zeros() < round % 8 {
                occupied &= !(1 << random.below(64));
            }
            let own = random.next_u64();
            let own = if round % 5 == 0 { own & random.next_u64() } else { own };
            let (mover, opponent) = (occupied & own, occupied & !own);
            let score = minimax(mover, opponent);
            // Each search finds the bounds of the others in its table.
            let mut states = [ShallowState::new(), ShallowState::new(), ShallowState::new()];
            for alpha in [-64, -40, -12, -3, -2, -1, 0, 1, 2, 12, 40, 63, score - 1, score, score + 1] {
                for (isa, state) in Isa::all().zip(&mut states) {
                    let result = simd::search_shallow(isa, mover, opponent, alpha, state);
                    let is_bound = if result > alpha { score >= result } else { score <= result };
                    assert!(
                        is_bound,
                        "{} {mover:#x} {opponent:#x} ({alpha}): {result}, not {score}",
                        isa.name()
                    );
                }
            }
        }
    }
}
