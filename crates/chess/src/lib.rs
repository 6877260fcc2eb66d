//! The rules of chess, Chess960 and double Chess960 included: boards, setup, move notation, rulesets.
//!
//! A program begins with a game, which knows its history and says when it is over and why:
//!
//! ```
//! use alfil_chess::prelude::*;
//!
//! let mut game = Chess::new();
//! for text in ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7"] {
//!     game.play(text)?;
//! }
//! assert!(game.in_check() && game.legal_moves().is_empty());
//! assert_eq!(game.verdict().unwrap().cause, Cause::Checkmate);
//! assert_eq!(game.fen(), "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4");
//! # Ok::<(), alfil_chess::notation::NotationError>(())
//! ```
//!
//! [`Chess`] has these methods and more; [`Chess::from_fen`] begins at another position. The moves of a game are
//! [`Move`]s, which [`Chess::parse_move`] reads and [`Chess::format_move`] writes.
//!
//! # Boards
//!
//! The crate holds two independent boards that are tested against each other: [`Mailbox`] (an array in 0x88 numbering)
//! and [`Bitboard`] (sets of squares). [`fast_perft`] counts the leaves of the move tree without visiting them and is
//! tested against both. Setup, notation and rules are written once, over the trait [`Board`].
//!
//! Searches work on boards and histories without the game around them:
//!
//! ```
//! use alfil_chess::kernel::{GameHistory, Notation, Position, Rules, Setup as _, Waivers};
//! use alfil_chess::{Bitboard, MoveNotation, Ruleset, Setup, notation::Dialect};
//!
//! let setup = Setup::parse("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")?;
//! let mut game = GameHistory::<Bitboard>::new(&setup, &Waivers::None)?;
//! assert_eq!(game.position().legal_moves().len(), 26);
//! let castling = MoveNotation::parse_move(game.position(), "O-O-O", Dialect::San)?;
//! assert_eq!(MoveNotation::format_move(game.position(), castling, Dialect::Uci), "e1c1");
//! game.try_play(castling)?;
//! assert_eq!(game.to_setup().to_text(), "r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1");
//! assert!(Ruleset::default().judge(&game).is_none());
//! assert_eq!(game.position().perft(2), 464);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

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
pub mod prelude;
pub mod rules;
pub mod setup;
pub mod square;

/// The traits and shared types that this crate is built on, for users who depend on this crate only.
pub use alfil_kernel as kernel;

#[doc(inline)]
pub use bitboard::Bitboard;
#[doc(inline)]
pub use board::Board;
#[doc(inline)]
pub use mailbox::Mailbox;
#[doc(inline)]
pub use moves::Move;
#[doc(inline)]
pub use notation::MoveNotation;
#[doc(inline)]
pub use piece::{Piece, PieceKind};
#[doc(inline)]
pub use rules::{Cause, Ruleset};
#[doc(inline)]
pub use setup::{Setup, SetupIssue, Waiver};
#[doc(inline)]
pub use square::{Square, SquareSet};

/// The error of a text that is no position of the game.
///
/// ```
/// use alfil_chess::prelude::*;
///
/// let error = "8/8/8/8/8/8/8/9 w - - 0 1".parse::<Chess>().unwrap_err();
/// assert!(matches!(error, PositionError::Text(_)));
/// let error = "8/8/8/8/8/8/8/8 w - - 0 1".parse::<Chess>().unwrap_err();
/// assert!(matches!(error, PositionError::Setup(_)));
/// ```
pub type PositionError = alfil_kernel::PositionErrorOf<Bitboard>;

alfil_kernel::define_game_type! {
    /// A game of chess: the position, the moves that led to it, and the ruleset that decides its end. It also names the
    /// family of types of the game.
    ///
    /// The boards and the notation are in the other modules; searches take [`Chess::history`].
    pub struct Chess {
        name: "chess",
        types: { Square, Piece, Move, Setup, Cause },
        board: Bitboard, rules: Ruleset, notation: MoveNotation, dialect: notation::Dialect,
        examples: {
            crate: "alfil_chess", first: "e4", coordinates: "e2e4", illegal: "Ke3", count: "20",
            finished: "7k/8/8/8/8/8/8/K7 w - - 0 1", outcome: "Outcome::Draw"
        }
    }
}

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
