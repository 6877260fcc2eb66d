//! The board that is two words: the mover's discs and the opponent's.
//!
//! All squares on which a disc may be put, and all discs that a move turns, are found by shifting whole sets: see
//! [`scalar`], and [`simd`] for the same on four lanes at once.

use core::fmt::Write as _;

use alfil_kernel::{Bits, MoveList, Position, SetupError, Side, Waivers, Watcher};

use crate::Othello;
use crate::board::{Board, Discs, FLIPS, PRIMED, SIDE_WORD, full_key};
use crate::moves::Move;
use crate::piece::Piece;
use crate::setup::{Complaint, Setup};
use crate::square::Square;

pub mod scalar;
pub mod simd;

/// A board as two sets of discs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bitboard {
    mover: u64,
    opponent: u64,
    side: Side,
    key: u64,
}

impl Bitboard {
    /// The board of these sets of discs.
    ///
    /// # Panics
    /// If a square is in both sets.
    pub fn new(mover: u64, opponent: u64, side: Side) -> Self {
        assert_eq!(mover & opponent, 0, "a disc has one side up");
        let mut board = Bitboard { mover, opponent, side, key: 0 };
        board.key = board.full_key();
        board
    }

    /// The board of a setup, whether or not it could come about in a game.
    pub fn of(setup: &Setup) -> Self {
        Bitboard::new(setup.places(setup.side), setup.places(!setup.side), setup.side)
    }

    /// The discs of the side to move, a bit each.
    #[inline(always)]
    pub fn mover(&self) -> u64 {
        self.mover
    }

    /// The discs of the other side, a bit each.
    #[inline(always)]
    pub fn opponent(&self) -> u64 {
        self.opponent
    }

    /// The mover's set and the opponent's, from the view of `side`.
    #[inline(always)]
    fn sets(&self, side: Side) -> (u64, u64) {
        if side == self.side { (self.mover, self.opponent) } else { (self.opponent, self.mover) }
    }

    #[inline(always)]
    fn pass(&mut self) {
        core::mem::swap(&mut self.mover, &mut self.opponent);
        self.side = !self.side;
    }
}

/// A set bit's square.
#[inline(always)]
fn square(index: usize) -> Square {
    Square::from_index(index).expect("a word has 64 bits")
}

impl Position for Bitboard {
    type Game = Othello;
    /// The old board: four words are cheaper to copy than to work out.
    type Undo = Bitboard;
    const BOARD: &'static str = "bitboard";

    fn from_setup(setup: &Setup, waivers: &Waivers) -> Result<Self, SetupError<Complaint>> {
        alfil_kernel::Setup::accept(setup, waivers)?;
        Ok(Bitboard::of(setup))
    }

    fn setup(&self) -> Setup {
        Setup::of_places(self.discs(Side::First).0, self.discs(Side::Second).0, self.side)
    }

    #[inline(always)]
    fn side(&self) -> Side {
        self.side
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        self.key
    }

    fn full_key(&self) -> u64 {
        let discs = Side::BOTH
            .into_iter()
            .flat_map(|side| self.discs(side).iter().map(move |at| (square(at), Piece::new(side))));
        full_key(discs, self.side)
    }

    fn raw(&self) -> String {
        let mut text = String::new();
        for (name, set) in [("mover", self.mover), ("opponent", self.opponent)] {
            writeln!(text, "{name} 0x{set:016x}, bit 0 first").expect("a string takes everything");
            for row in set.to_le_bytes() {
                let bits = (0..8).map(|file| if row >> file & 1 != 0 { '1' } else { '.' });
                writeln!(text, "  {}", bits.collect::<String>()).expect("as above");
            }
        }
        writeln!(text, "side {}, key {:016x}", Piece::new(self.side).letter(), self.key).expect("as above");
        text
    }

    fn piece_on(&self, square: Square) -> Option<Piece> {
        let on = |set: u64| set >> square.index() & 1 != 0;
        let own = on(self.mover).then_some(self.side);
        own.or(on(self.opponent).then_some(!self.side)).map(Piece::new)
    }

    #[inline]
    fn moves(&self, list: &mut MoveList<Move>) {
        let places = scalar::mobility(self.mover, self.opponent);
        for at in Bits(places) {
            list.push(Move::put(square(at)));
        }
        if places == 0 && scalar::mobility(self.opponent, self.mover) != 0 {
            list.push(Move::PASS);
        }
    }

    /// Nothing: discs are turned over, never taken.
    fn captures(&self, _: &mut MoveList<Move>) {}

    fn pseudo(&self, list: &mut MoveList<Move>) {
        self.moves(list);
    }

    #[inline]
    fn count(&self) -> usize {
        let places = scalar::mobility(self.mover, self.opponent);
        if places != 0 {
            return places.count_ones() as usize;
        }
        usize::from(scalar::mobility(self.opponent, self.mover) != 0)
    }

    fn is_pseudo_legal(&self, mv: Move) -> bool {
        match mv.square() {
            Some(square) => !self.flips(self.side, square).is_empty(),
            None => {
                scalar::mobility(self.mover, self.opponent) == 0
                    && scalar::mobility(self.opponent, self.mover) != 0
            }
        }
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.is_pseudo_legal(mv)
    }

    fn captured(&self, _: Move) -> Option<Piece> {
        None
    }

    /// Always: the discs grow in number, and after a pass they must.
    fn is_irreversible(&self, _: Move) -> bool {
        true
    }

    #[inline]
    fn make<W: Watcher<Othello>>(&mut self, mv: Move, watcher: &mut W) -> Bitboard {
        let undo = *self;
        let Some(at) = mv.square() else {
            self.key ^= SIDE_WORD;
            self.pass();
            return undo;
        };
        let disc = Piece::new(self.side);
        let turned = scalar::flips(self.mover, self.opponent, at.index());
        self.mover |= turned | 1 << at.index();
        self.opponent &= !self.mover;
        self.key ^= PRIMED[self.side.index()][at.index()];
        watcher.put(at, disc);
        for index in Bits(turned) {
            self.key ^= FLIPS[index];
            watcher.turn(square(index), disc);
        }
        self.pass();
        undo
    }

    #[inline]
    fn unmake<W: Watcher<Othello>>(&mut self, mv: Move, undo: &Bitboard, watcher: &mut W) {
        if let Some(at) = mv.square() {
            let mut turned = Bits(self.opponent & undo.opponent);
            while let Some(index) = turned.last() {
                watcher.turn(square(index), Piece::new(!undo.side));
                turned = turned.minus(Bits::of(index));
            }
            watcher.lift(at, Piece::new(undo.side));
        }
        *self = *undo;
    }

    fn make_null(&mut self) -> Bitboard {
        self.make(Move::PASS, &mut ())
    }

    fn unmake_null(&mut self, undo: &Bitboard) {
        *self = *undo;
    }

    /// Never: Othello knows no check.
    fn in_check(&self) -> bool {
        false
    }

    fn ended(&self) -> bool {
        scalar::mobility(self.mover, self.opponent) == 0 && scalar::mobility(self.opponent, self.mover) == 0
    }
}

impl Board for Bitboard {
    #[inline]
    fn discs(&self, side: Side) -> Discs {
        Bits(self.sets(side).0)
    }

    #[inline]
    fn mobility(&self, side: Side) -> Discs {
        let (own, other) = self.sets(side);
        Bits(scalar::mobility(own, other))
    }

    #[inline]
    fn flips(&self, side: Side, square: Square) -> Discs {
        let (own, other) = self.sets(side);
        if (own | other) >> square.index() & 1 != 0 {
            return Discs::EMPTY;
        }
        Bits(scalar::flips(own, other, square.index()))
    }
}
/// How many discs are turned on a line of up to eight squares by a disc put on its empty square: by the place of the
/// square, and the mover's discs; every other square of the line is the opponent's.
pub(crate) static TURNED_ON_LINE: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut at = 0;
    while at < 8 {
        let mut own = 0;
        while own < 256usize {
            let mut up = at + 1;
            while up < 8 && own >> up & 1 == 0 {
                up += 1;
            }
            let mut down = at;
            while down > 0 && own >> (down - 1) & 1 == 0 {
                down -= 1;
            }
            let above = if up < 8 { up - at - 1 } else { 0 };
            let below = if down > 0 { at - down } else { 0 };
            table[at][own] = (above + below) as u8;
            own += 1;
        }
        at += 1;
    }
    table
};

