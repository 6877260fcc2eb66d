//! The board that is an array of places: 16x16 numbers, piece lists, bit-ranks and bit-files.
//!
//! After ElephantEye's board: a 16x16 array of pieces and a list of 48 places point at each other; beside them a word
//! for each rank and file says where men stand in it, so that rooks and cannons look their targets up. All of these
//! numbers are private to this folder.

use alfil_kernel::{BoardObserver, MoveList, Position, SetupError, Side, Waivers};

use crate::Xiangqi;
use crate::board::{Board, PIECE_KEYS, SIDE_KEY, SquareSet};
use crate::moves::Move;
use crate::piece::{Piece, PieceKind};
use crate::setup::{Setup, SetupIssue};
use crate::square::Square;

mod check;
mod dump;
mod generate;
pub mod reference;
mod tables;
#[cfg(test)]
mod tests;

use tables::{CELL_OF_SQUARE, SQUARE_OF_CELL};

/// The first number in the piece list of each side: Red's men are 16 to 31, Black's 32 to 47, so bit 16 of a piece's
/// number says Red and bit 32 Black.
const FIRST_NUMBER: [u8; 2] = [16, 32];

/// How many men a side has at most.
const PIECES_PER_SIDE: u8 = 16;

/// The kind of each of a side's sixteen men, by its number less the side's first.
const SLOT_KINDS: [PieceKind; PIECES_PER_SIDE as usize] = {
    use PieceKind::*;
    [
        King, Advisor, Advisor, Elephant, Elephant, Horse, Horse, Rook, Rook, Cannon, Cannon, Soldier,
        Soldier, Soldier, Soldier, Soldier,
    ]
};

/// A side's first man of each kind, and how many there are.
const KIND_SLOTS: [(u8, u8); 7] = [(0, 1), (1, 2), (3, 2), (5, 2), (7, 2), (9, 2), (11, 5)];

/// The piece of each number of the list.
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
    number_on: [u8; 256],
    /// Where each man stands, or 0 for one that is not on the board.
    cell_of: [u8; 48],
    /// The men in each column, bit 0 for row 3.
    file_words: [u16; 16],
    /// The men in each row, bit 0 for column 3.
    rank_words: [u16; 16],
    side_to_move: Side,
    hash_key: u64,
}

/// What a move destroys: what it took and the key before it.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    captured: u8,
    hash_key: u64,
}

fn row(place: u8) -> usize {
    (place >> 4) as usize
}

fn column(place: u8) -> usize {
    (place & 15) as usize
}

/// The dense point of a place of the board.
fn square_of_cell(place: u8) -> Square {
    Square::from_index(SQUARE_OF_CELL[place as usize] as usize).expect("a place of the board")
}

/// The move between two places.
#[inline]
fn move_between(origin: u8, target: u8) -> Move {
    Move::new(square_of_cell(origin), square_of_cell(target))
}

fn cell_of_square(square: Square) -> u8 {
    CELL_OF_SQUARE[square.index()]
}

impl Mailbox {
    /// Puts a man on an empty place. All four structures and the key are kept here and in [`Mailbox::lift`], nowhere else.
    #[inline]
    fn put<W: BoardObserver<Xiangqi>>(&mut self, place: u8, man: u8, watcher: &mut W) {
        self.number_on[place as usize] = man;
        self.cell_of[man as usize] = place;
        self.toggle(place, man);
        watcher.put(square_of_cell(place), PIECE_OF_NUMBER[man as usize]);
    }

    /// Lifts a man from its place.
    #[inline]
    fn remove<W: BoardObserver<Xiangqi>>(&mut self, place: u8, man: u8, watcher: &mut W) {
        self.number_on[place as usize] = 0;
        self.cell_of[man as usize] = 0;
        self.toggle(place, man);
        watcher.remove(square_of_cell(place), PIECE_OF_NUMBER[man as usize]);
    }

    #[inline]
    fn toggle(&mut self, place: u8, man: u8) {
        self.file_words[column(place)] ^= 1 << (row(place) - 3);
        self.rank_words[row(place)] ^= 1 << (column(place) - 3);
        self.hash_key ^=
            PIECE_KEYS[PIECE_OF_NUMBER[man as usize].index()][SQUARE_OF_CELL[place as usize] as usize];
    }

    /// Moves what stands on one place to another; what stood there is taken.
    #[inline]
    fn move_piece<W: BoardObserver<Xiangqi>>(&mut self, origin: u8, target: u8, watcher: &mut W) -> u8 {
        let (mover, captured) = (self.number_on[origin as usize], self.number_on[target as usize]);
        if captured != 0 {
            self.remove(target, captured, watcher);
        }
        // Only a caller that broke the contract moves nothing; then nothing happens.
        if mover != 0 {
            self.remove(origin, mover, watcher);
            self.put(target, mover, watcher);
        }
        captured
    }

    /// Where a side's general stands.
    #[inline]
    fn king_cell(&self, side: Side) -> u8 {
        self.cell_of[FIRST_NUMBER[side.index()] as usize]
    }

    /// Whether a man of this side may be on `place` after a move: it holds no own man and not the enemy's general.
    #[inline]
    fn is_valid_target(&self, place: u8, mover: Side) -> bool {
        let man = self.number_on[place as usize];
        man & FIRST_NUMBER[mover.index()] == 0 && man != FIRST_NUMBER[(!mover).index()]
    }

    /// Whether a man that may be taken by this side stands on `place`: any of the enemy's numbers above its general's.
    #[inline]
    fn is_victim(&self, place: u8, mover: Side) -> bool {
        self.number_on[place as usize].wrapping_sub(FIRST_NUMBER[(!mover).index()] + 1) < PIECES_PER_SIDE - 1
    }
}

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
            let (slot, room) = KIND_SLOTS[piece.kind() as usize];
            let first = FIRST_NUMBER[piece.side().index()] + slot;
            // No kind has more men than slots: the setup was accepted.
            for (man, at) in (first..first + room).zip(setup.squares_of(piece)) {
                board.put(cell_of_square(at), man, &mut ());
            }
        }
        Ok(board)
    }

    fn to_setup(&self) -> Setup {
        let mut setup = Setup { side_to_move: self.side_to_move, ..Setup::EMPTY };
        for at in Square::all() {
            setup.board[at.index()] = self.piece_on(at);
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
        let men = Square::all().filter_map(|at| self.piece_on(at).map(|piece| (at, piece)));
        men.fold(side, |key, (at, piece)| key ^ PIECE_KEYS[piece.index()][at.index()])
    }

    fn dump(&self) -> String {
        self.dump_text()
    }

    #[inline]
    fn piece_on(&self, at: Square) -> Option<Piece> {
        match self.number_on[cell_of_square(at) as usize] {
            0 => None,
            man => Some(PIECE_OF_NUMBER[man as usize]),
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
    fn make<W: BoardObserver<Xiangqi>>(&mut self, mv: Move, watcher: &mut W) -> Undo {
        let key = self.hash_key;
        let captured = self.move_piece(cell_of_square(mv.origin()), cell_of_square(mv.target()), watcher);
        self.side_to_move = !self.side_to_move;
        self.hash_key ^= SIDE_KEY;
        Undo { captured, hash_key: key }
    }

    #[inline]
    fn unmake<W: BoardObserver<Xiangqi>>(&mut self, mv: Move, undo: &Undo, watcher: &mut W) {
        let target = cell_of_square(mv.target());
        self.move_piece(target, cell_of_square(mv.origin()), watcher);
        if undo.captured != 0 {
            self.put(target, undo.captured, watcher);
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
        let (slot, room) = KIND_SLOTS[piece.kind() as usize];
        let first = (FIRST_NUMBER[piece.side().index()] + slot) as usize;
        let places = self.cell_of[first..first + room as usize].iter().filter(|&&place| place != 0);
        SquareSet::from_squares(places.map(|&place| square_of_cell(place).index()))
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
