//! The exceptions of the package. All of them derive from `ValueError`, as those of python-chess do.

use std::fmt::Display;

use alfil_session::{ErrorKind, SessionError};
use pyo3::create_exception;
use pyo3::exceptions::{PyIndexError, PyOverflowError, PyValueError};
use pyo3::prelude::*;

create_exception!(
    alfil,
    AlfilError,
    PyValueError,
    "A value that Alfil cannot use. All its exceptions derive from this one."
);
create_exception!(
    alfil,
    InvalidPositionError,
    AlfilError,
    "A position text that cannot be read, or a position that cannot be played."
);
create_exception!(alfil, InvalidMoveError, AlfilError, "A text that is no move in the notation.");
create_exception!(
    alfil,
    IllegalMoveError,
    AlfilError,
    "A move that is not legal in the position; the message has the reason."
);
create_exception!(alfil, AmbiguousMoveError, AlfilError, "A text that fits several legal moves.");
create_exception!(
    alfil,
    RecordError,
    AlfilError,
    "A file of games that cannot be read or written, with the place and the reason."
);

/// Converts an error of the library whose kind has no exception of its own.
pub(crate) fn value_error(error: impl Display) -> PyErr {
    AlfilError::new_err(error.to_string())
}

/// Converts an error of a board.
pub(crate) fn board_error(error: SessionError) -> PyErr {
    let message = error.message;
    match error.kind {
        ErrorKind::InvalidPosition => InvalidPositionError::new_err(message),
        ErrorKind::InvalidMove => InvalidMoveError::new_err(message),
        ErrorKind::IllegalMove | ErrorKind::OtherDialect(_) => IllegalMoveError::new_err(message),
        ErrorKind::AmbiguousMove => AmbiguousMoveError::new_err(message),
        ErrorKind::NoMove => PyIndexError::new_err(message),
        _ => AlfilError::new_err(message),
    }
}

/// Returns the error of a number that is too large or negative: Python's own becomes that of the package.
pub(crate) fn in_range(py: Python<'_>, error: PyErr, refused: impl FnOnce() -> PyErr) -> PyErr {
    if error.is_instance_of::<PyOverflowError>(py) { refused() } else { error }
}
