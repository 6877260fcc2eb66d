//! What a program needs for a game of Othello: `use alfil_othello::prelude::*;`.
//!
//! A [`MoveList`] holds its moves on the stack; in a hot loop one list is filled again and again:
//!
//! ```
//! use alfil_othello::prelude::*;
//!
//! let game = Othello::new();
//! let mut list = MoveList::new();
//! game.position().generate_legal(&mut list);
//! assert_eq!((list.len(), MoveList::<Move>::CAPACITY), (game.legal_moves().len(), 64));
//! list.retain(|mv| mv == "f5".parse().unwrap());
//! assert_eq!(list[..], ["f5".parse()?]);
//! list.clear();
//! list.push("f5".parse()?);
//! assert_eq!(list.iter().count(), 1);
//! # Ok::<(), alfil_othello::kernel::ParseMoveError>(())
//! ```

pub use crate::notation::Dialect;
pub use crate::{
    Bitboard, Cause, Move, Othello, Piece, PositionError, Ruleset, Setup, Square, SquareSet, Waiver,
};
pub use alfil_kernel::{MoveList, Outcome, Side, Verdict, Waivers};

// The traits without names, so that their methods can be called.
pub use crate::Board as _;
pub use alfil_kernel::{
    Dialect as _, Notation as _, Piece as _, Position as _, Rules as _, Setup as _, SetupIssue as _,
};
