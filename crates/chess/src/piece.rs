//! Pieces: six kinds, two sides.

use alfil_kernel::{Side, define_pieces};

define_pieces! {
    /// A kind of piece.
    pub enum PieceKind {
        /// Moves one square forward, two from its initial rank; captures diagonally forward.
        Pawn ['p'] "pawn" 8,
        /// Jumps two squares along a rank or file and one across.
        Knight ['n'] "knight" 2,
        /// Slides along a diagonal.
        Bishop ['b'] "bishop" 2,
        /// Slides along a rank or file.
        Rook ['r'] "rook" 2,
        /// Slides as a rook or a bishop.
        Queen ['q'] "queen" 1,
        /// Moves one square in any direction, and castles.
        King ['k'] "king" 1,
    }

    /// A piece: a side and a kind.
    ///
    /// ```
    /// use alfil_chess::{Piece, PieceKind};
    ///
    /// let knight = Piece::from_letter('n').unwrap();
    /// assert_eq!((knight.kind(), knight.swapped().letter(), knight.figurine()), (PieceKind::Knight, 'N', '♞'));
    /// ```
    pub struct Piece { sides: ["White", "Black"] }
}

impl PieceKind {
    /// The kinds that a pawn can promote to, in ascending order of their numbers.
    pub const PROMOTIONS: [PieceKind; 4] =
        [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];
}

impl Piece {
    /// Returns the Unicode figurine.
    ///
    /// ```
    /// use alfil_chess::prelude::*;
    ///
    /// assert_eq!(Piece::new(Side::First, PieceKind::Knight).figurine(), '♘');
    /// ```
    pub const fn figurine(self) -> char {
        const FIGURINES: [char; Piece::COUNT] = ['♙', '♘', '♗', '♖', '♕', '♔', '♟', '♞', '♝', '♜', '♛', '♚'];
        FIGURINES[self.index()]
    }
}

/// Returns the name of a side in chess.
pub(crate) const fn side_name(side: Side) -> &'static str {
    match side {
        Side::First => "White",
        Side::Second => "Black",
    }
}
