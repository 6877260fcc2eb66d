//! The traits and types that every game of Alfil shares, independent of any one game.
//!
//! A [`Game`] is a family of types. A [`Position`] is a position of a game in one board representation. A
//! [`GameHistory`] is a position and the moves that led to it; [`Rules`] decide how it ends. An [`Evaluator`] scores
//! positions, and a [`BoardObserver`] receives every change of a board. [`perft`] and [`conformance`] are written once,
//! for every board.
//!
//! This crate depends on no game, clock, thread or output. It needs `core` and `alloc` only.
//!
//! ```
//! use alfil_kernel::{BitSet, Side};
//!
//! let corners = BitSet::<u64>::from_squares([0, 7, 56, 63]);
//! assert_eq!(corners.len(), 4);
//! assert_eq!(corners.iter().collect::<Vec<_>>(), [0, 7, 56, 63]);
//! assert_eq!(!Side::First, Side::Second);
//! ```
#![no_std]

extern crate alloc;

pub mod bit_set;
pub mod board_observer;
pub mod conformance;
pub mod control;
pub mod epd;
pub mod errors;
pub mod evaluator;
pub mod fen;
pub mod game;
pub mod game_history;
pub mod game_type;
pub mod moves;
pub mod notation;
pub mod oracle;
pub mod outcome;
pub mod perft;
pub mod piece;
pub mod position;
#[doc(hidden)]
pub mod position_text;
pub mod rules;
pub mod score;
#[doc(hidden)]
pub mod short_sort;
pub mod square;
#[doc(hidden)]
pub mod text_serde;
pub mod zobrist;

pub use bit_set::{BitIndex, BitSet, BitWord};
pub use board_observer::BoardObserver;
pub use control::{NeverStop, SearchControl, SearchInfo};
pub use errors::{
    FenError, IllegalMoveError, IllegalMoveReason, NotationError, ParseMoveError, PositionError, SetupError,
    UnknownWaiverError,
};
pub use evaluator::{Evaluator, ProbCut, SearchPolicy, SearchTechniques, Tactics};
pub use game::{
    Game, Move, MoveBits, MoveCounters, Piece, Setup, SetupIssue, Square, Waiver, WaiverSet, Waivers,
};
pub use game_history::{GameHistory, PlyRecord};
pub use moves::MoveList;
pub use notation::{Dialect, Notation, NotationErrorOf};
pub use oracle::{Oracle, OracleResult};
pub use outcome::{Outcome, Side, Verdict};
pub use position::{ExpectedOf, IssueOf, MoveOf, PieceOf, Position, PositionErrorOf, SetupOf, SquareOf};
pub use rules::{RefusedMove, RefusedMoveOf, RuleProbe, Rules};
pub use score::{Bound, Confidence, Score};
pub use square::ParseSquareError;

/// What the macros of this crate need of `alloc` in crates that may not declare it.
#[doc(hidden)]
pub mod __private {
    pub use alloc::string::String;
    pub use alloc::vec::Vec;
    #[cfg(feature = "serde")]
    pub use serde;
}

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
