//! The store of games: an SQLite file in the user's data folder. A game is saved before its move is acknowledged, so
//! that no acknowledged move can be lost; only its changed moves are written. A deleted game stays for thirty days.

mod backups;
mod checks;
mod checksums;
mod collection_names;
mod file_watch;
mod import;
mod library;
mod maintenance;
mod open_file;
mod positions;
mod purge;
mod raw_pages;
mod salvage;
mod schema;
mod summaries;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use alfil_kernel::Side;
use alfil_page::wire::{ErrorCode, SavedGame};
use alfil_page::{
    GameLibrary, GameStore, MAX_LISTED_GAMES, OpenGame, PageHost, RequestError, SaveError, SavedDate,
    StoredGame, StoredNode, TagSummary, name_sort_key, unpack_tree,
};
use alfil_session::game_length::final_score;
use alfil_session::played_game::{AnnotatedNode, GameRecord};
use alfil_session::{OpeningNamesCache, SessionError};
use etcetera::BaseStrategy;
use rusqlite::functions::FunctionFlags;
use rusqlite::{Connection, OptionalExtension, params};

use crate::group_sync::GroupSync;
use crate::host::HOST;
use crate::watchers::{Watch, Watchers};
use backups::BackupClock;
use checksums::SUMMARY_IS_WHOLE;
use library::LastList;
pub use maintenance::{StoreCheck, back_up_store, backup_target, check_store, salvage_target, store_file};
use open_file::{Change, CommitError, DiskWait, FILE_NAME, LockedFile, OpenFile};
pub use salvage::{Salvage, salvage_store};

/// The maximal number of a move in a saved game; a greater one is damaged.
const MAX_NODE: usize = 10_000_000;
/// The time to wait for another process that writes to the file.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// The same for a game, which stays in memory and is saved later.
const SAVE_TIMEOUT: Duration = Duration::from_secs(1);
/// The time between two attempts to write.
const BUSY_INTERVAL: Duration = Duration::from_millis(10);
/// How often a game is saved again because the file was lost at that moment.
const MAX_SAVINGS: usize = 3;

/// A store of games.
#[derive(Clone, Debug)]
pub struct Store {
    file: Arc<Mutex<OpenFile>>,
    /// A store in memory has none.
    group_sync: Option<GroupSync>,
    watchers: Watchers,
    /// The generation of the file that the sessions know of.
    known_generation: Arc<AtomicU64>,
    /// The number of changes that lists may show.
    change_count: Arc<AtomicU64>,
    last_list: Arc<Mutex<LastList>>,
    openings: OpeningNamesCache,
    host: PageHost,
    backup_clock: BackupClock,
}

/// The SQL condition that a row of `summaries` is neither deleted, itself or with its collection, nor being imported.
const VISIBLE: &str = "deleted IS NULL AND (collection IS NULL OR collection IN (
    SELECT number FROM collections WHERE deleted IS NULL AND is_complete <> 0))";

/// The SQL condition that a row of `summaries` is deleted, itself or with its collection, and can be restored.
const DELETED: &str = "(deleted IS NOT NULL
        AND (collection IS NULL OR collection IN (SELECT number FROM collections WHERE is_complete <> 0))
    OR collection IN (SELECT number FROM collections WHERE deleted IS NOT NULL AND is_complete <> 0))";

fn storage_error(error: impl std::fmt::Display) -> SessionError {
    SessionError::new(format!("cannot read or write the saved games: {error}"))
        .with_chinese(format!("磁盘上的对局无法读写：{error}"))
}

/// Writes a node of a game, or removes it.
fn write_node(
    file: &Connection,
    id: &str,
    number: usize,
    node: Option<&AnnotatedNode>,
) -> Result<(), Box<dyn std::error::Error>> {
    match node {
        Some(node) => {
            let record = serde_json::to_string(&StoredNode::from(node))?;
            // Without `OR REPLACE`, which removes rows without their triggers.
            file.prepare_cached(
                "INSERT INTO nodes (game, node, record) VALUES (?1, ?2, ?3)
                ON CONFLICT (game, node) DO UPDATE SET record = ?3",
            )?
            .execute(params![id, number, record])?;
        }
        None => {
            file.prepare_cached("DELETE FROM nodes WHERE game = ?1 AND node = ?2")?
                .execute(params![id, number])?;
        }
    }
    Ok(())
}

/// Returns the error of a game that is not as it was saved.
fn damaged_game(id: &str) -> SessionError {
    SessionError::new(format!(
        "the saved game {id} is damaged: \"alfil store salvage\" writes what is readable of it to another file"
    ))
    .with_chinese(format!("磁盘上的对局 {id} 已损坏：用 \"alfil store salvage\" 可把其中可读的部分写入另一文件"))
}

/// Returns the nodes of a game by number, and the sum of their checksums.
fn read_nodes(file: &Connection, id: &str) -> Result<(Vec<Option<StoredNode>>, i64), SessionError> {
    let mut rows = file
        .prepare_cached("SELECT node, record FROM nodes WHERE game = ?1 ORDER BY node")
        .map_err(storage_error)?;
    let rows = rows
        .query_map([id], |row| Ok((row.get::<_, usize>(0)?, row.get::<_, String>(1)?)))
        .map_err(storage_error)?;
    let (mut nodes, mut sum) = (Vec::new(), 0_i64);
    for row in rows {
        let (number, record) = row.map_err(storage_error)?;
        if number > MAX_NODE {
            return Err(damaged_game(id));
        }
        sum = sum.wrapping_add(checksums::node_sum(id, number as i64, &record));
        nodes.resize(number, None);
        nodes.push(Some(serde_json::from_str(&record).map_err(|_| damaged_game(id))?));
    }
    Ok((nodes, sum))
}

/// Returns the revision of a game and what is kept of it; `None` if there is no such game for which the condition,
/// [`VISIBLE`] or [`DELETED`], holds.
fn find_record(
    file: &Connection,
    id: &str,
    condition: &str,
) -> Result<Option<(i64, GameRecord)>, SessionError> {
    let text = format!(
        "SELECT revision, record, moves, game, checksum FROM games
        WHERE id = ?1 AND number IN (SELECT number FROM summaries WHERE id = ?1 AND {condition})"
    );
    let mut statement = file.prepare_cached(&text).map_err(storage_error)?;
    type Row = (i64, String, Option<String>, String, Option<i64>);
    let found: Option<Row> = statement
        .query_row([id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)))
        .optional()
        .map_err(|error| match error {
            rusqlite::Error::FromSqlConversionFailure(..) | rusqlite::Error::InvalidColumnType(..) => {
                damaged_game(id)
            }
            error => storage_error(error),
        })?;
    let Some((revision, record, moves, game, checksum)) = found else { return Ok(None) };
    let sum = checksums::game_sum(id, &game, &record, moves.as_deref());
    let (nodes, node_sum) = match moves {
        Some(moves) => (unpack_tree(&moves).map_err(|_| damaged_game(id))?, 0),
        None => read_nodes(file, id)?,
    };
    if checksum != Some(sum.wrapping_add(node_sum)) {
        return Err(damaged_game(id));
    }
    let stored: StoredGame = serde_json::from_str(&record).map_err(storage_error)?;
    Ok(Some((revision, stored.into_record(nodes)?)))
}

/// Returns a text that may be damaged.
fn text_of(row: &rusqlite::Row<'_>, column: usize) -> rusqlite::Result<String> {
    Ok(row.get_ref(column)?.as_bytes().map(String::from_utf8_lossy).unwrap_or_default().into_owned())
}

/// Gives SQL the function `sort_key` of a name.
fn add_sort_key(file: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    file.create_scalar_function("sort_key", 1, flags, |context| {
        Ok(name_sort_key(context.get_raw(0).as_str()?))
    })
}

/// Returns Alfil's folder in the user's data folder.
///
/// # Errors
/// If the system has no such folder.
pub fn data_folder() -> Result<PathBuf, SessionError> {
    let folders = etcetera::choose_base_strategy().map_err(storage_error)?;
    Ok(folders.data_dir().join("alfil"))
}

impl Store {
    /// Opens the store of a folder, which is created if it is missing.
    ///
    /// # Errors
    /// If the folder or the file cannot be created or read.
    pub fn open(folder: &Path) -> Result<Store, SessionError> {
        std::fs::create_dir_all(folder)
            .map_err(|error| SessionError::new(format!("cannot create {}: {error}", folder.display())))?;
        Store::from_file(OpenFile::open(&folder.join(FILE_NAME))?, HOST)
    }

    /// Opens a store in memory.
    ///
    /// # Errors
    /// If the database cannot be created.
    pub fn in_memory() -> Result<Store, SessionError> {
        Store::from_file(OpenFile::in_memory()?, HOST)
    }

    fn from_file(file: OpenFile, host: PageHost) -> Result<Store, SessionError> {
        let group_sync = file.path().map(GroupSync::of_database);
        let (watchers, known_generation, change_count, last_list, openings) = Default::default();
        let (file, backup_clock) = (Arc::new(Mutex::new(file)), BackupClock::default());
        let store = Store {
            file,
            group_sync,
            watchers,
            known_generation,
            change_count,
            last_list,
            openings,
            host,
            backup_clock,
        };
        store.purge()?;
        store.back_up_if_due();
        Ok(store)
    }

    /// Returns the watch of a client over the game that it has open.
    pub(crate) fn watch(&self, client: u64) -> Watch {
        self.watchers.watch(client)
    }

    fn lock(&self) -> MutexGuard<'_, OpenFile> {
        // A poisoned lock is harmless: SQLite rolls back incomplete changes.
        self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Locks the file, unless it is lost, or a newer version of the program has changed its tables.
    fn lock_connection(&self) -> Result<LockedFile<'_>, SessionError> {
        let file = LockedFile::new(self.lock())?;
        let generation = file.generation();
        if self.known_generation.swap(generation, Ordering::Relaxed) != generation {
            self.count_change();
            // All sessions save their games in the new file.
            self.watchers.on_new_file();
        }
        Ok(file)
    }

    /// Begins a change. While another process writes, other sessions can read.
    ///
    /// # Errors
    /// If that takes longer than `limit`.
    fn begin_within(&self, limit: Duration, wait: DiskWait) -> Result<Change<'_>, SessionError> {
        let start = Instant::now();
        loop {
            if let Some(change) = self.lock_connection()?.begin(wait)? {
                return Ok(change);
            }
            if start.elapsed() >= limit {
                return Err(SessionError::new(
                    "another program writes to the file of saved games: end it, or wait until it has ended",
                )
                .with_chinese("另一程序正在写入对局文件：请退出该程序，或等待其结束"));
            }
            std::thread::sleep(BUSY_INTERVAL);
        }
    }

    fn begin(&self) -> Result<Change<'_>, SessionError> {
        self.begin_within(BUSY_TIMEOUT, DiskWait::AtCommit)
    }

    /// Makes the backup of the day if there is none.
    fn back_up_if_due(&self) {
        let now = (self.host.unix_seconds)();
        if self.backup_clock.is_due(now)
            && let Some(path) = self.lock().path()
        {
            self.backup_clock.back_up(path, now);
        }
    }

    /// Counts a change that lists may show.
    fn count_change(&self) {
        self.change_count.fetch_add(1, Ordering::Relaxed);
    }

    fn change_count(&self) -> u64 {
        self.change_count.load(Ordering::Relaxed)
    }

    /// Removes the games that were deleted long ago.
    fn purge(&self) -> Result<(), SessionError> {
        let change = self.begin()?;
        let now = purge::settled_time(&change, (self.host.unix_seconds)()).map_err(storage_error)?;
        change.commit()?;
        self.purge_at(now)
    }

    /// Removes the games that are removed at a time, in seconds since 1970.
    fn purge_at(&self, now: i64) -> Result<(), SessionError> {
        loop {
            let change = self.begin()?;
            let is_full = purge::purge_deleted(&change, now).map_err(storage_error)?;
            change.commit()?;
            if !is_full {
                break;
            }
        }
        // A list may have had the removed games.
        self.count_change();
        Ok(())
    }

    /// Writes a game that is new or unchanged since it was read, with its changed nodes; returns the number of games,
    /// and the generation of the file.
    fn write_game(&self, game: &mut OpenGame, date: SavedDate) -> Result<(usize, u64), CommitError> {
        let failed = |error: &dyn std::fmt::Display| CommitError::Storage(storage_error(error));
        let change = self.begin_within(SAVE_TIMEOUT, DiskWait::Shared).map_err(CommitError::Storage)?;
        let generation = change.generation();
        let rows = write_row(&change, game).map_err(|error| failed(&error))?;
        if rows > 0 {
            let now = (self.host.unix_seconds)();
            write_summary(&change, game, date, now).map_err(|error| failed(&error))?;
            let settled = change.commit().and_then(|()| self.wait_for_disk(generation));
            if let Err(CommitError::Lost | CommitError::NotOnDisk(_)) = settled {
                // The row may be there, also in the file with which the store goes on: it is the game's own, and not a
                // change of another session.
                (game.revision, game.store_generation) = (game.revision + 1, generation);
            }
            settled?;
            if date == SavedDate::Now {
                self.count_change();
            }
        }
        Ok((rows, generation))
    }

    /// Waits until a committed game is on the disk, together with those of other sessions.
    fn wait_for_disk(&self, generation: u64) -> Result<(), CommitError> {
        let Some(sync) = &self.group_sync else { return Ok(()) };
        let synced = sync.wait();
        if self.lock_connection().map_err(CommitError::NotOnDisk)?.generation() != generation {
            return Err(CommitError::Lost);
        }
        synced.map_err(|error| CommitError::NotOnDisk(storage_error(error)))
    }

    /// Returns whether there is a saved game that is not deleted.
    fn exists(&self, id: &str) -> Result<bool, SessionError> {
        let text = format!("SELECT EXISTS (SELECT 1 FROM summaries WHERE id = ?1 AND {VISIBLE})");
        self.lock_connection()?.query_row(&text, [id], |row| row.get(0)).map_err(storage_error)
    }
}

/// Writes a game with its changed nodes, or all of it if it is not in this file; returns the number of games.
fn write_row(file: &Change<'_>, game: &mut OpenGame) -> Result<usize, Box<dyn std::error::Error>> {
    let is_elsewhere = game.revision > 0 && game.store_generation != file.generation();
    let changed_nodes = if is_elsewhere { game.all_nodes() } else { game.nodes_to_save() };
    let stored = serde_json::to_string(&StoredGame::from(game.record()))?;
    let (tree, record) = (game.tree(), game.record());
    let insert =
        "INSERT INTO games (id, game, revision, record) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (id) DO NOTHING";
    let insert = |revision| file.execute(insert, params![game.id, record.game, revision, stored]);
    // A game that was read is not inserted again: it may have been deleted.
    let rows = if game.revision == 0 {
        insert(1)?
    } else if is_elsewhere && insert(game.revision + 1)? > 0 {
        1
    } else {
        let condition = if is_elsewhere { "revision <= ?3" } else { "revision = ?3" };
        let text = format!(
            "UPDATE games SET revision = ?3 + 1, record = ?2 WHERE id = ?1 AND {condition}
            AND number IN (SELECT number FROM summaries WHERE id = ?1 AND {VISIBLE})"
        );
        file.execute(&text, params![game.id, stored, game.revision])?
    };
    if rows == 0 {
        return Ok(0);
    }
    if is_elsewhere {
        file.execute("DELETE FROM nodes WHERE game = ?1", [&game.id])?;
    }
    // The moves of an imported game are in one text until the first of them is changed.
    let text = "UPDATE games SET moves = NULL WHERE id = ?1 AND moves IS NOT NULL";
    if !changed_nodes.is_empty() && file.execute(text, [&game.id])? > 0 {
        summaries::write_tree(file, &game.id, tree)?;
    }
    for number in changed_nodes {
        write_node(file, &game.id, number, tree.node(number))?;
    }
    Ok(rows)
}

/// Writes what lists show of a game that was saved. Its moves are looked at before the next list; a result that was
/// found in them stays if they have not changed.
fn write_summary(file: &Connection, game: &OpenGame, date: SavedDate, now: i64) -> rusqlite::Result<()> {
    let record = game.record();
    let plies = i64::try_from(record.main_line_plies()).unwrap_or(i64::MAX);
    let TagSummary { players: [first, second], result, date: game_date, event, .. } =
        TagSummary::new(&record.game, &record.tags);
    file.prepare_cached(
        "INSERT INTO summaries (number, id, game, changed, plies, is_stale, person, level, first, second, result,
            date, event, two_people)
        SELECT number, ?1, ?2, ?3, ?4, 1, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13 FROM games WHERE id = ?1
        ON CONFLICT (id) DO UPDATE SET changed = CASE WHEN ?5 THEN ?3 ELSE changed END, plies = ?4,
            is_stale = is_stale OR ?5, person = ?6, level = ?7, first = ?8, second = ?9,
            result = CASE WHEN ?5 OR ?10 <> '' THEN ?10 ELSE result END, date = ?11, event = ?12, two_people = ?13",
    )?
    .execute(params![
        game.id,
        record.game,
        now,
        plies,
        date == SavedDate::Now,
        record.person().map(Side::index),
        record.level,
        first,
        second,
        result,
        game_date,
        event,
        record.has_two_people()
    ])?;
    Ok(())
}

impl GameStore for Store {
    fn save(&self, game: &mut OpenGame, saved_by: u64, date: SavedDate) -> Result<(), SaveError> {
        let mut saved = Err(CommitError::Lost);
        for _ in 0..MAX_SAVINGS {
            saved = self.write_game(game, date);
            if !matches!(saved, Err(CommitError::Lost)) {
                break;
            }
        }
        let (rows, generation) = saved.map_err(|error| SaveError::Storage(error.into()))?;
        if rows == 0 {
            let exists = self.exists(&game.id).map_err(SaveError::Storage)?;
            return Err(if exists { SaveError::Conflict } else { SaveError::Deleted });
        }
        game.on_saved();
        game.store_generation = generation;
        self.back_up_if_due();
        self.watchers.on_saved(&game.id, saved_by);
        Ok(())
    }

    fn save_clock(&self, game: &OpenGame) -> Result<(), SessionError> {
        let record = serde_json::to_string(&StoredGame::from(game.record())).map_err(storage_error)?;
        let change = self.begin_within(SAVE_TIMEOUT, DiskWait::AtCommit)?;
        let text = format!(
            "UPDATE games SET record = ?2 WHERE id = ?1 AND revision = ?3
            AND number IN (SELECT number FROM summaries WHERE id = ?1 AND {VISIBLE})"
        );
        change.execute(&text, params![game.id, record, game.revision]).map_err(storage_error)?;
        Ok(change.commit()?)
    }

    fn load(&self, id: &str) -> Result<OpenGame, RequestError> {
        let file = self.lock_connection()?;
        let (found, generation) = (find_record(&file, id, VISIBLE)?, file.generation());
        drop(file);
        let Some((revision, record)) = found else {
            return Err(RequestError::new(ErrorCode::NotFound, format!("there is no saved game {id:?}")));
        };
        let mut game = OpenGame::from_saved(id.to_owned(), revision, record, self.host.now())?;
        game.store_generation = generation;
        Ok(game)
    }

    fn delete(&self, id: &str) -> Result<(), SessionError> {
        self.delete_games(&[id.to_owned()])
    }

    fn restore(&self, id: &str) -> Result<(), RequestError> {
        self.restore_games(&[id.to_owned()]).map(drop)
    }

    fn list(&self, skip: u32) -> Result<(Vec<SavedGame>, bool), SessionError> {
        let file = self.lock_connection()?;
        let mut rows = file
            .prepare_cached(&format!(
                "SELECT id, game, plies, changed, first, second, result, event,
                    CASE WHEN is_stale = 0 THEN placement ELSE '' END, {SUMMARY_IS_WHOLE} FROM summaries s
                WHERE collection IS NULL AND deleted IS NULL ORDER BY changed DESC, number DESC LIMIT ?1 OFFSET ?2"
            ))
            .map_err(storage_error)?;
        let saved = rows.query_map(params![MAX_LISTED_GAMES + 1, skip], |row| {
            if !row.get::<_, bool>(9)? {
                let (id, game) = (text_of(row, 0)?, text_of(row, 1)?);
                return Ok(SavedGame { id, game, damaged: true, ..SavedGame::default() });
            }
            let game: String = row.get(1)?;
            let placement: String = row.get(8)?;
            Ok(SavedGame {
                id: row.get(0)?,
                score: final_score(&game, &placement),
                game,
                plies: row.get(2)?,
                changed: row.get(3)?,
                players: [row.get(4)?, row.get(5)?],
                result: row.get(6)?,
                event: row.get(7)?,
                damaged: false,
            })
        });
        let mut saved =
            saved.map_err(storage_error)?.collect::<Result<Vec<_>, _>>().map_err(storage_error)?;
        let more = saved.len() > MAX_LISTED_GAMES;
        saved.truncate(MAX_LISTED_GAMES);
        Ok((saved, more))
    }

    fn library(&self) -> Option<&dyn GameLibrary> {
        Some(self)
    }

    fn generation(&self) -> u64 {
        // Sessions read it often, and must not wait for a long change.
        self.known_generation.load(Ordering::Relaxed)
    }

    fn notice(&self) -> Option<SessionError> {
        self.lock().notice().cloned()
    }
}

#[cfg(test)]
mod damage_tests;
#[cfg(test)]
mod disk_wait_tests;
#[cfg(test)]
mod tests;
