//! Runs other programs from the root of the workspace.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

/// Returns the root of the workspace.
pub(crate) fn workspace_root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().expect("xtask lies in the workspace").to_owned()
}

/// Returns the folder into which cargo builds.
pub(crate) fn target_folder() -> PathBuf {
    // Cargo, which runs in the root of the workspace, takes a relative path from there.
    let folder = std::env::var_os("CARGO_TARGET_DIR").filter(|folder| !folder.is_empty());
    workspace_root().join(folder.map_or_else(|| "target".into(), PathBuf::from))
}

/// Returns a path as an argument of a command.
///
/// # Errors
/// If the path is not UTF-8.
pub(crate) fn path_text(path: &Path) -> anyhow::Result<&str> {
    path.to_str().with_context(|| format!("the path {} is not UTF-8", path.display()))
}

/// Returns a command that runs in a folder of the workspace.
///
/// It does not see the variables with which cargo describes xtask: some build scripts read them, and their crates would
/// be built again after a cargo that was not started by xtask.
pub(crate) fn command(folder: &str, arguments: &[&str]) -> Command {
    let (program, arguments) = arguments.split_first().expect("a program");
    let mut command = Command::new(program);
    command.args(arguments).current_dir(workspace_root().join(folder));
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    for name in names.filter(|name| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")) {
        command.env_remove(name);
    }
    command
}

/// Runs a command and waits for it.
///
/// # Errors
/// If the command cannot be started or fails.
pub(crate) fn run(folder: &str, arguments: &[&str]) -> anyhow::Result<()> {
    eprintln!("$ {}", arguments.join(" "));
    let status =
        command(folder, arguments).status().with_context(|| format!("cannot start {}", arguments[0]))?;
    ensure!(status.success(), "{} ended with {status}", arguments.join(" "));
    Ok(())
}

/// Runs a command and returns what it prints.
///
/// # Errors
/// If the command cannot be started or fails; the error has what it printed on stderr.
pub(crate) fn output_of(command: &mut Command) -> anyhow::Result<String> {
    let output = command.output().with_context(|| format!("cannot start {command:?}"))?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{command:?} ended with {}: {errors}", output.status);
    Ok(String::from_utf8(output.stdout)?)
}

/// Returns whether a program can be run successfully.
pub(crate) fn is_available(arguments: &[&str]) -> bool {
    command(".", arguments).output().is_ok_and(|output| output.status.success())
}

/// Returns whether the compiler has the standard library of a target.
pub(crate) fn has_target(target: &str) -> bool {
    let output = command(".", &["rustc", "--print", "target-libdir", "--target", target]).output();
    output.is_ok_and(|output| {
        output.status.success() && Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir()
    })
}

/// Reports a skipped step, or fails if `ALFIL_NO_SKIP` forbids skipping.
///
/// # Errors
/// If `ALFIL_NO_SKIP` is set.
pub(crate) fn skip(what: &str, remedy: &str) -> anyhow::Result<()> {
    let forbidden = std::env::var_os("ALFIL_NO_SKIP").is_some_and(|value| !value.is_empty() && value != "0");
    skip_where_allowed(!forbidden, what, remedy)
}

/// Reports a skipped step, or fails where skipping is not allowed.
///
/// # Errors
/// If it is not allowed.
pub(crate) fn skip_where_allowed(is_allowed: bool, what: &str, remedy: &str) -> anyhow::Result<()> {
    ensure!(is_allowed, "{what} would be skipped, and ALFIL_NO_SKIP forbids it; {remedy}");
    eprintln!("\n*** SKIPPED: {what}. {remedy} ***\n");
    Ok(())
}
