//! Sides, outcomes and verdicts.

use core::ops::Not;

/// The two players. `First` moves first from the start position: Red in xiangqi, White in chess, Black in Othello.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Side {
    /// The side that moves first from the start position.
    First = 0,
    /// The other side.
    Second = 1,
}

impl Side {
    /// Both sides, the first mover first.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// Returns 0 for `First` and 1 for `Second`.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the opponent. It equals `!side` but can be used in constants.
    #[inline(always)]
    pub const fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

impl Not for Side {
    type Output = Side;

    #[inline(always)]
    fn not(self) -> Side {
        self.other()
    }
}

/// The outcome of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Outcome {
    /// This side won.
    Win(Side),
    /// Neither side won.
    Draw,
}

impl Outcome {
    /// Returns the outcome in which `side` lost.
    pub const fn loss(side: Side) -> Outcome {
        Outcome::Win(side.other())
    }

    /// Returns the same outcome with the colours exchanged.
    pub const fn swapped(self) -> Outcome {
        match self {
            Outcome::Win(side) => Outcome::Win(side.other()),
            Outcome::Draw => Outcome::Draw,
        }
    }
}

/// The outcome of a game and its cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Verdict<C> {
    /// The winner, or a draw.
    pub outcome: Outcome,
    /// The cause in the terms of the game.
    pub cause: C,
    /// The disc difference in favour of the winner in games that count discs; 0 in others.
    pub margin: i32,
}

impl<C> Verdict<C> {
    /// Creates a verdict of a game that does not count discs.
    pub const fn new(outcome: Outcome, cause: C) -> Self {
        Verdict { outcome, cause, margin: 0 }
    }
}
