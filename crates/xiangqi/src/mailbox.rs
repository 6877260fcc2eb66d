//! The mailbox board: a 16x16 array, piece lists, and words of occupied squares for ranks and files.
//!
//! After ElephantEye's board: a 16x16 array of piece numbers and a list of 48 cells refer to each other; beside them a
//! word for each rank and file (bit-rank, bit-file) holds the occupied squares, so that targets of rooks and cannons
//! are looked up. A *cell* is an index of the 16x16 array, a *number* an index of the piece list. Both are private to
//! this module.

use alloc::string::String;

use alfil_kernel::{BoardObserver, MoveList, Position, SetupError, Side, Waivers};

use crate::Xiangqi;
use crate::board::{Board, PIECE_KEYS, SIDE_KEY};
use crate::moves::Move;
use crate::piece::{Piece, PieceKind};
use crate::setup::{Setup, SetupIssue};
use crate::square::{Square, SquareSet};

mod check;
mod dump;
mod generate;
pub mod reference;
mod tables;
#[cfg(test)]
mod tests;

use tables::{CELL_OF_SQUARE, SQUARE_OF_CELL};

/// The first number in the piece list of each side: Red's pieces are 16 to 31, Black's 32 to 47. So bit 4 of a number
/// says Red and bit 5 Black.
const FIRST_NUMBER: [u8; 2] = [16, 32];

/// The most pieces that a side has.
const PIECES_PER_SIDE: u8 = 16;

/// The kind of each of a side's sixteen pieces, by its slot: its number less the side's first number.
const SLOT_KINDS: [PieceKind; PIECES_PER_SIDE as usize] = {
    use PieceKind::*;
    [
        King, Advisor, Advisor, Elephant, Elephant, Horse, Horse, Rook, Rook, Cannon, Cannon, Soldier,
        Soldier, Soldier, Soldier, Soldier,
    ]
};

/// The first slot of each kind, and the number of slots.
const KIND_SLOTS: [(u8, u8); 7] = [(0, 1), (1, 2), (3, 2), (5, 2), (7, 2), (9, 2), (11, 5)];

/// The piece of each number of the piece list.
static PIECE_OF_NUMBER: [Piece; 48] = {
    let mut pieces = [Piece::new(Side::First, PieceKind::King); 48];
    let mut i = 0;
    while i < PIECES_PER_SIDE as usize {
        pieces[FIRST_NUMBER[0] as usize + i] = Piece::new(Side::First, SLOT_KINDS[i]);
        pieces[FIRST_NUMBER[1] as usize + i] = Piece::new(Side::Second, SLOT_KINDS[i]);
        i += 1;
    }
    pieces
};

/// A position of xiangqi on a 16x16 array.
///
/// ```
/// use alfil_kernel::{Position, perft::perft};
/// use alfil_xiangqi::{Mailbox, Setup};
///
/// let mut board = Mailbox::from_setup(&alfil_kernel::Setup::start(), &Default::default()).unwrap();
/// assert_eq!(board.count_legal(), 44);
/// assert_eq!(perft(&mut board, 3), 79_666);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Mailbox {
    /// The number of the piece on each cell, or 0.
    number_on: [u8; 256],
    /// The cell of each piece, by its number, or 0 if the piece is not on the board.
    cell_of: [u8; 48],
    /// The occupied squares of each column, bit 0 for row 3.
    file_words: [u16; 16],
    /// The occupied squares of each row, bit 0 for column 3.
    rank_words: [u16; 16],
    side_to_move: Side,
    hash_key: u64,
}

/// What unmake needs to restore: the captured piece and the hash key before the move.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    captured: u8,
    hash_key: u64,
}

fn row(cell: u8) -> usize {
    (cell >> 4) as usize
}

fn column(cell: u8) -> usize {
    (cell & 15) as usize
}

/// Returns the square of a cell of the board.
fn square_of_cell(cell: u8) -> Square {
    Square::from_index(SQUARE_OF_CELL[cell as usize] as usize).expect("a cell of the board")
}

/// Returns the move between two cells.
#[inline]
fn move_between(origin: u8, target: u8) -> Move {
    Move::new(square_of_cell(origin), square_of_cell(target))
}

fn cell_of_square(square: Square) -> u8 {
    CELL_OF_SQUARE[square.index()]
}

impl Mailbox {
    /// Puts a piece on an empty cell. The array, the list, the line words and the hash key change here and in
    /// [`Mailbox::remove`] only.
    #[inline]
    fn put<W: BoardObserver<Xiangqi>>(&mut self, cell: u8, number: u8, observer: &mut W) {
        self.number_on[cell as usize] = number;
        self.cell_of[number as usize] = cell;
        self.toggle(cell, number);
        observer.put(square_of_cell(cell), PIECE_OF_NUMBER[number as usize]);
    }

    /// Removes a piece from its cell.
    #[inline]
    fn remove<W: BoardObserver<Xiangqi>>(&mut self, cell: u8, number: u8, observer: &mut W) {
        self.number_on[cell as usize] = 0;
        self.cell_of[number as usize] = 0;
        self.toggle(cell, number);
        observer.remove(square_of_cell(cell), PIECE_OF_NUMBER[number as usize]);
    }

    #[inline]
    fn toggle(&mut self, cell: u8, number: u8) {
        self.file_words[column(cell)] ^= 1 << (row(cell) - 3);
        self.rank_words[row(cell)] ^= 1 << (column(cell) - 3);
        self.hash_key ^=
            PIECE_KEYS[PIECE_OF_NUMBER[number as usize].index()][SQUARE_OF_CELL[cell as usize] as usize];
    }

    /// Moves the piece on `origin` to `target`. Returns the number of the captured piece, or 0.
    #[inline]
    fn move_piece<W: BoardObserver<Xiangqi>>(&mut self, origin: u8, target: u8, observer: &mut W) -> u8 {
        let (mover, captured) = (self.number_on[origin as usize], self.number_on[target as usize]);
        if captured != 0 {
            self.remove(target, captured, observer);
        }
        // Only after a move that is not pseudo-legal there is no piece to move.
        if mover != 0 {
            self.remove(origin, mover, observer);
            self.put(target, mover, observer);
        }
        captured
    }

    /// Returns the cell of a side's king.
    #[inline]
    fn king_cell(&self, side: Side) -> u8 {
        self.cell_of[FIRST_NUMBER[side.index()] as usize]
    }

    /// Returns whether a piece of side `mover` may move to `cell`: no own piece is there and not the enemy king.
    #[inline]
    fn is_valid_target(&self, cell: u8, mover: Side) -> bool {
        let number = self.number_on[cell as usize];
        number & FIRST_NUMBER[mover.index()] == 0 && number != FIRST_NUMBER[(!mover).index()]
    }

    /// Returns whether `cell` holds a piece that side `mover` may capture: any enemy number above that of the king.
    #[inline]
    fn is_victim(&self, cell: u8, mover: Side) -> bool {
        self.number_on[cell as usize].wrapping_sub(FIRST_NUMBER[(!mover).index()] + 1) < PIECES_PER_SIDE - 1
    }
}

alfil_kernel::impl_position_text!(Mailbox);

impl Position for Mailbox {
    type Game = Xiangqi;
    type Undo = Undo;
    const BOARD: &'static str = "mailbox";

    fn from_setup(setup: &Setup, waivers: &Waivers) -> Result<Self, SetupError<SetupIssue>> {
        alfil_kernel::Setup::validate(setup, waivers)?;
        let mut board = Mailbox {
            number_on: [0; 256],
            cell_of: [0; 48],
            file_words: [0; 16],
            rank_words: [0; 16],
            side_to_move: setup.side_to_move,
            hash_key: if setup.side_to_move == Side::Second { SIDE_KEY } else { 0 },
        };
        for piece in Piece::all() {
            let (slot, count) = KIND_SLOTS[piece.kind() as usize];
            let first = FIRST_NUMBER[piece.side().index()] + slot;
            // No kind has more pieces than slots: the setup was validated.
            for (number, square) in (first..first + count).zip(setup.squares_of(piece)) {
                board.put(cell_of_square(square), number, &mut ());
            }
        }
        Ok(board)
    }

    fn to_setup(&self) -> Setup {
        let mut setup = Setup { side_to_move: self.side_to_move, ..Setup::EMPTY };
        for square in Square::all() {
            setup.board[square.index()] = self.piece_on(square);
        }
        setup
    }

    fn side_to_move(&self) -> Side {
        self.side_to_move
    }

    fn hash_key(&self) -> u64 {
        self.hash_key
    }

    fn compute_hash_key(&self) -> u64 {
        let side = if self.side_to_move == Side::Second { SIDE_KEY } else { 0 };
        let pieces = Square::all().filter_map(|square| self.piece_on(square).map(|piece| (square, piece)));
        pieces.fold(side, |key, (square, piece)| key ^ PIECE_KEYS[piece.index()][square.index()])
    }

    fn dump(&self) -> String {
        self.dump_text()
    }

    #[inline]
    fn piece_on(&self, square: Square) -> Option<Piece> {
        match self.number_on[cell_of_square(square) as usize] {
            0 => None,
            number => Some(PIECE_OF_NUMBER[number as usize]),
        }
    }

    fn generate_legal(&self, list: &mut MoveList<Move>) {
        self.for_each_legal::<true, true>(|origin, target| list.push(move_between(origin, target)));
    }

    fn generate_captures(&self, list: &mut MoveList<Move>) {
        self.for_each_legal::<true, false>(|origin, target| list.push(move_between(origin, target)));
    }

    fn generate_pseudo_legal(&self, list: &mut MoveList<Move>) {
        self.for_each_pseudo_legal::<true, true>(|origin, target| list.push(move_between(origin, target)));
    }

    fn count_legal(&self) -> usize {
        self.count_legal_moves()
    }

    #[inline]
    fn is_pseudo_legal(&self, mv: Move) -> bool {
        self.can_reach(cell_of_square(mv.origin()), cell_of_square(mv.target()))
    }

    fn is_legal(&self, mv: Move) -> bool {
        let (origin, target) = (cell_of_square(mv.origin()), cell_of_square(mv.target()));
        self.can_reach(origin, target) && !self.is_king_attacked_after(origin, target)
    }

    #[inline]
    fn captured_piece(&self, mv: Move) -> Option<Piece> {
        self.piece_on(mv.target())
    }

    #[inline]
    fn is_irreversible(&self, mv: Move) -> bool {
        self.number_on[cell_of_square(mv.target()) as usize] != 0
    }

    #[inline]
    fn make<W: BoardObserver<Xiangqi>>(&mut self, mv: Move, observer: &mut W) -> Undo {
        let key = self.hash_key;
        let captured = self.move_piece(cell_of_square(mv.origin()), cell_of_square(mv.target()), observer);
        self.side_to_move = !self.side_to_move;
        self.hash_key ^= SIDE_KEY;
        Undo { captured, hash_key: key }
    }

    #[inline]
    fn unmake<W: BoardObserver<Xiangqi>>(&mut self, mv: Move, undo: &Undo, observer: &mut W) {
        let target = cell_of_square(mv.target());
        self.move_piece(target, cell_of_square(mv.origin()), observer);
        if undo.captured != 0 {
            self.put(target, undo.captured, observer);
        }
        self.side_to_move = !self.side_to_move;
        self.hash_key = undo.hash_key;
    }

    fn make_null(&mut self) -> Undo {
        let undo = Undo { captured: 0, hash_key: self.hash_key };
        self.side_to_move = !self.side_to_move;
        self.hash_key ^= SIDE_KEY;
        undo
    }

    fn unmake_null(&mut self, undo: &Undo) {
        self.side_to_move = !self.side_to_move;
        self.hash_key = undo.hash_key;
    }

    #[inline]
    fn in_check(&self) -> bool {
        self.is_king_attacked()
    }

    fn has_no_legal_move(&self) -> bool {
        !self.has_legal_move()
    }
}

impl Board for Mailbox {
    fn pieces(&self, piece: Piece) -> SquareSet {
        let (slot, count) = KIND_SLOTS[piece.kind() as usize];
        let first = (FIRST_NUMBER[piece.side().index()] + slot) as usize;
        let cells = self.cell_of[first..first + count as usize].iter().filter(|&&cell| cell != 0);
        SquareSet::from_squares(cells.map(|&cell| square_of_cell(cell)))
    }

    fn king_square(&self, side: Side) -> Square {
        square_of_cell(self.king_cell(side))
    }
}

impl core::fmt::Debug for Mailbox {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Mailbox({:?})", self.to_setup())
    }
}
