//! Mobility and flips of two sets of discs in portable code; the reference for the SIMD implementation.

use crate::geometry::{INNER_COLUMNS, RAYS};

/// Returns the squares on which `mover` can place a disc: empty squares from which a run of the opponent's discs leads
/// to a disc of the mover.
///
/// Parallel prefix (Kogge and Stone, 1973), as in Othello programs since the 1990s: the runs of a direction grow at
/// once; one step of one square and two steps of two squares cover the up to six discs between.
#[inline(always)]
pub const fn mobility(mover: u64, opponent: u64) -> u64 {
    let inner = opponent & INNER_COLUMNS;
    let ends = line_ends(mover, inner, 1)
        | line_ends(mover, inner, 7)
        | line_ends(mover, opponent, 8)
        | line_ends(mover, inner, 9);
    ends & !(mover | opponent)
}

/// Returns the squares just behind the runs of `between` that begin next to `mover`, in both directions of a line.
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

/// Returns the discs that `mover` flips by placing a disc on the empty square `square`.
///
/// On rays towards higher indices, a carry finds the first square without an opponent's disc; on the other rays, the
/// number of leading zeros does. If that square has a disc of the mover, all discs before it are flipped.
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
    // `| 1` keeps the count below 64 if the opponent fills the ray; bit 0 is then not the mover's or not on the ray.
    let first = (1 << 63) >> (!opponent & ray | 1).leading_zeros();
    let end = first & mover & ray;
    end.wrapping_neg() << 1 & ray
}

/// Counts the discs that `mover` flips by placing a disc on the last empty square; all other discs are the opponent's.
#[inline(always)]
pub const fn count_last_flip(mover: u64, square: usize) -> u32 {
    flips(mover, !(mover | 1 << square), square).count_ones()
}
