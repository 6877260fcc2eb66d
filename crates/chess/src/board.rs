//! The trait of all chess boards, over which rules, notation and evaluation are written once.

use alfil_kernel::{Position, Side};

use crate::Chess;
use crate::geometry;
use crate::moves::Move;
use crate::piece::{Piece, PieceKind};
use crate::square::{Square, SquareSet};

/// The random key of each piece on each square. The hash key of a position is the XOR of the keys of its pieces, its
/// castling rooks, its en passant file and, when Black is to move, [`SIDE_KEY`].
pub(crate) static PIECE_KEYS: [[u64; Square::COUNT]; Piece::COUNT] =
    alfil_kernel::zobrist::piece_square_keys(11);

/// The random key that is part of the hash key when Black is to move.
pub(crate) const SIDE_KEY: u64 = alfil_kernel::zobrist::random_keys::<1>(12)[0];

/// The random key of each rook that may still castle, by its square. Only those of the back ranks are used.
pub(crate) static CASTLING_KEYS: [u64; Square::COUNT] = alfil_kernel::zobrist::random_keys(13);

/// The random key of the file of a pawn that can **legally** be captured en passant. Only then does the position differ
/// from the same position without the right (FIDE Laws 9.2.3.1).
pub(crate) static EN_PASSANT_KEYS: [u64; Square::FILES] = alfil_kernel::zobrist::random_keys(14);

/// The moves that a board generates.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum GenType {
    /// All legal moves.
    Legal,
    /// The legal captures.
    Captures,
    /// All pseudo-legal moves.
    PseudoLegal,
}

/// A board of chess.
///
/// In a setup whose issues were waived, pieces move alike on every board: a pawn on its own back rank moves one square,
/// a pawn on its last rank does not move, a king is never captured, and two adjacent kings check each other.
pub trait Board: Position<Game = Chess> {
    /// Returns the squares occupied by this piece.
    #[doc(alias = "by_piece")]
    #[doc(alias = "colored_pieces")]
    fn pieces(&self, piece: Piece) -> SquareSet;

    /// Returns the squares occupied by this side.
    fn occupied_by(&self, side: Side) -> SquareSet {
        PieceKind::ALL.iter().fold(SquareSet::EMPTY, |set, &kind| set | self.pieces(Piece::new(side, kind)))
    }

    /// Returns the occupied squares.
    fn occupied(&self) -> SquareSet {
        self.occupied_by(Side::First) | self.occupied_by(Side::Second)
    }

    /// Returns the square of the king of `side`.
    fn king_square(&self, side: Side) -> Square;

    /// Returns the rooks of both sides that may still castle.
    fn castling_rooks(&self) -> SquareSet;

    /// Returns the en passant square: the square that a pawn has just passed, if a pawn of the side to move attacks it.
    fn en_passant(&self) -> Option<Square>;

    /// Returns the pieces of a side that attack `square`, pinned pieces included.
    #[doc(alias = "attackers")]
    #[doc(alias = "is attacked")]
    fn attackers_to(&self, square: Square, by: Side) -> SquareSet {
        let pieces = |kind| self.pieces(Piece::new(by, kind));
        let attacks = |kind| geometry::attacks(kind, square, self.occupied());
        let orthogonal = attacks(PieceKind::Rook) & (pieces(PieceKind::Rook) | pieces(PieceKind::Queen));
        let diagonal = attacks(PieceKind::Bishop) & (pieces(PieceKind::Bishop) | pieces(PieceKind::Queen));
        // A pawn attacks the squares from which a pawn of the other side would attack it.
        let pawns = geometry::pawn_attacks(!by, square) & pieces(PieceKind::Pawn);
        let leapers = attacks(PieceKind::Knight) & pieces(PieceKind::Knight)
            | attacks(PieceKind::King) & pieces(PieceKind::King);
        orthogonal | diagonal | pawns | leapers
    }

    /// Returns whether a pseudo-legal move is legal: it leaves the own king safe.
    fn is_king_safe_after(&self, mv: Move) -> bool {
        self.is_legal(mv)
    }

    /// Returns whether this move is castling: the king captures its own rook.
    #[inline]
    fn is_castling(&self, mv: Move) -> bool {
        self.castling_rooks().contains(mv.target())
            && mv.origin() == self.king_square(self.side_to_move())
            && mv.target().relative_rank(self.side_to_move()) == 0
    }
}
