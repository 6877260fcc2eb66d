//! What a program needs for a game of chess: `use alfil_chess::prelude::*;`.
//!
//! A [`MoveList`] holds its moves on the stack; in a hot loop one list is filled again and again:
//!
//! ```
//! use alfil_chess::prelude::*;
//!
//! let game = Chess::new();
//! let mut list = MoveList::new();
//! game.position().generate_legal(&mut list);
//! assert_eq!((list.len(), MoveList::<Move>::CAPACITY), (game.legal_moves().len(), 256));
//! list.retain(|mv| mv == "e2e4".parse().unwrap());
//! assert_eq!(list[..], ["e2e4".parse()?]);
//! list.clear();
//! list.push("e2e4".parse()?);
//! assert_eq!(list.iter().count(), 1);
//! # Ok::<(), alfil_chess::kernel::ParseMoveError>(())
//! ```

pub use crate::notation::Dialect;
pub use crate::{
    Bitboard, Cause, Chess, Move, Piece, PieceKind, PositionError, Ruleset, Setup, Square, SquareSet, Waiver,
};
pub use alfil_kernel::{MoveList, Outcome, Side, Verdict, Waivers};

// The traits without names, so that their methods can be called.
pub use crate::Board as _;
pub use alfil_kernel::{
    Dialect as _, Notation as _, Piece as _, Position as _, Rules as _, Setup as _, SetupIssue as _,
};
