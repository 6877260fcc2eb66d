//! The questions that every board of this game answers, so that laws, notation and evaluation are written once.

use alfil_kernel::{Bits, Position, Side};

use crate::Xiangqi;
use crate::geometry::Lines;
use crate::piece::{Kind, Piece};
use crate::square::Square;

/// A set of points.
pub type Points = Bits<u128>;

/// The random word of each piece on each point; the hash key is the XOR of the words of all men, and of [`SIDE_WORD`]
/// when Black is to move.
pub(crate) static WORDS: [[u64; Square::COUNT]; Piece::COUNT] = alfil_kernel::keys::table(1);

/// In the key when Black is to move.
pub(crate) const SIDE_WORD: u64 = alfil_kernel::keys::words::<1>(2)[0];

/// A board of xiangqi.
///
/// Men that stand where they never could (a waived setup) move like this on every board: an advisor goes to palace
/// points only, of either palace; an elephant stays in the half it stands in; a soldier goes sideways only in the
/// other side's half. A general is never a target, and advisors and elephants never give check.
pub trait Board: Position<Game = Xiangqi> {
    /// The points on which this piece stands.
    fn pieces(&self, piece: Piece) -> Points;

    /// The points on which a man of this side stands.
    fn men(&self, side: Side) -> Points {
        Kind::ALL.iter().fold(Points::EMPTY, |men, &kind| men | self.pieces(Piece::new(side, kind)))
    }

    /// The points on which anything stands.
    fn occupied(&self) -> Points {
        self.men(Side::First) | self.men(Side::Second)
    }

    /// What is occupied, line by line.
    fn lines_of_men(&self) -> Lines {
        Lines::of(self.occupied())
    }

    /// Where a side's general stands.
    fn king(&self, side: Side) -> Square;

    /// The men of a side that could go to `square` if an enemy stood there: its attackers, or the defenders of an own man
    /// there. The own general's safety is not asked; a general attacks the other along an empty file.
    fn attackers(&self, square: Square, by: Side) -> Points {
        let flying = square == self.king(!by);
        crate::geometry::attackers(square, by, self.occupied(), flying, |kind| {
            self.pieces(Piece::new(by, kind))
        })
    }
}
