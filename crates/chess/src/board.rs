//! The questions that every board of this game answers, so that laws, notation and evaluation are written once.

use alfil_kernel::{BitSet, Position, Side};

use crate::Chess;
use crate::geometry;
use crate::piece::{Piece, PieceKind};
use crate::square::Square;

/// A set of squares.
pub type SquareSet = BitSet<u64>;

/// The random word of each piece on each square; the hash key is the XOR of the words of all men, of the rights and the
/// capturable pawn below, and of [`SIDE_WORD`] when Black is to move.
pub(crate) static PIECE_KEYS: [[u64; Square::COUNT]; Piece::COUNT] =
    alfil_kernel::zobrist::piece_square_keys(11);

/// In the key when Black is to move.
pub(crate) const SIDE_KEY: u64 = alfil_kernel::zobrist::random_keys::<1>(12)[0];

/// In the key for each rook that may still castle, by its square; only the back ranks' words are used.
pub(crate) static CASTLING_KEYS: [u64; Square::COUNT] = alfil_kernel::zobrist::random_keys(13);

/// In the key for the file of a pawn that can **legally** be taken en passant: only then is the position another one
/// than without (FIDE Laws 9.2.3.1).
pub(crate) static EN_PASSANT_KEYS: [u64; Square::FILES] = alfil_kernel::zobrist::random_keys(14);

/// A board of chess.
///
/// Men that stand where they never could (a waived setup) move like this on every board: a pawn on its own first rank
/// goes one square, one on its last rank stays there; a king is never a target, and next to the other king it is in
/// check.
pub trait Board: Position<Game = Chess> {
    /// The squares on which this piece stands.
    fn pieces(&self, piece: Piece) -> SquareSet;

    /// The squares on which a man of this side stands.
    fn occupied_by(&self, side: Side) -> SquareSet {
        PieceKind::ALL.iter().fold(SquareSet::EMPTY, |men, &kind| men | self.pieces(Piece::new(side, kind)))
    }

    /// The squares on which anything stands.
    fn occupied(&self) -> SquareSet {
        self.occupied_by(Side::First) | self.occupied_by(Side::Second)
    }

    /// Where a side's king stands.
    fn king_square(&self, side: Side) -> Square;

    /// The rooks of both sides that may still castle.
    fn castling_rooks(&self) -> SquareSet;

    /// The square that a pawn has just stepped over, if a pawn of the side to move attacks it.
    fn en_passant(&self) -> Option<Square>;

    /// The men of a side that attack `square`, whatever stands there. The attackers' own king's safety is not asked.
    fn attackers_to(&self, square: Square, by: Side) -> SquareSet {
        let men = |kind| self.pieces(Piece::new(by, kind));
        let reach = |kind| geometry::attacks(kind, square, self.occupied());
        let lines = reach(PieceKind::Rook) & (men(PieceKind::Rook) | men(PieceKind::Queen));
        let diagonals = reach(PieceKind::Bishop) & (men(PieceKind::Bishop) | men(PieceKind::Queen));
        // A pawn attacks the squares from which a pawn of the other side would attack it.
        let pawns = geometry::pawn_attacks(!by, square) & men(PieceKind::Pawn);
        let near =
            reach(PieceKind::Knight) & men(PieceKind::Knight) | reach(PieceKind::King) & men(PieceKind::King);
        lines | diagonals | pawns | near
    }

    /// Whether this move is castling: the king takes its own rook.
    #[inline]
    fn is_castling(&self, mv: crate::Move) -> bool {
        self.castling_rooks().contains(mv.target().index())
            && mv.origin() == self.king_square(self.side_to_move())
            && mv.target().relative_rank(self.side_to_move()) == 0
    }
}
