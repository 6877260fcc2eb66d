//! Xiangqi: 9x10 points, palaces and a river; Red moves first.
//!
//! This room holds the rules, twice over: [`Mailbox`] and [`Bitboard`] are independent boards that prove each other.
//! Setup, text, laws and evaluation are written once, over [`Board`]. It knows no other game, no search, no clock.
//!
//! A FEN is read, its moves are listed, they are played by their names, and a repetition is judged:
//!
//! ```
//! use alfil_xiangqi::kernel::{Laws, Line, Notation, Outcome, Position, Setup as _, Side, Waivers};
//! use alfil_xiangqi::{Bitboard, Cause, Ruleset, Setup, Words, notation::Dialect};
//!
//! // The chariot checks, the general steps aside, the chariot checks again.
//! let setup = Setup::read("3k5/8R/9/9/9/9/9/9/9/4K4 w")?;
//! let mut game = Line::<Bitboard>::new(&setup, &Waivers::None)?;
//! assert_eq!(game.position().legal_moves().len(), 19);
//! let check = Words::read(game.position(), "车一进一", Dialect::Chinese)?;
//! assert_eq!(Words::write(game.position(), check, Dialect::Wxf), "R1+1");
//! game.try_play(check)?;
//! for text in ["d9d8", "i9i8", "d8d9", "i8i9", "d9d8", "i9i8", "d8d9", "i8i9", "d9d8"] {
//!     game.try_play(Words::read(game.position(), text, Dialect::Ucci)?)?;
//! }
//! let verdict = Ruleset::default().judge(&game).expect("the position stands for the third time");
//! assert_eq!((verdict.outcome, verdict.cause), (Outcome::Win(Side::Second), Cause::PerpetualCheck));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod bitboard;
pub mod board;
pub mod fast_perft;
pub mod fen;
pub mod folded;
pub mod geometry;
pub mod mailbox;
pub mod moves;
pub mod notation;
pub mod piece;
pub mod rules;
pub mod setup;
pub mod square;

/// The seams this room is built on, for those who depend on it alone.
pub use alfil_kernel as kernel;

pub use bitboard::Bitboard;
pub use board::{Board, SquareSet};
pub use folded::Folded;
pub use mailbox::Mailbox;
pub use moves::Move;
pub use notation::MoveNotation;
pub use piece::{Piece, PieceKind};
pub use rules::{Cause, Ruleset};
pub use setup::{Setup, SetupIssue};
pub use square::Square;

/// The game, as a family of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Xiangqi {}

impl alfil_kernel::Game for Xiangqi {
    const NAME: &'static str = "xiangqi";
    const SQUARES: usize = Square::COUNT;
    const PIECES: usize = Piece::COUNT;

    type Square = Square;
    type Piece = Piece;
    type Move = Move;
    type Setup = Setup;
    type Cause = Cause;

    type Mailbox = Mailbox;
    type Bitboard = Bitboard;
}
