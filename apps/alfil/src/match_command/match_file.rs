//! The file of a match: a header row, then a row for each game. An interrupted match continues from it: no game is lost
//! or played twice.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::match_args::MatchArgs;
use super::pgn_log::create_error;

/// The first row: everything that is needed to continue the match.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct MatchHeader {
    /// The version of this program.
    pub(crate) version: String,
    /// The arguments of the match.
    #[serde(rename = "plan")]
    pub(crate) args: MatchArgs,
    /// All openings in the order of play.
    pub(crate) openings: Vec<String>,
}

/// A match file that this process has locked.
#[derive(Debug)]
pub(crate) struct MatchFile {
    file: File,
    path: PathBuf,
}

impl MatchFile {
    /// Creates a file with its header.
    ///
    /// # Errors
    /// If the file exists or cannot be written.
    pub(crate) fn create(path: &Path, header: &MatchHeader) -> anyhow::Result<MatchFile> {
        let file = OpenOptions::new().read(true).append(true).create_new(true).open(path);
        let file = file.map_err(|error| create_error(path, "--resume", error))?;
        let mut match_file = MatchFile::lock(file, path)?;
        match_file.append_row(&serde_json::json!({ "match": header }))?;
        Ok(match_file)
    }

    /// Opens the file of an interrupted match; returns its header and its game rows by number.
    ///
    /// # Errors
    /// If it is not a match file, or another process has locked it.
    pub(crate) fn resume(path: &Path) -> anyhow::Result<(MatchFile, MatchHeader, BTreeMap<usize, Value>)> {
        let file = OpenOptions::new().read(true).append(true).open(path);
        let file = file.with_context(|| format!("cannot open {}", path.display()))?;
        let mut match_file = MatchFile::lock(file, path)?;
        let mut bytes = Vec::new();
        match_file.file.read_to_end(&mut bytes).with_context(|| format!("cannot read {}", path.display()))?;
        // A row that was cut off when the process was killed has no line end.
        let complete = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let text = std::str::from_utf8(&bytes[..complete])
            .with_context(|| format!("{} is not UTF-8 text", path.display()))?;
        let mut rows = text.lines().enumerate();
        let header = rows.next().and_then(|(_, line)| serde_json::from_str::<Value>(line).ok());
        let header = header.and_then(|mut row| serde_json::from_value(row.get_mut("match")?.take()).ok());
        let Some(header) = header else { bail!("{}:1: not a match header", path.display()) };
        let mut games = BTreeMap::new();
        for (at, line) in rows {
            let located = || format!("{}:{}: not a game row", path.display(), at + 1);
            let row: Value = serde_json::from_str(line).with_context(located)?;
            // A row without a number is not a game row.
            let Some(number) = row.get("number").and_then(Value::as_u64) else {
                bail!("{}", located());
            };
            if number == 0 || games.insert(number as usize - 1, row).is_some() {
                bail!("{}:{}: game {number} is a duplicate or not a valid number", path.display(), at + 1);
            }
        }
        if complete < bytes.len() {
            match_file.file.set_len(complete as u64)?;
            match_file.file.seek(SeekFrom::End(0))?;
        }
        Ok((match_file, header, games))
    }

    fn lock(file: File, path: &Path) -> anyhow::Result<MatchFile> {
        match file.try_lock() {
            Ok(()) => Ok(MatchFile { file, path: path.to_owned() }),
            Err(TryLockError::WouldBlock) => bail!("another process has locked {}", path.display()),
            Err(TryLockError::Error(error)) => {
                Err(error).with_context(|| format!("cannot lock {}", path.display()))
            }
        }
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

impl Drop for MatchFile {
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

    fn header() -> MatchHeader {
        MatchHeader {
            version: "1".into(),
            args: MatchArgs::default(),
            openings: vec!["startpos moves e2e4".into()],
        }
    }

    #[test]
    fn an_incomplete_row_is_removed_when_a_match_is_resumed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.jsonl");
        let mut match_file = MatchFile::create(&path, &header()).unwrap();
        match_file.append_row(&json!({"number": 2, "result": "1-0"})).unwrap();
        assert!(MatchFile::resume(&path).unwrap_err().to_string().contains("another process has locked"));
        drop(match_file);
        assert!(MatchFile::create(&path, &header()).unwrap_err().to_string().contains("--resume"));
        let rows = std::fs::read(&path).unwrap();
        for partial in [&b"{\"num"[..], b"{\"number\": 3, \"result\": \"1-0\"}", b"\xff\xfe"] {
            std::fs::write(&path, [&rows[..], partial].concat()).unwrap();
            let (mut match_file, found, games) = MatchFile::resume(&path).unwrap();
            assert_eq!((found, games.keys().copied().collect::<Vec<_>>()), (header(), vec![1]));
            match_file.append_row(&json!({"number": 3})).unwrap();
            drop(match_file);
            let (_, _, games) = MatchFile::resume(&path).unwrap();
            assert_eq!(games.keys().copied().collect::<Vec<_>>(), [1, 2]);
        }
    }

    #[test]
    fn invalid_match_files_are_rejected_with_the_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.jsonl");
        drop(MatchFile::create(&path, &header()).unwrap());
        let head = std::fs::read_to_string(&path).unwrap();
        for (text, expected) in [
            (String::new(), ":1: not a match header"),
            ("{\"match\": 3}\n".into(), ":1: not a match header"),
            (format!("{head}x\n"), ":2: not a game row"),
            (format!("{head}{{\"number\": 1}}\n{{\"number\": 1}}\n"), ":3: game 1 is a duplicate"),
            (format!("{head}{{\"number\": 0}}\n"), ":2: game 0"),
            (format!("{head}{{}}\n"), ":2: not a game row"),
        ] {
            std::fs::write(&path, &text).unwrap();
            let error = MatchFile::resume(&path).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
        assert!(
            MatchFile::resume(&folder.path().join("nothing"))
                .unwrap_err()
                .to_string()
                .contains("cannot open")
        );
    }
}
