//! `cargo xtask board`: builds and tests the npm package of the board element.

use std::process::Stdio;

use anyhow::{bail, ensure};
use clap::Args;

use crate::node::{self, install_packages};
use crate::shell::{command, run};

/// Build the npm package of the board element and run its tests.
#[derive(Debug, Args)]
pub(crate) struct Board {
    /// Write `web/board/looks` anew from the appearances of the games.
    #[arg(long)]
    looks: bool,
}

impl Board {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        if self.looks {
            return write_looks();
        }
        if let Some(remedy) = node::missing_requirement() {
            bail!(remedy);
        }
        install_packages("web")?;
        test_package()
    }
}

/// Packs the package, installs it into its examples and tests these in a browser.
///
/// # Errors
/// Returns an error if a test fails.
pub(crate) fn test_package() -> anyhow::Result<()> {
    run("web", &["npm", "run", "--silent", "board"])
}

/// The test that writes the looks.
const LOOKS_TEST: &str = "looks::the_looks_of_the_board_package_are_up_to_date";

fn write_looks() -> anyhow::Result<()> {
    let mut test = command(
        ".",
        &["cargo", "test", "--quiet", "--package", "alfil-server", "--test", "integration", LOOKS_TEST],
    );
    let output = test.env("ALFIL_WRITE_LOOKS", "1").stderr(Stdio::inherit()).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.success() && text.contains("1 passed"), "the looks cannot be made: {text}");
    eprintln!("The looks are in web/board/looks");
    Ok(())
}
