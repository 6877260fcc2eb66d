//! Sliding by gathered bits: PEXT collects the inner occupancy in one instruction, so the index needs no multiplier.
//!
//! The tables are written out for that index; a caller without the instruction has [`super::magic`]. 841 KB.

use super::magic::{BISHOP_ENTRIES, BISHOP_MAGICS, Magic, ROOK_ENTRIES, ROOK_MAGICS, four_rays, reached};
use super::{BISHOP_STEPS, ROOK_STEPS};
use crate::square::Square;

static ROOKS: [u64; ROOK_ENTRIES] = by_subset(ROOK_STEPS);
static BISHOPS: [u64; BISHOP_ENTRIES] = by_subset(BISHOP_STEPS);

/// The subsets of a mask in the order in which the carry-rippler gives them are those of rising gathered bits.
const fn by_subset<const N: usize>(steps: [(isize, isize); 4]) -> [u64; N] {
    let mut table = [0; N];
    let (mut square, mut index) = (0, 0);
    while square < 64 {
        let rays = four_rays(Square::of_bits(square), steps);
        let mask = super::magic::inner(Square::of_bits(square), steps);
        let mut occupied = 0_u64;
        loop {
            table[index] = reached(&rays, occupied);
            index += 1;
            occupied = occupied.wrapping_sub(mask) & mask;
            if occupied == 0 {
                break;
            }
        }
        square += 1;
    }
    table
}

#[inline(always)]
fn look_up<const N: usize>(table: &[u64; N], magic: &Magic, gathered: u64) -> u64 {
    table[magic.offset as usize + gathered as usize]
}

/// What a rook reaches, for whoever gathers the bits of a mask out of the occupancy.
#[inline(always)]
pub fn rook(square: usize, gather: impl FnOnce(u64) -> u64) -> u64 {
    let magic = &ROOK_MAGICS[square & 63];
    look_up(&ROOKS, magic, gather(magic.mask))
}

/// What a bishop reaches, likewise.
#[inline(always)]
pub fn bishop(square: usize, gather: impl FnOnce(u64) -> u64) -> u64 {
    let magic = &BISHOP_MAGICS[square & 63];
    look_up(&BISHOPS, magic, gather(magic.mask))
}

/// PEXT without the instruction: the reference.
pub fn gathered(occupied: u64, mut mask: u64) -> u64 {
    let (mut bits, mut place) = (0, 0);
    while mask != 0 {
        bits |= (occupied >> mask.trailing_zeros() & 1) << place;
        place += 1;
        mask &= mask - 1;
    }
    bits
}
