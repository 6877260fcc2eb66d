//! The file of a match: a header, then a row for each game. Whoever is killed goes on from it: no game is lost or played twice.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::match_args::MatchArgs;
use super::pgn_log::create_error;

/// The first row: all that is needed to go on.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct MatchHeader {
    /// The version of this program.
    pub(crate) version: String,
    /// What is played.
    pub(crate) plan: MatchArgs,
    /// All openings in the order in which they are played.
    pub(crate) openings: Vec<String>,
}

/// A match file, open for this process alone.
#[derive(Debug)]
pub(crate) struct MatchFile {
    file: File,
    path: PathBuf,
}

impl MatchFile {
    /// A new file with its header.
    ///
    /// # Errors
    /// If there is such a file already, or it cannot be written.
    pub(crate) fn create(path: &Path, header: &MatchHeader) -> anyhow::Result<MatchFile> {
        let file = OpenOptions::new().read(true).append(true).create_new(true).open(path);
        let file = file.map_err(|error| create_error(path, "--resume", error))?;
        let mut ledger = MatchFile::lock(file, path)?;
        ledger.append_row(&serde_json::json!({ "match": header }))?;
        Ok(ledger)
    }

    /// A match that was broken off: its header, and the rows of its games by number.
    ///
    /// # Errors
    /// If it is no such file, or another process has it open.
    pub(crate) fn resume(path: &Path) -> anyhow::Result<(MatchFile, MatchHeader, BTreeMap<usize, Value>)> {
        let file = OpenOptions::new().read(true).append(true).open(path);
        let file = file.with_context(|| format!("cannot open {}", path.display()))?;
        let mut ledger = MatchFile::lock(file, path)?;
        let mut bytes = Vec::new();
        ledger.file.read_to_end(&mut bytes).with_context(|| format!("cannot read {}", path.display()))?;
        // What was being written when the program was killed has no end of line.
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let text =
            std::str::from_utf8(&bytes[..whole]).with_context(|| format!("{} is no text", path.display()))?;
        let mut rows = text.lines().enumerate();
        let header = rows.next().and_then(|(_, line)| serde_json::from_str::<Value>(line).ok());
        let header = header.and_then(|mut row| serde_json::from_value(row.get_mut("match")?.take()).ok());
        let Some(header) = header else { bail!("{}:1: no match begins here", path.display()) };
        let mut games = BTreeMap::new();
        for (at, line) in rows {
            let located = || format!("{}:{}: no row of a game", path.display(), at + 1);
            let row: Value = serde_json::from_str(line).with_context(located)?;
            // A result is written at the end of a match, which may have been made longer.
            let Some(number) = row.get("number").and_then(Value::as_u64) else {
                bail!("{}", located());
            };
            if number == 0 || games.insert(number as usize - 1, row).is_some() {
                bail!("{}:{}: game {number} is there twice, or is none", path.display(), at + 1);
            }
        }
        if whole < bytes.len() {
            ledger.file.set_len(whole as u64)?;
            ledger.file.seek(SeekFrom::End(0))?;
        }
        Ok((ledger, header, games))
    }

    fn lock(file: File, path: &Path) -> anyhow::Result<MatchFile> {
        match file.try_lock() {
            Ok(()) => Ok(MatchFile { file, path: path.to_owned() }),
            Err(TryLockError::WouldBlock) => bail!("another match is writing {}", path.display()),
            Err(TryLockError::Error(error)) => {
                Err(error).with_context(|| format!("cannot lock {}", path.display()))
            }
        }
    }

    /// Writes a row so that it is there or is not, whatever happens to this process.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn append_row(&mut self, row: &Value) -> anyhow::Result<()> {
        let line = format!("{row}\n");
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        written.with_context(|| format!("cannot write {}", self.path.display()))
    }
}

impl Drop for MatchFile {
    /// The lock goes at once. Closing the file is not enough: an engine that is being started at this moment holds a copy of it.
    fn drop(&mut self) {
        // Whoever cannot unlock loses nothing: the lock goes with the process.
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
            plan: MatchArgs::default(),
            openings: vec!["startpos moves e2e4".into()],
        }
    }

    #[test]
    fn a_torn_row_is_dropped_and_played_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.jsonl");
        let mut ledger = MatchFile::create(&path, &header()).unwrap();
        ledger.append_row(&json!({"number": 2, "result": "1-0"})).unwrap();
        assert!(MatchFile::resume(&path).unwrap_err().to_string().contains("another match is writing"));
        drop(ledger);
        assert!(MatchFile::create(&path, &header()).unwrap_err().to_string().contains("--resume"));
        let sound = std::fs::read(&path).unwrap();
        for torn in [&b"{\"num"[..], b"{\"number\": 3, \"result\": \"1-0\"}", b"\xff\xfe"] {
            std::fs::write(&path, [&sound[..], torn].concat()).unwrap();
            let (mut ledger, found, games) = MatchFile::resume(&path).unwrap();
            assert_eq!((found, games.keys().copied().collect::<Vec<_>>()), (header(), vec![1]));
            ledger.append_row(&json!({"number": 3})).unwrap();
            drop(ledger);
            let (_, _, games) = MatchFile::resume(&path).unwrap();
            assert_eq!(games.keys().copied().collect::<Vec<_>>(), [1, 2]);
        }
    }

    #[test]
    fn a_file_that_is_no_match_is_refused_with_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.jsonl");
        drop(MatchFile::create(&path, &header()).unwrap());
        let head = std::fs::read_to_string(&path).unwrap();
        for (text, expected) in [
            (String::new(), ":1: no match"),
            ("{\"match\": 3}\n".into(), ":1: no match"),
            (format!("{head}x\n"), ":2: no row"),
            (format!("{head}{{\"number\": 1}}\n{{\"number\": 1}}\n"), ":3: game 1 is there twice"),
            (format!("{head}{{\"number\": 0}}\n"), ":2: game 0"),
            (format!("{head}{{}}\n"), ":2: no row"),
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
