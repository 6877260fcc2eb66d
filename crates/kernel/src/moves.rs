//! A list of moves: an array with a length.

use core::fmt;
use core::ops::{Deref, DerefMut};

use crate::game::Move;

/// Room for 256 moves on the stack. No position of the three games has more: chess reaches 218, xiangqi about 120.
#[derive(Clone)]
pub struct MoveList<M> {
    moves: [M; MoveList::<()>::CAPACITY],
    len: usize,
}

impl MoveList<()> {
    /// How many moves a list can hold.
    pub const CAPACITY: usize = 256;
}

impl<M: Move> MoveList<M> {
    /// An empty list.
    #[inline]
    pub fn new() -> Self {
        MoveList { moves: [M::FILLER; MoveList::<()>::CAPACITY], len: 0 }
    }

    /// Appends a move.
    ///
    /// # Panics
    /// If the list is full, which no position of a game can bring about.
    #[inline(always)]
    pub fn push(&mut self, mv: M) {
        self.moves[self.len] = mv;
        self.len += 1;
    }

    /// Forgets all moves.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Keeps the moves for which `keep` says yes, in their order.
    #[inline]
    pub fn retain(&mut self, mut keep: impl FnMut(M) -> bool) {
        let mut kept = 0;
        for i in 0..self.len {
            let mv = self.moves[i];
            if keep(mv) {
                self.moves[kept] = mv;
                kept += 1;
            }
        }
        self.len = kept;
    }
}

impl<M: Move> Default for MoveList<M> {
    fn default() -> Self {
        Self::new()
    }
}

impl<M> Deref for MoveList<M> {
    type Target = [M];

    #[inline(always)]
    fn deref(&self) -> &[M] {
        &self.moves[..self.len]
    }
}

impl<M> DerefMut for MoveList<M> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [M] {
        &mut self.moves[..self.len]
    }
}

impl<'a, M> IntoIterator for &'a MoveList<M> {
    type Item = &'a M;
    type IntoIter = core::slice::Iter<'a, M>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<M: fmt::Debug> fmt::Debug for MoveList<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
