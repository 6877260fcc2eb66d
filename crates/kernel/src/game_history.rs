//! A position and the road to it.

use alloc::vec::Vec;

use crate::board_observer::BoardObserver;
use crate::errors::{IllegalMoveError, SetupError};
use crate::game::{Game, MoveCounters, Piece, Setup, Waivers};
use crate::outcome::Side;
use crate::position::{IssueOf, MoveOf, PieceOf, Position, SetupOf};

/// What is remembered of a ply in 32 bits: the move, what it took, whether it gave check and whether it can be taken
/// back. The move alone identifies it; the other bytes are never compared.
#[derive(Clone, Copy, Debug)]
pub struct PlyRecord<M> {
    mv: Option<M>,
    captured: u8,
    flags: u8,
}

impl<M: crate::game::Move> PlyRecord<M> {
    /// "Nothing captured": a number that no piece has.
    const NO_CAPTURE: u8 = u8::MAX;
    const CHECK: u8 = 1;
    const IRREVERSIBLE: u8 = 2;

    /// The move; nothing for a null move.
    #[inline]
    pub fn mv(&self) -> Option<M> {
        self.mv
    }

    /// The number of the piece that was taken, if one was: see [`crate::Piece::index`].
    #[inline]
    pub fn captured_index(&self) -> Option<usize> {
        (self.captured != Self::NO_CAPTURE).then_some(self.captured as usize)
    }

    /// Whether the move gave check.
    #[inline]
    pub fn is_check(&self) -> bool {
        self.flags & Self::CHECK != 0
    }

    /// Whether no position before the move can come back after it.
    #[inline]
    pub fn is_irreversible(&self) -> bool {
        self.flags & Self::IRREVERSIBLE != 0
    }
}

/// A miniature hash of the positions that were left: a slot that is zero proves that none of them had this key.
///
/// A position enters when it is left and leaves when its move is unmade. A counter that is full stays full, so it may
/// say "perhaps" too often but never "no" wrongly.
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

/// A position and the road to it: what repetition, natural limits and undoing need, and a board alone cannot know.
#[derive(Clone, Debug)]
pub struct GameHistory<P: Position> {
    start: SetupOf<P>,
    start_in_check: bool,
    position: P,
    records: Vec<PlyRecord<MoveOf<P>>>,
    undos: Vec<P::Undo>,
    /// The key of the position each move left.
    keys: Vec<u64>,
    /// The count of quiet plies before each move.
    halfmove_clocks: Vec<u32>,
    halfmove_clock: u32,
    repetition_filter: RepetitionFilter,
}

impl<P: Position> GameHistory<P> {
    /// A line that starts from this setup. A set-up position has no last move: whether it stands in check is computed
    /// here, once.
    ///
    /// # Errors
    /// The complaints that are not waived.
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

    /// The line of a game from its beginning.
    ///
    /// # Panics
    /// Never: the start position of a game has no complaints.
    pub fn from_start_position() -> Self {
        Self::new(&SetupOf::<P>::start(), &Waivers::None).expect("the start position is sound")
    }

    /// Makes room for so many more plies, so that a search need not allocate.
    pub fn reserve(&mut self, plies: usize) {
        self.records.reserve(plies);
        self.undos.reserve(plies);
        self.keys.reserve(plies);
        self.halfmove_clocks.reserve(plies);
    }

    /// The setup the line started from.
    pub fn start_setup(&self) -> &SetupOf<P> {
        &self.start
    }

    /// The position at the end of the line.
    #[inline(always)]
    pub fn position(&self) -> &P {
        &self.position
    }

    /// The setup at the end of the line, with its counters.
    pub fn to_setup(&self) -> SetupOf<P> {
        let played = self.ply() as u32 + u32::from(self.side_at(0) == Side::Second);
        let number = self.start.counters().fullmove_number.saturating_add(played / 2);
        self.position
            .to_setup()
            .with_counters(MoveCounters { halfmove_clock: self.halfmove_clock, fullmove_number: number })
    }

    /// The side to move.
    #[inline]
    pub fn side_to_move(&self) -> Side {
        self.position.side_to_move()
    }

    /// The side that was to move at this ply.
    ///
    /// # Panics
    /// If fewer plies were played.
    pub fn side_at(&self, ply: usize) -> Side {
        if (self.ply() - ply).is_multiple_of(2) { self.side_to_move() } else { !self.side_to_move() }
    }

    /// How many moves have been made.
    #[inline]
    pub fn ply(&self) -> usize {
        self.records.len()
    }

    /// Plies since the last irreversible move, those before the start included.
    #[inline]
    pub fn halfmove_clock(&self) -> u32 {
        self.halfmove_clock
    }

    /// What was remembered of each ply, the oldest first.
    #[inline]
    pub fn records(&self) -> &[PlyRecord<MoveOf<P>>] {
        &self.records
    }

    /// The last ply.
    #[inline]
    pub fn last_ply(&self) -> Option<PlyRecord<MoveOf<P>>> {
        self.records.last().copied()
    }

    /// The moves from the start on; null moves are left out.
    pub fn moves(&self) -> impl Iterator<Item = MoveOf<P>> + '_ {
        self.records.iter().filter_map(PlyRecord::mv)
    }

    /// The piece a ply took, if it took one.
    ///
    /// # Panics
    /// If it was not played.
    pub fn captured_at(&self, ply: usize) -> Option<PieceOf<P>> {
        self.records[ply].captured_index().and_then(PieceOf::<P>::from_index)
    }

    /// The key of the position before the given ply; the position at the end has the ply [`Line::ply`].
    ///
    /// # Panics
    /// If fewer plies were played.
    #[inline]
    pub fn hash_key_at(&self, ply: usize) -> u64 {
        if ply == self.ply() { self.position.hash_key() } else { self.keys[ply] }
    }

    /// Whether the side to move is in check: read from the last record, no board is asked.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.records.last().map_or(self.start_in_check, PlyRecord::is_check)
    }

    /// Whether the position before the given ply stood in check.
    ///
    /// # Panics
    /// If fewer plies were played.
    #[inline]
    pub fn in_check_at(&self, ply: usize) -> bool {
        if ply == 0 { self.start_in_check } else { self.records[ply - 1].is_check() }
    }

    /// Whether the position at the end may have stood before. A `false` is a proof, found in one look; a `true` is
    /// where the exact test begins.
    #[inline]
    pub fn may_repeat(&self) -> bool {
        self.repetition_filter.may_contain(self.position.hash_key())
    }

    /// The plies before which the position at the end stood already, the latest first: equal key (the side to move is
    /// in it), no irreversible move between.
    pub fn earlier_occurrences(&self) -> impl Iterator<Item = usize> + '_ {
        let key = self.position.hash_key();
        let window = if self.may_repeat() { self.reversible_plies() } else { 0 };
        let end = self.ply();
        (2..=window).step_by(2).map(move |back| end - back).filter(move |&ply| self.keys[ply] == key)
    }

    /// How many of the last plies can be taken back, one after another.
    pub fn reversible_plies(&self) -> usize {
        self.records.iter().rev().take_while(|record| !record.is_irreversible()).count()
    }

    /// How often the position at the end has stood on this line, this time included.
    pub fn occurrences(&self) -> usize {
        1 + self.earlier_occurrences().count()
    }

    /// Plays a pseudo-legal move and tells `watcher`. The caller answers for its legality.
    #[inline]
    pub fn push<W: BoardObserver<P::Game>>(&mut self, mv: MoveOf<P>, watcher: &mut W) {
        let key = self.position.hash_key();
        let captured = self
            .position
            .captured_piece(mv)
            .map_or(PlyRecord::<MoveOf<P>>::NO_CAPTURE, |piece| piece.index() as u8);
        let irreversible = self.position.is_irreversible(mv);
        let undo = self.position.make(mv, watcher);
        let mut flags = 0;
        if self.position.in_check() {
            flags |= PlyRecord::<MoveOf<P>>::CHECK;
        }
        if irreversible {
            flags |= PlyRecord::<MoveOf<P>>::IRREVERSIBLE;
        }
        self.push_record(PlyRecord { mv: Some(mv), captured, flags }, undo, key);
        self.halfmove_clock = if irreversible { 0 } else { self.halfmove_clock.saturating_add(1) };
    }

    /// Gives the move to the other side. Nothing repeats across a null move.
    #[inline]
    pub fn push_null(&mut self) {
        let key = self.position.hash_key();
        let undo = self.position.make_null();
        let flags = PlyRecord::<MoveOf<P>>::IRREVERSIBLE;
        self.push_record(
            PlyRecord { mv: None, captured: PlyRecord::<MoveOf<P>>::NO_CAPTURE, flags },
            undo,
            key,
        );
    }

    #[inline]
    fn push_record(&mut self, record: PlyRecord<MoveOf<P>>, undo: P::Undo, key: u64) {
        self.records.push(record);
        self.undos.push(undo);
        self.keys.push(key);
        self.halfmove_clocks.push(self.halfmove_clock);
        self.repetition_filter.insert(key);
    }

    /// Takes back the last ply and tells `watcher`.
    ///
    /// # Panics
    /// If nothing was played.
    #[inline]
    pub fn pop<W: BoardObserver<P::Game>>(&mut self, watcher: &mut W) -> PlyRecord<MoveOf<P>> {
        let record = self.records.pop().expect("a ply to take back");
        let undo = self.undos.pop().expect("an undo a ply");
        let key = self.keys.pop().expect("a key a ply");
        self.halfmove_clock = self.halfmove_clocks.pop().expect("a count a ply");
        self.repetition_filter.remove(key);
        match record.mv {
            Some(mv) => self.position.unmake(mv, &undo, watcher),
            None => self.position.unmake_null(&undo),
        }
        record
    }

    /// Plays a legal move.
    ///
    /// # Errors
    /// If the move is not legal here, with the reason; the line is unchanged.
    pub fn try_play(&mut self, mv: MoveOf<P>) -> Result<(), IllegalMoveError<MoveOf<P>>> {
        if !self.position.is_pseudo_legal(mv) {
            return Err(IllegalMoveError { mv, reason: "no man of the side to move goes like that" });
        }
        if !self.position.is_legal(mv) {
            let reason = if self.in_check() {
                "the check is not answered"
            } else {
                "it would leave its own side in check"
            };
            return Err(IllegalMoveError { mv, reason });
        }
        self.push(mv, &mut ());
        Ok(())
    }

    /// Plays a legal move.
    ///
    /// # Panics
    /// If the move is not legal here, with the reason. See [`Line::try_play`] where that can be expected.
    pub fn play(&mut self, mv: MoveOf<P>) {
        if let Err(error) = self.try_play(mv) {
            panic!("{} in {}: {error}", P::Game::NAME, self.to_setup().to_text());
        }
    }
}
