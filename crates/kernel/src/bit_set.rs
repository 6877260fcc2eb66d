//! Sets of squares, one bit each, over `u64` or `u128`.

use core::fmt;
use core::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

pub mod portable;

/// A machine word that can hold a set.
pub trait BitWord:
    Copy
    + Eq
    + Default
    + fmt::LowerHex
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + Send
    + Sync
    + 'static
{
    /// The word without a set bit.
    const EMPTY: Self;
    /// The word in which only the lowest bit is set.
    const ONE: Self;
    /// The number of bits in the word.
    const BITS: u32;
    /// Returns the number of set bits.
    fn ones(self) -> u32;
    /// Returns the index of the lowest set bit, or [`BitWord::BITS`] for the empty word.
    fn first(self) -> u32;
    /// Returns the number of unset bits above the highest set one.
    fn leading(self) -> u32;
    /// Returns the word without its lowest set bit; the empty word stays empty.
    #[must_use]
    fn without_first(self) -> Self;
}

macro_rules! impl_bit_word {
    ($($type:ty),*) => {$(
        impl BitWord for $type {
            const EMPTY: Self = 0;
            const ONE: Self = 1;
            const BITS: u32 = <$type>::BITS;
            #[inline(always)]
            fn ones(self) -> u32 { self.count_ones() }
            #[inline(always)]
            fn first(self) -> u32 { self.trailing_zeros() }
            #[inline(always)]
            fn leading(self) -> u32 { self.leading_zeros() }
            #[inline(always)]
            fn without_first(self) -> Self { self & self.wrapping_sub(1) }
        }
    )*};
}

impl_bit_word!(u64, u128);

/// A set of squares. It is `Copy`, and every operation takes one or two instructions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct BitSet<W>(pub W);

impl<W: BitWord> BitSet<W> {
    /// The empty set.
    pub const EMPTY: Self = BitSet(W::EMPTY);

    /// Returns the set that contains only `square`.
    ///
    /// # Panics
    /// In debug builds, if the square has no bit in the word.
    #[inline(always)]
    pub fn from_square(square: usize) -> Self {
        debug_assert!(square < W::BITS as usize);
        BitSet(W::ONE << square as u32)
    }

    /// Returns the set of the given squares.
    pub fn from_squares(squares: impl IntoIterator<Item = usize>) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set.union(Self::from_square(square)))
    }

    /// Returns the squares that are in either set.
    #[inline(always)]
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        BitSet(self.0 | other.0)
    }

    /// Returns the squares that are in both sets.
    #[inline(always)]
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        BitSet(self.0 & other.0)
    }

    /// Returns the squares that are in this set but not in `other`.
    #[inline(always)]
    #[must_use]
    pub fn difference(self, other: Self) -> Self {
        BitSet(self.0 & !other.0)
    }

    /// Returns whether `square` is in the set.
    #[inline(always)]
    pub fn contains(self, square: usize) -> bool {
        !self.intersection(Self::from_square(square)).is_empty()
    }

    /// Returns whether the sets share a square.
    #[inline(always)]
    pub fn intersects(self, other: Self) -> bool {
        !self.intersection(other).is_empty()
    }

    /// Returns whether the set contains no square.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0 == W::EMPTY
    }

    /// Returns the number of squares in the set.
    #[inline(always)]
    pub fn len(self) -> usize {
        self.0.ones() as usize
    }

    /// Returns the lowest square in the set.
    #[inline(always)]
    pub fn first(self) -> Option<usize> {
        if self.is_empty() { None } else { Some(self.0.first() as usize) }
    }

    /// Returns the highest square in the set.
    #[inline(always)]
    pub fn last(self) -> Option<usize> {
        if self.is_empty() { None } else { Some((W::BITS - 1 - self.0.leading()) as usize) }
    }

    /// Returns an iterator over the squares, lowest first.
    #[inline(always)]
    pub fn iter(self) -> Iter<W> {
        Iter(self.0)
    }
}

impl<W: BitWord> IntoIterator for BitSet<W> {
    type Item = usize;
    type IntoIter = Iter<W>;

    #[inline(always)]
    fn into_iter(self) -> Iter<W> {
        self.iter()
    }
}

impl<W: BitWord> BitOr for BitSet<W> {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        self.union(other)
    }
}

impl<W: BitWord> BitAnd for BitSet<W> {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        self.intersection(other)
    }
}

impl<W: BitWord> BitXor for BitSet<W> {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        BitSet(self.0 ^ other.0)
    }
}

impl<W: BitWord> fmt::Debug for BitSet<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// An iterator over the squares of a set, lowest first.
#[derive(Clone, Debug)]
pub struct Iter<W>(W);

impl<W: BitWord> Iterator for Iter<W> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == W::EMPTY {
            return None;
        }
        let square = self.0.first() as usize;
        self.0 = self.0.without_first();
        Some(square)
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.ones() as usize;
        (len, Some(len))
    }
}

impl<W: BitWord> ExactSizeIterator for Iter<W> {}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;
    use alloc::vec::Vec;

    fn check_against_btree_set<W: BitWord>(seed: u64) {
        let mut random = crate::zobrist::SplitMix64::new(seed);
        for _ in 0..2_000 {
            let mut random_set = || -> BTreeSet<usize> {
                (0..random.below(40)).map(|_| random.below(W::BITS as usize)).collect()
            };
            let (a, b) = (random_set(), random_set());
            let (x, y) =
                (BitSet::<W>::from_squares(a.iter().copied()), BitSet::<W>::from_squares(b.iter().copied()));
            assert_eq!(x.iter().collect::<Vec<_>>(), a.iter().copied().collect::<Vec<_>>());
            assert_eq!((x.len(), x.first(), x.last()), (a.len(), a.first().copied(), a.last().copied()));
            assert_eq!(x.is_empty(), a.is_empty());
            assert_eq!(x.union(y), BitSet::from_squares(a.union(&b).copied()));
            assert_eq!(x.intersection(y), BitSet::from_squares(a.intersection(&b).copied()));
            assert_eq!(x.difference(y), BitSet::from_squares(a.difference(&b).copied()));
            assert_eq!(x ^ y, BitSet::from_squares(a.symmetric_difference(&b).copied()));
            assert_eq!(x.intersects(y), !a.is_disjoint(&b));
            assert!((0..W::BITS as usize).all(|square| x.contains(square) == a.contains(&square)));
        }
    }

    #[test]
    fn sets_of_both_widths_agree_with_btree_set() {
        check_against_btree_set::<u64>(1);
        check_against_btree_set::<u128>(2);
    }
}
