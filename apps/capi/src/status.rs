//! The status of a call, and the message of the last one that failed.

use std::cell::RefCell;
use std::ffi::{CStr, CString};
use std::panic::{AssertUnwindSafe, catch_unwind};

use alfil_session::workers::panic_message;
use alfil_session::{ErrorKind, SessionError};

/// What a call returns. `alfil_last_error` has the sentence.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The call succeeded.
    Ok = 0,
    /// A pointer that must not be NULL is NULL.
    NullPointer = 1,
    /// A text is not UTF-8.
    NotUtf8 = 2,
    /// A pointer is not one that the library gave, or was freed, or belongs to an object of another kind.
    InvalidHandle = 3,
    /// Another thread uses the object at this moment. The object is unchanged.
    Busy = 4,
    /// A number is out of range, or there is no game, notation, square or ruleset of this name.
    InvalidArgument = 5,
    /// A position text cannot be read, or the position cannot be played.
    InvalidPosition = 6,
    /// A text or a number is no move of the game or of the notation.
    InvalidMove = 7,
    /// The move is not legal in the position; the message has the reason.
    IllegalMove = 8,
    /// A text fits several legal moves.
    AmbiguousMove = 9,
    /// There is no move to take back.
    NoMove = 10,
    /// Nothing came before the time was over.
    Timeout = 11,
    /// A file cannot be opened or read.
    Io = 12,
    /// A file of games, or a game, cannot be read or written.
    Record = 13,
    /// The library has an error. The message says where; please report it.
    Internal = 14,
}

impl Status {
    /// Returns the name of the constant in C without its prefix.
    pub(crate) fn name(self) -> &'static CStr {
        match self {
            Status::Ok => c"OK",
            Status::NullPointer => c"NULL_POINTER",
            Status::NotUtf8 => c"NOT_UTF8",
            Status::InvalidHandle => c"INVALID_HANDLE",
            Status::Busy => c"BUSY",
            Status::InvalidArgument => c"INVALID_ARGUMENT",
            Status::InvalidPosition => c"INVALID_POSITION",
            Status::InvalidMove => c"INVALID_MOVE",
            Status::IllegalMove => c"ILLEGAL_MOVE",
            Status::AmbiguousMove => c"AMBIGUOUS_MOVE",
            Status::NoMove => c"NO_MOVE",
            Status::Timeout => c"TIMEOUT",
            Status::Io => c"IO",
            Status::Record => c"RECORD",
            Status::Internal => c"INTERNAL",
        }
    }

    /// All values, by their numbers.
    pub(crate) const ALL: [Status; 15] = [
        Status::Ok,
        Status::NullPointer,
        Status::NotUtf8,
        Status::InvalidHandle,
        Status::Busy,
        Status::InvalidArgument,
        Status::InvalidPosition,
        Status::InvalidMove,
        Status::IllegalMove,
        Status::AmbiguousMove,
        Status::NoMove,
        Status::Timeout,
        Status::Io,
        Status::Record,
        Status::Internal,
    ];
}

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Error {
    pub(crate) status: Status,
    pub(crate) message: String,
}

impl Error {
    pub(crate) fn new(status: Status, message: impl Into<String>) -> Self {
        Error { status, message: message.into() }
    }

    /// Returns the error of an argument out of range, or of an unknown name.
    pub(crate) fn argument(message: impl Into<String>) -> Self {
        Error::new(Status::InvalidArgument, message)
    }
}

impl From<SessionError> for Error {
    fn from(error: SessionError) -> Self {
        let status = match error.kind {
            ErrorKind::InvalidPosition => Status::InvalidPosition,
            ErrorKind::InvalidMove => Status::InvalidMove,
            ErrorKind::IllegalMove | ErrorKind::OtherDialect(_) => Status::IllegalMove,
            ErrorKind::AmbiguousMove => Status::AmbiguousMove,
            ErrorKind::NoMove => Status::NoMove,
            _ => Status::InvalidArgument,
        };
        Error::new(status, error.message)
    }
}

thread_local! {
    /// The message of the last call of this thread that failed.
    static LAST_ERROR: RefCell<CString> = RefCell::new(CString::default());
}

/// Returns a text as C reads it; a NUL inside becomes U+FFFD.
pub(crate) fn c_text(text: &str) -> CString {
    let text = if text.contains('\0') { text.replace('\0', "\u{FFFD}") } else { text.to_owned() };
    CString::new(text).unwrap_or_default()
}

/// Calls `read` with the message of the last call of this thread that failed; it is empty while the thread ends.
pub(crate) fn with_last_error<R>(read: impl Fn(&CStr) -> R) -> R {
    LAST_ERROR.try_with(|message| read(&message.borrow())).unwrap_or_else(|_| read(c""))
}

/// Runs a call. An error or a panic becomes a status, and its message is kept for this thread.
pub(crate) fn guard(work: impl FnOnce() -> Result<(), Error>) -> Status {
    let error = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => return Status::Ok,
        Ok(Err(error)) => error,
        Err(panic) => {
            let message = format!("internal error: {}; please report it", panic_message(&*panic));
            Error::new(Status::Internal, message)
        }
    };
    // Destructors of C++ call the library while their thread ends, when there is no place for a message any more.
    let _ = LAST_ERROR.try_with(|message| *message.borrow_mut() = c_text(&error.message));
    error.status
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_status_with_a_message() {
        let status = guard(|| panic!("square {} does not exist", 99));
        assert_eq!(status, Status::Internal);
        let message = with_last_error(|message| message.to_str().unwrap().to_owned());
        assert_eq!(message, "internal error: square 99 does not exist; please report it");
        assert_eq!(guard(|| Ok(())), Status::Ok);
    }

    #[test]
    fn every_status_has_its_number_and_a_name_of_its_own() {
        for (number, status) in Status::ALL.into_iter().enumerate() {
            assert_eq!(status as usize, number);
            let same = Status::ALL.into_iter().filter(|other| other.name() == status.name());
            assert_eq!(same.count(), 1);
        }
    }
}
