//! The removal of deleted games.

use alfil_page::{KEPT_SECONDS, MAX_IMPORT_SECONDS};
use rusqlite::{Connection, OptionalExtension, params};

use super::DELETED;
use super::checksums::node_sum;
use super::positions::SEGMENT_BITS;

/// The number of games that are removed at once; other requests are answered in between.
pub(super) const MAX_PURGED: i64 = 4096;

/// The time after which the clock of the system is believed, in seconds.
const SETTLING_SECONDS: i64 = 24 * 60 * 60;

/// Returns the time by which games are removed, in seconds since 1970: one that the program has seen at least a day
/// before, so that a clock that is wrong for less than a day removes nothing. `now` is the time of the system.
pub(super) fn settled_time(file: &Connection, now: i64) -> rusqlite::Result<i64> {
    let find = "SELECT value FROM index_state WHERE name = 'clock'";
    let known: Option<String> = file.query_row(find, [], |row| row.get(0)).optional()?;
    let text = |settled: i64, seen: i64| {
        format!("{settled} {seen} {}", node_sum("clock", settled, &seen.to_string()))
    };
    let times = known.as_ref().and_then(|known| {
        let mut times = known.split(' ').map(str::parse);
        let (settled, seen) = (times.next()?.ok()?, times.next()?.ok()?);
        (text(settled, seen) == *known).then_some((settled, seen))
    });
    let (settled, seen) = match times {
        // In a new store nothing was deleted; in one of an earlier version nothing is settled.
        None if is_empty(file)? => (now, now),
        None => (0, now),
        // The clock was set back: what was seen before was wrong.
        Some((settled, seen)) if now < seen => (now.min(settled), now),
        Some((_, seen)) if now - seen >= SETTLING_SECONDS => (seen, now),
        Some(times) => times,
    };
    let insert = "INSERT OR REPLACE INTO index_state (name, value) VALUES ('clock', ?1)";
    file.execute(insert, [text(settled, seen)])?;
    Ok(settled)
}

/// Returns whether a store has no game, deleted ones included.
pub(super) fn is_empty(file: &Connection) -> rusqlite::Result<bool> {
    file.query_row("SELECT NOT EXISTS (SELECT 1 FROM games)", [], |row| row.get(0))
}

/// Makes the table of the numbers of the games to remove, and empties it.
const EMPTY_TABLE: &str =
    "CREATE TEMP TABLE IF NOT EXISTS purged (number INTEGER PRIMARY KEY); DELETE FROM temp.purged;";

/// Removes up to [`MAX_PURGED`] games that were deleted long ago, and those of imports that did not end; `now` is in
/// seconds since 1970. Returns whether there may be more.
pub(super) fn purge_deleted(file: &Connection, now: i64) -> rusqlite::Result<bool> {
    file.execute_batch(EMPTY_TABLE)?;
    // What belongs to an import that was cancelled was deleted at 0.
    let deleted_before = (now - KEPT_SECONDS).max(1);
    let limits = params![deleted_before, now - MAX_IMPORT_SECONDS, MAX_PURGED];
    let count = file.execute(
        "INSERT INTO temp.purged SELECT number FROM summaries WHERE deleted < ?1
        UNION SELECT s.number FROM collections c JOIN summaries s ON s.collection = c.number
            WHERE s.deleted IS NULL AND (c.deleted < ?1 OR (c.is_complete = 0 AND c.created < ?2))
        UNION SELECT s.number FROM summaries s JOIN collections c ON s.collection = c.number
            WHERE s.deleted IS NOT NULL AND (c.deleted < ?1 OR (c.is_complete = 0 AND c.created < ?2))
        LIMIT ?3",
        limits,
    )?;
    if count > 0 {
        remove_purged(file)?;
    }
    let is_full = count as i64 == MAX_PURGED;
    if !is_full {
        file.execute(
            "DELETE FROM collections WHERE deleted < ?1 OR (is_complete = 0 AND created < ?2)",
            params![deleted_before, now - MAX_IMPORT_SECONDS],
        )?;
    }
    Ok(is_full)
}

/// Removes those of these games that are deleted, even if they were deleted just now.
pub(super) fn remove_deleted(file: &Connection, ids: &[String]) -> rusqlite::Result<()> {
    file.execute_batch(EMPTY_TABLE)?;
    for id in ids {
        let text = format!(
            "INSERT OR IGNORE INTO temp.purged SELECT number FROM summaries WHERE id = ?1 AND {DELETED}"
        );
        file.prepare_cached(&text)?.execute([id])?;
    }
    remove_purged(file)
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
