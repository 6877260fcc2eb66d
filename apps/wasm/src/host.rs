//! The functions of JavaScript that this module calls. All unsafe blocks of the crate are here.

#![allow(unsafe_code)]

#[cfg(feature = "engine")]
use std::time::Duration;

#[cfg(feature = "engine")]
use crate::errors::{Code, Error};

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

/// Sends the message of a panic.
pub(crate) fn panicked(message: &str) {
    imports::panicked(message);
}

/// Returns the texts that were sent by this thread.
#[cfg(all(test, feature = "engine"))]
pub(crate) fn take_sent() -> Vec<String> {
    imports::take_sent()
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
