//! In which order moves are tried: the sooner the best one, the fewer the rest.

use alfil_kernel::{Evaluate, Laws, Move, MoveList, MoveOf, Position};

use crate::params::{HISTORY_MAX, MAX_PLY};
use crate::worker::Worker;

/// What earlier cut-offs say about quiet moves.
#[derive(Clone, Debug)]
pub(crate) struct Memory<M> {
    /// The last two quiet moves that cut off at each ply (the killer heuristic; Akl and Newborn, 1977).
    killers: [[Option<M>; 2]; MAX_PLY],
    /// How often each move of each side cut off (the history heuristic; Schaeffer, 1983), by side and move.
    history: Vec<i16>,
}

impl<M: Move> Memory<M> {
    pub(crate) fn new() -> Self {
        Memory { killers: [[None; 2]; MAX_PLY], history: vec![0; 2 << 16] }
    }

    /// A quiet move cut off, after others had been tried in vain.
    pub(crate) fn reward(&mut self, side: usize, ply: usize, mv: M, tried: &[M], depth: i32) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        self.adjust(side, mv, depth * depth);
        for &other in tried {
            self.adjust(side, other, -depth * depth);
        }
    }

    /// Moves a counter towards a bound the less the nearer it is, so that it never reaches it.
    fn adjust(&mut self, side: usize, mv: M, by: i32) {
        let by = by.clamp(-HISTORY_MAX / 4, HISTORY_MAX / 4);
        let counter = &mut self.history[side << 16 | mv.bits() as usize];
        *counter += (by - i32::from(*counter) * by.abs() / HISTORY_MAX) as i16;
    }

    fn of(&self, side: usize, mv: M) -> i32 {
        i32::from(self.history[side << 16 | mv.bits() as usize])
    }
}

const FROM_TABLE: i32 = 1 << 30;
const NOISY: i32 = 1 << 28;
const KILLER: i32 = 1 << 26;

impl<P: Position, L: Laws<P>, E: Evaluate<P>> Worker<P, L, E> {
    /// The legal moves, most promising first. Equal promise is decided by the move's own bits, so that the order is the
    /// same on every board.
    pub(crate) fn ordered(&self, ply: usize, from_table: Option<MoveOf<P>>) -> MoveList<MoveOf<P>> {
        let position = self.line.position();
        let side = position.side().index();
        let killers = self.memory.killers[ply];
        let mut list = MoveList::new();
        position.moves(&mut list);
        sort(&mut list, |mv| {
            if Some(mv) == from_table {
                FROM_TABLE
            } else if self.eval.is_noisy(position, mv) {
                // A capture that loses material comes after the quiet moves.
                let sign = if self.eval.exchange(position, mv, 0) { NOISY } else { -NOISY };
                sign + self.eval.promise(position, mv)
            } else if killers.contains(&Some(mv)) {
                KILLER
            } else {
                self.memory.of(side, mv)
            }
        });
        list
    }

    /// The noisy moves, most promising first.
    pub(crate) fn ordered_noisy(&self) -> MoveList<MoveOf<P>> {
        let position = self.line.position();
        let mut list = MoveList::new();
        position.captures(&mut list);
        list.retain(|mv| self.eval.is_noisy(position, mv) && self.eval.exchange(position, mv, 0));
        sort(&mut list, |mv| self.eval.promise(position, mv));
        list
    }
}

fn sort<M: Move>(list: &mut MoveList<M>, promise: impl Fn(M) -> i32) {
    list.sort_by_cached_key(|&mv| (core::cmp::Reverse(promise(mv)), mv));
}
