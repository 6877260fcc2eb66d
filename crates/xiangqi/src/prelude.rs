//! What a program needs for a game of xiangqi: `use alfil_xiangqi::prelude::*;`.
//!
//! A [`MoveList`] holds its moves on the stack; in a hot loop one list is filled again and again:
//!
//! ```
//! use alfil_xiangqi::prelude::*;
//!
//! let game = Xiangqi::new();
//! let mut list = MoveList::new();
//! game.position().generate_legal(&mut list);
//! assert_eq!((list.len(), MoveList::<Move>::CAPACITY), (game.legal_moves().len(), 256));
//! list.retain(|mv| mv == "h2e2".parse().unwrap());
//! assert_eq!(list[..], ["h2e2".parse()?]);
//! list.clear();
//! list.push("h2e2".parse()?);
//! assert_eq!(list.iter().count(), 1);
//! # Ok::<(), alfil_xiangqi::kernel::ParseMoveError>(())
//! ```

pub use crate::notation::Dialect;
pub use crate::{
    Bitboard, Cause, Move, Piece, PieceKind, PositionError, Ruleset, RulesetName, Setup, Square, SquareSet,
    Waiver, Xiangqi,
};
pub use alfil_kernel::{MoveList, Outcome, Side, Verdict, Waivers};

// The traits without names, so that their methods can be called.
pub use crate::Board as _;
pub use alfil_kernel::{
    Dialect as _, Notation as _, Piece as _, Position as _, Rules as _, Setup as _, SetupIssue as _,
};
