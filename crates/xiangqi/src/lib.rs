//! Xiangqi: 9x10 points, palaces and a river; Red moves first.
//!
//! This room holds the rules, twice over: [`Mailbox`] and [`Bitboard`] are independent boards that prove each other.
//! Setup, text, laws and evaluation are written once, over [`Board`]. It knows no other game, no search, no clock.
//!
//! A FEN is read, its moves are listed, one is played, and the result is learnt:
//!
//! ```
//! use alfil_xiangqi::kernel::{Laws, Line, MoveList, Position, Setup as _, Waivers};
//! use alfil_xiangqi::{Bitboard, Cause, Ruleset, Setup};
//!
//! let setup = Setup::read("3k5/R8/9/9/9/9/9/9/8R/4K4 w")?;
//! let mut game = Line::<Bitboard>::new(&setup, &Waivers::None)?;
//! let mut moves = MoveList::new();
//! game.position().moves(&mut moves);
//! let mate = moves.iter().copied().find(|mv| mv.to_string() == "i1i9").expect("the chariot may go there");
//! game.try_play(mate)?;
//! assert_eq!(Ruleset::default().judge(&game).map(|verdict| verdict.cause), Some(Cause::NoLegalMove));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod bitboard;
pub mod board;
pub mod counter;
pub mod eval;
pub mod fen;
pub mod folded;
pub mod geometry;
pub mod laws;
pub mod mailbox;
pub mod moves;
pub mod notation;
pub mod piece;
pub mod setup;
pub mod square;

/// The seams this room is built on, for those who depend on it alone.
pub use alfil_kernel as kernel;

pub use bitboard::Bitboard;
pub use board::{Board, Points};
pub use eval::Values;
pub use folded::Folded;
pub use laws::{Cause, Ruleset};
pub use mailbox::Mailbox;
pub use moves::Move;
pub use notation::Words;
pub use piece::{Kind, Piece};
pub use setup::{Complaint, Setup};
pub use square::Square;

/// The game, as a family of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Xiangqi {}

impl alfil_kernel::Game for Xiangqi {
    const NAME: &'static str = "xiangqi";
    const SQUARES: usize = Square::COUNT;
    const PIECES: usize = Piece::COUNT;

    type Square = Square;
    type Piece = Piece;
    type Move = Move;
    type Setup = Setup;
    type Cause = Cause;

    type Mailbox = Mailbox;
    type Bitboard = Bitboard;
}
