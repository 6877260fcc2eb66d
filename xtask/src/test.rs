//! `cargo xtask test`: everything that must hold.

use clap::Args;

use crate::serve::{NODE_INSTALL_HINT, NODE_REQUIREMENT, build_page};
use crate::shell::{command, is_available, run, skip, workspace_root};

/// Run all the tests.
#[derive(Debug, Args)]
pub(crate) struct Test {
    /// Also deep perft, a minute of each fuzz target, stress.
    #[arg(long)]
    long: bool,
}

/// How long each fuzz target runs, in seconds.
const FUZZ_SECONDS: u32 = 60;

impl Test {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
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
        if page {
            test_page()?;
        } else {
            skip("the page's tests", &format!("They need {NODE_REQUIREMENT}; {NODE_INSTALL_HINT}"))?;
        }
        if is_available(&["cargo", "deny", "--version"]) {
            run(".", &["cargo", "deny", "--offline", "check", "licenses", "bans", "sources"])?;
        } else {
            eprintln!("The licences were not looked at: that is for who has cargo-deny.");
        }
        if self.long {
            run(".", &["cargo", "test", "--workspace", "--release", "--quiet", "--", "--ignored"])?;
            run_fuzz_targets()?;
        }
        eprintln!("\nEverything holds.");
        Ok(())
    }
}

/// The documentation without a broken link.
fn check_docs() -> anyhow::Result<()> {
    let mut rustdoc = command(".", &["cargo", "doc", "--workspace", "--no-deps", "--quiet"]);
    rustdoc.env("RUSTDOCFLAGS", "--deny warnings");
    anyhow::ensure!(rustdoc.status()?.success(), "the documentation");
    Ok(())
}

/// Types, units, and the page in a browser against the program that the tests built.
fn test_page() -> anyhow::Result<()> {
    run("web", &["npm", "run", "--silent", "check"])?;
    run("web", &["npm", "run", "--silent", "test"])?;
    run(".", &["cargo", "build", "--package", "alfil", "--quiet"])?;
    let mut browser = command("web", &["npm", "run", "--silent", "e2e"]);
    browser.env("ALFIL_BIN", workspace_root().join("target/debug/alfil"));
    anyhow::ensure!(browser.status()?.success(), "the page in a browser");
    Ok(())
}

fn run_fuzz_targets() -> anyhow::Result<()> {
    if !is_available(&["cargo", "+nightly", "fuzz", "--version"]) {
        let mend = "Install them with: rustup toolchain install nightly && cargo install cargo-fuzz";
        return skip("the fuzz targets, which need nightly Rust and cargo-fuzz", mend);
    }
    let list = command("fuzz", &["cargo", "+nightly", "fuzz", "list"]).output()?;
    anyhow::ensure!(list.status.success(), "the fuzz targets cannot be listed");
    for target in String::from_utf8(list.stdout)?.lines() {
        let time = format!("-max_total_time={FUZZ_SECONDS}");
        run("fuzz", &["cargo", "+nightly", "fuzz", "run", target, "--", &time])?;
    }
    Ok(())
}
