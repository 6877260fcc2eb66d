//! Move notation: two squares, such as `b2b3`.

use std::fmt;

use alfil_kernel::{Dialect, Notation};

use crate::board::Board;
use crate::game::Move;

/// The only dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coordinates;

impl Dialect for Coordinates {
    const ALL: &'static [Self] = &[Coordinates];
    const WRITTEN: Self = Coordinates;

    fn name(self) -> &'static str {
        "coordinates"
    }

    fn expected_form(self) -> &'static str {
        "two squares, such as b2b3"
    }
}

/// The reason why a move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalReason;

impl fmt::Display for IllegalReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no pawn of the side to move can make this move")
    }
}

/// The move notation of the game.
pub enum MoveNotation {}

impl Notation<Board> for MoveNotation {
    type Dialect = Coordinates;
    type IllegalReason = IllegalReason;

    fn format_move(_: &Board, mv: Move, _: Coordinates) -> String {
        mv.to_string()
    }

    fn normalise(text: &str, _: Coordinates) -> Option<String> {
        text.trim().parse::<Move>().ok().map(|mv| mv.to_string())
    }

    fn rejection_reason(_: &Board, text: &str, dialect: Coordinates) -> Option<IllegalReason> {
        Self::normalise(text, dialect).map(|_| IllegalReason)
    }
}
