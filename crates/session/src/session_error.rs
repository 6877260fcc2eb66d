//! The error of a request to a session.

use std::fmt::Display;

use alfil_kernel::NotationError;

/// The reason why a request failed, as one sentence that names the place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SessionError {
    /// The English sentence.
    pub message: String,
    /// The Chinese sentence, for texts, positions and moves that users enter.
    pub message_zh: Option<String>,
    /// The dialect in which the rejected move would be legal.
    pub other_dialect: Option<&'static str>,
}

impl SessionError {
    /// Creates an error with an English message only.
    pub fn new(message: impl Into<String>) -> Self {
        SessionError { message: message.into(), message_zh: None, other_dialect: None }
    }

    /// Converts an error of the notation; `message_zh` is its Chinese message.
    pub(crate) fn from_notation_error<R: Display>(error: &NotationError<R>, message_zh: String) -> Self {
        let other = match error {
            NotationError::OtherDialect { other, .. } => Some(*other),
            _ => None,
        };
        SessionError { other_dialect: other, ..SessionError::new(error.to_string()).with_chinese(message_zh) }
    }

    /// Returns the same error, as an error of the move with this number in a list; the first move is number 1.
    #[must_use]
    pub fn at_move(self, number: usize) -> Self {
        let message = format!("move {number}: {}", self.message);
        let message_zh = self.message_zh.map(|message| format!("第 {number} 着：{message}"));
        SessionError { message, message_zh, ..self }
    }

    /// Adds the Chinese message.
    #[must_use]
    pub fn with_chinese(self, message_zh: impl Into<String>) -> Self {
        SessionError { message_zh: Some(message_zh.into()), ..self }
    }

    /// Converts any error into a session error with the same message.
    pub fn from_error(error: impl std::error::Error) -> Self {
        SessionError::new(error.to_string())
    }
}
