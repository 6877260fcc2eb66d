//! The pieces: seven kinds, two sides.

use alfil_kernel::{Side, define_pieces};

define_pieces! {
    /// A kind of piece.
    pub enum PieceKind {
        /// King, or general (帥 將): one square along a rank or file, within the palace.
        King ['k'] "king" 1,
        /// Advisor (仕 士): one square diagonally, within the palace.
        Advisor ['a'] "advisor" 2,
        /// Elephant (相 象): two squares diagonally, not over an occupied square (its eye), not across the river.
        Elephant ['b' | 'e'] "elephant" 2,
        /// Horse (馬): one square along a rank or file, then one diagonally outward, not over an occupied square (its
        /// leg).
        Horse ['n' | 'h'] "horse" 2,
        /// Rook, or chariot (車): any distance along a rank or file.
        Rook ['r'] "rook" 2,
        /// Cannon (炮): moves as a rook, but captures over exactly one piece, the screen.
        Cannon ['c'] "cannon" 2,
        /// Soldier (兵 卒): one square forward; across the river also sideways.
        Soldier ['p'] "soldier" 5,
    }

    /// A piece: its side and its kind.
    ///
    /// ```
    /// use alfil_xiangqi::{Piece, PieceKind};
    ///
    /// let horse = Piece::from_letter('h').unwrap();
    /// assert_eq!((horse.kind(), horse.letter(), horse.hanzi()), (PieceKind::Horse, 'n', '馬'));
    /// ```
    pub struct Piece { sides: ["Red", "Black"] }
}

impl Piece {
    /// Returns the Chinese character of this piece, in the traditional form that differs between the sides.
    ///
    /// ```
    /// use alfil_xiangqi::prelude::*;
    ///
    /// assert_eq!(Piece::new(Side::Second, PieceKind::King).hanzi(), '將');
    /// ```
    pub const fn hanzi(self) -> char {
        const RED: [char; 7] = ['帥', '仕', '相', '馬', '車', '炮', '兵'];
        const BLACK: [char; 7] = ['將', '士', '象', '馬', '車', '砲', '卒'];
        match self.side() {
            Side::First => RED[self.kind() as usize],
            Side::Second => BLACK[self.kind() as usize],
        }
    }
}

/// Returns the name of a side in xiangqi.
pub(crate) const fn side_name(side: Side) -> &'static str {
    match side {
        Side::First => "Red",
        Side::Second => "Black",
    }
}
