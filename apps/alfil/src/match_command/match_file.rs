//! The file of a match: a header row, then a row for each game. An interrupted match continues from it: no game is lost
//! or played twice.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::bail;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::match_args::MatchArgs;
use crate::row_file::RowFile;

/// The kind of the file: the name of the only field of its first row.
const KIND: &str = "match";

/// How an interrupted match is continued.
pub(super) const RESUME_HINT: &str = "to continue the match: --resume";

/// The header of a match file: everything that is needed to continue the match.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub(super) struct MatchHeader {
    /// The version of this program.
    pub(super) version: String,
    /// The arguments of the match. The files call them `plan`.
    #[serde(rename = "plan")]
    pub(super) args: MatchArgs,
    /// All openings in the order of play.
    pub(super) openings: Vec<String>,
    /// The network of each engine; `None` in the file of an older version.
    pub(super) networks: Option<Vec<Option<String>>>,
}

/// Creates the file of a match.
///
/// # Errors
/// If the file exists or cannot be written.
pub(super) fn create(path: &Path, header: &MatchHeader) -> anyhow::Result<RowFile> {
    RowFile::create(path, KIND, RESUME_HINT, header)
}

/// Opens the file of an interrupted match; returns its header and its game rows by number from 0.
///
/// # Errors
/// If it is not a match file, or another process has locked it.
pub(super) fn resume(path: &Path) -> anyhow::Result<(RowFile, MatchHeader, BTreeMap<usize, Value>)> {
    let (row_file, header, rows) = RowFile::resume(path, KIND)?;
    let mut games = BTreeMap::new();
    for (line, row) in rows {
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
    Ok((row_file, header, games))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_are_the_games_by_number() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.jsonl");
        let openings = vec!["startpos moves e2e4".into()];
        let networks = Some(vec![Some("768".into()), None]);
        let header = MatchHeader { version: "1".into(), args: MatchArgs::default(), openings, networks };
        drop(create(&path, &header).unwrap());
        let head = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("{head}{{\"number\": 2}}\n{{\"number\": 1}}\n")).unwrap();
        let (_, found, games) = resume(&path).unwrap();
        assert_eq!((found, games.into_keys().collect::<Vec<_>>()), (header, vec![0, 1]));
        for (rows, expected) in [
            ("x\n", ":2: expected a row, one JSON object"),
            ("{}\n", ":2: expected the row of a game"),
            ("{\"number\": 0}\n", ":2: the numbers of games begin with 1"),
            ("{\"number\": 1}\n{\"number\": 1}\n", ":3: game 1 is in the file twice"),
        ] {
            std::fs::write(&path, format!("{head}{rows}")).unwrap();
            let error = resume(&path).unwrap_err().to_string();
            assert!(error.contains(expected), "{rows}: {error}");
        }
    }
}
