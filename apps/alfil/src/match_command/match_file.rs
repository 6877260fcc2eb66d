//! The file of a match: a header row, then a row for each game. An interrupted match continues from it: no game is lost
//! or played twice.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

use alfil_batch::run_file::{EarlierFormat, RunFile, RunFileError, RunKind};
use anyhow::{Context as _, bail};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::match_args::MatchArgs;
use crate::errors::create_error;

/// The files of matches.
const KIND: RunKind = RunKind {
    name: "match",
    is_synced: true,
    earlier: EarlierFormat::Rows,
    advice: "remove the line, and its game is played again",
};

/// How an interrupted match is continued.
pub(crate) const RESUME_HINT: &str = "to continue the match: --resume; to replace the file: --force";

/// The header of a match file: everything that is needed to continue the match.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct MatchHeader {
    /// The version of this program.
    pub(crate) version: String,
    /// The arguments of the match. The files call them `plan`.
    #[serde(rename = "plan")]
    pub(crate) args: MatchArgs,
    /// All openings in the order of play.
    pub(crate) openings: Vec<String>,
    /// The network of each engine; `None` in the file of an older version.
    pub(crate) networks: Option<Vec<Option<String>>>,
}

/// Creates the file of a match.
///
/// # Errors
/// If the file exists, with a hint how to continue its match, or cannot be written.
pub(crate) fn create(path: &Path, header: &MatchHeader) -> anyhow::Result<RunFile> {
    RunFile::create(path, &KIND, &serde_json::to_value(header)?).map_err(|error| match error {
        RunFileError::File { error, .. } if error.kind() == ErrorKind::AlreadyExists => {
            create_error(path, RESUME_HINT, error)
        }
        error => error.into(),
    })
}

/// Opens the file of an interrupted match; returns its header and its game rows by number from 0.
///
/// # Errors
/// If it is not a match file or has a damaged row, or another process has locked it.
pub(crate) fn resume(path: &Path) -> anyhow::Result<(RunFile, MatchHeader, BTreeMap<usize, Value>)> {
    let (run_file, contents) = RunFile::resume(path, &KIND)?;
    contents.check_rows(path, &KIND)?;
    let header = serde_json::from_value(contents.header);
    let header = header.with_context(|| format!("{}:1: expected the header of a match", path.display()))?;
    let mut games = BTreeMap::new();
    for (line, row) in contents.rows {
        let Some(number) = row.get("number").and_then(Value::as_u64) else {
            bail!("{}:{line}: expected the row of a game, with its number as \"number\"", path.display());
        };
        if number == 0 {
            bail!("{}:{line}: the numbers of games begin with 1, not 0", path.display());
        }
        if games.insert(number as usize - 1, row).is_some() {
            bail!("{}:{line}: game {number} is in the file twice", path.display());
        }
    }
    Ok((run_file, header, games))
}

/// Removes a file that a new one replaces, if there is one. A device or a pipe stays.
///
/// # Errors
/// If another process plays the match of the file, or it cannot be removed.
pub(crate) fn remove(path: &Path) -> anyhow::Result<()> {
    if !path.is_file() {
        return Ok(());
    }
    // Other errors say that it is no file of a match.
    if let Err(error @ RunFileError::Locked { .. }) = RunFile::resume(path, &KIND) {
        return Err(error.into());
    }
    std::fs::remove_file(path).with_context(|| format!("cannot remove {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_rows_are_the_games_by_number() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.jsonl");
        let openings = vec!["startpos moves e2e4".into()];
        let networks = Some(vec![Some("768".into()), None]);
        let header = MatchHeader { version: "1".into(), args: MatchArgs::default(), openings, networks };
        let write = |rows: &[Value]| {
            let _ = std::fs::remove_file(&path);
            let mut run_file = create(&path, &header).unwrap();
            rows.iter().for_each(|row| run_file.append(row).unwrap());
        };
        write(&[json!({"number": 2}), json!({"number": 1})]);
        let (_, found, games) = resume(&path).unwrap();
        assert_eq!((found, games.into_keys().collect::<Vec<_>>()), (header.clone(), vec![0, 1]));
        let hint = create(&path, &header).unwrap_err().to_string();
        assert!(
            hint.ends_with("match.jsonl (to continue the match: --resume; to replace the file: --force)"),
            "{hint}"
        );
        for (rows, expected) in [
            (&[json!({"result": "1-0"})][..], ":2: expected the row of a game"),
            (&[json!({"number": 0})], ":2: the numbers of games begin with 1"),
            (&[json!({"number": 1}), json!({"number": 1})], ":3: game 1 is in the file twice"),
        ] {
            write(rows);
            let error = resume(&path).unwrap_err().to_string();
            assert!(error.contains(expected), "{rows:?}: {error}");
        }
    }
}
