//! The grammar that every game of Alfil speaks, and nothing of any game.
//!
//! A [`Game`] is a family of types; a [`Position`] is one game on one kind of board; a [`Line`] is a position and
//! the road to it; [`Laws`] say what the road means; [`Evaluate`] what the position is worth; a [`Watcher`] is told
//! what changed. [`perft`] and [`conformance`] are written once, for every board.
//!
//! This room may not know a game, a clock, a thread or a printer. It needs `core` and `alloc` only, and on Linux
//! `libc` to ask for large pages ([`memory`]).
//!
//! ```
//! use alfil_kernel::{Bits, Side};
//!
//! let corners = Bits::<u64>::from_squares([0, 7, 56, 63]);
//! assert_eq!(corners.len(), 4);
//! assert_eq!(corners.iter().collect::<Vec<_>>(), [0, 7, 56, 63]);
//! assert_eq!(!Side::First, Side::Second);
//! ```
#![no_std]

extern crate alloc;

pub mod bit_set;
pub mod board_observer;
pub mod cache_lines;
pub mod conformance;
pub mod control;
pub mod errors;
pub mod evaluate;
pub mod game;
pub mod game_history;
pub mod moves;
pub mod notation;
pub mod outcome;
pub mod perft;
pub mod position;
pub mod rules;
pub mod tapered_score;
pub mod tuning;
pub mod zobrist;

pub use bit_set::{BitSet, BitWord};
pub use board_observer::BoardObserver;
pub use control::{Bound, NeverStop, SearchControl, SearchInfo};
pub use errors::{FenError, IllegalMoveError, NotationError, SetupError};
pub use evaluate::{Evaluate, ExactResult, Oracle, Score, SearchPolicy};
pub use game::{Game, Move, MoveCounters, Piece, Setup, SetupIssue, Square, Waivers};
pub use game_history::{GameHistory, PlyRecord};
pub use moves::MoveList;
pub use notation::{Dialect, Notation};
pub use outcome::{Outcome, Side, Verdict};
pub use position::{ExpectedOf, IssueOf, MoveOf, PieceOf, Position, SetupOf, SquareOf};
pub use rules::{RuleProbe, Rules};
pub use tapered_score::TaperedScore;
pub use tuning::{EvalTrace, Tunable, Weights};
