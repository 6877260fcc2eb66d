//! The trait of all boards of xiangqi, so that rules, notation and evaluation are written once.

use alfil_kernel::{Position, Side};

use crate::Xiangqi;
use crate::geometry::LineOccupancy;
use crate::piece::{Piece, PieceKind};
use crate::square::{Square, SquareSet};

/// The random key of each piece on each square. The hash key is the XOR of the keys of all pieces on the board, and of
/// [`SIDE_KEY`] when Black is to move (Zobrist hashing).
pub(crate) static PIECE_KEYS: [[u64; Square::COUNT]; Piece::COUNT] =
    alfil_kernel::zobrist::piece_square_keys(1);

/// The part of the hash key that says that Black is to move.
pub(crate) const SIDE_KEY: u64 = alfil_kernel::zobrist::random_keys::<1>(2)[0];

/// A board of xiangqi.
///
/// Pieces on squares that they can never reach in a game (a waived setup) move the same way on every board: an advisor
/// moves to palace squares only, of either palace; an elephant stays in the half in which it is; a soldier moves
/// sideways only in the other side's half. A king is never a target, and advisors and elephants never give check.
pub trait Board: Position<Game = Xiangqi> {
    /// Returns the squares of all pieces equal to `piece`.
    fn pieces(&self, piece: Piece) -> SquareSet;

    /// Returns the squares of all pieces of `side`.
    fn occupied_by(&self, side: Side) -> SquareSet {
        PieceKind::ALL
            .iter()
            .fold(SquareSet::EMPTY, |pieces, &kind| pieces | self.pieces(Piece::new(side, kind)))
    }

    /// Returns all occupied squares.
    fn occupied(&self) -> SquareSet {
        self.occupied_by(Side::First) | self.occupied_by(Side::Second)
    }

    /// Returns the occupancy of every rank and file.
    fn line_occupancy(&self) -> LineOccupancy {
        LineOccupancy::from_set(self.occupied())
    }

    /// Returns the square of the king of `side`.
    fn king_square(&self, side: Side) -> Square;

    /// Returns the pieces of side `by` that could move to `square` if an enemy piece were there: its attackers, or the
    /// defenders of an own piece. Whether the own king stays safe is not tested. Kings attack each other along an empty
    /// file.
    fn attackers_to(&self, square: Square, by: Side) -> SquareSet {
        let attacks_king = square == self.king_square(!by);
        crate::geometry::attackers_to(square, by, self.occupied(), attacks_king, |kind| {
            self.pieces(Piece::new(by, kind))
        })
    }
}
