//! Who moves, who won, and why.

use core::ops::Not;

/// The two players. `First` moves first from the start position: Red in xiangqi, White in chess, Black in Othello.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Side {
    /// The side that moves first from the start position.
    First = 0,
    /// The other side.
    Second = 1,
}

impl Side {
    /// Both sides, first mover first.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// 0 for `First`, 1 for `Second`.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The opponent; the same as `!side`, usable in constants.
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

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This side won.
    Win(Side),
    /// Nobody won.
    Draw,
}

impl Outcome {
    /// The outcome in which `side` lost.
    pub const fn loss(side: Side) -> Outcome {
        Outcome::Win(side.other())
    }

    /// The same ending with the colours exchanged.
    pub const fn swapped(self) -> Outcome {
        match self {
            Outcome::Win(side) => Outcome::Win(side.other()),
            Outcome::Draw => Outcome::Draw,
        }
    }
}

/// An ending and the game's own word for its cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Verdict<C> {
    /// Who won, if anybody.
    pub outcome: Outcome,
    /// Why, in the terms of the game.
    pub cause: C,
    /// By how many discs the winner won, in games that count them; 0 elsewhere.
    pub margin: i32,
}

impl<C> Verdict<C> {
    /// A verdict of a game that does not count margins.
    pub const fn new(outcome: Outcome, cause: C) -> Self {
        Verdict { outcome, cause, margin: 0 }
    }
}
