//! The functions of this module that JavaScript calls, with their buffers.
//!
//! JavaScript requests the address of a buffer, writes into it, and calls `alfil_call`. Rust never follows an address
//! that comes from JavaScript.

use std::cell::RefCell;

use crate::answer::Answer;
use crate::host;
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
    std::panic::set_hook(Box::new(|panic| host::panicked(&panic.to_string())));
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
        let reports = host::take_sent();
        assert!(reports.len() >= 4 && reports[3].contains(r#""depth":4"#), "{reports:?}");
        assert!(reports.iter().all(|report| report.contains(r#""bound":"exact""#)), "{reports:?}");
    }
}
