//! The manifest of a coordinator, whose chunks are searched by workers on other machines.

use std::collections::BTreeSet;

use rusqlite::{Connection, OptionalExtension, params};

use super::{COUNT_FAILURE, LeasedRow, SqliteQueue, write, write_result};
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

    /// Notes changes in the manifest, all or none.
    pub(crate) fn apply(&self, changes: &[RemoteChange]) -> Result<Vec<RemoteEffect>, QueueError> {
        if changes.is_empty() {
            return Ok(Vec::new());
        }
        write(&self.manifest(), |connection| {
            changes.iter().map(|change| apply_change(connection, change)).collect()
        })
    }
}

fn apply_change(connection: &Connection, change: &RemoteChange) -> rusqlite::Result<RemoteEffect> {
    match change {
        RemoteChange::Started { number, worker } => {
            let start = "UPDATE chunks SET state = 'leased', worker = ?1, lease_until = NULL
                         WHERE number = ?2 AND state IN ('pending', 'leased')";
            let started = connection.prepare_cached(start)?.execute(params![worker, number])?;
            Ok(if started > 0 { RemoteEffect::Started } else { RemoteEffect::Nothing })
        }
        RemoteChange::Done { number, worker, nodes } => {
            let finish = "UPDATE chunks SET state = 'done', worker = ?1, nodes = ?2, reason = NULL
                          WHERE number = ?3 AND state <> 'done'";
            let finished = connection.prepare_cached(finish)?.execute(params![worker, nodes, number])?;
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
