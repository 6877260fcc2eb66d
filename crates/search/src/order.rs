//! In which order moves are tried: the sooner the best one, the fewer the rest.
//!
//! Moves are made in stages, because most nodes end after a move or two: the table's, captures that win or keep material, killers,
//! other quiet moves, and at last captures that lose (after ElephantEye's order). Within a stage promise decides, and where that
//! is equal the move's own bits: so the order does not depend on how a board generates moves.

use core::marker::PhantomData;

use alfil_kernel::{Evaluate, Laws, Move, MoveList, MoveOf, Oracle, Position};

use crate::history::{Before, slot};
use crate::params::{NOISY_HISTORY_SHARE, PROMOTION_PROMISE};
use crate::worker::Worker;

/// Moves with their promise, in one number each: 32 bits of promise above 16 bits of move, the lesser move the greater.
#[derive(Clone, Debug)]
struct Bag<M> {
    entries: Vec<u64>,
    kind: PhantomData<M>,
}

impl<M: Move> Bag<M> {
    fn put(&mut self, mv: M, promise: i32) {
        let promise = (i64::from(promise) - i64::from(i32::MIN)) as u64;
        self.entries.push(promise << 16 | u64::from(!mv.bits()));
    }

    /// Takes the most promising move out.
    fn take(&mut self) -> Option<M> {
        let best = self.entries.iter().enumerate().max_by_key(|&(_, &entry)| entry)?.0;
        M::from_bits(!(self.entries.swap_remove(best) as u16))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Table,
    MakeNoisy,
    Noisy,
    Killers(usize),
    MakeQuiet,
    Quiet,
    Losing,
    End,
}

/// Gives the legal moves of a node one after another. It is kept from node to node, so that no list is allocated twice.
#[derive(Clone, Debug)]
pub(crate) struct Picker<M> {
    stage: Stage,
    from_table: Option<M>,
    killers: [Option<M>; 2],
    before: Before,
    /// Only noisy moves that win or keep material are wanted.
    noisy_only: bool,
    noisy: Bag<M>,
    quiet: Bag<M>,
    losing: Bag<M>,
}

impl<M: Move> Picker<M> {
    pub(crate) fn new() -> Self {
        let bag = || Bag { entries: Vec::with_capacity(MoveList::CAPACITY), kind: PhantomData };
        Picker { noisy: bag(), quiet: bag(), losing: bag(), ..Picker::new_empty() }
    }

    /// The place of a picker that is in use: it allocates nothing and gives nothing.
    pub(crate) fn new_empty() -> Self {
        let bag = || Bag { entries: Vec::new(), kind: PhantomData };
        Picker {
            stage: Stage::End,
            from_table: None,
            killers: [None; 2],
            before: [0; 2],
            noisy_only: false,
            noisy: bag(),
            quiet: bag(),
            losing: bag(),
        }
    }

    /// The move it was told to give first.
    pub(crate) fn table_move(&self) -> Option<M> {
        self.from_table
    }

    /// Starts on a new node.
    pub(crate) fn start(&mut self, from_table: Option<M>, killers: [Option<M>; 2], before: Before) {
        self.stage = Stage::Table;
        (self.from_table, self.killers, self.before) = (from_table, killers, before);
        self.noisy_only = false;
        for bag in [&mut self.noisy, &mut self.quiet, &mut self.losing] {
            bag.entries.clear();
        }
    }

    /// Starts on a node where only noisy moves that win or keep material are wanted.
    pub(crate) fn start_noisy(&mut self) {
        self.start(None, [None; 2], [0; 2]);
        self.noisy_only = true;
    }

    /// Quiet moves that were not given yet will not be.
    pub(crate) fn skip_quiet(&mut self) {
        if matches!(self.stage, Stage::Killers(_) | Stage::MakeQuiet | Stage::Quiet) {
            self.stage = Stage::Losing;
        }
    }
}

impl<P: Position, L: Laws<P>, E: Evaluate<P>, O: Oracle<P>> Worker<P, L, E, O> {
    /// The next move of this node, each legal one once.
    pub(crate) fn pick(&self, picker: &mut Picker<MoveOf<P>>) -> Option<MoveOf<P>> {
        let position = self.line.position();
        loop {
            match picker.stage {
                Stage::Table => {
                    picker.stage = Stage::MakeNoisy;
                    picker.from_table = picker.from_table.filter(|&mv| position.is_legal(mv));
                    if picker.from_table.is_some() {
                        return picker.from_table;
                    }
                }
                Stage::MakeNoisy => {
                    picker.stage = Stage::Noisy;
                    self.make_noisy(picker);
                }
                Stage::Noisy => match picker.noisy.take() {
                    Some(mv) if self.eval.exchange(position, mv, 0) => return Some(mv),
                    Some(mv) => picker.losing.put(mv, self.noisy_promise(mv)),
                    None if picker.noisy_only => picker.stage = Stage::End,
                    None => picker.stage = Stage::Killers(0),
                },
                Stage::Killers(2) => picker.stage = Stage::MakeQuiet,
                Stage::Killers(number) => {
                    picker.stage = Stage::Killers(number + 1);
                    let killer = picker.killers[number].filter(|&mv| self.can_kill(picker, mv));
                    picker.killers[number] = killer;
                    if killer.is_some() {
                        return killer;
                    }
                }
                Stage::MakeQuiet => {
                    picker.stage = Stage::Quiet;
                    self.make_quiet(picker);
                }
                Stage::Quiet => match picker.quiet.take() {
                    Some(mv) => return Some(mv),
                    None => picker.stage = Stage::Losing,
                },
                Stage::Losing => match picker.losing.take() {
                    Some(mv) => return Some(mv),
                    None => picker.stage = Stage::End,
                },
                Stage::End => return None,
            }
        }
    }

    /// Whether the capture generator gives this move and it is noisy: the noisy stage will have given it.
    fn is_noisy_capture(&self, mv: MoveOf<P>) -> bool {
        let position = self.line.position();
        position.captured(mv).is_some() && self.eval.is_noisy(position, mv)
    }

    fn can_kill(&self, picker: &Picker<MoveOf<P>>, mv: MoveOf<P>) -> bool {
        Some(mv) != picker.from_table
            && self.line.position().is_legal(mv)
            && !self.eval.is_noisy(self.line.position(), mv)
    }

    fn noisy_promise(&self, mv: MoveOf<P>) -> i32 {
        let position = self.line.position();
        let taken = position.captured(mv).map_or(0, alfil_kernel::Piece::index);
        self.eval.promise(position, mv)
            + self.histories.of_noisy(slot(position, mv), taken) / NOISY_HISTORY_SHARE
    }

    fn make_noisy(&self, picker: &mut Picker<MoveOf<P>>) {
        let position = self.line.position();
        let mut list = MoveList::new();
        position.captures(&mut list);
        for &mv in &list {
            if Some(mv) != picker.from_table && self.eval.is_noisy(position, mv) {
                picker.noisy.put(mv, self.noisy_promise(mv));
            }
        }
    }

    fn make_quiet(&self, picker: &mut Picker<MoveOf<P>>) {
        let position = self.line.position();
        let side = position.side().index();
        let mut list = MoveList::new();
        position.moves(&mut list);
        for &mv in &list {
            let given = Some(mv) == picker.from_table || picker.killers.contains(&Some(mv));
            if given || self.is_noisy_capture(mv) {
                continue;
            }
            let promise = if self.eval.is_noisy(position, mv) {
                PROMOTION_PROMISE
            } else {
                self.histories.of_quiet(side, mv, slot(position, mv), picker.before)
            };
            picker.quiet.put(mv, promise);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_kernel::conformance::legal;
    use alfil_kernel::keys::SplitMix64;
    use alfil_kernel::{Line, Setup as _, Waivers};
    use alfil_evaluation::xiangqi::Values;
    use alfil_xiangqi::{Bitboard, Ruleset, Setup};

    #[test]
    fn every_legal_move_is_given_once_whatever_the_table_and_the_killers_say() {
        let mut random = SplitMix64::new(11);
        let mut picker = Picker::new();
        for _ in 0..20 {
            let mut line = Line::<Bitboard>::start_of_game();
            for _ in 0..120 {
                let moves = legal(line.position());
                if moves.is_empty() {
                    break;
                }
                let any = |random: &mut SplitMix64| Some(moves[random.below(moves.len())]);
                let worker = Worker::new(line.clone(), Ruleset::default(), Values::default(), 0);
                // A killer of another position may be impossible here; the table's move may be a killer too.
                let stray = Move::from_bits(300);
                let from_table = if random.below(2) == 0 { any(&mut random) } else { stray };
                picker.start(from_table, [any(&mut random), stray], [0; 2]);
                let mut given: Vec<_> = std::iter::from_fn(|| worker.pick(&mut picker)).collect();
                given.sort_unstable();
                let mut expected = moves.clone();
                expected.sort_unstable();
                assert_eq!(given, expected);
                picker.start_noisy();
                while let Some(mv) = worker.pick(&mut picker) {
                    assert!(worker.eval.exchange(line.position(), mv, 0));
                }
                line.play(moves[random.below(moves.len())]);
            }
        }
    }

    #[test]
    fn skipped_quiet_moves_leave_the_losing_captures() {
        let fen = "3ak4/4a4/4r4/4p4/4R4/9/9/9/9/3K5 w";
        let line = Line::<Bitboard>::new(&Setup::read(fen).unwrap(), &Waivers::None).unwrap();
        let worker = Worker::new(line, Ruleset::default(), Values::default(), 0);
        let mut picker = Picker::new();
        picker.start(None, [None; 2], [0; 2]);
        let first = worker.pick(&mut picker).unwrap();
        picker.skip_quiet();
        let rest: Vec<_> = std::iter::from_fn(|| worker.pick(&mut picker)).collect();
        let position = worker.line.position();
        let captures = legal(position).into_iter().filter(|&mv| position.captured(mv).is_some()).count();
        assert!(rest.iter().all(|&mv| position.captured(mv).is_some()));
        assert_eq!(rest.len() + usize::from(position.captured(first).is_some()), captures);
    }
}
