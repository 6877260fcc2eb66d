//! Version, errors, and freeing of texts.

use std::ffi::{CStr, c_char};

use crate::arena::Texts;
use crate::handles::{self, Kind};
use crate::status::{Status, guard, with_last_error};

/// Returns the version of the library. The text is constant.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => panic!("a version has no NUL"),
        };
    VERSION.as_ptr()
}

/// Returns the message of the last call of this thread that failed; empty if none did. The text belongs to the library
/// and is valid until the next call of this thread that fails.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_last_error() -> *const c_char {
    with_last_error(CStr::as_ptr)
}

/// Returns the name of a status: `ILLEGAL_MOVE`; `UNKNOWN` for a number that is no status. The text is constant.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_status_name(status: i32) -> *const c_char {
    let status = usize::try_from(status).ok().and_then(|index| Status::ALL.get(index));
    status.map_or(c"UNKNOWN", |status| status.name()).as_ptr()
}

/// Returns the number of objects that the caller holds: handles, results and texts that were given and not freed.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_live_objects() -> usize {
    handles::count()
}

/// Frees a text that a function has given in a `char **`. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_text_free(text: *mut c_char) -> Status {
    guard(|| handles::free(text.cast(), Kind::Text))
}

/// Frees a list of texts. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_texts_free(texts: *const Texts) -> Status {
    guard(|| handles::free(texts.cast_mut().cast(), Kind::Texts))
}
