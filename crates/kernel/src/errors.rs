//! Errors of positions, moves and texts.

use alloc::string::String;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

/// A position text that cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
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

impl<E: fmt::Display> fmt::Display for FenError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FenError { offset, field, expected, .. } = self;
        write!(f, "position text, byte {offset} ({field}): expected {expected}, found {}", self.found_text())
    }
}

impl<E: fmt::Display + fmt::Debug> Error for FenError<E> {}

/// A setup that is not valid for a board: its issues that were not waived.
#[derive(Clone, Debug, PartialEq, Eq)]
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

impl<I: crate::game::SetupIssue> Error for SetupError<I> {}

/// A text that is not the name of a waiver of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownWaiverError {
    /// The name as given.
    pub name: String,
    /// The names of the waivers of the game.
    pub known: &'static [&'static str],
}

impl fmt::Display for UnknownWaiverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnknownWaiverError { name, known } = self;
        write!(f, "no issue {name:?} can be waived; use all or some of {}", known.join(", "))
    }
}

impl Error for UnknownWaiverError {}

/// A position text that gives no board: it cannot be read, or the position is impossible.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PositionError<E: fmt::Display, I> {
    /// The text cannot be read.
    Text(FenError<E>),
    /// The position has issues.
    Setup(SetupError<I>),
}

/// That of the error within, the alternate form of a [`SetupError`] included.
impl<E: fmt::Display, I: crate::game::SetupIssue> fmt::Display for PositionError<E, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionError::Text(error) => error.fmt(f),
            PositionError::Setup(error) => error.fmt(f),
        }
    }
}

impl<E: fmt::Display + fmt::Debug, I: crate::game::SetupIssue> Error for PositionError<E, I> {}

impl<E: fmt::Display, I> From<FenError<E>> for PositionError<E, I> {
    fn from(error: FenError<E>) -> Self {
        PositionError::Text(error)
    }
}

impl<E: fmt::Display, I> From<SetupError<I>> for PositionError<E, I> {
    fn from(error: SetupError<I>) -> Self {
        PositionError::Setup(error)
    }
}

/// The error of a text that is not the coordinates of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseMoveError {
    /// The form of the coordinates in the game.
    pub expected: &'static str,
}

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a move: expected {}", self.expected)
    }
}

impl Error for ParseMoveError {}

/// An illegal move and the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalMoveError<M: fmt::Debug> {
    /// The illegal move.
    pub mv: M,
    /// The reason why it is illegal.
    pub reason: IllegalMoveReason,
}

impl<M: fmt::Debug> fmt::Display for IllegalMoveError<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "illegal move {:?}: {}", self.mv, self.reason)
    }
}

impl<M: fmt::Debug> Error for IllegalMoveError<M> {}

/// Why a move given as a value is illegal, in any game. [`NotationError`] has the reasons of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum IllegalMoveReason {
    /// No piece of the side to move can move so.
    NotPseudoLegal,
    /// The king of the side to move is in check and would remain so.
    StaysInCheck,
    /// The move would expose the king of the side to move.
    ExposesKing,
}

impl fmt::Display for IllegalMoveReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            IllegalMoveReason::NotPseudoLegal => "no piece of the side to move can make this move",
            IllegalMoveReason::StaysInCheck => "the move leaves the king in check",
            IllegalMoveReason::ExposesKing => "the move puts the own king in check",
        })
    }
}

impl Error for IllegalMoveReason {}

/// A move text that does not name exactly one legal move; `R` is the game's own enum of reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotationError<R: fmt::Display> {
    /// The text is not a move of this dialect.
    Malformed {
        /// The text as given.
        text: String,
        /// The dialect in which it was read.
        dialect: &'static str,
        /// The form of a move in this dialect.
        expected: &'static str,
    },
    /// The text is a move, but the move is illegal.
    Illegal {
        /// The text as given.
        text: String,
        /// The reason: a typed value, so that a user interface can translate it.
        reason: R,
    },
    /// The text names a legal move in another dialect only.
    OtherDialect {
        /// The text as given.
        text: String,
        /// The dialect in which it was read.
        dialect: &'static str,
        /// The dialect in which it names a legal move.
        other: &'static str,
    },
    /// The text fits more than one legal move.
    Ambiguous {
        /// The text as given.
        text: String,
        /// The legal moves that it fits.
        readings: String,
    },
}

impl<R: fmt::Display> fmt::Display for NotationError<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotationError::Malformed { text, dialect, expected } => {
                write!(f, "cannot read {text:?} as a move in {dialect}: expected {expected}")
            }
            NotationError::Illegal { text, reason } => write!(f, "{text:?} is illegal here: {reason}"),
            NotationError::OtherDialect { text, dialect, other } => {
                write!(f, "{text:?} is illegal here as {dialect}; as {other} it would be legal")
            }
            NotationError::Ambiguous { text, readings } => {
                write!(f, "{text:?} is ambiguous here: {readings}")
            }
        }
    }
}

impl<R: fmt::Display + fmt::Debug> Error for NotationError<R> {}
