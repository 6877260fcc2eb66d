//! The functions over AVX-512, for code that is compiled for this instruction set itself, and the fast perft with a
//! board in each of eight lanes.
//!
//! In the fast perft, near the leaves the moves of many positions wait in a queue; eight of them are made at once, and
//! the mobility of the eight positions after them is computed at once. All lanes do the same, so that no lane has to be
//! gathered, and the mobility of a leaf's parent is counted without leaving the vector.

use core::arch::x86_64::*;

use super::super::perft_recursion;
use crate::geometry::{INNER_COLUMNS, INNER_ROWS};
use crate::pass_convention::PassConvention;

/// Computes the mobility with a direction in each of eight lanes. Rotations replace shifts: a square of the edges to
/// which or from which they would wrap is never between two discs in that direction.
///
/// # Safety
/// The machine must support these instruction sets: see [`Isa::has_avx512`](super::Isa::has_avx512).
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512cd,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub fn mobility(mover: u64, opponent: u64) -> u64 {
    let [row, column] = [INNER_COLUMNS, INNER_ROWS].map(|squares| squares as i64);
    let diagonal = row & column;
    let inner = _mm512_setr_epi64(row, row, column, column, diagonal, diagonal, diagonal, diagonal);
    let step = _mm512_setr_epi64(1, 63, 8, 56, 7, 57, 9, 55);
    let twice = _mm512_setr_epi64(2, 62, 16, 48, 14, 50, 18, 46);
    let between = _mm512_and_si512(_mm512_set1_epi64(opponent as i64), inner);
    let mut run = _mm512_and_si512(between, _mm512_rolv_epi64(_mm512_set1_epi64(mover as i64), step));
    run = or_and(run, between, _mm512_rolv_epi64(run, step));
    let pairs = _mm512_and_si512(between, _mm512_rolv_epi64(between, step));
    run = or_and(run, pairs, _mm512_rolv_epi64(run, twice));
    run = or_and(run, pairs, _mm512_rolv_epi64(run, twice));
    _mm512_reduce_or_epi64(_mm512_rolv_epi64(run, step)) as u64 & !(mover | opponent)
}

/// Computes the flips with the four upward rays in one vector and the four downward rays in another. Upwards a carry
/// finds the end of the opponent's run, downwards the count of leading zeros.
///
/// # Safety
/// The machine must support these instruction sets: see [`Isa::has_avx512`](super::Isa::has_avx512).
///
/// # Panics
/// If the square is not below 64.
#[inline]
#[target_feature(enable = "avx512f,avx512vl,avx512cd,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub fn flips(mover: u64, opponent: u64, square: usize) -> u64 {
    let (own, other) = (_mm256_set1_epi64x(mover as i64), _mm256_set1_epi64x(opponent as i64));
    let ones = _mm256_set1_epi64x(-1);
    let [upward, downward] = super::avx2::ray_vectors(square);

    // opponent | !ray, and the sum of it and 1: the carry clears the opponent's run and sets the square behind it.
    let filled = _mm256_ternarylogic_epi64::<0xF3>(other, upward, upward);
    let carried = _mm256_sub_epi64(filled, ones);
    let is_closed = _mm256_test_epi64_mask(_mm256_and_si256(carried, upward), own);
    // filled & !carried & ray
    let flips = _mm256_maskz_mov_epi64(is_closed, _mm256_ternarylogic_epi64::<0x20>(filled, carried, upward));

    // The highest square of the ray without an opponent's disc, and the squares above it.
    let zeros = _mm256_lzcnt_epi64(_mm256_andnot_si256(other, downward));
    let end = _mm256_srlv_epi64(_mm256_set1_epi64x(i64::MIN), zeros);
    let is_closed = _mm256_test_epi64_mask(end, own);
    let up_to_end = _mm256_srlv_epi64(ones, zeros);
    // flips | ray & !up_to_end
    let both = _mm256_ternarylogic_epi64::<0xF4>(flips, downward, up_to_end);
    let flips = _mm256_mask_mov_epi64(flips, is_closed, both);
    super::avx2::union(flips)
}

/// The number of lanes.
const LANES: usize = 8;

/// The most moves that wait: less than a vector, and those of one position.
const CAPACITY: usize = 48;

/// Moves that wait, by columns.
struct Queue {
    movers: [u64; CAPACITY],
    opponents: [u64; CAPACITY],
    moves: [u64; CAPACITY],
    len: usize,
}

/// The positions after eight moves: discs of the side to move, of its opponent, and the squares of its moves.
struct Positions {
    mover: __m512i,
    opponent: __m512i,
    mobility: __m512i,
}

/// The state of a count.
struct Counter {
    convention: PassConvention,
    /// The moves after which one ply is left.
    last: Queue,
    /// The moves after which two plies are left.
    last_but_one: Queue,
    /// The counts of the leaves, by lane.
    leaves: __m512i,
    /// The leaves of positions without a placement.
    other_leaves: u64,
}

impl Queue {
    const EMPTY: Queue =
        Queue { movers: [0; CAPACITY], opponents: [0; CAPACITY], moves: [0; CAPACITY], len: 0 };

    /// Adds each of the moves of a position.
    #[inline(always)]
    fn push_all(&mut self, mover: u64, opponent: u64, mut moves: u64) {
        while moves != 0 {
            let index = self.len % CAPACITY;
            self.movers[index] = mover;
            self.opponents[index] = opponent;
            self.moves[index] = moves & moves.wrapping_neg();
            self.len += 1;
            moves &= moves - 1;
        }
    }

    /// Removes the last eight moves, or all if there are fewer. Lanes beyond their number have no discs.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn pop(&mut self) -> (__m512i, __m512i, __m512i, usize) {
        let count = self.len.min(LANES);
        self.len -= count;
        let lanes = ((1_u32 << count) - 1) as __mmask8;
        let column = |column: &[u64; CAPACITY]| {
            let words: &[u64; LANES] = column[self.len % CAPACITY..].first_chunk().unwrap_or(&[0; LANES]);
            // SAFETY: the load reads eight words of an array of eight words.
            _mm512_maskz_mov_epi64(lanes, unsafe { _mm512_loadu_epi64(words.as_ptr().cast()) })
        };
        (column(&self.movers), column(&self.opponents), column(&self.moves), count)
    }
}

/// Returns the lanes as words.
#[inline]
#[target_feature(enable = "avx512f")]
fn words(lanes: __m512i) -> [u64; LANES] {
    let mut words = [0; LANES];
    // SAFETY: the store writes eight words of an array of eight words.
    unsafe { _mm512_storeu_epi64(words.as_mut_ptr().cast(), lanes) };
    words
}

/// Returns `a | (b & c)`.
#[inline]
#[target_feature(enable = "avx512f")]
fn or_and(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi64::<0xF8>(a, b, c)
}

/// Returns the lanes shifted by `BY` bits, up or down.
#[inline]
#[target_feature(enable = "avx512f")]
fn shifted<const BY: u32, const IS_UP: bool>(lanes: __m512i) -> __m512i {
    if IS_UP { _mm512_slli_epi64::<BY>(lanes) } else { _mm512_srli_epi64::<BY>(lanes) }
}

/// Returns `flips` and the run of `between` that begins next to `moves`, in a direction of a line, if a disc of `own`
/// ends it.
#[inline]
#[target_feature(enable = "avx512f")]
fn direction_flips<const SHIFT: u32, const TWICE: u32, const IS_UP: bool>(
    flips: __m512i,
    moves: __m512i,
    own: __m512i,
    between: __m512i,
    pairs: __m512i,
) -> __m512i {
    let mut run = _mm512_and_si512(between, shifted::<SHIFT, IS_UP>(moves));
    run = or_and(run, between, shifted::<SHIFT, IS_UP>(run));
    run = or_and(run, pairs, shifted::<TWICE, IS_UP>(run));
    run = or_and(run, pairs, shifted::<TWICE, IS_UP>(run));
    let is_closed = _mm512_test_epi64_mask(own, shifted::<SHIFT, IS_UP>(run));
    _mm512_mask_or_epi64(flips, is_closed, flips, run)
}

/// Returns the discs that are flipped along both directions of a line.
#[inline]
#[target_feature(enable = "avx512f")]
fn line_flips<const SHIFT: u32, const TWICE: u32>(
    flips: __m512i,
    moves: __m512i,
    own: __m512i,
    between: __m512i,
) -> __m512i {
    let pairs_up = _mm512_and_si512(between, _mm512_slli_epi64::<SHIFT>(between));
    let pairs_down = _mm512_srli_epi64::<SHIFT>(pairs_up);
    let flips = direction_flips::<SHIFT, TWICE, true>(flips, moves, own, between, pairs_up);
    direction_flips::<SHIFT, TWICE, false>(flips, moves, own, between, pairs_down)
}

/// Returns the squares just behind the runs of `between` that begin next to `own`, in both directions of a line: see
/// [`scalar`](crate::bitboard::scalar).
#[inline]
#[target_feature(enable = "avx512f")]
fn line_ends<const SHIFT: u32, const TWICE: u32>(ends: __m512i, own: __m512i, between: __m512i) -> __m512i {
    let mut up = _mm512_and_si512(between, _mm512_slli_epi64::<SHIFT>(own));
    let mut down = _mm512_and_si512(between, _mm512_srli_epi64::<SHIFT>(own));
    up = or_and(up, between, _mm512_slli_epi64::<SHIFT>(up));
    down = or_and(down, between, _mm512_srli_epi64::<SHIFT>(down));
    let pairs_up = _mm512_and_si512(between, _mm512_slli_epi64::<SHIFT>(between));
    let pairs_down = _mm512_srli_epi64::<SHIFT>(pairs_up);
    up = or_and(up, pairs_up, _mm512_slli_epi64::<TWICE>(up));
    down = or_and(down, pairs_down, _mm512_srli_epi64::<TWICE>(down));
    up = or_and(up, pairs_up, _mm512_slli_epi64::<TWICE>(up));
    down = or_and(down, pairs_down, _mm512_srli_epi64::<TWICE>(down));
    // ends | up << SHIFT | down >> SHIFT
    _mm512_ternarylogic_epi64::<0xFE>(ends, _mm512_slli_epi64::<SHIFT>(up), _mm512_srli_epi64::<SHIFT>(down))
}

/// Makes a move in each lane and computes the mobility after it. A lane without discs stays empty.
#[inline]
#[target_feature(enable = "avx512f")]
fn make(mover: __m512i, opponent: __m512i, moves: __m512i) -> Positions {
    let inner_columns = _mm512_set1_epi64(INNER_COLUMNS as i64);
    let between = _mm512_and_si512(opponent, inner_columns);
    let mut flips = _mm512_setzero_si512();
    flips = line_flips::<1, 2>(flips, moves, mover, between);
    flips = line_flips::<7, 14>(flips, moves, mover, between);
    flips = line_flips::<8, 16>(flips, moves, mover, opponent);
    flips = line_flips::<9, 18>(flips, moves, mover, between);
    let next = _mm512_xor_si512(opponent, flips);
    // mover | flips | moves
    let other = _mm512_ternarylogic_epi64::<0xFE>(mover, flips, moves);
    let between = _mm512_and_si512(other, inner_columns);
    let mut ends = _mm512_setzero_si512();
    ends = line_ends::<1, 2>(ends, next, between);
    ends = line_ends::<7, 14>(ends, next, between);
    ends = line_ends::<8, 16>(ends, next, other);
    ends = line_ends::<9, 18>(ends, next, between);
    // ends & !next & !other
    let mobility = _mm512_ternarylogic_epi64::<0x10>(ends, next, other);
    Positions { mover: next, opponent: other, mobility }
}

impl Counter {
    /// Counts the replies to the last eight moves of the queue `last`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,popcnt")]
    fn count_last(&mut self) {
        let (mover, opponent, moves, count) = self.last.pop();
        let after = make(mover, opponent, moves);
        self.leaves = _mm512_add_epi64(self.leaves, _mm512_popcnt_epi64(after.mobility));
        let lanes = ((1_u32 << count) - 1) as __mmask8;
        let without = _mm512_mask_testn_epi64_mask(lanes, after.mobility, after.mobility);
        if without != 0 {
            self.count_without_disc(&after, without, 1);
        }
    }

    /// Queues the replies to the last eight moves of the queue `last_but_one`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,popcnt")]
    fn count_last_but_one(&mut self) {
        let (mover, opponent, moves, count) = self.last_but_one.pop();
        let after = make(mover, opponent, moves);
        let [movers, opponents, mobilities] =
            [after.mover, after.opponent, after.mobility].map(|lanes| words(lanes));
        for i in 0..count {
            self.last.push_all(movers[i], opponents[i], mobilities[i]);
            while self.last.len >= LANES {
                self.count_last();
            }
            if mobilities[i] == 0 {
                self.count_without_disc(&after, 1 << i, 2);
            }
        }
    }

    /// Counts the leaves of some lanes in which the side to move cannot place a disc.
    #[cold]
    #[target_feature(enable = "avx512f")]
    fn count_without_disc(&mut self, after: &Positions, mut lanes: __mmask8, depth: u32) {
        let (movers, opponents) = (words(after.mover), words(after.opponent));
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize;
            lanes &= lanes - 1;
            self.other_leaves +=
                perft_recursion::scalar::fast_perft(movers[lane], opponents[lane], depth, self.convention);
        }
    }

    /// Adds the leaves below a position with these moves. `depth` is at least 2.
    #[target_feature(enable = "avx512f,avx512vl,avx512cd,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn add(&mut self, mover: u64, opponent: u64, mut moves: u64, depth: u32) {
        match depth {
            2 => {
                self.last.push_all(mover, opponent, moves);
                while self.last.len >= LANES {
                    self.count_last();
                }
            }
            3 => {
                self.last_but_one.push_all(mover, opponent, moves);
                while self.last_but_one.len >= LANES {
                    self.count_last_but_one();
                }
            }
            _ => {
                while moves != 0 {
                    let square = moves.trailing_zeros() as usize;
                    moves &= moves - 1;
                    let flipped = flips(mover, opponent, square);
                    let (next, other) = (opponent ^ flipped, mover | flipped | 1 << square);
                    self.add_position(next, other, depth - 1);
                }
            }
        }
    }

    /// Adds the leaves below a position. `depth` is at least 2.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vl,avx512cd,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn add_position(&mut self, mover: u64, opponent: u64, depth: u32) {
        let moves = mobility(mover, opponent);
        if moves != 0 {
            self.add(mover, opponent, moves, depth);
        } else if mobility(opponent, mover) == 0 {
            self.other_leaves += self.convention.leaves_if_finished(depth);
        } else {
            match self.convention.depth_after_pass(depth) {
                depth @ ..2 => {
                    self.other_leaves += super::avx2::fast_perft(opponent, mover, depth, self.convention)
                }
                depth => self.add_position(opponent, mover, depth),
            }
        }
    }
}

/// Computes [`fast_perft`](crate::fast_perft::fast_perft).
#[target_feature(enable = "avx512f,avx512vl,avx512cd,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn fast_perft(mover: u64, opponent: u64, depth: u32, convention: PassConvention) -> u64 {
    if depth < 2 {
        return super::avx2::fast_perft(mover, opponent, depth, convention);
    }
    let mut counter = Counter {
        convention,
        last: Queue::EMPTY,
        last_but_one: Queue::EMPTY,
        leaves: _mm512_setzero_si512(),
        other_leaves: 0,
    };
    counter.add_position(mover, opponent, depth);
    while counter.last_but_one.len > 0 {
        counter.count_last_but_one();
    }
    while counter.last.len > 0 {
        counter.count_last();
    }
    words(counter.leaves).iter().sum::<u64>() + counter.other_leaves
}
