//! The rules of xiangqi: boards, moves, FEN, move notation, fast perft and rulesets.
//!
//! A program begins with a game, which knows its history and says when it is over and why:
//!
//! ```
//! use alfil_xiangqi::prelude::*;
//!
//! let mut game = Xiangqi::new();
//! game.play("炮二平五")?;
//! let reply = game.play("H8+7")?;
//! assert_eq!(reply.to_string(), "h9g7");
//! assert_eq!((game.legal_moves().len(), game.is_over()), (35, false));
//! assert_eq!(game.fen(), "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2");
//! # Ok::<(), alfil_xiangqi::notation::NotationError>(())
//! ```
//!
//! [`Xiangqi`] has these methods and more; [`Xiangqi::from_fen`] begins at another position, and
//! [`Xiangqi::with_rules`] plays under another ruleset.
//!
//! # Boards
//!
//! [`Mailbox`] and [`Bitboard`] are independent implementations of the same rules, and the tests hold each against the
//! other. [`Setup`], [`fen`], [`notation`] and [`rules`] are written once, over [`Board`]. The crate depends on no
//! other game and on no evaluation, search or clock.
//!
//! Searches work on boards and histories without the game around them. Here a repetition is judged:
//!
//! ```
//! use alfil_xiangqi::kernel::{GameHistory, Notation, Outcome, Position, Rules, Setup as _, Side, Waivers};
//! use alfil_xiangqi::{Bitboard, Cause, MoveNotation, Ruleset, Setup, notation::Dialect};
//!
//! // The rook checks, the king steps aside, the rook checks again.
//! let setup = Setup::parse("3k5/8R/9/9/9/9/9/9/9/4K4 w")?;
//! let mut game = GameHistory::<Bitboard>::new(&setup, &Waivers::None)?;
//! assert_eq!(game.position().legal_moves().len(), 19);
//! let check = MoveNotation::parse_move(game.position(), "车一进一", Dialect::Chinese)?;
//! assert_eq!(MoveNotation::format_move(game.position(), check, Dialect::Wxf), "R1+1");
//! game.try_play(check)?;
//! for text in ["d9d8", "i9i8", "d8d9", "i8i9", "d9d8", "i9i8", "d8d9", "i8i9", "d9d8"] {
//!     game.try_play(MoveNotation::parse_move(game.position(), text, Dialect::Ucci)?)?;
//! }
//! let verdict = Ruleset::default().judge(&game).expect("the position has occurred three times");
//! assert_eq!((verdict.outcome, verdict.cause), (Outcome::Win(Side::Second), Cause::PerpetualCheck));
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
pub mod folded;
pub mod geometry;
pub mod mailbox;
pub mod moves;
pub mod notation;
pub mod piece;
pub mod prelude;
pub mod rules;
pub mod setup;
pub mod square;

/// The kernel crate, for users who depend on this crate alone.
pub use alfil_kernel as kernel;

#[doc(inline)]
pub use bitboard::Bitboard;
#[doc(inline)]
pub use board::Board;
#[doc(inline)]
pub use folded::Folded;
#[doc(inline)]
pub use mailbox::Mailbox;
#[doc(inline)]
pub use moves::Move;
#[doc(inline)]
pub use notation::MoveNotation;
#[doc(inline)]
pub use piece::{Piece, PieceKind};
#[doc(inline)]
pub use rules::{Cause, Ruleset, RulesetName};
#[doc(inline)]
pub use setup::{Setup, SetupIssue, Waiver};
#[doc(inline)]
pub use square::{Square, SquareSet};

/// The error of a text that is no position of the game.
///
/// ```
/// use alfil_xiangqi::prelude::*;
///
/// assert!(matches!("9/9".parse::<Xiangqi>(), Err(PositionError::Text(_))));
/// let empty = "9/9/9/9/9/9/9/9/9/9 w - - 0 1";
/// assert!(matches!(empty.parse::<Xiangqi>(), Err(PositionError::Setup(_))));
/// ```
pub type PositionError = alfil_kernel::PositionErrorOf<Bitboard>;

alfil_kernel::define_game_type! {
    /// A game of xiangqi: the position, the moves that led to it, and the ruleset that decides its end. It also names
    /// the family of types of the game.
    ///
    /// The boards and the notation are in the other modules; searches take [`Xiangqi::history`].
    pub struct Xiangqi {
        name: "xiangqi",
        types: { Square, Piece, Move, Setup, Cause },
        board: Bitboard, rules: Ruleset, notation: MoveNotation, dialect: notation::Dialect,
        examples: {
            crate: "alfil_xiangqi", first: "C2.5", coordinates: "h2e2", illegal: "K5+2", count: "44",
            finished: "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1", outcome: "Outcome::Draw"
        }
    }
}

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
