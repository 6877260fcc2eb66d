//! Where: the 64 squares.

use core::fmt;
use core::str::FromStr;

use alfil_kernel::Side;

/// A square, numbered 0 to 63: rank by rank from White's back rank, file a to h from White's left. `a1` is 0, `h8` is 63.
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

    /// The square on this file (0 = a) and rank (0 = White's back rank).
    ///
    /// # Panics
    /// If there is no such square.
    pub const fn new(file: usize, rank: usize) -> Square {
        assert!(file < Self::FILES && rank < Self::RANKS, "a square of the board");
        Square((rank * Self::FILES + file) as u8)
    }

    /// The square on this file and rank, if both are on the board.
    pub const fn from_coordinates(file: isize, rank: isize) -> Option<Square> {
        if file < 0 || file >= Self::FILES as isize || rank < 0 || rank >= Self::RANKS as isize {
            return None;
        }
        Some(Square((rank * Self::FILES as isize + file) as u8))
    }

    /// The square of that number, if it is below 64.
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < Self::COUNT { Some(Square(index as u8)) } else { None }
    }

    /// The square of the six low bits of a number: no test is needed.
    #[inline(always)]
    pub const fn from_low_bits(bits: usize) -> Square {
        Square((bits & 63) as u8)
    }

    /// Every square, in the order of their numbers.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..Self::COUNT as u8).map(Square)
    }

    /// 0 to 63.
    #[inline(always)]
    pub const fn index(self) -> usize {
        // The mask tells the compiler what the constructors promise, and spares the bounds checks of tables.
        (self.0 & 63) as usize
    }

    /// 0 for the a-file, at White's left.
    #[inline(always)]
    pub const fn file(self) -> usize {
        (self.0 & 7) as usize
    }

    /// 0 for White's back rank, 7 for Black's.
    #[inline(always)]
    pub const fn rank(self) -> usize {
        (self.0 >> 3 & 7) as usize
    }

    /// The rank as this side counts it: 0 for its own back rank.
    #[inline(always)]
    pub const fn relative_rank(self, side: Side) -> usize {
        match side {
            Side::First => self.rank(),
            Side::Second => 7 - self.rank(),
        }
    }

    /// The square that many files and ranks further, if it is on the board.
    pub const fn step(self, files: isize, ranks: isize) -> Option<Square> {
        Self::from_coordinates(self.file() as isize + files, self.rank() as isize + ranks)
    }

    /// The same square seen in a mirror: the a-file and the h-file exchanged.
    #[must_use]
    pub const fn mirrored(self) -> Square {
        Square(self.0 ^ 7)
    }

    /// The same square seen from the other side of the board, files kept: White's and Black's ranks exchanged.
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

/// The text names no square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a square is a file a to h and a rank 1 to 8, such as e4")]
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
