//! What can be wrong with words: where, what was expected, what stood there.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use thiserror::Error;

/// A position text that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("position text, byte {offset} ({field}): expected {expected}, found {}", self.found_text())]
pub struct FenError<E: fmt::Display> {
    /// The byte in the text where reading stopped.
    pub offset: usize,
    /// The field it stopped in: `placement`, `side`, ...
    pub field: &'static str,
    /// What would have been right: the game's own list of it, so that a door can say it in another language.
    pub expected: E,
    /// What stood there; nothing at the end of the text.
    pub found: Option<char>,
}

impl<E: fmt::Display> FenError<E> {
    /// An error at `offset` of `text`; what stood there is read from the text itself.
    pub fn new(text: &str, offset: usize, field: &'static str, expected: E) -> Self {
        let found = text.get(offset..).and_then(|rest| rest.chars().next());
        FenError { offset, field, expected, found }
    }

    /// What stood there in words: a character in quotes, or `the end`.
    pub fn found_text(&self) -> String {
        self.found.map_or_else(|| String::from("the end"), |found| alloc::format!("{found:?}"))
    }
}

/// A position that a board may not be made of: every complaint that was not waived.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct SetupError<C> {
    /// What is wrong, at least one.
    pub issues: Vec<C>,
}

impl<C: crate::game::SetupIssue> fmt::Display for SetupError<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, complaint) in self.issues.iter().enumerate() {
            let waiver = if complaint.is_waivable() { "can be waived as" } else { "cannot be waived" };
            let name = if complaint.is_waivable() { complaint.name() } else { "" };
            write!(
                f,
                "{}{complaint} ({waiver}{}{name})",
                if i > 0 { "; " } else { "" },
                if name.is_empty() { "" } else { " " }
            )?;
        }
        Ok(())
    }
}

/// A move that may not be played, and why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("illegal move {mv:?}: {reason}")]
pub struct IllegalMoveError<M: fmt::Debug> {
    /// The move.
    pub mv: M,
    /// Why it may not be played.
    pub reason: &'static str,
}

/// A move text that names no legal move; `R` is the game's own list of reasons.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotationError<R: fmt::Display> {
    /// It is no move text of this dialect at all.
    #[error("{text:?} is no move in {dialect}: {expected}")]
    Malformed {
        /// The text as given.
        text: String,
        /// The dialect it was read in.
        dialect: &'static str,
        /// What a move looks like there.
        expected: &'static str,
    },
    /// It is a move, but may not be played here.
    #[error("{text:?} is illegal here: {reason}")]
    Illegal {
        /// The text as given.
        text: String,
        /// Why: a value and no sentence, so that a door can say it in another language.
        reason: R,
    },
    /// It would be legal in another dialect; dialects are never guessed between.
    #[error("{text:?} is illegal here as {dialect}; as {other} it would be legal")]
    OtherDialect {
        /// The text as given.
        text: String,
        /// The dialect it was read in.
        dialect: &'static str,
        /// The dialect in which it names a legal move.
        other: &'static str,
    },
    /// More than one legal move is written like that.
    #[error("{text:?} is ambiguous here: {readings}")]
    Ambiguous {
        /// The text as given.
        text: String,
        /// The moves it could be.
        readings: String,
    },
}
