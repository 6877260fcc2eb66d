//! Running other programs from the root of the workspace.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

/// The root of the workspace.
pub(crate) fn workspace_root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().expect("xtask lies in the workspace").to_owned()
}

/// A command line, run in a folder of the workspace.
pub(crate) fn command(folder: &str, words: &[&str]) -> Command {
    let (program, arguments) = words.split_first().expect("a program");
    let mut command = Command::new(program);
    command.args(arguments).current_dir(workspace_root().join(folder));
    command
}

/// Runs a command and waits for it.
///
/// # Errors
/// If it cannot be started or does not succeed.
pub(crate) fn run(folder: &str, words: &[&str]) -> anyhow::Result<()> {
    eprintln!("$ {}", words.join(" "));
    let status = command(folder, words).status().with_context(|| format!("cannot start {}", words[0]))?;
    ensure!(status.success(), "{} ended with {status}", words.join(" "));
    Ok(())
}

/// Whether a program answers.
pub(crate) fn is_available(words: &[&str]) -> bool {
    command(".", words).output().is_ok_and(|output| output.status.success())
}

/// Says loudly that something is not done, or fails where nothing may be skipped (`ALFIL_NO_SKIP`).
///
/// # Errors
/// Where nothing may be skipped.
pub(crate) fn skip(what: &str, mend: &str) -> anyhow::Result<()> {
    let forbidden = std::env::var_os("ALFIL_NO_SKIP").is_some_and(|value| !value.is_empty() && value != "0");
    ensure!(!forbidden, "{what} would be skipped, and ALFIL_NO_SKIP forbids it; {mend}");
    eprintln!("\n*** SKIPPED: {what}. {mend} ***\n");
    Ok(())
}
