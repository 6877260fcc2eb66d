//! Standard output, standard error, and files of results.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use alfil_batch::temporary_file::create_temporary;
use anyhow::{Context as _, bail};
use ratatui::text::Span;

/// Prints a line and flushes it.
pub(crate) fn print_line(text: impl std::fmt::Display) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

/// Prints a summary, or a line of progress of a command whose result is a file or an exit status: if the reader of
/// stdout has closed it, the command goes on.
pub(crate) fn print_summary(text: impl std::fmt::Display) -> io::Result<()> {
    ignore_closed_output(print_line(text))
}

/// Returns a result without the error that the reader of stdout has closed it.
pub(crate) fn ignore_closed_output(printed: io::Result<()>) -> io::Result<()> {
    match printed {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        printed => printed,
    }
}

/// Prints a line on standard error. If that is closed, the command goes on.
pub(crate) fn print_error_line(text: impl std::fmt::Display) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Pads a text with blanks to `width` terminal columns.
pub(crate) fn pad_to_columns(text: &str, width: usize) -> String {
    format!("{text}{:1$}", "", width.saturating_sub(Span::raw(text).width()))
}

/// Writes a file under a temporary name and renames it when it is on the disk, so that it is never seen in part. A link
/// stays, and the file to which it leads is replaced. What is no regular file, such as `/dev/stdout`, is written as it
/// is.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let written = if target.exists() && !target.is_file() {
        fs::write(&target, bytes)
    } else {
        replace_file(&target, bytes)
    };
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// Creates a file that other users of the machine cannot read.
///
/// # Errors
/// If it exists, or cannot be written.
pub(crate) fn write_secret_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Creates or replaces a regular file.
fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = create_temporary(folder_of(path))?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

/// Returns the folder of a file.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns whether two paths lead to the same file, which need not exist.
pub(crate) fn is_same_file(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        let in_folder = || Some(fs::canonicalize(folder_of(path)).ok()?.join(path.file_name()?));
        fs::canonicalize(path).ok().or_else(in_folder)
    };
    one == other || place(one).zip(place(other)).is_some_and(|(one, other)| one == other)
}

/// What becomes of a file that exists where one is to be written.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct ForceArg {
    /// Replace files that exist.
    #[arg(long)]
    pub(crate) force: bool,
}

impl ForceArg {
    /// Checks that a file can be created here, as far as its path says, so that long work does not fail at its end. A
    /// device or a pipe is written as it is.
    ///
    /// # Errors
    /// If it names a folder, is in none that is there, or is a file that exists, without `--force`.
    pub(crate) fn check_new_file(self, path: &Path) -> anyhow::Result<()> {
        let name = path.display();
        if path.is_dir() || name.to_string().ends_with(std::path::is_separator) {
            bail!("cannot write {name}: it names a folder");
        }
        match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
                bail!("cannot write {name}: there is no folder {}", folder.display())
            }
            _ if path.is_file() && !self.force => bail!("{name} exists: --force replaces it"),
            _ => Ok(()),
        }
    }

    /// Checks as [`ForceArg::check_new_file`] the output of a run that may go on. A resumed run replaces its own
    /// output, a file whose content is one by `is_output`.
    ///
    /// # Errors
    /// See [`ForceArg::check_new_file`].
    pub(crate) fn check_output_of_run(
        self,
        path: &Path,
        is_resumed: bool,
        is_output: impl Fn(&[u8]) -> bool,
    ) -> anyhow::Result<()> {
        let is_own = || path.is_file() && fs::read(path).is_ok_and(|bytes| is_output(&bytes));
        ForceArg { force: self.force || is_resumed && is_own() }.check_new_file(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_padded_by_their_columns() {
        for text in ["engine", "wür", "象棋大"] {
            assert_eq!(Span::raw(pad_to_columns(text, 8)).width(), 8, "{text}");
        }
        assert_eq!(pad_to_columns("象棋", 6), "象棋  ");
    }

    #[test]
    fn a_written_file_replaces_no_other_one_and_keeps_links() {
        let folder = tempfile::tempdir().unwrap();
        let [output, other] = ["book", "book.tmp"].map(|name| folder.path().join(name));
        fs::write(&other, "of the user").unwrap();
        write_file(&output, b"first").unwrap();
        assert_eq!(fs::read_to_string(&other).unwrap(), "of the user");
        #[cfg(unix)]
        {
            let link = folder.path().join("link");
            std::os::unix::fs::symlink(&output, &link).unwrap();
            write_file(&link, b"second").unwrap();
            assert!(link.is_symlink());
            assert_eq!(fs::read_to_string(&output).unwrap(), "second");
            write_file(Path::new("/dev/null"), b"nothing").unwrap();
            assert!(!Path::new("/dev/null").is_file());
        }
        let names = fs::read_dir(&folder).unwrap().count();
        assert_eq!(names, if cfg!(unix) { 3 } else { 2 }, "no temporary file is left");
    }
}
