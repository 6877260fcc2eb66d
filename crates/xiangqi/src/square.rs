//! The 90 squares of the board.

use alfil_kernel::{BitSet, Side, define_square};

define_square! {
    /// A square of the board, numbered 0 to 89: rank by rank from Red's back rank, file a to i from Red's left. `a0`
    /// is 0, `i9` is 89.
    ///
    /// `Display` and `FromStr` use the names of UCCI: a file letter and a rank 0 to 9.
    ///
    /// ```
    /// use alfil_xiangqi::Square;
    ///
    /// let cannon: Square = "h2".parse().unwrap();
    /// assert_eq!((cannon.index(), cannon.file(), cannon.rank()), (25, 7, 2));
    /// assert_eq!(cannon.mirrored().to_string(), "b2");
    /// assert!("j0".parse::<Square>().is_err());
    /// ```
    pub struct Square {
        files: 9, ranks: 10, first_rank: 0, expected: "a file a to i and a rank 0 to 9, such as e0"
    }
}

impl Square {
    /// Returns the mirror image of this square: left and right exchanged.
    ///
    /// ```
    /// use alfil_xiangqi::prelude::*;
    ///
    /// assert_eq!(Square::new(0, 0).mirrored().to_string(), "i0");
    /// ```
    #[must_use]
    pub const fn mirrored(self) -> Square {
        Self::new(Self::FILES - 1 - self.file(), self.rank())
    }

    /// Returns this square as the other side sees it: Red's and Black's halves exchanged, left and right kept.
    ///
    /// ```
    /// use alfil_xiangqi::prelude::*;
    ///
    /// assert_eq!(Square::new(0, 0).flipped().to_string(), "a9");
    /// ```
    #[must_use]
    pub const fn flipped(self) -> Square {
        Self::new(self.file(), Self::RANKS - 1 - self.rank())
    }

    /// Returns the side in whose half this square lies: the river runs between ranks 4 and 5.
    ///
    /// ```
    /// use alfil_xiangqi::prelude::*;
    ///
    /// assert_eq!(Square::new(4, 5).half(), Side::Second);
    /// ```
    pub const fn half(self) -> Side {
        if self.rank() < 5 { Side::First } else { Side::Second }
    }

    /// Returns whether this square lies in the palace of `side`: the nine squares d to f on its three back ranks.
    ///
    /// ```
    /// use alfil_xiangqi::prelude::*;
    ///
    /// assert!(Square::new(4, 1).is_in_palace(Side::First));
    /// ```
    pub const fn is_in_palace(self, side: Side) -> bool {
        let rank = match side {
            Side::First => self.rank(),
            Side::Second => Self::RANKS - 1 - self.rank(),
        };
        self.file() >= 3 && self.file() <= 5 && rank <= 2
    }
}

/// A set of squares.
///
/// ```
/// use alfil_xiangqi::prelude::*;
///
/// let game = Xiangqi::new();
/// let rooks = game.position().pieces(Piece::new(Side::First, PieceKind::Rook));
/// let squares: Vec<Square> = rooks.iter().collect();
/// assert_eq!(format!("{squares:?}"), "[a0, i0]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type SquareSet = BitSet<u128, Square>;

/// Returns the square of an index that is known to be valid, such as a member of a [`SquareSet`].
///
/// # Panics
/// If the index is 90 or above.
#[inline(always)]
pub const fn square_at(index: usize) -> Square {
    Square::from_index(index).expect("the index of a square")
}

/// The set of each square alone: a load instead of a shift across two words.
static SINGLE_SQUARES: [SquareSet; Square::COUNT] = {
    let mut table = [SquareSet::new(0); Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        table[index] = SquareSet::new(1 << index);
        index += 1;
    }
    table
};

/// Returns the set that contains only `square`, as [`SquareSet::from_square`] does.
#[inline(always)]
pub(crate) fn single_square(square: Square) -> SquareSet {
    SINGLE_SQUARES[square.index()]
}
