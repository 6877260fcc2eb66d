//! The file of an opening book that grows: a row for each step, with the positions that it scored and expanded.

use std::path::{Path, PathBuf};

use alfil_batch::run_file::{EarlierFormat, RunFile, RunKind};
use alfil_batch::run_identity::{RunTerms, check_identity};
use alfil_training::{BookPosition, BookTree};
use anyhow::{Context as _, bail};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The files of growing books.
const KIND: RunKind = RunKind {
    name: "book",
    is_synced: true,
    // Format 1 was a SQLite database.
    earlier: EarlierFormat::Refused("SQLite format 3"),
    advice: "remove it and all lines after it, and their positions are searched again",
};

/// How the file of another book is refused.
const TERMS: RunTerms = RunTerms {
    what: "a book",
    labels: &[("weights", "weights of the evaluation (CRC-32)")],
    advice: "use its options, or another file",
};

/// What the scores of a file depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    /// The depth of the searches, in plies.
    pub(crate) depth: u32,
    /// The CRC-32 of the weights of the evaluation.
    pub(crate) weights: u32,
}

/// A step: the positions as the discs of the side to move and of the other one, in hexadecimal.
#[derive(Deserialize, Serialize)]
struct Step {
    /// The new positions with their scores.
    scores: Vec<(String, String, i16)>,
    /// The positions whose moves are all in the tree now.
    expanded: Vec<(String, String)>,
}

/// The file of an opening book that grows.
#[derive(Debug)]
pub(crate) struct State {
    file: RunFile,
    path: PathBuf,
    /// The rows that were there when the file was opened.
    rows: Vec<(usize, Value)>,
}

impl State {
    /// Opens a file, or creates it.
    ///
    /// # Errors
    /// If it cannot be opened, is no state of a book, is damaged or has other settings, or another process has it open.
    pub(crate) fn open(path: &Path, settings: &Settings) -> anyhow::Result<Self> {
        let weights = format!("{:08x}", settings.weights);
        let identity = json!({"game": "othello", "depth": settings.depth, "weights": weights});
        let (mut file, contents) = RunFile::open(path, &KIND, &identity)?;
        let mut rows = Vec::new();
        if let Some(contents) = contents {
            contents.check_rows(path, &KIND)?;
            check_identity(path, &contents.header, &identity, &TERMS)?;
            rows = contents.rows;
        }
        file.begin()?;
        Ok(State { file, path: path.to_owned(), rows })
    }

    /// Returns the tree of the steps that were in the file; `None` if there was none.
    ///
    /// # Errors
    /// If a row is no step, or lacks a position that the tree needs.
    pub(crate) fn read_tree(&self) -> anyhow::Result<Option<BookTree>> {
        let mut tree = None;
        for (line, row) in &self.rows {
            add_step(&mut tree, row).with_context(|| format!("{}:{line}", self.path.display()))?;
        }
        Ok(tree)
    }

    /// Adds positions with their scores and marks others as expanded, all or nothing.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn write(
        &mut self,
        scores: &[(BookPosition, i16)],
        expanded: &[BookPosition],
    ) -> anyhow::Result<()> {
        let texts = |position: &BookPosition| {
            let [mover, opponent] = [position.mover, position.opponent].map(|discs| format!("{discs:016x}"));
            (mover, opponent)
        };
        let score = |(position, score): &(BookPosition, i16)| {
            let (mover, opponent) = texts(position);
            (mover, opponent, *score)
        };
        let step = Step {
            scores: scores.iter().map(score).collect(),
            expanded: expanded.iter().map(texts).collect(),
        };
        Ok(self.file.append(&serde_json::to_value(step)?)?)
    }
}

/// Adds the step of a row to a tree, which begins with the first one.
fn add_step(tree: &mut Option<BookTree>, row: &Value) -> anyhow::Result<()> {
    let step = Step::deserialize(row).context("expected the scores and the expanded positions of a step")?;
    let position = |mover: &str, opponent: &str| -> anyhow::Result<BookPosition> {
        let discs = |text| u64::from_str_radix(text, 16).context("expected hexadecimal discs");
        Ok(BookPosition { mover: discs(mover)?, opponent: discs(opponent)? })
    };
    for (mover, opponent, score) in &step.scores {
        let position = position(mover, opponent)?;
        match tree {
            Some(tree) => tree.insert(position, *score),
            None if position == BookPosition::start() => *tree = Some(BookTree::new(*score)),
            None => bail!("expected the start position first"),
        }
    }
    for (mover, opponent) in &step.expanded {
        let position = position(mover, opponent)?;
        match tree {
            Some(tree) if tree.can_expand(position) => tree.expand(position),
            _ => bail!("a position of this step has no score or no legal move"),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: Settings = Settings { depth: 4, weights: 7 };

    #[test]
    fn a_tree_survives_writing_and_reading() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book");
        let start = BookPosition::start();
        let next = BookTree::new(-30).positions_to_score(start)[0];
        let mut state = State::open(&path, &SETTINGS).unwrap();
        assert!(state.read_tree().unwrap().is_none());
        state.write(&[(start, -30)], &[]).unwrap();
        state.write(&[(next, -45)], &[start]).unwrap();
        drop(state);
        let mut tree = State::open(&path, &SETTINGS).unwrap().read_tree().unwrap().unwrap();
        assert_eq!((tree.len(), tree.expanded()), (2, 1));
        assert_eq!(tree.book().moves(&start.board())[0].score, 45);
        assert_eq!(tree.positions_to_expand(5), [next]);
    }

    #[test]
    fn a_step_without_a_position_that_its_tree_needs_is_refused_with_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let start = BookPosition::start();
        let full = BookPosition { mover: !0, opponent: 0 };
        for (name, scores, expanded, expected) in [
            ("next", &[(start, 0)][..], &[start][..], ":2: a position of this step has no score"),
            (
                "full",
                &[(start, 0), (full, 6_400)],
                &[full],
                ":2: a position of this step has no score or no legal",
            ),
            ("start", &[(full, 6_400)], &[], ":2: expected the start position first"),
        ] {
            let path = folder.path().join(name);
            State::open(&path, &SETTINGS).unwrap().write(scores, expanded).unwrap();
            let error = State::open(&path, &SETTINGS).unwrap().read_tree().unwrap_err();
            assert!(format!("{error:#}").contains(expected), "{error:#}");
        }
    }
}
