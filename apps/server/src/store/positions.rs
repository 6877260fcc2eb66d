//! The index of positions: which games have a position.

use rusqlite::{Connection, params};

/// The number of bits of a game's number that distinguish the games of a segment.
pub(super) const SEGMENT_BITS: u32 = 9;

/// Returns a hash key as it is stored: 48 of its bits, which take less space. Among ten million positions, a wrong one
/// is found with a probability of 1 to 28 million.
pub(super) fn stored_key(key: u64) -> i64 {
    (key >> 16) as i64
}

/// Writes the position keys of new games, given by their numbers.
pub(super) fn insert_positions<'k>(
    file: &Connection,
    games: impl Iterator<Item = (i64, &'k [u64])>,
) -> rusqlite::Result<()> {
    let rows = games.flat_map(|(number, keys)| keys.iter().map(move |&key| row(number, key)));
    let mut rows: Vec<_> = rows.collect();
    // In the order of the table, so that each page is written once.
    rows.sort_unstable();
    let mut insert =
        file.prepare_cached("INSERT OR IGNORE INTO positions (segment, key, game) VALUES (?1, ?2, ?3)")?;
    for (segment, key, game) in rows {
        insert.execute(params![segment, key, game])?;
    }
    Ok(())
}

fn row(number: i64, key: u64) -> (i64, i64, i64) {
    let segment = number >> SEGMENT_BITS;
    (segment, stored_key(key), number - (segment << SEGMENT_BITS))
}

/// Removes the positions of a game.
pub(super) fn delete_positions(file: &Connection, number: i64) -> rusqlite::Result<()> {
    let (segment, _, game) = row(number, 0);
    file.prepare_cached("DELETE FROM positions WHERE segment = ?1 AND game = ?2")?
        .execute(params![segment, game])?;
    Ok(())
}

/// Returns an SQL query for the numbers of the games with the position whose stored key is the parameter `parameter`.
pub(super) fn games_with_position(parameter: usize) -> String {
    // The segments are counted, because SQLite does not skip from one to the next by itself.
    format!(
        "WITH RECURSIVE segments (n) AS (
            SELECT 0 UNION ALL
            SELECT n + 1 FROM segments WHERE n < (SELECT MAX(number) >> {SEGMENT_BITS} FROM summaries))
        SELECT (p.segment << {SEGMENT_BITS}) + p.game FROM segments CROSS JOIN positions p
            ON p.segment = segments.n AND p.key = ?{parameter}"
    )
}
