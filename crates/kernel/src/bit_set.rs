//! Sets of squares, one bit each, over `u64` or `u128`.

use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;
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

/// What the bits of a set stand for: a square, or its index.
pub trait BitIndex: Copy + fmt::Debug + 'static {
    /// Returns the value of the bit with this index.
    fn from_bit(index: u32) -> Self;
    /// Returns the index of the bit.
    fn to_bit(self) -> u32;
}

impl BitIndex for usize {
    #[inline(always)]
    fn from_bit(index: u32) -> Self {
        index as usize
    }

    #[inline(always)]
    fn to_bit(self) -> u32 {
        self as u32
    }
}

/// A set of squares `S`, one bit each in a word `W`. It is `Copy`, and every operation takes one or two instructions.
///
/// Each game has a `SquareSet` of its squares. Without `S`, the members are the indices of the bits.
///
/// ```
/// use alfil_kernel::BitSet;
///
/// let corners = BitSet::<u64>::from_squares([0, 7, 56, 63]);
/// let edge: BitSet<u64> = BitSet::new(0xFF);
/// assert_eq!((corners & edge).iter().collect::<Vec<usize>>(), [0, 7]);
/// ```
#[repr(transparent)]
pub struct BitSet<W, S = usize>(pub W, PhantomData<fn() -> S>);

impl<W, S> BitSet<W, S> {
    /// Creates the set of the bits of a word.
    ///
    /// ```
    /// use alfil_kernel::BitSet;
    ///
    /// let edge: BitSet<u64> = BitSet::new(0xFF);
    /// assert_eq!(edge.len(), 8);
    /// ```
    #[inline(always)]
    pub const fn new(word: W) -> Self {
        BitSet(word, PhantomData)
    }
}

impl<W: BitWord, S: BitIndex> BitSet<W, S> {
    /// The empty set.
    pub const EMPTY: Self = BitSet::new(W::EMPTY);

    /// Returns the set that contains only `square`.
    ///
    /// # Panics
    /// In debug builds, if the square has no bit in the word.
    ///
    /// ```
    /// use alfil_kernel::BitSet;
    ///
    /// assert_eq!(BitSet::<u64>::from_square(3), BitSet::new(8));
    /// ```
    #[inline(always)]
    pub fn from_square(square: S) -> Self {
        debug_assert!(square.to_bit() < W::BITS);
        BitSet::new(W::ONE << square.to_bit())
    }

    /// Returns the set of the given squares.
    ///
    /// ```
    /// use alfil_kernel::BitSet;
    ///
    /// assert_eq!(BitSet::<u64>::from_squares([0, 3]), BitSet::new(9));
    /// ```
    pub fn from_squares(squares: impl IntoIterator<Item = S>) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set.union(Self::from_square(square)))
    }

    /// Returns the squares that are in either set.
    ///
    /// ```
    /// use alfil_kernel::BitSet;
    ///
    /// let (a, b) = (BitSet::<u64>::new(3), BitSet::new(6));
    /// assert_eq!((a.union(b), a | b), (BitSet::new(7), BitSet::new(7)));
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        BitSet::new(self.0 | other.0)
    }

    /// Returns the squares that are in both sets.
    ///
    /// ```
    /// use alfil_kernel::BitSet;
    ///
    /// let (a, b) = (BitSet::<u64>::new(3), BitSet::new(6));
    /// assert_eq!((a.intersection(b), a & b), (BitSet::new(2), BitSet::new(2)));
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        BitSet::new(self.0 & other.0)
    }

    /// Returns the squares that are in this set but not in `other`.
    ///
    /// ```
    /// use alfil_kernel::BitSet;
    ///
    /// assert_eq!(BitSet::<u64>::new(3).difference(BitSet::new(6)), BitSet::new(1));
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn difference(self, other: Self) -> Self {
        BitSet::new(self.0 & !other.0)
    }

    /// Returns whether `square` is in the set.
    ///
    /// ```
    /// use alfil_kernel::BitSet;
    ///
    /// let set = BitSet::<u64>::new(5);
    /// assert!(set.contains(2) && !set.contains(1));
    /// ```
    #[inline(always)]
    pub fn contains(self, square: S) -> bool {
        !self.intersection(Self::from_square(square)).is_empty()
    }

    /// Returns whether the sets share a square.
    ///
    /// ```
    /// use alfil_kernel::BitSet;
    ///
    /// assert!(BitSet::<u64>::new(3).intersects(BitSet::new(6)));
    /// ```
    #[inline(always)]
    pub fn intersects(self, other: Self) -> bool {
        !self.intersection(other).is_empty()
    }

    /// Returns whether the set contains no square.
    ///
    /// ```
    /// use alfil_kernel::BitSet;
    ///
    /// assert!(BitSet::<u64>::EMPTY.is_empty());
    /// ```
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0 == W::EMPTY
    }

    /// Returns the number of squares in the set.
    ///
    /// ```
    /// use alfil_kernel::BitSet;
    ///
    /// assert_eq!(BitSet::<u128>::new(1 << 89 | 1).len(), 2);
    /// ```
    #[inline(always)]
    pub fn len(self) -> usize {
        self.0.ones() as usize
    }

    /// Returns the lowest square in the set.
    ///
    /// ```
    /// use alfil_kernel::BitSet;
    ///
    /// assert_eq!(BitSet::<u64>::new(12).first(), Some(2));
    /// assert_eq!(BitSet::<u64>::EMPTY.first(), None);
    /// ```
    #[inline(always)]
    pub fn first(self) -> Option<S> {
        if self.is_empty() { None } else { Some(S::from_bit(self.0.first())) }
    }

    /// Returns the highest square in the set.
    ///
    /// ```
    /// use alfil_kernel::BitSet;
    ///
    /// assert_eq!(BitSet::<u64>::new(12).last(), Some(3));
    /// ```
    #[inline(always)]
    pub fn last(self) -> Option<S> {
        if self.is_empty() { None } else { Some(S::from_bit(W::BITS - 1 - self.0.leading())) }
    }

    /// Returns an iterator over the squares, lowest first.
    ///
    /// ```
    /// use alfil_kernel::BitSet;
    ///
    /// assert_eq!(BitSet::<u64>::new(12).iter().collect::<Vec<_>>(), [2, 3]);
    /// ```
    #[inline(always)]
    pub fn iter(self) -> Iter<W, S> {
        Iter(self.0, PhantomData)
    }
}

impl<W: BitWord, S: BitIndex> IntoIterator for BitSet<W, S> {
    type Item = S;
    type IntoIter = Iter<W, S>;

    #[inline(always)]
    fn into_iter(self) -> Iter<W, S> {
        self.iter()
    }
}

impl<W: BitWord, S: BitIndex> BitOr for BitSet<W, S> {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        self.union(other)
    }
}

impl<W: BitWord, S: BitIndex> BitAnd for BitSet<W, S> {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        self.intersection(other)
    }
}

impl<W: BitWord, S: BitIndex> BitXor for BitSet<W, S> {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        BitSet::new(self.0 ^ other.0)
    }
}

impl<W: BitWord, S: BitIndex> fmt::Debug for BitSet<W, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// An iterator over the squares of a set, lowest first.
#[derive(Clone, Debug)]
pub struct Iter<W, S>(W, PhantomData<fn() -> S>);

impl<W: BitWord, S: BitIndex> Iterator for Iter<W, S> {
    type Item = S;

    #[inline(always)]
    fn next(&mut self) -> Option<S> {
        if self.0 == W::EMPTY {
            return None;
        }
        let square = S::from_bit(self.0.first());
        self.0 = self.0.without_first();
        Some(square)
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.ones() as usize;
        (len, Some(len))
    }
}

impl<W: BitWord, S: BitIndex> ExactSizeIterator for Iter<W, S> {}

impl<W: BitWord, S: BitIndex> FromIterator<S> for BitSet<W, S> {
    fn from_iter<I: IntoIterator<Item = S>>(squares: I) -> Self {
        Self::from_squares(squares)
    }
}

// Derived implementations would require the same of `S`.
impl<W: Copy, S> Clone for BitSet<W, S> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<W: Copy, S> Copy for BitSet<W, S> {}

impl<W: PartialEq, S> PartialEq for BitSet<W, S> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<W: Eq, S> Eq for BitSet<W, S> {}

impl<W: Hash, S> Hash for BitSet<W, S> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl<W: BitWord, S: BitIndex> Default for BitSet<W, S> {
    fn default() -> Self {
        Self::EMPTY
    }
}

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
