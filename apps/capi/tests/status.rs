//! Runs the unit tests of `src/status.rs`. The library has no tests of its own, because building it once more takes
//! minutes.

#[allow(dead_code, unreachable_pub, reason = "the rest of the library uses them")]
#[path = "../src/status.rs"]
mod status;
