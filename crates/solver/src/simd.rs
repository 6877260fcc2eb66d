//! The choice of the instruction set at the roots of the solver's recursions.
//!
//! Stable Rust does not carry target features into generic code, so macros write the recursions for each of them: for
//! the baseline of the build in [`shallow::scalar`] and [`move_ordering::scalar`], and here for AVX2 with BMI and for
//! AVX-512. This is the only file of the crate with `unsafe`: each block calls code for an instruction set that
//! [`Isa::all`] has detected. Measured gain of AVX2 on a Zen 3 core: 45 % fewer instructions and a quarter fewer
//! cycles.
#![allow(unsafe_code)]

use alfil_evaluation::othello::{PatternStates, PatternWeights};
use alfil_othello::bitboard::simd::Isa;

use crate::move_ordering::{self, MoveOrdering, ScoredMove};
use crate::shallow::{self, ShallowState};

/// Searches a position with few empty squares: see [`shallow`].
#[inline]
#[cfg_attr(not(target_arch = "x86_64"), expect(unused_variables))]
pub(crate) fn search_shallow(
    isa: Isa,
    mover: u64,
    opponent: u64,
    alpha: i32,
    state: &mut ShallowState,
) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if isa.has_avx512() {
        // SAFETY: an `Isa` with AVX-512 comes only from `Isa::all`, which has detected it.
        return unsafe { avx512::search_shallow(mover, opponent, alpha, state) };
    }
    #[cfg(target_arch = "x86_64")]
    if isa.has_avx2() {
        // SAFETY: an `Isa` with AVX2 comes only from `Isa::all`, which has detected it.
        return unsafe { avx2::search_shallow(mover, opponent, alpha, state) };
    }
    shallow::scalar::search_shallow(mover, opponent, alpha, state)
}

/// Appends the moves of a node with their scores: see [`move_ordering`].
#[inline]
#[cfg_attr(not(target_arch = "x86_64"), expect(unused_variables))]
pub(crate) fn score_moves(
    isa: Isa,
    ordering: &MoveOrdering<'_>,
    position: (u64, u64),
    moves: u64,
    scored_moves: &mut Vec<ScoredMove>,
) {
    #[cfg(target_arch = "x86_64")]
    if isa.has_avx512() {
        // SAFETY: an `Isa` with AVX-512 comes only from `Isa::all`, which has detected it.
        return unsafe { avx512::score_moves(ordering, position, moves, scored_moves) };
    }
    #[cfg(target_arch = "x86_64")]
    if isa.has_avx2() {
        // SAFETY: an `Isa` with AVX2 comes only from `Isa::all`, which has detected it.
        return unsafe { avx2::score_moves(ordering, position, moves, scored_moves) };
    }
    move_ordering::scalar::score_moves(ordering, position, moves, scored_moves)
}

/// Returns the score of a position in hundredths of a disc by a search of a few plies with the patterns.
#[inline]
#[cfg_attr(not(target_arch = "x86_64"), expect(unused_variables))]
pub(crate) fn pattern_search(
    isa: Isa,
    weights: &PatternWeights,
    (mover, opponent): (u64, u64),
    depth: u32,
    alpha: i32,
    beta: i32,
) -> i32 {
    let states = PatternStates::of(mover, opponent);
    let node = (mover, opponent, &states);
    #[cfg(target_arch = "x86_64")]
    if isa.has_avx512() {
        // SAFETY: an `Isa` with AVX-512 comes only from `Isa::all`, which has detected it.
        return unsafe { avx512::ordering_search(Some(weights), node, depth, alpha, beta) };
    }
    #[cfg(target_arch = "x86_64")]
    if isa.has_avx2() {
        // SAFETY: an `Isa` with AVX2 comes only from `Isa::all`, which has detected it.
        return unsafe { avx2::ordering_search(Some(weights), node, depth, alpha, beta) };
    }
    move_ordering::scalar::ordering_search(Some(weights), node, depth, alpha, beta)
}

/// Defines the functions of a module for an instruction set.
#[cfg(target_arch = "x86_64")]
macro_rules! define_module {
    ($name:ident, $features:literal) => {
        mod $name {
            use alfil_evaluation::othello::{Counts, PatternStates, PatternWeights, fast_eval};
            use alfil_othello::bitboard::simd::$name::{flips, mobility};
            use alfil_othello::bitboard::simd::avx2::count_last_flip;
            use alfil_othello::geometry::{CORNERS, NEIGHBOURS, QUADRANT_OF};

            use crate::move_ordering::{
                HASH_MOVES, MoveOrdering, ScoredMove, define_move_ordering, ordering_search_score,
                static_move_score,
            };
            use crate::shallow::{
                MAX_SHALLOW_EMPTIES, NEGATIVE_INFINITY, QUADRANT_SQUARES, ShallowState, define_shallow_search,
                final_score, odd_quadrants,
            };
            use crate::table::NO_SQUARE;

            define_shallow_search!(#[target_feature(enable = $features)]);
            define_move_ordering!(#[target_feature(enable = $features)]);
        }
    };
}

#[cfg(target_arch = "x86_64")]
define_module!(avx2, "avx2,bmi1,bmi2,lzcnt,popcnt");
#[cfg(target_arch = "x86_64")]
define_module!(avx512, "avx512f,avx512vl,avx512cd,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt");
