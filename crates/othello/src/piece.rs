//! The discs: black or white side up.

use core::fmt;

use alfil_kernel::Side;

/// A disc of one side; [`Side::First`] is Black.
///
/// ```
/// use alfil_othello::Piece;
///
/// let disc = Piece::from_letter('*').unwrap();
/// assert_eq!((disc, disc.letter(), disc.swapped().letter()), (Piece::BLACK, 'X', 'O'));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece(Side);

impl Piece {
    /// The number of kinds of discs.
    pub const COUNT: usize = 2;
    /// A disc with its black side up.
    pub const BLACK: Piece = Piece(Side::First);
    /// A disc with its white side up.
    pub const WHITE: Piece = Piece(Side::Second);

    /// Returns the disc of a side.
    ///
    /// ```
    /// use alfil_othello::prelude::*;
    ///
    /// assert_eq!(Piece::new(Side::First), Piece::BLACK);
    /// ```
    #[inline(always)]
    pub const fn new(side: Side) -> Piece {
        Piece(side)
    }

    /// Returns the disc of an index: 0 is black, 1 is white.
    ///
    /// ```
    /// use alfil_othello::prelude::*;
    ///
    /// assert_eq!((Piece::from_index(1), Piece::from_index(2)), (Some(Piece::WHITE), None));
    /// ```
    pub const fn from_index(index: usize) -> Option<Piece> {
        match index {
            0 => Some(Piece::BLACK),
            1 => Some(Piece::WHITE),
            _ => None,
        }
    }

    /// Returns the index of the disc: 0 is black, 1 is white.
    ///
    /// ```
    /// use alfil_othello::prelude::*;
    ///
    /// assert_eq!(Piece::WHITE.index(), 1);
    /// ```
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0.index()
    }

    /// Returns the side of the disc.
    ///
    /// ```
    /// use alfil_othello::prelude::*;
    ///
    /// assert_eq!(Piece::WHITE.side(), Side::Second);
    /// ```
    #[inline(always)]
    pub const fn side(self) -> Side {
        self.0
    }

    /// Returns the disc after a flip, that of the other side.
    ///
    /// ```
    /// use alfil_othello::prelude::*;
    ///
    /// assert_eq!(Piece::WHITE.swapped(), Piece::BLACK);
    /// ```
    #[inline(always)]
    #[must_use]
    pub const fn swapped(self) -> Piece {
        Piece(self.0.other())
    }

    /// Returns the letter of the disc: `X` for Black, `O` for White.
    ///
    /// ```
    /// use alfil_othello::prelude::*;
    ///
    /// assert_eq!(Piece::WHITE.letter(), 'O');
    /// ```
    pub const fn letter(self) -> char {
        match self.0 {
            Side::First => 'X',
            Side::Second => 'O',
        }
    }

    /// Returns the disc of a letter in any of the position formats: `X x * B b` for Black, `O o W w` for White.
    ///
    /// ```
    /// use alfil_othello::prelude::*;
    ///
    /// assert_eq!(Piece::from_letter('*'), Some(Piece::BLACK));
    /// ```
    pub const fn from_letter(letter: char) -> Option<Piece> {
        match letter {
            'X' | 'x' | '*' | 'B' | 'b' => Some(Piece::BLACK),
            'O' | 'o' | 'W' | 'w' => Some(Piece::WHITE),
            _ => None,
        }
    }

    /// Returns the name of the side, `Black` or `White`.
    ///
    /// ```
    /// use alfil_othello::prelude::*;
    ///
    /// assert_eq!(Piece::WHITE.name(), "White");
    /// ```
    pub const fn name(self) -> &'static str {
        match self.0 {
            Side::First => "Black",
            Side::Second => "White",
        }
    }
}

alfil_kernel::impl_piece!(Piece);

/// Formats the disc as `Black disc`.
impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} disc", self.name())
    }
}
