//! PEXT bitboards: slider attacks by one PEXT instruction (BMI2) and one look-up. The tables take 841 KB.
//!
//! For CPUs without the instruction see [`super::magic`].

use super::magic::{
    BISHOP_ENTRIES, BISHOP_MAGICS, BISHOP_MULTIPLIERS, IndexMethod, Magic, ROOK_ENTRIES, ROOK_MAGICS,
    ROOK_MULTIPLIERS, fill_table, magic_table,
};
use super::{BISHOP_STEPS, ROOK_STEPS};

static ROOKS: [u64; ROOK_ENTRIES] =
    fill_table(&magic_table(&ROOK_MULTIPLIERS, ROOK_STEPS), ROOK_STEPS, IndexMethod::Pext);
static BISHOPS: [u64; BISHOP_ENTRIES] =
    fill_table(&magic_table(&BISHOP_MULTIPLIERS, BISHOP_STEPS), BISHOP_STEPS, IndexMethod::Pext);

#[inline(always)]
fn lookup<const N: usize>(table: &[u64; N], magic: &Magic, index: u64) -> u64 {
    table[magic.offset as usize + index as usize]
}

/// Returns the attacks of a rook. `pext` extracts the bits of a mask from the occupancy.
#[inline(always)]
pub fn rook_attacks(square: usize, pext: impl FnOnce(u64) -> u64) -> u64 {
    let magic = &ROOK_MAGICS[square & 63];
    lookup(&ROOKS, magic, pext(magic.mask))
}

/// Returns the attacks of a bishop. `pext` extracts the bits of a mask from the occupancy.
#[inline(always)]
pub fn bishop_attacks(square: usize, pext: impl FnOnce(u64) -> u64) -> u64 {
    let magic = &BISHOP_MAGICS[square & 63];
    lookup(&BISHOPS, magic, pext(magic.mask))
}

/// Computes PEXT without the instruction, as a reference.
pub const fn software_pext(occupied: u64, mut mask: u64) -> u64 {
    let (mut bits, mut position) = (0, 0);
    while mask != 0 {
        bits |= (occupied >> mask.trailing_zeros() & 1) << position;
        position += 1;
        mask &= mask - 1;
    }
    bits
}
