//! The board that is an array of squares: flat, with a margin, walked square by square.
//!
//! Ten rows of nine cells and one more: the ninth cell of a row is the margin at its right and at the left of the next
//! row, so a walk in any direction ends on a margin without a question about edges.
//!
//! ```text
//!        0  1 ..                 8      margin above
//!        9 |10 a1 .. h1 17|     18
//!       18 |19 a2 .. h2 26|     27      square s stands in cell 10 + file + 9 * rank
//!          ..
//!       72 |73 a8 .. h8 80|     81
//!       81 ..                   90      margin below
//! ```
//!
//! Its key is kept as the Zobrist text describes: see [`key_change`].

use core::fmt::Write as _;

use alfil_kernel::{Bits, MoveList, Position, SetupError, Side, Waivers, Watcher};

use crate::Othello;
use crate::board::{Board, Discs, FLIPS, PRIMED, SIDE_WORD, full_key};
use crate::moves::Move;
use crate::piece::Piece;
use crate::setup::{Complaint, Setup};
use crate::square::Square;

/// The cells in a row, its margin included.
const STRIDE: usize = 9;
const CELLS: usize = STRIDE * 10 + 1;
/// The steps to the eight neighbouring cells.
const STEPS: [isize; 8] = [1, 8, 9, 10, -1, -8, -9, -10];

/// What is in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cell {
    Empty,
    Disc(Side),
    Margin,
}

const fn cell_of(square: Square) -> usize {
    STRIDE + 1 + square.file() + STRIDE * square.rank()
}

fn square_of(cell: usize) -> Square {
    Square::new((cell - STRIDE - 1) % STRIDE, (cell - STRIDE - 1) / STRIDE)
}

/// How many discs were turned in each of the eight directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turned([u8; 8]);

/// The change a move makes to the key: the mover's primed word on the square where the disc is put, XOR the flip word
/// of each turned disc; for a pass, the side word alone. The same change takes the move back.
///
/// After the Zobrist page on Othello: the side word is mixed into the primed words beforehand, because a move that is
/// no pass puts exactly one disc.
pub fn key_change(mover: Side, mv: Move, turned: impl Iterator<Item = Square>) -> u64 {
    match mv.square() {
        None => SIDE_WORD,
        Some(square) => {
            let placed = PRIMED[mover.index()][square.index()];
            turned.fold(placed, |change, square| change ^ FLIPS[square.index()])
        }
    }
}

/// A board as a flat array with a margin.
#[derive(Clone, Debug)]
pub struct Mailbox {
    cells: [Cell; CELLS],
    side: Side,
    key: u64,
}

impl Mailbox {
    /// How many discs `side` would turn in each direction by putting one into this cell.
    fn turned(&self, side: Side, cell: usize) -> Turned {
        let mut turned = Turned([0; 8]);
        if self.cells[cell] != Cell::Empty {
            return turned;
        }
        for (count, step) in turned.0.iter_mut().zip(STEPS) {
            *count = self.turned_along(side, cell, step);
        }
        turned
    }

    fn turned_along(&self, side: Side, cell: usize, step: isize) -> u8 {
        let mut count = 0;
        let mut at = cell.wrapping_add_signed(step);
        while self.cells[at] == Cell::Disc(!side) {
            count += 1;
            at = at.wrapping_add_signed(step);
        }
        if self.cells[at] == Cell::Disc(side) { count } else { 0 }
    }

    /// Whether anything would be turned in this direction. Most neighbours are not the opponent's: one look answers.
    fn turns_along(&self, side: Side, cell: usize, step: isize) -> bool {
        self.cells[cell.wrapping_add_signed(step)] == Cell::Disc(!side)
            && self.turned_along(side, cell, step) > 0
    }

    /// Whether `side` may put a disc into this cell.
    fn may_put(&self, side: Side, cell: usize) -> bool {
        self.cells[cell] == Cell::Empty && STEPS.iter().any(|&step| self.turns_along(side, cell, step))
    }

    /// Whether `side` may put a disc anywhere.
    fn can_move(&self, side: Side) -> bool {
        Square::all().any(|square| self.may_put(side, cell_of(square)))
    }

    fn all_discs(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        Square::all().filter_map(|square| Some((square, self.piece_on(square)?)))
    }
}

/// The cells of the turned discs, direction after direction.
fn turned_cells(cell: usize, turned: Turned) -> impl DoubleEndedIterator<Item = usize> + Clone {
    let directions = turned.0.into_iter().zip(STEPS);
    directions
        .flat_map(move |(count, step)| (1..=count as isize).map(move |n| cell.wrapping_add_signed(step * n)))
}

impl Position for Mailbox {
    type Game = Othello;
    type Undo = Turned;
    const BOARD: &'static str = "mailbox";

    fn from_setup(setup: &Setup, waivers: &Waivers) -> Result<Self, SetupError<Complaint>> {
        alfil_kernel::Setup::accept(setup, waivers)?;
        let mut board = Mailbox { cells: [Cell::Margin; CELLS], side: setup.side, key: 0 };
        for square in Square::all() {
            let disc = setup.discs[square.index()];
            board.cells[cell_of(square)] = disc.map_or(Cell::Empty, |disc| Cell::Disc(disc.side()));
        }
        board.key = board.full_key();
        Ok(board)
    }

    fn setup(&self) -> Setup {
        let mut setup = Setup { side: self.side, ..Setup::EMPTY };
        for (square, disc) in self.all_discs() {
            setup.discs[square.index()] = Some(disc);
        }
        setup
    }

    #[inline]
    fn side(&self) -> Side {
        self.side
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    fn full_key(&self) -> u64 {
        full_key(self.all_discs(), self.side)
    }

    fn raw(&self) -> String {
        let mut text = String::from("cells 0 to 90, nine a row; # margin\n");
        for (number, cell) in self.cells.iter().enumerate() {
            let mark = match cell {
                Cell::Empty => '-',
                Cell::Disc(side) => Piece::new(*side).letter(),
                Cell::Margin => '#',
            };
            let start = if number % STRIDE == 0 { format!("{number:2} ") } else { String::new() };
            let end = if number % STRIDE == STRIDE - 1 || number == CELLS - 1 { "\n" } else { "" };
            write!(text, "{start} {mark}{end}").expect("a string takes everything");
        }
        writeln!(text, "side {}, key {:016x}", Piece::new(self.side).letter(), self.key).expect("as above");
        text
    }

    fn piece_on(&self, square: Square) -> Option<Piece> {
        match self.cells[cell_of(square)] {
            Cell::Disc(side) => Some(Piece::new(side)),
            Cell::Empty | Cell::Margin => None,
        }
    }

    fn moves(&self, list: &mut MoveList<Move>) {
        let before = list.len();
        for square in Square::all().filter(|&square| self.may_put(self.side, cell_of(square))) {
            list.push(Move::put(square));
        }
        if list.len() == before && self.can_move(!self.side) {
            list.push(Move::PASS);
        }
    }

    /// Nothing: discs are turned over, never taken.
    fn captures(&self, _: &mut MoveList<Move>) {}

    fn pseudo(&self, list: &mut MoveList<Move>) {
        self.moves(list);
    }

    fn count(&self) -> usize {
        match Square::all().filter(|&square| self.may_put(self.side, cell_of(square))).count() {
            0 => usize::from(self.can_move(!self.side)),
            places => places,
        }
    }

    fn is_pseudo_legal(&self, mv: Move) -> bool {
        match mv.square() {
            Some(square) => self.may_put(self.side, cell_of(square)),
            None => !self.can_move(self.side) && self.can_move(!self.side),
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

    fn make<W: Watcher<Othello>>(&mut self, mv: Move, watcher: &mut W) -> Turned {
        let mover = self.side;
        self.side = !mover;
        let Some(square) = mv.square() else {
            self.key ^= key_change(mover, mv, core::iter::empty());
            return Turned([0; 8]);
        };
        let cell = cell_of(square);
        let turned = self.turned(mover, cell);
        let disc = Piece::new(mover);
        self.cells[cell] = Cell::Disc(mover);
        watcher.put(square, disc);
        for at in turned_cells(cell, turned) {
            self.cells[at] = Cell::Disc(mover);
            watcher.turn(square_of(at), disc);
        }
        self.key ^= key_change(mover, mv, turned_cells(cell, turned).map(square_of));
        turned
    }

    fn unmake<W: Watcher<Othello>>(&mut self, mv: Move, undo: &Turned, watcher: &mut W) {
        self.side = !self.side;
        let mover = self.side;
        let Some(square) = mv.square() else {
            self.key ^= key_change(mover, mv, core::iter::empty());
            return;
        };
        let cell = cell_of(square);
        self.key ^= key_change(mover, mv, turned_cells(cell, *undo).map(square_of));
        for at in turned_cells(cell, *undo).rev() {
            self.cells[at] = Cell::Disc(!mover);
            watcher.turn(square_of(at), Piece::new(!mover));
        }
        self.cells[cell] = Cell::Empty;
        watcher.lift(square, Piece::new(mover));
    }

    fn make_null(&mut self) -> Turned {
        self.make(Move::PASS, &mut ())
    }

    fn unmake_null(&mut self, undo: &Turned) {
        self.unmake(Move::PASS, undo, &mut ());
    }

    /// Never: Othello knows no check.
    fn in_check(&self) -> bool {
        false
    }

    fn ended(&self) -> bool {
        !self.can_move(self.side) && !self.can_move(!self.side)
    }
}

impl Board for Mailbox {
    fn discs(&self, side: Side) -> Discs {
        let own = self.all_discs().filter(|(_, disc)| disc.side() == side);
        Bits::from_squares(own.map(|(square, _)| square.index()))
    }

    fn mobility(&self, side: Side) -> Discs {
        let places = Square::all().filter(|&square| self.may_put(side, cell_of(square)));
        Bits::from_squares(places.map(Square::index))
    }

    fn flips(&self, side: Side, square: Square) -> Discs {
        let cell = cell_of(square);
        Bits::from_squares(turned_cells(cell, self.turned(side, cell)).map(|at| square_of(at).index()))
    }
}
