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
pub struct Taper(i64);

impl Taper {
    /// Worth nothing at any time.
    pub const ZERO: Taper = Taper(0);

    /// Worth so much in the middle game and so much in the endgame.
    pub const fn new(middle: i32, end: i32) -> Taper {
        Taper(((middle as i64) << 32) + end as i64)
    }

    /// The sum; the same as `self + other`, usable in constants.
    #[inline(always)]
    pub const fn plus(self, other: Taper) -> Taper {
        Taper(self.0 + other.0)
    }

    /// The worth in the middle game.
    #[inline(always)]
    pub const fn middle(self) -> i32 {
        ((self.0 + (1 << 31)) >> 32) as i32
    }

    /// The worth in the endgame.
    #[inline(always)]
    pub const fn end(self) -> i32 {
        self.0 as i32
    }

    /// What it is worth when `phase` parts of `full` are left of the middle game.
    #[inline(always)]
    pub const fn at(self, phase: i32, full: i32) -> i32 {
        (self.middle() * phase + self.end() * (full - phase)) / full
    }
}

/// One weight, as source files of numbers have it.
pub const fn one(middle: i32, end: i32) -> Taper {
    Taper::new(middle, end)
}

/// A row of weights from their middle games and their endgames.
pub const fn row<const N: usize>(middle: [i32; N], end: [i32; N]) -> [Taper; N] {
    let mut row = [Taper::ZERO; N];
    let mut i = 0;
    while i < N {
        row[i] = Taper::new(middle[i], end[i]);
        i += 1;
    }
    row
}

/// A table of weights, row by row, from their middle games and their endgames.
pub const fn table<const N: usize, const M: usize>(
    middle: [[i32; N]; M],
    end: [[i32; N]; M],
) -> [[Taper; N]; M] {
    let mut table = [[Taper::ZERO; N]; M];
    let mut i = 0;
    while i < M {
        table[i] = row(middle[i], end[i]);
        i += 1;
    }
    table
}

impl Add for Taper {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Taper(self.0 + other.0)
    }
}

impl AddAssign for Taper {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Taper {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Taper(self.0 - other.0)
    }
}

impl SubAssign for Taper {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Mul<i32> for Taper {
    type Output = Self;

    #[inline(always)]
    fn mul(self, times: i32) -> Self {
        Taper(self.0 * i64::from(times))
    }
}

impl fmt::Debug for Taper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.middle(), self.end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::SplitMix64;

    #[test]
    fn both_halves_count_for_themselves() {
        let mut random = SplitMix64::new(17);
        let mut any = || random.below(4_001) as i32 - 2_000;
        let (mut sum, mut middle, mut end) = (Taper::ZERO, 0, 0);
        for _ in 0..10_000 {
            let (one, other, times) = (any(), any(), any() / 250);
            sum += Taper::new(one, other) * times;
            sum -= Taper::new(other, one);
            (middle, end) = (middle + one * times - other, end + other * times - one);
            assert_eq!((sum.middle(), sum.end()), (middle, end));
        }
    }
}
