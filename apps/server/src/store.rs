//! Where games are kept: one SQLite file in the person's data folder. A game is written before its move is answered, so that
//! whatever ends the program loses nothing that was acknowledged.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use alfil_hall::DeskError;
use etcetera::BaseStrategy;
use rusqlite::{Connection, OptionalExtension, params};
use tokio::sync::broadcast;

use crate::game::{Game, Record};
use crate::refusal::{Cause, Refusal};
use crate::tree::START;
use crate::wire::KeptGame;

/// How many games are listed at once.
const LISTED: u32 = 100;
/// How many changes a socket may be behind before it hears that it missed some.
const CHANGES: usize = 64;
/// How long a second program that uses the same file is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// Why a game was not saved.
#[derive(Debug)]
pub(crate) enum Unsaved {
    /// Somebody has thrown it away.
    Forgotten,
    /// Somebody else has saved it since it was read.
    Changed,
    /// The disk refuses.
    Trouble(DeskError),
}

/// A game was saved.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) id: String,
    /// The socket that saved it.
    pub(crate) by: u64,
}

/// The games of a person.
#[derive(Clone, Debug)]
pub struct Store {
    file: Arc<Mutex<Connection>>,
    changes: broadcast::Sender<Change>,
}

fn trouble(error: impl std::fmt::Display) -> DeskError {
    DeskError::new(format!("the games on disk cannot be used: {error}"))
        .chinese(format!("磁盘上的对局无法读写：{error}"))
}

/// The folder in which a person's programs keep their data, and Alfil its games.
///
/// # Errors
/// If the system knows no such folder.
pub fn data_folder() -> Result<PathBuf, DeskError> {
    let folders = etcetera::choose_base_strategy().map_err(trouble)?;
    Ok(folders.data_dir().join("alfil"))
}

impl Store {
    /// The store in a folder, which is made if it is not there.
    ///
    /// # Errors
    /// If it cannot be made or read.
    pub fn open(folder: &Path) -> Result<Store, DeskError> {
        std::fs::create_dir_all(folder)
            .map_err(|error| DeskError::new(format!("{} cannot be made: {error}", folder.display())))?;
        let path = folder.join("games.sqlite");
        let file = Connection::open(&path)
            .map_err(|error| DeskError::new(format!("{} cannot be opened: {error}", path.display())))?;
        // Readers do not wait for the writer, and every commit is on the disk before it is answered.
        file.pragma_update(None, "journal_mode", "WAL").map_err(trouble)?;
        file.pragma_update(None, "synchronous", "FULL").map_err(trouble)?;
        Store::on(file)
    }

    /// A store that forgets everything in the end.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn in_memory() -> Result<Store, DeskError> {
        Store::on(Connection::open_in_memory().map_err(trouble)?)
    }

    fn on(file: Connection) -> Result<Store, DeskError> {
        file.busy_timeout(PATIENCE).map_err(trouble)?;
        file.execute_batch(
            "CREATE TABLE IF NOT EXISTS games (
                id TEXT PRIMARY KEY, game TEXT NOT NULL, plies INTEGER NOT NULL, revision INTEGER NOT NULL,
                changed INTEGER NOT NULL, record TEXT NOT NULL) STRICT;
            CREATE INDEX IF NOT EXISTS games_changed ON games (changed);",
        )
        .map_err(trouble)?;
        let (changes, _) = broadcast::channel(CHANGES);
        Ok(Store { file: Arc::new(Mutex::new(file)), changes })
    }

    /// An id that no game has.
    pub(crate) fn fresh_id() -> String {
        // The hasher's keys are random for every state.
        format!("{:012x}", RandomState::new().build_hasher().finish() >> 16)
    }

    /// To hear of every game that is saved.
    pub(crate) fn changes(&self) -> broadcast::Receiver<Change> {
        self.changes.subscribe()
    }

    fn file(&self) -> MutexGuard<'_, Connection> {
        // Nobody panics while he holds it half changed: SQLite rolls back.
        self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Keeps a game as it is now; `by` is told to those who listen.
    ///
    /// # Errors
    /// See [`Unsaved`]; nothing is then changed.
    pub(crate) fn save(&self, game: &mut Game, by: u64) -> Result<(), Unsaved> {
        let rows = self.write(game).map_err(Unsaved::Trouble)?;
        if rows == 0 {
            let there = self.revision(&game.id).map_err(Unsaved::Trouble)?.is_some();
            return Err(if there { Unsaved::Changed } else { Unsaved::Forgotten });
        }
        game.revision += 1;
        // Nobody listens where only one window is open.
        let _ = self.changes.send(Change { id: game.id.clone(), by });
        Ok(())
    }

    /// Writes a game that is new, or still as it was read; how many rows that were.
    fn write(&self, game: &Game) -> Result<usize, DeskError> {
        let record = serde_json::to_string(&game.record).map_err(trouble)?;
        let tree = &game.record.tree;
        let plies = i64::try_from(tree.road(tree.tip(START)).len()).unwrap_or(i64::MAX);
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let changed = i64::try_from(since.as_secs()).unwrap_or(i64::MAX);
        let file = self.file();
        // A game that was read is never inserted: it may have been thrown away meanwhile.
        let rows = if game.revision == 0 {
            file.execute(
                "INSERT INTO games (id, game, plies, revision, changed, record) VALUES (?1, ?2, ?3, 1, ?4, ?5)
                ON CONFLICT (id) DO NOTHING",
                params![game.id, game.record.game, plies, changed, record],
            )
        } else {
            file.execute(
                "UPDATE games SET plies = ?2, revision = revision + 1, changed = ?3, record = ?4
                WHERE id = ?1 AND revision = ?5",
                params![game.id, plies, changed, record, game.revision],
            )
        };
        rows.map_err(trouble)
    }

    /// Notes what time was used in a game, if it is still as it was read. That is no change of which others hear.
    ///
    /// # Errors
    /// If the disk refuses.
    pub(crate) fn note_time(&self, game: &Game) -> Result<(), DeskError> {
        let record = serde_json::to_string(&game.record).map_err(trouble)?;
        let file = self.file();
        let text = "UPDATE games SET record = ?2 WHERE id = ?1 AND revision = ?3";
        file.execute(text, params![game.id, record, game.revision]).map_err(trouble)?;
        Ok(())
    }

    /// How often the game of this id was saved, if it is kept.
    fn revision(&self, id: &str) -> Result<Option<i64>, DeskError> {
        let file = self.file();
        let found = file.query_row("SELECT revision FROM games WHERE id = ?1", [id], |row| row.get(0));
        found.optional().map_err(trouble)
    }

    /// A game that is kept.
    ///
    /// # Errors
    /// If there is none of this id, or it cannot be read.
    pub(crate) fn load(&self, id: &str) -> Result<Game, Refusal> {
        let found: Option<(i64, String)> = self
            .file()
            .query_row("SELECT revision, record FROM games WHERE id = ?1", [id], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .optional()
            .map_err(trouble)?;
        let Some((revision, record)) = found else {
            return Err(Refusal::of(Cause::Gone, format!("there is no game {id:?} here")));
        };
        let record: Record = serde_json::from_str(&record).map_err(trouble)?;
        Ok(Game::resumed(id.to_owned(), revision, record)?)
    }

    /// Throws a game away, if it is there.
    ///
    /// # Errors
    /// If the disk refuses.
    pub(crate) fn forget(&self, id: &str) -> Result<(), DeskError> {
        self.file().execute("DELETE FROM games WHERE id = ?1", [id]).map_err(trouble)?;
        Ok(())
    }

    /// A page of the games that are kept, the last changed first, and whether there are more after it.
    ///
    /// # Errors
    /// If they cannot be read.
    pub(crate) fn list(&self, skip: u32) -> Result<(Vec<KeptGame>, bool), DeskError> {
        let file = self.file();
        let mut rows = file
            .prepare(
                "SELECT id, game, plies, changed FROM games ORDER BY changed DESC, rowid DESC LIMIT ?1 OFFSET ?2",
            )
            .map_err(trouble)?;
        let kept = rows.query_map([LISTED + 1, skip], |row| {
            Ok(KeptGame { id: row.get(0)?, game: row.get(1)?, plies: row.get(2)?, changed: row.get(3)? })
        });
        let mut kept = kept.map_err(trouble)?.collect::<Result<Vec<_>, _>>().map_err(trouble)?;
        let more = kept.len() > LISTED as usize;
        kept.truncate(LISTED as usize);
        Ok((kept, more))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::NewGame;

    fn game() -> Game {
        let new = NewGame { game: "xiangqi".into(), moves: vec!["h2e2".into()], ..NewGame::default() };
        Game::new(Store::fresh_id(), new).unwrap()
    }

    #[test]
    fn what_was_kept_is_there_again_when_the_file_is_opened_again() {
        let folder = tempfile::tempdir().unwrap();
        let mut game = game();
        Store::open(&folder.path().join("deep/er")).unwrap().save(&mut game, 0).unwrap();
        let store = Store::open(&folder.path().join("deep/er")).unwrap();
        assert_eq!(store.load(&game.id).unwrap().record, game.record);
        assert_eq!(store.list(0).unwrap().0[0].plies, 1);
        store.forget(&game.id).unwrap();
        assert!(store.load(&game.id).is_err() && store.list(0).unwrap().0.is_empty());
    }

    #[test]
    fn who_has_not_seen_the_last_change_cannot_overwrite_it() {
        let store = Store::in_memory().unwrap();
        let mut one = game();
        store.save(&mut one, 1).unwrap();
        let mut other = store.load(&one.id).unwrap();
        one.play("h9g7", None).unwrap();
        store.save(&mut one, 1).unwrap();
        other.play("b9c7", None).unwrap();
        assert!(matches!(store.save(&mut other, 2), Err(Unsaved::Changed)));
        assert_eq!(store.load(&one.id).unwrap().record, one.record);
        store.note_time(&other).unwrap();
        assert_eq!(store.load(&one.id).unwrap().record, one.record);
    }

    #[test]
    fn a_game_that_was_thrown_away_does_not_come_back() {
        let store = Store::in_memory().unwrap();
        let mut game = game();
        store.save(&mut game, 1).unwrap();
        game.play("h9g7", None).unwrap();
        store.save(&mut game, 1).unwrap();
        store.forget(&game.id).unwrap();
        assert!(matches!(store.save(&mut game, 1), Err(Unsaved::Forgotten)));
        assert_eq!((game.revision, store.list(0).unwrap().0.len()), (2, 0));
        // As a new game it is kept, but over no other.
        game.revision = 0;
        store.save(&mut game, 1).unwrap();
        game.revision = 0;
        assert!(matches!(store.save(&mut game, 1), Err(Unsaved::Changed)));
    }

    #[test]
    fn games_are_listed_page_by_page() {
        let store = Store::in_memory().unwrap();
        let mut ids = Vec::new();
        for _ in 0..LISTED + 5 {
            let mut game = game();
            store.save(&mut game, 1).unwrap();
            ids.insert(0, game.id);
        }
        let (first, more) = store.list(0).unwrap();
        let (rest, none) = store.list(LISTED).unwrap();
        assert_eq!((first.len(), more, rest.len(), none), (LISTED as usize, true, 5, false));
        let listed: Vec<_> = first.into_iter().chain(rest).map(|kept| kept.id).collect();
        assert_eq!(listed, ids);
    }

    #[test]
    fn a_file_that_is_no_store_is_refused_with_a_reason() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(
            folder.path().join("games.sqlite"),
            "this is no data base, but long enough to be read".repeat(50),
        )
        .unwrap();
        assert!(Store::open(folder.path()).unwrap_err().words.contains("cannot be"));
        assert!(Store::open(Path::new("/dev/null/x")).unwrap_err().words.contains("cannot be made"));
    }
}
