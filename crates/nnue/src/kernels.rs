//! The loops over the hidden units, once for each instruction set. All give the same result.
//!
//! Stable Rust does not carry target features into generic code, so a macro writes each loop for each instruction set.
//! The choice is made once, when a network is made. The vectors are explicit, because the compiler vectorised the sum
//! of the products across its chunks and gathered single units.
#![allow(unsafe_code)]

/// The weight of the first layer that stands for 1.
pub const FEATURE_ONE: i32 = 255;

/// Widths are multiples of this number, and the baseline's loop treats so many hidden units at once. The vectors of the
/// other instruction sets have 8, 16 or 32.
pub(crate) const WIDTH_MULTIPLE: usize = 16;

/// An instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Isa {
    /// The baseline of the build.
    Scalar,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "aarch64")]
    Neon,
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128,
}

/// The kernels of an instruction set that this processor has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernels(Isa);

impl Kernels {
    /// The kernels that every processor has.
    pub const SCALAR: Kernels = Kernels(Isa::Scalar);

    /// Returns all kernels that this processor has, the fastest last.
    pub fn available() -> Vec<Kernels> {
        #[allow(unused_mut)]
        let mut kernels = vec![Kernels::SCALAR];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                kernels.push(Kernels(Isa::Avx2));
            }
            let has_avx512 = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw");
            if has_avx512 && is_x86_feature_detected!("avx2") {
                kernels.push(Kernels(Isa::Avx512));
            }
        }
        #[cfg(target_arch = "aarch64")]
        if std::arch::is_aarch64_feature_detected!("neon") {
            kernels.push(Kernels(Isa::Neon));
        }
        // In WebAssembly a module either has vectors or does not load.
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        kernels.push(Kernels(Isa::Simd128));
        kernels
    }

    /// Returns the fastest kernels that this processor has.
    pub fn detect() -> Kernels {
        Self::available().pop().unwrap_or(Kernels::SCALAR)
    }

    /// Returns the name of the instruction set.
    pub const fn name(self) -> &'static str {
        match self.0 {
            Isa::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => "AVX-512",
            #[cfg(target_arch = "aarch64")]
            Isa::Neon => "NEON",
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Isa::Simd128 => "SIMD128",
        }
    }

    /// Writes `from` plus the `added` and minus the `removed` rows of `weights` to `to`. Rows are as long as `to`.
    ///
    /// # Panics
    /// If a row is not in `weights`.
    #[inline]
    pub(crate) fn update(
        self,
        to: &mut [i16],
        from: &[i16],
        weights: &[i16],
        added: &[u16],
        removed: &[u16],
    ) {
        match self.0 {
            Isa::Scalar => scalar::update(to, from, weights, added, removed),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => {
                // SAFETY: only `available` makes this value, after it detected AVX2.
                unsafe { avx2::update(to, from, weights, added, removed) };
            }
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => {
                // SAFETY: only `available` makes this value, after it detected AVX-512F and AVX-512BW.
                let done = unsafe { avx512::update(to, from, weights, added, removed) };
                if done < to.len() {
                    // The whole row again: a row that is no multiple of 32 units is short.
                    // SAFETY: every processor with AVX-512 has AVX2, and `available` detected it.
                    unsafe { avx2::update(to, from, weights, added, removed) };
                }
            }
            #[cfg(target_arch = "aarch64")]
            Isa::Neon => {
                // SAFETY: only `available` makes this value, after it detected NEON.
                unsafe { neon::update(to, from, weights, added, removed) };
            }
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Isa::Simd128 => {
                simd128::update(to, from, weights, added, removed);
            }
        }
    }

    /// Returns the sum of the squared clipped sums times their weights.
    #[inline]
    pub(crate) fn dot(self, sums: &[i16], weights: &[i16]) -> i64 {
        match self.0 {
            Isa::Scalar => scalar::dot(sums, weights),
            // SAFETY: as in `update`.
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => unsafe { avx2::dot(sums, weights) }.0,
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => {
                // SAFETY: as in `update`.
                let (sum, done) = unsafe { avx512::dot(sums, weights) };
                // SAFETY: as in `update`.
                sum + unsafe { avx2::dot(&sums[done..], &weights[done..]) }.0
            }
            // SAFETY: as in `update`.
            #[cfg(target_arch = "aarch64")]
            Isa::Neon => unsafe { neon::dot(sums, weights) }.0,
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Isa::Simd128 => simd128::dot(sums, weights).0,
        }
    }
}

/// The plain formulas.
mod scalar {
    use super::{FEATURE_ONE, WIDTH_MULTIPLE as LANES};

    pub(super) fn update(to: &mut [i16], from: &[i16], weights: &[i16], added: &[u16], removed: &[u16]) {
        let width = to.len();
        to.copy_from_slice(from);
        let row = |input: u16| &weights[usize::from(input) * width..][..width];
        for &input in added {
            to.iter_mut().zip(row(input)).for_each(|(sum, weight)| *sum = sum.wrapping_add(*weight));
        }
        for &input in removed {
            to.iter_mut().zip(row(input)).for_each(|(sum, weight)| *sum = sum.wrapping_sub(*weight));
        }
    }

    pub(super) fn dot(sums: &[i16], weights: &[i16]) -> i64 {
        let mut total = 0;
        for (sums, weights) in sums.as_chunks::<LANES>().0.iter().zip(weights.as_chunks::<LANES>().0) {
            // At most 16 * 255 * 255 * 127.
            let terms = sums.iter().zip(weights).map(|(&sum, &weight)| {
                let clipped = i32::from(sum).clamp(0, FEATURE_ONE);
                clipped * clipped * i32::from(weight)
            });
            total += i64::from(terms.sum::<i32>());
        }
        total
    }
}

/// Writes the loops of an instruction set. `$operations` has its vectors and what is done with them.
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
macro_rules! vector_kernels {
    ($name:ident, $feature:literal, $lanes:literal, $operations:ident) => {
        mod $name {
            use super::FEATURE_ONE;
            use super::$operations::{
                Vector, add16, add32, load_unaligned, max16, min16, multiply_add, multiply16, splat16,
                store_unaligned, subtract16,
            };

            /// The number of 16-bit units in a vector.
            const LANES: usize = $lanes;

            #[inline]
            #[target_feature(enable = $feature)]
            fn load(units: &[i16; LANES]) -> Vector {
                // SAFETY: the array has the size of a vector, and the load needs no alignment.
                unsafe { load_unaligned(units.as_ptr().cast()) }
            }

            #[inline]
            #[target_feature(enable = $feature)]
            fn store(units: &mut [i16; LANES], vector: Vector) {
                // SAFETY: the array has the size of a vector, and the store needs no alignment.
                unsafe { store_unaligned(units.as_mut_ptr().cast(), vector) }
            }

            /// Updates the units of `VECTORS` vectors from the unit `at` on, which stay in registers.
            #[inline]
            #[target_feature(enable = $feature)]
            fn update_block<const VECTORS: usize>(
                to: &mut [i16],
                from: &[i16],
                weights: &[i16],
                at: usize,
                added: &[u16],
                removed: &[u16],
            ) {
                // Loops by index over arrays: iterators of pairs are functions without these target features.
                let width = to.len();
                let from = block::<VECTORS>(&from[at..]);
                let mut sums = [splat16(0); VECTORS];
                for i in 0..VECTORS {
                    sums[i] = load(&from[i]);
                }
                for &input in added {
                    let row = block::<VECTORS>(&weights[usize::from(input) * width + at..]);
                    for i in 0..VECTORS {
                        sums[i] = add16(sums[i], load(&row[i]));
                    }
                }
                for &input in removed {
                    let row = block::<VECTORS>(&weights[usize::from(input) * width + at..]);
                    for i in 0..VECTORS {
                        sums[i] = subtract16(sums[i], load(&row[i]));
                    }
                }
                let to = to[at..].as_chunks_mut().0;
                let to = to.first_chunk_mut::<VECTORS>().expect("the block is in the row");
                for i in 0..VECTORS {
                    store(&mut to[i], sums[i]);
                }
            }

            /// Returns the first `VECTORS` vectors of some units.
            #[inline(always)]
            fn block<const VECTORS: usize>(units: &[i16]) -> &[[i16; LANES]; VECTORS] {
                units.as_chunks().0.first_chunk().expect("the block is in the row")
            }

            /// Updates as many units as fill vectors, and returns their number.
            #[target_feature(enable = $feature)]
            pub(super) fn update(
                to: &mut [i16],
                from: &[i16],
                weights: &[i16],
                added: &[u16],
                removed: &[u16],
            ) -> usize {
                let mut at = 0;
                while to.len() - at >= 4 * LANES {
                    update_block::<4>(to, from, weights, at, added, removed);
                    at += 4 * LANES;
                }
                while to.len() - at >= LANES {
                    update_block::<1>(to, from, weights, at, added, removed);
                    at += LANES;
                }
                at
            }

            /// Returns the sum over as many units as fill vectors, and their number.
            #[target_feature(enable = $feature)]
            pub(super) fn dot(sums: &[i16], weights: &[i16]) -> (i64, usize) {
                // The product of a clipped sum and a weight fits into 16 bits, and the sum of a lane into 32: at most
                // 256 products of 255 * 255 * 127 for the greatest width.
                let (zero, one) = (splat16(0), splat16(FEATURE_ONE as i16));
                let (sums, weights) = (sums.as_chunks().0, weights.as_chunks().0);
                let mut totals = splat16(0);
                for i in 0..sums.len().min(weights.len()) {
                    let clipped = min16(max16(load(&sums[i]), zero), one);
                    let products = multiply16(clipped, load(&weights[i]));
                    totals = add32(totals, multiply_add(products, clipped));
                }
                let mut units = [0; LANES];
                store(&mut units, totals);
                let mut sum = 0;
                for i in 0..LANES / 2 {
                    // A number of 32 bits is two units, the lower half first.
                    sum += i64::from(i32::from(units[2 * i + 1]) << 16 | i32::from(units[2 * i] as u16));
                }
                (sum, sums.len() * LANES)
            }
        }
    };
}

/// The operations of AVX2.
#[cfg(target_arch = "x86_64")]
mod avx2_operations {
    pub(super) use core::arch::x86_64::{
        __m256i as Vector, _mm256_add_epi16 as add16, _mm256_add_epi32 as add32,
        _mm256_loadu_si256 as load_unaligned, _mm256_madd_epi16 as multiply_add, _mm256_max_epi16 as max16,
        _mm256_min_epi16 as min16, _mm256_mullo_epi16 as multiply16, _mm256_set1_epi16 as splat16,
        _mm256_storeu_si256 as store_unaligned, _mm256_sub_epi16 as subtract16,
    };
}
#[cfg(target_arch = "x86_64")]
vector_kernels!(avx2, "avx2", 16, avx2_operations);

/// The operations of AVX-512.
#[cfg(target_arch = "x86_64")]
mod avx512_operations {
    pub(super) use core::arch::x86_64::{
        __m512i as Vector, _mm512_add_epi16 as add16, _mm512_add_epi32 as add32,
        _mm512_loadu_si512 as load_unaligned, _mm512_madd_epi16 as multiply_add, _mm512_max_epi16 as max16,
        _mm512_min_epi16 as min16, _mm512_mullo_epi16 as multiply16, _mm512_set1_epi16 as splat16,
        _mm512_storeu_si512 as store_unaligned, _mm512_sub_epi16 as subtract16,
    };
}
#[cfg(target_arch = "x86_64")]
vector_kernels!(avx512, "avx512f,avx512bw", 32, avx512_operations);

/// The operations of NEON.
#[cfg(target_arch = "aarch64")]
mod neon_operations {
    pub(super) use core::arch::aarch64::{
        int16x8_t as Vector, vaddq_s16 as add16, vdupq_n_s16 as splat16, vld1q_s16 as load_unaligned,
        vmaxq_s16 as max16, vminq_s16 as min16, vmulq_s16 as multiply16, vst1q_s16 as store_unaligned,
        vsubq_s16 as subtract16,
    };
    use core::arch::aarch64::{
        vaddq_s32, vget_low_s16, vmull_high_s16, vmull_s16, vpaddq_s32, vreinterpretq_s16_s32,
        vreinterpretq_s32_s16,
    };

    /// Adds units of 32 bits.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn add32(a: Vector, b: Vector) -> Vector {
        vreinterpretq_s16_s32(vaddq_s32(vreinterpretq_s32_s16(a), vreinterpretq_s32_s16(b)))
    }

    /// Returns the sums, of 32 bits, of the products of neighbours.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn multiply_add(a: Vector, b: Vector) -> Vector {
        let (low, high) = (vmull_s16(vget_low_s16(a), vget_low_s16(b)), vmull_high_s16(a, b));
        vreinterpretq_s16_s32(vpaddq_s32(low, high))
    }
}
#[cfg(target_arch = "aarch64")]
vector_kernels!(neon, "neon", 8, neon_operations);

/// The operations of WebAssembly's vectors.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128_operations {
    pub(super) use core::arch::wasm32::{
        i16x8_add as add16, i16x8_max as max16, i16x8_min as min16, i16x8_mul as multiply16,
        i16x8_splat as splat16, i16x8_sub as subtract16, i32x4_add as add32, i32x4_dot_i16x8 as multiply_add,
        v128 as Vector, v128_load as load_unaligned, v128_store as store_unaligned,
    };
}
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
vector_kernels!(simd128, "simd128", 8, simd128_operations);

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the next random number (xorshift; Marsaglia, 2003).
    fn next(state: &mut u64) -> u64 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state
    }

    #[test]
    fn all_kernels_give_the_results_of_the_plain_formulas() {
        let mut state = 7;
        for width in [16, 32, 64, 128, 256, 1_024] {
            let mut numbers = |count: usize, bound: i64| -> Vec<i16> {
                (0..count).map(|_| (next(&mut state) as i64 % bound) as i16).collect()
            };
            let (weights, from, outputs) =
                (numbers(9 * width, 600), numbers(width, 700), numbers(width, 128));
            for (added, removed) in [
                (&[3][..], &[5][..]),
                (&[3], &[5, 8]),
                (&[], &[]),
                (&[1, 2], &[3, 4]),
                (&[0, 1, 2, 3, 4, 5, 6], &[]),
            ] {
                let expected: Vec<i16> = (0..width)
                    .map(|unit| {
                        let weight = |&input: &u16| weights[usize::from(input) * width + unit];
                        from[unit] + added.iter().map(weight).sum::<i16>()
                            - removed.iter().map(weight).sum::<i16>()
                    })
                    .collect();
                let activation = |sum: i16| i64::from(sum.clamp(0, 255)).pow(2);
                let terms = expected.iter().zip(&outputs);
                let output: i64 = terms.map(|(&sum, &weight)| activation(sum) * i64::from(weight)).sum();
                for kernels in Kernels::available() {
                    let mut to = vec![0; width];
                    kernels.update(&mut to, &from, &weights, added, removed);
                    assert_eq!(to, expected, "{} at width {width}", kernels.name());
                    assert_eq!(kernels.dot(&to, &outputs), output, "{} at width {width}", kernels.name());
                }
            }
        }
    }

    #[test]
    fn the_greatest_sums_do_not_overflow() {
        let (sums, weights) = (vec![i16::MAX; 1_024], vec![127; 1_024]);
        for kernels in Kernels::available() {
            assert_eq!(kernels.dot(&sums, &weights), 1_024 * 255 * 255 * 127, "{}", kernels.name());
        }
    }
}
