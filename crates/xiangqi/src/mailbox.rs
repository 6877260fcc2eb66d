//! The board that is an array of places: 16x16 numbers, piece lists, bit-ranks and bit-files.
//!
//! After ElephantEye's board: a 16x16 array of pieces and a list of 48 places point at each other; beside them a word
//! for each rank and file says where men stand in it, so that rooks and cannons look their targets up. All of these
//! numbers are private to this folder.

use alfil_kernel::{MoveList, Position, SetupError, Side, Waivers, Watcher};

use crate::Xiangqi;
use crate::board::{Board, Points, SIDE_WORD, WORDS};
use crate::moves::Move;
use crate::piece::{Kind, Piece};
use crate::setup::{Complaint, Setup};
use crate::square::Square;

mod check;
mod generate;
mod raw;
pub mod reference;
mod tables;
#[cfg(test)]
mod tests;

use tables::{DENSE, WIDE};

/// The first number in the piece list of each side: Red's men are 16 to 31, Black's 32 to 47, so bit 16 of a piece's
/// number says Red and bit 32 Black.
const FIRST: [u8; 2] = [16, 32];

/// How many men a side has at most.
const MEN: u8 = 16;

/// The kind of each of a side's sixteen men, by its number less the side's first.
const KINDS: [Kind; MEN as usize] = {
    use Kind::*;
    [
        King, Advisor, Advisor, Elephant, Elephant, Horse, Horse, Rook, Rook, Cannon, Cannon, Soldier,
        Soldier, Soldier, Soldier, Soldier,
    ]
};

/// A side's first man of each kind, and how many there are.
const SLOTS: [(u8, u8); 7] = [(0, 1), (1, 2), (3, 2), (5, 2), (7, 2), (9, 2), (11, 5)];

/// The piece of each number of the list.
static PIECES: [Piece; 48] = {
    let mut pieces = [Piece::new(Side::First, Kind::King); 48];
    let mut i = 0;
    while i < MEN as usize {
        pieces[FIRST[0] as usize + i] = Piece::new(Side::First, KINDS[i]);
        pieces[FIRST[1] as usize + i] = Piece::new(Side::Second, KINDS[i]);
        i += 1;
    }
    pieces
};

/// A position of xiangqi on a 16x16 board.
///
/// ```
/// use alfil_kernel::{Position, perft::perft};
/// use alfil_xiangqi::{Mailbox, Setup};
///
/// let mut board = Mailbox::from_setup(&alfil_kernel::Setup::start(), &Default::default()).unwrap();
/// assert_eq!(board.count(), 44);
/// assert_eq!(perft(&mut board, 3), 79_666);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Mailbox {
    /// What stands on each place: a number of the list, or 0.
    cells: [u8; 256],
    /// Where each man stands, or 0 for one that is not on the board.
    places: [u8; 48],
    /// The men in each column, bit 0 for row 3.
    files: [u16; 16],
    /// The men in each row, bit 0 for column 3.
    ranks: [u16; 16],
    side: Side,
    key: u64,
}

/// What a move destroys: what it took and the key before it.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    captured: u8,
    key: u64,
}

fn row(place: u8) -> usize {
    (place >> 4) as usize
}

fn column(place: u8) -> usize {
    (place & 15) as usize
}

/// The dense point of a place of the board.
fn square(place: u8) -> Square {
    Square::from_index(DENSE[place as usize] as usize).expect("a place of the board")
}

/// The move between two places.
#[inline]
fn moving(origin: u8, target: u8) -> Move {
    Move::new(square(origin), square(target))
}

fn wide(square: Square) -> u8 {
    WIDE[square.index()]
}

impl Mailbox {
    /// Puts a man on an empty place. All four structures and the key are kept here and in [`Mailbox::lift`], nowhere else.
    #[inline]
    fn put<W: Watcher<Xiangqi>>(&mut self, place: u8, man: u8, watcher: &mut W) {
        self.cells[place as usize] = man;
        self.places[man as usize] = place;
        self.toggle(place, man);
        watcher.put(square(place), PIECES[man as usize]);
    }

    /// Lifts a man from its place.
    #[inline]
    fn lift<W: Watcher<Xiangqi>>(&mut self, place: u8, man: u8, watcher: &mut W) {
        self.cells[place as usize] = 0;
        self.places[man as usize] = 0;
        self.toggle(place, man);
        watcher.lift(square(place), PIECES[man as usize]);
    }

    #[inline]
    fn toggle(&mut self, place: u8, man: u8) {
        self.files[column(place)] ^= 1 << (row(place) - 3);
        self.ranks[row(place)] ^= 1 << (column(place) - 3);
        self.key ^= WORDS[PIECES[man as usize].index()][DENSE[place as usize] as usize];
    }

    /// Moves what stands on one place to another; what stood there is taken.
    #[inline]
    fn shift<W: Watcher<Xiangqi>>(&mut self, origin: u8, target: u8, watcher: &mut W) -> u8 {
        let (mover, captured) = (self.cells[origin as usize], self.cells[target as usize]);
        if captured != 0 {
            self.lift(target, captured, watcher);
        }
        // Only a caller that broke the contract moves nothing; then nothing happens.
        if mover != 0 {
            self.lift(origin, mover, watcher);
            self.put(target, mover, watcher);
        }
        captured
    }

    /// Where a side's general stands.
    #[inline]
    fn general(&self, side: Side) -> u8 {
        self.places[FIRST[side.index()] as usize]
    }

    /// Whether a man of this side may be on `place` after a move: it holds no own man and not the enemy's general.
    #[inline]
    fn is_open(&self, place: u8, mover: Side) -> bool {
        let man = self.cells[place as usize];
        man & FIRST[mover.index()] == 0 && man != FIRST[(!mover).index()]
    }

    /// Whether a man that may be taken by this side stands on `place`: any of the enemy's numbers above its general's.
    #[inline]
    fn is_prey(&self, place: u8, mover: Side) -> bool {
        self.cells[place as usize].wrapping_sub(FIRST[(!mover).index()] + 1) < MEN - 1
    }
}

impl Position for Mailbox {
    type Game = Xiangqi;
    type Undo = Undo;
    const BOARD: &'static str = "mailbox";

    fn from_setup(setup: &Setup, waivers: &Waivers) -> Result<Self, SetupError<Complaint>> {
        alfil_kernel::Setup::accept(setup, waivers)?;
        let mut board = Mailbox {
            cells: [0; 256],
            places: [0; 48],
            files: [0; 16],
            ranks: [0; 16],
            side: setup.side,
            key: if setup.side == Side::Second { SIDE_WORD } else { 0 },
        };
        for piece in Piece::all() {
            let (slot, room) = SLOTS[piece.kind() as usize];
            let first = FIRST[piece.side().index()] + slot;
            // No kind has more men than slots: the setup was accepted.
            for (man, at) in (first..first + room).zip(setup.places(piece)) {
                board.put(wide(at), man, &mut ());
            }
        }
        Ok(board)
    }

    fn setup(&self) -> Setup {
        let mut setup = Setup { side: self.side, ..Setup::EMPTY };
        for at in Square::all() {
            setup.men[at.index()] = self.piece_on(at);
        }
        setup
    }

    fn side(&self) -> Side {
        self.side
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn full_key(&self) -> u64 {
        let side = if self.side == Side::Second { SIDE_WORD } else { 0 };
        let men = Square::all().filter_map(|at| self.piece_on(at).map(|piece| (at, piece)));
        men.fold(side, |key, (at, piece)| key ^ WORDS[piece.index()][at.index()])
    }

    fn raw(&self) -> String {
        self.print()
    }

    #[inline]
    fn piece_on(&self, at: Square) -> Option<Piece> {
        match self.cells[wide(at) as usize] {
            0 => None,
            man => Some(PIECES[man as usize]),
        }
    }

    fn moves(&self, list: &mut MoveList<Move>) {
        self.legal::<true, true>(|origin, target| list.push(moving(origin, target)));
    }

    fn captures(&self, list: &mut MoveList<Move>) {
        self.legal::<true, false>(|origin, target| list.push(moving(origin, target)));
    }

    fn pseudo(&self, list: &mut MoveList<Move>) {
        self.generate::<true, true>(|origin, target| list.push(moving(origin, target)));
    }

    fn count(&self) -> usize {
        self.count_legal()
    }

    #[inline]
    fn is_pseudo_legal(&self, mv: Move) -> bool {
        self.can_go(wide(mv.origin()), wide(mv.target()))
    }

    fn is_legal(&self, mv: Move) -> bool {
        let (origin, target) = (wide(mv.origin()), wide(mv.target()));
        self.can_go(origin, target) && !self.is_exposed_after(origin, target)
    }

    #[inline]
    fn captured(&self, mv: Move) -> Option<Piece> {
        self.piece_on(mv.target())
    }

    #[inline]
    fn is_irreversible(&self, mv: Move) -> bool {
        self.cells[wide(mv.target()) as usize] != 0
    }

    #[inline]
    fn make<W: Watcher<Xiangqi>>(&mut self, mv: Move, watcher: &mut W) -> Undo {
        let key = self.key;
        let captured = self.shift(wide(mv.origin()), wide(mv.target()), watcher);
        self.side = !self.side;
        self.key ^= SIDE_WORD;
        Undo { captured, key }
    }

    #[inline]
    fn unmake<W: Watcher<Xiangqi>>(&mut self, mv: Move, undo: &Undo, watcher: &mut W) {
        let target = wide(mv.target());
        self.shift(target, wide(mv.origin()), watcher);
        if undo.captured != 0 {
            self.put(target, undo.captured, watcher);
        }
        self.side = !self.side;
        self.key = undo.key;
    }

    fn make_null(&mut self) -> Undo {
        let undo = Undo { captured: 0, key: self.key };
        self.side = !self.side;
        self.key ^= SIDE_WORD;
        undo
    }

    fn unmake_null(&mut self, undo: &Undo) {
        self.side = !self.side;
        self.key = undo.key;
    }

    #[inline]
    fn in_check(&self) -> bool {
        self.is_exposed()
    }

    fn ended(&self) -> bool {
        !self.has_legal()
    }
}

impl Board for Mailbox {
    fn pieces(&self, piece: Piece) -> Points {
        let (slot, room) = SLOTS[piece.kind() as usize];
        let first = (FIRST[piece.side().index()] + slot) as usize;
        let places = self.places[first..first + room as usize].iter().filter(|&&place| place != 0);
        Points::from_squares(places.map(|&place| square(place).index()))
    }

    fn king(&self, side: Side) -> Square {
        square(self.general(side))
    }
}

impl core::fmt::Debug for Mailbox {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Mailbox({:?})", self.setup())
    }
}
