//! What earlier cut-offs say about moves.

use alfil_kernel::{Game, Move, MoveOf, Piece as _, Position, Square as _};

use crate::params::{HISTORY_MAX, HISTORY_STEP_MAX, MAX_PLY};

/// A man on a square, as a number: who moved, and where to.
pub(crate) type Slot = usize;

/// A counter that is moved towards a bound the less the nearer it is, so that it never passes it (history gravity).
fn nudge(counter: &mut i16, by: i32) {
    let by = by.clamp(-HISTORY_STEP_MAX, HISTORY_STEP_MAX);
    *counter += (by - i32::from(*counter) * by.abs() / HISTORY_MAX) as i16;
}

/// The two moves before a move, by their slots.
pub(crate) type Before = [Slot; 2];

/// Killers, and counters of how often moves cut off: each from another point of view.
#[derive(Clone, Debug)]
pub(crate) struct Histories<M> {
    /// The last two quiet moves that cut off at each ply (the killer heuristic; Akl and Newborn, 1977).
    killers: Vec<[Option<M>; 2]>,
    /// By side and move (the history heuristic; Schaeffer, 1983).
    quiet: Vec<i16>,
    /// By who takes where, and what.
    noisy: Vec<i16>,
    /// By a move before, one ply or two, and the move (continuation history): one row for every slot, and one for a null move.
    after: [Vec<i16>; 2],
    slots: usize,
    pieces: usize,
}

impl<M: Move> Histories<M> {
    pub(crate) fn new<G: Game>() -> Self {
        let slots = G::SQUARES * G::PIECES;
        let after = || vec![0; (slots + 1) * slots];
        Histories {
            killers: vec![[None; 2]; MAX_PLY + 1],
            quiet: vec![0; 2 << 16],
            noisy: vec![0; slots * G::PIECES],
            after: [after(), after()],
            slots,
            pieces: G::PIECES,
        }
    }

    /// Where in the tables a null move stands, or none at all.
    pub(crate) fn no_slot(&self) -> Slot {
        self.slots
    }

    /// Forgets the killers, which belong to the plies of one search; counters live on.
    pub(crate) fn forget_killers(&mut self) {
        self.killers.fill([None; 2]);
    }

    pub(crate) fn killers(&self, ply: usize) -> [Option<M>; 2] {
        self.killers[ply]
    }

    /// What speaks for a quiet move.
    #[inline]
    pub(crate) fn of_quiet(&self, side: usize, mv: M, slot: Slot, before: Before) -> i32 {
        let after = |back: usize| i32::from(self.after[back][before[back] * self.slots + slot]);
        i32::from(self.quiet[side << 16 | mv.bits() as usize]) + after(0) + after(1)
    }

    /// What speaks for a noisy move that takes this piece.
    #[inline]
    pub(crate) fn of_noisy(&self, slot: Slot, taken: usize) -> i32 {
        i32::from(self.noisy[slot * self.pieces + taken])
    }

    /// A quiet move cut off (`by` above 0), or was tried in vain (below).
    pub(crate) fn adjust_quiet(&mut self, side: usize, mv: M, slot: Slot, before: Before, by: i32) {
        nudge(&mut self.quiet[side << 16 | mv.bits() as usize], by);
        for (after, before) in self.after.iter_mut().zip(before) {
            nudge(&mut after[before * self.slots + slot], by);
        }
    }

    /// The same for a noisy move.
    pub(crate) fn adjust_noisy(&mut self, slot: Slot, taken: usize, by: i32) {
        nudge(&mut self.noisy[slot * self.pieces + taken], by);
    }

    /// A quiet move cut off at this ply.
    pub(crate) fn keep_killer(&mut self, ply: usize, mv: M) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }
}

/// Who moves where to. A move that puts a new man is its side's; a pass goes to the first square.
#[inline]
pub(crate) fn slot<P: Position>(position: &P, mv: MoveOf<P>) -> Slot {
    let piece = mv.origin().and_then(|square| position.piece_on(square));
    let piece = piece.map_or(position.side().index(), |piece| piece.index());
    piece * P::Game::SQUARES + mv.target().map_or(0, |square| square.index())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_kernel::Move as _;
    use alfil_xiangqi::{Move, Xiangqi};

    #[test]
    fn counters_stay_in_their_bounds_and_forget_slowly() {
        let mut histories = Histories::<Move>::new::<Xiangqi>();
        let mv = Move::from_bits(300).unwrap();
        for _ in 0..1000 {
            histories.adjust_quiet(0, mv, 5, [7, histories.no_slot()], HISTORY_STEP_MAX);
        }
        let full = histories.of_quiet(0, mv, 5, [7, histories.no_slot()]);
        assert!(full > 2 * HISTORY_MAX && full <= 3 * HISTORY_MAX, "{full}");
        assert_eq!(histories.of_quiet(1, mv, 5, [8, 8]), 0, "another side, other moves before");
        histories.adjust_quiet(0, mv, 5, [7, histories.no_slot()], -HISTORY_STEP_MAX);
        assert!(histories.of_quiet(0, mv, 5, [7, histories.no_slot()]) < full);
    }

    #[test]
    fn killers_are_the_last_two() {
        let mut histories = Histories::<Move>::new::<Xiangqi>();
        let [a, b] = [300, 301].map(|bits| Move::from_bits(bits).unwrap());
        for mv in [a, b, b] {
            histories.keep_killer(3, mv);
        }
        assert_eq!(histories.killers(3), [Some(b), Some(a)]);
        assert_eq!(histories.killers(4), [None, None]);
    }
}
