//! A file of JSON rows, of which the first holds the header: a match, or a run of `alfil spsa`. An interrupted run
//! continues from it: no finished row is lost.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::errors::create_error;

/// An opened file of an interrupted run: the file, its header, and the other rows with their line numbers.
pub(crate) type Resumed<H> = (RowFile, H, Vec<(usize, Value)>);

/// Locks a file for this process.
///
/// # Errors
/// If another process has locked it, or it cannot be locked.
fn lock_file(file: &File, path: &Path) -> anyhow::Result<()> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => bail!("another process has locked {}", path.display()),
        Err(TryLockError::Error(error)) => {
            Err(error).with_context(|| format!("cannot lock {}", path.display()))
        }
    }
}

/// Opens a file of a run that goes on, or creates it, and locks it for this process. It is not opened for appending,
/// because Windows then refuses to shorten it.
///
/// # Errors
/// If it cannot be opened, or another process has locked it.
pub(crate) fn open_locked_file(path: &Path) -> anyhow::Result<File> {
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
    let file = file.with_context(|| format!("cannot open {}", path.display()))?;
    lock_file(&file, path)?;
    Ok(file)
}

/// Replaces the contents of an open file, and syncs it to the disk.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn overwrite_file(mut file: &File, bytes: &[u8]) -> std::io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// A file of rows that this process has locked.
#[derive(Debug)]
pub(crate) struct RowFile {
    file: File,
    path: PathBuf,
}

impl RowFile {
    /// Creates a file. Its first row is an object with one field: the header, under the name of the kind of run
    /// (`match`, `spsa`).
    ///
    /// # Errors
    /// If the file exists, with a hint how to continue its run, or cannot be written. A file whose header
    /// cannot be written is removed.
    pub(crate) fn create(
        path: &Path,
        kind: &str,
        resume_hint: &str,
        header: &impl Serialize,
    ) -> anyhow::Result<RowFile> {
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(path);
        let file = file.map_err(|error| create_error(path, resume_hint, error))?;
        let write = |file| {
            let mut row_file = RowFile::lock(file, path)?;
            row_file.append_row(&serde_json::json!({ kind: header }))?;
            Ok(row_file)
        };
        // A file without a header would stop the next run of the same command.
        write(file).inspect_err(|_| drop(std::fs::remove_file(path)))
    }

    /// Opens the file of an interrupted run.
    ///
    /// # Errors
    /// If it is no file of this kind, or another process has locked it.
    pub(crate) fn resume<H: DeserializeOwned>(path: &Path, kind: &str) -> anyhow::Result<Resumed<H>> {
        let file = OpenOptions::new().read(true).write(true).open(path);
        let file = file.with_context(|| format!("cannot open {}", path.display()))?;
        let mut row_file = RowFile::lock(file, path)?;
        let mut bytes = Vec::new();
        row_file.file.read_to_end(&mut bytes).with_context(|| format!("cannot read {}", path.display()))?;
        // A row that was cut off when the process was killed has no line end.
        let complete = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let text = std::str::from_utf8(&bytes[..complete])
            .with_context(|| format!("{} is not UTF-8 text", path.display()))?;
        let mut lines = text.lines().zip(1..);
        let header = lines.next().and_then(|(line, _)| serde_json::from_str::<Value>(line).ok());
        let header = header.and_then(|mut row| serde_json::from_value(row.get_mut(kind)?.take()).ok());
        let Some(header) = header else {
            bail!("{}:1: expected the {kind} header, {{\"{kind}\": ...}}", path.display())
        };
        let mut rows = Vec::new();
        for (line, number) in lines {
            let located = || format!("{}:{number}: expected a row, one JSON object", path.display());
            rows.push((number, serde_json::from_str(line).with_context(located)?));
        }
        if complete < bytes.len() {
            row_file.file.set_len(complete as u64)?;
            row_file.file.seek(SeekFrom::End(0))?;
        }
        Ok((row_file, header, rows))
    }

    fn lock(file: File, path: &Path) -> anyhow::Result<RowFile> {
        lock_file(&file, path)?;
        Ok(RowFile { file, path: path.to_owned() })
    }

    /// Appends a row and syncs it to the disk before returning.
    ///
    /// # Errors
    /// If the row cannot be written.
    pub(crate) fn append_row(&mut self, row: &Value) -> anyhow::Result<()> {
        let line = format!("{row}\n");
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        written.with_context(|| format!("cannot write {}", self.path.display()))
    }
}

impl Drop for RowFile {
    /// Unlocks the file at once. Closing is not enough: a child process that is being started holds a copy of the
    /// handle.
    fn drop(&mut self) {
        // If unlocking fails, the lock ends with the process.
        let _ = self.file.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_incomplete_row_is_removed_when_a_run_is_resumed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.jsonl");
        let resume = || RowFile::resume::<String>(&path, "match");
        let create = |header| RowFile::create(&path, "match", "to continue: --resume", &header);
        let mut row_file = create("header").unwrap();
        row_file.append_row(&json!({"number": 2})).unwrap();
        assert!(resume().unwrap_err().to_string().contains("another process has locked"));
        drop(row_file);
        assert!(create("").unwrap_err().to_string().ends_with("match.jsonl (to continue: --resume)"));
        let written = std::fs::read(&path).unwrap();
        for partial in [&b"{\"num"[..], b"{\"number\": 3, \"result\": \"1-0\"}", b"\xff\xfe"] {
            std::fs::write(&path, [&written[..], partial].concat()).unwrap();
            let (mut row_file, header, rows) = resume().unwrap();
            assert_eq!((header.as_str(), rows), ("header", vec![(2, json!({"number": 2}))]));
            row_file.append_row(&json!({"number": 3})).unwrap();
            drop(row_file);
            assert_eq!(resume().unwrap().2.len(), 2);
        }
    }

    #[test]
    fn invalid_files_are_rejected_with_the_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.jsonl");
        for (text, expected) in [
            ("", ":1: expected the match header, {\"match\": ...}"),
            ("{\"match\": 3}\n", ":1: expected the match header"),
            ("{\"spsa\": \"header\"}\n", ":1: expected the match header"),
            ("{\"match\": \"header\"}\nx\n", ":2: expected a row, one JSON object"),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = RowFile::resume::<String>(&path, "match").unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
        let missing = RowFile::resume::<String>(&folder.path().join("nothing"), "match").unwrap_err();
        assert!(missing.to_string().contains("cannot open"));
    }
}
