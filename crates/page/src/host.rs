//! What the sessions of pages need of the system.

use std::time::Duration;

use alfil_session::SessionError;

/// Functions of the system: a server has those of the operating system, a worker of a browser those of JavaScript.
///
/// ```
/// use std::time::Duration;
///
/// use alfil_page::PageHost;
///
/// let random = || 0x123_4567_89ab_cdef;
/// let host = PageHost { now: || Duration::ZERO, unix_seconds: || 0, random, check_memory: |_| Ok(()) };
/// assert_eq!(host.new_id(), "0123456789ab");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PageHost {
    /// Returns the time since any fixed moment; it never goes back.
    pub now: fn() -> Duration,
    /// Returns the seconds since 1970.
    pub unix_seconds: fn() -> i64,
    /// Returns a random number, another one at each start of the program, too.
    pub random: fn() -> u64,
    /// Checks that there is memory for a table of so many MiB.
    pub check_memory: fn(usize) -> Result<(), SessionError>,
}

impl PageHost {
    /// Returns the time for game clocks.
    pub fn now(&self) -> Duration {
        (self.now)()
    }

    /// Returns a new game id.
    pub fn new_id(&self) -> String {
        format!("{:012x}", (self.random)() >> 16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conformance::GROWING_HOST;

    #[test]
    fn ids_are_of_the_random_number() {
        let host = PageHost { random: || 0x0123_4567_89ab_cdef, ..GROWING_HOST };
        assert_eq!(host.new_id(), "0123456789ab");
        assert_ne!(GROWING_HOST.new_id(), GROWING_HOST.new_id());
    }
}
