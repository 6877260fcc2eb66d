//! Othello: 8x8 squares, discs that turn over, forced passes; Black moves first.
//!
//! This room holds the rules, twice over: [`Mailbox`] and [`Bitboard`] are independent boards that prove each other.
//! Setup, text, laws and evaluation are written once, over [`Board`]. [`solve`] plays an ending to the last disc. The
//! room knows no other game, no search, no clock, and creates no thread.
//!
//! A position is read, its moves are listed, one is played by its name, and the result is learnt:
//!
//! ```
//! use alfil_othello::kernel::{Laws, Line, Notation, Position, Setup as _, Waivers};
//! use alfil_othello::{Bitboard, Ruleset, Setup, Words, notation::Dialect};
//!
//! let setup = Setup::read("---------------------------OX------XO--------------------------- X")?;
//! let mut game = Line::<Bitboard>::new(&setup, &Waivers::None)?;
//! let mut moves: Vec<_> = game.position().legal_moves().iter().map(|mv| mv.to_string()).collect();
//! moves.sort();
//! assert_eq!(moves, ["c4", "d3", "e6", "f5"]);
//! game.try_play(Words::read(game.position(), "f5", Dialect::Transcript)?)?;
//! assert_eq!(game.setup().write(), "---------------------------OX------XXX-------------------------- O");
//! assert!(Ruleset::default().judge(&game).is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod bitboard;
pub mod board;
pub mod fast_perft;
pub mod fen;
pub mod geometry;
pub mod mailbox;
pub mod moves;
pub mod notation;
pub mod obf;
pub mod piece;
pub mod rules;
pub mod setup;
pub mod square;
pub mod stability;

/// The seams this room is built on, for those who depend on it alone.
pub use alfil_kernel as kernel;

pub use bitboard::Bitboard;
pub use board::{Board, SquareSet};
pub use fast_perft::PassConvention;
pub use mailbox::Mailbox;
pub use moves::Move;
pub use notation::MoveNotation;
pub use piece::Piece;
pub use rules::{Cause, Ruleset};
pub use setup::{Setup, SetupIssue};
pub use square::Square;

/// The game, as a family of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Othello {}

impl alfil_kernel::Game for Othello {
    const NAME: &'static str = "othello";
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
