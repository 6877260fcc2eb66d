//! What makes a game: its family of types, and what each of them can say.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{Debug, Display};
use core::hash::Hash;

use crate::errors::{FenError, SetupError};
use crate::outcome::Side;
use crate::position::Position;

/// A point or cell of a board, numbered densely from 0.
pub trait Square: Copy + Eq + Ord + Hash + Debug + Display + Send + Sync + 'static {
    /// The dense number, below [`Game::SQUARES`].
    fn index(self) -> usize;
    /// The square of that number, if there is one.
    fn from_index(index: usize) -> Option<Self>;
    /// The square of that name (`e4`), if there is one.
    fn from_name(name: &str) -> Option<Self>;
}

/// A man: its side and kind, not its identity.
pub trait Piece: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static {
    /// The dense number, below [`Game::PIECES`].
    fn index(self) -> usize;
    /// The piece of that number, if there is one.
    fn from_index(index: usize) -> Option<Self>;
    /// Whose it is.
    fn side(self) -> Side;
    /// Its letter in the game's own position text.
    fn letter(self) -> char;
}

/// A move in two bytes, never zero, so that a table can keep it beside "none".
pub trait Move: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static {
    /// The squares it speaks of.
    type Square: Square;
    /// Any move: it stands in the unused slots of a list and is never read.
    const FILLER: Self;
    /// The two bytes; the total order of moves is the order of these numbers.
    fn bits(self) -> u16;
    /// The move of these bytes, if they can be one; it need not be legal anywhere.
    fn from_bits(bits: u16) -> Option<Self>;
    /// Where the mover stands; none for a move that puts a new piece, or passes.
    fn origin(self) -> Option<Self::Square>;
    /// Where it goes; none for a pass.
    fn target(self) -> Option<Self::Square>;
}

/// The numbers in a position's text that are about the road and not about the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoveCounters {
    /// Plies since the last move that cannot be taken back (the game says which moves these are).
    pub halfmove_clock: u32,
    /// The number of the next move, counted in pairs of plies from 1.
    pub fullmove_number: u32,
}

impl Default for MoveCounters {
    fn default() -> Self {
        MoveCounters { halfmove_clock: 0, fullmove_number: 1 }
    }
}

/// Which complaints about a set-up position are let pass, by name. Some can never be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Waivers {
    /// Every complaint counts.
    #[default]
    None,
    /// Those with these names are let pass.
    Named(Vec<String>),
    /// All that can be waived are.
    All,
}

impl Waivers {
    /// Whether a complaint of this name is let pass.
    pub fn is_waived(&self, name: &str) -> bool {
        match self {
            Waivers::None => false,
            Waivers::Named(names) => names.iter().any(|waived| waived == name),
            Waivers::All => true,
        }
    }
}

/// One thing that is wrong with a set-up position. `Display` says it in a sentence with its squares.
pub trait SetupIssue: Clone + Eq + Debug + Display + Send + Sync + 'static {
    /// The name by which it is waived.
    fn name(&self) -> &'static str;
    /// Whether it can be waived at all.
    fn is_waivable(&self) -> bool;
    /// The names of the squares concerned, for a page that marks them.
    fn squares(&self) -> Vec<String>;
}

/// A position as written down: nothing is judged yet.
pub trait Setup: Clone + Eq + Debug + Send + Sync + 'static {
    /// What can be wrong with one.
    type Issue: SetupIssue;
    /// What a reader of its text can have expected where it stopped. `Display` says it in words. Games whose texts are alike
    /// (chess, xiangqi) have lists alike, each its own on purpose: the rooms of two games never import each other.
    type Expected: Clone + Eq + Debug + Display + Send + Sync + 'static;
    /// The names of the complaints that can be waived.
    const WAIVABLE: &'static [&'static str];

    /// The position a game starts from.
    fn start() -> Self;

    /// Reads the game's own position text.
    ///
    /// # Errors
    /// With the byte offset, what was expected there and what stood there.
    fn parse(text: &str) -> Result<Self, FenError<Self::Expected>>;

    /// The game's own position text, in the form that [`Setup::read`] takes back unchanged.
    fn to_text(&self) -> String;

    /// The numbers about the road.
    fn counters(&self) -> MoveCounters;

    /// The same position with other numbers about the road.
    #[must_use]
    fn with_counters(self, counters: MoveCounters) -> Self;

    /// Everything that is wrong with it, in the order of the squares.
    fn issues(&self) -> Vec<Self::Issue>;

    /// Nothing, if a board may be made of it.
    ///
    /// # Errors
    /// The complaints that are not waived.
    fn validate(&self, waivers: &Waivers) -> Result<(), SetupError<Self::Issue>> {
        let mut complaints = self.issues();
        complaints.retain(|complaint| !(complaint.is_waivable() && waivers.is_waived(complaint.name())));
        if complaints.is_empty() { Ok(()) } else { Err(SetupError { issues: complaints }) }
    }
}

/// A game: an empty type that names its family.
pub trait Game: Copy + Eq + Debug + Send + Sync + 'static {
    /// The lower-case name used on every command line: `xiangqi`.
    const NAME: &'static str;
    /// The number of squares.
    const SQUARES: usize;
    /// The number of different pieces, both sides together.
    const PIECES: usize;

    /// Where.
    type Square: Square;
    /// What.
    type Piece: Piece;
    /// From where to where.
    type Move: Move<Square = Self::Square>;
    /// A position as written.
    type Setup: Setup;
    /// Why a game ended.
    type Cause: Copy + Eq + Debug + Display + Send + Sync + 'static;

    /// The board that is an array of squares.
    type Mailbox: Position<Game = Self>;
    /// The board that is a few sets of squares.
    type Bitboard: Position<Game = Self>;
}
