//! Why a call failed, as JavaScript receives it.

use alfil_session::{ErrorKind, SessionError};
use serde::Serialize;

/// The kind of an error: the property `code` of an `AlfilError`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Code {
    /// An argument is out of range, of another type, or there is no game, notation, square or ruleset of this name.
    InvalidArgument,
    /// A position text cannot be read, or the position cannot be played.
    InvalidPosition,
    /// A text is no move of the game or of the notation.
    InvalidMove,
    /// The move is not legal in the position.
    IllegalMove,
    /// A text fits several legal moves.
    AmbiguousMove,
    /// A file of games, or a game, cannot be read or written.
    #[cfg(feature = "records")]
    Record,
    /// The object was disposed.
    #[cfg(feature = "boards")]
    Disposed,
    /// There is not enough memory.
    #[cfg(feature = "boards")]
    Memory,
}

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Error {
    pub(crate) code: Code,
    pub(crate) message: String,
}

impl Error {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Error { code, message: message.into() }
    }

    pub(crate) fn argument(message: impl Into<String>) -> Self {
        Error::new(Code::InvalidArgument, message)
    }
}

impl From<SessionError> for Error {
    fn from(error: SessionError) -> Self {
        let code = match error.kind {
            ErrorKind::InvalidPosition => Code::InvalidPosition,
            ErrorKind::InvalidMove => Code::InvalidMove,
            ErrorKind::IllegalMove | ErrorKind::OtherDialect(_) => Code::IllegalMove,
            ErrorKind::AmbiguousMove => Code::AmbiguousMove,
            _ => Code::InvalidArgument,
        };
        Error::new(code, error.message)
    }
}
