//! Why something is not done: a sentence, and for what every page meets a word by which it says it in its own language.

use alfil_hall::DeskError;
use alfil_hall::clock::PaceError;
use serde::Serialize;

/// What a page can say by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// The game is over.
    Over,
    /// Another window has played on.
    Changed,
    /// No game of this id is kept.
    Gone,
    /// What was pasted belongs to another kind of game.
    Other,
    /// What was pasted holds neither a position nor a move.
    Empty,
    /// The engine broke off.
    Failed,
}

/// Why something is not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) cause: Option<Cause>,
    pub(crate) words: String,
    /// The same in Chinese; where a page can say it by itself, that is not needed.
    pub(crate) words_zh: Option<String>,
    /// The kind of game that would understand it.
    pub(crate) other: Option<&'static str>,
    /// Whether it is a position that can be let pass where it is set up.
    pub(crate) waivable: bool,
}

impl Refusal {
    /// One of those that a page can say by itself.
    pub(crate) fn of(cause: Cause, words: impl Into<String>) -> Refusal {
        Refusal { cause: Some(cause), words: words.into(), words_zh: None, other: None, waivable: false }
    }

    /// It belongs to another kind of game than the one on the desk.
    pub(crate) fn other(other: &'static str, kind: &str) -> Refusal {
        let words = format!("this belongs to a game of {other}; the open game is {kind}");
        Refusal { other: Some(other), ..Refusal::of(Cause::Other, words) }
    }

    /// There is nothing in what was pasted.
    pub(crate) fn empty() -> Refusal {
        Refusal::of(Cause::Empty, "there is no move in this text, and no position")
    }

    /// Nothing more can be played.
    pub(crate) fn over() -> Refusal {
        Refusal::of(Cause::Over, "the game is over: take a move back or start a new one")
    }
}

impl From<DeskError> for Refusal {
    fn from(error: DeskError) -> Self {
        Refusal { cause: None, words: error.words, words_zh: error.words_zh, other: None, waivable: false }
    }
}

impl From<PaceError> for Refusal {
    fn from(error: PaceError) -> Self {
        Refusal::from(error.to_string())
    }
}

impl From<String> for Refusal {
    fn from(words: String) -> Self {
        Refusal { cause: None, words, words_zh: None, other: None, waivable: false }
    }
}

impl From<&str> for Refusal {
    fn from(words: &str) -> Self {
        Refusal::from(words.to_owned())
    }
}
