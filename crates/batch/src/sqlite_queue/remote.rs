//! The manifest of a coordinator, whose chunks are searched by workers on other machines.

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;

use rusqlite::{Connection, OptionalExtension, params};

use super::{COUNT_FAILURE, LeasedRow, SqliteQueue, result_path, write, write_result};
use crate::queue::{ChunkResult, Lease, MAX_ATTEMPTS, QueueError};

/// Something that happened to a chunk on another machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RemoteChange {
    /// A worker has it.
    Started { number: u64, worker: String },
    /// Its result is stored.
    Done { number: u64, worker: String, nodes: u64 },
    /// An attempt failed. It counts if `failed_attempts` failed before, so that a report that comes twice counts once.
    Failed { number: u64, failed_attempts: u32, reason: String },
}

/// What the results of a worker that is set aside were.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Withdrawn {
    /// The numbers of the chunks, which have to be searched again.
    pub(crate) numbers: Vec<u64>,
    pub(crate) positions: u64,
    pub(crate) nodes: u64,
}

/// What a change has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RemoteEffect {
    /// Nothing: it was known.
    Nothing,
    /// The chunk has a worker.
    Started,
    /// The chunk is done, and is counted now.
    Counted,
    /// The chunk has to be tried again.
    Retried,
    /// The chunk has failed [`MAX_ATTEMPTS`] times and is not tried again.
    ChunkFailed,
}

impl SqliteQueue {
    /// Returns the name of this analysis on servers. It is chosen once, so that the same analysis in another folder has
    /// another name.
    pub(crate) fn remote_id(&self) -> Result<String, QueueError> {
        let manifest = self.manifest();
        let choose = || {
            let insert = "INSERT OR IGNORE INTO meta (key, value)
                          VALUES ('remote_id', lower(hex(randomblob(8))))";
            manifest.connection.execute(insert, [])?;
            let query = "SELECT value FROM meta WHERE key = 'remote_id'";
            manifest.connection.query_row(query, [], |row| row.get(0))
        };
        choose().map_err(|error| manifest.error(error))
    }

    /// Returns whether the analysis may have something on a server.
    pub(crate) fn has_remote_id(&self) -> Result<bool, QueueError> {
        let manifest = self.manifest();
        let query = "SELECT EXISTS (SELECT 1 FROM meta WHERE key = 'remote_id')";
        manifest.connection.query_row(query, [], |row| row.get(0)).map_err(|error| manifest.error(error))
    }

    /// Notes that the analysis has nothing on a server any more.
    pub(crate) fn delete_remote_id(&self) -> Result<(), QueueError> {
        let manifest = self.manifest();
        let delete = "DELETE FROM meta WHERE key = 'remote_id'";
        manifest.connection.execute(delete, []).map(drop).map_err(|error| manifest.error(error))
    }

    /// Returns the numbers of the chunks that have no result and have not failed.
    pub(crate) fn unfinished(&self) -> Result<BTreeSet<u64>, QueueError> {
        let manifest = self.manifest();
        let query = "SELECT number FROM chunks WHERE state NOT IN ('done', 'failed', 'poisoned')";
        let numbers = || {
            let mut statement = manifest.connection.prepare(query)?;
            statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()
        };
        numbers().map_err(|error| manifest.error(error))
    }

    /// Returns a chunk as a worker needs it.
    pub(crate) fn remote_lease(&self, number: u64) -> Result<Lease, QueueError> {
        let manifest = self.manifest();
        let query = "SELECT number, id, attempts, interruptions FROM chunks WHERE number = ?";
        let row = manifest.connection.query_row(query, [number], LeasedRow::read);
        row.map_err(|error| manifest.error(error))?.into_lease(&manifest, "coordinator")
    }

    /// Stores the result of a chunk in the folder. It counts with [`RemoteChange::Done`], which must follow.
    pub(crate) fn store_result(&self, lease: &Lease, result: &ChunkResult) -> Result<(), QueueError> {
        write_result(&self.folder, &lease.id, &lease.worker, &result.bytes)
    }

    /// Returns the stored result of a chunk; `None` if it is lost.
    pub(crate) fn stored_result(&self, lease: &Lease) -> Result<Option<Vec<u8>>, QueueError> {
        let path = result_path(&self.folder, &lease.id);
        match std::fs::read(&path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(QueueError::File { path, error }),
        }
    }

    /// Returns the number that decides which chunks are searched twice. It is chosen once, and no worker knows it.
    pub(crate) fn check_seed(&self) -> Result<u64, QueueError> {
        let manifest = self.manifest();
        let choose = || {
            let insert = "INSERT OR IGNORE INTO meta (key, value) VALUES ('check_seed', abs(random() / 2))";
            manifest.connection.execute(insert, [])?;
            let query = "SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'check_seed'";
            manifest.connection.query_row(query, [], |row| row.get(0))
        };
        choose().map_err(|error| manifest.error(error))
    }

    /// Returns the chunks whose result was found once, by a worker of the server, with its name.
    pub(crate) fn unchecked(&self) -> Result<Vec<(u64, String)>, QueueError> {
        let manifest = self.manifest();
        let query = "SELECT number, worker FROM chunks WHERE state = 'done' AND checked_by IS NULL
                     AND worker IN (SELECT name FROM workers) ORDER BY number";
        let read = || {
            let mut statement = manifest.connection.prepare(query)?;
            statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<rusqlite::Result<_>>()
        };
        read().map_err(|error| manifest.error(error))
    }

    /// Notes that another worker, or the coordinator, has found the result that is stored for a chunk. With `source`
    /// the result is a new one, of this worker.
    pub(crate) fn confirm(
        &self,
        number: u64,
        checked_by: &str,
        source: Option<(&str, u64)>,
    ) -> Result<(), QueueError> {
        let manifest = self.manifest();
        let (worker, nodes) = source.unzip();
        let confirm =
            "UPDATE chunks SET checked_by = ?2, worker = coalesce(?3, worker), nodes = coalesce(?4, nodes)
                       WHERE number = ?1 AND state = 'done'";
        let confirmed = manifest.connection.execute(confirm, params![number, checked_by, worker, nodes]);
        confirmed.map(drop).map_err(|error| manifest.error(error))
    }

    /// Notes that workers are there.
    pub(crate) fn note_workers(&self, names: &BTreeSet<String>) -> Result<(), QueueError> {
        let now = (self.clock)();
        write(&self.manifest(), |connection| {
            let mut note = connection.prepare_cached(
                "INSERT INTO workers (name, last_seen) VALUES (?1, ?2)
                 ON CONFLICT (name) DO UPDATE SET last_seen = excluded.last_seen",
            )?;
            names.iter().try_for_each(|name| note.execute(params![name, now]).map(drop))
        })
    }

    /// Returns the workers that are set aside, with the reason.
    pub(crate) fn workers_set_aside(&self) -> Result<BTreeMap<String, String>, QueueError> {
        let manifest = self.manifest();
        let query = "SELECT name, set_aside FROM workers WHERE set_aside IS NOT NULL";
        let read = || {
            let mut statement = manifest.connection.prepare(query)?;
            statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<rusqlite::Result<_>>()
        };
        read().map_err(|error| manifest.error(error))
    }

    /// Sets a worker aside: its results that no other worker has found, too, are removed.
    pub(crate) fn set_aside(&self, name: &str, reason: &str) -> Result<Withdrawn, QueueError> {
        let manifest = self.manifest();
        let of_worker = "worker = ?1 AND checked_by IS NULL";
        let query =
            format!("SELECT number, id, positions, nodes FROM chunks WHERE state = 'done' AND {of_worker}");
        let (mut withdrawn, mut ids) = (Withdrawn::default(), Vec::new());
        let mut read = || {
            let mut statement = manifest.connection.prepare(&query)?;
            let mut rows = statement.query([name])?;
            while let Some(row) = rows.next()? {
                withdrawn.numbers.push(row.get(0)?);
                ids.push(row.get::<_, String>(1)?);
                withdrawn.positions += row.get::<_, u64>(2)?;
                withdrawn.nodes += row.get::<_, u64>(3)?;
            }
            Ok(())
        };
        read().map_err(|error| manifest.error(error))?;
        // The files are first: a chunk whose file is there counts as done when the queue is opened again.
        for id in ids {
            let path = result_path(&self.folder, &id);
            match std::fs::remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(QueueError::File { path, error });
                }
                _ => {}
            }
        }
        write(&manifest, |connection| {
            let free = format!(
                "UPDATE chunks SET state = 'pending', worker = NULL, nodes = 0, finished_at = NULL
                 WHERE state IN ('done', 'leased') AND {of_worker}"
            );
            connection.execute(&free, [name])?;
            let note = "INSERT INTO workers (name, set_aside) VALUES (?1, ?2)
                        ON CONFLICT (name) DO UPDATE SET set_aside = excluded.set_aside";
            connection.execute(note, [name, reason]).map(drop)
        })?;
        Ok(withdrawn)
    }

    /// Notes changes in the manifest, all or none.
    pub(crate) fn apply(&self, changes: &[RemoteChange]) -> Result<Vec<RemoteEffect>, QueueError> {
        if changes.is_empty() {
            return Ok(Vec::new());
        }
        let now = (self.clock)();
        write(&self.manifest(), |connection| {
            changes.iter().map(|change| apply_change(connection, change, now)).collect()
        })
    }
}

fn apply_change(connection: &Connection, change: &RemoteChange, now: u64) -> rusqlite::Result<RemoteEffect> {
    match change {
        RemoteChange::Started { number, worker } => {
            let start = "UPDATE chunks SET state = 'leased', worker = ?1, lease_until = NULL, leased_at = ?3
                         WHERE number = ?2 AND state IN ('pending', 'leased')";
            let started = connection.prepare_cached(start)?.execute(params![worker, number, now])?;
            Ok(if started > 0 { RemoteEffect::Started } else { RemoteEffect::Nothing })
        }
        RemoteChange::Done { number, worker, nodes } => {
            let finish =
                "UPDATE chunks SET state = 'done', worker = ?1, nodes = ?2, finished_at = ?4, reason = NULL
                          WHERE number = ?3 AND state <> 'done'";
            let finished = connection.prepare_cached(finish)?.execute(params![worker, nodes, number, now])?;
            Ok(if finished > 0 { RemoteEffect::Counted } else { RemoteEffect::Nothing })
        }
        RemoteChange::Failed { number, failed_attempts, reason } => {
            let chunk = "number = ?3 AND attempts = ?4 AND state IN ('pending', 'leased')
                         RETURNING state = 'failed'";
            let fail = format!("{COUNT_FAILURE} {chunk}");
            let values = params![reason, MAX_ATTEMPTS, number, failed_attempts];
            let is_last: Option<bool> =
                connection.prepare_cached(&fail)?.query_row(values, |row| row.get(0)).optional()?;
            Ok(match is_last {
                None => RemoteEffect::Nothing,
                Some(true) => RemoteEffect::ChunkFailed,
                Some(false) => RemoteEffect::Retried,
            })
        }
    }
}
