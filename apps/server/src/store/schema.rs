//! The tables of the store, and how those of older versions become today's.

use alfil_session::SessionError;
use rusqlite::{Connection, Transaction, TransactionBehavior, params};
use serde_json::Value;

use super::storage_error;

/// The version of the tables and of the JSON in them (SQLite `user_version`). Databases of version 0.1.0 have 0; their
/// tables are those of version 1. Version 2 has a row for each move, and keeps deleted games for some time.
pub(super) const SCHEMA_VERSION: u32 = 2;
/// The time for which a deleted game is kept, in seconds.
const KEPT_SECONDS: i64 = 30 * 24 * 60 * 60;

/// Creates the tables, or brings those of an older version to today's form: as a whole, or not at all.
///
/// # Errors
/// If the file is of a newer version, or cannot be read or written.
pub(super) fn migrate(file: &mut Connection) -> Result<(), SessionError> {
    // Another process may migrate the same file at the same time.
    let transaction =
        file.transaction_with_behavior(TransactionBehavior::Immediate).map_err(storage_error)?;
    let version = transaction.pragma_query_value(None, "user_version", |row| row.get::<_, u32>(0));
    let version = version.map_err(storage_error)?;
    if version > SCHEMA_VERSION {
        return Err(storage_error("they were saved by a newer version of Alfil"));
    }
    if version < 1 {
        create_games(&transaction).map_err(storage_error)?;
    }
    if version < 2 {
        split_trees(&transaction).map_err(storage_error)?;
    }
    transaction.pragma_update(None, "user_version", SCHEMA_VERSION).map_err(storage_error)?;
    transaction.commit().map_err(storage_error)
}

/// Creates the table of games of version 1. A database of version 0.1.0 has it.
fn create_games(file: &Transaction<'_>) -> rusqlite::Result<()> {
    file.execute_batch(
        "CREATE TABLE IF NOT EXISTS games (
            id TEXT PRIMARY KEY, game TEXT NOT NULL, plies INTEGER NOT NULL, revision INTEGER NOT NULL,
            changed INTEGER NOT NULL, record TEXT NOT NULL) STRICT;
        CREATE INDEX IF NOT EXISTS games_changed ON games (changed);",
    )
}

/// Moves the nodes of all games from their records to rows of their own.
fn split_trees(file: &Transaction<'_>) -> rusqlite::Result<()> {
    file.execute_batch(
        "ALTER TABLE games ADD COLUMN deleted INTEGER;
        CREATE TABLE nodes (
            game TEXT NOT NULL, node INTEGER NOT NULL, record TEXT NOT NULL, PRIMARY KEY (game, node))
            STRICT, WITHOUT ROWID;",
    )?;
    let mut insert = file.prepare("INSERT INTO nodes (game, node, record) VALUES (?1, ?2, ?3)")?;
    let mut update = file.prepare("UPDATE games SET record = ?2 WHERE id = ?1")?;
    let ids: Vec<String> =
        file.prepare("SELECT id FROM games")?.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    for id in ids {
        let record: String =
            file.query_row("SELECT record FROM games WHERE id = ?1", [&id], |row| row.get(0))?;
        // A damaged record stays as it is: only its own game cannot be opened.
        let Ok(mut record) = serde_json::from_str::<Value>(&record) else { continue };
        let tree = record.as_object_mut().and_then(|record| record.remove("tree"));
        let Some(Value::Array(nodes)) = tree.and_then(|mut tree| Some(tree.get_mut("nodes")?.take())) else {
            continue;
        };
        for (number, node) in nodes.iter().enumerate().filter(|(_, node)| !node.is_null()) {
            insert.execute(params![id, number, node.to_string()])?;
        }
        update.execute(params![id, record.to_string()])?;
    }
    Ok(())
}

/// Removes the games that were deleted long ago; `now` is in seconds since 1970.
pub(super) fn purge_deleted(file: &Connection, now: i64) -> rusqlite::Result<()> {
    let limit = now - KEPT_SECONDS;
    file.execute("DELETE FROM nodes WHERE game IN (SELECT id FROM games WHERE deleted < ?1)", [limit])?;
    file.execute("DELETE FROM games WHERE deleted < ?1", [limit])?;
    Ok(())
}
