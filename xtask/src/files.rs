//! Files and folders: copying and listing them.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

/// Copies a file, and makes its folder.
///
/// # Errors
/// If a file cannot be read or written.
pub(crate) fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    make_folder_of(to)?;
    fs::copy(from, to)
        .map(drop)
        .with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))
}

/// Makes the folder of a file.
///
/// # Errors
/// If it cannot be made.
pub(crate) fn make_folder_of(path: &Path) -> anyhow::Result<()> {
    let folder = path.parent().context("a file is in a folder")?;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))
}

/// Returns the paths of all files below a folder, sorted.
///
/// # Errors
/// If a folder cannot be read.
pub(crate) fn files_below(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(files_below(&path)?);
        } else {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Copies all files below a folder into another one.
///
/// # Errors
/// If a file cannot be read or written.
pub(crate) fn copy_folder(from: &Path, to: &Path) -> anyhow::Result<()> {
    files_below(from)?.iter().try_for_each(|file| copy(file, &to.join(file.strip_prefix(from)?)))
}
