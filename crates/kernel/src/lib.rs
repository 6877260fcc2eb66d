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

pub mod bits;
pub mod conformance;
pub mod control;
pub mod errors;
pub mod evaluate;
pub mod game;
pub mod keys;
pub mod laws;
pub mod line;
pub mod memory;
pub mod moves;
pub mod notation;
pub mod outcome;
pub mod perft;
pub mod position;
pub mod taper;
pub mod tune;
pub mod watcher;

pub use bits::{Bits, Word};
pub use control::{Bound, Control, Info};
pub use errors::{FenError, IllegalMove, NotationError, SetupError};
pub use evaluate::{Evaluate, Exact, Oracle, Score, Temper};
pub use game::{Complaint, Counters, Game, Move, Piece, Setup, Square, Waivers};
pub use laws::{Glance, Laws};
pub use line::{Line, Record};
pub use moves::MoveList;
pub use notation::{Dialect, Notation};
pub use outcome::{Outcome, Side, Verdict};
pub use position::{ComplaintOf, ExpectedOf, MoveOf, PieceOf, Position, SetupOf, SquareOf};
pub use taper::Taper;
pub use tune::{Features, Tunable, Weights};
pub use watcher::Watcher;
