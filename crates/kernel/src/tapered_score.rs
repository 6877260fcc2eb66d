//! A score that changes from the middle game to the endgame.

use core::fmt;
use core::ops::{Add, AddAssign, Mul, Sub, SubAssign};

/// Two scores at once: what something is worth in the middle game and in the endgame, in centipawns (in Othello hundredths of a
/// disc, in the opening and at the end).
///
/// Both stand in one word, the first 32 bits above the second, so that a sum costs one addition: the lower half's sign borrows from
/// the upper one, which pays it back when it is read.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct TaperedScore(i64);

impl TaperedScore {
    /// Worth nothing at any time.
    pub const ZERO: TaperedScore = TaperedScore(0);

    /// Worth so much in the middle game and so much in the endgame.
    pub const fn new(middle: i32, end: i32) -> TaperedScore {
        TaperedScore(((middle as i64) << 32) + end as i64)
    }

    /// The sum; the same as `self + other`, usable in constants.
    #[inline(always)]
    pub const fn plus(self, other: TaperedScore) -> TaperedScore {
        TaperedScore(self.0 + other.0)
    }

    /// The worth in the middle game.
    #[inline(always)]
    pub const fn midgame(self) -> i32 {
        ((self.0 + (1 << 31)) >> 32) as i32
    }

    /// The worth in the endgame.
    #[inline(always)]
    pub const fn endgame(self) -> i32 {
        self.0 as i32
    }

    /// What it is worth when `phase` parts of `full` are left of the middle game.
    #[inline(always)]
    pub const fn interpolate(self, phase: i32, full: i32) -> i32 {
        (self.midgame() * phase + self.endgame() * (full - phase)) / full
    }
}

/// One weight, as source files of numbers have it.
pub const fn one(middle: i32, end: i32) -> TaperedScore {
    TaperedScore::new(middle, end)
}

/// A row of weights from their middle games and their endgames.
pub const fn row<const N: usize>(middle: [i32; N], end: [i32; N]) -> [TaperedScore; N] {
    let mut row = [TaperedScore::ZERO; N];
    let mut i = 0;
    while i < N {
        row[i] = TaperedScore::new(middle[i], end[i]);
        i += 1;
    }
    row
}

/// A table of weights, row by row, from their middle games and their endgames.
pub const fn table<const N: usize, const M: usize>(
    middle: [[i32; N]; M],
    end: [[i32; N]; M],
) -> [[TaperedScore; N]; M] {
    let mut table = [[TaperedScore::ZERO; N]; M];
    let mut i = 0;
    while i < M {
        table[i] = row(middle[i], end[i]);
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
    fn mul(self, times: i32) -> Self {
        TaperedScore(self.0 * i64::from(times))
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
    use crate::zobrist::SplitMix64;

    #[test]
    fn both_halves_count_for_themselves() {
        let mut random = SplitMix64::new(17);
        let mut any = || random.below(4_001) as i32 - 2_000;
        let (mut sum, mut middle, mut end) = (TaperedScore::ZERO, 0, 0);
        for _ in 0..10_000 {
            let (one, other, times) = (any(), any(), any() / 250);
            sum += TaperedScore::new(one, other) * times;
            sum -= TaperedScore::new(other, one);
            (middle, end) = (middle + one * times - other, end + other * times - one);
            assert_eq!((sum.midgame(), sum.endgame()), (middle, end));
        }
    }
}
