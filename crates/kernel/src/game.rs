//! The family of types that makes a game.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{Debug, Display};
use core::hash::Hash;
use core::str::FromStr;

use crate::errors::{FenError, SetupError, UnknownWaiverError};
use crate::outcome::Side;

/// A square of a board, with a dense index from 0.
pub trait Square: Copy + Eq + Ord + Hash + Debug + Display + Send + Sync + 'static {
    /// Returns the dense index, below [`Game::SQUARES`].
    fn index(self) -> usize;
    /// Returns the square with this index.
    fn from_index(index: usize) -> Option<Self>;
    /// Returns the square with this name (`e4`).
    fn from_name(name: &str) -> Option<Self>;
}

/// A piece: a side and a kind.
pub trait Piece: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static {
    /// Returns the dense index, below [`Game::PIECES`].
    fn index(self) -> usize;
    /// Returns the piece with this index.
    fn from_index(index: usize) -> Option<Self>;
    /// Returns the side to which the piece belongs.
    fn side(self) -> Side;
    /// Returns the letter of the piece in the game's position text.
    fn letter(self) -> char;
}

/// An unsigned integer that can hold a move.
pub trait MoveBits: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static {
    /// The number of bits, at most 32.
    const WIDTH: u32;
    /// Returns the bits as the lower end of a wider number.
    fn to_u64(self) -> u64;
    /// Returns the lowest [`MoveBits::WIDTH`] bits of a number.
    fn from_u64(bits: u64) -> Self;
}

macro_rules! impl_move_bits {
    ($($type:ty),*) => {$(
        impl MoveBits for $type {
            const WIDTH: u32 = <$type>::BITS;
            #[inline(always)]
            fn to_u64(self) -> u64 { u64::from(self) }
            #[inline(always)]
            fn from_u64(bits: u64) -> Self { bits as $type }
        }
    )*};
}

impl_move_bits!(u16, u32);

/// A move in a few bits that are never all zero, so that tables can use zero for "no move". `Display` writes its
/// coordinates and `FromStr` reads them; only a position knows whether the move is legal.
pub trait Move: Copy + Eq + Ord + Hash + Debug + Display + FromStr + Send + Sync + 'static {
    /// The square type of the game.
    type Square: Square;
    /// The integer that holds the bits: `u16` if they fit, because a wider move weakens the keys of hash tables.
    type Bits: MoveBits;
    /// The array of a [`MoveList`](crate::MoveList), long enough for the moves of every position.
    type Array: AsRef<[Self]> + AsMut<[Self]> + Clone + Send + Sync;
    /// An array of arbitrary moves, which are never read.
    const FILLER: Self::Array;
    /// Returns the bits. Moves are ordered by this number.
    fn bits(self) -> Self::Bits;
    /// Returns the move with these bits, or `None` if they do not encode a move. It need not be legal anywhere.
    fn from_bits(bits: Self::Bits) -> Option<Self>;
    /// Returns the square that the piece leaves; `None` for a pass or a move that puts a new piece on the board.
    fn origin(self) -> Option<Self::Square>;
    /// Returns the square on which the piece arrives; `None` for a pass.
    fn target(self) -> Option<Self::Square>;
}

/// The move counters of a position text. They describe the game's history, not the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoveCounters {
    /// The number of plies since the last irreversible move; each game defines which moves are irreversible.
    pub halfmove_clock: u32,
    /// The full-move number: it starts at 1 and grows after each move of the second side.
    pub fullmove_number: u32,
}

impl Default for MoveCounters {
    fn default() -> Self {
        MoveCounters { halfmove_clock: 0, fullmove_number: 1 }
    }
}

/// A kind of setup issue that can be waived; each game has its own enum of them, made by [`define_waivers!`].
///
/// [`define_waivers!`]: crate::define_waivers
pub trait Waiver:
    Copy + Eq + Debug + Display + FromStr<Err = UnknownWaiverError> + Send + Sync + 'static
{
    /// All waivers of the game, at most 32.
    const ALL: &'static [Self];
    /// Their names, in the same order.
    const NAMES: &'static [&'static str];
    /// Returns the index in [`Waiver::ALL`].
    fn index(self) -> usize;

    /// Returns the name.
    fn name(self) -> &'static str {
        Self::NAMES[self.index()]
    }
}

/// Defines the enum of the [`Waiver`]s of a game, with the name of each, which `Display` writes and `FromStr` reads.
///
/// ```
/// use alfil_kernel::Waiver as _;
///
/// alfil_kernel::define_waivers! {
///     /// An issue of tic-tac-toe that can be waived.
///     pub enum Waiver {
///         /// One side has two moves more than the other.
///         TooManyMoves = "too_many_moves",
///     }
/// }
/// assert_eq!("too_many_moves".parse(), Ok(Waiver::TooManyMoves));
/// assert_eq!(Waiver::NAMES, ["too_many_moves"]);
/// ```
#[macro_export]
macro_rules! define_waivers {
    (
        $(#[$attribute:meta])*
        $visibility:vis enum $waiver:ident { $($(#[$variant_attribute:meta])* $variant:ident = $name:literal,)* }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        $visibility enum $waiver { $($(#[$variant_attribute])* $variant,)* }

        impl $crate::Waiver for $waiver {
            const ALL: &'static [Self] = &[$($waiver::$variant),*];
            const NAMES: &'static [&'static str] = &[$($name),*];

            fn index(self) -> usize {
                match self {
                    $($waiver::$variant => $waiver::$variant as usize,)*
                }
            }
        }

        impl ::core::fmt::Display for $waiver {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str($crate::Waiver::name(*self))
            }
        }

        impl ::core::str::FromStr for $waiver {
            type Err = $crate::UnknownWaiverError;

            fn from_str(name: &str) -> ::core::result::Result<Self, Self::Err> {
                match name {
                    $($name => Ok($waiver::$variant),)*
                    _ => Err($crate::UnknownWaiverError {
                        name: name.into(),
                        known: <Self as $crate::Waiver>::NAMES,
                    }),
                }
            }
        }
    };
}

/// The setup issues that are waived. Some issues cannot be waived.
///
/// Those of a game are made from an array of its [`Waiver`]s, or collected:
///
/// ```
/// use alfil_kernel::Waivers;
/// # alfil_kernel::define_waivers! { enum Waiver { Castling = "castling", EnPassant = "en_passant", } }
///
/// let both: Waivers = [Waiver::Castling, Waiver::EnPassant].into();
/// assert_eq!(both, ["castling", "en_passant"].iter().map(|name| name.parse::<Waiver>().unwrap()).collect());
/// assert_eq!(Waivers::None, <[Waiver; 0]>::into([]));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Waivers {
    /// No issue is waived.
    #[default]
    None,
    /// These issues of a game are waived.
    Some(WaiverSet),
    /// All issues that can be waived are.
    All,
}

/// A set of waivers of a game: bit `n` is [`Waiver::ALL`]`[n]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WaiverSet(u32);

impl<W: Waiver> FromIterator<W> for Waivers {
    fn from_iter<I: IntoIterator<Item = W>>(waivers: I) -> Self {
        match waivers.into_iter().fold(0, |set, waiver| set | 1 << waiver.index()) {
            0 => Waivers::None,
            set => Waivers::Some(WaiverSet(set)),
        }
    }
}

impl<W: Waiver, const N: usize> From<[W; N]> for Waivers {
    fn from(waivers: [W; N]) -> Self {
        waivers.into_iter().collect()
    }
}

/// An issue of a setup. Its `Display` is a sentence that names the squares.
pub trait SetupIssue: Clone + Eq + Debug + Display + Send + Sync + 'static {
    /// The issues of the game that can be waived.
    type Waiver: Waiver;

    /// Returns the waiver of the issue, or the name of an issue that cannot be waived.
    ///
    /// # Errors
    /// If it cannot be waived.
    fn waiver_or_name(&self) -> Result<Self::Waiver, &'static str>;
    /// Returns the names of the affected squares, so that an interface can mark them.
    fn squares(&self) -> Vec<String>;

    /// Returns the waiver of the issue; none if it cannot be waived.
    fn waiver(&self) -> Option<Self::Waiver> {
        self.waiver_or_name().ok()
    }

    /// Returns the name of the issue, which is that of its waiver.
    fn name(&self) -> &'static str {
        self.waiver_or_name().map_or_else(|name| name, Waiver::name)
    }

    /// Returns whether the issue can be waived.
    fn is_waivable(&self) -> bool {
        self.waiver().is_some()
    }

    /// Returns whether the issue is waived.
    fn is_waived(&self, waivers: &Waivers) -> bool {
        self.waiver().is_some_and(|waiver| match waivers {
            Waivers::None => false,
            Waivers::Some(WaiverSet(set)) => set >> waiver.index() & 1 != 0,
            Waivers::All => true,
        })
    }

    /// Returns the waivers with these names; `all` waives every issue that can be waived.
    ///
    /// # Errors
    /// The first name that is no waiver of the game.
    fn parse_waivers(names: &[impl AsRef<str>]) -> Result<Waivers, UnknownWaiverError> {
        let names = names.iter().map(AsRef::as_ref);
        let waivers = names.clone().filter(|&name| name != "all").map(str::parse::<Self::Waiver>);
        let waivers = waivers.collect::<Result<Waivers, _>>()?;
        Ok(if names.clone().any(|name| name == "all") { Waivers::All } else { waivers })
    }
}

/// A position as written, perhaps impossible.
pub trait Setup: Clone + Eq + Debug + Send + Sync + 'static {
    /// The issues that a setup of this game can have.
    type Issue: SetupIssue;
    /// What the parser of the position text can expect at a byte; `Display` writes it in English. The lists of chess
    /// and xiangqi are similar but separate on purpose, because the game crates do not depend on each other.
    type Expected: Clone + Eq + Debug + Display + Send + Sync + 'static;

    /// Returns the start position of the game.
    fn start() -> Self;

    /// Parses the game's position text.
    ///
    /// # Errors
    /// With the byte offset, what was expected there and what was found.
    fn parse(text: &str) -> Result<Self, FenError<Self::Expected>>;

    /// Returns the game's position text; [`Setup::parse`] reads it back unchanged.
    fn to_text(&self) -> String;

    /// Returns the move counters.
    fn counters(&self) -> MoveCounters;

    /// Returns this setup with other move counters.
    #[must_use]
    fn with_counters(self, counters: MoveCounters) -> Self;

    /// Returns all issues of the setup.
    fn issues(&self) -> Vec<Self::Issue>;

    /// Checks that a board can be made of this setup.
    ///
    /// # Errors
    /// The issues that are not waived.
    fn validate(&self, waivers: &Waivers) -> Result<(), SetupError<Self::Issue>> {
        let mut issues = self.issues();
        issues.retain(|issue| !issue.is_waived(waivers));
        if issues.is_empty() { Ok(()) } else { Err(SetupError { issues }) }
    }
}

/// A game: a type that names its family of types. In the game crates it is the type of a game that is played.
pub trait Game: Clone + Eq + Debug + Send + Sync + 'static {
    /// The lower-case name on the command line: `xiangqi`.
    const NAME: &'static str;
    /// The number of squares.
    const SQUARES: usize;
    /// The number of different pieces, both sides together.
    const PIECES: usize;

    /// The square type.
    type Square: Square;
    /// The piece type.
    type Piece: Piece;
    /// The move type.
    type Move: Move<Square = Self::Square>;
    /// The setup type.
    type Setup: Setup;
    /// The reasons for which a game of this kind can end.
    type Cause: Copy + Eq + Debug + Display + Send + Sync + 'static;
}
