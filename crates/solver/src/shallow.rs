//! The last squares, over bare words, without a table: where nine tenths of the time go.
//!
//! [`stamp_last`] writes these functions over the `mobility`, `flips` and `turned_by_last` of the module in which it
//! stands, once for each instruction set. All of them answer for a null window: whether the score is above `alpha`. A
//! result above `alpha` is a lower bound of the score, any other an upper bound.

use crate::params::MIN_TABLE_EMPTIES;
use alfil_othello::geometry::QUADRANTS;

/// The most squares that [`stamp_last`]'s functions are given.
pub(crate) const MAX_SHALLOW_EMPTIES: usize = MIN_TABLE_EMPTIES as usize - 1;

/// A score below every score.
pub(crate) const NEGATIVE_INFINITY: i32 = -65;

/// The score of a finished game, in discs, empty squares given to the winner.
#[inline(always)]
pub(crate) const fn final_score(mover: u64, opponent: u64) -> i32 {
    let (own, other) = (mover.count_ones() as i32, opponent.count_ones() as i32);
    let difference = own - other;
    difference + difference.signum() * (64 - own - other)
}

/// The squares of the quadrants that a set of quadrants names, a bit each.
pub(crate) static QUADRANT_SQUARES: [u64; 16] = {
    let mut sets = [0; 16];
    let mut names = 0;
    while names < 16 {
        let mut quadrant = 0;
        while quadrant < 4 {
            if names >> quadrant & 1 != 0 {
                sets[names] |= QUADRANTS[quadrant];
            }
            quadrant += 1;
        }
        names += 1;
    }
    sets
};

/// The quadrants with an odd number of empty squares, a bit each. Who moves into one of them first tends to move there
/// last, and the last disc of a quadrant is never turned by the quadrant's others.
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

/// Writes `shallow` and all below it for the instruction set of a module.
macro_rules! define_shallow_search {
    ($(#[$feature:meta])*) => {
        /// The null-window search of a position with fewer empty first_squares than
        /// [`MIN_TABLE_EMPTIES`](crate::params::MIN_TABLE_EMPTIES). `nodes` counts every position it looks at.
        $(#[$feature])*
        pub(crate) fn search_shallow(mover: u64, opponent: u64, alpha: i32, nodes: &mut u64) -> i32 {
            let empty = !(mover | opponent);
            match empty.count_ones() {
                0 => final_score(mover, opponent),
                1 => solve_1(mover, alpha, empty.trailing_zeros() as usize, nodes),
                2 => {
                    let [a, b, ..] = first_squares(empty);
                    solve_2(mover, opponent, alpha, [a, b], nodes)
                }
                3 => {
                    let [a, b, c, _] = first_squares(empty);
                    solve_3(mover, opponent, alpha, [a, b, c], nodes)
                }
                4 => solve_4(mover, opponent, alpha, odd_quadrants(empty), nodes),
                5..MIN_SORTED_EMPTIES => solve_by_parity(mover, opponent, alpha, odd_quadrants(empty), nodes),
                _ => solve_by_mobility(mover, opponent, alpha, odd_quadrants(empty), nodes),
            }
        }

        /// [`MIN_SORTED_EMPTIES`] empty first_squares or more: fewest replies first, a corner among them counting twice, and odd
        /// quadrants before even ones where that is equal.
        $(#[$feature])*
        fn solve_by_mobility(mover: u64, opponent: u64, alpha: i32, odd: usize, nodes: &mut u64) -> i32 {
            *nodes += 1;
            let mut places = mobility(mover, opponent);
            if places == 0 {
                if mobility(opponent, mover) == 0 {
                    return final_score(mover, opponent);
                }
                return -solve_by_mobility(opponent, mover, -alpha - 1, odd, nodes);
            }
            let mut order = [(0, 0, 0); MAX_SHALLOW_EMPTIES];
            let mut count = 0;
            while places != 0 && count < MAX_SHALLOW_EMPTIES {
                let square = places.trailing_zeros() as usize;
                places &= places - 1;
                let turned = flips(mover, opponent, square);
                let (next, other) = (opponent ^ turned, mover | turned | 1 << square);
                let replies = mobility(next, other);
                let later = !odd >> QUADRANT_OF[square] & 1;
                let rank = 2 * (replies.count_ones() + (replies & CORNERS).count_ones()) + later as u32;
                // Sorted by insertion: there are few.
                let mut at = count;
                while at > 0 && order[at - 1].0 > rank {
                    order[at] = order[at - 1];
                    at -= 1;
                }
                order[at] = (rank, square, turned);
                count += 1;
            }
            let sorted_below = (mover | opponent).count_zeros() > MIN_SORTED_EMPTIES;
            let mut best = NEGATIVE_INFINITY;
            for &(_, square, turned) in &order[..count] {
                let (next, other) = (opponent ^ turned, mover | turned | 1 << square);
                let odd = odd ^ 1 << QUADRANT_OF[square];
                let score = if sorted_below {
                    -solve_by_mobility(next, other, -alpha - 1, odd, nodes)
                } else {
                    -solve_by_parity(next, other, -alpha - 1, odd, nodes)
                };
                if score > alpha {
                    return score;
                }
                best = best.max(score);
            }
            best
        }

        /// The lowest first_squares of a set, at most four.
        #[inline]
        $(#[$feature])*
        fn first_squares(mut set: u64) -> [usize; 4] {
            let mut first_squares = [0; 4];
            for square in &mut first_squares {
                *square = set.trailing_zeros() as usize & 63;
                set &= set.wrapping_sub(1);
            }
            first_squares
        }

        /// Five empty first_squares or more: odd quadrants first.
        $(#[$feature])*
        fn solve_by_parity(mover: u64, opponent: u64, alpha: i32, odd: usize, nodes: &mut u64) -> i32 {
            *nodes += 1;
            let places = mobility(mover, opponent);
            if places == 0 {
                if mobility(opponent, mover) == 0 {
                    return final_score(mover, opponent);
                }
                return -solve_by_parity(opponent, mover, -alpha - 1, odd, nodes);
            }
            let last_four = (mover | opponent).count_ones() == 59;
            let mut best = NEGATIVE_INFINITY;
            let sooner = places & QUADRANT_SQUARES[odd];
            for mut set in [sooner, places ^ sooner] {
                while set != 0 {
                    let square = set.trailing_zeros() as usize;
                    set &= set - 1;
                    let turned = flips(mover, opponent, square);
                    let (next, other) = (opponent ^ turned, mover | turned | 1 << square);
                    let odd = odd ^ 1 << QUADRANT_OF[square];
                    let score = if last_four {
                        -solve_4(next, other, -alpha - 1, odd, nodes)
                    } else {
                        -solve_by_parity(next, other, -alpha - 1, odd, nodes)
                    };
                    if score > alpha {
                        return score;
                    }
                    best = best.max(score);
                }
            }
            best
        }

        /// Four empty first_squares: those in odd quadrants first.
        $(#[$feature])*
        fn solve_4(mover: u64, opponent: u64, alpha: i32, odd: usize, nodes: &mut u64) -> i32 {
            *nodes += 1;
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
                let turned = flips(mover, opponent, square);
                if turned != 0 {
                    let (next, other) = (opponent ^ turned, mover | turned | 1 << square);
                    let score = -solve_3(next, other, -alpha - 1, rest, nodes);
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
                return -solve_4(opponent, mover, -alpha - 1, odd, nodes);
            }
            best
        }

        /// Three empty first_squares: one that is alone in its quadrant first.
        $(#[$feature])*
        fn solve_3(mover: u64, opponent: u64, alpha: i32, order: [usize; 3], nodes: &mut u64) -> i32 {
            *nodes += 1;
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
                let turned = flips(mover, opponent, square);
                if turned != 0 {
                    let (next, other) = (opponent ^ turned, mover | turned | 1 << square);
                    let score = -solve_2(next, other, -alpha - 1, rest, nodes);
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
                return -solve_3(opponent, mover, -alpha - 1, [a, b, c], nodes);
            }
            best
        }

        /// Two empty first_squares.
        $(#[$feature])*
        fn solve_2(mover: u64, opponent: u64, alpha: i32, order: [usize; 2], nodes: &mut u64) -> i32 {
            *nodes += 1;
            let best = best_of_2(mover, opponent, alpha, order, nodes);
            if best != NEGATIVE_INFINITY {
                return best;
            }
            // The mover passes.
            let reply = best_of_2(opponent, mover, -alpha - 1, order, nodes);
            if reply != NEGATIVE_INFINITY { -reply } else { final_score(mover, opponent) }
        }

        /// The better of two first_squares; [`NEGATIVE_INFINITY`] where no disc can be put on either.
        #[inline]
        $(#[$feature])*
        fn best_of_2(mover: u64, opponent: u64, alpha: i32, order: [usize; 2], nodes: &mut u64) -> i32 {
            let [a, b] = order;
            let mut best = NEGATIVE_INFINITY;
            if NEIGHBOURS[a] & opponent != 0 {
                let turned = flips(mover, opponent, a);
                if turned != 0 {
                    best = -solve_1(opponent ^ turned, -alpha - 1, b, nodes);
                    if best > alpha {
                        return best;
                    }
                }
            }
            if NEIGHBOURS[b] & opponent != 0 {
                let turned = flips(mover, opponent, b);
                if turned != 0 {
                    best = best.max(-solve_1(opponent ^ turned, -alpha - 1, a, nodes));
                }
            }
            best
        }

        /// One empty square: discs are counted, not turned. Exact, or cut off above `alpha`.
        #[inline]
        $(#[$feature])*
        fn solve_1(mover: u64, alpha: i32, square: usize, nodes: &mut u64) -> i32 {
            *nodes += 1;
            let own = mover.count_ones() as i32;
            // If the opponent puts its disc here and turns nothing, and the mover neither.
            let score = 2 * own - 64;
            let turned = count_last_flip(mover, square) as i32;
            if turned != 0 {
                return score + 2 * turned + 2;
            }
            // The mover passes; at best nobody can move, and the winner is given the square.
            let unmoved = if score >= 0 { score + 2 } else { score };
            if unmoved <= alpha {
                return unmoved;
            }
            let turned = count_last_flip(!mover & !(1 << square), square) as i32;
            if turned != 0 { score - 2 * turned } else { unmoved }
        }
    };
}
pub(crate) use define_shallow_search;

/// The functions for the build's baseline.
pub(crate) mod scalar {
    use super::{MAX_SHALLOW_EMPTIES, NEGATIVE_INFINITY, QUADRANT_SQUARES, final_score, odd_quadrants};
    use crate::params::MIN_SORTED_EMPTIES;
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

    /// The score, by the rules and nothing else.
    fn minimax(mover: u64, opponent: u64) -> i32 {
        let mut places = mobility(mover, opponent);
        if places == 0 {
            let over = mobility(opponent, mover) == 0;
            return if over { final_score(mover, opponent) } else { -minimax(opponent, mover) };
        }
        let mut best = NEGATIVE_INFINITY;
        while places != 0 {
            let square = places.trailing_zeros() as usize;
            places &= places - 1;
            let turned = flips(mover, opponent, square);
            best = best.max(-minimax(opponent ^ turned, mover | turned | 1 << square));
        }
        best
    }

    #[test]
    fn null_windows_agree_with_minimax_on_every_instruction_set() {
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
            for alpha in [-64, -40, -12, -3, -2, -1, 0, 1, 2, 12, 40, 63, score - 1, score, score + 1] {
                for isa in Isa::all() {
                    let found = simd::search_shallow(isa, mover, opponent, alpha, &mut 0);
                    let right = if found > alpha { score >= found } else { score <= found };
                    assert!(right, "{} {mover:#x} {opponent:#x} ({alpha}): {found}, not {score}", isa.name());
                }
            }
        }
    }
}
