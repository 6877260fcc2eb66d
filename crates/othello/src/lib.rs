//! Othello: 8x8 squares, discs that turn over, forced passes; Black moves first.
//!
//! This room holds the rules, twice over: [`Mailbox`] and [`Bitboard`] are independent boards that prove each other.
//! Setup, text, laws and evaluation are written once, over [`Board`]. [`solve`] plays an ending to the last disc. The
//! room knows no other game, no search, no clock, and creates no thread.
//!
//! ```
//! use alfil_kernel::{Position, Setup as _, Waivers};
//! use alfil_othello::{Bitboard, Board, Setup, Square};
//!
//! let board = Bitboard::from_setup(&Setup::start(), &Waivers::None).unwrap();
//! let places = board.mobility(board.side()).iter().map(|at| Square::from_index(at).unwrap().to_string());
//! assert_eq!(places.collect::<Vec<_>>(), ["d3", "c4", "f5", "e6"]);
//! ```

pub mod bitboard;
pub mod board;
pub mod counter;
pub mod eval;
pub mod fen;
pub mod geometry;
pub mod laws;
pub mod mailbox;
pub mod moves;
pub mod notation;
pub mod obf;
pub mod piece;
pub mod setup;
pub mod solve;
pub mod square;

pub use bitboard::Bitboard;
pub use board::{Board, Discs};
pub use counter::Passes;

pub use eval::Values;
pub use laws::{Cause, Ruleset};
pub use mailbox::Mailbox;
pub use moves::Move;
pub use notation::Words;
pub use piece::Piece;
pub use setup::{Complaint, Setup};
pub use square::Square;

/// The game, as a family of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Othello {}

impl alfil_kernel::Game for Othello {
    const NAME: &'static str = "othello";
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
