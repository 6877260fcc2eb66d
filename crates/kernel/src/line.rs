//! A position and the road to it.

use alloc::vec::Vec;

use crate::errors::{IllegalMove, SetupError};
use crate::game::{Counters, Game, Piece, Setup, Waivers};
use crate::outcome::Side;
use crate::position::{ComplaintOf, MoveOf, PieceOf, Position, SetupOf};
use crate::watcher::Watcher;

/// What is remembered of a ply in 32 bits: the move, what it took, whether it gave check and whether it can be taken
/// back. The move alone identifies it; the other bytes are never compared.
#[derive(Clone, Copy, Debug)]
pub struct Record<M> {
    mv: Option<M>,
    captured: u8,
    flags: u8,
}

impl<M: crate::game::Move> Record<M> {
    /// "Nothing captured": a number that no piece has.
    const NOTHING: u8 = u8::MAX;
    const CHECK: u8 = 1;
    const IRREVERSIBLE: u8 = 2;

    /// The move; nothing for a null move.
    #[inline]
    pub fn mv(&self) -> Option<M> {
        self.mv
    }

    /// The number of the piece that was taken, if one was: see [`crate::Piece::index`].
    #[inline]
    pub fn captured(&self) -> Option<usize> {
        (self.captured != Self::NOTHING).then_some(self.captured as usize)
    }

    /// Whether the move gave check.
    #[inline]
    pub fn check(&self) -> bool {
        self.flags & Self::CHECK != 0
    }

    /// Whether no position before the move can come back after it.
    #[inline]
    pub fn irreversible(&self) -> bool {
        self.flags & Self::IRREVERSIBLE != 0
    }
}

/// A miniature hash of the positions that were left: a slot that is zero proves that none of them had this key.
///
/// A position enters when it is left and leaves when its move is unmade. A counter that is full stays full, so it may
/// say "perhaps" too often but never "no" wrongly.
#[derive(Clone, Debug)]
struct Miniature([u8; Self::SLOTS]);

impl Miniature {
    const SLOTS: usize = 1024;

    fn slot(key: u64) -> usize {
        key as usize % Self::SLOTS
    }

    #[inline]
    fn enter(&mut self, key: u64) {
        let count = &mut self.0[Self::slot(key)];
        *count = count.saturating_add(1);
    }

    #[inline]
    fn leave(&mut self, key: u64) {
        let count = &mut self.0[Self::slot(key)];
        if *count != u8::MAX {
            *count -= 1;
        }
    }

    #[inline]
    fn may_hold(&self, key: u64) -> bool {
        self.0[Self::slot(key)] != 0
    }
}

/// A position and the road to it: what repetition, natural limits and undoing need, and a board alone cannot know.
#[derive(Clone, Debug)]
pub struct Line<P: Position> {
    start: SetupOf<P>,
    start_check: bool,
    position: P,
    records: Vec<Record<MoveOf<P>>>,
    undos: Vec<P::Undo>,
    /// The key of the position each move left.
    keys: Vec<u64>,
    /// The count of quiet plies before each move.
    quiets: Vec<u32>,
    quiet: u32,
    miniature: Miniature,
}

impl<P: Position> Line<P> {
    /// A line that starts from this setup. A set-up position has no last move: whether it stands in check is computed
    /// here, once.
    ///
    /// # Errors
    /// The complaints that are not waived.
    pub fn new(setup: &SetupOf<P>, waivers: &Waivers) -> Result<Self, SetupError<ComplaintOf<P>>> {
        let position = P::from_setup(setup, waivers)?;
        Ok(Line {
            start: setup.clone(),
            start_check: position.in_check(),
            position,
            records: Vec::new(),
            undos: Vec::new(),
            keys: Vec::new(),
            quiets: Vec::new(),
            quiet: setup.counters().quiet,
            miniature: Miniature([0; Miniature::SLOTS]),
        })
    }

    /// The line of a game from its beginning.
    ///
    /// # Panics
    /// Never: the start position of a game has no complaints.
    pub fn start_of_game() -> Self {
        Self::new(&SetupOf::<P>::start(), &Waivers::None).expect("the start position is sound")
    }

    /// Makes room for so many more plies, so that a search need not allocate.
    pub fn reserve(&mut self, plies: usize) {
        self.records.reserve(plies);
        self.undos.reserve(plies);
        self.keys.reserve(plies);
        self.quiets.reserve(plies);
    }

    /// The setup the line started from.
    pub fn start(&self) -> &SetupOf<P> {
        &self.start
    }

    /// The position at the end of the line.
    #[inline(always)]
    pub fn position(&self) -> &P {
        &self.position
    }

    /// The setup at the end of the line, with its counters.
    pub fn setup(&self) -> SetupOf<P> {
        let played = self.ply() as u32 + u32::from(self.side_at(0) == Side::Second);
        let number = self.start.counters().number.saturating_add(played / 2);
        self.position.setup().with_counters(Counters { quiet: self.quiet, number })
    }

    /// The side to move.
    #[inline]
    pub fn side(&self) -> Side {
        self.position.side()
    }

    /// The side that was to move at this ply.
    ///
    /// # Panics
    /// If fewer plies were played.
    pub fn side_at(&self, ply: usize) -> Side {
        if (self.ply() - ply).is_multiple_of(2) { self.side() } else { !self.side() }
    }

    /// How many moves have been made.
    #[inline]
    pub fn ply(&self) -> usize {
        self.records.len()
    }

    /// Plies since the last irreversible move, those before the start included.
    #[inline]
    pub fn quiet(&self) -> u32 {
        self.quiet
    }

    /// What was remembered of each ply, the oldest first.
    #[inline]
    pub fn records(&self) -> &[Record<MoveOf<P>>] {
        &self.records
    }

    /// The last ply.
    #[inline]
    pub fn last(&self) -> Option<Record<MoveOf<P>>> {
        self.records.last().copied()
    }

    /// The moves from the start on; null moves are left out.
    pub fn moves(&self) -> impl Iterator<Item = MoveOf<P>> + '_ {
        self.records.iter().filter_map(Record::mv)
    }

    /// The piece a ply took, if it took one.
    ///
    /// # Panics
    /// If it was not played.
    pub fn captured_at(&self, ply: usize) -> Option<PieceOf<P>> {
        self.records[ply].captured().and_then(PieceOf::<P>::from_index)
    }

    /// The key of the position before the given ply; the position at the end has the ply [`Line::ply`].
    ///
    /// # Panics
    /// If fewer plies were played.
    #[inline]
    pub fn key_at(&self, ply: usize) -> u64 {
        if ply == self.ply() { self.position.key() } else { self.keys[ply] }
    }

    /// Whether the side to move is in check: read from the last record, no board is asked.
    #[inline]
    pub fn check(&self) -> bool {
        self.records.last().map_or(self.start_check, Record::check)
    }

    /// Whether the position before the given ply stood in check.
    ///
    /// # Panics
    /// If fewer plies were played.
    #[inline]
    pub fn check_at(&self, ply: usize) -> bool {
        if ply == 0 { self.start_check } else { self.records[ply - 1].check() }
    }

    /// Whether the position at the end may have stood before. A `false` is a proof, found in one look; a `true` is
    /// where the exact test begins.
    #[inline]
    pub fn may_repeat(&self) -> bool {
        self.miniature.may_hold(self.position.key())
    }

    /// The plies before which the position at the end stood already, the latest first: equal key (the side to move is
    /// in it), no irreversible move between.
    pub fn repeats(&self) -> impl Iterator<Item = usize> + '_ {
        let key = self.position.key();
        let window = if self.may_repeat() { self.reversible() } else { 0 };
        let end = self.ply();
        (2..=window).step_by(2).map(move |back| end - back).filter(move |&ply| self.keys[ply] == key)
    }

    /// How many of the last plies can be taken back, one after another.
    pub fn reversible(&self) -> usize {
        self.records.iter().rev().take_while(|record| !record.irreversible()).count()
    }

    /// How often the position at the end has stood on this line, this time included.
    pub fn occurrences(&self) -> usize {
        1 + self.repeats().count()
    }

    /// Plays a pseudo-legal move and tells `watcher`. The caller answers for its legality.
    #[inline]
    pub fn push<W: Watcher<P::Game>>(&mut self, mv: MoveOf<P>, watcher: &mut W) {
        let key = self.position.key();
        let captured =
            self.position.captured(mv).map_or(Record::<MoveOf<P>>::NOTHING, |piece| piece.index() as u8);
        let irreversible = self.position.is_irreversible(mv);
        let undo = self.position.make(mv, watcher);
        let mut flags = 0;
        if self.position.in_check() {
            flags |= Record::<MoveOf<P>>::CHECK;
        }
        if irreversible {
            flags |= Record::<MoveOf<P>>::IRREVERSIBLE;
        }
        self.remember(Record { mv: Some(mv), captured, flags }, undo, key);
        self.quiet = if irreversible { 0 } else { self.quiet.saturating_add(1) };
    }

    /// Gives the move to the other side. Nothing repeats across a null move.
    #[inline]
    pub fn push_null(&mut self) {
        let key = self.position.key();
        let undo = self.position.make_null();
        let flags = Record::<MoveOf<P>>::IRREVERSIBLE;
        self.remember(Record { mv: None, captured: Record::<MoveOf<P>>::NOTHING, flags }, undo, key);
    }

    #[inline]
    fn remember(&mut self, record: Record<MoveOf<P>>, undo: P::Undo, key: u64) {
        self.records.push(record);
        self.undos.push(undo);
        self.keys.push(key);
        self.quiets.push(self.quiet);
        self.miniature.enter(key);
    }

    /// Takes back the last ply and tells `watcher`.
    ///
    /// # Panics
    /// If nothing was played.
    #[inline]
    pub fn pop<W: Watcher<P::Game>>(&mut self, watcher: &mut W) -> Record<MoveOf<P>> {
        let record = self.records.pop().expect("a ply to take back");
        let undo = self.undos.pop().expect("an undo a ply");
        let key = self.keys.pop().expect("a key a ply");
        self.quiet = self.quiets.pop().expect("a count a ply");
        self.miniature.leave(key);
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
    pub fn try_play(&mut self, mv: MoveOf<P>) -> Result<(), IllegalMove<MoveOf<P>>> {
        if !self.position.is_pseudo_legal(mv) {
            return Err(IllegalMove { mv, reason: "no man of the side to move goes like that" });
        }
        if !self.position.is_legal(mv) {
            let reason = if self.check() {
                "the check is not answered"
            } else {
                "it would leave its own side in check"
            };
            return Err(IllegalMove { mv, reason });
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
            panic!("{} in {}: {error}", P::Game::NAME, self.setup().write());
        }
    }
}
