//! The board: an array of squares.

use alfil_kernel::zobrist::{piece_square_keys, random_keys};
use alfil_kernel::{BoardObserver, MoveList, Piece as _, Position, SetupError, Side, Waivers};

use crate::game::{Breakthrough, Move, Pawn, Setup, SetupIssue, Square};

static PIECE_KEYS: [[u64; Square::COUNT]; 2] = piece_square_keys(101);
static SIDE_KEY: [u64; 1] = random_keys(102);

/// A position. It is small, so that the undo record is the whole board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    squares: [Option<Pawn>; Square::COUNT],
    side_to_move: Side,
    hash_key: u64,
}

impl Board {
    /// Returns whether a pawn of `side` has reached its last rank.
    pub fn has_reached_last_rank(&self, side: Side) -> bool {
        let rank = [Square::RANKS - 1, 0][side.index()];
        (0..Square::FILES).any(|file| self.squares[Square::new(file, rank).index()] == Some(Pawn(side)))
    }

    /// Returns the squares of the pawns of `side`.
    pub fn pawns(&self, side: Side) -> impl Iterator<Item = Square> + '_ {
        Square::all().filter(move |square| self.squares[square.index()] == Some(Pawn(side)))
    }

    fn set<O: BoardObserver<Breakthrough>>(&mut self, square: Square, pawn: Option<Pawn>, observer: &mut O) {
        if let Some(old) = std::mem::replace(&mut self.squares[square.index()], pawn) {
            self.hash_key ^= PIECE_KEYS[old.index()][square.index()];
            observer.remove(square, old);
        }
        if let Some(new) = pawn {
            self.hash_key ^= PIECE_KEYS[new.index()][square.index()];
            observer.put(square, new);
        }
    }

    fn switch_side(&mut self) {
        self.side_to_move = !self.side_to_move;
        self.hash_key ^= SIDE_KEY[0];
    }
}

impl Position for Board {
    type Game = Breakthrough;
    type Undo = Board;
    const BOARD: &'static str = "mailbox";

    fn from_setup(setup: &Setup, _: &Waivers) -> Result<Self, SetupError<SetupIssue>> {
        let mut board = Board { squares: setup.board, side_to_move: setup.side_to_move, hash_key: 0 };
        board.hash_key = board.compute_hash_key();
        Ok(board)
    }

    fn to_setup(&self) -> Setup {
        Setup { board: self.squares, side_to_move: self.side_to_move, counters: Default::default() }
    }

    fn side_to_move(&self) -> Side {
        self.side_to_move
    }

    fn hash_key(&self) -> u64 {
        self.hash_key
    }

    fn compute_hash_key(&self) -> u64 {
        let pawns =
            Side::BOTH.into_iter().flat_map(|side| self.pawns(side).map(move |square| (side, square)));
        let key = pawns.fold(0, |key, (side, square)| key ^ PIECE_KEYS[side.index()][square.index()]);
        if self.side_to_move == Side::First { key } else { key ^ SIDE_KEY[0] }
    }

    fn dump(&self) -> String {
        format!("{:?}\n", self.squares)
    }

    fn piece_on(&self, square: Square) -> Option<Pawn> {
        self.squares[square.index()]
    }

    fn generate_legal(&self, list: &mut MoveList<Move>) {
        self.generate_pseudo_legal(list);
    }

    fn generate_captures(&self, list: &mut MoveList<Move>) {
        let mut moves = self.legal_moves();
        moves.retain(|mv| self.captured_piece(mv).is_some());
        moves.iter().for_each(|&mv| list.push(mv));
    }

    fn generate_pseudo_legal(&self, list: &mut MoveList<Move>) {
        for origin in self.pawns(self.side_to_move) {
            for files in -1..=1 {
                let target = origin.step(files, [1, -1][self.side_to_move.index()]);
                let Some(mv) = target.map(|target| Move { origin, target }) else { continue };
                if self.is_legal(mv) {
                    list.push(mv);
                }
            }
        }
    }

    fn is_pseudo_legal(&self, mv: Move) -> bool {
        let Move { origin, target } = mv;
        let files = target.file().abs_diff(origin.file());
        let forward = [1, -1][self.side_to_move.index()];
        self.piece_on(origin) == Some(Pawn(self.side_to_move))
            && target.rank() as isize - origin.rank() as isize == forward
            && match self.piece_on(target) {
                None => files <= 1,
                Some(pawn) => files == 1 && pawn.side() != self.side_to_move,
            }
            // The game is over.
            && !self.has_reached_last_rank(!self.side_to_move)
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.is_pseudo_legal(mv)
    }

    fn captured_piece(&self, mv: Move) -> Option<Pawn> {
        self.piece_on(mv.target)
    }

    /// Pawns only move forward.
    fn is_irreversible(&self, _: Move) -> bool {
        true
    }

    fn make<O: BoardObserver<Breakthrough>>(&mut self, mv: Move, observer: &mut O) -> Board {
        let undo = *self;
        self.set(mv.target, None, observer);
        let pawn = self.piece_on(mv.origin);
        self.set(mv.origin, None, observer);
        self.set(mv.target, pawn, observer);
        self.switch_side();
        undo
    }

    fn unmake<O: BoardObserver<Breakthrough>>(&mut self, mv: Move, undo: &Board, observer: &mut O) {
        self.set(mv.target, None, observer);
        self.set(mv.origin, undo.piece_on(mv.origin), observer);
        self.set(mv.target, undo.piece_on(mv.target), observer);
        *self = *undo;
    }

    fn make_null(&mut self) -> Board {
        let undo = *self;
        self.switch_side();
        undo
    }

    fn unmake_null(&mut self, undo: &Board) {
        *self = *undo;
    }

    fn in_check(&self) -> bool {
        false
    }

    fn has_no_legal_move(&self) -> bool {
        self.count_legal() == 0
    }
}
