//! Threads that take chunks from a queue, search them and return their results, until the queue has none.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use alfil_engine::threads::SystemThreads;
use alfil_session::Workers;
use alfil_session::workers::panic_message;

use crate::analysis::{AnalysisError, analyse_chunk};
use crate::queue::{AfterFailure, ChunkResult, Lease, QueueError, WorkQueue};

/// The reason why a chunk has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChunkFailure {
    /// The chunk failed for this reason: the attempt counts.
    Failed(String),
    /// This worker cannot search chunks, for a reason that is not in the chunk: it must end.
    Unable(String),
    /// Another worker has the chunk now.
    LeaseLost,
}

/// Searches a chunk. The function `is_wanted` is called every few seconds at least, and the search ends when it returns
/// false.
pub type ExecuteChunk<'a> =
    dyn Fn(&Lease, &mut (dyn FnMut() -> bool + Send)) -> Result<ChunkResult, ChunkFailure> + Sync + 'a;

/// Searches a chunk on the calling thread.
///
/// # Errors
/// If a game cannot be replayed, a search fails, or the lease is lost.
pub fn execute_here(
    lease: &Lease,
    is_wanted: &mut (dyn FnMut() -> bool + Send),
) -> Result<ChunkResult, ChunkFailure> {
    match analyse_chunk(&lease.chunk, is_wanted) {
        Ok(positions) => Ok(ChunkResult::from_positions(&positions)),
        Err(AnalysisError::LeaseLost) => Err(ChunkFailure::LeaseLost),
        Err(AnalysisError::Memory(error)) => Err(ChunkFailure::Unable(error.to_string())),
        Err(error) => Err(ChunkFailure::Failed(error.to_string())),
    }
}

/// What happened to a chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChunkEvent {
    /// It has a result; `is_counted` is false if it had one before.
    Done {
        /// The number of positions.
        positions: u64,
        /// The number of nodes searched.
        nodes: u64,
        /// The time spent on the search.
        search_time: Duration,
        /// Whether the result is the first one of the chunk.
        is_counted: bool,
    },
    /// An attempt failed.
    AttemptFailed {
        /// The number of the chunk.
        number: u64,
        /// The reason.
        reason: String,
        /// Whether this was the last attempt, after which the chunk has failed.
        is_last: bool,
    },
}

/// Runs `threads` workers until the queue has no chunk for them. `on_event` receives what happens, on their threads.
///
/// # Errors
/// The first error of the queue, or of a worker that cannot search, ends every worker after its chunk.
pub fn run_workers(
    queue: &dyn WorkQueue,
    threads: usize,
    name: &str,
    execute: &ExecuteChunk<'_>,
    on_event: &(dyn Fn(ChunkEvent) + Sync),
) -> Result<(), QueueError> {
    let error: Mutex<Option<QueueError>> = Mutex::new(None);
    let lock = || error.lock().unwrap_or_else(PoisonError::into_inner);
    let work = |number: usize| {
        let worker = format!("{name}-{number}");
        while lock().is_none() {
            match work_on_next(queue, &worker, execute, on_event) {
                Ok(true) => {}
                Ok(false) => return,
                Err(failed) => {
                    lock().get_or_insert(failed);
                }
            }
        }
    };
    // The calling thread waits, because searches need the stack of a search thread.
    SystemThreads.run(threads.max(1), &mut || (), &work);
    let failed = lock().take();
    failed.map_or(Ok(()), Err)
}

/// Takes a chunk and searches it; false if the queue has none.
fn work_on_next(
    queue: &dyn WorkQueue,
    worker: &str,
    execute: &ExecuteChunk<'_>,
    on_event: &(dyn Fn(ChunkEvent) + Sync),
) -> Result<bool, QueueError> {
    let Some(lease) = queue.lease(worker)? else { return Ok(false) };
    let start = alfil_engine::now();
    let mut queue_error = None;
    let mut is_wanted = || match queue.report_progress(&lease) {
        Ok(is_leased) => is_leased,
        Err(error) => {
            queue_error = Some(error);
            false
        }
    };
    let result = catch_unwind(AssertUnwindSafe(|| execute(&lease, &mut is_wanted)));
    if let Some(error) = queue_error {
        return Err(error);
    }
    let search_time = alfil_engine::now() - start;
    let reason = match result {
        Ok(Ok(result)) => {
            let is_counted = queue.acknowledge(&lease, &result)?;
            let ChunkResult { positions, nodes, .. } = result;
            on_event(ChunkEvent::Done { positions, nodes, search_time, is_counted });
            return Ok(true);
        }
        Ok(Err(ChunkFailure::LeaseLost)) => return Ok(true),
        Ok(Err(ChunkFailure::Unable(reason))) => return Err(QueueError::Worker(reason)),
        Ok(Err(ChunkFailure::Failed(reason))) => reason,
        Err(panic) => format!("an internal error: {}", panic_message(&*panic)),
    };
    let is_last = queue.fail(&lease, &reason)? == AfterFailure::Failed;
    on_event(ChunkEvent::AttemptFailed { number: lease.number, reason, is_last });
    Ok(true)
}
