//! Mobility and flips on four lanes at once, and the roots where a recursion chooses its instruction set.
//!
//! Stable Rust does not carry an instruction set into generic code, so whatever recurses over words is stamped twice
//! by a macro of its own file: over [`scalar`](super::scalar) for the build's baseline, and here over AVX2 with BMI.
//! The choice is made once, at the root; below it nothing is asked. This is the room's one file with `unsafe` in it:
//! each block enters code for an instruction set that [`Isa::all`] has seen. What it gains, measured on a Zen 3 core:
//! twice the leaves a second in [`counter`], and in the solver 45 % of the instructions and a quarter of the cycles.
#![allow(unsafe_code)]

use crate::fast_perft::{self, PassConvention};

/// An instruction set that the room has code for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Isa(IsaKind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum IsaKind {
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Isa {
    /// The build's baseline; every machine has it.
    pub const SCALAR: Isa = Isa(IsaKind::Scalar);

    /// The best that this machine has.
    pub fn detect() -> Isa {
        Self::all().last().unwrap_or(Isa::SCALAR)
    }

    /// Those that this machine has, the plainest first.
    pub fn all() -> impl Iterator<Item = Isa> {
        let mut found = vec![Isa::SCALAR];
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
        {
            found.push(Isa(IsaKind::Avx2));
        }
        found.into_iter()
    }

    /// `scalar` or `avx2`.
    pub const fn name(self) -> &'static str {
        match self.0 {
            IsaKind::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            IsaKind::Avx2 => "avx2",
        }
    }

    /// Returns whether this is AVX2 with BMI.
    #[inline]
    pub const fn has_avx2(self) -> bool {
        match self.0 {
            IsaKind::Scalar => false,
            #[cfg(target_arch = "x86_64")]
            IsaKind::Avx2 => true,
        }
    }

    /// [`mobility`](super::scalar::mobility) on this instruction set.
    pub fn mobility(self, mover: u64, opponent: u64) -> u64 {
        match self.0 {
            IsaKind::Scalar => super::scalar::mobility(mover, opponent),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: an `Isa` with AVX2 comes from `all` only, which has seen it.
            IsaKind::Avx2 => unsafe { avx2::mobility(mover, opponent) },
        }
    }

    /// [`flips`](super::scalar::flips) on this instruction set.
    ///
    /// # Panics
    /// If the square is not below 64.
    pub fn flips(self, mover: u64, opponent: u64, square: usize) -> u64 {
        match self.0 {
            IsaKind::Scalar => super::scalar::flips(mover, opponent, square),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: an `Isa` with AVX2 comes from `all` only, which has seen it.
            IsaKind::Avx2 => unsafe { avx2::flips(mover, opponent, square) },
        }
    }

    /// The leaves of a tree: see [`counter::count`].
    pub(crate) fn fast_perft(self, mover: u64, opponent: u64, depth: u32, passes: PassConvention) -> u64 {
        match self.0 {
            IsaKind::Scalar => fast_perft::scalar::fast_perft(mover, opponent, depth, passes),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: an `Isa` with AVX2 comes from `all` only, which has seen it.
            IsaKind::Avx2 => unsafe { avx2::fast_perft(mover, opponent, depth, passes) },
        }
    }

    /// [`turned_by_last`](super::scalar::turned_by_last) on this instruction set.
    ///
    /// # Panics
    /// If the square is not below 64.
    pub fn count_last_flip(self, mover: u64, square: usize) -> u32 {
        match self.0 {
            IsaKind::Scalar => super::scalar::count_last_flip(mover, square),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: an `Isa` with AVX2 comes from `all` only, which has seen it.
            IsaKind::Avx2 => unsafe { avx2::count_last_flip(mover, square) },
        }
    }
}

/// The functions over AVX2 and BMI, for code that is compiled for these instruction sets itself.
#[cfg(target_arch = "x86_64")]
pub mod avx2 {
    use core::arch::x86_64::*;

    use super::super::TURNED_ON_LINE;
    use crate::fast_perft::{PassConvention, define_fast_perft};
    use crate::geometry::{INNER_FILES, RAYS};

    /// The four lines a row can follow, as shifts: row, diagonal, column, diagonal; the order of the first four and of
    /// the last four of [`crate::geometry::DIRECTIONS`].
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn shifts() -> __m256i {
        _mm256_setr_epi64x(1, 7, 8, 9)
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn broadcast(word: u64) -> __m256i {
        _mm256_set1_epi64x(word as i64)
    }

    /// The union of the four lanes.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn union(lanes: __m256i) -> u64 {
        let halves = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
        _mm_cvtsi128_si64(_mm_or_si128(halves, _mm_unpackhi_epi64(halves, halves))) as u64
    }

    /// One lane a line, both directions of it. After T. Okuhara's AVX2 form of the parallel prefix.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub fn mobility(mover: u64, opponent: u64) -> u64 {
        let shift = shifts();
        let twice = _mm256_add_epi64(shift, shift);
        // A row of the opponent's discs may run over the edge files only along a column.
        let inner = INNER_FILES as i64;
        let between = _mm256_and_si256(broadcast(opponent), _mm256_setr_epi64x(inner, inner, -1, inner));
        let own = broadcast(mover);
        let mut up = _mm256_and_si256(between, _mm256_sllv_epi64(own, shift));
        let mut down = _mm256_and_si256(between, _mm256_srlv_epi64(own, shift));
        up = _mm256_or_si256(up, _mm256_and_si256(between, _mm256_sllv_epi64(up, shift)));
        down = _mm256_or_si256(down, _mm256_and_si256(between, _mm256_srlv_epi64(down, shift)));
        let pairs_up = _mm256_and_si256(between, _mm256_sllv_epi64(between, shift));
        let pairs_down = _mm256_srlv_epi64(pairs_up, shift);
        up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, twice)));
        down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, twice)));
        up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, twice)));
        down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, twice)));
        let ends = _mm256_or_si256(_mm256_sllv_epi64(up, shift), _mm256_srlv_epi64(down, shift));
        union(ends) & !(mover | opponent)
    }

    /// A vector of four rays.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn rays(of: &[u64]) -> __m256i {
        _mm256_setr_epi64x(of[0] as i64, of[1] as i64, of[2] as i64, of[3] as i64)
    }

    /// The four upward rays in one vector, the four downward ones in another. Upwards a carry finds the end of the
    /// opponent's row, as in the scalar form; downwards, where AVX2 has no count of leading zeros, what is not the
    /// opponent's is smeared down the ray until only the row above it is clear.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub fn flips(mover: u64, opponent: u64, square: usize) -> u64 {
        let (own, other) = (broadcast(mover), broadcast(opponent));
        let zero = _mm256_setzero_si256();
        let ones = _mm256_cmpeq_epi64(zero, zero);
        let shift = shifts();
        let all = &RAYS[square];

        let ray = rays(&all[..4]);
        // (opponent | !ray) + 1, then the mover's disc in the place the carry reached.
        let carried = _mm256_sub_epi64(_mm256_or_si256(other, _mm256_andnot_si256(ray, ones)), ones);
        let end = _mm256_and_si256(carried, _mm256_and_si256(own, ray));
        let below = _mm256_sub_epi64(_mm256_add_epi64(end, ones), _mm256_cmpeq_epi64(end, zero));
        let upward = _mm256_and_si256(below, ray);

        let ray = rays(&all[4..]);
        let mut stops = _mm256_andnot_si256(other, ray);
        stops = _mm256_or_si256(stops, _mm256_srlv_epi64(stops, shift));
        stops = _mm256_or_si256(stops, _mm256_srlv_epi64(stops, _mm256_add_epi64(shift, shift)));
        stops = _mm256_or_si256(stops, _mm256_srlv_epi64(stops, _mm256_slli_epi64::<2>(shift)));
        let first = _mm256_andnot_si256(_mm256_srlv_epi64(stops, shift), stops);
        let end = _mm256_and_si256(_mm256_and_si256(first, own), ray);
        let clear = _mm256_andnot_si256(stops, ray);
        let downward = _mm256_andnot_si256(_mm256_cmpeq_epi64(end, zero), clear);

        union(_mm256_or_si256(upward, downward))
    }

    /// A line through a square: the squares on it, and how many of them come before that square.
    #[derive(Clone, Copy)]
    struct FlipLine {
        squares: u64,
        before: usize,
    }

    /// The four lines through each square.
    static FLIP_LINES: [[FlipLine; 4]; 64] = {
        let mut lines = [[FlipLine { squares: 0, before: 0 }; 4]; 64];
        let mut square = 0;
        while square < 64 {
            let mut line = 0;
            while line < 4 {
                let squares = RAYS[square][line] | RAYS[square][line + 4] | 1 << square;
                let before = RAYS[square][line + 4].count_ones() as usize;
                lines[square][line] = FlipLine { squares, before };
                line += 1;
            }
            square += 1;
        }
        lines
    };

    /// The four lines, each drawn together by PEXT into an index. No vector is made and unmade.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub fn count_last_flip(mover: u64, square: usize) -> u32 {
        let [a, b, c, d] = &FLIP_LINES[square];
        let turned = |line: &FlipLine| {
            u32::from(TURNED_ON_LINE[line.before & 7][_pext_u64(mover, line.squares) as usize & 0xFF])
        };
        turned(a) + turned(b) + turned(c) + turned(d)
    }

    define_fast_perft!(#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_kernel::zobrist::SplitMix64;

    #[test]
    fn every_instruction_set_agrees_with_the_portable_form() {
        let mut random = SplitMix64::new(5);
        for round in 0..300_000 {
            // From nearly empty to nearly full boards, and sparse or dense sides.
            let full = (0..round % 4).fold(random.next_u64(), |set, _| set | random.next_u64());
            let share = (0..round % 3).fold(random.next_u64(), |set, _| set & random.next_u64());
            let (mover, opponent) = (full & share, full & !share);
            let mobility = super::super::scalar::mobility(mover, opponent);
            for isa in Isa::all() {
                assert_eq!(isa.mobility(mover, opponent), mobility, "{isa:?} {mover:#x} {opponent:#x}");
            }
            for square in (0..64).filter(|square| full >> square & 1 == 0) {
                let flips = super::super::scalar::flips(mover, opponent, square);
                assert_eq!(flips != 0, mobility >> square & 1 != 0, "{mover:#x} {opponent:#x} {square}");
                for isa in Isa::all() {
                    let found = isa.flips(mover, opponent, square);
                    assert_eq!(found, flips, "{isa:?} {mover:#x} {opponent:#x} {square}");
                    let (own, last) = (mover & !(1 << square), super::super::scalar::count_last_flip);
                    assert_eq!(
                        isa.count_last_flip(own, square),
                        last(own, square),
                        "{isa:?} {own:#x} {square}"
                    );
                }
            }
        }
    }
}
