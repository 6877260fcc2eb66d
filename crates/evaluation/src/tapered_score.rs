//! Tapered scores: scores that change from the midgame to the endgame.

use core::fmt;
use core::ops::{Add, AddAssign, Mul, Sub, SubAssign};

/// A midgame and an endgame score in centipawns (in Othello: opening and endgame, in hundredths of a disc).
///
/// Both are packed into one word, the midgame in the upper 32 bits, so that a sum takes one addition. A negative lower
/// half borrows from the upper one, and [`TaperedScore::midgame`] adds the borrow back.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct TaperedScore(i64);

impl TaperedScore {
    /// The score 0 in both phases.
    pub const ZERO: TaperedScore = TaperedScore(0);

    /// Creates a score from its midgame and its endgame value.
    pub const fn new(midgame: i32, endgame: i32) -> TaperedScore {
        TaperedScore(((midgame as i64) << 32) + endgame as i64)
    }

    /// Returns the sum. It equals `self + other` but can be used in constants.
    #[inline(always)]
    pub const fn plus(self, other: TaperedScore) -> TaperedScore {
        TaperedScore(self.0 + other.0)
    }

    /// Returns the midgame value.
    #[inline(always)]
    pub const fn midgame(self) -> i32 {
        ((self.0 + (1 << 31)) >> 32) as i32
    }

    /// Returns the endgame value.
    #[inline(always)]
    pub const fn endgame(self) -> i32 {
        self.0 as i32
    }

    /// Returns the value for a game phase between 0 (endgame) and `max_phase` (midgame).
    #[inline(always)]
    pub const fn interpolate(self, phase: i32, max_phase: i32) -> i32 {
        (self.midgame() * phase + self.endgame() * (max_phase - phase)) / max_phase
    }
}

/// Creates one weight. Files of tuned weights use it.
pub const fn one(midgame: i32, endgame: i32) -> TaperedScore {
    TaperedScore::new(midgame, endgame)
}

/// Creates a row of weights from their midgame and endgame values.
pub const fn row<const N: usize>(midgame: [i32; N], endgame: [i32; N]) -> [TaperedScore; N] {
    let mut row = [TaperedScore::ZERO; N];
    let mut i = 0;
    while i < N {
        row[i] = TaperedScore::new(midgame[i], endgame[i]);
        i += 1;
    }
    row
}

/// Creates a table of weights from the rows of their midgame and endgame values.
pub const fn table<const N: usize, const M: usize>(
    midgame: [[i32; N]; M],
    endgame: [[i32; N]; M],
) -> [[TaperedScore; N]; M] {
    let mut table = [[TaperedScore::ZERO; N]; M];
    let mut i = 0;
    while i < M {
        table[i] = row(midgame[i], endgame[i]);
        i += 1;
    }
    table
}

impl Add for TaperedScore {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        TaperedScore(self.0 + other.0)
    }
}

impl AddAssign for TaperedScore {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for TaperedScore {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        TaperedScore(self.0 - other.0)
    }
}

impl SubAssign for TaperedScore {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Mul<i32> for TaperedScore {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: i32) -> Self {
        TaperedScore(self.0 * i64::from(factor))
    }
}

impl fmt::Debug for TaperedScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.midgame(), self.endgame())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_kernel::zobrist::SplitMix64;

    #[test]
    fn sums_and_products_keep_the_two_values_apart() {
        let mut random = SplitMix64::new(17);
        let mut random_value = || random.below(4_001) as i32 - 2_000;
        let (mut sum, mut midgame, mut endgame) = (TaperedScore::ZERO, 0, 0);
        for _ in 0..10_000 {
            let (one, other, factor) = (random_value(), random_value(), random_value() / 250);
            sum += TaperedScore::new(one, other) * factor;
            sum -= TaperedScore::new(other, one);
            (midgame, endgame) = (midgame + one * factor - other, endgame + other * factor - one);
            assert_eq!((sum.midgame(), sum.endgame()), (midgame, endgame));
        }
    }
}
