//! What earlier cut-offs say about moves.

use alfil_kernel::{Game, Move, MoveOf, Piece as _, Position, Square as _};

use crate::params::{MAX_HISTORY, MAX_HISTORY_STEP, MAX_PLY};

/// A man on a square, as a number: who moved, and where to.
pub(crate) type PieceTo = usize;

/// A counter that is moved towards a bound the less the nearer it is, so that it never passes it (history gravity).
fn apply_gravity(counter: &mut i16, by: i32) {
    let by = by.clamp(-MAX_HISTORY_STEP, MAX_HISTORY_STEP);
    *counter += (by - i32::from(*counter) * by.abs() / MAX_HISTORY) as i16;
}

/// The two moves before a move, by their slots.
pub(crate) type PreviousMoves = [PieceTo; 2];

/// Killers, and counters of how often moves cut off: each from another point of view.
#[derive(Clone, Debug)]
pub(crate) struct MoveHistories<M> {
    /// The last two quiet moves that cut off at each ply (the killer heuristic; Akl and Newborn, 1977).
    killers: Vec<[Option<M>; 2]>,
    /// By side and move (the history heuristic; Schaeffer, 1983).
    quiet: Vec<i16>,
    /// By who takes where, and what.
    noisy: Vec<i16>,
    /// By a move before, one ply or two, and the move (continuation history): one row for every slot, and one for a null move.
    continuation: [Vec<i16>; 2],
    piece_to_count: usize,
    piece_count: usize,
}

impl<M: Move> MoveHistories<M> {
    pub(crate) fn new<G: Game>() -> Self {
        let slots = G::SQUARES * G::PIECES;
        let after = || vec![0; (slots + 1) * slots];
        MoveHistories {
            killers: vec![[None; 2]; MAX_PLY + 1],
            quiet: vec![0; 2 << 16],
            noisy: vec![0; slots * G::PIECES],
            continuation: [after(), after()],
            piece_to_count: slots,
            piece_count: G::PIECES,
        }
    }

    /// Where in the tables a null move stands, or none at all.
    pub(crate) fn no_piece_to(&self) -> PieceTo {
        self.piece_to_count
    }

    /// Forgets the killers, which belong to the plies of one search; counters live on.
    pub(crate) fn clear_killers(&mut self) {
        self.killers.fill([None; 2]);
    }

    pub(crate) fn killers(&self, ply: usize) -> [Option<M>; 2] {
        self.killers[ply]
    }

    /// What speaks for a quiet move.
    #[inline]
    pub(crate) fn quiet_score(&self, side: usize, mv: M, slot: PieceTo, before: PreviousMoves) -> i32 {
        let after =
            |back: usize| i32::from(self.continuation[back][before[back] * self.piece_to_count + slot]);
        i32::from(self.quiet[side << 16 | mv.bits() as usize]) + after(0) + after(1)
    }

    /// What speaks for a noisy move that takes this piece.
    #[inline]
    pub(crate) fn noisy_score(&self, slot: PieceTo, taken: usize) -> i32 {
        i32::from(self.noisy[slot * self.piece_count + taken])
    }

    /// A quiet move cut off (`by` above 0), or was tried in vain (below).
    pub(crate) fn update_quiet(&mut self, side: usize, mv: M, slot: PieceTo, before: PreviousMoves, by: i32) {
        apply_gravity(&mut self.quiet[side << 16 | mv.bits() as usize], by);
        for (after, before) in self.continuation.iter_mut().zip(before) {
            apply_gravity(&mut after[before * self.piece_to_count + slot], by);
        }
    }

    /// The same for a noisy move.
    pub(crate) fn update_noisy(&mut self, slot: PieceTo, taken: usize, by: i32) {
        apply_gravity(&mut self.noisy[slot * self.piece_count + taken], by);
    }

    /// A quiet move cut off at this ply.
    pub(crate) fn add_killer(&mut self, ply: usize, mv: M) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }
}

/// Who moves where to. A move that puts a new man is its side's; a pass goes to the first square.
#[inline]
pub(crate) fn piece_to<P: Position>(position: &P, mv: MoveOf<P>) -> PieceTo {
    let piece = mv.origin().and_then(|square| position.piece_on(square));
    let piece = piece.map_or(position.side_to_move().index(), |piece| piece.index());
    piece * P::Game::SQUARES + mv.target().map_or(0, |square| square.index())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_kernel::Move as _;
    use alfil_xiangqi::{Move, Xiangqi};

    #[test]
    fn counters_stay_in_their_bounds_and_forget_slowly() {
        let mut histories = MoveHistories::<Move>::new::<Xiangqi>();
        let mv = Move::from_bits(300).unwrap();
        for _ in 0..1000 {
            histories.update_quiet(0, mv, 5, [7, histories.no_piece_to()], MAX_HISTORY_STEP);
        }
        let full = histories.quiet_score(0, mv, 5, [7, histories.no_piece_to()]);
        assert!(full > 2 * MAX_HISTORY && full <= 3 * MAX_HISTORY, "{full}");
        assert_eq!(histories.quiet_score(1, mv, 5, [8, 8]), 0, "another side, other moves before");
        histories.update_quiet(0, mv, 5, [7, histories.no_piece_to()], -MAX_HISTORY_STEP);
        assert!(histories.quiet_score(0, mv, 5, [7, histories.no_piece_to()]) < full);
    }

    #[test]
    fn killers_are_the_last_two() {
        let mut histories = MoveHistories::<Move>::new::<Xiangqi>();
        let [a, b] = [300, 301].map(|bits| Move::from_bits(bits).unwrap());
        for mv in [a, b, b] {
            histories.add_killer(3, mv);
        }
        assert_eq!(histories.killers(3), [Some(b), Some(a)]);
        assert_eq!(histories.killers(4), [None, None]);
    }
}
