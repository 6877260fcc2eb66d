//! The manifest of an analysis: its options, games and chunks, in an SQLite database of its folder. It is what was
//! planned and what is done; a queue is filled from it.

mod checksums;
mod identity;

use std::fmt::Display;
use std::path::{Path, PathBuf};

use alfil_session::{NULL_MOVE, SessionError, TextGame, registry};
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Row, Transaction, params};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use tempfile::TempDir;

use crate::chunk::{AnalysisOptions, Chunk, ChunkGame};
use crate::queue::QueueError;
use crate::run_identity::{OtherRunError, check_identity};
use crate::source::{Place, SourceGame};
use identity::{AnalysisDigest, identity};

pub use crate::analysis_folder::Shard;

/// The time to wait for another process that uses the database.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

const TABLES: &str = "
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL, crc32 INTEGER) WITHOUT ROWID;
    CREATE TABLE games (
        number INTEGER PRIMARY KEY, file TEXT NOT NULL, file_number INTEGER NOT NULL, game TEXT NOT NULL,
        start TEXT, moves TEXT NOT NULL, record TEXT NOT NULL, error TEXT, crc32 INTEGER
    );
    CREATE TABLE chunks (
        number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, games TEXT NOT NULL, positions INTEGER NOT NULL,
        state TEXT NOT NULL DEFAULT 'pending', attempts INTEGER NOT NULL DEFAULT 0,
        interruptions INTEGER NOT NULL DEFAULT 0, worker TEXT, lease_until INTEGER, reason TEXT,
        nodes INTEGER NOT NULL DEFAULT 0, leased_at INTEGER, finished_at INTEGER, checked_by TEXT, crc32 INTEGER
    );
    CREATE TABLE workers (name TEXT PRIMARY KEY, last_seen INTEGER, set_aside TEXT, crc32 INTEGER) WITHOUT ROWID;
    CREATE INDEX chunk_states ON chunks (state, number);
";

/// The version of the tables.
const FORMAT: u64 = 3;

/// A game of an analysis.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedGame {
    /// The name of the file when the analysis was planned. The same analysis may have it under another path later.
    pub file: String,
    /// The number of the game in the file, from 1.
    pub file_number: u64,
    /// The name of the game, such as `chess`.
    pub game: String,
    /// The text of the initial position; none for the start position.
    pub start: Option<String>,
    /// The moves of the main line in the default dialect, up to a null move.
    pub moves: Vec<String>,
    /// The whole record as PGN.
    pub record: String,
    /// The reason why the record ends before its end.
    pub error: Option<String>,
}

impl PlannedGame {
    /// Creates the game of a source.
    ///
    /// ```
    /// use alfil_batch::manifest::PlannedGame;
    /// use alfil_batch::source::{Source, SourceItem, SourceOptions};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("games.pgn");
    /// std::fs::write(&path, "1. e4 {best by test} e5 *\n")?;
    /// let Some(SourceItem::Game(found)) = Source::open(&[path], &SourceOptions::default())?.next() else { panic!() };
    /// let game = PlannedGame::from_source(&found)?;
    /// assert_eq!((game.file_number, game.moves.len()), (1, 2));
    /// assert!(game.record.contains("{best by test}"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the record cannot be written as PGN.
    pub fn from_source(source: &SourceGame) -> Result<PlannedGame, SessionError> {
        let SourceGame { place: Place { file, number, .. }, game, .. } = source;
        let main_line = game.main_line();
        let moves: Vec<String> =
            main_line.iter().take_while(|&&mv| mv != NULL_MOVE).map(|&mv| mv.to_owned()).collect();
        let null_move = (moves.len() < main_line.len())
            .then(|| format!("ply {} is a null move: the analysis ends before it", moves.len() + 1));
        let record = TextGame { error: None, warnings: Vec::new(), ..game.clone() };
        let record = registry::write_game(&record, None)?;
        Ok(PlannedGame {
            file: file.to_string(),
            file_number: *number,
            game: game.game.clone(),
            start: game.start.clone(),
            moves,
            record,
            error: null_move.or_else(|| game.error.as_ref().map(ToString::to_string)),
        })
    }
}

/// The query for the numbers of the games that have a position in a chunk.
const GAMES_OF_CHUNKS: &str =
    "SELECT json_extract(part.value, '$[0]') FROM chunks, json_each(chunks.games) AS part";

/// A chunk as the manifest has it: the numbers of its games with the analysed plies.
type ChunkGames = Vec<(u64, Vec<usize>)>;

/// The state of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChunkState {
    /// It waits for a worker.
    Pending,
    /// A worker has it.
    Leased,
    /// Its result is stored.
    Done,
    /// It has failed [`MAX_ATTEMPTS`](crate::queue::MAX_ATTEMPTS) times and is not tried again.
    Failed,
}

impl FromSql for ChunkState {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        match value.as_str()? {
            "pending" => Ok(ChunkState::Pending),
            "leased" => Ok(ChunkState::Leased),
            "done" => Ok(ChunkState::Done),
            // In queues of earlier versions the state was called "poisoned".
            "failed" | "poisoned" => Ok(ChunkState::Failed),
            _ => Err(FromSqlError::InvalidType),
        }
    }
}

/// A chunk of the manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkRow {
    /// The number of the chunk in the analysis, from 0.
    pub number: u64,
    /// The name of the chunk.
    pub id: String,
    /// The state of the chunk.
    pub state: ChunkState,
    /// The number of failed attempts.
    pub attempts: u32,
    /// The reason of the last failure.
    pub reason: Option<String>,
    /// The number of its first game.
    pub first_game: Option<u64>,
}

/// The manifest of an analysis.
///
/// ```
/// use alfil_batch::chunk::AnalysisOptions;
/// use alfil_batch::manifest::{ChunkState, Manifest, PlannedGame, Shard};
/// # let options = AnalysisOptions::with_nodes("example", 100);
///
/// let folder = tempfile::tempdir()?;
/// let game = PlannedGame {
///     file: "a.pgn".into(),
///     file_number: 1,
///     game: "chess".into(),
///     start: None,
///     moves: vec!["e2e4".into()],
///     record: "1. e4 *\n".into(),
///     error: None,
/// };
/// let games = || [game.clone()].into_iter();
/// Manifest::plan(folder.path(), Shard::WHOLE, &options, games())?;
/// let manifest = Manifest::open(folder.path(), Shard::WHOLE)?.unwrap();
/// assert_eq!(manifest.chunks()?[0].state, ChunkState::Pending);
/// assert_eq!(manifest.chunk(0)?.positions(), 2);
/// // The same command goes on, and one with other options is refused.
/// manifest.check(&options, games())?;
/// assert!(manifest.check(&AnalysisOptions { nodes: Some(200), ..options }, games()).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Manifest {
    pub(crate) connection: Connection,
    path: PathBuf,
    options: AnalysisOptions,
    analysis: String,
    shard: Shard,
    total_chunks: u64,
    /// The number of games in this part.
    games: u64,
    /// The folder of the copy that is read, if the original cannot be.
    _copy: Option<TempDir>,
}

impl Manifest {
    /// Opens the manifest of a part of an analysis; `None` if there is none.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn open(folder: &Path, shard: Shard) -> Result<Option<Manifest>, QueueError> {
        let path = shard.path(folder);
        if !path.exists() {
            return Ok(None);
        }
        let connection = connect(&path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        Manifest::read(path, connection, None)
    }

    /// Opens the manifest of a part that is only read: its folder need not be writable.
    fn open_for_reading(path: PathBuf) -> Result<Option<Manifest>, QueueError> {
        match connect(&path, OpenFlags::SQLITE_OPEN_READ_WRITE) {
            Ok(connection) => Manifest::read(path, connection, None),
            Err(QueueError::Database { error, .. }) if is_unwritable(&error) => {
                let (connection, copy) = connect_unchanged(&path)?;
                Manifest::read(path, connection, copy)
            }
            Err(error) => Err(error),
        }
    }

    /// Opens the manifests of all parts that are in a folder, in the order of their numbers. They are only read: the
    /// folder need not be writable.
    ///
    /// # Errors
    /// If there is none, or one cannot be read.
    pub fn open_all(folder: &Path) -> Result<Vec<Manifest>, QueueError> {
        let found = Manifest::open_parts(folder, |_| true)?;
        if found.is_empty() {
            return Err(QueueError::NoAnalysis { path: folder.to_owned() });
        }
        Ok(found)
    }

    /// Opens the manifests of the parts in a folder that are wanted, in the order of their numbers. A file that is not
    /// named as a part is not opened.
    ///
    /// # Errors
    /// If one cannot be read.
    pub(crate) fn open_parts(
        folder: &Path,
        is_wanted: impl Fn(Shard) -> bool,
    ) -> Result<Vec<Manifest>, QueueError> {
        let unreadable = |error| QueueError::File { path: folder.to_owned(), error };
        let mut shards = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(unreadable)? {
            let name = entry.map_err(unreadable)?.file_name();
            shards.extend(name.to_str().and_then(Shard::from_file_name).filter(|&shard| is_wanted(shard)));
        }
        shards.sort_by_key(|shard| (shard.index, shard.count));
        let mut found = Vec::new();
        for shard in shards {
            // A copy under the name of another part is no part.
            let opened = Manifest::open_for_reading(shard.path(folder))?;
            found.extend(opened.filter(|manifest| manifest.shard == shard));
        }
        Ok(found)
    }

    /// Reads a manifest; `None` if its planning was interrupted.
    fn read(
        path: PathBuf,
        connection: Connection,
        copy: Option<TempDir>,
    ) -> Result<Option<Manifest>, QueueError> {
        let in_database = |error| database_error(&path, error);
        let planned: bool = connection
            .query_row("SELECT count(*) FROM sqlite_master WHERE name = 'meta'", [], |row| row.get(0))
            .map_err(in_database)?;
        if !planned {
            return Ok(None);
        }
        let value = |key: &str| -> Result<Option<String>, QueueError> {
            let query = "SELECT value FROM meta WHERE key = ?";
            connection.query_row(query, [key], |row| row.get(0)).optional().map_err(in_database)
        };
        if value("format")? != Some(FORMAT.to_string()) {
            let what = "it is no queue of this version of the program; use another folder".to_owned();
            return Err(QueueError::Damaged { path: path.clone(), what });
        }
        let damaged = |key: &str| damaged(&path, &format!("its {key} cannot be read"));
        let number = |key: &str| -> Result<u64, QueueError> {
            value(key)?.and_then(|text| text.parse().ok()).ok_or_else(|| damaged(key))
        };
        let options = value("options")?.and_then(|text| serde_json::from_str(&text).ok());
        let options = options.ok_or_else(|| damaged("options"))?;
        let analysis = value("analysis")?.ok_or_else(|| damaged("analysis"))?;
        let shard = Shard { index: number("shard")?, count: number("shards")? };
        if !shard.is_possible() {
            return Err(damaged("shard"));
        }
        let (total_chunks, games) = (number("chunks")?, number("games")?);
        Ok(Some(Manifest { connection, path, options, analysis, shard, total_chunks, games, _copy: copy }))
    }

    /// Plans a part of an analysis: divides the positions of the games into chunks, and writes those of the part.
    ///
    /// # Errors
    /// If there is no position, another part in the folder is of another analysis, or the manifest exists or cannot be
    /// written.
    pub fn plan(
        folder: &Path,
        shard: Shard,
        options: &AnalysisOptions,
        games: impl Iterator<Item = PlannedGame>,
    ) -> Result<Manifest, QueueError> {
        let path = shard.path(folder);
        let mut connection =
            connect(&path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)?;
        let in_database = |error| database_error(&path, error);
        // Everything is written at once, so that an interrupted planning leaves nothing.
        let transaction = connection.transaction().map_err(in_database)?;
        let mut planner = Planner { transaction: &transaction, options, shard, chunks: 0 };
        let analysis = planner.plan(games).map_err(in_database)?;
        if planner.chunks == 0 {
            return Err(QueueError::NoPositions);
        }
        Manifest::check_others(folder, shard, &analysis)?;
        transaction.commit().map_err(in_database)?;
        Manifest::read(path.clone(), connection, None)?.ok_or(QueueError::NoAnalysis { path })
    }

    /// Checks that this is the manifest of an analysis of these games with these options. Their files may have other
    /// names.
    ///
    /// # Errors
    /// If it is not; the error names what differs.
    pub fn check(
        &self,
        options: &AnalysisOptions,
        games: impl Iterator<Item = PlannedGame>,
    ) -> Result<(), QueueError> {
        self.check_options(options)?;
        let mut digest = AnalysisDigest::new(options);
        games.for_each(|game| digest.add_game(&game));
        self.check_analysis(&digest.finish())
    }

    /// Checks that this is the manifest of an analysis with these options.
    ///
    /// # Errors
    /// If it is not; the error names what differs.
    pub(crate) fn check_options(&self, options: &AnalysisOptions) -> Result<(), QueueError> {
        Ok(check_identity(&self.path, &identity(&self.options), &identity(options), &identity::TERMS)?)
    }

    fn check_analysis(&self, analysis: &str) -> Result<(), QueueError> {
        if self.analysis == analysis {
            return Ok(());
        }
        let found = "an analysis of other games, or of games that have changed since".to_owned();
        Err(OtherRunError { path: self.path.clone(), found, advice: identity::TERMS.advice }.into())
    }

    /// Checks everything in the manifest: its structure, the checksum of each row, and the number of its rows.
    ///
    /// # Errors
    /// If something is damaged; the error says how the analysis goes on.
    pub fn verify(&self) -> Result<(), QueueError> {
        let count = |table: &str| -> rusqlite::Result<u64> {
            self.connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0))
        };
        let find = || {
            let chunks = self.shard.chunk_count(self.total_chunks);
            Ok(match checksums::find_damage(&self.connection)? {
                Some(what) => Some(what),
                None if count("chunks")? != chunks => Some("chunks are missing".to_owned()),
                None if count("games")? != self.games => Some("games are missing".to_owned()),
                None => None,
            })
        };
        match find().map_err(|error| self.error(error))? {
            Some(what) => Err(self.damaged(&what)),
            None => Ok(()),
        }
    }

    /// Checks that the other parts in a folder are of the analysis with this hash.
    ///
    /// # Errors
    /// If one is not, or cannot be read.
    pub(crate) fn check_others(folder: &Path, shard: Shard, analysis: &str) -> Result<(), QueueError> {
        let others = Manifest::open_parts(folder, |other| other != shard)?;
        others.iter().try_for_each(|other| other.check_analysis(analysis))
    }

    /// Returns the options of the analysis.
    pub fn options(&self) -> &AnalysisOptions {
        &self.options
    }

    /// Returns the hash of the options and games; the parts of an analysis have the same.
    pub fn analysis(&self) -> &str {
        &self.analysis
    }

    /// Returns the part of the analysis.
    pub fn shard(&self) -> Shard {
        self.shard
    }

    /// Returns the number of chunks of all parts.
    pub fn total_chunks(&self) -> u64 {
        self.total_chunks
    }

    /// Returns the error of a damaged manifest, with the way out.
    pub(crate) fn damaged(&self, what: &str) -> QueueError {
        damaged(&self.path, what)
    }

    /// Returns the error of the database with its path.
    pub(crate) fn error(&self, error: rusqlite::Error) -> QueueError {
        database_error(&self.path, error)
    }

    /// Returns a game by its number in the input.
    ///
    /// # Errors
    /// If it cannot be read, or belongs to another part.
    pub fn game(&self, number: u64) -> Result<PlannedGame, QueueError> {
        game(&self.connection, number).map_err(|error| self.error(error))
    }

    /// Returns the numbers of the games of this part of which no position is analysed, in order.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn games_without_positions(&self) -> Result<Vec<u64>, QueueError> {
        let query =
            format!("SELECT number FROM games WHERE number NOT IN ({GAMES_OF_CHUNKS}) ORDER BY number");
        let read = || {
            let mut statement = self.connection.prepare(&query)?;
            statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()
        };
        read().map_err(|error| self.error(error))
    }

    /// Returns the chunk with this number, as workers need it.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn chunk(&self, number: u64) -> Result<Chunk, QueueError> {
        let query = "SELECT id, games FROM chunks WHERE number = ?";
        let row = self.connection.query_row(query, [number], |row| Ok((row.get(0)?, row.get(1)?)));
        let (id, games): (String, String) = row.map_err(|error| self.error(error))?;
        let in_chunk = |what: &dyn Display| self.damaged(&format!("chunk {number}: {what}"));
        let games: ChunkGames = serde_json::from_str(&games).map_err(|error| in_chunk(&error))?;
        let chunk = build_chunk(&self.connection, &self.options, games).map_err(|error| self.error(error))?;
        if chunk.id() == id { Ok(chunk) } else { Err(in_chunk(&"its games have changed")) }
    }

    /// Returns the chunks of this part in order.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn chunks(&self) -> Result<Vec<ChunkRow>, QueueError> {
        let query = "SELECT number, id, state, attempts, reason, json_extract(games, '$[0][0]')
                     FROM chunks ORDER BY number";
        let read = |row: &Row<'_>| {
            Ok(ChunkRow {
                number: row.get(0)?,
                id: row.get(1)?,
                state: row.get(2)?,
                attempts: row.get(3)?,
                reason: row.get(4)?,
                first_game: row.get(5)?,
            })
        };
        let rows = || self.connection.prepare(query)?.query_map([], read)?.collect::<rusqlite::Result<_>>();
        rows().map_err(|error| self.error(error))
    }
}

/// Returns the error of a database that SQLite cannot read or write.
fn database_error(path: &Path, error: rusqlite::Error) -> QueueError {
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => damaged(path, &error.to_string()),
        _ => QueueError::Database { path: path.to_owned(), error },
    }
}

/// Returns the error of a damaged database, with the way out.
fn damaged(path: &Path, what: &str) -> QueueError {
    let what = format!(
        "it is damaged ({what}): remove it and run the same `alfil analyse` again, with --force if its results were \
         merged; it searches only the chunks without an intact result"
    );
    QueueError::Damaged { path: path.to_owned(), what }
}

fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, QueueError> {
    let open = || {
        let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        checksums::register(&connection)?;
        // WAL: readers such as `alfil status` do not wait. FULL: an acknowledgement is on the disk before it returns.
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        Ok(connection)
    };
    open().map_err(|error| database_error(path, error))
}

/// Returns whether an error of SQLite may be that a file or its folder cannot be written.
fn is_unwritable(error: &rusqlite::Error) -> bool {
    use ErrorCode::{CannotOpen, PermissionDenied, ReadOnly};
    matches!(error.sqlite_error_code(), Some(CannotOpen | PermissionDenied | ReadOnly))
}

/// Connects to a database in a folder that cannot be written. In the mode WAL, SQLite would write there to read. A
/// database with a rest in its log is read from a copy, the folder of which is returned.
fn connect_unchanged(path: &Path) -> Result<(Connection, Option<TempDir>), QueueError> {
    let ending = |ending: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    };
    let log = ending("-wal");
    if std::fs::metadata(&log).is_ok_and(|log| log.len() > 0) {
        let copy = || {
            let folder = tempfile::tempdir()?;
            let copied = folder.path().join("queue.sqlite");
            std::fs::copy(path, &copied)?;
            std::fs::copy(&log, folder.path().join("queue.sqlite-wal"))?;
            Ok((folder, copied))
        };
        let (folder, copied) = copy().map_err(|error| QueueError::File { path: path.to_owned(), error })?;
        return Ok((connect(&copied, OpenFlags::SQLITE_OPEN_READ_WRITE)?, Some(folder)));
    }
    let address = path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let open = || {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let address = format!("file:{address}?immutable=1");
        let connection = Connection::open_with_flags(address, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        checksums::register(&connection)?;
        Ok(connection)
    };
    open().map(|connection| (connection, None)).map_err(|error| database_error(path, error))
}

/// Writes the tables of a new manifest.
struct Planner<'a> {
    transaction: &'a Transaction<'a>,
    options: &'a AnalysisOptions,
    shard: Shard,
    chunks: u64,
}

impl Planner<'_> {
    /// Writes games, chunks and options; returns the hash of the analysis.
    fn plan(&mut self, games: impl Iterator<Item = PlannedGame>) -> rusqlite::Result<String> {
        self.transaction.execute_batch(TABLES)?;
        checksums::create_triggers(self.transaction)?;
        let mut digest = AnalysisDigest::new(self.options);
        let mut plies = Vec::new();
        for (number, game) in (0_u64..).zip(games) {
            digest.add_game(&game);
            plies.push(game.moves.len());
            let mut insert = self
                .transaction
                .prepare_cached("INSERT INTO games VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, NULL)")?;
            let PlannedGame { file, file_number, game, start, moves, record, error } = game;
            insert.execute(params![
                number,
                file,
                file_number,
                game,
                start,
                moves.join(" "),
                record,
                error
            ])?;
        }
        self.write_chunks(&plies)?;
        if self.shard != Shard::WHOLE {
            // The first part has the games of which no position is analysed.
            let is_unanalysed = |&number: &usize| self.options.analysed_plies(plies[number]).next().is_none();
            let kept: Vec<_> = match self.shard.index {
                1 => (0..plies.len()).filter(is_unanalysed).collect(),
                _ => Vec::new(),
            };
            let kept = serde_json::to_string(&kept).expect("plain data can be written as JSON");
            let delete = format!(
                "DELETE FROM games WHERE number NOT IN ({GAMES_OF_CHUNKS})
                 AND number NOT IN (SELECT value FROM json_each(?1))"
            );
            self.transaction.execute(&delete, [kept])?;
        }
        let games: u64 = self.transaction.query_row("SELECT count(*) FROM games", [], |row| row.get(0))?;
        let options = serde_json::to_string(self.options).expect("plain data can be written as JSON");
        let analysis = digest.finish();
        for (key, value) in [
            ("format", FORMAT.to_string()),
            ("options", options),
            ("analysis", analysis.clone()),
            ("shard", self.shard.index.to_string()),
            ("shards", self.shard.count.to_string()),
            ("chunks", self.chunks.to_string()),
            ("games", games.to_string()),
        ] {
            self.transaction.execute("INSERT INTO meta (key, value) VALUES (?1, ?2)", [key, &value])?;
        }
        Ok(analysis)
    }

    /// Divides the positions into chunks. `plies` has the number of moves of every game.
    fn write_chunks(&mut self, plies: &[usize]) -> rusqlite::Result<()> {
        let analysed = |plies: usize| self.options.analysed_plies(plies);
        let total = plies.iter().map(|&plies| analysed(plies).count() as u64).sum();
        let max_positions = self.options.chunk_positions(total);
        let (mut games, mut positions) = (ChunkGames::new(), 0);
        for (number, &plies) in (0..).zip(plies) {
            for ply in self.options.analysed_plies(plies) {
                match games.last_mut() {
                    Some((last, plies)) if *last == number => plies.push(ply),
                    _ => games.push((number, vec![ply])),
                }
                positions += 1;
                if positions == max_positions {
                    self.write_chunk(std::mem::take(&mut games), positions)?;
                    positions = 0;
                }
            }
        }
        if positions > 0 {
            self.write_chunk(games, positions)?;
        }
        Ok(())
    }

    fn write_chunk(&mut self, games: ChunkGames, positions: u64) -> rusqlite::Result<()> {
        let number = self.chunks;
        self.chunks += 1;
        if !self.shard.contains(number) {
            return Ok(());
        }
        let text = serde_json::to_string(&games).expect("plain data can be written as JSON");
        let id = build_chunk(self.transaction, self.options, games)?.id();
        let insert = "INSERT INTO chunks (number, id, games, positions) VALUES (?1, ?2, ?3, ?4)";
        self.transaction.prepare_cached(insert)?.execute(params![number, id, text, positions])?;
        Ok(())
    }
}

fn build_chunk(
    connection: &Connection,
    options: &AnalysisOptions,
    games: ChunkGames,
) -> rusqlite::Result<Chunk> {
    let complete = |(index, plies): (u64, Vec<usize>)| {
        let PlannedGame { game, start, mut moves, .. } = game(connection, index)?;
        moves.truncate(plies.last().copied().unwrap_or(0));
        Ok(ChunkGame { index, game, start, moves, plies })
    };
    let games = games.into_iter().map(complete).collect::<rusqlite::Result<_>>()?;
    Ok(Chunk { options: options.clone(), games })
}

fn game(connection: &Connection, number: u64) -> rusqlite::Result<PlannedGame> {
    let query = "SELECT file, file_number, game, start, moves, record, error FROM games WHERE number = ?";
    connection.prepare_cached(query)?.query_row([number], |row| {
        let moves: String = row.get(4)?;
        Ok(PlannedGame {
            file: row.get(0)?,
            file_number: row.get(1)?,
            game: row.get(2)?,
            start: row.get(3)?,
            moves: moves.split_whitespace().map(str::to_owned).collect(),
            record: row.get(5)?,
            error: row.get(6)?,
        })
    })
}

#[cfg(test)]
pub(crate) mod tests;
