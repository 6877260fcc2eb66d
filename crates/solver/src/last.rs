//! The last squares, over bare words, without a table: where nine tenths of the time go.
//!
//! [`stamp_last`] writes these functions over the `mobility`, `flips` and `turned_by_last` of the module in which it
//! stands, once for each instruction set. All of them answer for a null window: whether the score is above `alpha`. A
//! result above `alpha` is a lower bound of the score, any other an upper bound.

use alfil_othello::geometry::QUADRANTS;
use crate::params::TABLE_FROM;

/// The most squares that [`stamp_last`]'s functions are given.
pub(crate) const SORTED_TO: usize = TABLE_FROM as usize - 1;

/// A score below every score.
pub(crate) const NEVER: i32 = -65;

/// The score of a finished game, in discs, empty squares given to the winner.
#[inline(always)]
pub(crate) const fn settled(mover: u64, opponent: u64) -> i32 {
    let (own, other) = (mover.count_ones() as i32, opponent.count_ones() as i32);
    let difference = own - other;
    difference + difference.signum() * (64 - own - other)
}

/// The squares of the quadrants that a set of quadrants names, a bit each.
pub(crate) static IN_QUADRANTS: [u64; 16] = {
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
macro_rules! stamp_last {
    ($(#[$feature:meta])*) => {
        /// The null-window search of a position with fewer empty squares than
        /// [`TABLE_FROM`](crate::params::TABLE_FROM). `nodes` counts every position it looks at.
        $(#[$feature])*
        pub(crate) fn shallow(mover: u64, opponent: u64, alpha: i32, nodes: &mut u64) -> i32 {
            let empty = !(mover | opponent);
            match empty.count_ones() {
                0 => settled(mover, opponent),
                1 => last_1(mover, alpha, empty.trailing_zeros() as usize, nodes),
                2 => {
                    let [a, b, ..] = squares(empty);
                    last_2(mover, opponent, alpha, [a, b], nodes)
                }
                3 => {
                    let [a, b, c, _] = squares(empty);
                    last_3(mover, opponent, alpha, [a, b, c], nodes)
                }
                4 => last_4(mover, opponent, alpha, odd_quadrants(empty), nodes),
                5..SORTED_FROM => by_parity(mover, opponent, alpha, odd_quadrants(empty), nodes),
                _ => by_replies(mover, opponent, alpha, odd_quadrants(empty), nodes),
            }
        }

        /// [`SORTED_FROM`] empty squares or more: fewest replies first, a corner among them counting twice, and odd
        /// quadrants before even ones where that is equal.
        $(#[$feature])*
        fn by_replies(mover: u64, opponent: u64, alpha: i32, odd: usize, nodes: &mut u64) -> i32 {
            *nodes += 1;
            let mut places = mobility(mover, opponent);
            if places == 0 {
                if mobility(opponent, mover) == 0 {
                    return settled(mover, opponent);
                }
                return -by_replies(opponent, mover, -alpha - 1, odd, nodes);
            }
            let mut order = [(0, 0, 0); SORTED_TO];
            let mut count = 0;
            while places != 0 && count < SORTED_TO {
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
            let sorted_below = (mover | opponent).count_zeros() > SORTED_FROM;
            let mut best = NEVER;
            for &(_, square, turned) in &order[..count] {
                let (next, other) = (opponent ^ turned, mover | turned | 1 << square);
                let odd = odd ^ 1 << QUADRANT_OF[square];
                let score = if sorted_below {
                    -by_replies(next, other, -alpha - 1, odd, nodes)
                } else {
                    -by_parity(next, other, -alpha - 1, odd, nodes)
                };
                if score > alpha {
                    return score;
                }
                best = best.max(score);
            }
            best
        }

        /// The lowest squares of a set, at most four.
        #[inline]
        $(#[$feature])*
        fn squares(mut set: u64) -> [usize; 4] {
            let mut squares = [0; 4];
            for square in &mut squares {
                *square = set.trailing_zeros() as usize & 63;
                set &= set.wrapping_sub(1);
            }
            squares
        }

        /// Five empty squares or more: odd quadrants first.
        $(#[$feature])*
        fn by_parity(mover: u64, opponent: u64, alpha: i32, odd: usize, nodes: &mut u64) -> i32 {
            *nodes += 1;
            let places = mobility(mover, opponent);
            if places == 0 {
                if mobility(opponent, mover) == 0 {
                    return settled(mover, opponent);
                }
                return -by_parity(opponent, mover, -alpha - 1, odd, nodes);
            }
            let last_four = (mover | opponent).count_ones() == 59;
            let mut best = NEVER;
            let sooner = places & IN_QUADRANTS[odd];
            for mut set in [sooner, places ^ sooner] {
                while set != 0 {
                    let square = set.trailing_zeros() as usize;
                    set &= set - 1;
                    let turned = flips(mover, opponent, square);
                    let (next, other) = (opponent ^ turned, mover | turned | 1 << square);
                    let odd = odd ^ 1 << QUADRANT_OF[square];
                    let score = if last_four {
                        -last_4(next, other, -alpha - 1, odd, nodes)
                    } else {
                        -by_parity(next, other, -alpha - 1, odd, nodes)
                    };
                    if score > alpha {
                        return score;
                    }
                    best = best.max(score);
                }
            }
            best
        }

        /// Four empty squares: those in odd quadrants first.
        $(#[$feature])*
        fn last_4(mover: u64, opponent: u64, alpha: i32, odd: usize, nodes: &mut u64) -> i32 {
            *nodes += 1;
            let empty = !(mover | opponent);
            let sooner = empty & IN_QUADRANTS[odd];
            let order = if sooner == 0 || sooner == empty {
                squares(empty)
            } else {
                let ([a, b, ..], [c, d, ..]) = (squares(sooner), squares(empty ^ sooner));
                [a, b, c, d]
            };
            let [a, b, c, d] = order;
            let mut best = NEVER;
            for (square, rest) in [(a, [b, c, d]), (b, [a, c, d]), (c, [a, b, d]), (d, [a, b, c])] {
                if NEIGHBOURS[square] & opponent == 0 {
                    continue;
                }
                let turned = flips(mover, opponent, square);
                if turned != 0 {
                    let (next, other) = (opponent ^ turned, mover | turned | 1 << square);
                    let score = -last_3(next, other, -alpha - 1, rest, nodes);
                    if score > alpha {
                        return score;
                    }
                    best = best.max(score);
                }
            }
            if best == NEVER {
                if mobility(opponent, mover) == 0 {
                    return settled(mover, opponent);
                }
                return -last_4(opponent, mover, -alpha - 1, odd, nodes);
            }
            best
        }

        /// Three empty squares: one that is alone in its quadrant first.
        $(#[$feature])*
        fn last_3(mover: u64, opponent: u64, alpha: i32, order: [usize; 3], nodes: &mut u64) -> i32 {
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
            let mut best = NEVER;
            for (square, rest) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
                if NEIGHBOURS[square] & opponent == 0 {
                    continue;
                }
                let turned = flips(mover, opponent, square);
                if turned != 0 {
                    let (next, other) = (opponent ^ turned, mover | turned | 1 << square);
                    let score = -last_2(next, other, -alpha - 1, rest, nodes);
                    if score > alpha {
                        return score;
                    }
                    best = best.max(score);
                }
            }
            if best == NEVER {
                if mobility(opponent, mover) == 0 {
                    return settled(mover, opponent);
                }
                return -last_3(opponent, mover, -alpha - 1, [a, b, c], nodes);
            }
            best
        }

        /// Two empty squares.
        $(#[$feature])*
        fn last_2(mover: u64, opponent: u64, alpha: i32, order: [usize; 2], nodes: &mut u64) -> i32 {
            *nodes += 1;
            let best = either_of_2(mover, opponent, alpha, order, nodes);
            if best != NEVER {
                return best;
            }
            // The mover passes.
            let reply = either_of_2(opponent, mover, -alpha - 1, order, nodes);
            if reply != NEVER { -reply } else { settled(mover, opponent) }
        }

        /// The better of two squares; [`NEVER`] where no disc can be put on either.
        #[inline]
        $(#[$feature])*
        fn either_of_2(mover: u64, opponent: u64, alpha: i32, order: [usize; 2], nodes: &mut u64) -> i32 {
            let [a, b] = order;
            let mut best = NEVER;
            if NEIGHBOURS[a] & opponent != 0 {
                let turned = flips(mover, opponent, a);
                if turned != 0 {
                    best = -last_1(opponent ^ turned, -alpha - 1, b, nodes);
                    if best > alpha {
                        return best;
                    }
                }
            }
            if NEIGHBOURS[b] & opponent != 0 {
                let turned = flips(mover, opponent, b);
                if turned != 0 {
                    best = best.max(-last_1(opponent ^ turned, -alpha - 1, a, nodes));
                }
            }
            best
        }

        /// One empty square: discs are counted, not turned. Exact, or cut off above `alpha`.
        #[inline]
        $(#[$feature])*
        fn last_1(mover: u64, alpha: i32, square: usize, nodes: &mut u64) -> i32 {
            *nodes += 1;
            let own = mover.count_ones() as i32;
            // If the opponent puts its disc here and turns nothing, and the mover neither.
            let score = 2 * own - 64;
            let turned = turned_by_last(mover, square) as i32;
            if turned != 0 {
                return score + 2 * turned + 2;
            }
            // The mover passes; at best nobody can move, and the winner is given the square.
            let unmoved = if score >= 0 { score + 2 } else { score };
            if unmoved <= alpha {
                return unmoved;
            }
            let turned = turned_by_last(!mover & !(1 << square), square) as i32;
            if turned != 0 { score - 2 * turned } else { unmoved }
        }
    };
}
pub(crate) use stamp_last;

/// The functions for the build's baseline.
pub(crate) mod scalar {
    use super::{IN_QUADRANTS, NEVER, SORTED_TO, odd_quadrants, settled};
    use alfil_othello::bitboard::scalar::{flips, mobility, turned_by_last};
    use alfil_othello::geometry::{CORNERS, NEIGHBOURS, QUADRANT_OF};
    use crate::params::SORTED_FROM;

    stamp_last!();
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_othello::bitboard::scalar::{flips, mobility};
    use crate::simd;
    use alfil_othello::bitboard::simd::Isa;
    use alfil_kernel::keys::SplitMix64;

    /// The score, by the rules and nothing else.
    fn minimax(mover: u64, opponent: u64) -> i32 {
        let mut places = mobility(mover, opponent);
        if places == 0 {
            let over = mobility(opponent, mover) == 0;
            return if over { settled(mover, opponent) } else { -minimax(opponent, mover) };
        }
        let mut best = NEVER;
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
            let own = random.next_word();
            let own = if round % 5 == 0 { own & random.next_word() } else { own };
            let (mover, opponent) = (occupied & own, occupied & !own);
            let score = minimax(mover, opponent);
            for alpha in [-64, -40, -12, -3, -2, -1, 0, 1, 2, 12, 40, 63, score - 1, score, score + 1] {
                for isa in Isa::all() {
                    let found = simd::shallow(isa, mover, opponent, alpha, &mut 0);
                    let right = if found > alpha { score >= found } else { score <= found };
                    assert!(right, "{} {mover:#x} {opponent:#x} ({alpha}): {found}, not {score}", isa.name());
                }
            }
        }
    }
}
