//! What a program needs for a game of Othello: `use alfil_othello::prelude::*;`.

pub use crate::notation::Dialect;
pub use crate::{Bitboard, Cause, Move, Othello, Piece, PositionError, Ruleset, Setup, Square, SquareSet};
pub use alfil_kernel::{MoveList, Outcome, Side, Verdict, Waivers};

// The traits without names, so that their methods can be called.
pub use crate::Board as _;
pub use alfil_kernel::{
    Dialect as _, Notation as _, Piece as _, Position as _, Rules as _, Setup as _, SetupIssue as _,
};
