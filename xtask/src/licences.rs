//! The licences and sources of the dependencies, and the advisories on them.

use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::Context;

use crate::shell::{command, is_available, run, skip};

/// The longest time that the database of advisories may take to come.
const MAX_FETCH_TIME: Duration = Duration::from_secs(60);
/// The time between two looks whether it has come.
const FETCH_INTERVAL: Duration = Duration::from_millis(100);

/// Checks the licences and sources of the dependencies, and the advisories where their database can be had.
///
/// # Errors
/// If a check fails, or the checker is missing and `ALFIL_NO_SKIP` is set.
pub(crate) fn check() -> anyhow::Result<()> {
    check_with("deny", skip)
}

/// Checks with a subcommand of cargo; `skip` receives what is skipped without it, and the remedy.
fn check_with(checker: &str, skip: impl FnOnce(&str, &str) -> anyhow::Result<()>) -> anyhow::Result<()> {
    if !is_available(&["cargo", checker, "--version"]) {
        let remedy = "Install it with: cargo install --locked cargo-deny";
        return skip("the licences, sources and advisories, which need cargo-deny", remedy);
    }
    run(".", &["cargo", checker, "--offline", "check", "licenses", "bans", "sources"])?;
    // The advisories are on another server than the crates, which a machine may not reach.
    if !fetch_advisories(checker)? {
        eprintln!(
            "\n*** The advisories were NOT checked: their database, that of RustSec, cannot be had here. ***\n"
        );
        return Ok(());
    }
    run(".", &["cargo", checker, "--offline", "check", "advisories"])
}

/// Fetches the database of advisories; false if it cannot be had.
fn fetch_advisories(checker: &str) -> anyhow::Result<bool> {
    let mut fetch = command(".", &["cargo", checker, "fetch", "db"]);
    let fetch = fetch.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut fetch = fetch.spawn().context("cannot start cargo")?;
    let start = Instant::now();
    loop {
        if let Some(status) = fetch.try_wait()? {
            return Ok(status.success());
        }
        if start.elapsed() >= MAX_FETCH_TIME {
            fetch.kill()?;
            fetch.wait()?;
            return Ok(false);
        }
        std::thread::sleep(FETCH_INTERVAL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::skip_where_allowed;

    #[test]
    fn a_missing_checker_fails_where_nothing_may_be_skipped() {
        let check = |is_allowed| {
            check_with("checker-that-is-not-there", |what, remedy| {
                skip_where_allowed(is_allowed, what, remedy)
            })
        };
        assert!(check(true).is_ok());
        let error = check(false).unwrap_err().to_string();
        assert!(error.contains("cargo install --locked cargo-deny"), "{error}");
    }
}
