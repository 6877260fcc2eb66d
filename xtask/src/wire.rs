//! `cargo xtask wire`: writes the TypeScript types of the messages between page and session.

use std::process::Stdio;

use anyhow::ensure;
use clap::Args;

use crate::shell::command;

/// Write `web/src/wire` anew from the types of the messages in `crates/page`.
#[derive(Debug, Args)]
pub(crate) struct Wire {}

/// The test that writes the types.
const WIRE_TEST: &str = "wire::typescript_tests::the_types_of_the_page_are_up_to_date";

impl Wire {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let mut test =
            command(".", &["cargo", "test", "--quiet", "--package", "alfil-page", "--lib", WIRE_TEST]);
        let output = test.env("ALFIL_WRITE_WIRE", "1").stderr(Stdio::inherit()).output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        ensure!(output.status.success() && text.contains("1 passed"), "the types cannot be written: {text}");
        eprintln!("The types are in web/src/wire");
        Ok(())
    }
}
