//! The instruction set of the solver's recursions, chosen at each root.
//!
//! Stable Rust does not carry target features into generic code, so the recursions are written by macros: once for the baseline of the
//! build ([`last::scalar`], [`order::scalar`]) and once here, for AVX2 with BMI. This is the only file of the crate with `unsafe`: each
//! block calls code for an instruction set that [`Isa::all`] has detected. Measured on a Zen 3 core: 45 % fewer instructions, a quarter
//! fewer cycles.
#![allow(unsafe_code)]

use alfil_othello::bitboard::simd::Isa;

use crate::last;
use crate::order::{self, Choice};

/// Searches the last empty squares: see [`last`].
#[inline]
pub(crate) fn shallow(isa: Isa, mover: u64, opponent: u64, alpha: i32, nodes: &mut u64) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if isa.has_avx2() {
        // SAFETY: an `Isa` with AVX2 comes only from `Isa::all`, which has detected it.
        return unsafe { avx2::shallow(mover, opponent, alpha, nodes) };
    }
    last::scalar::shallow(mover, opponent, alpha, nodes)
}

/// Scores the moves of a node: see [`order`].
#[inline]
pub(crate) fn rate(
    isa: Isa,
    position: (u64, u64),
    places: u64,
    depth: u32,
    known: [u8; 2],
    choices: &mut Vec<Choice>,
) {
    #[cfg(target_arch = "x86_64")]
    if isa.has_avx2() {
        // SAFETY: an `Isa` with AVX2 comes only from `Isa::all`, which has detected it.
        return unsafe { avx2::rate(position, places, depth, known, choices) };
    }
    order::scalar::rate(position, places, depth, known, choices)
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use alfil_evaluation::othello::value;
    use alfil_othello::bitboard::simd::avx2::{flips, mobility, turned_by_last};
    use alfil_othello::geometry::{CORNERS, NEIGHBOURS, QUADRANT_OF};

    use crate::last::{IN_QUADRANTS, NEVER, SORTED_TO, odd_quadrants, settled, stamp_last};
    use crate::order::{Choice, KNOWN, seen, stamp_order, weighed};
    use crate::params::SORTED_FROM;

    stamp_last!(#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]);
    stamp_order!(#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]);
}
