//! Move ordering: the earlier the best move is searched, the fewer of the others are.
//!
//! Moves are generated in stages, because most nodes end after one or two moves: the hash move, captures with a
//! non-negative SEE, killers and a counter move, other quiet moves, and losing captures (after ElephantEye's order).
//! Within a stage the ordering score decides, then the bits of the move, so the order does not depend on how a board
//! generates moves.

use core::marker::PhantomData;

use alfil_kernel::{Move, MoveBits as _, MoveList, MoveOf, Oracle, Position, Rules};

use crate::move_history::{HistoryContext, piece_to};
use crate::params::PROMOTION_SCORE;
use crate::search_evaluator::SearchEvaluator;
use crate::worker::Worker;

/// Moves with their ordering scores. An entry holds the score above the inverted bits of the move, so that the
/// greatest entry is the best move and the smallest of equal ones.
#[derive(Clone, Debug)]
struct ScoredMoves<M> {
    entries: Vec<u64>,
    kind: PhantomData<M>,
}

impl<M: Move> ScoredMoves<M> {
    const MOVE_MASK: u64 = (1 << M::Bits::WIDTH) - 1;

    fn push(&mut self, mv: M, score: i32) {
        let score = (i64::from(score) - i64::from(i32::MIN)) as u64;
        self.entries.push(score << M::Bits::WIDTH | mv.bits().to_u64() ^ Self::MOVE_MASK);
    }

    /// Removes and returns the move with the highest score.
    fn pop_best(&mut self) -> Option<M> {
        let best = self.entries.iter().enumerate().max_by_key(|&(_, &entry)| entry)?.0;
        M::from_bits(M::Bits::from_u64(self.entries.swap_remove(best) ^ Self::MOVE_MASK))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    HashMove,
    GenerateNoisy,
    Noisy,
    Killers(usize),
    GenerateQuiets,
    Quiets,
    LosingCaptures,
    End,
}

/// Returns the legal moves of a node one by one. It is reused by all nodes of a ply, so that no list is allocated
/// twice.
#[derive(Clone, Debug)]
pub(crate) struct MovePicker<M> {
    stage: Stage,
    hash_move: Option<M>,
    /// The killers and the counter move.
    killers: [Option<M>; 3],
    context: HistoryContext,
    /// The depth of the node, in plies.
    depth: i32,
    /// Whether the picker returns only noisy captures with a non-negative SEE.
    noisy_only: bool,
    noisy: ScoredMoves<M>,
    quiets: ScoredMoves<M>,
    losing_captures: ScoredMoves<M>,
}

impl<M: Move> MovePicker<M> {
    pub(crate) fn new() -> Self {
        let moves =
            || ScoredMoves { entries: Vec::with_capacity(MoveList::<M>::CAPACITY), kind: PhantomData };
        MovePicker { noisy: moves(), quiets: moves(), losing_captures: moves(), ..MovePicker::new_empty() }
    }

    /// Creates a placeholder for a picker that is in use. It has no moves and does not allocate.
    pub(crate) fn new_empty() -> Self {
        let moves = || ScoredMoves { entries: Vec::new(), kind: PhantomData };
        MovePicker {
            stage: Stage::End,
            hash_move: None,
            killers: [None; 3],
            context: HistoryContext::default(),
            depth: 0,
            noisy_only: false,
            noisy: moves(),
            quiets: moves(),
            losing_captures: moves(),
        }
    }

    /// Returns the hash move; before the first call of `next_move` it may be illegal.
    pub(crate) fn hash_move(&self) -> Option<M> {
        self.hash_move
    }

    /// Starts a new node. There are no killers and no counter move if the evaluation orders the quiet moves.
    pub(crate) fn start(
        &mut self,
        hash_move: Option<M>,
        killers: [Option<M>; 3],
        context: HistoryContext,
        depth: i32,
    ) {
        self.stage = Stage::HashMove;
        self.depth = depth;
        (self.hash_move, self.killers, self.context) = (hash_move, killers, context);
        self.noisy_only = false;
        for moves in [&mut self.noisy, &mut self.quiets, &mut self.losing_captures] {
            moves.entries.clear();
        }
    }

    /// Starts a quiescence node: only noisy captures with a non-negative SEE.
    pub(crate) fn start_noisy(&mut self) {
        self.start(None, [None; 3], HistoryContext::default(), 0);
        self.noisy_only = true;
    }

    /// Skips the remaining quiet moves, and the promotions that capture nothing, which are generated with them.
    pub(crate) fn skip_quiets(&mut self) {
        if matches!(self.stage, Stage::Killers(_) | Stage::GenerateQuiets | Stage::Quiets) {
            self.stage = Stage::LosingCaptures;
        }
    }
}

impl<P: Position, R: Rules<P>, E: SearchEvaluator<P>, O: Oracle<P>> Worker<P, R, E, O> {
    /// Returns the next move of this node; each legal move is returned once.
    pub(crate) fn next_move(&self, picker: &mut MovePicker<MoveOf<P>>) -> Option<MoveOf<P>> {
        let position = self.game.position();
        loop {
            match picker.stage {
                Stage::HashMove => {
                    picker.stage = Stage::GenerateNoisy;
                    if let Some(mv) = picker.hash_move {
                        self.prefetch_after(mv);
                    }
                    picker.hash_move = picker.hash_move.filter(|&mv| position.is_legal(mv));
                    if picker.hash_move.is_some() {
                        return picker.hash_move;
                    }
                }
                Stage::GenerateNoisy => {
                    picker.stage = Stage::Noisy;
                    self.generate_noisy(picker);
                }
                Stage::Noisy => match picker.noisy.pop_best() {
                    Some(mv) => {
                        self.prefetch_after(mv);
                        if self.eval.see_ge(position, mv, 0) {
                            return Some(mv);
                        }
                        picker.losing_captures.push(mv, self.score_noisy(mv));
                    }
                    None if picker.noisy_only => picker.stage = Stage::End,
                    None => picker.stage = Stage::Killers(0),
                },
                Stage::Killers(index) if index == picker.killers.len() => {
                    picker.stage = Stage::GenerateQuiets
                }
                Stage::Killers(index) => {
                    picker.stage = Stage::Killers(index + 1);
                    let killer = picker.killers[index].filter(|&mv| {
                        !picker.killers[..index].contains(&Some(mv)) && self.is_usable_killer(picker, mv)
                    });
                    picker.killers[index] = killer;
                    if let Some(mv) = killer {
                        self.prefetch_after(mv);
                        return killer;
                    }
                }
                Stage::GenerateQuiets => {
                    picker.stage = Stage::Quiets;
                    self.generate_quiets(picker);
                }
                Stage::Quiets => match picker.quiets.pop_best() {
                    Some(mv) => {
                        self.prefetch_after(mv);
                        return Some(mv);
                    }
                    None => picker.stage = Stage::LosingCaptures,
                },
                Stage::LosingCaptures => match picker.losing_captures.pop_best() {
                    Some(mv) => {
                        self.prefetch_after(mv);
                        return Some(mv);
                    }
                    None => picker.stage = Stage::End,
                },
                Stage::End => return None,
            }
        }
    }

    /// Loads the cluster of the position after a move into the cache while the move is still being considered. If the
    /// board does not know its key yet, the node of that position does so.
    #[inline]
    fn prefetch_after(&self, mv: MoveOf<P>) {
        if let Some(key) = self.game.position().expected_key_after(mv) {
            self.table.prefetch(key);
        }
    }

    /// Returns whether the noisy stage has returned this move: it is a noisy move of the capture generator.
    fn is_noisy_capture(&self, mv: MoveOf<P>) -> bool {
        let position = self.game.position();
        position.captured_piece(mv).is_some() && self.eval.is_noisy(position, mv)
    }

    fn is_usable_killer(&self, picker: &MovePicker<MoveOf<P>>, mv: MoveOf<P>) -> bool {
        Some(mv) != picker.hash_move
            && self.game.position().is_legal(mv)
            && !self.eval.is_noisy(self.game.position(), mv)
    }

    fn score_noisy(&self, mv: MoveOf<P>) -> i32 {
        let position = self.game.position();
        let captured = position.captured_piece(mv).map_or(0, alfil_kernel::Piece::index);
        self.eval.mvv_lva(position, mv)
            + self.move_histories.noisy_score(piece_to(position, mv), captured)
                / self.params.noisy_history_divisor
    }

    fn generate_noisy(&self, picker: &mut MovePicker<MoveOf<P>>) {
        let position = self.game.position();
        let mut list = MoveList::new();
        position.generate_captures(&mut list);
        for &mv in &list {
            if Some(mv) != picker.hash_move && self.eval.is_noisy(position, mv) {
                picker.noisy.push(mv, self.score_noisy(mv));
            }
        }
    }

    fn generate_quiets(&self, picker: &mut MovePicker<MoveOf<P>>) {
        let position = self.game.position();
        let side = position.side_to_move().index();
        let mut list = MoveList::new();
        position.generate_legal(&mut list);
        for &mv in &list {
            let is_returned = Some(mv) == picker.hash_move || picker.killers.contains(&Some(mv));
            if is_returned || self.is_noisy_capture(mv) {
                continue;
            }
            let score = if self.eval.is_noisy(position, mv) {
                PROMOTION_SCORE
            } else {
                let history =
                    self.move_histories.quiet_score(side, mv, piece_to(position, mv), picker.context);
                let is_scored = self.eval.orders_quiets(picker.depth);
                history + if is_scored { self.eval.quiet_move_score(position, mv) } else { 0 }
            };
            picker.quiets.push(mv, score);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_evaluation::xiangqi::HandcraftedEval;
    use alfil_kernel::conformance::sorted_legal_moves;
    use alfil_kernel::zobrist::SplitMix64;
    use alfil_kernel::{GameHistory, Setup as _, Tactics as _, Waivers};
    use alfil_xiangqi::{Bitboard, Ruleset, Setup};

    #[test]
    fn every_legal_move_is_returned_once_for_any_hash_move_and_killers() {
        let mut random = SplitMix64::new(11);
        let mut picker = MovePicker::new();
        for _ in 0..20 {
            let mut game = GameHistory::<Bitboard>::from_start_position();
            for _ in 0..120 {
                let moves = sorted_legal_moves(game.position());
                if moves.is_empty() {
                    break;
                }
                let random_move = |random: &mut SplitMix64| Some(moves[random.below(moves.len())]);
                let worker = Worker::new(game.clone(), Ruleset::default(), HandcraftedEval::default(), 0);
                // A killer of another position may be illegal here, and the hash move may be a killer too.
                let foreign = Move::from_bits(300);
                let hash_move = if random.below(2) == 0 { random_move(&mut random) } else { foreign };
                let killers = [random_move(&mut random), foreign, random_move(&mut random)];
                picker.start(hash_move, killers, HistoryContext::default(), 3);
                let mut returned: Vec<_> = std::iter::from_fn(|| worker.next_move(&mut picker)).collect();
                returned.sort_unstable();
                let mut expected = moves.clone();
                expected.sort_unstable();
                assert_eq!(returned, expected);
                picker.start_noisy();
                while let Some(mv) = worker.next_move(&mut picker) {
                    assert!(worker.eval.see_ge(game.position(), mv, 0));
                }
                game.play(moves[random.below(moves.len())]);
            }
        }
    }

    #[test]
    fn skipping_quiets_leaves_the_losing_captures() {
        let fen = "3ak4/4a4/4r4/4p4/4R4/9/9/9/9/3K5 w";
        let game = GameHistory::<Bitboard>::new(&Setup::parse(fen).unwrap(), &Waivers::None).unwrap();
        let worker = Worker::new(game, Ruleset::default(), HandcraftedEval::default(), 0);
        let mut picker = MovePicker::new();
        picker.start(None, [None; 3], HistoryContext::default(), 0);
        let first = worker.next_move(&mut picker).unwrap();
        picker.skip_quiets();
        let rest: Vec<_> = std::iter::from_fn(|| worker.next_move(&mut picker)).collect();
        let position = worker.game.position();
        let captures = sorted_legal_moves(position)
            .into_iter()
            .filter(|&mv| position.captured_piece(mv).is_some())
            .count();
        assert!(rest.iter().all(|&mv| position.captured_piece(mv).is_some()));
        assert_eq!(rest.len() + usize::from(position.captured_piece(first).is_some()), captures);
    }
}
