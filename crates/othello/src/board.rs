//! The questions that every board of this game answers, so that laws, notation and evaluation are written once.

use alfil_kernel::{Bits, Position, Side, keys};

use crate::Othello;
use crate::piece::Piece;
use crate::square::Square;

/// A set of squares.
pub type Discs = Bits<u64>;

/// The random word of each disc on each square; the full key is the XOR of the words of all discs, and of
/// [`SIDE_WORD`] when White is to move.
pub(crate) static WORDS: [[u64; Square::COUNT]; Piece::COUNT] = RAW;
const RAW: [[u64; Square::COUNT]; Piece::COUNT] = keys::table(7);

/// In the key when White is to move. A pass changes the key by this word and nothing else.
pub(crate) const SIDE_WORD: u64 = keys::words::<1>(8)[0];

/// The word of each disc with [`SIDE_WORD`] mixed in: every move but a pass puts exactly one disc, and gives the move
/// to the other side. Never part of a full key: the side word would follow the number of discs.
pub(crate) static PRIMED: [[u64; Square::COUNT]; Piece::COUNT] = {
    let mut primed = RAW;
    let mut square = 0;
    while square < Square::COUNT {
        primed[0][square] ^= SIDE_WORD;
        primed[1][square] ^= SIDE_WORD;
        square += 1;
    }
    primed
};

/// What turning a disc over changes in the key: the word of either side, exchanged for the other's.
pub(crate) static FLIPS: [u64; Square::COUNT] = {
    let mut flips = [0; Square::COUNT];
    let mut square = 0;
    while square < Square::COUNT {
        flips[square] = RAW[0][square] ^ RAW[1][square];
        square += 1;
    }
    flips
};

/// The full key of a position.
pub(crate) fn full_key(discs: impl Iterator<Item = (Square, Piece)>, side: Side) -> u64 {
    let start = if side == Side::Second { SIDE_WORD } else { 0 };
    discs.fold(start, |key, (square, disc)| key ^ WORDS[disc.index()][square.index()])
}

/// A board of Othello.
pub trait Board: Position<Game = Othello> {
    /// The squares with a disc of this side up.
    fn discs(&self, side: Side) -> Discs;

    /// The squares on which this side may put a disc, were it to move.
    fn mobility(&self, side: Side) -> Discs;

    /// The discs that this side turns over by putting one on an empty square; none where it may not.
    fn flips(&self, side: Side, square: Square) -> Discs;

    /// The empty squares.
    fn empty(&self) -> Discs {
        Bits(!(self.discs(Side::First).0 | self.discs(Side::Second).0))
    }

    /// The plain count: a side's discs less the other's.
    fn difference(&self, side: Side) -> i32 {
        self.discs(side).len() as i32 - self.discs(!side).len() as i32
    }

    /// The score of a finished game as tournaments, game files and solvers count it: the plain count, with the empty
    /// squares given to the winner.
    fn final_score(&self, side: Side) -> i32 {
        let difference = self.difference(side);
        difference + difference.signum() * self.empty().len() as i32
    }
}
