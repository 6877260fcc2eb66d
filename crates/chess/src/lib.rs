//! Chess: 8x8 squares, castling, en passant, promotion; Chess960 and double Fischer Random included; White moves first.
//!
//! This room holds the rules, twice over: [`Mailbox`] (an array in 0x88 numbers) and [`Bitboard`] (a few sets of
//! squares) are independent boards that prove each other; [`counter`] counts the leaves of a tree without visiting
//! them, and is proved by both. Setup, text, laws and evaluation are written once, over [`Board`]. It knows no other
//! game, no search, no clock.
//!
//! A position is read, its moves are listed, one is played by its name, and the result is learnt:
//!
//! ```
//! use alfil_chess::kernel::{Laws, Line, Notation, Position, Setup as _, Waivers};
//! use alfil_chess::{Bitboard, Ruleset, Setup, Words, notation::Dialect};
//!
//! let setup = Setup::read("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")?;
//! let mut game = Line::<Bitboard>::new(&setup, &Waivers::None)?;
//! assert_eq!(game.position().legal_moves().len(), 26);
//! let castle = Words::read(game.position(), "O-O-O", Dialect::San)?;
//! assert_eq!(Words::write(game.position(), castle, Dialect::Uci), "e1c1");
//! game.try_play(castle)?;
//! assert_eq!(game.setup().write(), "r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1");
//! assert!(Ruleset::default().judge(&game).is_none());
//! assert_eq!(game.position().perft(2), 464);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod bitboard;
pub mod board;
pub mod epd;
pub mod fast_perft;
pub mod fen;
pub mod geometry;
pub mod mailbox;
pub mod moves;
pub mod notation;
pub mod piece;
pub mod polyglot;
pub mod rules;
pub mod setup;
pub mod square;

/// The seams this room is built on, for those who depend on it alone.
pub use alfil_kernel as kernel;

pub use bitboard::Bitboard;
pub use board::{Board, SquareSet};
pub use mailbox::Mailbox;
pub use moves::Move;
pub use notation::MoveNotation;
pub use piece::{Piece, PieceKind};
pub use rules::{Cause, Ruleset};
pub use setup::{Setup, SetupIssue};
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
