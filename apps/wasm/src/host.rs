//! The interface to JavaScript: the buffers and functions that it calls, and the functions of its side. All unsafe code
//! of the crate is here: the attribute `no_mangle`, and calls of imported functions.
//!
//! JavaScript requests the address of a buffer, writes into it, and calls `alfil_call`. Rust never follows an address
//! that comes from JavaScript.

#![allow(unsafe_code)]

use std::cell::RefCell;
#[cfg(feature = "engine")]
use std::time::Duration;

use crate::answer::Answer;
#[cfg(feature = "engine")]
use crate::errors::{Code, Error};
use crate::module::Module;

/// The numbers that `alfil_call` returns.
const JSON: u32 = 0;
const ERROR: u32 = 1;
const BYTES: u32 = 2;

/// Buffers larger than this are given back after a call.
const KEPT_BYTES: usize = 1 << 16;

thread_local! {
    static MODULE: RefCell<Module> = RefCell::default();
    /// The request.
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    /// The file or network that goes with the request.
    static FILE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Makes a buffer of this size; the result is 0 if there is not enough memory.
fn resized(buffer: &RefCell<Vec<u8>>, length: usize) -> *mut u8 {
    let mut buffer = buffer.borrow_mut();
    buffer.clear();
    if buffer.try_reserve_exact(length).is_err() {
        return std::ptr::null_mut();
    }
    buffer.resize(length, 0);
    buffer.as_mut_ptr()
}

/// Returns the address of the buffer for a request of this size in bytes, or 0.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_input(length: usize) -> *mut u8 {
    INPUT.with(|buffer| resized(buffer, length))
}

/// Returns the address of the buffer for a file of this size in bytes, or 0.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_file(length: usize) -> *mut u8 {
    FILE.with(|buffer| resized(buffer, length))
}

/// Answers the request in the buffer. Returns 0 if the answer is JSON, 1 if it is an error as JSON, 2 if it is bytes.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_call() -> u32 {
    let file = FILE.take();
    let answer = INPUT.with_borrow(|input| MODULE.with_borrow_mut(|module| module.answer(input, file)));
    let (kind, bytes) = match answer {
        Ok(Answer::Json(json)) => (JSON, json),
        Ok(Answer::Bytes(bytes)) => (BYTES, bytes),
        Err(error) => (ERROR, serde_json::to_vec(&error).unwrap_or_default()),
    };
    INPUT.with(|input| {
        if input.borrow().capacity() > KEPT_BYTES {
            input.take();
        }
    });
    OUTPUT.replace(bytes);
    grow_ahead();
    kind
}

/// Grows the memory by an eighth whenever it had to grow: each growth makes the garbage collector of JavaScript run,
/// and the allocator requests only what it needs.
fn grow_ahead() {
    #[cfg(target_family = "wasm")]
    {
        use std::cell::Cell;

        const PAGE_BYTES: usize = 1 << 16;
        thread_local! {
            static PAGES: Cell<usize> = const { Cell::new(0) };
        }
        let pages = core::arch::wasm32::memory_size::<0>();
        if pages != PAGES.get() {
            // The allocator keeps what is given back; without more memory nothing is lost.
            let mut reserve = Vec::<u8>::new();
            let _ = reserve.try_reserve_exact(pages / 8 * PAGE_BYTES);
            drop(std::hint::black_box(reserve));
            PAGES.set(core::arch::wasm32::memory_size::<0>());
        }
    }
}

/// Returns the address of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_output() -> *const u8 {
    OUTPUT.with(|output| output.borrow().as_ptr())
}

/// Returns the size of the answer, in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_output_length() -> usize {
    OUTPUT.with(|output| output.borrow().len())
}

/// Prepares the module: the message of a panic goes to JavaScript before the module ends.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_start() {
    std::panic::set_hook(Box::new(|panic| imports::panicked(&panic.to_string())));
}

/// Returns an error if the system cannot give this much memory. A failed allocation would end the module.
#[cfg(feature = "engine")]
pub(crate) fn check_memory(mebibytes: usize) -> Result<(), Error> {
    /// The largest table, in MiB: a module has at most 4 GiB, and tables and records of several engines share it.
    const MAX_MEBIBYTES: usize = 1024;
    if !(1..=MAX_MEBIBYTES).contains(&mebibytes) {
        return Err(Error::argument(format!("a table of {mebibytes} MiB: choose 1 to {MAX_MEBIBYTES}")));
    }
    alfil_session::searcher::check_memory(mebibytes).map_err(|error| Error::new(Code::Memory, error.message))
}

/// Returns the time since a fixed moment.
#[cfg(feature = "engine")]
pub(crate) fn now() -> Duration {
    Duration::try_from_secs_f64(imports::now() / 1000.0).unwrap_or_default()
}

/// Returns the seconds since 1970.
#[cfg(feature = "page")]
pub(crate) fn unix_seconds() -> i64 {
    imports::date() as i64
}

/// Returns a random number of 64 bits.
#[cfg(feature = "page")]
pub(crate) fn random() -> u64 {
    u64::from(imports::random()) << 32 | u64::from(imports::random())
}

/// Returns whether JavaScript requests the end of the search.
#[cfg(feature = "engine")]
pub(crate) fn is_stopped() -> bool {
    imports::is_stopped()
}

/// Sends a report of a search, as JSON.
#[cfg(feature = "engine")]
pub(crate) fn report(json: &str) {
    imports::report(json);
}

/// The functions of JavaScript.
#[cfg(target_family = "wasm")]
mod imports {
    mod raw {
        #[link(wasm_import_module = "alfil")]
        unsafe extern "C" {
            /// Returns the milliseconds since a fixed moment.
            #[cfg(feature = "engine")]
            pub(super) safe fn now() -> f64;
            /// Returns the seconds since 1970.
            #[cfg(feature = "page")]
            pub(super) safe fn date() -> f64;
            /// Returns a random number of 32 bits.
            #[cfg(feature = "page")]
            pub(super) safe fn random() -> u32;
            /// Returns 1 if the search must stop, else 0.
            #[cfg(feature = "engine")]
            pub(super) safe fn is_stopped() -> u32;
            /// Receives a report in UTF-8.
            #[cfg(feature = "engine")]
            pub(super) fn report(text: *const u8, length: usize);
            /// Receives the message of a panic in UTF-8.
            pub(super) fn panicked(text: *const u8, length: usize);
        }
    }

    #[cfg(feature = "engine")]
    pub(super) fn now() -> f64 {
        raw::now()
    }

    #[cfg(feature = "page")]
    pub(super) fn date() -> f64 {
        raw::date()
    }

    #[cfg(feature = "page")]
    pub(super) fn random() -> u32 {
        raw::random()
    }

    #[cfg(feature = "engine")]
    pub(super) fn is_stopped() -> bool {
        raw::is_stopped() != 0
    }

    #[cfg(feature = "engine")]
    pub(super) fn report(text: &str) {
        // SAFETY: JavaScript reads `length` bytes of the text during the call and keeps no address.
        unsafe { raw::report(text.as_ptr(), text.len()) };
    }

    pub(super) fn panicked(text: &str) {
        // SAFETY: as in `report`.
        unsafe { raw::panicked(text.as_ptr(), text.len()) };
    }
}

/// The same without JavaScript, for tests of this crate on other systems.
#[cfg(not(target_family = "wasm"))]
mod imports {
    use std::cell::RefCell;

    thread_local! {
        /// The texts that were sent by this thread.
        static SENT: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    }

    #[cfg(feature = "engine")]
    pub(super) fn now() -> f64 {
        use std::sync::LazyLock;
        use std::time::Instant;

        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        START.elapsed().as_secs_f64() * 1000.0
    }

    #[cfg(feature = "page")]
    pub(super) fn date() -> f64 {
        1_700_000_000.0
    }

    #[cfg(feature = "page")]
    pub(super) fn random() -> u32 {
        use std::cell::Cell;

        thread_local! {
            static LAST: Cell<u32> = const { Cell::new(0) };
        }
        LAST.set(LAST.get() + 1);
        LAST.get() << 8
    }

    #[cfg(feature = "engine")]
    pub(super) fn is_stopped() -> bool {
        false
    }

    #[cfg(feature = "engine")]
    pub(super) fn report(text: &str) {
        SENT.with_borrow_mut(|sent| sent.push(text.to_owned()));
    }

    pub(super) fn panicked(text: &str) {
        SENT.with_borrow_mut(|sent| sent.push(text.to_owned()));
    }

    #[cfg(test)]
    pub(super) fn take_sent() -> Vec<String> {
        SENT.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a call as JavaScript does, but for the addresses.
    fn call(request: &str) -> (u32, String) {
        assert!(!alfil_input(request.len()).is_null());
        INPUT.with_borrow_mut(|input| input.copy_from_slice(request.as_bytes()));
        let kind = alfil_call();
        let answer = OUTPUT.with_borrow(|output| String::from_utf8(output.clone()).unwrap());
        assert!(!alfil_output().is_null() && alfil_output_length() == answer.len());
        (kind, answer)
    }

    #[test]
    fn a_request_is_answered_in_json_or_by_an_error() {
        assert_eq!(call(r#"{"call":"module.objects"}"#), (JSON, "0".into()));
        assert_eq!(call(r#"{"call":"board.new","game":"chess"}"#), (JSON, "1".into()));
        assert_eq!(call(r#"{"call":"board.turn","id":1}"#), (JSON, r#""w""#.into()));
        let (kind, error) = call(r#"{"call":"board.move","id":1,"text":"Ke3"}"#);
        assert!(kind == ERROR && error.starts_with(r#"{"code":"illegal-move","message":"#), "{error}");
        assert_eq!(call(r#"{"call":"module.dispose","text":"board","id":1}"#), (JSON, "null".into()));
        let (kind, error) = call(r#"{"call":"board.turn","id":1}"#);
        assert!(kind == ERROR && error.contains(r#""disposed""#), "{error}");
        for request in ["", "{", "[]", r#"{"call":5}"#, r#"{"call":"go.home"}"#, r#"{"call":"module.home"}"#]
        {
            let (kind, error) = call(request);
            assert!(kind == ERROR && error.contains(r#""invalid-argument""#), "{request}: {error}");
        }
    }

    #[cfg(feature = "engine")]
    #[test]
    fn a_search_sends_reports() {
        assert_eq!(call(r#"{"call":"engine.new","game":"othello","hash":1}"#), (JSON, "1".into()));
        let (kind, answer) = call(r#"{"call":"engine.search","id":1,"limits":{"depth":4}}"#);
        assert!(kind == JSON && answer.starts_with(r#"{"bestMove":""#), "{answer}");
        let reports = imports::take_sent();
        assert!(reports.len() >= 4 && reports[3].contains(r#""depth":4"#), "{reports:?}");
        assert!(reports.iter().all(|report| report.contains(r#""bound":"exact""#)), "{reports:?}");
    }
}
