//! The questions that every board of this game answers, so that laws, notation and evaluation are written once.

use alfil_kernel::{BitSet, Position, Side};

use crate::Xiangqi;
use crate::geometry::LineOccupancy;
use crate::piece::{Piece, PieceKind};
use crate::square::Square;

/// A set of points.
pub type SquareSet = BitSet<u128>;

/// The random word of each piece on each point; the hash key is the XOR of the words of all men, and of [`SIDE_WORD`]
/// when Black is to move.
pub(crate) static PIECE_KEYS: [[u64; Square::COUNT]; Piece::COUNT] =
    alfil_kernel::zobrist::piece_square_keys(1);

/// In the key when Black is to move.
pub(crate) const SIDE_KEY: u64 = alfil_kernel::zobrist::random_keys::<1>(2)[0];

/// A board of xiangqi.
///
/// Men that stand where they never could (a waived setup) move like this on every board: an advisor goes to palace
/// points only, of either palace; an elephant stays in the half it stands in; a soldier goes sideways only in the
/// other side's half. A general is never a target, and advisors and elephants never give check.
pub trait Board: Position<Game = Xiangqi> {
    /// The points on which this piece stands.
    fn pieces(&self, piece: Piece) -> SquareSet;

    /// The points on which a man of this side stands.
    fn occupied_by(&self, side: Side) -> SquareSet {
        PieceKind::ALL.iter().fold(SquareSet::EMPTY, |men, &kind| men | self.pieces(Piece::new(side, kind)))
    }

    /// The points on which anything stands.
    fn occupied(&self) -> SquareSet {
        self.occupied_by(Side::First) | self.occupied_by(Side::Second)
    }

    /// What is occupied, line by line.
    fn line_occupancy(&self) -> LineOccupancy {
        LineOccupancy::from_set(self.occupied())
    }

    /// Where a side's general stands.
    fn king_square(&self, side: Side) -> Square;

    /// The men of a side that could go to `square` if an enemy stood there: its attackers, or the defenders of an own man
    /// there. The own general's safety is not asked; a general attacks the other along an empty file.
    fn attackers_to(&self, square: Square, by: Side) -> SquareSet {
        let flying = square == self.king_square(!by);
        crate::geometry::attackers_to(square, by, self.occupied(), flying, |kind| {
            self.pieces(Piece::new(by, kind))
        })
    }
}
