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

/// The number of rows of the pawn history; a hash of the pawns chooses one.
const PAWN_ROWS: usize = 512;

/// The state of a node on which the history of a quiet move depends.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HistoryContext {
    pub(crate) previous_moves: PreviousMoves,
    /// A hash of the pawns (`SearchPolicy::pawn_key`); `None` without a pawn history.
    pub(crate) pawn_key: Option<u64>,
}

/// The killer moves, the counter moves, and the counters of cutoffs by move, by capture, by move and previous move, and
/// by move and pawns.
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
    /// Quiet moves by a hash of the pawns (pawn history); empty without it.
    by_pawns: Vec<i16>,
    /// The last quiet move that caused a cutoff after each move (counter moves; Uiterwijk, 1992).
    counter_moves: Vec<Option<M>>,
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
            by_pawns: Vec::new(),
            counter_moves: vec![None; piece_to_count + 1],
            piece_to_count,
            piece_count: G::PIECES,
        }
    }

    /// Turns the pawn history on or off; it is off at first.
    pub(crate) fn set_pawn_history(&mut self, is_on: bool) {
        self.by_pawns = if is_on { vec![0; PAWN_ROWS * self.piece_to_count] } else { Vec::new() };
    }

    /// Returns the index that stands for a null move or no previous move.
    pub(crate) fn no_piece_to(&self) -> PieceTo {
        self.piece_to_count
    }

    /// Clears everything, as at the start of another game.
    pub(crate) fn clear(&mut self) {
        self.clear_killers();
        self.counter_moves.fill(None);
        let counters =
            [&mut self.quiet, &mut self.noisy, &mut self.by_pawns].into_iter().chain(&mut self.continuation);
        counters.for_each(|counters| counters.fill(0));
    }

    /// Clears the killers, as they belong to the plies of one search. The counters are kept.
    pub(crate) fn clear_killers(&mut self) {
        self.killers.fill([None; 2]);
    }

    pub(crate) fn killers(&self, ply: usize) -> [Option<M>; 2] {
        self.killers[ply]
    }

    fn pawn_index(&self, pawn_key: u64, piece_to: PieceTo) -> usize {
        (pawn_key >> (u64::BITS - PAWN_ROWS.ilog2())) as usize * self.piece_to_count + piece_to
    }

    /// Returns the history score of a quiet move.
    #[inline]
    pub(crate) fn quiet_score(&self, side: usize, mv: M, piece_to: PieceTo, context: HistoryContext) -> i32 {
        let continuation = |back: usize| {
            i32::from(self.continuation[back][context.previous_moves[back] * self.piece_to_count + piece_to])
        };
        let by_pawns = context.pawn_key.map_or(0, |key| self.by_pawns[self.pawn_index(key, piece_to)]);
        i32::from(self.quiet[quiet_index(side, mv)])
            + continuation(0)
            + continuation(1)
            + i32::from(by_pawns) / 2
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
        context: HistoryContext,
        bonus: i32,
    ) {
        apply_gravity(&mut self.quiet[quiet_index(side, mv)], bonus);
        if let Some(key) = context.pawn_key {
            let index = self.pawn_index(key, piece_to);
            apply_gravity(&mut self.by_pawns[index], bonus);
        }
        for (continuation, previous) in self.continuation.iter_mut().zip(context.previous_moves) {
            apply_gravity(&mut continuation[previous * self.piece_to_count + piece_to], bonus);
        }
    }

    /// Adds a bonus (positive) or malus (negative) to the counter of a noisy move.
    pub(crate) fn update_noisy(&mut self, piece_to: PieceTo, captured: usize, bonus: i32) {
        apply_gravity(&mut self.noisy[piece_to * self.piece_count + captured], bonus);
    }

    /// Returns the last quiet move that caused a cutoff after the move `previous`.
    pub(crate) fn counter_move(&self, previous: PieceTo) -> Option<M> {
        self.counter_moves[previous]
    }

    pub(crate) fn set_counter_move(&mut self, previous: PieceTo, mv: M) {
        self.counter_moves[previous] = Some(mv);
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
        let context = HistoryContext { previous_moves: [7, histories.no_piece_to()], pawn_key: None };
        for _ in 0..1000 {
            histories.update_quiet(0, mv, 5, context, MAX_HISTORY_STEP);
        }
        let saturated = histories.quiet_score(0, mv, 5, context);
        assert!(saturated > 2 * MAX_HISTORY && saturated <= 3 * MAX_HISTORY, "{saturated}");
        let other = HistoryContext { previous_moves: [8, 8], pawn_key: None };
        assert_eq!(histories.quiet_score(1, mv, 5, other), 0, "other side and other previous moves");
        histories.update_quiet(0, mv, 5, context, -MAX_HISTORY_STEP);
        assert!(histories.quiet_score(0, mv, 5, context) < saturated);
    }

    #[test]
    fn the_pawns_are_a_part_of_the_context() {
        let mut histories = MoveHistories::<Move>::new::<Xiangqi>();
        histories.set_pawn_history(true);
        let mv = Move::from_bits(300).unwrap();
        let with_pawns =
            |pawns: u64| HistoryContext { pawn_key: Some(pawns << 55), ..HistoryContext::default() };
        histories.update_quiet(0, mv, 5, with_pawns(3), MAX_HISTORY_STEP);
        let [same, other] = [3, 4].map(|pawns| histories.quiet_score(0, mv, 5, with_pawns(pawns)));
        assert_eq!(same - other, MAX_HISTORY_STEP / 2);
        histories.clear();
        assert_eq!(histories.quiet_score(0, mv, 5, with_pawns(3)), 0);
    }

    #[test]
    fn the_counter_move_is_the_last_one_after_a_move() {
        let mut histories = MoveHistories::<Move>::new::<Xiangqi>();
        let [a, b] = [300, 301].map(|bits| Move::from_bits(bits).unwrap());
        for (previous, mv) in [(3, a), (3, b), (4, a)] {
            histories.set_counter_move(previous, mv);
        }
        assert_eq!([3, 4, 5].map(|previous| histories.counter_move(previous)), [Some(b), Some(a), None]);
        histories.clear();
        assert_eq!(histories.counter_move(3), None);
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
