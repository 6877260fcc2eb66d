//! Sides, outcomes and verdicts.

use core::ops::Not;

/// The two players. `First` moves first from the start position: Red in xiangqi, White in chess, Black in Othello.
///
/// ```
/// use alfil_kernel::Side;
///
/// assert_eq!(!Side::First, Side::Second);
/// ```
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
    ///
    /// ```
    /// use alfil_kernel::Side;
    ///
    /// assert_eq!(Side::BOTH.map(Side::index), [0, 1]);
    /// ```
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the opponent. It equals `!side` but can be used in constants.
    ///
    /// ```
    /// use alfil_kernel::Side;
    ///
    /// const OPPONENT: Side = Side::First.other();
    /// assert_eq!(OPPONENT, Side::Second);
    /// ```
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
///
/// ```
/// use alfil_kernel::{Outcome, Side};
///
/// assert_ne!(Outcome::Win(Side::First), Outcome::Draw);
/// ```
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
    ///
    /// ```
    /// use alfil_kernel::{Outcome, Side};
    ///
    /// assert_eq!(Outcome::loss(Side::First), Outcome::Win(Side::Second));
    /// ```
    pub const fn loss(side: Side) -> Outcome {
        Outcome::Win(side.other())
    }

    /// Returns the same outcome with the colours exchanged.
    ///
    /// ```
    /// use alfil_kernel::{Outcome, Side};
    ///
    /// assert_eq!(Outcome::Win(Side::First).swapped(), Outcome::Win(Side::Second));
    /// assert_eq!(Outcome::Draw.swapped(), Outcome::Draw);
    /// ```
    pub const fn swapped(self) -> Outcome {
        match self {
            Outcome::Win(side) => Outcome::Win(side.other()),
            Outcome::Draw => Outcome::Draw,
        }
    }
}

/// The outcome of a game and its cause.
///
/// ```
/// use alfil_kernel::{Outcome, Side, Verdict};
///
/// let verdict = Verdict { outcome: Outcome::Win(Side::First), cause: "full board", margin: 12 };
/// assert_eq!(verdict.margin, 12);
/// ```
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
    ///
    /// ```
    /// use alfil_kernel::{Outcome, Side, Verdict};
    ///
    /// let verdict = Verdict::new(Outcome::loss(Side::First), "checkmate");
    /// assert_eq!((verdict.outcome, verdict.margin), (Outcome::Win(Side::Second), 0));
    /// ```
    pub const fn new(outcome: Outcome, cause: C) -> Self {
        Verdict { outcome, cause, margin: 0 }
    }
}
