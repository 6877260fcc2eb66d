//! The 64 squares of the board.

use core::fmt;
use core::str::FromStr;

use alfil_kernel::{BitSet, Side};

/// A set of squares; bit 0 is a1, bit 63 is h8.
pub type SquareSet = BitSet<u64>;

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
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The number of squares.
    pub const COUNT: usize = 64;
    /// The number of files.
    pub const FILES: usize = 8;
    /// The number of ranks.
    pub const RANKS: usize = 8;

    /// Creates the square on a file (0 is the a-file) and rank (0 is White's back rank).
    ///
    /// # Panics
    /// If the file or the rank is off the board.
    pub const fn new(file: usize, rank: usize) -> Square {
        assert!(file < Self::FILES && rank < Self::RANKS, "file and rank must be on the board");
        Square((rank * Self::FILES + file) as u8)
    }

    /// Returns the square on this file and rank; none if it is off the board.
    pub const fn from_coordinates(file: isize, rank: isize) -> Option<Square> {
        if file < 0 || file >= Self::FILES as isize || rank < 0 || rank >= Self::RANKS as isize {
            return None;
        }
        Some(Square((rank * Self::FILES as isize + file) as u8))
    }

    /// Returns the square with this number; none from 64 on.
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < Self::COUNT { Some(Square(index as u8)) } else { None }
    }

    /// Returns the square whose number is the six low bits of `bits`. No range check is needed.
    #[inline(always)]
    pub const fn from_low_bits(bits: usize) -> Square {
        Square((bits & 63) as u8)
    }

    /// Iterates over all squares in ascending order of their numbers.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..Self::COUNT as u8).map(Square)
    }

    /// The number of the square, 0 to 63.
    #[inline(always)]
    pub const fn index(self) -> usize {
        // The constructors guarantee this range; the mask lets the compiler drop the bounds checks of table accesses.
        (self.0 & 63) as usize
    }

    /// The file, 0 for the a-file to 7 for the h-file.
    #[inline(always)]
    pub const fn file(self) -> usize {
        (self.0 & 7) as usize
    }

    /// The rank, 0 for White's back rank to 7 for Black's.
    #[inline(always)]
    pub const fn rank(self) -> usize {
        (self.0 >> 3 & 7) as usize
    }

    /// The rank as counted from the back rank of `side`, which is 0.
    #[inline(always)]
    pub const fn relative_rank(self, side: Side) -> usize {
        match side {
            Side::First => self.rank(),
            Side::Second => 7 - self.rank(),
        }
    }

    /// Returns the square at an offset of files and ranks; none if it is off the board.
    pub const fn step(self, files: isize, ranks: isize) -> Option<Square> {
        Self::from_coordinates(self.file() as isize + files, self.rank() as isize + ranks)
    }

    /// Returns the square with its file mirrored (a-file to h-file).
    #[must_use]
    pub const fn mirrored(self) -> Square {
        Square(self.0 ^ 7)
    }

    /// Returns the square with its rank mirrored (rank 1 to rank 8).
    #[must_use]
    pub const fn flipped(self) -> Square {
        Square(self.0 ^ 56)
    }
}

impl alfil_kernel::Square for Square {
    #[inline(always)]
    fn index(self) -> usize {
        self.index()
    }

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

/// The error for a text that is not a square name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a square: expected a file a to h and a rank 1 to 8, such as e4")]
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
