//! The square type of a rectangular board, written once for all games.

use core::error::Error;
use core::fmt;

/// The error for a text that is not the name of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseSquareError {
    /// The form of a square name in the game.
    pub expected: &'static str,
}

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a square: expected {}", self.expected)
    }
}

impl Error for ParseSquareError {}

/// Defines the square type of a board with numbered squares, rank by rank and file by file from 0.
///
/// A name is a file letter from `a` on and a rank digit; `first_rank` is the digit of rank 0. The type has
/// `new`, `from_coordinates`, `from_index`, `all`, `index`, `file`, `rank` and `step`, and implements
/// [`Square`](crate::Square), `FromStr`, `Display` and `Debug`. The examples in its documentation need at least three
/// files and three ranks.
///
/// ```
/// alfil_kernel::define_square! {
///     /// A square of tic-tac-toe.
///     pub struct Square { files: 3, ranks: 3, first_rank: 1, expected: "a file a to c and a rank 1 to 3, such as b2" }
/// }
/// let square: Square = "b3".parse()?;
/// assert_eq!((square.index(), square.file(), square.rank()), (7, 1, 2));
/// assert_eq!(square.step(1, -1), Some(Square::new(2, 1)));
/// assert!("d1".parse::<Square>().is_err());
/// # Ok::<(), alfil_kernel::ParseSquareError>(())
/// ```
#[macro_export]
macro_rules! define_square {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident {
            files: $files:literal, ranks: $ranks:literal, first_rank: $first_rank:literal, expected: $expected:literal
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visibility struct $name(u8);

        impl $name {
            /// The number of squares.
            pub const COUNT: usize = Self::FILES * Self::RANKS;
            /// The number of files.
            pub const FILES: usize = $files;
            /// The number of ranks.
            pub const RANKS: usize = $ranks;

            /// Creates the square on a file and a rank, both from 0.
            ///
            /// # Panics
            /// If the file or the rank is off the board.
            ///
            /// ```
            #[doc = concat!("use ", module_path!(), "::", stringify!($name), ";")]
            ///
            #[doc = concat!("let square = ", stringify!($name), "::new(2, 1);")]
            /// assert_eq!((square.file(), square.rank()), (2, 1));
            /// ```
            pub const fn new(file: usize, rank: usize) -> Self {
                assert!(file < Self::FILES && rank < Self::RANKS, "file and rank must be on the board");
                $name((rank * Self::FILES + file) as u8)
            }

            /// Returns the square on a file and a rank; none if it is off the board.
            ///
            /// ```
            #[doc = concat!("use ", module_path!(), "::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert!(", stringify!($name), "::from_coordinates(2, 1).is_some());")]
            #[doc = concat!("assert!(", stringify!($name), "::from_coordinates(-1, 1).is_none());")]
            /// ```
            pub const fn from_coordinates(file: isize, rank: isize) -> Option<Self> {
                if file < 0 || file >= Self::FILES as isize || rank < 0 || rank >= Self::RANKS as isize {
                    return None;
                }
                Some($name((rank * Self::FILES as isize + file) as u8))
            }

            /// Returns the square with this index; none from [`Self::COUNT`] on.
            ///
            /// ```
            #[doc = concat!("use ", module_path!(), "::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_index(0), Some(", stringify!($name), "::new(0, 0)));")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_index(", stringify!($name), "::COUNT), None);")]
            /// ```
            #[inline(always)]
            pub const fn from_index(index: usize) -> Option<Self> {
                if index < Self::COUNT { Some($name(index as u8)) } else { None }
            }

            /// Iterates over all squares in ascending order.
            ///
            /// ```
            #[doc = concat!("use ", module_path!(), "::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::all().len(), ", stringify!($name), "::COUNT);")]
            /// ```
            pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
                (0..Self::COUNT as u8).map($name)
            }

            /// Returns the index of the square, below [`Self::COUNT`].
            ///
            /// ```
            #[doc = concat!("use ", module_path!(), "::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::new(2, 0).index(), 2);")]
            /// ```
            #[inline(always)]
            pub const fn index(self) -> usize {
                // The constructors guarantee the range; the mask lets the compiler drop bounds checks of tables.
                if Self::COUNT.is_power_of_two() { self.0 as usize & (Self::COUNT - 1) } else { self.0 as usize }
            }

            /// Returns the file, 0 for the a-file.
            ///
            /// ```
            #[doc = concat!("use ", module_path!(), "::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::new(2, 1).file(), 2);")]
            /// ```
            #[inline(always)]
            pub const fn file(self) -> usize {
                self.index() % Self::FILES
            }

            /// Returns the rank, from 0.
            ///
            /// ```
            #[doc = concat!("use ", module_path!(), "::", stringify!($name), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($name), "::new(2, 1).rank(), 1);")]
            /// ```
            #[inline(always)]
            pub const fn rank(self) -> usize {
                self.index() / Self::FILES
            }

            /// Returns the square at an offset of files and ranks; none if it is off the board.
            ///
            /// ```
            #[doc = concat!("use ", module_path!(), "::", stringify!($name), ";")]
            ///
            #[doc = concat!("let square = ", stringify!($name), "::new(0, 0);")]
            #[doc = concat!("assert_eq!(square.step(1, 2), Some(", stringify!($name), "::new(1, 2)));")]
            /// assert_eq!(square.step(-1, 0), None);
            /// ```
            pub const fn step(self, files: isize, ranks: isize) -> Option<Self> {
                Self::from_coordinates(self.file() as isize + files, self.rank() as isize + ranks)
            }
        }

        impl $crate::Square for $name {
            #[inline(always)]
            fn index(self) -> usize {
                self.index()
            }

            #[inline(always)]
            fn from_index(index: usize) -> Option<Self> {
                Self::from_index(index)
            }

            fn from_name(name: &str) -> Option<Self> {
                let [file, rank] = *name.as_bytes() else { return None };
                let (file, rank) = (file.checked_sub(b'a')?.into(), rank.checked_sub(b'0' + $first_rank)?.into());
                if file < Self::FILES && rank < Self::RANKS { Some(Self::new(file, rank)) } else { None }
            }
        }

        impl $crate::bit_set::BitIndex for $name {
            #[inline(always)]
            fn from_bit(index: u32) -> Self {
                // One check here, where the compiler cannot see the range, spares those of the tables.
                if Self::COUNT.is_power_of_two() {
                    $name((index as usize & (Self::COUNT - 1)) as u8)
                } else {
                    Self::from_index(index as usize).expect("a set holds squares of the board only")
                }
            }

            #[inline(always)]
            fn to_bit(self) -> u32 {
                self.index() as u32
            }
        }

        impl ::core::str::FromStr for $name {
            type Err = $crate::ParseSquareError;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                $crate::Square::from_name(name).ok_or($crate::ParseSquareError { expected: $expected })
            }
        }

        $crate::impl_serde_as_text!($name, "the name of a square");

        impl ::core::fmt::Display for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                write!(f, "{}{}", char::from(b'a' + self.file() as u8), self.rank() + $first_rank)
            }
        }

        impl ::core::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(self, f)
            }
        }
    };
}
