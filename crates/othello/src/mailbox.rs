//! The mailbox: the board as a flat array of cells with a margin.
//!
//! The array has ten rows of nine cells and one cell more. The first cell of a row is the margin at its left and at
//! the right of the row before, so a scan in any direction ends on a margin without tests for the edges.
//!
//! ```text
//!        0  1 ..                 8      margin above
//!        9 |10 a1 .. h1 17|     18
//!       18 |19 a2 .. h2 26|     27      a square is in cell 10 + file + 9 * rank
//!          ..
//!       72 |73 a8 .. h8 80|     81
//!       81 ..                   90      margin below
//! ```
//!
//! The hash key is updated incrementally: see [`key_change`].

use alloc::format;
use alloc::string::String;
use core::fmt::Write as _;

use alfil_kernel::{BoardObserver, MoveList, Position, SetupError, Side, Waivers};

use crate::Othello;
use crate::board::{Board, FLIP_KEYS, PREMIXED_KEYS, SIDE_KEY, SquareSet, compute_hash_key};
use crate::moves::Move;
use crate::piece::Piece;
use crate::setup::{Setup, SetupIssue};
use crate::square::Square;

/// The number of cells in a row, including its margin.
const STRIDE: usize = 9;
const CELLS: usize = STRIDE * 10 + 1;
/// The steps to the eight neighbouring cells.
const STEPS: [isize; 8] = [1, 8, 9, 10, -1, -8, -9, -10];

/// The content of a cell.
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

/// The number of discs that a move flipped in each of the eight directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlipCounts([u8; 8]);

/// Returns the change that a move makes to the hash key: the premixed key of the placed disc XOR the flip key of each
/// flipped disc, or the side key alone for a pass. The same change undoes the move.
///
/// Every move but a pass places exactly one disc and changes the side to move, so the side key is mixed into the
/// piece keys in advance ("primed words" in the Zobrist text on Othello).
pub fn key_change(mover: Side, mv: Move, flipped: impl Iterator<Item = Square>) -> u64 {
    match mv.square() {
        None => SIDE_KEY,
        Some(square) => {
            let placed = PREMIXED_KEYS[mover.index()][square.index()];
            flipped.fold(placed, |change, square| change ^ FLIP_KEYS[square.index()])
        }
    }
}

/// An Othello board as a flat array of cells with a margin.
#[derive(Clone, Debug)]
pub struct Mailbox {
    cells: [Cell; CELLS],
    side_to_move: Side,
    hash_key: u64,
}

impl Mailbox {
    /// Returns the number of discs that `side` flips in each direction by placing a disc in `cell`.
    fn flip_counts(&self, side: Side, cell: usize) -> FlipCounts {
        let mut counts = FlipCounts([0; 8]);
        if self.cells[cell] != Cell::Empty {
            return counts;
        }
        for (count, step) in counts.0.iter_mut().zip(STEPS) {
            *count = self.flip_count_along(side, cell, step);
        }
        counts
    }

    fn flip_count_along(&self, side: Side, cell: usize, step: isize) -> u8 {
        let mut count = 0;
        let mut next = cell.wrapping_add_signed(step);
        while self.cells[next] == Cell::Disc(!side) {
            count += 1;
            next = next.wrapping_add_signed(step);
        }
        if self.cells[next] == Cell::Disc(side) { count } else { 0 }
    }

    /// Returns whether a disc in `cell` flips any disc in this direction. Testing the neighbour first is mostly enough.
    fn can_flip_along(&self, side: Side, cell: usize, step: isize) -> bool {
        self.cells[cell.wrapping_add_signed(step)] == Cell::Disc(!side)
            && self.flip_count_along(side, cell, step) > 0
    }

    /// Returns whether `side` can place a disc in `cell`.
    fn can_place(&self, side: Side, cell: usize) -> bool {
        self.cells[cell] == Cell::Empty && STEPS.iter().any(|&step| self.can_flip_along(side, cell, step))
    }

    /// Returns whether `side` can place a disc on any square.
    fn can_move(&self, side: Side) -> bool {
        Square::all().any(|square| self.can_place(side, cell_of(square)))
    }

    fn all_discs(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        Square::all().filter_map(|square| Some((square, self.piece_on(square)?)))
    }
}

/// Returns the cells of the flipped discs, direction by direction.
fn flipped_cells(cell: usize, counts: FlipCounts) -> impl DoubleEndedIterator<Item = usize> + Clone {
    let directions = counts.0.into_iter().zip(STEPS);
    directions.flat_map(move |(count, step)| {
        (1..=count as isize).map(move |distance| cell.wrapping_add_signed(step * distance))
    })
}

alfil_kernel::impl_position_text!(Mailbox);

impl Position for Mailbox {
    type Game = Othello;
    type Undo = FlipCounts;
    const BOARD: &'static str = "mailbox";

    fn from_setup(setup: &Setup, waivers: &Waivers) -> Result<Self, SetupError<SetupIssue>> {
        alfil_kernel::Setup::validate(setup, waivers)?;
        let mut board =
            Mailbox { cells: [Cell::Margin; CELLS], side_to_move: setup.side_to_move, hash_key: 0 };
        for square in Square::all() {
            let disc = setup.board[square.index()];
            board.cells[cell_of(square)] = disc.map_or(Cell::Empty, |disc| Cell::Disc(disc.side()));
        }
        board.hash_key = board.compute_hash_key();
        Ok(board)
    }

    fn to_setup(&self) -> Setup {
        let mut setup = Setup { side_to_move: self.side_to_move, ..Setup::EMPTY };
        for (square, disc) in self.all_discs() {
            setup.board[square.index()] = Some(disc);
        }
        setup
    }

    #[inline]
    fn side_to_move(&self) -> Side {
        self.side_to_move
    }

    #[inline]
    fn hash_key(&self) -> u64 {
        self.hash_key
    }

    fn compute_hash_key(&self) -> u64 {
        compute_hash_key(self.all_discs(), self.side_to_move)
    }

    fn dump(&self) -> String {
        let mut text = String::from("cells 0 to 90, nine a row; # is the margin\n");
        for (number, cell) in self.cells.iter().enumerate() {
            let mark = match cell {
                Cell::Empty => '-',
                Cell::Disc(side) => Piece::new(*side).letter(),
                Cell::Margin => '#',
            };
            let start = if number % STRIDE == 0 { format!("{number:2} ") } else { String::new() };
            let end = if number % STRIDE == STRIDE - 1 || number == CELLS - 1 { "\n" } else { "" };
            let _ = write!(text, "{start} {mark}{end}");
        }
        let _ = writeln!(text, "side {}, key {:016x}", Piece::new(self.side_to_move).letter(), self.hash_key);
        text
    }

    fn piece_on(&self, square: Square) -> Option<Piece> {
        match self.cells[cell_of(square)] {
            Cell::Disc(side) => Some(Piece::new(side)),
            Cell::Empty | Cell::Margin => None,
        }
    }

    fn generate_legal(&self, list: &mut MoveList<Move>) {
        let initial_len = list.len();
        for square in Square::all().filter(|&square| self.can_place(self.side_to_move, cell_of(square))) {
            list.push(Move::from_square(square));
        }
        if list.len() == initial_len && self.can_move(!self.side_to_move) {
            list.push(Move::PASS);
        }
    }

    /// Generates nothing: discs are flipped, not captured.
    fn generate_captures(&self, _: &mut MoveList<Move>) {}

    fn generate_pseudo_legal(&self, list: &mut MoveList<Move>) {
        self.generate_legal(list);
    }

    fn count_legal(&self) -> usize {
        match Square::all().filter(|&square| self.can_place(self.side_to_move, cell_of(square))).count() {
            0 => usize::from(self.can_move(!self.side_to_move)),
            count => count,
        }
    }

    fn is_pseudo_legal(&self, mv: Move) -> bool {
        match mv.square() {
            Some(square) => self.can_place(self.side_to_move, cell_of(square)),
            None => !self.can_move(self.side_to_move) && self.can_move(!self.side_to_move),
        }
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.is_pseudo_legal(mv)
    }

    fn captured_piece(&self, _: Move) -> Option<Piece> {
        None
    }

    /// Returns `true`: every move but a pass adds a disc, and after a pass the opponent must add one.
    fn is_irreversible(&self, _: Move) -> bool {
        true
    }

    fn make<W: BoardObserver<Othello>>(&mut self, mv: Move, observer: &mut W) -> FlipCounts {
        let mover = self.side_to_move;
        self.side_to_move = !mover;
        let Some(square) = mv.square() else {
            self.hash_key ^= key_change(mover, mv, core::iter::empty());
            return FlipCounts([0; 8]);
        };
        let cell = cell_of(square);
        let flip_counts = self.flip_counts(mover, cell);
        let disc = Piece::new(mover);
        self.cells[cell] = Cell::Disc(mover);
        observer.put(square, disc);
        for flipped_cell in flipped_cells(cell, flip_counts) {
            self.cells[flipped_cell] = Cell::Disc(mover);
            observer.flip(square_of(flipped_cell), disc);
        }
        self.hash_key ^= key_change(mover, mv, flipped_cells(cell, flip_counts).map(square_of));
        flip_counts
    }

    fn unmake<W: BoardObserver<Othello>>(&mut self, mv: Move, undo: &FlipCounts, observer: &mut W) {
        self.side_to_move = !self.side_to_move;
        let mover = self.side_to_move;
        let Some(square) = mv.square() else {
            self.hash_key ^= key_change(mover, mv, core::iter::empty());
            return;
        };
        let cell = cell_of(square);
        self.hash_key ^= key_change(mover, mv, flipped_cells(cell, *undo).map(square_of));
        for flipped_cell in flipped_cells(cell, *undo).rev() {
            self.cells[flipped_cell] = Cell::Disc(!mover);
            observer.flip(square_of(flipped_cell), Piece::new(!mover));
        }
        self.cells[cell] = Cell::Empty;
        observer.remove(square, Piece::new(mover));
    }

    fn make_null(&mut self) -> FlipCounts {
        self.make(Move::PASS, &mut ())
    }

    fn unmake_null(&mut self, undo: &FlipCounts) {
        self.unmake(Move::PASS, undo, &mut ());
    }

    /// Returns `false`: Othello has no check.
    fn in_check(&self) -> bool {
        false
    }

    fn has_no_legal_move(&self) -> bool {
        !self.can_move(self.side_to_move) && !self.can_move(!self.side_to_move)
    }
}

impl Board for Mailbox {
    fn discs(&self, side: Side) -> SquareSet {
        let own = self.all_discs().filter(|(_, disc)| disc.side() == side);
        SquareSet::from_squares(own.map(|(square, _)| square))
    }

    fn mobility(&self, side: Side) -> SquareSet {
        let squares = Square::all().filter(|&square| self.can_place(side, cell_of(square)));
        SquareSet::from_squares(squares)
    }

    fn flips(&self, side: Side, square: Square) -> SquareSet {
        let cell = cell_of(square);
        SquareSet::from_squares(flipped_cells(cell, self.flip_counts(side, cell)).map(square_of))
    }
}
