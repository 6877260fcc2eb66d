//! Xiangqi: 9x10 points, palaces and a river; Red moves first.
//!
//! This room holds the rules, twice over: [`Mailbox`] and [`Bitboard`] are independent boards that prove each other.
//! Setup, text, laws and evaluation are written once, over [`Board`]. It knows no other game, no search, no clock.

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
