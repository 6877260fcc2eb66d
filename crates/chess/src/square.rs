//! The 64 squares of the board.

use alfil_kernel::{BitSet, Side, define_square};

/// A set of squares; bit 0 is a1, bit 63 is h8.
///
/// ```
/// use alfil_chess::prelude::*;
///
/// let game = Chess::new();
/// let rooks = game.position().pieces(Piece::new(Side::First, PieceKind::Rook));
/// let squares: Vec<Square> = rooks.iter().collect();
/// assert_eq!(format!("{squares:?}"), "[a1, h1]");
/// assert_eq!(squares.into_iter().collect::<SquareSet>(), rooks);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type SquareSet = BitSet<u64, Square>;

define_square! {
    /// A square, numbered from 0 to 63 rank by rank: `a1` is 0, `b1` is 1, `h8` is 63.
    ///
    /// ```
    /// use alfil_chess::Square;
    ///
    /// let square: Square = "e4".parse().unwrap();
    /// assert_eq!((square.index(), square.file(), square.rank()), (28, 4, 3));
    /// assert_eq!(square.flipped().to_string(), "e5");
    /// assert!("i1".parse::<Square>().is_err());
    /// ```
    pub struct Square {
        files: 8, ranks: 8, first_rank: 1, expected: "a file a to h and a rank 1 to 8, such as e4"
    }
}

impl Square {
    /// Returns the square whose number is the six low bits of `bits`. No range check is needed.
    ///
    /// ```
    /// use alfil_chess::prelude::*;
    ///
    /// assert_eq!(Square::from_low_bits(64 + 28).to_string(), "e4");
    /// ```
    #[inline(always)]
    pub const fn from_low_bits(bits: usize) -> Square {
        Square((bits & 63) as u8)
    }

    /// Returns the rank as counted from the back rank of `side`, which is 0.
    ///
    /// ```
    /// use alfil_chess::prelude::*;
    ///
    /// assert_eq!(Square::new(4, 6).relative_rank(Side::Second), 1);
    /// ```
    #[inline(always)]
    pub const fn relative_rank(self, side: Side) -> usize {
        match side {
            Side::First => self.rank(),
            Side::Second => 7 - self.rank(),
        }
    }

    /// Returns the square with its file mirrored (a-file to h-file).
    ///
    /// ```
    /// use alfil_chess::prelude::*;
    ///
    /// assert_eq!(Square::new(0, 0).mirrored().to_string(), "h1");
    /// ```
    #[must_use]
    pub const fn mirrored(self) -> Square {
        Square(self.0 ^ 7)
    }

    /// Returns the square with its rank mirrored (rank 1 to rank 8).
    ///
    /// ```
    /// use alfil_chess::prelude::*;
    ///
    /// assert_eq!(Square::new(0, 0).flipped().to_string(), "a8");
    /// ```
    #[must_use]
    pub const fn flipped(self) -> Square {
        Square(self.0 ^ 56)
    }
}
