//! A program that finds the C library by CMake.

use std::fs;

use anyhow::ensure;

use super::{FOLDER, PACKAGE};
use crate::shell::{command, is_available, path_text, run, skip, workspace_root};

/// Builds a program with the shared library and one with the static library, and runs both; a version of another ABI is
/// not found.
pub(super) fn test() -> anyhow::Result<()> {
    if !is_available(&["cmake", "--version"]) {
        return skip("the test of the CMake package of the C library", "It needs CMake; install it");
    }
    let folder = workspace_root().join(FOLDER).join("tests/cmake");
    // What an earlier run has found must not be found again.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    let source = format!("{PACKAGE}/tests/cmake");
    let build = path_text(&folder)?;
    let prefix = format!("-DCMAKE_PREFIX_PATH={}", path_text(&workspace_root().join(FOLDER))?);
    run(".", &["cmake", "-S", &source, "-B", build, &prefix])?;
    run(".", &["cmake", "--build", build])?;
    for program in ["with-shared", "with-static"] {
        run(".", &[path_text(&folder.join(program))?])?;
    }
    for version in ["0.0.9", "99"] {
        let wanted = format!("-DALFIL_WANTED={version}");
        let output = command(".", &["cmake", "-S", &source, "-B", build, &prefix, &wanted]).output()?;
        let errors = String::from_utf8_lossy(&output.stderr);
        ensure!(
            !output.status.success() && errors.contains("alfil"),
            "CMake finds version {version}: {errors}"
        );
    }
    Ok(())
}
