//! The history of a game: a position and the moves that led to it.

use alloc::vec::Vec;

use crate::board_observer::BoardObserver;
use crate::errors::{IllegalMoveError, IllegalMoveReason, SetupError};
use crate::game::{Game, MoveCounters, Setup, Waivers};
use crate::outcome::Side;
use crate::position::{IssueOf, MoveOf, Position, SetupOf};

/// What the history records of a ply: the move, and whether it gave check and was irreversible.
#[derive(Clone, Copy, Debug)]
pub struct PlyRecord<M> {
    mv: Option<M>,
    flags: u8,
}

impl<M: crate::game::Move> PlyRecord<M> {
    const CHECK: u8 = 1;
    const IRREVERSIBLE: u8 = 2;

    /// Returns the move; `None` for a null move.
    #[inline]
    pub fn mv(&self) -> Option<M> {
        self.mv
    }

    /// Returns whether the move gave check.
    #[inline]
    pub fn is_check(&self) -> bool {
        self.flags & Self::CHECK != 0
    }

    /// Returns whether the move resets the halfmove clock: no position before it can occur again.
    #[inline]
    pub fn is_irreversible(&self) -> bool {
        self.flags & Self::IRREVERSIBLE != 0
    }
}

/// Counters of the earlier positions by hash key: a zero proves that no earlier position has this key (miniature hash).
///
/// A key is inserted when its position is left, and removed when the move is unmade. A saturated counter stays so: the
/// filter can then report false positives, but never a false negative.
#[derive(Clone, Debug)]
struct RepetitionFilter([u8; Self::SLOTS]);

impl RepetitionFilter {
    const SLOTS: usize = 1024;

    fn slot(key: u64) -> usize {
        key as usize % Self::SLOTS
    }

    #[inline]
    fn insert(&mut self, key: u64) {
        let count = &mut self.0[Self::slot(key)];
        *count = count.saturating_add(1);
    }

    #[inline]
    fn remove(&mut self, key: u64) {
        let count = &mut self.0[Self::slot(key)];
        if *count != u8::MAX {
            *count -= 1;
        }
    }

    #[inline]
    fn may_contain(&self, key: u64) -> bool {
        self.0[Self::slot(key)] != 0
    }
}

/// The history of a game: the current position and the moves that led to it, as repetition rules, move limits and
/// unmake need them.
#[derive(Clone, Debug)]
pub struct GameHistory<P: Position> {
    start: SetupOf<P>,
    start_in_check: bool,
    position: P,
    records: Vec<PlyRecord<MoveOf<P>>>,
    undos: Vec<P::Undo>,
    /// The hash key of the position before each move.
    keys: Vec<u64>,
    /// The halfmove clock before each move.
    halfmove_clocks: Vec<u32>,
    halfmove_clock: u32,
    repetition_filter: RepetitionFilter,
}

impl<P: Position> GameHistory<P> {
    /// Creates the history of a game that starts from this setup. As a setup has no last move, its check is computed
    /// here.
    ///
    /// # Errors
    /// The issues that are not waived.
    pub fn new(setup: &SetupOf<P>, waivers: &Waivers) -> Result<Self, SetupError<IssueOf<P>>> {
        let position = P::from_setup(setup, waivers)?;
        Ok(GameHistory {
            start: setup.clone(),
            start_in_check: position.in_check(),
            position,
            records: Vec::new(),
            undos: Vec::new(),
            keys: Vec::new(),
            halfmove_clocks: Vec::new(),
            halfmove_clock: setup.counters().halfmove_clock,
            repetition_filter: RepetitionFilter([0; RepetitionFilter::SLOTS]),
        })
    }

    /// Creates the history of a game that starts from the start position.
    ///
    /// # Panics
    /// Never, as the start position of a game has no issues.
    pub fn from_start_position() -> Self {
        Self::new(&SetupOf::<P>::start(), &Waivers::None).expect("the start position has no issues")
    }

    /// Reserves memory for `plies` more plies, so that a search does not allocate.
    pub fn reserve(&mut self, plies: usize) {
        self.records.reserve(plies);
        self.undos.reserve(plies);
        self.keys.reserve(plies);
        self.halfmove_clocks.reserve(plies);
    }

    /// Returns the setup from which the game started.
    pub fn start_setup(&self) -> &SetupOf<P> {
        &self.start
    }

    /// Returns the current position.
    #[inline(always)]
    pub fn position(&self) -> &P {
        &self.position
    }

    /// Returns the setup of the current position, with its move counters.
    pub fn to_setup(&self) -> SetupOf<P> {
        let played = self.ply() as u32 + u32::from(self.side_at(0) == Side::Second);
        let number = self.start.counters().fullmove_number.saturating_add(played / 2);
        self.position
            .to_setup()
            .with_counters(MoveCounters { halfmove_clock: self.halfmove_clock, fullmove_number: number })
    }

    /// Returns the side to move.
    #[inline]
    pub fn side_to_move(&self) -> Side {
        self.position.side_to_move()
    }

    /// Returns the side that was to move before the given ply.
    ///
    /// # Panics
    /// If fewer plies were played.
    pub fn side_at(&self, ply: usize) -> Side {
        if (self.ply() - ply).is_multiple_of(2) { self.side_to_move() } else { !self.side_to_move() }
    }

    /// Returns the number of plies played.
    #[inline]
    pub fn ply(&self) -> usize {
        self.records.len()
    }

    /// Returns the number of plies since the last irreversible move, including those before the start; null moves do
    /// not count.
    #[inline]
    pub fn halfmove_clock(&self) -> u32 {
        self.halfmove_clock
    }

    /// Returns the records of all plies, the oldest first.
    #[inline]
    pub fn records(&self) -> &[PlyRecord<MoveOf<P>>] {
        &self.records
    }

    /// Returns the record of the last ply.
    #[inline]
    pub fn last_ply(&self) -> Option<PlyRecord<MoveOf<P>>> {
        self.records.last().copied()
    }

    /// Returns the position before the last ply; `None` at the start.
    pub fn previous_position(&self) -> Option<P> {
        let (record, undo) = self.records.last().zip(self.undos.last())?;
        let mut position = self.position.clone();
        match record.mv {
            Some(mv) => position.unmake(mv, undo, &mut ()),
            None => position.unmake_null(undo),
        }
        Some(position)
    }

    /// Returns the moves from the start on, without null moves.
    pub fn moves(&self) -> impl Iterator<Item = MoveOf<P>> + '_ {
        self.records.iter().filter_map(PlyRecord::mv)
    }

    /// Returns the hash key of the position before the given ply; [`GameHistory::ply`] gives the current position.
    ///
    /// # Panics
    /// If fewer plies were played.
    #[inline]
    pub fn hash_key_at(&self, ply: usize) -> u64 {
        if ply == self.ply() { self.position.hash_key() } else { self.keys[ply] }
    }

    /// Returns whether the side to move is in check. It reads the last record, not the board.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.records.last().map_or(self.start_in_check, PlyRecord::is_check)
    }

    /// Returns whether the current position may have occurred before. `false` is exact and takes one look-up; `true`
    /// needs the exact test of [`GameHistory::earlier_occurrences`].
    #[inline]
    pub fn may_repeat(&self) -> bool {
        self.repetition_filter.may_contain(self.position.hash_key())
    }

    /// Returns the plies before which the current position occurred, the latest first: positions with an equal hash
    /// key, which includes the side to move, and no irreversible move in between. The iterator looks at the plies one
    /// by one: a caller that stops at a recent occurrence does not pay for a long game.
    pub fn earlier_occurrences(&self) -> impl Iterator<Item = usize> + '_ {
        let key = self.position.hash_key();
        let end = self.ply();
        let plies = if self.may_repeat() { 0..end } else { end..end };
        let reversible = plies.rev().take_while(|&ply| !self.records[ply].is_irreversible());
        reversible.skip(1).step_by(2).filter(move |&ply| self.keys[ply] == key)
    }

    /// Returns the number of plies since the last irreversible move or null move of this history.
    pub fn reversible_plies(&self) -> usize {
        self.records.iter().rev().take_while(|record| !record.is_irreversible()).count()
    }

    /// Returns the number of occurrences of the current position, including the current one.
    pub fn occurrences(&self) -> usize {
        1 + self.earlier_occurrences().count()
    }

    /// Returns whether the current position has occurred at least so many times, including now.
    pub fn has_occurred(&self, times: usize) -> bool {
        times <= 1 || self.earlier_occurrences().nth(times - 2).is_some()
    }

    /// Makes a pseudo-legal move and reports its changes to `observer`. The caller ensures that the move is legal.
    #[inline]
    pub fn push<O: BoardObserver<P::Game>>(&mut self, mv: MoveOf<P>, observer: &mut O) {
        let key = self.position.hash_key();
        let irreversible = self.position.is_irreversible(mv);
        observer.push();
        let undo = self.position.make(mv, observer);
        let mut flags = 0;
        if self.position.in_check() {
            flags |= PlyRecord::<MoveOf<P>>::CHECK;
        }
        if irreversible {
            flags |= PlyRecord::<MoveOf<P>>::IRREVERSIBLE;
        }
        self.push_record(PlyRecord { mv: Some(mv), flags }, undo, key);
        self.halfmove_clock = if irreversible { 0 } else { self.halfmove_clock.saturating_add(1) };
    }

    /// Makes a null move and reports its boundary to `observer`. No position repeats across it.
    #[inline]
    pub fn push_null<O: BoardObserver<P::Game>>(&mut self, observer: &mut O) {
        observer.push();
        let key = self.position.hash_key();
        let undo = self.position.make_null();
        let flags = PlyRecord::<MoveOf<P>>::IRREVERSIBLE;
        self.push_record(PlyRecord { mv: None, flags }, undo, key);
    }

    #[inline]
    fn push_record(&mut self, record: PlyRecord<MoveOf<P>>, undo: P::Undo, key: u64) {
        self.records.push(record);
        self.undos.push(undo);
        self.keys.push(key);
        self.halfmove_clocks.push(self.halfmove_clock);
        self.repetition_filter.insert(key);
    }

    /// Unmakes the last ply and reports the changes to `observer`.
    ///
    /// # Panics
    /// If no ply was played.
    #[inline]
    pub fn pop<O: BoardObserver<P::Game>>(&mut self, observer: &mut O) -> PlyRecord<MoveOf<P>> {
        let record = self.records.pop().expect("there is a ply to unmake");
        let undo = self.undos.pop().expect("there is an undo record for every ply");
        let key = self.keys.pop().expect("there is a hash key for every ply");
        self.halfmove_clock = self.halfmove_clocks.pop().expect("there is a halfmove clock for every ply");
        self.repetition_filter.remove(key);
        observer.pop();
        match record.mv {
            Some(mv) => self.position.unmake(mv, &undo, observer),
            None => self.position.unmake_null(&undo),
        }
        record
    }

    /// Plays a move if it is legal.
    ///
    /// # Errors
    /// If the move is illegal, with the reason; the history is unchanged.
    pub fn try_play(&mut self, mv: MoveOf<P>) -> Result<(), IllegalMoveError<MoveOf<P>>> {
        self.check_move(mv)?;
        self.push(mv, &mut ());
        Ok(())
    }

    /// Checks that a move is legal.
    ///
    /// # Errors
    /// If it is not, with the reason.
    pub fn check_move(&self, mv: MoveOf<P>) -> Result<(), IllegalMoveError<MoveOf<P>>> {
        let reason = if !self.position.is_pseudo_legal(mv) {
            IllegalMoveReason::NotPseudoLegal
        } else if self.position.is_legal(mv) {
            return Ok(());
        } else if self.in_check() {
            IllegalMoveReason::StaysInCheck
        } else {
            IllegalMoveReason::ExposesKing
        };
        Err(IllegalMoveError { mv, reason })
    }

    /// Plays a legal move.
    ///
    /// # Panics
    /// If the move is illegal, with the reason. [`GameHistory::try_play`] returns an error instead.
    pub fn play(&mut self, mv: MoveOf<P>) {
        if let Err(error) = self.try_play(mv) {
            panic!("{} in {}: {error}", P::Game::NAME, self.to_setup().to_text());
        }
    }
}
