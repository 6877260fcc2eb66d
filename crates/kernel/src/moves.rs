//! Move lists: an array with a length.

use core::fmt;
use core::ops::{Deref, DerefMut};

use crate::game::Move;

/// A list of moves on the stack, with the capacity of [`Move::Array`].
#[derive(Clone)]
pub struct MoveList<M: Move> {
    moves: M::Array,
    len: usize,
}

impl<M: Move> MoveList<M> {
    /// The number of moves that a list can hold.
    pub const CAPACITY: usize = size_of::<M::Array>() / size_of::<M>();

    /// Creates an empty list.
    #[inline]
    pub fn new() -> Self {
        MoveList { moves: M::FILLER, len: 0 }
    }

    /// Appends a move.
    ///
    /// # Panics
    /// If the list is full, which no legal position can cause.
    #[inline(always)]
    pub fn push(&mut self, mv: M) {
        self.moves.as_mut()[self.len] = mv;
        self.len += 1;
    }

    /// Removes all moves.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Retains the moves for which `predicate` returns `true`, in their order.
    #[inline]
    pub fn retain(&mut self, mut predicate: impl FnMut(M) -> bool) {
        let mut len = 0;
        let moves = self.moves.as_mut();
        for i in 0..self.len {
            let mv = moves[i];
            if predicate(mv) {
                moves[len] = mv;
                len += 1;
            }
        }
        self.len = len;
    }
}

impl<M: Move> Default for MoveList<M> {
    fn default() -> Self {
        Self::new()
    }
}

impl<M: Move> Deref for MoveList<M> {
    type Target = [M];

    #[inline(always)]
    fn deref(&self) -> &[M] {
        &self.moves.as_ref()[..self.len]
    }
}

impl<M: Move> DerefMut for MoveList<M> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [M] {
        &mut self.moves.as_mut()[..self.len]
    }
}

impl<'a, M: Move> IntoIterator for &'a MoveList<M> {
    type Item = &'a M;
    type IntoIter = core::slice::Iter<'a, M>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<M: Move> fmt::Debug for MoveList<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
