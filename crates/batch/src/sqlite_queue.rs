//! The queue of one process: chunks and leases are in the manifest, results in files beside it.

#[cfg(feature = "nats")]
pub(crate) mod remote;
mod workers;

pub use workers::{WorkerStatus, checked_chunks, positions_per_second, worker_status};

use std::collections::HashSet;
use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::analysis_folder::result_folder;
use crate::chunk::AnalysisOptions;
use crate::manifest::{ChunkRow, ChunkState, Manifest, PlannedGame, Shard};
use crate::queue::{
    AfterFailure, ChunkResult, LEASE_MS, Lease, MAX_ATTEMPTS, QueueCounts, QueueError, ResultError, WorkQueue,
};
use crate::run_identity::OtherRunError;

/// The reason of a chunk whose worker did not renew its lease.
const EXPIRED: &str = "the worker did not report progress: its lease expired";
/// The reason of a chunk that a process did not finish.
const INTERRUPTED: &str = "the process ended while it searched the chunk";

/// Counts a failed attempt of the chunks of a condition, which follows. `?1` is the reason, `?2` [`MAX_ATTEMPTS`].
const COUNT_FAILURE: &str = "UPDATE chunks SET attempts = attempts + 1, reason = ?1,
    state = CASE WHEN attempts + 1 >= ?2 THEN 'failed' ELSE 'pending' END WHERE";

/// The number of attempts to get the lock of a queue, and the time between them.
const LOCK_ATTEMPTS: u32 = 10;
const LOCK_DELAY: Duration = Duration::from_millis(50);

/// The extension of results that are being written.
const PART: &str = "part";

/// Returns the time in milliseconds since 1970 as it was at the start of the process, and as it has gone on since: a
/// clock that is set does not end leases. The times of other processes may differ, so [`SqliteQueue::open`] frees the
/// leases of ended processes whatever their time.
pub type Clock = Box<dyn Fn() -> u64 + Send + Sync>;

/// A queue in the folder of an analysis, with the lock that keeps other processes away.
pub struct SqliteQueue {
    manifest: Mutex<Manifest>,
    folder: PathBuf,
    clock: Clock,
    /// The chunks whose results were damaged when the queue was opened, with what was wrong.
    damaged_results: Vec<(u64, ResultError)>,
    /// The lock ends with the process, however it ends.
    _lock: File,
}

impl SqliteQueue {
    /// Opens the queue of a part of an analysis: the one that is there, if it is of the same games and options, or a
    /// new one. Chunks that an ended process had are free again.
    ///
    /// # Errors
    /// If another process works on the queue, it or another part in the folder is of another analysis, or one cannot be
    /// read or written.
    pub fn open(
        folder: &Path,
        shard: Shard,
        clock: Clock,
        plan: (&AnalysisOptions, impl Iterator<Item = PlannedGame>),
    ) -> Result<SqliteQueue, QueueError> {
        let (options, games) = plan;
        check_writable(folder)?;
        let results = result_folder(folder);
        fs::create_dir_all(&results).map_err(|error| QueueError::File { path: results, error })?;
        let lock = lock(lock_path(folder, shard))?;
        check_division(folder, shard, options)?;
        let manifest = match Manifest::open(folder, shard)? {
            Some(manifest) if manifest.shard() != shard => {
                let what = "it is a copy of another part: remove it".to_owned();
                return Err(QueueError::Damaged { path: shard.path(folder), what });
            }
            Some(manifest) => {
                manifest.verify()?;
                manifest.check(options, games)?;
                Manifest::check_others(folder, shard, manifest.analysis())?;
                manifest
            }
            None => Manifest::plan(folder, shard, options, games)?,
        };
        let mut queue = SqliteQueue {
            manifest: Mutex::new(manifest),
            folder: folder.to_owned(),
            clock,
            damaged_results: Vec::new(),
            _lock: lock,
        };
        queue.damaged_results = queue.recover()?;
        Ok(queue)
    }

    /// Frees the chunks of ended processes, removes unfinished results, and makes the states of the chunks those of
    /// their results: a chunk whose result is lost or damaged is searched again, and one whose result is there is done,
    /// as after the loss of a manifest. Returns the chunks whose results are damaged.
    fn recover(&self) -> Result<Vec<(u64, ResultError)>, QueueError> {
        let manifest = self.manifest();
        let chunks = manifest.chunks()?;
        self.remove_unfinished(&chunks)?;
        // The workers of a server are other processes, without a lease here: they may be searching the chunks still.
        let free = "UPDATE chunks SET state = 'pending', worker = NULL, interruptions = interruptions + 1,
                    reason = ? WHERE state = 'leased' AND lease_until IS NOT NULL";
        manifest.connection.execute(free, [INTERRUPTED]).map_err(|error| manifest.error(error))?;
        let free =
            "UPDATE chunks SET state = 'pending', worker = NULL, lease_until = NULL WHERE state = 'leased'";
        manifest.connection.execute(free, []).map_err(|error| manifest.error(error))?;
        let mut damaged = Vec::new();
        let mut changed = Vec::new();
        for chunk in chunks {
            let is_done = chunk.state == ChunkState::Done;
            let path = result_path(&self.folder, &chunk.id);
            let result = match fs::read(&path) {
                Ok(bytes) => Some(ChunkResult::from_bytes(bytes, &manifest.chunk(chunk.number)?)),
                Err(error) if error.kind() == ErrorKind::NotFound => None,
                Err(error) => return Err(QueueError::File { path, error }),
            };
            match result {
                Some(Ok(result)) if !is_done => changed.push((chunk.number, "done", result.nodes)),
                Some(Err(error)) if is_done => damaged.push((chunk.number, error)),
                None if is_done => changed.push((chunk.number, "pending", 0)),
                _ => {}
            }
        }
        changed.extend(damaged.iter().map(|(number, _)| (*number, "pending", 0)));
        write(&manifest, |connection| {
            let mut set = connection.prepare("UPDATE chunks SET state = ?2, nodes = ?3 WHERE number = ?1")?;
            changed.iter().try_for_each(|values| set.execute(*values).map(drop))
        })?;
        Ok(damaged)
    }

    /// Returns the numbers of the chunks whose results were damaged when the queue was opened, with what was wrong.
    /// They are searched again.
    pub fn damaged_results(&self) -> &[(u64, ResultError)] {
        &self.damaged_results
    }

    /// Removes the unfinished results of these chunks. The processes of other parts of the analysis may be writing
    /// theirs to the same folder.
    fn remove_unfinished(&self, chunks: &[ChunkRow]) -> Result<(), QueueError> {
        let folder = result_folder(&self.folder);
        let ids: HashSet<&str> = chunks.iter().map(|chunk| chunk.id.as_str()).collect();
        let is_own = |path: &Path| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            ids.contains(name.split('.').next().unwrap_or_default())
        };
        let remove = || {
            for entry in fs::read_dir(&folder)? {
                let path = entry?.path();
                if path.extension().is_some_and(|extension| extension == PART) && is_own(&path) {
                    fs::remove_file(path)?;
                }
            }
            Ok(())
        };
        remove().map_err(|error| QueueError::File { path: folder.clone(), error })
    }

    /// Gives the failed chunks to workers again; returns their number.
    ///
    /// # Errors
    /// If the queue cannot be written.
    pub fn retry_failed(&self) -> Result<usize, QueueError> {
        let manifest = self.manifest();
        let reset = "UPDATE chunks SET state = 'pending', attempts = 0 WHERE state IN ('failed', 'poisoned')";
        manifest.connection.execute(reset, []).map_err(|error| manifest.error(error))
    }

    /// Returns the manifest. Workers wait until the guard is dropped.
    pub fn manifest(&self) -> MutexGuard<'_, Manifest> {
        // A statement that panicked has left the database valid.
        self.manifest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns what the queue holds.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn counts(&self) -> Result<QueueCounts, QueueError> {
        counts(&self.manifest())
    }

    /// Counts the leases that have expired as failed attempts.
    fn expire(connection: &Connection, now: u64) -> rusqlite::Result<()> {
        let expire = format!("{COUNT_FAILURE} state = 'leased' AND lease_until < ?3");
        connection.prepare_cached(&expire)?.execute(params![EXPIRED, MAX_ATTEMPTS, now]).map(drop)
    }
}

/// The row of a chunk that is leased.
struct LeasedRow {
    number: u64,
    id: String,
    failed_attempts: u32,
    interruptions: u32,
}

impl LeasedRow {
    /// Reads the columns `number`, `id`, `attempts`, `interruptions`.
    fn read(row: &Row<'_>) -> rusqlite::Result<LeasedRow> {
        Ok(LeasedRow {
            number: row.get(0)?,
            id: row.get(1)?,
            failed_attempts: row.get(2)?,
            interruptions: row.get(3)?,
        })
    }

    fn into_lease(self, manifest: &Manifest, worker: &str) -> Result<Lease, QueueError> {
        let LeasedRow { number, id, failed_attempts, interruptions } = self;
        let chunk = manifest.chunk(number)?;
        let is_suspect = failed_attempts + interruptions > 0;
        Ok(Lease { id, number, chunk, worker: worker.to_owned(), failed_attempts, is_suspect })
    }
}

impl WorkQueue for SqliteQueue {
    fn lease(&self, worker: &str) -> Result<Option<Lease>, QueueError> {
        let now = (self.clock)();
        let manifest = self.manifest();
        let row = write(&manifest, |connection| {
            SqliteQueue::expire(connection, now)?;
            let next = "SELECT number FROM chunks WHERE state = 'pending' ORDER BY number LIMIT 1";
            let next: Option<u64> =
                connection.prepare_cached(next)?.query_row([], |row| row.get(0)).optional()?;
            let Some(next) = next else { return Ok(None) };
            // The state stands in the row and in an index. If they differ, no row is found here: the queue is damaged.
            let take = "UPDATE chunks SET state = 'leased', worker = ?1, lease_until = ?2, leased_at = ?4
                        WHERE number = ?3 AND +state = 'pending'
                        RETURNING number, id, attempts, interruptions";
            let values = params![worker, now + LEASE_MS, next, now];
            connection
                .prepare_cached(take)?
                .query_row(values, LeasedRow::read)
                .optional()
                .map(|row| Some((next, row)))
        })?;
        match row {
            Some((_, Some(row))) => row.into_lease(&manifest, worker).map(Some),
            Some((next, None)) => {
                Err(manifest.damaged(&format!("the state of chunk {next} is wrong in an index")))
            }
            None => Ok(None),
        }
    }

    fn report_progress(&self, lease: &Lease) -> Result<bool, QueueError> {
        let until = (self.clock)() + LEASE_MS;
        let manifest = self.manifest();
        let renew =
            "UPDATE chunks SET lease_until = ?1 WHERE number = ?2 AND state = 'leased' AND worker = ?3";
        let renewed = manifest.connection.execute(renew, params![until, lease.number, lease.worker]);
        Ok(renewed.map_err(|error| manifest.error(error))? > 0)
    }

    fn acknowledge(&self, lease: &Lease, result: &ChunkResult) -> Result<bool, QueueError> {
        write_result(&self.folder, &lease.id, &lease.worker, &result.bytes)?;
        let manifest = self.manifest();
        let finish =
            "UPDATE chunks SET state = 'done', worker = ?1, nodes = ?2, finished_at = ?4, reason = NULL
                      WHERE number = ?3 AND state <> 'done'";
        let values = params![lease.worker, result.nodes, lease.number, (self.clock)()];
        let finished = manifest.connection.execute(finish, values);
        Ok(finished.map_err(|error| manifest.error(error))? > 0)
    }

    fn fail(&self, lease: &Lease, reason: &str) -> Result<AfterFailure, QueueError> {
        let chunk = "number = ?3 AND state = 'leased' AND worker = ?4 RETURNING state = 'failed'";
        let fail = format!("{COUNT_FAILURE} {chunk}");
        let values = params![reason, MAX_ATTEMPTS, lease.number, lease.worker];
        let failed = write(&self.manifest(), |connection| {
            connection.query_row(&fail, values, |row| row.get::<_, bool>(0)).optional()
        });
        Ok(match failed? {
            Some(true) => AfterFailure::Failed,
            Some(false) => AfterFailure::Retried,
            None => AfterFailure::NotLeased,
        })
    }

    fn give_back(&self, lease: &Lease) {
        let free = "UPDATE chunks SET state = 'pending', worker = NULL
                    WHERE number = ?1 AND state = 'leased' AND worker = ?2";
        // A chunk that stays leased is free when its lease ends.
        let _ = self.manifest().connection.execute(free, params![lease.number, lease.worker]);
    }
}

/// Runs statements in a transaction, all or none. Outside of one, a statement that returns rows is committed when it is
/// reset, and the error of that commit, such as a full disk, is lost.
fn write<T>(
    manifest: &Manifest,
    work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
) -> Result<T, QueueError> {
    let write = || {
        let transaction = manifest.connection.unchecked_transaction()?;
        let done = work(&transaction)?;
        transaction.commit()?;
        Ok(done)
    };
    write().map_err(|error| manifest.error(error))
}

/// Returns what a manifest holds.
///
/// # Errors
/// If it cannot be read.
pub fn counts(manifest: &Manifest) -> Result<QueueCounts, QueueError> {
    let query = "SELECT count(*) FILTER (WHERE state = 'pending'), count(*) FILTER (WHERE state = 'leased'),
                 count(*) FILTER (WHERE state = 'done'),
                 count(*) FILTER (WHERE state IN ('failed', 'poisoned')),
                 coalesce(sum(positions), 0), coalesce(sum(positions) FILTER (WHERE state = 'done'), 0),
                 coalesce(sum(nodes), 0) FROM chunks";
    let counts = manifest.connection.query_row(query, [], |row| {
        Ok(QueueCounts {
            pending: row.get(0)?,
            leased: row.get(1)?,
            done: row.get(2)?,
            failed: row.get(3)?,
            positions: row.get(4)?,
            positions_done: row.get(5)?,
            nodes: row.get(6)?,
        })
    });
    counts.map_err(|error| manifest.error(error))
}

/// Returns whether a process works on a part of an analysis now.
///
/// # Errors
/// If the lock cannot be opened.
pub fn is_active(folder: &Path, shard: Shard) -> Result<bool, QueueError> {
    let path = lock_path(folder, shard);
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(QueueError::File { path, error }),
    };
    match file.try_lock_shared() {
        Ok(()) => Ok(false),
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(error)) => Err(QueueError::File { path, error }),
    }
}

/// Checks that files can be created in a folder: SQLite says of one that is read-only that it cannot open the database.
fn check_writable(folder: &Path) -> Result<(), QueueError> {
    match tempfile::tempfile_in(folder) {
        Err(error) if matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem) => {
            Err(QueueError::ReadOnly { path: folder.to_owned(), error })
        }
        // What else is wrong is said when it is met.
        _ => Ok(()),
    }
}

fn lock_path(folder: &Path, shard: Shard) -> PathBuf {
    shard.path(folder).with_extension("lock")
}

fn lock(path: PathBuf) -> Result<File, QueueError> {
    let file = File::create(&path).map_err(|error| QueueError::File { path: path.clone(), error })?;
    let mut attempts = 0;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            // `alfil status` has the lock for a moment.
            Err(TryLockError::WouldBlock) if attempts < LOCK_ATTEMPTS => attempts += 1,
            Err(TryLockError::WouldBlock) => return Err(QueueError::Locked { path }),
            Err(TryLockError::Error(error)) => return Err(QueueError::File { path, error }),
        }
        alfil_engine::threads::sleep(LOCK_DELAY);
    }
}

/// Checks that the other queues of a folder are parts of the same number of parts and have the same options. Whether
/// their games are the same is known only after the games are read.
fn check_division(folder: &Path, shard: Shard, options: &AnalysisOptions) -> Result<(), QueueError> {
    let others = Manifest::open_parts(folder, |other| other != shard)?;
    let Some(other) = others.iter().find(|other| other.shard().count != shard.count) else {
        return others.iter().try_for_each(|other| other.check_options(options));
    };
    let found = match other.shard().count {
        1 => "an analysis that is not divided with --shard".to_owned(),
        count => format!("a part of an analysis divided into {count} parts with --shard"),
    };
    Err(OtherRunError { path: folder.to_owned(), found, advice: "use another folder" }.into())
}

/// Returns the path of the result of a chunk.
pub fn result_path(folder: &Path, id: &str) -> PathBuf {
    result_folder(folder).join(format!("{id}.jsonl"))
}

/// Writes a result to a temporary file and renames it, so that a file with the name of a result is complete.
fn write_result(folder: &Path, id: &str, worker: &str, bytes: &[u8]) -> Result<(), QueueError> {
    let path = result_path(folder, id);
    let temporary = path.with_extension(format!("{worker}.{PART}"));
    let write = || {
        let mut file = File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, &path)
    };
    write().map_err(|error| QueueError::File { path, error })
}

#[cfg(test)]
mod tests;
