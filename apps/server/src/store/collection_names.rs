//! The name of an imported collection: that of its file, with a number if another collection has it.

use alfil_page::free_name;
use alfil_page::wire::CollectionName;
use rusqlite::{Connection, OptionalExtension, params};

/// What is compared of the games of two files.
const FACTS: &str = "game, first, second, date, event, plies, placement";

/// Gives a collection a name that no other one has, and finds one with the same games.
pub(super) fn name_collection(file: &Connection, number: i64) -> rusqlite::Result<CollectionName> {
    let wanted: String =
        file.query_row("SELECT name FROM collections WHERE number = ?1", [number], |row| row.get(0))?;
    let mut statement = file.prepare_cached(
        "SELECT name FROM collections WHERE number <> ?1 AND deleted IS NULL AND is_complete <> 0",
    )?;
    let taken: Vec<String> =
        statement.query_map([number], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    let name = free_name(&wanted, &taken);
    let is_renamed = name != wanted;
    if is_renamed {
        file.execute("UPDATE collections SET name = ?2 WHERE number = ?1", params![number, name])?;
    }
    let same_games = find_same_games(file, number)?;
    Ok(CollectionName { name, is_renamed, same_games })
}

/// Returns the name of the newest other collection with the same games.
fn find_same_games(file: &Connection, number: i64) -> rusqlite::Result<Option<String>> {
    // How often each occurs counts, too.
    let games = |collection: &str| {
        format!(
            "SELECT {FACTS}, COUNT(*) FROM summaries WHERE collection = {collection} AND deleted IS NULL
            GROUP BY {FACTS}"
        )
    };
    let (these, those) = (games("?1"), games("c.number"));
    let text = format!(
        "SELECT c.name FROM collections c
        WHERE c.number <> ?1 AND c.deleted IS NULL AND c.is_complete <> 0
            AND (SELECT COUNT(*) FROM ({these})) = (SELECT COUNT(*) FROM ({those}))
            AND NOT EXISTS ({these} EXCEPT {those})
        ORDER BY c.created DESC, c.number DESC LIMIT 1"
    );
    file.prepare_cached(&text)?.query_row([number], |row| row.get(0)).optional()
}
