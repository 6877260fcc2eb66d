//! The 90 squares of the board.

use core::fmt;
use core::str::FromStr;

use alfil_kernel::{BitSet, Side};

/// A square of the board, numbered 0 to 89: rank by rank from Red's back rank, file a to i from Red's left. `a0` is 0,
/// `i9` is 89.
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
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The number of squares.
    pub const COUNT: usize = 90;
    /// The number of files.
    pub const FILES: usize = 9;
    /// The number of ranks.
    pub const RANKS: usize = 10;

    /// Returns the square on a file (0 = a) and a rank (0 = Red's back rank).
    ///
    /// # Panics
    /// If there is no such square.
    pub const fn new(file: usize, rank: usize) -> Square {
        assert!(file < Self::FILES && rank < Self::RANKS, "no such square on the board");
        Square((rank * Self::FILES + file) as u8)
    }

    /// Returns the square on a file and a rank, if both are on the board.
    pub const fn from_coordinates(file: isize, rank: isize) -> Option<Square> {
        if file < 0 || file >= Self::FILES as isize || rank < 0 || rank >= Self::RANKS as isize {
            return None;
        }
        Some(Square((rank * Self::FILES as isize + file) as u8))
    }

    /// Returns the square of an index, if it is below 90.
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < Self::COUNT { Some(Square(index as u8)) } else { None }
    }

    /// Returns all squares in the order of their indices.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..Self::COUNT as u8).map(Square)
    }

    /// Returns the index, 0 to 89.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the file: 0 for the a-file, at Red's left.
    #[inline(always)]
    pub const fn file(self) -> usize {
        self.0 as usize % Self::FILES
    }

    /// Returns the rank: 0 for Red's back rank, 9 for Black's.
    #[inline(always)]
    pub const fn rank(self) -> usize {
        self.0 as usize / Self::FILES
    }

    /// Returns the square that many files and ranks further, if it is on the board.
    pub const fn step(self, files: isize, ranks: isize) -> Option<Square> {
        Self::from_coordinates(self.file() as isize + files, self.rank() as isize + ranks)
    }

    /// Returns the mirror image of this square: left and right exchanged.
    #[must_use]
    pub const fn mirrored(self) -> Square {
        Self::new(Self::FILES - 1 - self.file(), self.rank())
    }

    /// Returns this square as the other side sees it: Red's and Black's halves exchanged, left and right kept.
    #[must_use]
    pub const fn flipped(self) -> Square {
        Self::new(self.file(), Self::RANKS - 1 - self.rank())
    }

    /// Returns the side in whose half this square lies: the river runs between ranks 4 and 5.
    pub const fn half(self) -> Side {
        if self.rank() < 5 { Side::First } else { Side::Second }
    }

    /// Returns whether this square lies in the palace of `side`: the nine squares d to f on its three back ranks.
    pub const fn is_in_palace(self, side: Side) -> bool {
        let rank = match side {
            Side::First => self.rank(),
            Side::Second => Self::RANKS - 1 - self.rank(),
        };
        self.file() >= 3 && self.file() <= 5 && rank <= 2
    }
}

/// A set of squares.
pub type SquareSet = BitSet<u128>;

/// Returns the square of an index that is known to be valid, such as a member of a [`SquareSet`].
///
/// # Panics
/// If the index is 90 or above.
#[inline(always)]
pub const fn square_at(index: usize) -> Square {
    Square::from_index(index).expect("the index of a square")
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
            [file @ b'a'..=b'i', rank @ b'0'..=b'9'] => {
                Some(Self::new((file - b'a') as usize, (rank - b'0') as usize))
            }
            _ => None,
        }
    }
}

/// The error of a text that is not the name of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a file a to i and a rank 0 to 9, such as e0")]
pub struct ParseSquareError;

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(name: &str) -> Result<Self, ParseSquareError> {
        alfil_kernel::Square::from_name(name).ok_or(ParseSquareError)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file() as u8), self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
