//! Threads that take chunks from a queue, search them and return their results, until the queue has none.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use alfil_engine::threads::run_threads;
use alfil_session::workers::panic_message;

use crate::analysis::{AnalysisError, analyse_chunk};
use crate::queue::{AfterFailure, ChunkResult, Lease, QueueError, WorkQueue};

/// The reason why a chunk has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChunkFailure {
    /// The chunk failed for this reason: the attempt counts.
    Failed(String),
    /// This worker cannot search chunks, for a reason that is not in the chunk: it gives the chunk back and ends.
    Unable(String),
    /// Another worker has the chunk now.
    LeaseLost,
}

/// The minimum time between two renewals of a lease. The shortest lease is 3 s, and a search calls once a second.
const RENEWAL_INTERVAL: Duration = Duration::from_millis(500);

/// Searches a chunk. The function `is_wanted` is called every few seconds at least, and the search ends when it returns
/// false.
pub type ExecuteChunk<'a> =
    dyn Fn(&Lease, &mut (dyn FnMut() -> bool + Send)) -> Result<ChunkResult, ChunkFailure> + Sync + 'a;

/// Searches a chunk on the calling thread.
///
/// ```
/// use alfil_batch::chunk::{AnalysisOptions, Chunk, ChunkGame};
/// use alfil_batch::queue::Lease;
/// use alfil_batch::worker_loop::{ChunkFailure, execute_here};
/// # let options = AnalysisOptions::with_nodes("example", 100);
///
/// let game = ChunkGame { index: 0, game: "chess".into(), start: None, moves: Vec::new(), plies: vec![0] };
/// let chunk = Chunk { options, games: vec![game] };
/// let lease = Lease {
///     id: chunk.id(),
///     number: 0,
///     chunk,
///     worker: "example".into(),
///     failed_attempts: 0,
///     is_suspect: false,
/// };
/// assert_eq!(execute_here(&lease, &mut || true).unwrap().positions, 1);
/// // Another worker has got the chunk.
/// assert_eq!(execute_here(&lease, &mut || false), Err(ChunkFailure::LeaseLost));
/// ```
///
/// # Errors
/// If a game cannot be replayed, a search fails, or the lease is lost.
pub fn execute_here(
    lease: &Lease,
    is_wanted: &mut (dyn FnMut() -> bool + Send),
) -> Result<ChunkResult, ChunkFailure> {
    match analyse_chunk(&lease.chunk, is_wanted) {
        Ok(positions) => Ok(ChunkResult::from_positions(&positions, &lease.chunk)),
        Err(AnalysisError::LeaseLost) => Err(ChunkFailure::LeaseLost),
        Err(AnalysisError::Memory(error)) => Err(ChunkFailure::Unable(error.to_string())),
        Err(error) => Err(ChunkFailure::Failed(error.to_string())),
    }
}

/// What happened to a chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChunkEvent {
    /// A worker of this process begins to search it.
    Started {
        /// The number of the chunk.
        number: u64,
        /// The number of its positions.
        positions: u64,
    },
    /// It has a result; `is_counted` is false if it had one before.
    Done {
        /// The number of the chunk.
        number: u64,
        /// The number of positions.
        positions: u64,
        /// The number of nodes searched.
        nodes: u64,
        /// The time spent on the search.
        search_time: Duration,
        /// Whether the result is the first one of the chunk.
        is_counted: bool,
    },
    /// Results do not count any more, because their worker is set aside: their chunks are searched again.
    Withdrawn {
        /// The number of chunks.
        chunks: u64,
        /// The number of their positions.
        positions: u64,
        /// The number of nodes searched for them.
        nodes: u64,
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
/// ```
/// use alfil_batch::chunk::AnalysisOptions;
/// use alfil_batch::manifest::{PlannedGame, Shard};
/// use alfil_batch::source::{Source, SourceItem, SourceOptions};
/// use alfil_batch::sqlite_queue::SqliteQueue;
/// use alfil_batch::worker_loop::{execute_here, run_workers};
/// # let options = AnalysisOptions::with_nodes("example", 100);
///
/// let folder = tempfile::tempdir()?;
/// let input = folder.path().join("in.pgn");
/// std::fs::write(&input, "1. e4 e5 *\n\n1. d4 d5 2. c4 *\n")?;
/// let games = Source::open(&[input], &SourceOptions::default())?.filter_map(|item| match item {
///     SourceItem::Game(game) => PlannedGame::from_source(&game).ok(),
///     SourceItem::Fault(_) => None,
/// });
/// let queue = SqliteQueue::open(folder.path(), Shard::WHOLE, Box::new(|| 0), (&options, games))?;
/// run_workers(&queue, 2, "example", &execute_here, &|_event| ())?;
/// // Three positions of the first game, and four of the second.
/// assert_eq!(queue.counts()?.positions_done, 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    let has_worker = AtomicBool::new(false);
    let work = |number: usize| {
        has_worker.store(true, Ordering::Relaxed);
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
    run_threads(threads.max(1), &mut || (), &work);
    if !has_worker.into_inner() {
        return Err(QueueError::Worker("the system gives no thread for a search".into()));
    }
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
    on_event(ChunkEvent::Started { number: lease.number, positions: lease.chunk.positions() });
    let mut queue_error = None;
    let (mut renewed, mut is_leased): (Option<Duration>, bool) = (None, true);
    let mut is_wanted = || {
        // A queue may write each renewal to the disk, and a position may take a millisecond.
        let now = alfil_engine::now();
        if is_leased && renewed.is_none_or(|renewed| now - renewed >= RENEWAL_INTERVAL) {
            renewed = Some(now);
            is_leased = queue.report_progress(&lease).unwrap_or_else(|error| {
                queue_error = Some(error);
                false
            });
        }
        is_leased
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
            on_event(ChunkEvent::Done { number: lease.number, positions, nodes, search_time, is_counted });
            return Ok(true);
        }
        Ok(Err(ChunkFailure::LeaseLost)) => return Ok(true),
        Ok(Err(ChunkFailure::Unable(reason))) => {
            queue.give_back(&lease);
            return Err(QueueError::Worker(reason));
        }
        Ok(Err(ChunkFailure::Failed(reason))) => reason,
        Err(panic) => format!("an internal error: {}", panic_message(&*panic)),
    };
    let is_last = queue.fail(&lease, &reason)? == AfterFailure::Failed;
    on_event(ChunkEvent::AttemptFailed { number: lease.number, reason, is_last });
    Ok(true)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

    use super::*;
    use crate::chunk::tests::options;
    use crate::chunk::{Chunk, ChunkGame};

    /// A queue of one chunk, which counts the renewals of its lease.
    #[derive(Default)]
    struct CountingQueue {
        is_leased: AtomicBool,
        renewals: AtomicU32,
    }

    impl WorkQueue for CountingQueue {
        fn lease(&self, worker: &str) -> Result<Option<Lease>, QueueError> {
            if self.is_leased.swap(true, Ordering::Relaxed) {
                return Ok(None);
            }
            let moves = ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(5);
            let moves: Vec<_> = moves.into_iter().map(str::to_owned).collect();
            let plies = (0..=moves.len()).collect();
            let game = ChunkGame { index: 0, game: "chess".into(), start: None, moves, plies };
            let chunk = Chunk { options: options(100), games: vec![game] };
            let (id, worker) = (chunk.id(), worker.to_owned());
            Ok(Some(Lease { id, number: 0, chunk, worker, failed_attempts: 0, is_suspect: false }))
        }

        fn report_progress(&self, _: &Lease) -> Result<bool, QueueError> {
            self.renewals.fetch_add(1, Ordering::Relaxed);
            Ok(true)
        }

        fn acknowledge(&self, _: &Lease, result: &ChunkResult) -> Result<bool, QueueError> {
            assert_eq!(result.positions, 21);
            Ok(true)
        }

        fn fail(&self, _: &Lease, reason: &str) -> Result<AfterFailure, QueueError> {
            panic!("{reason}")
        }

        fn give_back(&self, _: &Lease) {
            panic!("the worker can search")
        }
    }

    /// A queue of one chunk. The other workers wait for a further one until it is given back.
    #[derive(Default)]
    struct WaitingQueue {
        queue: CountingQueue,
        is_given_back: AtomicBool,
    }

    impl WorkQueue for WaitingQueue {
        fn lease(&self, worker: &str) -> Result<Option<Lease>, QueueError> {
            let start = alfil_engine::now();
            let lease = self.queue.lease(worker)?;
            while lease.is_none() && !self.is_given_back.load(Ordering::SeqCst) {
                assert!(alfil_engine::now() - start < Duration::from_secs(60), "the worker waits for ever");
                std::thread::sleep(Duration::from_millis(1));
            }
            Ok(lease)
        }

        fn report_progress(&self, lease: &Lease) -> Result<bool, QueueError> {
            self.queue.report_progress(lease)
        }

        fn acknowledge(&self, lease: &Lease, result: &ChunkResult) -> Result<bool, QueueError> {
            self.queue.acknowledge(lease, result)
        }

        fn fail(&self, lease: &Lease, reason: &str) -> Result<AfterFailure, QueueError> {
            self.queue.fail(lease, reason)
        }

        fn give_back(&self, _: &Lease) {
            self.is_given_back.store(true, Ordering::SeqCst);
        }
    }

    #[test]
    fn a_worker_that_cannot_search_ends_those_that_wait() {
        let queue = WaitingQueue::default();
        let execute =
            |_: &Lease, _: &mut (dyn FnMut() -> bool + Send)| Err(ChunkFailure::Unable("no memory".into()));
        let error = run_workers(&queue, 2, "test", &execute, &|_| ()).unwrap_err();
        assert!(matches!(&error, QueueError::Worker(reason) if reason == "no memory"), "{error}");
        assert!(queue.is_given_back.into_inner());
    }

    #[test]
    fn a_lease_is_renewed_by_the_time_and_not_by_the_positions() {
        let (queue, start) = (CountingQueue::default(), alfil_engine::now());
        run_workers(&queue, 1, "test", &execute_here, &|_| ()).unwrap();
        let elapsed = alfil_engine::now() - start;
        let most = 1 + elapsed.as_millis() / RENEWAL_INTERVAL.as_millis();
        let renewals = u128::from(queue.renewals.into_inner());
        assert!((1..=most).contains(&renewals), "{renewals} renewals in {elapsed:?}");
    }
}
