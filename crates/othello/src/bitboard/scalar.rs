//! Mobility and flips of two sets of discs, one word at a time: the portable form, and the reference for the lanes.

use crate::geometry::{INNER_FILES, RAYS};

/// The squares on which `mover` may put a disc: empty ones from which a row of the opponent's discs leads to one of
/// its own.
///
/// All rows in a direction grow at once, by doubling: after a step of one, two steps of two cover the six discs that
/// can lie between. Parallel prefix (Kogge and Stone, 1973), as Othello programs have used it since the 1990s.
#[inline(always)]
pub const fn mobility(mover: u64, opponent: u64) -> u64 {
    let inner = opponent & INNER_FILES;
    let ends = line_ends(mover, inner, 1)
        | line_ends(mover, inner, 7)
        | line_ends(mover, opponent, 8)
        | line_ends(mover, inner, 9);
    ends & !(mover | opponent)
}

/// The squares just beyond the rows of `between` that begin next to `mover`, along one line in both directions.
#[inline(always)]
const fn line_ends(mover: u64, between: u64, shift: u32) -> u64 {
    let mut up = between & mover << shift;
    let mut down = between & mover >> shift;
    up |= between & up << shift;
    down |= between & down >> shift;
    let pairs_up = between & between << shift;
    let pairs_down = between & between >> shift;
    up |= pairs_up & up << (2 * shift);
    down |= pairs_down & down >> (2 * shift);
    up |= pairs_up & up << (2 * shift);
    down |= pairs_down & down >> (2 * shift);
    up << shift | down >> shift
}

/// The discs that `mover` turns over by putting one on this empty square.
///
/// Towards higher numbers a carry finds the first square of the ray that is not the opponent's; towards lower numbers
/// the count of leading zeros does. Where the mover's disc stands there, everything before it turns.
#[inline(always)]
pub const fn flips(mover: u64, opponent: u64, square: usize) -> u64 {
    let rays = &RAYS[square];
    flips_upward(mover, opponent, rays[0])
        | flips_upward(mover, opponent, rays[1])
        | flips_upward(mover, opponent, rays[2])
        | flips_upward(mover, opponent, rays[3])
        | flips_downward(mover, opponent, rays[4])
        | flips_downward(mover, opponent, rays[5])
        | flips_downward(mover, opponent, rays[6])
        | flips_downward(mover, opponent, rays[7])
}

#[inline(always)]
const fn flips_upward(mover: u64, opponent: u64, ray: u64) -> u64 {
    let end = (opponent | !ray).wrapping_add(1) & mover & ray;
    end.wrapping_sub((end != 0) as u64) & ray
}

#[inline(always)]
const fn flips_downward(mover: u64, opponent: u64, ray: u64) -> u64 {
    // Bit 0 stands in where the whole ray is the opponent's: then it is not the mover's, or not on the ray.
    let first = (1 << 63) >> (!opponent & ray | 1).leading_zeros();
    let end = first & mover & ray;
    end.wrapping_neg() << 1 & ray
}

/// How many discs `mover` turns over by putting one on the last empty square; all others are the opponent's.
#[inline(always)]
pub const fn count_last_flip(mover: u64, square: usize) -> u32 {
    flips(mover, !(mover | 1 << square), square).count_ones()
}
