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

use alfil_kernel::{BitSet, BoardObserver, MoveList, Position, SetupError, Side, Waivers};

use crate::Othello;
use crate::board::{Board, FLIP_KEYS, PREMIXED_KEYS, SIDE_KEY, SquareSet, compute_hash_key};
use crate::moves::Move;
use crate::piece::Piece;
use crate::setup::{Setup, SetupIssue};
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
pub struct FlipCounts([u8; 8]);

/// The change a move makes to the key: the mover's primed word on the square where the disc is put, XOR the flip word
/// of each turned disc; for a pass, the side word alone. The same change takes the move back.
///
/// After the Zobrist page on Othello: the side word is mixed into the primed words beforehand, because a move that is
/// no pass puts exactly one disc.
pub fn key_change(mover: Side, mv: Move, turned: impl Iterator<Item = Square>) -> u64 {
    match mv.square() {
        None => SIDE_KEY,
        Some(square) => {
            let placed = PREMIXED_KEYS[mover.index()][square.index()];
            turned.fold(placed, |change, square| change ^ FLIP_KEYS[square.index()])
        }
    }
}

/// A board as a flat array with a margin.
#[derive(Clone, Debug)]
pub struct Mailbox {
    cells: [Cell; CELLS],
    side_to_move: Side,
    hash_key: u64,
}

impl Mailbox {
    /// How many discs `side` would turn in each direction by putting one into this cell.
    fn flip_counts(&self, side: Side, cell: usize) -> FlipCounts {
        let mut turned = FlipCounts([0; 8]);
        if self.cells[cell] != Cell::Empty {
            return turned;
        }
        for (count, step) in turned.0.iter_mut().zip(STEPS) {
            *count = self.flip_count_along(side, cell, step);
        }
        turned
    }

    fn flip_count_along(&self, side: Side, cell: usize, step: isize) -> u8 {
        let mut count = 0;
        let mut at = cell.wrapping_add_signed(step);
        while self.cells[at] == Cell::Disc(!side) {
            count += 1;
            at = at.wrapping_add_signed(step);
        }
        if self.cells[at] == Cell::Disc(side) { count } else { 0 }
    }

    /// Whether anything would be turned in this direction. Most neighbours are not the opponent's: one look answers.
    fn can_flip_along(&self, side: Side, cell: usize, step: isize) -> bool {
        self.cells[cell.wrapping_add_signed(step)] == Cell::Disc(!side)
            && self.flip_count_along(side, cell, step) > 0
    }

    /// Whether `side` may put a disc into this cell.
    fn can_place(&self, side: Side, cell: usize) -> bool {
        self.cells[cell] == Cell::Empty && STEPS.iter().any(|&step| self.can_flip_along(side, cell, step))
    }

    /// Whether `side` may put a disc anywhere.
    fn can_move(&self, side: Side) -> bool {
        Square::all().any(|square| self.can_place(side, cell_of(square)))
    }

    fn all_discs(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        Square::all().filter_map(|square| Some((square, self.piece_on(square)?)))
    }
}

/// The cells of the turned discs, direction after direction.
fn flipped_cells(cell: usize, turned: FlipCounts) -> impl DoubleEndedIterator<Item = usize> + Clone {
    let directions = turned.0.into_iter().zip(STEPS);
    directions
        .flat_map(move |(count, step)| (1..=count as isize).map(move |n| cell.wrapping_add_signed(step * n)))
}

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
        writeln!(text, "side {}, key {:016x}", Piece::new(self.side_to_move).letter(), self.hash_key)
            .expect("as above");
        text
    }

    fn piece_on(&self, square: Square) -> Option<Piece> {
        match self.cells[cell_of(square)] {
            Cell::Disc(side) => Some(Piece::new(side)),
            Cell::Empty | Cell::Margin => None,
        }
    }

    fn generate_legal(&self, list: &mut MoveList<Move>) {
        let before = list.len();
        for square in Square::all().filter(|&square| self.can_place(self.side_to_move, cell_of(square))) {
            list.push(Move::from_square(square));
        }
        if list.len() == before && self.can_move(!self.side_to_move) {
            list.push(Move::PASS);
        }
    }

    /// Nothing: discs are turned over, never taken.
    fn generate_captures(&self, _: &mut MoveList<Move>) {}

    fn generate_pseudo_legal(&self, list: &mut MoveList<Move>) {
        self.generate_legal(list);
    }

    fn count_legal(&self) -> usize {
        match Square::all().filter(|&square| self.can_place(self.side_to_move, cell_of(square))).count() {
            0 => usize::from(self.can_move(!self.side_to_move)),
            places => places,
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

    /// Always: the discs grow in number, and after a pass they must.
    fn is_irreversible(&self, _: Move) -> bool {
        true
    }

    fn make<W: BoardObserver<Othello>>(&mut self, mv: Move, watcher: &mut W) -> FlipCounts {
        let mover = self.side_to_move;
        self.side_to_move = !mover;
        let Some(square) = mv.square() else {
            self.hash_key ^= key_change(mover, mv, core::iter::empty());
            return FlipCounts([0; 8]);
        };
        let cell = cell_of(square);
        let turned = self.flip_counts(mover, cell);
        let disc = Piece::new(mover);
        self.cells[cell] = Cell::Disc(mover);
        watcher.put(square, disc);
        for at in flipped_cells(cell, turned) {
            self.cells[at] = Cell::Disc(mover);
            watcher.flip(square_of(at), disc);
        }
        self.hash_key ^= key_change(mover, mv, flipped_cells(cell, turned).map(square_of));
        turned
    }

    fn unmake<W: BoardObserver<Othello>>(&mut self, mv: Move, undo: &FlipCounts, watcher: &mut W) {
        self.side_to_move = !self.side_to_move;
        let mover = self.side_to_move;
        let Some(square) = mv.square() else {
            self.hash_key ^= key_change(mover, mv, core::iter::empty());
            return;
        };
        let cell = cell_of(square);
        self.hash_key ^= key_change(mover, mv, flipped_cells(cell, *undo).map(square_of));
        for at in flipped_cells(cell, *undo).rev() {
            self.cells[at] = Cell::Disc(!mover);
            watcher.flip(square_of(at), Piece::new(!mover));
        }
        self.cells[cell] = Cell::Empty;
        watcher.remove(square, Piece::new(mover));
    }

    fn make_null(&mut self) -> FlipCounts {
        self.make(Move::PASS, &mut ())
    }

    fn unmake_null(&mut self, undo: &FlipCounts) {
        self.unmake(Move::PASS, undo, &mut ());
    }

    /// Never: Othello knows no check.
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
        BitSet::from_squares(own.map(|(square, _)| square.index()))
    }

    fn mobility(&self, side: Side) -> SquareSet {
        let places = Square::all().filter(|&square| self.can_place(side, cell_of(square)));
        BitSet::from_squares(places.map(Square::index))
    }

    fn flips(&self, side: Side, square: Square) -> SquareSet {
        let cell = cell_of(square);
        BitSet::from_squares(
            flipped_cells(cell, self.flip_counts(side, cell)).map(|at| square_of(at).index()),
        )
    }
}
