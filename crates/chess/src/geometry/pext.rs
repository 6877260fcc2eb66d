//! Sliding by gathered bits: PEXT collects the inner occupancy in one instruction, so the index needs no multiplier.
//!
//! The tables are written out for that index; a caller without the instruction has [`super::magic`]. 841 KB.

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
fn lookup<const N: usize>(table: &[u64; N], magic: &Magic, gathered: u64) -> u64 {
    table[magic.offset as usize + gathered as usize]
}

/// What a rook reaches, for whoever gathers the bits of a mask out of the occupancy.
#[inline(always)]
pub fn rook_attacks(square: usize, gather: impl FnOnce(u64) -> u64) -> u64 {
    let magic = &ROOK_MAGICS[square & 63];
    lookup(&ROOKS, magic, gather(magic.mask))
}

/// What a bishop reaches, likewise.
#[inline(always)]
pub fn bishop_attacks(square: usize, gather: impl FnOnce(u64) -> u64) -> u64 {
    let magic = &BISHOP_MAGICS[square & 63];
    lookup(&BISHOPS, magic, gather(magic.mask))
}

/// PEXT without the instruction: the reference.
pub const fn software_pext(occupied: u64, mut mask: u64) -> u64 {
    let (mut bits, mut place) = (0, 0);
    while mask != 0 {
        bits |= (occupied >> mask.trailing_zeros() & 1) << place;
        place += 1;
        mask &= mask - 1;
    }
    bits
}
