//! The error of a request to a board or a session.

use std::fmt::Display;

use alfil_kernel::epd::{EpdError, EpdExpected};
use alfil_kernel::{FenError, NotationError, SetupError, SetupIssue};

/// The kind of an error, by which programs distinguish errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A position text cannot be read, or the position cannot be played.
    InvalidPosition,
    /// A text or a number is no move of the game or of the notation.
    InvalidMove,
    /// The move is not legal in the position.
    IllegalMove,
    /// The text is no legal move in this dialect, and is one in the dialect of this name.
    OtherDialect(&'static str),
    /// A text fits several legal moves.
    AmbiguousMove,
    /// There is no move to take back.
    NoMove,
    /// Another reason: there is no game, dialect, square, ruleset or issue of a name, a number is out of range, or the
    /// system lacks memory or threads.
    #[default]
    Other,
}

/// The reason why a request failed, as one sentence that names the place.
///
/// ```
/// use alfil_session::{ErrorKind, registry};
///
/// let mut session = registry::open("chess", None)?;
/// let error = session.play("Ke2", Some("san")).unwrap_err();
/// assert_eq!(error.kind, ErrorKind::IllegalMove);
/// assert!(error.at_move(1).to_string().starts_with("move 1: "));
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SessionError {
    /// The kind.
    pub kind: ErrorKind,
    /// The English sentence.
    pub message: String,
    /// The Chinese sentence, which sessions add to errors in texts, positions and moves that users enter.
    pub message_zh: Option<String>,
}

impl SessionError {
    /// Creates an error of the kind [`ErrorKind::Other`] with an English message only.
    pub fn new(message: impl Into<String>) -> Self {
        SessionError::with_kind(ErrorKind::Other, message)
    }

    /// Creates an error of a kind with an English message only.
    pub fn with_kind(kind: ErrorKind, message: impl Into<String>) -> Self {
        SessionError { kind, message: message.into(), message_zh: None }
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

impl<R: Display> From<&NotationError<R>> for SessionError {
    fn from(error: &NotationError<R>) -> Self {
        let kind = match error {
            NotationError::Malformed { .. } => ErrorKind::InvalidMove,
            NotationError::Illegal { .. } => ErrorKind::IllegalMove,
            NotationError::OtherDialect { other, .. } => ErrorKind::OtherDialect(other),
            NotationError::Ambiguous { .. } => ErrorKind::AmbiguousMove,
        };
        SessionError::with_kind(kind, error.to_string())
    }
}

impl<E: Display> From<&EpdError<E>> for SessionError
where
    FenError<EpdExpected<E>>: Display,
{
    fn from(error: &EpdError<E>) -> Self {
        SessionError::with_kind(ErrorKind::InvalidPosition, error.to_string())
    }
}

impl<I: SetupIssue> From<&SetupError<I>> for SessionError {
    fn from(error: &SetupError<I>) -> Self {
        SessionError::with_kind(ErrorKind::InvalidPosition, format!("invalid position: {error}"))
    }
}
