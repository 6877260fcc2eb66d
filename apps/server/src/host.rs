//! What sessions need of the operating system.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::{SystemTime, UNIX_EPOCH};

use alfil_page::PageHost;

/// The clock, the random numbers and the memory of the operating system.
pub(crate) const HOST: PageHost = PageHost {
    now: alfil_engine::now,
    unix_seconds: seconds_since_epoch,
    // The hasher has random keys.
    random: || RandomState::new().build_hasher().finish(),
    check_memory: alfil_session::searcher::check_memory,
};

/// Returns the time in seconds since 1970.
pub(crate) fn seconds_since_epoch() -> i64 {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since_epoch.as_secs()).unwrap_or(i64::MAX)
}
