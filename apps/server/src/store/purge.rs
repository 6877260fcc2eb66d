//! The removal of deleted games.

use alfil_page::{KEPT_SECONDS, MAX_IMPORT_SECONDS};
use rusqlite::{Connection, TransactionBehavior, params};

use super::DELETED;
use super::positions::SEGMENT_BITS;

/// The number of games that are removed at once; other requests are answered in between.
pub(super) const MAX_PURGED: i64 = 4096;

/// Makes the table of the numbers of the games to remove, and empties it.
const EMPTY_TABLE: &str =
    "CREATE TEMP TABLE IF NOT EXISTS purged (number INTEGER PRIMARY KEY); DELETE FROM temp.purged;";

/// Removes up to [`MAX_PURGED`] games that were deleted long ago, and those of imports that did not end; `now` is in
/// seconds since 1970. Returns whether there may be more.
pub(super) fn purge_deleted(file: &mut Connection, now: i64) -> rusqlite::Result<bool> {
    // A transaction that reads first would not wait for another process that writes.
    let transaction = file.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute_batch(EMPTY_TABLE)?;
    let limits = params![now - KEPT_SECONDS, now - MAX_IMPORT_SECONDS, MAX_PURGED];
    let count = transaction.execute(
        "INSERT INTO temp.purged SELECT number FROM summaries WHERE deleted < ?1
        UNION SELECT s.number FROM collections c JOIN summaries s ON s.collection = c.number
            WHERE s.deleted IS NULL AND (c.deleted < ?1 OR (c.is_complete = 0 AND c.created < ?2))
        UNION SELECT s.number FROM summaries s JOIN collections c ON s.collection = c.number
            WHERE s.deleted IS NOT NULL AND (c.deleted < ?1 OR (c.is_complete = 0 AND c.created < ?2))
        LIMIT ?3",
        limits,
    )?;
    if count > 0 {
        remove_purged(&transaction)?;
    }
    let is_full = count as i64 == MAX_PURGED;
    if !is_full {
        transaction.execute(
            "DELETE FROM collections WHERE deleted < ?1 OR (is_complete = 0 AND created < ?2)",
            params![now - KEPT_SECONDS, now - MAX_IMPORT_SECONDS],
        )?;
    }
    transaction.commit()?;
    Ok(is_full)
}

/// Removes those of these games that are deleted, even if they were deleted just now.
pub(super) fn remove_deleted(file: &mut Connection, ids: &[String]) -> rusqlite::Result<()> {
    let transaction = file.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute_batch(EMPTY_TABLE)?;
    for id in ids {
        let text = format!(
            "INSERT OR IGNORE INTO temp.purged SELECT number FROM summaries WHERE id = ?1 AND {DELETED}"
        );
        transaction.prepare_cached(&text)?.execute([id])?;
    }
    remove_purged(&transaction)?;
    transaction.commit()
}

/// Removes the games of the table `purged` from all tables.
fn remove_purged(file: &Connection) -> rusqlite::Result<()> {
    let segments = format!("SELECT DISTINCT number >> {SEGMENT_BITS} FROM temp.purged");
    let segments: Vec<i64> =
        file.prepare(&segments)?.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    for segment in segments {
        let text = format!(
            "DELETE FROM positions WHERE segment = ?1 AND game IN (
                SELECT number - (?1 << {SEGMENT_BITS}) FROM temp.purged WHERE number >> {SEGMENT_BITS} = ?1)"
        );
        file.execute(&text, [segment])?;
    }
    file.execute_batch(
        "DELETE FROM nodes WHERE game IN (
            SELECT id FROM games WHERE number IN (SELECT number FROM temp.purged));
        DELETE FROM games WHERE number IN (SELECT number FROM temp.purged);
        DELETE FROM game_texts WHERE rowid IN (SELECT number FROM temp.purged);
        DELETE FROM summaries WHERE number IN (SELECT number FROM temp.purged);",
    )
}
