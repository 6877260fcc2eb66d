//! Why something is not done: a sentence, and for what every page meets a word by which it says it in its own language.

use alfil_session::SessionError;
use alfil_session::game_clock::TimeControlError;
use serde::Serialize;

/// What a page can say by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
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
pub(crate) struct RequestError {
    pub(crate) code: Option<ErrorCode>,
    pub(crate) message: String,
    /// The same in Chinese; where a page can say it by itself, that is not needed.
    pub(crate) message_zh: Option<String>,
    /// The kind of game that would understand it.
    pub(crate) other_game: Option<&'static str>,
    /// Whether it is a position that can be let pass where it is set up.
    pub(crate) waivable: bool,
}

impl RequestError {
    /// One of those that a page can say by itself.
    pub(crate) fn new(cause: ErrorCode, words: impl Into<String>) -> RequestError {
        RequestError {
            code: Some(cause),
            message: words.into(),
            message_zh: None,
            other_game: None,
            waivable: false,
        }
    }

    /// It belongs to another kind of game than the one on the desk.
    pub(crate) fn other_game(other: &'static str, kind: &str) -> RequestError {
        let words = format!("this belongs to a game of {other}; the open game is {kind}");
        RequestError { other_game: Some(other), ..RequestError::new(ErrorCode::Other, words) }
    }

    /// There is nothing in what was pasted.
    pub(crate) fn no_content() -> RequestError {
        RequestError::new(ErrorCode::Empty, "there is no move in this text, and no position")
    }

    /// Nothing more can be played.
    pub(crate) fn game_over() -> RequestError {
        RequestError::new(ErrorCode::Over, "the game is over: take a move back or start a new one")
    }
}

impl From<SessionError> for RequestError {
    fn from(error: SessionError) -> Self {
        RequestError {
            code: None,
            message: error.message,
            message_zh: error.message_zh,
            other_game: None,
            waivable: false,
        }
    }
}

impl From<TimeControlError> for RequestError {
    fn from(error: TimeControlError) -> Self {
        RequestError::from(error.to_string())
    }
}

impl From<String> for RequestError {
    fn from(words: String) -> Self {
        RequestError { code: None, message: words, message_zh: None, other_game: None, waivable: false }
    }
}

impl From<&str> for RequestError {
    fn from(words: &str) -> Self {
        RequestError::from(words.to_owned())
    }
}
