//! Move histories: killer moves and counters of beta cutoffs, for move ordering.

use alfil_kernel::{Game, Move, MoveBits as _, MoveOf, Piece as _, Position, Square as _};

use crate::params::{MAX_HISTORY, MAX_HISTORY_STEP, MAX_PLY};

/// An index for a piece and its target square.
pub(crate) type PieceTo = usize;

/// Adds `bonus` to a counter, scaled down near its limit so that it never passes it (history gravity).
fn apply_gravity(counter: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-MAX_HISTORY_STEP, MAX_HISTORY_STEP);
    *counter += (bonus - i32::from(*counter) * bonus.abs() / MAX_HISTORY) as i16;
}

/// The number of bits of a move in the index of the quiet history: moves that differ only in higher bits share a
/// counter.
const QUIET_BITS: u32 = 16;

#[inline(always)]
fn quiet_index<M: Move>(side: usize, mv: M) -> usize {
    side << QUIET_BITS | mv.bits().to_u64() as usize & ((1 << QUIET_BITS) - 1)
}

/// The two moves before a move, the later one first.
pub(crate) type PreviousMoves = [PieceTo; 2];

/// The killer moves, and the counters of cutoffs by move, by capture, and by move and previous move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MoveHistories<M> {
    /// The last two quiet moves that caused a cutoff at each ply (killer heuristic; Akl and Newborn, 1977).
    killers: Vec<[Option<M>; 2]>,
    /// Quiet moves by side and move (history heuristic; Schaeffer, 1983).
    quiet: Vec<i16>,
    /// Noisy moves by piece, target square and captured piece (capture history).
    noisy: Vec<i16>,
    /// Quiet moves by the move one or two plies before, plus one row for a null move (continuation history).
    continuation: [Vec<i16>; 2],
    piece_to_count: usize,
    piece_count: usize,
}

impl<M: Move> MoveHistories<M> {
    pub(crate) fn new<G: Game>() -> Self {
        let piece_to_count = G::SQUARES * G::PIECES;
        let continuation = || vec![0; (piece_to_count + 1) * piece_to_count];
        MoveHistories {
            killers: vec![[None; 2]; MAX_PLY + 1],
            quiet: vec![0; 2 << QUIET_BITS],
            noisy: vec![0; piece_to_count * G::PIECES],
            continuation: [continuation(), continuation()],
            piece_to_count,
            piece_count: G::PIECES,
        }
    }

    /// Returns the index that stands for a null move or no previous move.
    pub(crate) fn no_piece_to(&self) -> PieceTo {
        self.piece_to_count
    }

    /// Clears everything, as at the start of another game.
    pub(crate) fn clear(&mut self) {
        self.clear_killers();
        let counters = [&mut self.quiet, &mut self.noisy].into_iter().chain(&mut self.continuation);
        counters.for_each(|counters| counters.fill(0));
    }

    /// Clears the killers, as they belong to the plies of one search. The counters are kept.
    pub(crate) fn clear_killers(&mut self) {
        self.killers.fill([None; 2]);
    }

    pub(crate) fn killers(&self, ply: usize) -> [Option<M>; 2] {
        self.killers[ply]
    }

    /// Returns the history score of a quiet move.
    #[inline]
    pub(crate) fn quiet_score(
        &self,
        side: usize,
        mv: M,
        piece_to: PieceTo,
        previous_moves: PreviousMoves,
    ) -> i32 {
        let continuation = |back: usize| {
            i32::from(self.continuation[back][previous_moves[back] * self.piece_to_count + piece_to])
        };
        i32::from(self.quiet[quiet_index(side, mv)]) + continuation(0) + continuation(1)
    }

    /// Returns the history score of a noisy move by the piece it captures.
    #[inline]
    pub(crate) fn noisy_score(&self, piece_to: PieceTo, captured: usize) -> i32 {
        i32::from(self.noisy[piece_to * self.piece_count + captured])
    }

    /// Adds a bonus (positive) or malus (negative) to the counters of a quiet move.
    pub(crate) fn update_quiet(
        &mut self,
        side: usize,
        mv: M,
        piece_to: PieceTo,
        previous_moves: PreviousMoves,
        bonus: i32,
    ) {
        apply_gravity(&mut self.quiet[quiet_index(side, mv)], bonus);
        for (continuation, previous) in self.continuation.iter_mut().zip(previous_moves) {
            apply_gravity(&mut continuation[previous * self.piece_to_count + piece_to], bonus);
        }
    }

    /// Adds a bonus (positive) or malus (negative) to the counter of a noisy move.
    pub(crate) fn update_noisy(&mut self, piece_to: PieceTo, captured: usize, bonus: i32) {
        apply_gravity(&mut self.noisy[piece_to * self.piece_count + captured], bonus);
    }

    /// Makes a quiet move the first killer of this ply.
    pub(crate) fn add_killer(&mut self, ply: usize, mv: M) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }
}

/// Returns the index of a move. A move that puts a new piece uses the side's index as its piece, a pass the first
/// square.
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
    fn counters_respect_their_limit_and_decay_gradually() {
        let mut histories = MoveHistories::<Move>::new::<Xiangqi>();
        let mv = Move::from_bits(300).unwrap();
        for _ in 0..1000 {
            histories.update_quiet(0, mv, 5, [7, histories.no_piece_to()], MAX_HISTORY_STEP);
        }
        let saturated = histories.quiet_score(0, mv, 5, [7, histories.no_piece_to()]);
        assert!(saturated > 2 * MAX_HISTORY && saturated <= 3 * MAX_HISTORY, "{saturated}");
        assert_eq!(histories.quiet_score(1, mv, 5, [8, 8]), 0, "other side and other previous moves");
        histories.update_quiet(0, mv, 5, [7, histories.no_piece_to()], -MAX_HISTORY_STEP);
        assert!(histories.quiet_score(0, mv, 5, [7, histories.no_piece_to()]) < saturated);
    }

    #[test]
    fn killers_are_the_last_two_distinct_moves() {
        let mut histories = MoveHistories::<Move>::new::<Xiangqi>();
        let [a, b] = [300, 301].map(|bits| Move::from_bits(bits).unwrap());
        for mv in [a, b, b] {
            histories.add_killer(3, mv);
        }
        assert_eq!(histories.killers(3), [Some(b), Some(a)]);
        assert_eq!(histories.killers(4), [None, None]);
    }
}
