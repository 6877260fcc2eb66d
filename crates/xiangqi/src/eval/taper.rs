//! A score that changes from the middle game to the endgame.

use core::ops::{Add, AddAssign, Mul, Sub, SubAssign};

/// Two scores at once: what something is worth in the middle game and in the endgame, in centipawns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct Taper(pub(crate) i32, pub(crate) i32);

impl Add for Taper {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Taper(self.0 + other.0, self.1 + other.1)
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
        Taper(self.0 - other.0, self.1 - other.1)
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
        Taper(self.0 * times, self.1 * times)
    }
}
