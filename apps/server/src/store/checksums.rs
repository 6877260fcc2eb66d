//! The checksums of the store: of each game with its moves, of each row of a list and of each collection. Triggers keep
//! them up to date, so that no change can forget them; a change keeps what is wrong in a sum wrong.

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, params};
use sha2::{Digest as _, Sha256};

/// The columns of a row of a list that its checksum covers.
pub(super) const SUMMARY_COLUMNS: &str = "number, id, collection, game, plies, changed, deleted, is_stale, person, level, first, \
    second, result, date, event, eco, opening, opening_zh, placement, two_people";
/// The columns of a collection that its checksum covers.
pub(super) const COLLECTION_COLUMNS: &str = "number, id, name, created, deleted, is_complete";

/// The number of triggers that keep the checksums up to date.
pub(super) const TRIGGERS: u32 = 9;

/// The SQL condition that a row of `summaries`, which is called `s`, is whole.
pub(super) const SUMMARY_IS_WHOLE: &str =
    "s.checksum IS checksum(s.number, s.id, s.collection, s.game, s.plies,
    s.changed, s.deleted, s.is_stale, s.person, s.level, s.first, s.second, s.result, s.date, s.event, s.eco,
    s.opening, s.opening_zh, s.placement, s.two_people)";
/// The SQL condition that a row of `collections`, which is called `c`, is whole.
pub(super) const COLLECTION_IS_WHOLE: &str =
    "c.checksum IS checksum(c.number, c.id, c.name, c.created, c.deleted, c.is_complete)";

/// The sum of values in their order: eight bytes of their SHA-256.
struct Sum(Sha256);

impl Sum {
    fn new() -> Sum {
        Sum(Sha256::new())
    }

    fn add(&mut self, value: ValueRef<'_>) {
        let mut part = |kind: u8, bytes: &[u8]| {
            self.0.update([kind]);
            self.0.update((bytes.len() as u64).to_le_bytes());
            self.0.update(bytes);
        };
        match value {
            ValueRef::Null => part(0, &[]),
            ValueRef::Integer(number) => part(1, &number.to_le_bytes()),
            ValueRef::Real(number) => part(2, &number.to_le_bytes()),
            ValueRef::Text(text) => part(3, text),
            ValueRef::Blob(bytes) => part(4, bytes),
        }
    }

    fn finish(self) -> i64 {
        let digest = self.0.finalize();
        digest.iter().take(8).fold(0, |sum, byte| sum << 8 | i64::from(*byte))
    }
}

/// Returns the sum of the values of a row.
pub(super) fn row_sum<'v>(values: impl Iterator<Item = ValueRef<'v>>) -> i64 {
    let mut sum = Sum::new();
    values.for_each(|value| sum.add(value));
    sum.finish()
}

/// Returns the sum of the row of a game.
pub(super) fn game_sum(id: &str, game: &str, record: &str, moves: Option<&str>) -> i64 {
    let text = |text: &'static str| ValueRef::Text(text.as_bytes());
    let mut sum = Sum::new();
    let moves = moves.map_or(ValueRef::Null, |moves| ValueRef::Text(moves.as_bytes()));
    let texts = [id, game, record].map(|text| ValueRef::Text(text.as_bytes()));
    [text("game")].into_iter().chain(texts).chain([moves]).for_each(|value| sum.add(value));
    sum.finish()
}

/// Returns the sum of a node, which is added to that of its game.
pub(super) fn node_sum(game: &str, node: i64, record: &str) -> i64 {
    let mut sum = Sum::new();
    let texts = ["node", game].map(|text| ValueRef::Text(text.as_bytes()));
    texts.into_iter().for_each(|value| sum.add(value));
    sum.add(ValueRef::Integer(node));
    sum.add(ValueRef::Text(record.as_bytes()));
    sum.finish()
}

/// Returns the sum of a game with its moves, as they are in the tables; `None` if there is no such game.
pub(super) fn read_sum(file: &Connection, id: &str) -> rusqlite::Result<Option<i64>> {
    let mut find = file.prepare_cached("SELECT game, record, moves FROM games WHERE id = ?1")?;
    let row = find.query_row([id], |row| {
        let (game, record, moves): (String, String, Option<String>) = (row.get(0)?, row.get(1)?, row.get(2)?);
        Ok(game_sum(id, &game, &record, moves.as_deref()))
    });
    let Some(sum) = row.optional()? else { return Ok(None) };
    let mut nodes = file.prepare_cached("SELECT node, record FROM nodes WHERE game = ?1")?;
    let nodes = nodes.query_map([id], |row| Ok(node_sum(id, row.get(0)?, &row.get::<_, String>(1)?)))?;
    nodes.into_iter().try_fold(sum, |sum, node| Ok(sum.wrapping_add(node?))).map(Some)
}

/// Gives SQL the functions `checksum` of values, and `changed_checksum` of a sum, a part of it and its new value.
pub(super) fn add_functions(file: &Connection) -> rusqlite::Result<()> {
    let flags =
        FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    file.create_scalar_function("checksum", -1, flags, |context: &Context<'_>| {
        let mut sum = Sum::new();
        (0..context.len()).for_each(|index| sum.add(context.get_raw(index)));
        Ok(sum.finish())
    })?;
    file.create_scalar_function("changed_checksum", 3, flags, |context: &Context<'_>| {
        let [sum, old, new] = [0, 1, 2].map(|index| context.get::<Option<i64>>(index));
        Ok(sum?
            .unwrap_or_default()
            .wrapping_sub(old?.unwrap_or_default())
            .wrapping_add(new?.unwrap_or_default()))
    })
}

/// Returns the columns with a prefix.
fn prefixed(columns: &str, prefix: &str) -> String {
    columns.split(", ").map(|column| format!("{prefix}.{column}")).collect::<Vec<_>>().join(", ")
}

/// Returns the triggers of a table whose rows have a checksum of their own.
fn row_triggers(table: &str, columns: &str) -> String {
    let [old, new] = ["OLD", "NEW"].map(|row| prefixed(columns, row));
    format!(
        "CREATE TRIGGER {table}_inserted AFTER INSERT ON {table} WHEN NEW.checksum IS NULL BEGIN
            UPDATE {table} SET checksum = checksum({new}) WHERE number = NEW.number;
        END;
        CREATE TRIGGER {table}_updated AFTER UPDATE OF {columns} ON {table} BEGIN
            UPDATE {table} SET checksum = changed_checksum(checksum, checksum({old}), checksum({new}))
                WHERE number = NEW.number;
        END;"
    )
}

/// Adds the checksums to the tables of version 3.
pub(super) fn add_checksums(file: &Connection) -> rusqlite::Result<()> {
    let (summaries, collections) =
        (row_triggers("summaries", SUMMARY_COLUMNS), row_triggers("collections", COLLECTION_COLUMNS));
    file.execute_batch(&format!(
        "ALTER TABLE games ADD COLUMN checksum INTEGER;
        ALTER TABLE summaries ADD COLUMN two_people INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE summaries ADD COLUMN checksum INTEGER;
        ALTER TABLE collections ADD COLUMN checksum INTEGER;
        UPDATE summaries SET two_people = 1 WHERE number IN (
            SELECT number FROM games WHERE json_valid(record) AND json_extract(record, '$.two_people'));
        UPDATE games SET checksum = checksum('game', id, game, record, moves);
        UPDATE summaries SET checksum = checksum({SUMMARY_COLUMNS});
        UPDATE collections SET checksum = checksum({COLLECTION_COLUMNS});
        {summaries}
        {collections}
        CREATE TRIGGER games_inserted AFTER INSERT ON games WHEN NEW.checksum IS NULL BEGIN
            UPDATE games SET checksum = checksum('game', NEW.id, NEW.game, NEW.record, NEW.moves)
                WHERE number = NEW.number;
        END;
        CREATE TRIGGER games_updated AFTER UPDATE OF id, game, record, moves ON games BEGIN
            UPDATE games SET checksum = changed_checksum(checksum,
                checksum('game', OLD.id, OLD.game, OLD.record, OLD.moves),
                checksum('game', NEW.id, NEW.game, NEW.record, NEW.moves)) WHERE number = NEW.number;
        END;
        CREATE TRIGGER nodes_inserted AFTER INSERT ON nodes BEGIN
            UPDATE games SET checksum = changed_checksum(checksum, 0,
                checksum('node', NEW.game, NEW.node, NEW.record)) WHERE id = NEW.game;
        END;
        CREATE TRIGGER nodes_updated AFTER UPDATE ON nodes BEGIN
            UPDATE games SET checksum = changed_checksum(checksum,
                checksum('node', OLD.game, OLD.node, OLD.record),
                checksum('node', NEW.game, NEW.node, NEW.record)) WHERE id = NEW.game;
        END;
        CREATE TRIGGER nodes_deleted AFTER DELETE ON nodes BEGIN
            UPDATE games SET checksum = changed_checksum(checksum,
                checksum('node', OLD.game, OLD.node, OLD.record), 0) WHERE id = OLD.game;
        END;"
    ))?;
    // The moves of a game of version 3 are added to its sum, in the order of the table.
    let mut add =
        file.prepare("UPDATE games SET checksum = changed_checksum(checksum, 0, ?2) WHERE id = ?1")?;
    let mut rows = file.prepare("SELECT game, node, record FROM nodes ORDER BY game")?;
    let mut rows = rows.query([])?;
    let mut last: Option<(String, i64)> = None;
    while let Some(row) = rows.next()? {
        let game: String = row.get(0)?;
        let sum = node_sum(&game, row.get(1)?, &row.get::<_, String>(2)?);
        match &mut last {
            Some((id, total)) if *id == game => *total = total.wrapping_add(sum),
            _ => {
                if let Some((id, total)) = last.replace((game, sum)) {
                    add.execute(params![id, total])?;
                }
            }
        }
    }
    if let Some((id, total)) = last {
        add.execute(params![id, total])?;
    }
    Ok(())
}
