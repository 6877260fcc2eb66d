//! The trait of every Othello board, over which rules, notation and evaluation are written, and the Zobrist keys.

use alfil_kernel::{BitSet, Position, Side, zobrist};

use crate::Othello;
use crate::piece::Piece;
use crate::square::Square;

/// A set of squares.
///
/// ```
/// use alfil_othello::prelude::*;
///
/// let game = Othello::new();
/// let black: Vec<Square> = game.position().discs(Side::First).iter().collect();
/// assert_eq!(format!("{black:?}"), "[e4, d5]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type SquareSet = BitSet<u64, Square>;

/// The random key of each disc on each square. The hash key of a position is the XOR of the keys of all discs, and of
/// [`SIDE_KEY`] when White is to move.
pub(crate) static PIECE_KEYS: [[u64; Square::COUNT]; Piece::COUNT] = PIECE_KEY_TABLE;
const PIECE_KEY_TABLE: [[u64; Square::COUNT]; Piece::COUNT] = zobrist::piece_square_keys(7);

/// The key of White to move. A pass changes the hash key by this value alone.
pub(crate) const SIDE_KEY: u64 = zobrist::random_keys::<1>(8)[0];

/// The piece keys XOR [`SIDE_KEY`], for incremental updates: every move but a pass places exactly one disc and changes
/// the side to move. A hash key computed from all discs must use [`PIECE_KEYS`] instead.
pub(crate) static PREMIXED_KEYS: [[u64; Square::COUNT]; Piece::COUNT] = {
    let mut premixed = PIECE_KEY_TABLE;
    let mut square = 0;
    while square < Square::COUNT {
        premixed[0][square] ^= SIDE_KEY;
        premixed[1][square] ^= SIDE_KEY;
        square += 1;
    }
    premixed
};

/// The change of the hash key when a disc is flipped: the XOR of both sides' piece keys on the square.
pub(crate) static FLIP_KEYS: [u64; Square::COUNT] = {
    let mut flips = [0; Square::COUNT];
    let mut square = 0;
    while square < Square::COUNT {
        flips[square] = PIECE_KEY_TABLE[0][square] ^ PIECE_KEY_TABLE[1][square];
        square += 1;
    }
    flips
};

/// Computes the hash key of a position from all of its discs.
pub(crate) fn compute_hash_key(discs: impl Iterator<Item = (Square, Piece)>, side: Side) -> u64 {
    let side_key = if side == Side::Second { SIDE_KEY } else { 0 };
    discs.fold(side_key, |key, (square, disc)| key ^ PIECE_KEYS[disc.index()][square.index()])
}

/// A board representation of Othello.
pub trait Board: Position<Game = Othello> {
    /// Returns the squares with a disc of `side`.
    fn discs(&self, side: Side) -> SquareSet;

    /// Returns the squares on which `side` could place a disc if it were to move.
    fn mobility(&self, side: Side) -> SquareSet;

    /// Returns the discs that `side` flips by placing a disc on `square`; the empty set where it cannot place one.
    fn flips(&self, side: Side, square: Square) -> SquareSet;

    /// Returns the empty squares.
    fn empty_squares(&self) -> SquareSet {
        SquareSet::new(!(self.discs(Side::First).0 | self.discs(Side::Second).0))
    }

    /// Returns the number of discs of `side` minus the number of discs of its opponent.
    fn disc_difference(&self, side: Side) -> i32 {
        self.discs(side).len() as i32 - self.discs(!side).len() as i32
    }

    /// Returns the score of a finished game in discs, from the view of `side`: the disc difference, with the empty
    /// squares given to the winner, as tournaments, game files and solvers count it.
    fn final_score(&self, side: Side) -> i32 {
        let difference = self.disc_difference(side);
        difference + difference.signum() * self.empty_squares().len() as i32
    }
}
