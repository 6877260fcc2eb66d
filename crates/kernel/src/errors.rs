//! Errors of positions, moves and texts.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use thiserror::Error;

/// A position text that cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("position text, byte {offset} ({field}): expected {expected}, found {}", self.found_text())]
pub struct FenError<E: fmt::Display> {
    /// The byte of the text at which parsing stopped.
    pub offset: usize,
    /// The field of the text in which parsing stopped: `placement`, `side`, ...
    pub field: &'static str,
    /// What would have been valid there: a value of an enum of the game, so that a user interface can translate it.
    pub expected: E,
    /// The character at `offset`; `None` at the end of the text.
    pub found: Option<char>,
}

impl<E: fmt::Display> FenError<E> {
    /// Creates an error at `offset` of `text` and takes the found character from the text.
    pub fn new(text: &str, offset: usize, field: &'static str, expected: E) -> Self {
        let found = text.get(offset..).and_then(|rest| rest.chars().next());
        FenError { offset, field, expected, found }
    }

    /// Returns the found character in quotes, or `the end`.
    pub fn found_text(&self) -> String {
        self.found.map_or_else(|| String::from("the end"), |found| alloc::format!("{found:?}"))
    }
}

/// A setup that is not valid for a board: its issues that were not waived.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct SetupError<I> {
    /// The issues, at least one.
    pub issues: Vec<I>,
}

/// The alternate form, `{:#}`, has the issues alone and does not say which of them can be waived.
impl<I: crate::game::SetupIssue> fmt::Display for SetupError<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, issue) in self.issues.iter().enumerate() {
            let separator = if i > 0 { "; " } else { "" };
            if f.alternate() {
                write!(f, "{separator}{issue}")?;
                continue;
            }
            let waiver = if issue.is_waivable() { "can be waived as" } else { "cannot be waived" };
            let name = if issue.is_waivable() { issue.name() } else { "" };
            write!(f, "{separator}{issue} ({waiver}{}{name})", if name.is_empty() { "" } else { " " })?;
        }
        Ok(())
    }
}

/// The name of a waiver that no issue of the game has which can be waived.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no issue {name:?} can be waived; use all or some of {}", known.join(", "))]
pub struct UnknownWaiverError {
    /// The name as given.
    pub name: String,
    /// The names of the issues that can be waived.
    pub known: &'static [&'static str],
}

/// A position text that gives no board: it cannot be read, or the position is impossible.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PositionError<E: fmt::Display, I> {
    /// The text cannot be read.
    #[error(transparent)]
    Text(#[from] FenError<E>),
    /// The position has issues.
    #[error(transparent)]
    Setup(#[from] SetupError<I>),
}

/// The error of a text that is not the coordinates of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not a move: expected {expected}")]
pub struct ParseMoveError {
    /// The form of the coordinates in the game.
    pub expected: &'static str,
}

/// An illegal move and the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("illegal move {mv:?}: {reason}")]
pub struct IllegalMoveError<M: fmt::Debug> {
    /// The illegal move.
    pub mv: M,
    /// The reason why it is illegal.
    pub reason: IllegalMoveReason,
}

/// Why a move given as a value is illegal, in any game. [`NotationError`] has the reasons of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum IllegalMoveReason {
    /// No piece of the side to move can move so.
    #[error("no piece of the side to move can make this move")]
    NotPseudoLegal,
    /// The king of the side to move is in check and would remain so.
    #[error("the move leaves the king in check")]
    StaysInCheck,
    /// The move would expose the king of the side to move.
    #[error("the move puts the own king in check")]
    ExposesKing,
}

/// A move text that does not name exactly one legal move; `R` is the game's own enum of reasons.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotationError<R: fmt::Display> {
    /// The text is not a move of this dialect.
    #[error("cannot read {text:?} as a move in {dialect}: expected {expected}")]
    Malformed {
        /// The text as given.
        text: String,
        /// The dialect in which it was read.
        dialect: &'static str,
        /// The form of a move in this dialect.
        expected: &'static str,
    },
    /// The text is a move, but the move is illegal.
    #[error("{text:?} is illegal here: {reason}")]
    Illegal {
        /// The text as given.
        text: String,
        /// The reason: a typed value, so that a user interface can translate it.
        reason: R,
    },
    /// The text names a legal move in another dialect only.
    #[error("{text:?} is illegal here as {dialect}; as {other} it would be legal")]
    OtherDialect {
        /// The text as given.
        text: String,
        /// The dialect in which it was read.
        dialect: &'static str,
        /// The dialect in which it names a legal move.
        other: &'static str,
    },
    /// The text fits more than one legal move.
    #[error("{text:?} is ambiguous here: {readings}")]
    Ambiguous {
        /// The text as given.
        text: String,
        /// The legal moves that it fits.
        readings: String,
    },
}
