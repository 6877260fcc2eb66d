//! The library: collections, and lists of games that are searched and sorted.

use alfil_page::wire::{
    CollectionList, CollectionRow, ErrorCode, LibraryList, LibraryQuery, LibraryRow, LibrarySort, SearchField,
};
use alfil_page::{GameImport, GameLibrary, ImportOptions, RequestError, SearchWords, TagSummary};
use alfil_session::SessionError;
use alfil_session::game_length::final_score;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row, params, params_from_iter};

use super::checksums::{COLLECTION_IS_WHOLE, SUMMARY_IS_WHOLE};
use super::positions::{games_with_position, stored_key};
use super::{DELETED, Store, VISIBLE, import, purge, storage_error, text_of};

/// The games of the last query, so that its other parts need no search.
#[derive(Clone, Debug, Default)]
pub(super) struct LastList {
    query: LibraryQuery,
    key: Option<u64>,
    version: String,
    numbers: Vec<i64>,
}

impl GameLibrary for Store {
    fn list_games(
        &self,
        query: &LibraryQuery,
        key: Option<u64>,
        offset: usize,
        limit: usize,
    ) -> Result<LibraryList, RequestError> {
        self.refresh_stale(query.deleted)?;
        let file = self.lock_connection()?;
        let list = self.find_games(&file, query, key)?;
        let part = list.numbers.iter().skip(offset).take(limit);
        let mut statement =
            file.prepare_cached(&SELECT_ROW.replace("{whole}", SUMMARY_IS_WHOLE)).map_err(storage_error)?;
        let rows = part.map(|number| statement.query_row([number], read_row));
        let rows = rows.collect::<Result<_, _>>().map_err(storage_error)?;
        Ok(LibraryList { total: list.numbers.len(), version: list.version.clone(), rows })
    }

    fn ids(&self, query: &LibraryQuery, key: Option<u64>) -> Result<Vec<String>, RequestError> {
        self.refresh_stale(query.deleted)?;
        let file = self.lock_connection()?;
        let list = self.find_games(&file, query, key)?;
        let mut statement =
            file.prepare_cached("SELECT id FROM summaries WHERE number = ?1").map_err(storage_error)?;
        let ids = list.numbers.iter().map(|number| statement.query_row([number], |row| row.get(0)));
        Ok(ids.collect::<Result<_, _>>().map_err(storage_error)?)
    }

    fn collections(&self) -> Result<CollectionList, SessionError> {
        let file = self.lock_connection()?;
        let read = || -> rusqlite::Result<CollectionList> {
            let mut statement = file.prepare_cached(
                &format!("SELECT id, name,
                    (SELECT COUNT(*) FROM summaries s WHERE s.collection = c.number AND s.deleted IS NULL),
                    {COLLECTION_IS_WHOLE}
                FROM collections c WHERE deleted IS NULL AND is_complete <> 0 ORDER BY created DESC, number DESC"),
            )?;
            let rows = statement.query_map([], |row| {
                let (name, games) = (text_of(row, 1)?, row.get(2)?);
                let name = if row.get(3)? { name } else { format!("{name} (damaged / 已损坏)") };
                Ok(CollectionRow { id: text_of(row, 0)?, name, games })
            })?;
            let rows = rows.collect::<Result<Vec<_>, _>>()?;
            let single: usize = file
                .prepare_cached(
                    "SELECT COUNT(*) FROM summaries WHERE collection IS NULL AND deleted IS NULL",
                )?
                .query_row([], |row| row.get(0))?;
            let all = single + rows.iter().map(|row| row.games).sum::<usize>();
            let deleted = file
                .prepare_cached(&format!("SELECT COUNT(*) FROM summaries WHERE {DELETED}"))?
                .query_row([], |row| row.get(0))?;
            Ok(CollectionList { all, single, deleted, rows })
        };
        read().map_err(storage_error)
    }

    fn rename_collection(&self, id: &str, name: &str) -> Result<(), RequestError> {
        let change = self.begin()?;
        let renamed = change
            .execute(
                "UPDATE collections SET name = ?2 WHERE id = ?1 AND deleted IS NULL AND is_complete <> 0",
                params![id, name],
            )
            .map_err(storage_error)?;
        change.commit().map_err(SessionError::from)?;
        self.count_change();
        if renamed == 0 { Err(RequestError::no_collection(id)) } else { Ok(()) }
    }

    fn set_collection_deleted(&self, id: &str, is_deleted: bool) -> Result<(), RequestError> {
        let deleted = is_deleted.then(self.host.unix_seconds);
        let change = self.begin()?;
        let changed = change
            .execute(
                "UPDATE collections SET deleted = ?2
                WHERE id = ?1 AND is_complete <> 0 AND (deleted IS NULL) = (?2 IS NOT NULL)",
                params![id, deleted],
            )
            .map_err(storage_error)?;
        change.commit().map_err(SessionError::from)?;
        self.count_change();
        if is_deleted {
            self.purge()?;
        }
        if changed == 0 { Err(RequestError::no_collection(id)) } else { Ok(()) }
    }

    fn delete_games(&self, ids: &[String]) -> Result<(), SessionError> {
        let text = "UPDATE summaries SET deleted = ?2 WHERE id = ?1 AND deleted IS NULL";
        let transaction = self.begin()?;
        let now = (self.host.unix_seconds)();
        let delete = || -> rusqlite::Result<()> {
            let mut update = transaction.prepare_cached(text)?;
            ids.iter().try_for_each(|id| update.execute(params![id, now]).map(drop))
        };
        delete().map_err(storage_error)?;
        transaction.commit().map_err(SessionError::from)?;
        self.count_change();
        self.purge()
    }

    fn restore_games(&self, ids: &[String]) -> Result<Vec<String>, RequestError> {
        let text = "UPDATE summaries SET deleted = NULL WHERE id = ?1";
        let transaction = self.begin()?;
        let collections = restore_collections_of(&transaction, ids).map_err(storage_error)?;
        for id in ids {
            let mut update = transaction.prepare_cached(text).map_err(storage_error)?;
            if update.execute([id]).map_err(storage_error)? == 0 {
                return Err(RequestError::new(
                    ErrorCode::NotFound,
                    format!("there is no deleted game {id:?}"),
                ));
            }
        }
        transaction.commit().map_err(SessionError::from)?;
        self.count_change();
        Ok(collections)
    }

    fn remove_games(&self, ids: &[String]) -> Result<(), SessionError> {
        for part in ids.chunks(purge::MAX_PURGED as usize) {
            let change = self.begin()?;
            purge::remove_deleted(&change, part).map_err(storage_error)?;
            change.commit().map_err(SessionError::from)?;
            self.count_change();
        }
        Ok(())
    }

    fn begin_import(&self, options: ImportOptions) -> Result<Box<dyn GameImport>, SessionError> {
        Ok(Box::new(import::RunningImport::begin(self.clone(), options)?))
    }
}

impl Store {
    /// Returns the games of a query: those of the last query again, if nothing has changed.
    fn find_games(
        &self,
        file: &Connection,
        query: &LibraryQuery,
        key: Option<u64>,
    ) -> Result<std::sync::MutexGuard<'_, LastList>, RequestError> {
        let data_version: i64 =
            file.pragma_query_value(None, "data_version", |row| row.get(0)).map_err(storage_error)?;
        let version = format!("{}.{data_version}", self.change_count());
        let mut last = self.last_list.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if (&last.query, last.key, &last.version) != (query, key, &version) {
            let numbers = search(file, query, key)?;
            *last = LastList { query: query.clone(), key, version, numbers };
        }
        Ok(last)
    }
}

/// Restores the deleted collections of some games, and returns their ids. Their other games stay deleted, each by
/// itself.
fn restore_collections_of(file: &Connection, ids: &[String]) -> rusqlite::Result<Vec<String>> {
    let mut restored = Vec::new();
    let mut find = file.prepare_cached(
        "SELECT c.number, c.id FROM summaries s JOIN collections c ON c.number = s.collection
        WHERE s.id = ?1 AND c.deleted IS NOT NULL",
    )?;
    for id in ids {
        let collection = find.query_row([id], |row| Ok((row.get::<_, i64>(0)?, row.get(1)?))).optional()?;
        let Some((number, id)) = collection else { continue };
        restored.push(id);
        let others = "UPDATE summaries SET deleted = (SELECT deleted FROM collections WHERE number = ?1)
            WHERE collection = ?1 AND deleted IS NULL";
        file.execute(others, [number])?;
        file.execute("UPDATE collections SET deleted = NULL WHERE number = ?1", [number])?;
    }
    Ok(restored)
}

/// Returns the numbers of the games of a query, in its order.
fn search(file: &Connection, query: &LibraryQuery, key: Option<u64>) -> Result<Vec<i64>, RequestError> {
    let mut conditions = vec![if query.deleted { DELETED } else { VISIBLE }.to_owned()];
    let mut values: Vec<Value> = Vec::new();
    let mut bind = |value: Value| {
        values.push(value);
        values.len()
    };
    // Deleted games are listed together, those of collections too.
    if let Some(id) = query.collection.as_ref().filter(|_| !query.deleted) {
        let text = "SELECT number FROM collections WHERE id = ?1 AND deleted IS NULL AND is_complete <> 0";
        let number: Option<i64> =
            file.query_row(text, [id], |row| row.get(0)).optional().map_err(storage_error)?;
        let number = number.ok_or_else(|| RequestError::no_collection(id))?;
        conditions.push(format!("collection = ?{}", bind(number.into())));
    } else if query.single && !query.deleted {
        conditions.push("collection IS NULL".into());
    }
    if let Some(game) = &query.game {
        conditions.push(format!("game = ?{}", bind(game.clone().into())));
    }
    if let Some(result) = &query.result {
        conditions.push(format!("result = ?{}", bind(result.clone().into())));
    }
    if let Some(words) = fts_query(&query.search, query.field) {
        let parameter = bind(words.into());
        conditions
            .push(format!("number IN (SELECT rowid FROM game_texts WHERE game_texts MATCH ?{parameter})"));
    }
    if let Some(key) = key {
        let parameter = bind(stored_key(key).into());
        conditions.push(format!("number IN ({})", games_with_position(parameter)));
    }
    let (conditions, order) = (conditions.join(" AND "), order(query));
    let text = format!("SELECT number FROM summaries WHERE {conditions} ORDER BY {order}");
    let mut statement = file.prepare_cached(&text).map_err(storage_error)?;
    let numbers = statement.query_map(params_from_iter(values), |row| row.get(0)).map_err(storage_error)?;
    Ok(numbers.collect::<Result<_, _>>().map_err(storage_error)?)
}

/// Returns the FTS5 query for the words of a search; `None` if there are no words.
fn fts_query(search: &str, field: Option<SearchField>) -> Option<String> {
    // Words consist of letters and digits, so none has a quote.
    let words = SearchWords::new(search);
    let terms = words.phrases().map(|(phrase, is_prefix)| {
        let sign = if is_prefix { " *" } else { "" };
        format!("\"{phrase}\"{sign}")
    });
    let terms = terms.collect::<Vec<_>>().join(" AND ");
    let columns = match field {
        None => "",
        Some(SearchField::Player) => "players : ",
        Some(SearchField::Event) => "event : ",
        Some(SearchField::Opening) => "opening : ",
    };
    (!terms.is_empty()).then(|| format!("{columns}({terms})"))
}

/// Returns the SQL terms of an order. Games of which nothing is known come last; equal ones are in the order of their
/// file, and those that were played here the newest first.
fn order(query: &LibraryQuery) -> String {
    let direction = if query.descending { "DESC" } else { "ASC" };
    let terms = match query.sort {
        LibrarySort::Changed => format!("changed {direction}"),
        LibrarySort::Date => format!("date = '', date {direction}"),
        LibrarySort::Players => {
            format!("first || second = '', sort_key(first) {direction}, sort_key(second) {direction}")
        }
        LibrarySort::Event => format!("event = '', sort_key(event) {direction}"),
        LibrarySort::Opening => format!("opening = '', eco {direction}, opening {direction}"),
        LibrarySort::Length => format!("plies {direction}"),
        LibrarySort::Result => format!("result = '', result {direction}"),
    };
    format!("{terms}, CASE WHEN collection IS NULL THEN -number ELSE number END")
}

const SELECT_ROW: &str =
    "SELECT s.id, s.game, c.id, s.first, s.second, s.person, s.level, s.result, s.date, s.event,
    s.eco, s.opening, s.opening_zh, s.plies, s.changed, s.placement,
    s.two_people, {whole}, CASE WHEN json_valid(g.record) THEN json_extract(g.record, '$.tags') END
    FROM summaries s LEFT JOIN collections c ON c.number = s.collection LEFT JOIN games g ON g.number = s.number
    WHERE s.number = ?1";

fn read_row(row: &Row<'_>) -> rusqlite::Result<LibraryRow> {
    if !row.get::<_, bool>(17)? {
        let (id, game) = (text_of(row, 0)?, text_of(row, 1)?);
        return Ok(LibraryRow { id, game, collection: row.get(2)?, damaged: true, ..LibraryRow::default() });
    }
    let (game, placement): (String, String) = (row.get(1)?, row.get(15)?);
    // Ratings are in the tags alone, which a list of some rows reads from the games.
    let tags: Option<String> = row.get(18)?;
    let tags = tags.and_then(|tags| serde_json::from_str::<Vec<(String, String)>>(&tags).ok());
    let ratings = TagSummary::new(&game, &tags.unwrap_or_default()).ratings;
    Ok(LibraryRow {
        id: row.get(0)?,
        score: final_score(&game, &placement),
        game,
        collection: row.get(2)?,
        players: [row.get(3)?, row.get(4)?],
        ratings,
        person: row.get(5)?,
        level: row.get(6)?,
        result: row.get(7)?,
        date: row.get(8)?,
        event: row.get(9)?,
        eco: row.get(10)?,
        opening: row.get(11)?,
        opening_zh: row.get(12)?,
        plies: row.get(13)?,
        changed: row.get(14)?,
        placement,
        two_people: row.get(16)?,
        damaged: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_fts_query_has_the_words_of_a_search() {
        assert_eq!(fts_query("  ", None), None);
        assert_eq!(fts_query("-", None), None);
        assert_eq!(fts_query("Wijk an-Zee", None).unwrap(), r#"("wijk" * AND "an" * AND "zee" *)"#);
        assert_eq!(fts_query("荣华", Some(SearchField::Player)).unwrap(), r#"players : ("荣 华")"#);
        assert_eq!(fts_query(r#"a" OR b*"#, None).unwrap(), r#"("a" * AND "or" * AND "b" *)"#);
    }
}
