//! Checksums of the rows of a manifest. Triggers write them, so that no statement can forget one.
//!
//! SQLite notices a damaged page only where its structure is wrong. A changed digit in a row is noticed here.

use std::borrow::Cow;

use rusqlite::functions::FunctionFlags;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension};

/// The tables, each with its key and the columns that its checksum covers.
const TABLES: [(&str, &str, &str); 4] = [
    ("meta", "key", "key value"),
    ("games", "number", "number file file_number game start moves record error"),
    (
        "chunks",
        "number",
        "number id games positions state attempts interruptions worker lease_until reason nodes leased_at finished_at \
         checked_by",
    ),
    ("workers", "name", "name last_seen set_aside"),
];

/// Gives a connection the function `row_checksum`, the CRC-32 (IEEE 802.3) of the types, lengths and values of its
/// arguments. Without it no row can be written.
pub(super) fn register(connection: &Connection) -> rusqlite::Result<()> {
    let flags =
        FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function("row_checksum", -1, flags, |values| {
        let mut hasher = crc32fast::Hasher::new();
        for index in 0..values.len() {
            let (kind, bytes) = match values.get_raw(index) {
                ValueRef::Null => (b'n', Cow::default()),
                ValueRef::Integer(value) => (b'i', value.to_le_bytes().to_vec().into()),
                ValueRef::Real(value) => (b'r', value.to_le_bytes().to_vec().into()),
                ValueRef::Text(value) => (b't', Cow::Borrowed(value)),
                ValueRef::Blob(value) => (b'b', Cow::Borrowed(value)),
            };
            hasher.update(&[kind]);
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(&bytes);
        }
        Ok(hasher.finalize())
    })
}

/// Creates the triggers that write the checksums.
pub(super) fn create_triggers(connection: &Connection) -> rusqlite::Result<()> {
    TABLES.iter().try_for_each(|&(table, key, columns)| {
        let names: Vec<_> = columns.split_whitespace().collect();
        let changes = format!("UPDATE OF {}", names.join(", "));
        ["INSERT", &changes].into_iter().zip(["inserted", "changed"]).try_for_each(|(event, name)| {
            connection.execute_batch(&format!(
                "CREATE TRIGGER {table}_{name} AFTER {event} ON {table} BEGIN
                     UPDATE {table} SET crc32 = {} WHERE {key} = NEW.{key};
                 END",
                row_checksum("NEW.", columns)
            ))
        })
    })
}

/// Returns what is wrong in the database: in its structure, or in a row; `None` if nothing is.
pub(super) fn find_damage(connection: &Connection) -> rusqlite::Result<Option<String>> {
    let structure: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if structure != "ok" {
        return Ok(Some(structure));
    }
    for (table, key, columns) in TABLES {
        let checksum = row_checksum("", columns);
        let query = format!("SELECT CAST({key} AS TEXT) FROM {table} WHERE crc32 IS NOT {checksum} LIMIT 1");
        if let Some(row) = connection.query_row(&query, [], |row| row.get::<_, String>(0)).optional()? {
            return Ok(Some(format!("the checksum of the row {row} of {table} is wrong")));
        }
    }
    Ok(None)
}

/// Returns the call of `row_checksum` for columns, each with a prefix.
fn row_checksum(prefix: &str, columns: &str) -> String {
    let arguments: Vec<_> = columns.split_whitespace().map(|column| format!("{prefix}{column}")).collect();
    format!("row_checksum({})", arguments.join(", "))
}
