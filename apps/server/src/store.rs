//! The store of games: an SQLite file in the user's data folder. A game is saved before its move is acknowledged, so
//! that no acknowledged move can be lost.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use alfil_session::SessionError;
use etcetera::BaseStrategy;
use rusqlite::{Connection, OptionalExtension, params};
use tokio::sync::broadcast;

use crate::open_game::OpenGame;
use crate::request_error::{ErrorCode, RequestError};
use crate::stored::{ROOT, StoredGame};
use crate::wire::SavedGame;

/// The maximal number of games in a list.
const MAX_LISTED_GAMES: u32 = 100;
/// The number of unread changes after which a session has to reload.
const MAX_QUEUED_CHANGES: usize = 64;
/// The version of the tables and of the JSON in them (SQLite `user_version`); databases of version 0.1.0 have 0.
const SCHEMA_VERSION: u32 = 1;
/// The time to wait for another process that uses the file.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// The date of a saved game, by which the list is sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SavedDate {
    /// The game was changed now.
    Now,
    /// The game is only shown or evaluated differently, and stays where it is in the list. A new game has its date.
    Kept,
}

/// The reason why a game was not saved.
#[derive(Debug)]
pub(crate) enum SaveError {
    /// The game was deleted.
    Deleted,
    /// The game was saved by another session since it was read.
    Conflict,
    /// The file cannot be read or written.
    Storage(SessionError),
}

/// The event that a game was saved.
#[derive(Clone, Debug)]
pub(crate) struct SavedChange {
    pub(crate) id: String,
    /// The client that saved the game.
    pub(crate) saved_by: u64,
}

/// A store of games.
#[derive(Clone, Debug)]
pub struct Store {
    connection: Arc<Mutex<Connection>>,
    changes: broadcast::Sender<SavedChange>,
}

fn storage_error(error: impl std::fmt::Display) -> SessionError {
    SessionError::new(format!("cannot read or write the saved games: {error}"))
        .with_chinese(format!("磁盘上的对局无法读写：{error}"))
}

/// Returns Alfil's folder in the user's data folder.
///
/// # Errors
/// If the system has no such folder.
pub fn data_folder() -> Result<PathBuf, SessionError> {
    let folders = etcetera::choose_base_strategy().map_err(storage_error)?;
    Ok(folders.data_dir().join("alfil"))
}

impl Store {
    /// Opens the store of a folder, which is created if it is missing.
    ///
    /// # Errors
    /// If the folder or the file cannot be created or read.
    pub fn open(folder: &Path) -> Result<Store, SessionError> {
        std::fs::create_dir_all(folder)
            .map_err(|error| SessionError::new(format!("cannot create {}: {error}", folder.display())))?;
        let path = folder.join("games.sqlite");
        let file = Connection::open(&path)
            .map_err(|error| SessionError::new(format!("cannot open {}: {error}", path.display())))?;
        // WAL: readers do not wait for the writer. FULL: a commit is on the disk before it returns.
        file.pragma_update(None, "journal_mode", "WAL").map_err(storage_error)?;
        file.pragma_update(None, "synchronous", "FULL").map_err(storage_error)?;
        Store::from_connection(file)
    }

    /// Opens a store in memory.
    ///
    /// # Errors
    /// If the database cannot be created.
    pub fn in_memory() -> Result<Store, SessionError> {
        Store::from_connection(Connection::open_in_memory().map_err(storage_error)?)
    }

    fn from_connection(file: Connection) -> Result<Store, SessionError> {
        file.busy_timeout(BUSY_TIMEOUT).map_err(storage_error)?;
        let version = file.pragma_query_value(None, "user_version", |row| row.get::<_, u32>(0));
        if version.map_err(storage_error)? > SCHEMA_VERSION {
            return Err(storage_error("they were saved by a newer version of Alfil"));
        }
        file.pragma_update(None, "user_version", SCHEMA_VERSION).map_err(storage_error)?;
        file.execute_batch(
            "CREATE TABLE IF NOT EXISTS games (
                id TEXT PRIMARY KEY, game TEXT NOT NULL, plies INTEGER NOT NULL, revision INTEGER NOT NULL,
                changed INTEGER NOT NULL, record TEXT NOT NULL) STRICT;
            CREATE INDEX IF NOT EXISTS games_changed ON games (changed);",
        )
        .map_err(storage_error)?;
        let (changes, _) = broadcast::channel(MAX_QUEUED_CHANGES);
        Ok(Store { connection: Arc::new(Mutex::new(file)), changes })
    }

    /// Subscribes to the saved changes.
    pub(crate) fn subscribe(&self) -> broadcast::Receiver<SavedChange> {
        self.changes.subscribe()
    }

    fn lock_connection(&self) -> MutexGuard<'_, Connection> {
        // A poisoned lock is harmless: SQLite rolls back incomplete changes.
        self.connection.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Saves a game and notifies the subscribers; `saved_by` is the client.
    ///
    /// # Errors
    /// See [`SaveError`]; the store is unchanged after an error.
    pub(crate) fn save(&self, game: &mut OpenGame, saved_by: u64, date: SavedDate) -> Result<(), SaveError> {
        let rows = self.write_game(game, date).map_err(SaveError::Storage)?;
        if rows == 0 {
            let exists = self.revision(&game.id).map_err(SaveError::Storage)?.is_some();
            return Err(if exists { SaveError::Conflict } else { SaveError::Deleted });
        }
        game.revision += 1;
        // Sending fails if there are no subscribers.
        let _ = self.changes.send(SavedChange { id: game.id.clone(), saved_by });
        Ok(())
    }

    /// Writes a game that is new or unchanged since it was read; returns the number of rows.
    fn write_game(&self, game: &OpenGame, date: SavedDate) -> Result<usize, SessionError> {
        let record = serde_json::to_string(&game.stored).map_err(storage_error)?;
        let tree = &game.stored.tree;
        let plies = i64::try_from(tree.path(tree.line_end(ROOT)).len()).unwrap_or(i64::MAX);
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let changed = i64::try_from(since_epoch.as_secs()).unwrap_or(i64::MAX);
        let file = self.lock_connection();
        // A game that was read is not inserted again: it may have been deleted.
        let rows = if game.revision == 0 {
            file.execute(
                "INSERT INTO games (id, game, plies, revision, changed, record) VALUES (?1, ?2, ?3, 1, ?4, ?5)
                ON CONFLICT (id) DO NOTHING",
                params![game.id, game.stored.game, plies, changed, record],
            )
        } else {
            file.execute(
                "UPDATE games SET plies = ?2, revision = revision + 1, changed = COALESCE(?3, changed), record = ?4
                WHERE id = ?1 AND revision = ?5",
                params![game.id, plies, (date == SavedDate::Now).then_some(changed), record, game.revision],
            )
        };
        rows.map_err(storage_error)
    }

    /// Saves the clock of a game if it is unchanged since it was read. Subscribers are not notified.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn save_clock(&self, game: &OpenGame) -> Result<(), SessionError> {
        let record = serde_json::to_string(&game.stored).map_err(storage_error)?;
        let file = self.lock_connection();
        let text = "UPDATE games SET record = ?2 WHERE id = ?1 AND revision = ?3";
        file.execute(text, params![game.id, record, game.revision]).map_err(storage_error)?;
        Ok(())
    }

    /// Returns the revision of a saved game.
    fn revision(&self, id: &str) -> Result<Option<i64>, SessionError> {
        let file = self.lock_connection();
        let found = file.query_row("SELECT revision FROM games WHERE id = ?1", [id], |row| row.get(0));
        found.optional().map_err(storage_error)
    }

    /// Loads a saved game.
    ///
    /// # Errors
    /// If there is no such game, or it cannot be read.
    pub(crate) fn load(&self, id: &str) -> Result<OpenGame, RequestError> {
        let found: Option<(i64, String)> = self
            .lock_connection()
            .query_row("SELECT revision, record FROM games WHERE id = ?1", [id], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .optional()
            .map_err(storage_error)?;
        let Some((revision, record)) = found else {
            return Err(RequestError::new(ErrorCode::Gone, format!("there is no saved game {id:?}")));
        };
        let record: StoredGame = serde_json::from_str(&record).map_err(storage_error)?;
        Ok(OpenGame::from_saved(id.to_owned(), revision, record)?)
    }

    /// Deletes a game, if it exists.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn delete(&self, id: &str) -> Result<(), SessionError> {
        self.lock_connection().execute("DELETE FROM games WHERE id = ?1", [id]).map_err(storage_error)?;
        Ok(())
    }

    /// Lists saved games, the last changed first, after the first `skip`; returns whether more follow.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn list(&self, skip: u32) -> Result<(Vec<SavedGame>, bool), SessionError> {
        let file = self.lock_connection();
        let mut rows = file
            .prepare(
                "SELECT id, game, plies, changed FROM games ORDER BY changed DESC, rowid DESC LIMIT ?1 OFFSET ?2",
            )
            .map_err(storage_error)?;
        let saved = rows.query_map([MAX_LISTED_GAMES + 1, skip], |row| {
            Ok(SavedGame { id: row.get(0)?, game: row.get(1)?, plies: row.get(2)?, changed: row.get(3)? })
        });
        let mut saved =
            saved.map_err(storage_error)?.collect::<Result<Vec<_>, _>>().map_err(storage_error)?;
        let more = saved.len() > MAX_LISTED_GAMES as usize;
        saved.truncate(MAX_LISTED_GAMES as usize);
        Ok((saved, more))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::open_game::new_id;
    use crate::wire::NewGame;

    fn game() -> OpenGame {
        let new = NewGame { game: "xiangqi".into(), moves: vec!["h2e2".into()], ..NewGame::default() };
        OpenGame::new(new_id(), new).unwrap()
    }

    #[test]
    fn saved_games_can_be_loaded_after_reopening_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let mut game = game();
        Store::open(&folder.path().join("deep/er")).unwrap().save(&mut game, 0, SavedDate::Now).unwrap();
        let store = Store::open(&folder.path().join("deep/er")).unwrap();
        assert_eq!(store.load(&game.id).unwrap().stored, game.stored);
        assert_eq!(store.list(0).unwrap().0[0].plies, 1);
        store.delete(&game.id).unwrap();
        assert!(store.load(&game.id).is_err() && store.list(0).unwrap().0.is_empty());
    }

    #[test]
    fn a_stale_game_cannot_overwrite_a_newer_one() {
        let store = Store::in_memory().unwrap();
        let mut one = game();
        store.save(&mut one, 1, SavedDate::Now).unwrap();
        let mut other = store.load(&one.id).unwrap();
        one.play("h9g7", None).unwrap();
        store.save(&mut one, 1, SavedDate::Now).unwrap();
        other.play("b9c7", None).unwrap();
        assert!(matches!(store.save(&mut other, 2, SavedDate::Now), Err(SaveError::Conflict)));
        assert_eq!(store.load(&one.id).unwrap().stored, one.stored);
        store.save_clock(&other).unwrap();
        assert_eq!(store.load(&one.id).unwrap().stored, one.stored);
    }

    #[test]
    fn a_deleted_game_is_not_saved_again() {
        let store = Store::in_memory().unwrap();
        let mut game = game();
        store.save(&mut game, 1, SavedDate::Now).unwrap();
        game.play("h9g7", None).unwrap();
        store.save(&mut game, 1, SavedDate::Now).unwrap();
        store.delete(&game.id).unwrap();
        assert!(matches!(store.save(&mut game, 1, SavedDate::Now), Err(SaveError::Deleted)));
        assert_eq!((game.revision, store.list(0).unwrap().0.len()), (2, 0));
        // With revision 0 the game is inserted, but does not overwrite another one.
        game.revision = 0;
        store.save(&mut game, 1, SavedDate::Now).unwrap();
        game.revision = 0;
        assert!(matches!(store.save(&mut game, 1, SavedDate::Now), Err(SaveError::Conflict)));
    }

    #[test]
    fn another_notation_or_evaluation_keeps_the_date() {
        let store = Store::in_memory().unwrap();
        let mut game = game();
        store.save(&mut game, 1, SavedDate::Now).unwrap();
        let date = |store: &Store| -> i64 {
            store.lock_connection().query_row("SELECT changed FROM games", [], |row| row.get(0)).unwrap()
        };
        store.lock_connection().execute("UPDATE games SET changed = 1", []).unwrap();
        store.save(&mut game, 1, SavedDate::Kept).unwrap();
        assert_eq!(date(&store), 1);
        store.save(&mut game, 1, SavedDate::Now).unwrap();
        assert!(date(&store) > 1);
    }

    #[test]
    fn games_are_listed_in_pages() {
        let store = Store::in_memory().unwrap();
        let mut ids = Vec::new();
        for _ in 0..MAX_LISTED_GAMES + 5 {
            let mut game = game();
            store.save(&mut game, 1, SavedDate::Now).unwrap();
            ids.insert(0, game.id);
        }
        let (first, more) = store.list(0).unwrap();
        let (rest, none) = store.list(MAX_LISTED_GAMES).unwrap();
        assert_eq!((first.len(), more, rest.len(), none), (MAX_LISTED_GAMES as usize, true, 5, false));
        let listed: Vec<_> = first.into_iter().chain(rest).map(|game| game.id).collect();
        assert_eq!(listed, ids);
    }

    #[test]
    fn a_database_of_a_newer_version_is_rejected() {
        let folder = tempfile::tempdir().unwrap();
        Store::open(folder.path()).unwrap();
        let file = Connection::open(folder.path().join("games.sqlite")).unwrap();
        file.pragma_update(None, "user_version", SCHEMA_VERSION + 1).unwrap();
        assert!(Store::open(folder.path()).unwrap_err().message.contains("a newer version"));
    }

    #[test]
    fn an_invalid_store_is_rejected_with_a_reason() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(
            folder.path().join("games.sqlite"),
            "not a database, but long enough to be read".repeat(50),
        )
        .unwrap();
        assert!(Store::open(folder.path()).unwrap_err().message.contains("cannot read or write"));
        assert!(Store::open(Path::new("/dev/null/x")).unwrap_err().message.contains("cannot create"));
    }
}
