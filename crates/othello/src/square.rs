//! The 64 squares of the board.

use core::fmt;
use core::str::FromStr;

/// A square with an index from 0 (`a1`) to 63 (`h8`): row by row from the top, columns a to h from the left.
///
/// ```
/// use alfil_othello::Square;
///
/// let square: Square = "f5".parse().unwrap();
/// assert_eq!((square.index(), square.file(), square.rank()), (37, 5, 4));
/// assert!("i1".parse::<Square>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The number of squares.
    pub const COUNT: usize = 64;
    /// The number of columns.
    pub const FILES: usize = 8;
    /// The number of rows.
    pub const RANKS: usize = 8;

    /// Creates the square of a column (0 = a) and a row (0 = the top row, written 1).
    ///
    /// # Panics
    /// If the column or the row is not below 8.
    pub const fn new(file: usize, rank: usize) -> Square {
        assert!(file < Self::FILES && rank < Self::RANKS, "file and rank must be below 8");
        Square((rank * Self::FILES + file) as u8)
    }

    /// Returns the square of a column and a row, or `None` if it is not on the board.
    pub const fn from_coordinates(file: isize, rank: isize) -> Option<Square> {
        if file < 0 || file >= Self::FILES as isize || rank < 0 || rank >= Self::RANKS as isize {
            return None;
        }
        Some(Square((rank * Self::FILES as isize + file) as u8))
    }

    /// Returns the square of an index, or `None` if the index is not below 64.
    #[inline(always)]
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < Self::COUNT { Some(Square(index as u8)) } else { None }
    }

    /// Returns all squares in the order of their indices.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..Self::COUNT as u8).map(Square)
    }

    /// Returns the index of the square, 0 to 63.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the column: 0 for column a, at the left.
    #[inline(always)]
    pub const fn file(self) -> usize {
        self.0 as usize % Self::FILES
    }

    /// Returns the row: 0 for the top row, which is written 1.
    #[inline(always)]
    pub const fn rank(self) -> usize {
        self.0 as usize / Self::FILES
    }

    /// Returns the square that is `files` columns and `ranks` rows away, or `None` if it is not on the board.
    pub const fn step(self, files: isize, ranks: isize) -> Option<Square> {
        Self::from_coordinates(self.file() as isize + files, self.rank() as isize + ranks)
    }
}

impl alfil_kernel::Square for Square {
    #[inline(always)]
    fn index(self) -> usize {
        self.index()
    }

    #[inline(always)]
    fn from_index(index: usize) -> Option<Self> {
        Self::from_index(index)
    }

    fn from_name(name: &str) -> Option<Self> {
        match *name.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
                Some(Self::new((file - b'a') as usize, (rank - b'1') as usize))
            }
            _ => None,
        }
    }
}

/// The error of a text that is not the name of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a square: a column a to h and a row 1 to 8, such as f5")]
pub struct ParseSquareError;

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(name: &str) -> Result<Self, ParseSquareError> {
        alfil_kernel::Square::from_name(name).ok_or(ParseSquareError)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file() as u8), self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
