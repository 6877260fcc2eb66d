//! The file of an opening book that grows: a SQLite database, written in one transaction for each step.

use std::path::Path;

use alfil_training::{BookPosition, BookTree};
use anyhow::{Context as _, ensure};
use rusqlite::{Connection, OptionalExtension as _, params};

/// What the scores of a file depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Settings {
    /// The depth of the searches, in plies.
    pub(super) depth: u32,
    /// The CRC-32 of the weights of the evaluation.
    pub(super) weights: u32,
}

/// The version of the tables, in the header of the file (`user_version`).
const VERSION: i32 = 1;

/// The number by which a file is known to be a state of `alfil book`, in its header (`application_id`).
const APPLICATION_ID: i32 = i32::from_be_bytes(*b"AlBk");

const TABLES: &str = "
    CREATE TABLE settings (depth INTEGER NOT NULL, weights INTEGER NOT NULL);
    CREATE TABLE positions (
        mover INTEGER NOT NULL,
        opponent INTEGER NOT NULL,
        score INTEGER NOT NULL,
        is_expanded INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (mover, opponent)
    ) WITHOUT ROWID;";

/// The file of an opening book that grows.
#[derive(Debug)]
pub(super) struct State {
    file: Connection,
}

impl State {
    /// Opens a file, or creates it.
    ///
    /// # Errors
    /// If it cannot be opened, is no state of a book, or has other settings.
    pub(super) fn open(path: &Path, settings: &Settings) -> anyhow::Result<Self> {
        let name = path.display();
        let mut file = Connection::open(path).with_context(|| format!("cannot open {name}"))?;
        prepare(&mut file, settings).with_context(|| format!("cannot use {name}"))?;
        Ok(State { file })
    }

    /// Returns the tree of the file; `None` if it has no position yet.
    ///
    /// # Errors
    /// If the file cannot be read, or lacks a position that its tree needs.
    pub(super) fn read_tree(&self) -> anyhow::Result<Option<BookTree>> {
        let text = "SELECT mover, opponent, score, is_expanded FROM positions";
        let mut statement = self.file.prepare(text)?;
        let rows = statement.query_map([], |row| {
            let set = |column| row.get::<_, i64>(column).map(i64::cast_unsigned);
            let position = BookPosition { mover: set(0)?, opponent: set(1)? };
            Ok((position, row.get::<_, i16>(2)?, row.get::<_, bool>(3)?))
        })?;
        let rows = rows.collect::<Result<Vec<_>, _>>()?;
        let start = BookPosition::start();
        let Some(&(_, score, _)) = rows.iter().find(|(position, ..)| *position == start) else {
            ensure!(rows.is_empty(), "the start position is missing: the file is damaged");
            return Ok(None);
        };
        let mut tree = BookTree::new(score);
        rows.iter().for_each(|&(position, score, _)| tree.insert(position, score));
        for (position, ..) in rows.into_iter().filter(|&(_, _, is_expanded)| is_expanded) {
            ensure!(
                !position.legal_squares().is_empty(),
                "a position without a legal move is expanded: the file is damaged"
            );
            let has_all_positions = tree.positions_to_score(position).is_empty();
            ensure!(has_all_positions, "a position after a legal move is missing: the file is damaged");
            tree.expand(position);
        }
        Ok(Some(tree))
    }

    /// Adds positions with their scores and marks others as expanded, all or nothing.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn write(
        &mut self,
        scores: &[(BookPosition, i16)],
        expanded: &[BookPosition],
    ) -> anyhow::Result<()> {
        let transaction = self.file.transaction()?;
        for &(BookPosition { mover, opponent }, score) in scores {
            // Another process may have added the position, and expanded it: then only the score changes.
            let text = "INSERT INTO positions (mover, opponent, score) VALUES (?1, ?2, ?3) \
                        ON CONFLICT DO UPDATE SET score = excluded.score";
            transaction.prepare_cached(text)?.execute(params![
                mover.cast_signed(),
                opponent.cast_signed(),
                score
            ])?;
        }
        for BookPosition { mover, opponent } in expanded {
            let text = "UPDATE positions SET is_expanded = 1 WHERE mover = ?1 AND opponent = ?2";
            transaction
                .prepare_cached(text)?
                .execute(params![mover.cast_signed(), opponent.cast_signed()])?;
        }
        transaction.commit()?;
        Ok(())
    }
}

/// Checks that the file is a state with these settings. A new file gets its tables.
fn prepare(file: &mut Connection, settings: &Settings) -> anyhow::Result<()> {
    let transaction = file.transaction_with_behavior(rusqlite::TransactionBehavior::Exclusive)?;
    let id: i32 = transaction.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let tables: i64 = transaction.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if (id, tables) == (0, 0) {
        transaction.execute_batch(TABLES)?;
        transaction
            .execute("INSERT INTO settings VALUES (?1, ?2)", params![settings.depth, settings.weights])?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", VERSION)?;
        transaction.commit()?;
        return Ok(());
    }
    ensure!(id == APPLICATION_ID, "it is a database, but no state of alfil book");
    let version: i32 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    ensure!(version == VERSION, "it has version {version}, but this program writes version {VERSION}");
    let read = |row: &rusqlite::Row<'_>| Ok(Settings { depth: row.get(0)?, weights: row.get(1)? });
    let found = transaction.query_row("SELECT depth, weights FROM settings", [], read).optional()?;
    let found = found.context("its settings are missing: the file is damaged")?;
    ensure!(
        found.depth == settings.depth,
        "its positions were searched to depth {}, not {}: use --depth {} or another file",
        found.depth,
        settings.depth,
        found.depth
    );
    ensure!(
        found.weights == settings.weights,
        "its positions were searched with other weights of the evaluation: use another file"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: Settings = Settings { depth: 4, weights: 7 };

    #[test]
    fn a_tree_survives_writing_and_reading() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.sqlite");
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
    fn other_files_and_settings_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let error = |path: &Path, settings| format!("{:#}", State::open(path, &settings).unwrap_err());
        let path = folder.path().join("book.sqlite");
        drop(State::open(&path, &SETTINGS).unwrap());
        assert!(error(&path, Settings { depth: 6, ..SETTINGS }).contains("use --depth 4"));
        assert!(error(&path, Settings { weights: 8, ..SETTINGS }).contains("other weights"));

        let text = folder.path().join("notes.txt");
        std::fs::write(&text, "f5d6c3".repeat(100)).unwrap();
        assert!(error(&text, SETTINGS).contains("notes.txt"));
        let other = folder.path().join("other.sqlite");
        Connection::open(&other).unwrap().execute_batch("CREATE TABLE games (id)").unwrap();
        assert!(error(&other, SETTINGS).contains("no state of alfil book"));
        assert!(error(folder.path(), SETTINGS).contains("cannot open"));
    }

    #[test]
    fn a_file_without_a_position_that_its_tree_needs_is_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let mut state = State::open(&folder.path().join("book.sqlite"), &SETTINGS).unwrap();
        state.write(&[(BookPosition::start(), 0)], &[BookPosition::start()]).unwrap();
        assert!(state.read_tree().unwrap_err().to_string().contains("missing"));
        state.file.execute("DELETE FROM positions", []).unwrap();
        let full = BookPosition { mover: !0, opponent: 0 };
        state.write(&[(full, 6_400)], &[]).unwrap();
        assert!(state.read_tree().unwrap_err().to_string().contains("start position"));
    }
}
