//! What is wrong with a setup: the properties that no position of a game can have.

use alloc::string::String;
use alloc::string::ToString as _;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use alfil_kernel::Side;

use crate::piece::{Piece, side_name};
use crate::square::Square;

alfil_kernel::define_waivers! {
    /// A kind of [`SetupIssue`] that can be waived.
    pub enum Waiver {
        /// A pawn on a back rank.
        ImpossibleSquare = "impossible_square",
        /// The side not to move is in check.
        OpponentInCheck = "opponent_in_check",
        /// A castling right that is invalid, which is dropped.
        Castling = "castling",
        /// An en passant square that is invalid, which is dropped.
        EnPassant = "en_passant",
        /// More than eight pawns and promoted pieces.
        TooManyPawns = "too_many_pawns",
    }
}

/// An issue of a setup: a property that no position of a game can have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupIssue {
    /// A pawn is on a back rank. If waived, it moves on from its own back rank and is blocked on its last one.
    ImpossibleSquare(Piece, Square),
    /// The side not to move is in check from these squares. If waived, the king is not captured.
    OpponentInCheck(Side, Vec<Square>),
    /// A castling right is invalid: no rook on the square, the king off its back rank, or a second rook on the same
    /// side of the king. If waived, the right is dropped.
    Castling(Side, Square),
    /// No pawn can have just passed the en passant square. If waived, the square is dropped.
    EnPassant(Square),
    /// A side has more than eight pawns and promoted pieces together. Waivable.
    TooManyPawns(Side, usize),
    /// A side has no king. Not waivable.
    KingMissing(Side),
    /// A side has more than one king. Not waivable.
    KingDoubled(Side, Vec<Square>),
    /// A side has more than sixteen pieces. Not waivable.
    TooManyPieces(Side, Vec<Square>),
}

fn join_square_names(squares: &[Square]) -> String {
    squares.iter().map(Square::to_string).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for SetupIssue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupIssue::ImpossibleSquare(piece, square) => write!(f, "a {piece} cannot be on {square}"),
            SetupIssue::OpponentInCheck(side, from) => {
                write!(
                    f,
                    "{} is in check from {} but is not to move",
                    side_name(*side),
                    join_square_names(from)
                )
            }
            SetupIssue::Castling(side, rook) => {
                write!(f, "{} cannot castle with a rook on {rook}", side_name(*side))
            }
            SetupIssue::EnPassant(square) => write!(f, "no pawn can have just passed {square}"),
            SetupIssue::TooManyPawns(side, pawns) => {
                write!(
                    f,
                    "{} has {pawns} pawns and promoted pieces together: the maximum is 8",
                    side_name(*side)
                )
            }
            SetupIssue::KingMissing(side) => write!(f, "{} has no king", side_name(*side)),
            SetupIssue::KingDoubled(side, squares) => {
                write!(
                    f,
                    "{} has {} kings, on {}",
                    side_name(*side),
                    squares.len(),
                    join_square_names(squares)
                )
            }
            SetupIssue::TooManyPieces(side, squares) => {
                write!(f, "{} has {} pieces: the maximum is 16", side_name(*side), squares.len())
            }
        }
    }
}

impl alfil_kernel::SetupIssue for SetupIssue {
    type Waiver = Waiver;

    fn waiver_or_name(&self) -> Result<Waiver, &'static str> {
        match self {
            SetupIssue::ImpossibleSquare(..) => Ok(Waiver::ImpossibleSquare),
            SetupIssue::OpponentInCheck(..) => Ok(Waiver::OpponentInCheck),
            SetupIssue::Castling(..) => Ok(Waiver::Castling),
            SetupIssue::EnPassant(..) => Ok(Waiver::EnPassant),
            SetupIssue::TooManyPawns(..) => Ok(Waiver::TooManyPawns),
            SetupIssue::KingMissing(..) => Err("king_missing"),
            SetupIssue::KingDoubled(..) => Err("king_doubled"),
            SetupIssue::TooManyPieces(..) => Err("too_many"),
        }
    }

    fn squares(&self) -> Vec<String> {
        let squares = match self {
            SetupIssue::ImpossibleSquare(_, square)
            | SetupIssue::Castling(_, square)
            | SetupIssue::EnPassant(square) => vec![*square],
            SetupIssue::OpponentInCheck(_, squares)
            | SetupIssue::KingDoubled(_, squares)
            | SetupIssue::TooManyPieces(_, squares) => squares.clone(),
            SetupIssue::TooManyPawns(..) | SetupIssue::KingMissing(_) => Vec::new(),
        };
        squares.iter().map(Square::to_string).collect()
    }
}
