//! The summaries and the position keys of games, by which lists are made and searched: written with the import of a
//! game, and for played games before the next list.

use alfil_page::wire::CollectionName;
use alfil_page::{
    GameSummary, ImportedGame, Opponents, SEARCHED_TEXTS_VERSION, StoredGame, TagSummary, key_version,
    pack_tree, searched_texts,
};
use alfil_session::SessionError;
use alfil_session::played_game::{EditedTree, GameRecord};
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use super::checksums::game_sum;
use super::collection_names::name_collection;
use super::open_file::CommitError;
use super::positions::{delete_positions, insert_positions};
use super::{DELETED, Store, VISIBLE, find_record, storage_error, write_node};

/// The number of games that are brought up to date in a transaction; other requests are answered in between.
const REFRESHED_AT_ONCE: usize = 64;

/// Replaces the table of searched texts. Its tokenizer takes their words as they are, as a search without it does.
const REPLACE_TEXTS: &str = "
    DROP TABLE game_texts;
    CREATE VIRTUAL TABLE game_texts USING fts5 (
        players, event, opening, content = '', contentless_delete = 1,
        tokenize = \"unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co Cn'\");
    UPDATE summaries SET is_stale = 1;";

/// Marks games as stale if their positions were found with other hash keys, or their searched texts are old.
pub(super) fn check_indexes(file: &mut Connection) -> Result<(), SessionError> {
    let indexes = [
        ("position_keys", key_version(), "DELETE FROM positions; UPDATE summaries SET is_stale = 1;"),
        ("texts", SEARCHED_TEXTS_VERSION, REPLACE_TEXTS),
    ];
    let mut check = || -> rusqlite::Result<()> {
        let transaction = file.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for (name, current, reset) in indexes {
            let text = "SELECT value FROM index_state WHERE name = ?1";
            let known: Option<String> = transaction.query_row(text, [name], |row| row.get(0)).optional()?;
            if known.as_deref() != Some(current) {
                transaction.execute_batch(reset)?;
                let text = "INSERT OR REPLACE INTO index_state (name, value) VALUES (?1, ?2)";
                transaction.execute(text, [name, current])?;
            }
        }
        transaction.commit()
    };
    check().map_err(storage_error)
}

/// Writes the words by which a game is found.
fn write_texts(
    file: &Connection,
    number: i64,
    summary: &GameSummary,
    opponents: Opponents,
) -> rusqlite::Result<()> {
    let [players, event, opening] = searched_texts(&summary.tags, opponents, summary.opening());
    file.prepare_cached("INSERT INTO game_texts (rowid, players, event, opening) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![number, players, event, opening])?;
    Ok(())
}

/// Returns numbers and ids of games that have changed, of those for which the condition holds.
fn read_stale(file: &Connection, condition: &str) -> rusqlite::Result<Vec<(i64, String)>> {
    let text = format!("SELECT number, id FROM summaries WHERE is_stale <> 0 AND {condition} LIMIT ?1");
    let mut statement = file.prepare_cached(&text)?;
    statement.query_map([REFRESHED_AT_ONCE], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

impl Store {
    /// Finds openings, last positions and position keys of the games that have changed, of the deleted ones or of the
    /// others.
    pub(super) fn refresh_stale(&self, deleted: bool) -> Result<(), SessionError> {
        let condition = if deleted { DELETED } else { VISIBLE };
        while !read_stale(&*self.lock_connection()?, condition).map_err(storage_error)?.is_empty() {
            let change = self.begin()?;
            for (number, id) in read_stale(&change, condition).map_err(storage_error)? {
                self.refresh(&change, number, &id, condition).map_err(storage_error)?;
            }
            change.commit()?;
            self.count_change();
        }
        Ok(())
    }

    fn refresh(&self, file: &Connection, number: i64, id: &str, condition: &str) -> rusqlite::Result<()> {
        delete_positions(file, number)?;
        file.prepare_cached("DELETE FROM game_texts WHERE rowid = ?1")?.execute([number])?;
        // A damaged game is listed without names, and a search does not find it.
        let summary = find_record(file, id, condition).ok().flatten().and_then(|(_, record)| {
            let opponents = Opponents::from_record(&record);
            Some((GameSummary::of(record, &self.openings)?, opponents))
        });
        let Some((summary, opponents)) = summary else {
            file.prepare_cached("UPDATE summaries SET is_stale = 0 WHERE number = ?1")?.execute([number])?;
            return Ok(());
        };
        let [eco, opening, opening_zh] = summary.opening();
        let [first, second] = &summary.tags.players;
        file.prepare_cached(
            "UPDATE summaries SET is_stale = 0, result = ?2, eco = ?3, opening = ?4, opening_zh = ?5, placement = ?6,
                plies = ?7, first = ?8, second = ?9, event = ?10 WHERE number = ?1",
        )?
        .execute(params![
            number,
            summary.tags.result,
            eco,
            opening,
            opening_zh,
            summary.placement(),
            summary.index.plies,
            first,
            second,
            summary.tags.event
        ])?;
        write_texts(file, number, &summary, opponents)?;
        insert_positions(file, [(number, summary.index.position_keys.as_slice())].into_iter())
    }

    /// Creates the collection of an import, which is hidden until it is complete; returns its number.
    pub(super) fn create_collection(&self, name: &str) -> Result<i64, SessionError> {
        let change = self.begin()?;
        let text = "INSERT INTO collections (id, name, created, is_complete) VALUES (?1, ?2, ?3, 0)";
        change
            .execute(text, params![self.host.new_id(), name, (self.host.unix_seconds)()])
            .map_err(storage_error)?;
        let number = change.last_insert_rowid();
        change.commit()?;
        Ok(number)
    }

    /// Shows an imported collection and returns its id and its name. A single game is taken out of it, and the
    /// collection removed.
    pub(super) fn complete_collection(
        &self,
        number: i64,
    ) -> Result<Option<(String, CollectionName)>, SessionError> {
        let transaction = self.begin()?;
        check_importing(&transaction, number)?;
        let complete = || -> rusqlite::Result<Option<(String, CollectionName)>> {
            let games: i64 = transaction.query_row(
                "SELECT COUNT(*) FROM summaries WHERE collection = ?1 AND deleted IS NULL",
                [number],
                |row| row.get(0),
            )?;
            if games > 1 {
                transaction.execute("UPDATE collections SET is_complete = 1 WHERE number = ?1", [number])?;
                let text = "SELECT id FROM collections WHERE number = ?1";
                let id = transaction.query_row(text, [number], |row| row.get(0))?;
                return Ok(Some((id, name_collection(&transaction, number)?)));
            }
            transaction.execute("UPDATE summaries SET collection = NULL WHERE collection = ?1", [number])?;
            transaction.execute("DELETE FROM collections WHERE number = ?1", [number])?;
            Ok(None)
        };
        let completed = complete().map_err(storage_error)?;
        transaction.commit()?;
        self.count_change();
        Ok(completed)
    }

    /// Removes the collection of a cancelled import with its games.
    pub(super) fn discard_collection(&self, number: i64) -> Result<(), SessionError> {
        let text = "UPDATE collections SET deleted = 0 WHERE number = ?1 AND is_complete = 0";
        let change = self.begin()?;
        change.execute(text, [number]).map_err(storage_error)?;
        change.commit()?;
        self.purge()
    }

    /// Saves the games of an import; returns the id of the first one.
    pub(super) fn insert_imported(
        &self,
        collection: i64,
        games: Vec<ImportedGame>,
    ) -> Result<Option<String>, SessionError> {
        let transaction = self.begin()?;
        check_importing(&transaction, collection)?;
        let changed = (self.host.unix_seconds)();
        let (mut first, mut keys) = (None, Vec::with_capacity(games.len()));
        for ImportedGame { record, summary } in games {
            let inserted = insert_game(&transaction, &record, || self.host.new_id());
            let (id, number) = inserted.map_err(storage_error)?;
            let inserted = insert_summary(&transaction, &summary, number, &id, collection, &record, changed);
            inserted.map_err(storage_error)?;
            first.get_or_insert(id);
            keys.push((number, summary.index.position_keys));
        }
        let keys = keys.iter().map(|(number, keys)| (*number, keys.as_slice()));
        insert_positions(&transaction, keys).map_err(storage_error)?;
        transaction.commit()?;
        Ok(first)
    }
}

/// Checks that the collection of an import is in the file. In a file with which the store has gone on meanwhile its
/// number may be that of another collection.
fn check_importing(file: &Connection, collection: i64) -> Result<(), SessionError> {
    let text = "SELECT EXISTS (SELECT 1 FROM collections WHERE number = ?1 AND is_complete = 0)";
    let is_importing = file.query_row(text, [collection], |row| row.get(0)).map_err(storage_error)?;
    if is_importing { Ok(()) } else { Err(CommitError::Lost.into()) }
}

/// Writes what a list and a search need of an imported game.
fn insert_summary(
    file: &Connection,
    summary: &GameSummary,
    number: i64,
    id: &str,
    collection: i64,
    record: &GameRecord,
    changed: i64,
) -> rusqlite::Result<()> {
    let TagSummary { players: [first, second], result, date, event, .. } = &summary.tags;
    let [eco, opening, opening_zh] = summary.opening();
    file.prepare_cached(
        "INSERT INTO summaries (number, id, collection, game, plies, changed, is_stale, level, first, second,
            result, date, event, eco, opening, opening_zh, placement, two_people)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)",
    )?
    .execute(params![
        number,
        id,
        collection,
        record.game,
        summary.index.plies,
        changed,
        record.level,
        first,
        second,
        result,
        date,
        event,
        eco,
        opening,
        opening_zh,
        summary.placement(),
        record.has_two_people()
    ])?;
    write_texts(file, number, summary, Opponents::from_record(record))
}

/// Inserts an imported game with the first new id that no game has; returns its id and its number.
pub(super) fn insert_game(
    file: &Connection,
    record: &GameRecord,
    mut new_id: impl FnMut() -> String,
) -> Result<(String, i64), Box<dyn std::error::Error>> {
    let text =
        "INSERT INTO games (id, game, revision, record, moves, checksum) VALUES (?1, ?2, 1, ?3, ?4, ?5)
        ON CONFLICT (id) DO NOTHING";
    let stored = serde_json::to_string(&StoredGame::from(record))?;
    let moves = pack_tree(&record.tree);
    let mut insert = file.prepare_cached(text)?;
    let mut id = new_id();
    let sum = |id: &str| game_sum(id, &record.game, &stored, moves.as_deref());
    while insert.execute(params![id, record.game, stored, moves, sum(&id)])? == 0 {
        id = new_id();
    }
    let number = file.last_insert_rowid();
    if moves.is_none() {
        write_tree(file, &id, &record.tree)?;
    }
    Ok((id, number))
}

/// Writes all nodes of a game.
pub(super) fn write_tree(
    file: &Connection,
    id: &str,
    tree: &EditedTree,
) -> Result<(), Box<dyn std::error::Error>> {
    tree.iter().try_for_each(|(number, node)| write_node(file, id, number, Some(node)))
}
