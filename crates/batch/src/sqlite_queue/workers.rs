//! What a manifest says of the workers of an analysis.

use std::collections::BTreeMap;

use rusqlite::params;

use crate::manifest::Manifest;
use crate::queue::QueueError;

/// The time over which the rate of an analysis is measured, in milliseconds.
const RATE_MS: u64 = 300_000;

/// What a worker has done and does. In an analysis without a server each thread is a worker.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkerStatus {
    /// The name.
    pub name: String,
    /// The number of chunks that have their result from it.
    pub done: u64,
    /// The number of positions of these chunks.
    pub positions_done: u64,
    /// The number of chunks that it has now.
    pub running: u64,
    /// The time at which it got the oldest of them, in milliseconds since 1970.
    pub leased_at: Option<u64>,
    /// The time of its last message, in milliseconds since 1970; none without a server.
    pub last_seen: Option<u64>,
    /// Why its results are not taken any more.
    pub set_aside: Option<String>,
}

/// Returns the workers of an analysis, in the order of their names.
///
/// # Errors
/// If they cannot be read.
pub fn worker_status(manifest: &Manifest) -> Result<Vec<WorkerStatus>, QueueError> {
    let of_chunks = "SELECT worker, count(*) FILTER (WHERE state = 'done'),
                     coalesce(sum(positions) FILTER (WHERE state = 'done'), 0),
                     count(*) FILTER (WHERE state = 'leased'), min(leased_at) FILTER (WHERE state = 'leased')
                     FROM chunks WHERE worker IS NOT NULL AND state IN ('done', 'leased') GROUP BY worker";
    let read = || {
        let mut workers: BTreeMap<String, WorkerStatus> = BTreeMap::new();
        let mut statement = manifest.connection.prepare(of_chunks)?;
        let rows = statement.query_map([], |row| {
            Ok(WorkerStatus {
                name: row.get(0)?,
                done: row.get(1)?,
                positions_done: row.get(2)?,
                running: row.get(3)?,
                leased_at: row.get(4)?,
                ..WorkerStatus::default()
            })
        })?;
        for worker in rows {
            let worker = worker?;
            workers.insert(worker.name.clone(), worker);
        }
        let mut statement = manifest.connection.prepare("SELECT name, last_seen, set_aside FROM workers")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let name: String = row.get(0)?;
            let worker = workers.entry(name.clone()).or_default();
            *worker = WorkerStatus { name, last_seen: row.get(1)?, set_aside: row.get(2)?, ..worker.clone() };
        }
        Ok(workers.into_values().collect())
    };
    read().map_err(|error| manifest.error(error))
}

/// Returns the positions that got a result in each second of the last five minutes before `now`, in milliseconds since
/// 1970; none if no chunk was finished then.
///
/// # Errors
/// If the manifest cannot be read.
pub fn positions_per_second(manifest: &Manifest, now: u64) -> Result<Option<f64>, QueueError> {
    let since = now.saturating_sub(RATE_MS);
    let query = "SELECT sum(positions), min(coalesce(leased_at, finished_at)) FROM chunks
                 WHERE state = 'done' AND finished_at BETWEEN ?1 AND ?2";
    let row = manifest.connection.query_row(query, params![since, now], |row| {
        Ok((row.get::<_, Option<u64>>(0)?, row.get::<_, Option<u64>>(1)?))
    });
    let (positions, first) = row.map_err(|error| manifest.error(error))?;
    let span_ms = now.saturating_sub(first.unwrap_or(now).max(since)).max(1);
    Ok(positions.map(|positions| 1_000.0 * positions as f64 / span_ms as f64))
}

/// Returns the number of chunks whose result was found twice, by different workers.
///
/// # Errors
/// If it cannot be read.
pub fn checked_chunks(manifest: &Manifest) -> Result<u64, QueueError> {
    let query = "SELECT count(*) FROM chunks WHERE state = 'done' AND checked_by IS NOT NULL";
    manifest.connection.query_row(query, [], |row| row.get(0)).map_err(|error| manifest.error(error))
}
