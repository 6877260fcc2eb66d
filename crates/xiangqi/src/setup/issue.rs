//! What is wrong with a setup, one thing an issue.

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
        /// A piece on a square that its kind can never reach.
        ImpossibleSquare = "impossible_point",
        /// Kings that face each other along an empty file.
        KingsFacing = "generals_facing",
        /// The side not to move is in check.
        OpponentInCheck = "opponent_in_check",
    }
}

/// An issue: one thing that is wrong with a setup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupIssue {
    /// A piece is on a square that its kind can never reach. Waivable.
    ImpossibleSquare(Piece, Square),
    /// The kings face each other along an empty file. Waivable.
    KingsFacing(Square, Square),
    /// The side that is not to move is in check from these squares. Waivable.
    OpponentInCheck(Side, Vec<Square>),
    /// A side has no king.
    KingMissing(Side),
    /// A side has several kings.
    SeveralKings(Side, Vec<Square>),
    /// A king is outside its palace.
    KingOutsidePalace(Side, Square),
    /// A side has more pieces of a kind than at the start of a game.
    TooManyPieces(Piece, Vec<Square>),
}

fn join_square_names(squares: &[Square]) -> String {
    squares.iter().map(Square::to_string).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for SetupIssue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupIssue::ImpossibleSquare(piece, square) => write!(f, "a {piece} can never reach {square}"),
            SetupIssue::KingsFacing(red, black) => {
                write!(f, "the kings on {red} and {black} face each other along an empty file")
            }
            SetupIssue::OpponentInCheck(side, from) => {
                let from = join_square_names(from);
                write!(f, "{} is in check from {from} but is not to move", side_name(*side))
            }
            SetupIssue::KingMissing(side) => write!(f, "{} has no king", side_name(*side)),
            SetupIssue::SeveralKings(side, at) => {
                write!(f, "{} has {} kings, on {}", side_name(*side), at.len(), join_square_names(at))
            }
            SetupIssue::KingOutsidePalace(side, at) => {
                write!(f, "the {} king on {at} is outside its palace", side_name(*side))
            }
            SetupIssue::TooManyPieces(piece, at) => {
                let (side, kind) = (side_name(piece.side()), piece.kind());
                let (max, count) = (kind.initial_count(), at.len());
                write!(
                    f,
                    "{side} has {count} {}s, on {}: at most {max} are possible",
                    kind.name(),
                    join_square_names(at)
                )
            }
        }
    }
}

impl alfil_kernel::SetupIssue for SetupIssue {
    type Waiver = Waiver;

    fn waiver_or_name(&self) -> Result<Waiver, &'static str> {
        match self {
            SetupIssue::ImpossibleSquare(..) => Ok(Waiver::ImpossibleSquare),
            SetupIssue::KingsFacing(..) => Ok(Waiver::KingsFacing),
            SetupIssue::OpponentInCheck(..) => Ok(Waiver::OpponentInCheck),
            SetupIssue::KingMissing(..) => Err("general_missing"),
            SetupIssue::SeveralKings(..) => Err("general_doubled"),
            SetupIssue::KingOutsidePalace(..) => Err("general_outside"),
            SetupIssue::TooManyPieces(..) => Err("too_many"),
        }
    }

    fn squares(&self) -> Vec<String> {
        let squares = match self {
            SetupIssue::ImpossibleSquare(_, at) | SetupIssue::KingOutsidePalace(_, at) => vec![*at],
            SetupIssue::KingsFacing(red, black) => vec![*red, *black],
            SetupIssue::OpponentInCheck(_, at)
            | SetupIssue::SeveralKings(_, at)
            | SetupIssue::TooManyPieces(_, at) => at.clone(),
            SetupIssue::KingMissing(_) => Vec::new(),
        };
        squares.iter().map(Square::to_string).collect()
    }
}
