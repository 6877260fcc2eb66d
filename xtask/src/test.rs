//! `cargo xtask test`: runs all tests.

use std::path::Path;

use clap::Args;

use crate::board;
use crate::c;
use crate::package;
use crate::python;
use crate::serve::{NODE_INSTALL_HINT, NODE_REQUIREMENT, build_page};
use crate::shell::{command, is_available, run, skip, workspace_root};
use crate::site;
use crate::wasm;
use crate::words::check_language;

/// Run all tests.
#[derive(Debug, Args)]
pub(crate) struct Test {
    /// Also run deep perft, stress tests, the long tests of the packages for Python, C and JavaScript, and each fuzz
    /// target for a minute.
    #[arg(long)]
    long: bool,
}

/// The time of each fuzz target, in seconds.
const FUZZ_SECONDS: u32 = 60;

impl Test {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        check_language()?;
        run(".", &["cargo", "fmt", "--all", "--check"])?;
        run("fuzz", &["cargo", "fmt", "--all", "--check"])?;
        run(
            ".",
            &["cargo", "clippy", "--workspace", "--all-targets", "--quiet", "--", "--deny", "warnings"],
        )?;
        let page = is_available(&["npm", "--version"]) && is_available(&["node", "--version"]);
        if page {
            build_page()?;
        }
        run(".", &["cargo", "test", "--workspace", "--quiet"])?;
        check_docs()?;
        check_without_std()?;
        package::test_packages(self.long)?;
        // The environment of the package has the clients, too.
        match python::missing_requirement() {
            None => python::test_package(self.long)?,
            Some(remedy) => skip("the tests of the Python package", remedy)?,
        }
        match c::missing_requirement() {
            None => c::test_library(self.long)?,
            Some(remedy) => skip("the tests of the C library", remedy)?,
        }
        match wasm::missing_requirement() {
            None => wasm::test_package(self.long)?,
            Some(remedy) => skip("the tests of the JavaScript package", &remedy)?,
        }
        test_clients()?;
        if page {
            test_page(self.long)?;
        } else {
            skip("the page's tests", &format!("They need {NODE_REQUIREMENT}; {NODE_INSTALL_HINT}"))?;
        }
        if is_available(&["cargo", "deny", "--version"]) {
            run(".", &["cargo", "deny", "--offline", "check", "licenses", "bans", "sources"])?;
        } else {
            eprintln!("The licences were not checked: cargo-deny is not installed.");
        }
        if self.long {
            run(".", &["cargo", "test", "--workspace", "--release", "--quiet", "--", "--ignored"])?;
            run_fuzz_targets()?;
        }
        eprintln!("\nAll tests passed.");
        Ok(())
    }
}

/// The target without an operating system for which the rules are built: 32 bits, no `std`.
const BARE_TARGET: &str = "thumbv7em-none-eabihf";

/// The crates that need `core` and `alloc` only.
const WITHOUT_STD: [&str; 4] = ["alfil-kernel", "alfil-xiangqi", "alfil-chess", "alfil-othello"];

/// Builds the rules without the standard library for a target that has none.
fn check_without_std() -> anyhow::Result<()> {
    let libraries = command(".", &["rustc", "--print", "target-libdir", "--target", BARE_TARGET]).output()?;
    if !Path::new(String::from_utf8(libraries.stdout)?.trim()).is_dir() {
        let remedy = format!("Install the target with: rustup target add {BARE_TARGET}");
        return skip("the build of the rules without std", &remedy);
    }
    let mut build = vec!["cargo", "build", "--quiet", "--no-default-features"];
    build.extend(["--target", BARE_TARGET]);
    build.extend(WITHOUT_STD.iter().flat_map(|name| ["--package", name]));
    run(".", &build)
}

/// Checks the documentation for broken links.
fn check_docs() -> anyhow::Result<()> {
    let mut rustdoc = command(".", &["cargo", "doc", "--workspace", "--no-deps", "--quiet"]);
    rustdoc.env("RUSTDOCFLAGS", "--deny warnings");
    anyhow::ensure!(rustdoc.status()?.success(), "cargo doc failed");
    Ok(())
}

/// Drives the engine with python-chess, which has a licence of its own and is no part of Alfil.
fn test_clients() -> anyhow::Result<()> {
    let environment =
        workspace_root().join(python::ENVIRONMENT).join("bin/python").to_string_lossy().into_owned();
    let pythons = [std::env::var("ALFIL_PYTHON").unwrap_or_default(), environment, "python3".into()];
    let has_chess =
        |python: &&String| !python.is_empty() && is_available(&[python, "-c", "import chess.engine"]);
    let Some(python) = pythons.iter().find(has_chess) else {
        let remedy = format!(
            "Install it with: python3 -m venv {environment} && {environment}/bin/pip install chess, or set ALFIL_PYTHON",
            environment = python::ENVIRONMENT
        );
        return skip("the tests with python-chess", &remedy);
    };
    run(".", &["cargo", "build", "--package", "alfil", "--quiet"])?;
    run(".", &[python, "apps/alfil/tests/python_chess.py", "target/debug/alfil"])
}

/// Checks the types of the page and runs its unit tests, its browser tests against the debug build, and the tests of
/// the package of the board element.
fn test_page(long: bool) -> anyhow::Result<()> {
    run("web", &["npm", "run", "--silent", "check"])?;
    run("web", &["npm", "run", "--silent", "test"])?;
    run(".", &["cargo", "build", "--package", "alfil", "--quiet"])?;
    let mut browser = command("web", &["npm", "run", "--silent", "e2e"]);
    browser.env("ALFIL_BIN", workspace_root().join("target/debug/alfil"));
    anyhow::ensure!(browser.status()?.success(), "the browser tests failed");
    match wasm::missing_requirement() {
        None => test_site(long)?,
        Some(remedy) => skip("the tests of the page without a server", &remedy)?,
    }
    board::test_package()
}

/// The browser tests that run once more without a server.
const SITE_TESTS: [&str; 8] =
    ["play", "saved-games", "import", "library", "details", "dialogs", "site", "firefox"];
/// Those that run with `--long` alone.
const LONG_SITE_TESTS: [&str; 6] = ["analysis", "review", "beginners", "hands", "undo", "hosts"];

/// Builds the page without a server and runs browser tests on it.
fn test_site(long: bool) -> anyhow::Result<()> {
    let folder = site::build()?;
    let mut arguments = [&["npm", "run", "--silent", "e2e", "--"], &SITE_TESTS[..]].concat();
    if long {
        arguments.extend(LONG_SITE_TESTS);
    }
    let mut browser = command("web", &arguments);
    browser.env("ALFIL_SITE", folder).env("ALFIL_BIN", workspace_root().join("target/debug/alfil"));
    anyhow::ensure!(browser.status()?.success(), "the browser tests of the page without a server failed");
    Ok(())
}

fn run_fuzz_targets() -> anyhow::Result<()> {
    if !is_available(&["cargo", "+nightly", "fuzz", "--version"]) {
        let remedy = "Install them with: rustup toolchain install nightly && cargo install cargo-fuzz";
        return skip("the fuzz targets, which need nightly Rust and cargo-fuzz", remedy);
    }
    let list = command("fuzz", &["cargo", "+nightly", "fuzz", "list"]).output()?;
    anyhow::ensure!(list.status.success(), "cannot list the fuzz targets");
    for target in String::from_utf8(list.stdout)?.lines() {
        let time = format!("-max_total_time={FUZZ_SECONDS}");
        run("fuzz", &["cargo", "+nightly", "fuzz", "run", target, "--", &time])?;
    }
    Ok(())
}
