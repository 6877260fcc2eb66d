//! The questions that every board of this game answers, so that laws, notation and evaluation are written once.

use alfil_kernel::{BitSet, Position, Side, zobrist};

use crate::Othello;
use crate::piece::Piece;
use crate::square::Square;

/// A set of squares.
pub type SquareSet = BitSet<u64>;

/// The random word of each disc on each square; the full key is the XOR of the words of all discs, and of
/// [`SIDE_WORD`] when White is to move.
pub(crate) static PIECE_KEYS: [[u64; Square::COUNT]; Piece::COUNT] = PIECE_KEY_TABLE;
const PIECE_KEY_TABLE: [[u64; Square::COUNT]; Piece::COUNT] = zobrist::piece_square_keys(7);

/// In the key when White is to move. A pass changes the key by this word and nothing else.
pub(crate) const SIDE_KEY: u64 = zobrist::random_keys::<1>(8)[0];

/// The word of each disc with [`SIDE_WORD`] mixed in: every move but a pass puts exactly one disc, and gives the move
/// to the other side. Never part of a full key: the side word would follow the number of discs.
pub(crate) static PREMIXED_KEYS: [[u64; Square::COUNT]; Piece::COUNT] = {
    let mut primed = PIECE_KEY_TABLE;
    let mut square = 0;
    while square < Square::COUNT {
        primed[0][square] ^= SIDE_KEY;
        primed[1][square] ^= SIDE_KEY;
        square += 1;
    }
    primed
};

/// What turning a disc over changes in the key: the word of either side, exchanged for the other's.
pub(crate) static FLIP_KEYS: [u64; Square::COUNT] = {
    let mut flips = [0; Square::COUNT];
    let mut square = 0;
    while square < Square::COUNT {
        flips[square] = PIECE_KEY_TABLE[0][square] ^ PIECE_KEY_TABLE[1][square];
        square += 1;
    }
    flips
};

/// The full key of a position.
pub(crate) fn compute_hash_key(discs: impl Iterator<Item = (Square, Piece)>, side: Side) -> u64 {
    let start = if side == Side::Second { SIDE_KEY } else { 0 };
    discs.fold(start, |key, (square, disc)| key ^ PIECE_KEYS[disc.index()][square.index()])
}

/// A board of Othello.
pub trait Board: Position<Game = Othello> {
    /// The squares with a disc of this side up.
    fn discs(&self, side: Side) -> SquareSet;

    /// The squares on which this side may put a disc, were it to move.
    fn mobility(&self, side: Side) -> SquareSet;

    /// The discs that this side turns over by putting one on an empty square; none where it may not.
    fn flips(&self, side: Side, square: Square) -> SquareSet;

    /// The empty squares.
    fn empty_squares(&self) -> SquareSet {
        BitSet(!(self.discs(Side::First).0 | self.discs(Side::Second).0))
    }

    /// The plain count: a side's discs less the other's.
    fn disc_difference(&self, side: Side) -> i32 {
        self.discs(side).len() as i32 - self.discs(!side).len() as i32
    }

    /// The score of a finished game as tournaments, game files and solvers count it: the plain count, with the empty
    /// squares given to the winner.
    fn final_score(&self, side: Side) -> i32 {
        let difference = self.disc_difference(side);
        difference + difference.signum() * self.empty_squares().len() as i32
    }
}
