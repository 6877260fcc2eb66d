//! Chess: 8x8 squares, castling, en passant, promotion; Chess960 and double Fischer Random included; White moves first.
//!
//! This room holds the rules, twice over: [`Mailbox`] (an array in 0x88 numbers) and [`Bitboard`] (a few sets of
//! squares) are independent boards that prove each other; [`counter`] counts the leaves of a tree without visiting
//! them, and is proved by both. Setup, text, laws and evaluation are written once, over [`Board`]. It knows no other
//! game, no search, no clock.
//!
//! ```
//! use alfil_chess::{Bitboard, Setup, Words, notation::Dialect};
//! use alfil_chess::kernel::{Line, Notation, Position, Setup as _, Waivers};
//!
//! let setup = Setup::read("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")?;
//! let mut line = Line::<Bitboard>::new(&setup, &Waivers::None)?;
//! let castle = Words::read(line.position(), "O-O-O", Dialect::San)?;
//! assert_eq!(Words::write(line.position(), castle, Dialect::Uci), "e1c1");
//! line.try_play(castle)?;
//! assert_eq!(line.setup().write(), "r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1");
//! assert_eq!(line.position().perft(2), 464);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod bitboard;
pub mod board;
pub mod counter;
pub mod epd;
pub mod eval;
pub mod fen;
pub mod geometry;
pub mod laws;
pub mod mailbox;
pub mod moves;
pub mod notation;
pub mod piece;
pub mod polyglot;
pub mod setup;
pub mod square;

/// The seams this room is built on, for those who depend on it alone.
pub use alfil_kernel as kernel;

pub use bitboard::Bitboard;
pub use board::{Board, Squares};
pub use eval::Values;
pub use laws::{Cause, Ruleset};
pub use mailbox::Mailbox;
pub use moves::Move;
pub use notation::Words;
pub use piece::{Kind, Piece};
pub use setup::{Complaint, Setup};
pub use square::Square;

/// The game, as a family of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Chess {}

impl alfil_kernel::Game for Chess {
    const NAME: &'static str = "chess";
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
