//! The store of games: an SQLite file in the user's data folder. A game is saved before its move is acknowledged, so
//! that no acknowledged move can be lost; only its changed moves are written. A deleted game stays for thirty days.

mod schema;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use alfil_page::wire::{ErrorCode, SavedGame};
use alfil_page::{
    GameStore, OpenGame, RequestError, SaveError, SavedChange, SavedDate, StoredGame, StoredNode,
};
use alfil_session::SessionError;
use alfil_session::played_game::{ROOT, TextNode};
use etcetera::BaseStrategy;
use rusqlite::{Connection, OptionalExtension, params};
use tokio::sync::broadcast;

use crate::host::seconds_since_epoch;

/// The maximal number of games in a list.
const MAX_LISTED_GAMES: u32 = 100;
/// The number of unread changes after which a session has to reload.
const MAX_QUEUED_CHANGES: usize = 64;
/// The maximal number of a move in a saved game; a greater one is damaged.
const MAX_NODE: usize = 10_000_000;
/// The time to wait for another process that uses the file.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

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

/// Writes a node of a game, or removes it.
fn write_node(
    file: &Connection,
    id: &str,
    number: usize,
    node: Option<&TextNode>,
) -> Result<(), Box<dyn std::error::Error>> {
    match node {
        Some(node) => {
            let record = serde_json::to_string(&StoredNode::from(node))?;
            file.prepare_cached("INSERT OR REPLACE INTO nodes (game, node, record) VALUES (?1, ?2, ?3)")?
                .execute(params![id, number, record])?;
        }
        None => {
            file.prepare_cached("DELETE FROM nodes WHERE game = ?1 AND node = ?2")?
                .execute(params![id, number])?;
        }
    }
    Ok(())
}

/// Returns the nodes of a game by number.
fn read_nodes(file: &Connection, id: &str) -> Result<Vec<Option<StoredNode>>, SessionError> {
    let mut rows = file
        .prepare_cached("SELECT node, record FROM nodes WHERE game = ?1 ORDER BY node")
        .map_err(storage_error)?;
    let rows = rows
        .query_map([id], |row| Ok((row.get::<_, usize>(0)?, row.get::<_, String>(1)?)))
        .map_err(storage_error)?;
    let mut nodes = Vec::new();
    for row in rows {
        let (number, record) = row.map_err(storage_error)?;
        if number > MAX_NODE {
            return Err(SessionError::new(format!("the saved game {id} is damaged")));
        }
        nodes.resize(number, None);
        nodes.push(Some(serde_json::from_str(&record).map_err(storage_error)?));
    }
    Ok(nodes)
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

    fn from_connection(mut file: Connection) -> Result<Store, SessionError> {
        file.busy_timeout(BUSY_TIMEOUT).map_err(storage_error)?;
        schema::migrate(&mut file)?;
        schema::purge_deleted(&file, seconds_since_epoch()).map_err(storage_error)?;
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

    /// Writes a game that is new or unchanged since it was read, with its changed nodes; returns the number of games.
    fn write_game(&self, game: &mut OpenGame, date: SavedDate) -> Result<usize, SessionError> {
        let changed_nodes = game.nodes_to_save();
        let record = serde_json::to_string(&StoredGame::from(game.record())).map_err(storage_error)?;
        let tree = game.tree();
        let plies = i64::try_from(tree.path(tree.line_end(ROOT)).len()).unwrap_or(i64::MAX);
        let changed = seconds_since_epoch();
        let mut file = self.lock_connection();
        let transaction = file.transaction().map_err(storage_error)?;
        // A game that was read is not inserted again: it may have been deleted.
        let rows = if game.revision == 0 {
            transaction.execute(
                "INSERT INTO games (id, game, plies, revision, changed, record) VALUES (?1, ?2, ?3, 1, ?4, ?5)
                ON CONFLICT (id) DO NOTHING",
                params![game.id, game.record().game, plies, changed, record],
            )
        } else {
            transaction.execute(
                "UPDATE games SET plies = ?2, revision = revision + 1, changed = COALESCE(?3, changed), record = ?4
                WHERE id = ?1 AND revision = ?5 AND deleted IS NULL",
                params![game.id, plies, (date == SavedDate::Now).then_some(changed), record, game.revision],
            )
        };
        let rows = rows.map_err(storage_error)?;
        if rows > 0 {
            for number in changed_nodes {
                write_node(&transaction, &game.id, number, tree.node(number)).map_err(storage_error)?;
            }
            transaction.commit().map_err(storage_error)?;
        }
        Ok(rows)
    }

    /// Returns the revision of a saved game that is not deleted.
    fn revision(&self, id: &str) -> Result<Option<i64>, SessionError> {
        let file = self.lock_connection();
        let found =
            file.query_row("SELECT revision FROM games WHERE id = ?1 AND deleted IS NULL", [id], |row| {
                row.get(0)
            });
        found.optional().map_err(storage_error)
    }
}

impl GameStore for Store {
    fn save(&self, game: &mut OpenGame, saved_by: u64, date: SavedDate) -> Result<(), SaveError> {
        let rows = self.write_game(game, date).map_err(SaveError::Storage)?;
        if rows == 0 {
            let exists = self.revision(&game.id).map_err(SaveError::Storage)?.is_some();
            return Err(if exists { SaveError::Conflict } else { SaveError::Deleted });
        }
        game.on_saved();
        // Sending fails if there are no subscribers.
        let _ = self.changes.send(SavedChange { id: game.id.clone(), saved_by });
        Ok(())
    }

    fn save_clock(&self, game: &OpenGame) -> Result<(), SessionError> {
        let record = serde_json::to_string(&StoredGame::from(game.record())).map_err(storage_error)?;
        let file = self.lock_connection();
        let text = "UPDATE games SET record = ?2 WHERE id = ?1 AND revision = ?3 AND deleted IS NULL";
        file.execute(text, params![game.id, record, game.revision]).map_err(storage_error)?;
        Ok(())
    }

    fn load(&self, id: &str) -> Result<OpenGame, RequestError> {
        let file = self.lock_connection();
        let found: Option<(i64, String)> = file
            .query_row("SELECT revision, record FROM games WHERE id = ?1 AND deleted IS NULL", [id], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .optional()
            .map_err(storage_error)?;
        let Some((revision, record)) = found else {
            return Err(RequestError::new(ErrorCode::Gone, format!("there is no saved game {id:?}")));
        };
        let nodes = read_nodes(&file, id)?;
        drop(file);
        let stored: StoredGame = serde_json::from_str(&record).map_err(storage_error)?;
        Ok(OpenGame::from_saved(id.to_owned(), revision, stored.into_record(nodes)?, alfil_engine::now())?)
    }

    fn delete(&self, id: &str) -> Result<(), SessionError> {
        let text = "UPDATE games SET deleted = ?2 WHERE id = ?1 AND deleted IS NULL";
        let now = seconds_since_epoch();
        self.lock_connection().execute(text, params![id, now]).map_err(storage_error)?;
        Ok(())
    }

    fn restore(&self, id: &str) -> Result<(), RequestError> {
        let text = "UPDATE games SET deleted = NULL WHERE id = ?1";
        match self.lock_connection().execute(text, [id]).map_err(storage_error)? {
            0 => Err(RequestError::new(ErrorCode::Gone, format!("there is no deleted game {id:?}"))),
            _ => Ok(()),
        }
    }

    fn list(&self, skip: u32) -> Result<(Vec<SavedGame>, bool), SessionError> {
        let file = self.lock_connection();
        let mut rows = file
            .prepare(
                "SELECT id, game, plies, changed FROM games WHERE deleted IS NULL
                ORDER BY changed DESC, rowid DESC LIMIT ?1 OFFSET ?2",
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
mod tests;
