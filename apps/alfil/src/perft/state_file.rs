//! `--state`: the finished parts of a count, a row each, so that it can be killed at any time and go on.
//!
//! The part of a damaged row is counted again.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use alfil_batch::run_file::{EarlierFormat, RunContents, RunFile, RunFileError, RunKind};
use alfil_batch::run_identity::{RunTerms, check_identity};
use serde_json::{Value, json};

use super::json_number;
use crate::errors::Failure;

/// The state files. A part takes milliseconds, which is less than a disk needs.
const KIND: RunKind = RunKind {
    name: "perft",
    is_synced: false,
    earlier: EarlierFormat::Refused("{\"format\":\"alfil perft state 1\""),
    advice: "use another file",
};

/// How the state of another count is refused.
const TERMS: RunTerms = RunTerms {
    what: "a count",
    labels: &[
        ("game", "game"),
        ("fen", "position"),
        ("parts", "number of parts"),
        ("fingerprint", "fingerprint of the parts"),
    ],
    advice: "give its arguments again, or use another file",
};

/// The count of a finished part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PartCount {
    /// The number of paths from any one position of the part. The part adds this number for each path that leads to it.
    pub(crate) nodes: u128,
    /// How long it took on one thread.
    pub(crate) seconds: f64,
}

/// The finished parts, by number.
pub(crate) type PartCounts = HashMap<usize, PartCount>;

/// What a file must describe to belong to a count.
#[derive(Clone, Debug)]
pub(crate) struct StateHeader {
    /// The fields of the position and the depth.
    pub(crate) count: Value,
    /// The number of plies after which the tree is cut.
    pub(crate) split: u32,
    /// The number of parts.
    pub(crate) parts: usize,
    /// The fingerprint of all parts.
    pub(crate) fingerprint: u64,
}

impl StateHeader {
    /// Returns the identity of the count.
    fn identity(&self) -> Value {
        let mut identity = self.count.clone();
        identity["split"] = json!(self.split);
        identity["parts"] = json!(self.parts);
        identity["fingerprint"] = json!(format!("{:016x}", self.fingerprint));
        identity
    }

    /// Reads the finished parts of a file, and the number of its damaged rows.
    fn parse(&self, name: &Path, contents: &RunContents) -> Result<(PartCounts, usize), Failure> {
        check_identity(name, &contents.header, &self.identity(), &TERMS)?;
        let mut counts = PartCounts::new();
        for (line, row) in &contents.rows {
            let name = name.display();
            let (part, count) = self.parse_row(row).ok_or_else(|| {
                Failure::Input(format!("{name}:{line}: expected the number and the count of a part"))
            })?;
            let known = counts.insert(part, count);
            if known.is_some_and(|known| known.nodes != count.nodes) {
                return Err(Failure::Input(format!(
                    "{name}: part {part} has two counts: remove the file and count again"
                )));
            }
        }
        Ok((counts, contents.damaged_lines.len()))
    }

    fn parse_row(&self, row: &Value) -> Option<(usize, PartCount)> {
        let part = usize::try_from(row["part"].as_u64()?).ok().filter(|&part| part < self.parts)?;
        let nodes = row["nodes"].to_string().parse().ok()?;
        Some((part, PartCount { nodes, seconds: row["seconds"].as_f64()? }))
    }
}

/// A file to which finished parts are added.
#[derive(Debug)]
pub(crate) struct StateFile {
    file: Mutex<RunFile>,
}

/// Reads the finished parts of a file that another process writes or has written.
///
/// # Errors
/// If it cannot be read, or belongs to another count.
pub(crate) fn read(name: &Path, header: &StateHeader) -> Result<(PartCounts, usize), Failure> {
    header.parse(name, &RunFile::read_contents(name, &KIND)?)
}

/// Adds the finished parts of a file to those of the files before it. `files` holds the file of each known part.
///
/// # Errors
/// If the file and one before it have different counts of a part.
pub(crate) fn add_counts<'a>(
    known: &mut PartCounts,
    files: &mut HashMap<usize, &'a Path>,
    name: &'a Path,
    counts: PartCounts,
) -> Result<(), Failure> {
    let differs = |part: &usize| known.get(part).is_some_and(|earlier| earlier.nodes != counts[part].nodes);
    if let Some(part) = counts.keys().copied().filter(differs).min() {
        let (earlier, name) = (files[&part].display(), name.display());
        return Err(Failure::Input(format!(
            "{earlier} and {name}: part {part} has two counts: remove the wrong file and count again"
        )));
    }
    files.extend(counts.keys().map(|&part| (part, name)));
    known.extend(counts);
    Ok(())
}

impl StateFile {
    /// Opens the file, or creates it. Returns it with the finished parts and the number of damaged rows.
    ///
    /// # Errors
    /// If it cannot be read or written, belongs to another count, or another process has it open.
    pub(crate) fn open(name: &Path, header: &StateHeader) -> Result<(Self, PartCounts, usize), Failure> {
        let (mut file, contents) = RunFile::open(name, &KIND, &header.identity())?;
        let (counts, damaged) = match contents {
            Some(contents) => header.parse(name, &contents)?,
            None => (PartCounts::new(), 0),
        };
        file.begin()?;
        Ok((StateFile { file: Mutex::new(file) }, counts, damaged))
    }

    /// Adds a finished part.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn add(&self, part: usize, count: PartCount) -> Result<(), RunFileError> {
        let seconds = (count.seconds * 1_000.0).round() / 1_000.0;
        let row = json!({"part": part, "nodes": json_number(count.nodes), "seconds": seconds});
        self.file.lock().unwrap_or_else(PoisonError::into_inner).append(&row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_has_one_count_and_one_that_is_damaged_has_none() {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().join("state");
        let header =
            StateHeader { count: json!({"game": "chess", "depth": 5}), split: 2, parts: 3, fingerprint: 77 };
        let open = || StateFile::open(&name, &header);
        let count = |nodes| PartCount { nodes, seconds: 0.5 };
        let (file, ..) = open().unwrap();
        file.add(1, count(u128::MAX)).unwrap();
        file.add(2, count(7)).unwrap();
        drop(file);
        let valid = std::fs::read_to_string(&name).unwrap();
        std::fs::write(&name, valid.replace("\"nodes\":7", "\"nodes\":6")).unwrap();
        let (file, known, damaged) = open().unwrap();
        assert_eq!((known, damaged), (PartCounts::from([(1, count(u128::MAX))]), 1));
        file.add(1, count(5)).unwrap();
        file.add(3, count(5)).unwrap();
        drop(file);
        let message = |result: Result<_, Failure>| match result {
            Err(Failure::Input(message)) => message,
            _ => panic!("no error"),
        };
        assert!(message(open().map(drop)).contains("part 1 has two counts"));
        let text = std::fs::read_to_string(&name).unwrap();
        let lines: Vec<_> = text.lines().collect();
        std::fs::write(&name, format!("{}\n{}\n", lines[0], lines[4])).unwrap();
        assert!(message(open().map(drop)).contains(":2: expected the number and the count of a part"));
    }
}
