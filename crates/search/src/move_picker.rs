//! In which order moves are tried: the sooner the best one, the fewer the rest.
//!
//! Moves are made in stages, because most nodes end after a move or two: the table's, captures that win or keep material, killers,
//! other quiet moves, and at last captures that lose (after ElephantEye's order). Within a stage promise decides, and where that
//! is equal the move's own bits: so the order does not depend on how a board generates moves.

use core::marker::PhantomData;

use alfil_kernel::{Evaluate, Move, MoveList, MoveOf, Oracle, Position, Rules};

use crate::move_history::{PreviousMoves, piece_to};
use crate::params::{NOISY_HISTORY_DIVISOR, PROMOTION_SCORE};
use crate::worker::Worker;

/// Moves with their promise, in one number each: 32 bits of promise above 16 bits of move, the lesser move the greater.
#[derive(Clone, Debug)]
struct ScoredMoves<M> {
    entries: Vec<u64>,
    kind: PhantomData<M>,
}

impl<M: Move> ScoredMoves<M> {
    fn push(&mut self, mv: M, promise: i32) {
        let promise = (i64::from(promise) - i64::from(i32::MIN)) as u64;
        self.entries.push(promise << 16 | u64::from(!mv.bits()));
    }

    /// Takes the most promising move out.
    fn pop_best(&mut self) -> Option<M> {
        let best = self.entries.iter().enumerate().max_by_key(|&(_, &entry)| entry)?.0;
        M::from_bits(!(self.entries.swap_remove(best) as u16))
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

/// Gives the legal moves of a node one after another. It is kept from node to node, so that no list is allocated twice.
#[derive(Clone, Debug)]
pub(crate) struct MovePicker<M> {
    stage: Stage,
    hash_move: Option<M>,
    killers: [Option<M>; 2],
    previous_moves: PreviousMoves,
    /// Only noisy moves that win or keep material are wanted.
    noisy_only: bool,
    noisy: ScoredMoves<M>,
    quiets: ScoredMoves<M>,
    losing_captures: ScoredMoves<M>,
}

impl<M: Move> MovePicker<M> {
    pub(crate) fn new() -> Self {
        let bag = || ScoredMoves { entries: Vec::with_capacity(MoveList::CAPACITY), kind: PhantomData };
        MovePicker { noisy: bag(), quiets: bag(), losing_captures: bag(), ..MovePicker::new_empty() }
    }

    /// The place of a picker that is in use: it allocates nothing and gives nothing.
    pub(crate) fn new_empty() -> Self {
        let bag = || ScoredMoves { entries: Vec::new(), kind: PhantomData };
        MovePicker {
            stage: Stage::End,
            hash_move: None,
            killers: [None; 2],
            previous_moves: [0; 2],
            noisy_only: false,
            noisy: bag(),
            quiets: bag(),
            losing_captures: bag(),
        }
    }

    /// The move it was told to give first.
    pub(crate) fn hash_move(&self) -> Option<M> {
        self.hash_move
    }

    /// Starts on a new node.
    pub(crate) fn start(&mut self, from_table: Option<M>, killers: [Option<M>; 2], before: PreviousMoves) {
        self.stage = Stage::HashMove;
        (self.hash_move, self.killers, self.previous_moves) = (from_table, killers, before);
        self.noisy_only = false;
        for bag in [&mut self.noisy, &mut self.quiets, &mut self.losing_captures] {
            bag.entries.clear();
        }
    }

    /// Starts on a node where only noisy moves that win or keep material are wanted.
    pub(crate) fn start_noisy(&mut self) {
        self.start(None, [None; 2], [0; 2]);
        self.noisy_only = true;
    }

    /// Quiet moves that were not given yet will not be.
    pub(crate) fn skip_quiets(&mut self) {
        if matches!(self.stage, Stage::Killers(_) | Stage::GenerateQuiets | Stage::Quiets) {
            self.stage = Stage::LosingCaptures;
        }
    }
}

impl<P: Position, L: Rules<P>, E: Evaluate<P>, O: Oracle<P>> Worker<P, L, E, O> {
    /// The next move of this node, each legal one once.
    pub(crate) fn next_move(&self, picker: &mut MovePicker<MoveOf<P>>) -> Option<MoveOf<P>> {
        let position = self.game.position();
        loop {
            match picker.stage {
                Stage::HashMove => {
                    picker.stage = Stage::GenerateNoisy;
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
                    Some(mv) if self.eval.see_ge(position, mv, 0) => return Some(mv),
                    Some(mv) => picker.losing_captures.push(mv, self.score_noisy(mv)),
                    None if picker.noisy_only => picker.stage = Stage::End,
                    None => picker.stage = Stage::Killers(0),
                },
                Stage::Killers(2) => picker.stage = Stage::GenerateQuiets,
                Stage::Killers(number) => {
                    picker.stage = Stage::Killers(number + 1);
                    let killer = picker.killers[number].filter(|&mv| self.is_usable_killer(picker, mv));
                    picker.killers[number] = killer;
                    if killer.is_some() {
                        return killer;
                    }
                }
                Stage::GenerateQuiets => {
                    picker.stage = Stage::Quiets;
                    self.generate_quiets(picker);
                }
                Stage::Quiets => match picker.quiets.pop_best() {
                    Some(mv) => return Some(mv),
                    None => picker.stage = Stage::LosingCaptures,
                },
                Stage::LosingCaptures => match picker.losing_captures.pop_best() {
                    Some(mv) => return Some(mv),
                    None => picker.stage = Stage::End,
                },
                Stage::End => return None,
            }
        }
    }

    /// Whether the capture generator gives this move and it is noisy: the noisy stage will have given it.
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
        let taken = position.captured_piece(mv).map_or(0, alfil_kernel::Piece::index);
        self.eval.mvv_lva(position, mv)
            + self.move_histories.noisy_score(piece_to(position, mv), taken) / NOISY_HISTORY_DIVISOR
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
            let given = Some(mv) == picker.hash_move || picker.killers.contains(&Some(mv));
            if given || self.is_noisy_capture(mv) {
                continue;
            }
            let promise = if self.eval.is_noisy(position, mv) {
                PROMOTION_SCORE
            } else {
                self.move_histories.quiet_score(side, mv, piece_to(position, mv), picker.previous_moves)
            };
            picker.quiets.push(mv, promise);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_evaluation::xiangqi::HandcraftedEval;
    use alfil_kernel::conformance::sorted_legal_moves;
    use alfil_kernel::zobrist::SplitMix64;
    use alfil_kernel::{GameHistory, Setup as _, Waivers};
    use alfil_xiangqi::{Bitboard, Ruleset, Setup};

    #[test]
    fn every_legal_move_is_given_once_whatever_the_table_and_the_killers_say() {
        let mut random = SplitMix64::new(11);
        let mut picker = MovePicker::new();
        for _ in 0..20 {
            let mut line = GameHistory::<Bitboard>::from_start_position();
            for _ in 0..120 {
                let moves = sorted_legal_moves(line.position());
                if moves.is_empty() {
                    break;
                }
                let any = |random: &mut SplitMix64| Some(moves[random.below(moves.len())]);
                let worker = Worker::new(line.clone(), Ruleset::default(), HandcraftedEval::default(), 0);
                // A killer of another position may be impossible here; the table's move may be a killer too.
                let stray = Move::from_bits(300);
                let from_table = if random.below(2) == 0 { any(&mut random) } else { stray };
                picker.start(from_table, [any(&mut random), stray], [0; 2]);
                let mut given: Vec<_> = std::iter::from_fn(|| worker.next_move(&mut picker)).collect();
                given.sort_unstable();
                let mut expected = moves.clone();
                expected.sort_unstable();
                assert_eq!(given, expected);
                picker.start_noisy();
                while let Some(mv) = worker.next_move(&mut picker) {
                    assert!(worker.eval.see_ge(line.position(), mv, 0));
                }
                line.play(moves[random.below(moves.len())]);
            }
        }
    }

    #[test]
    fn skipped_quiet_moves_leave_the_losing_captures() {
        let fen = "3ak4/4a4/4r4/4p4/4R4/9/9/9/9/3K5 w";
        let line = GameHistory::<Bitboard>::new(&Setup::parse(fen).unwrap(), &Waivers::None).unwrap();
        let worker = Worker::new(line, Ruleset::default(), HandcraftedEval::default(), 0);
        let mut picker = MovePicker::new();
        picker.start(None, [None; 2], [0; 2]);
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
