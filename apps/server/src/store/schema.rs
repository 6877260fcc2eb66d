//! The tables of the store, and how those of older versions become today's.

use std::path::Path;

use alfil_page::TagSummary;
use alfil_session::SessionError;
use rusqlite::{Connection, Transaction, TransactionBehavior, params};
use serde_json::Value;

use super::backups::back_up_version;
use super::checksums::add_checksums;
use super::storage_error;

/// The version of the tables and of the JSON in them (SQLite `user_version`). Databases of version 0.1.0 have 0; their
/// tables are those of version 1. Version 2 has a row for each move, and keeps deleted games for some time. Version 3
/// has collections, summaries and the tables of searches, and version 4 checksums.
pub(super) const SCHEMA_VERSION: u32 = 4;

/// The tables of version 3 beside `nodes`. `games` has what is needed to open a game: `moves` are those of an imported
/// game that was not edited, which has no nodes. `summaries` has what lists show; `is_stale` says that the moves have
/// changed since opening, last position and position keys were found. `game_texts` are the searched words, and
/// `positions` the keys of all positions in segments, each of games with neighbouring numbers: so a new game is written
/// at the end of the table, and not at as many places as it has positions.
const TABLES: &str = "
    CREATE TABLE collections (
        number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, created INTEGER NOT NULL,
        deleted INTEGER, is_complete INTEGER NOT NULL) STRICT;
    CREATE TABLE games (
        number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, game TEXT NOT NULL, revision INTEGER NOT NULL,
        record TEXT NOT NULL, moves TEXT) STRICT;
    CREATE TABLE summaries (
        number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, collection INTEGER, game TEXT NOT NULL,
        plies INTEGER NOT NULL, changed INTEGER NOT NULL, deleted INTEGER, is_stale INTEGER NOT NULL,
        person INTEGER, level INTEGER NOT NULL DEFAULT 0, first TEXT NOT NULL DEFAULT '',
        second TEXT NOT NULL DEFAULT '', result TEXT NOT NULL DEFAULT '', date TEXT NOT NULL DEFAULT '',
        event TEXT NOT NULL DEFAULT '', eco TEXT NOT NULL DEFAULT '', opening TEXT NOT NULL DEFAULT '',
        opening_zh TEXT NOT NULL DEFAULT '', placement TEXT NOT NULL DEFAULT '') STRICT;
    CREATE INDEX summaries_collection ON summaries (collection) WHERE deleted IS NULL;
    CREATE INDEX summaries_deleted ON summaries (deleted) WHERE deleted IS NOT NULL;
    CREATE INDEX summaries_stale ON summaries (number) WHERE is_stale <> 0;
    CREATE INDEX summaries_changed ON summaries (changed) WHERE collection IS NULL;
    CREATE VIRTUAL TABLE game_texts USING fts5 (
        players, event, opening, content = '', contentless_delete = 1,
        tokenize = 'unicode61 remove_diacritics 2');
    CREATE TABLE positions (
        segment INTEGER NOT NULL, key INTEGER NOT NULL, game INTEGER NOT NULL,
        PRIMARY KEY (segment, key, game)) STRICT, WITHOUT ROWID;
    CREATE TABLE index_state (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;";

/// Returns an error if the tables are of a newer version: another process may bring them to that version at any time.
///
/// # Errors
/// If they are, or the file cannot be read.
pub(super) fn check_version(file: &Connection) -> Result<(), SessionError> {
    if read_version(file)? > SCHEMA_VERSION {
        return Err(SessionError::new(
            "the saved games were changed by a newer version of Alfil: end this program and start the newer one",
        )
        .with_chinese("磁盘上的对局已由较新版本的 Alfil 改写：请退出本程序，启动新版本"));
    }
    Ok(())
}

fn read_version(file: &Connection) -> Result<u32, SessionError> {
    file.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(storage_error)
}

/// Creates the tables, or brings those of an older version to today's form: as a whole, or not at all.
///
/// # Errors
/// If the file is of a newer version, or cannot be read or written.
pub(super) fn migrate(file: &mut Connection, path: Option<&Path>) -> Result<(), SessionError> {
    let version = read_version(file)?;
    let has_games = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'games')";
    if version < SCHEMA_VERSION
        && let Some(path) = path
        && file.query_row(has_games, [], |row| row.get(0)).map_err(storage_error)?
    {
        // Without space for it there is none: the change below is made as a whole or not at all.
        let _ = back_up_version(file, path, version);
    }
    // Another process may migrate the same file at the same time.
    let transaction =
        file.transaction_with_behavior(TransactionBehavior::Immediate).map_err(storage_error)?;
    check_version(&transaction)?;
    let version = read_version(&transaction)?;
    if version < 1 {
        create_games(&transaction).map_err(storage_error)?;
    }
    if version < 2 {
        split_trees(&transaction).map_err(storage_error)?;
    }
    if version < 3 {
        add_library(&transaction).map_err(storage_error)?;
    }
    if version < 4 {
        add_checksums(&transaction).map_err(storage_error)?;
        // The number in the head of the file has no checksum: it is compared with this one.
        let text = "INSERT OR REPLACE INTO index_state (name, value) VALUES ('schema', ?1)";
        transaction.execute(text, [SCHEMA_VERSION.to_string()]).map_err(storage_error)?;
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

/// Creates the tables of the library. All games are stale: openings and positions are found when they are first listed.
fn add_library(file: &Transaction<'_>) -> rusqlite::Result<()> {
    file.execute_batch("ALTER TABLE games RENAME TO old_games; DROP INDEX games_changed;")?;
    file.execute_batch(TABLES)?;
    file.execute_batch(
        "INSERT INTO games (number, id, game, revision, record)
            SELECT rowid, id, game, revision, record FROM old_games;
        INSERT INTO summaries (number, id, game, plies, changed, deleted, is_stale)
            SELECT rowid, id, game, plies, changed, deleted, 1 FROM old_games;
        DROP TABLE old_games;",
    )?;
    let mut update = file.prepare(
        "UPDATE summaries SET person = ?2, level = ?3, first = ?4, second = ?5, result = ?6, date = ?7, event = ?8
        WHERE number = ?1",
    )?;
    let mut rows = file.prepare("SELECT number, game, record FROM games")?;
    let mut rows = rows.query([])?;
    while let Some(row) = rows.next()? {
        let (number, game, record): (i64, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let record: Value = serde_json::from_str(&record).unwrap_or_default();
        let tags: Vec<(String, String)> = serde_json::from_value(record["tags"].clone()).unwrap_or_default();
        let TagSummary { players: [first, second], result, date, event, .. } = TagSummary::new(&game, &tags);
        let (person, level) = (record["person"].as_i64(), record["level"].as_i64().unwrap_or_default());
        update.execute(params![number, person, level, first, second, result, date, event])?;
    }
    Ok(())
}
