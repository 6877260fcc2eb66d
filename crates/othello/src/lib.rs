//! The rules of Othello: 8x8 squares, discs that are flipped, forced passes; Black moves first.
//!
//! A program begins with a game, which knows its history and says when it is over and why:
//!
//! ```
//! use alfil_othello::prelude::*;
//!
//! let mut game = Othello::new();
//! game.play("f5")?;
//! let replies: Vec<_> = game.legal_moves().iter().map(|mv| mv.to_string()).collect();
//! assert_eq!(replies, ["f4", "d6", "f6"]);
//! assert_eq!(game.fen(), "---------------------------OX------XXX-------------------------- O");
//! # Ok::<(), alfil_othello::notation::NotationError>(())
//! ```
//!
//! [`Othello`] has these methods and more; [`Othello::from_fen`] begins at another position.
//!
//! # Boards
//!
//! The crate implements the rules twice: [`Mailbox`] and [`Bitboard`] are independent boards, and tests compare them.
//! Setup, text formats, notation and rulesets are written once, over the trait [`Board`]. The crate depends on no other
//! game, on no search and on no clock, and creates no thread.
//!
//! Searches work on boards and histories without the game around them:
//!
//! ```
//! use alfil_othello::kernel::{GameHistory, Notation, Position, Rules, Setup as _, Waivers};
//! use alfil_othello::{Bitboard, MoveNotation, Ruleset, Setup, notation::Dialect};
//!
//! let setup = Setup::parse("---------------------------OX------XO--------------------------- X")?;
//! let mut game = GameHistory::<Bitboard>::new(&setup, &Waivers::None)?;
//! let mut moves: Vec<_> = game.position().legal_moves().iter().map(|mv| mv.to_string()).collect();
//! moves.sort();
//! assert_eq!(moves, ["c4", "d3", "e6", "f5"]);
//! game.try_play(MoveNotation::parse_move(game.position(), "f5", Dialect::Transcript)?)?;
//! assert_eq!(game.to_setup().to_text(), "---------------------------OX------XXX-------------------------- O");
//! assert!(Ruleset::default().judge(&game).is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod bitboard;
pub mod board;
pub mod fast_perft;
pub mod fen;
pub mod geometry;
pub mod mailbox;
pub mod moves;
pub mod notation;
pub mod obf;
pub mod pass_convention;
pub mod piece;
pub mod prelude;
pub mod rules;
pub mod setup;
pub mod square;
pub mod stability;

/// The kernel crate, whose traits the types here implement, for crates that depend on this one alone.
pub use alfil_kernel as kernel;

#[doc(inline)]
pub use bitboard::Bitboard;
#[doc(inline)]
pub use board::{Board, SquareSet};
#[doc(inline)]
pub use mailbox::Mailbox;
#[doc(inline)]
pub use moves::Move;
#[doc(inline)]
pub use notation::MoveNotation;
#[doc(inline)]
pub use pass_convention::PassConvention;
#[doc(inline)]
pub use piece::Piece;
#[doc(inline)]
pub use rules::{Cause, Ruleset};
#[doc(inline)]
pub use setup::{Setup, SetupIssue, Waiver};
#[doc(inline)]
pub use square::Square;

/// The error of a text that is no position of the game.
///
/// ```
/// use alfil_othello::prelude::*;
///
/// assert!(matches!("X".parse::<Othello>(), Err(PositionError::Text(_))));
/// let empty = "-".repeat(64) + " X";
/// assert!(matches!(empty.parse::<Othello>(), Err(PositionError::Setup(_))));
/// ```
pub type PositionError = alfil_kernel::PositionErrorOf<Bitboard>;

alfil_kernel::define_game_type! {
    /// A game of Othello: the position, the moves that led to it, and the ruleset that decides its end. It also names
    /// the family of types of the game.
    ///
    /// The boards and the notation are in the other modules; searches take [`Othello::history`].
    pub struct Othello {
        name: "othello",
        types: { Square, Piece, Move, Setup, Cause },
        board: Bitboard, rules: Ruleset, notation: MoveNotation, dialect: notation::Dialect,
        examples: {
            crate: "alfil_othello", first: "f5", coordinates: "f5", illegal: "a1", count: "4",
            finished: "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX X", outcome: "Outcome::Win(Side::First)"
        }
    }
}

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
