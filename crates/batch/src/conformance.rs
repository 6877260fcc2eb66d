//! Conformance checks that every queue of chunks must pass.
//!
//! [`check_work_queue`] checks what workers may rely on, whichever queue they use: each chunk is leased, its failures
//! are counted, and its result is stored once. A failed check panics and says what was expected.

use std::time::Duration;

use crate::queue::{AfterFailure, ChunkResult, Lease, MAX_ATTEMPTS, QueueCounts, WorkQueue};
use crate::worker_loop::execute_here;

/// The longest time that a queue may take for anything.
const MAX_WAIT: Duration = Duration::from_secs(120);

/// A queue that is checked.
pub trait TestedQueue {
    /// Calls `work` with the queue of a process of workers. A queue of one process has only one.
    fn connect(&self, work: &mut dyn FnMut(&dyn WorkQueue));

    /// Lets the leases of silent workers end.
    fn expire(&self);

    /// Returns what the queue holds.
    fn counts(&self) -> QueueCounts;

    /// Returns the stored result of a chunk.
    fn result(&self, id: &str) -> Option<Vec<u8>>;
}

/// Checks a kind of queue. `new` creates a queue of the chunks of an analysis, at least two of which none was leased.
///
/// # Panics
/// If the queue does something else, or takes longer than two minutes.
pub fn check_work_queue<Q: TestedQueue>(new: impl Fn() -> Q) {
    check_results(&new());
    check_failures(&new());
    check_chunks_that_are_given_back(&new());
    check_late_results(&new());
}

/// Searches a chunk.
fn search(lease: &Lease) -> ChunkResult {
    execute_here(lease, &mut || true).unwrap_or_else(|_| panic!("chunk {} cannot be searched", lease.number))
}

fn lease(queue: &dyn WorkQueue, worker: &str) -> Option<Lease> {
    let lease = queue.lease(worker).expect("a chunk is leased");
    if let Some(lease) = &lease {
        assert_eq!(lease.worker, worker, "name of the worker");
        assert_eq!(lease.chunk.id(), lease.id, "name of the chunk");
    }
    lease
}

/// Leases a chunk of a queue that has one: that of a server may be getting it now.
#[track_caller]
fn first_lease(queue: &dyn WorkQueue, worker: &str) -> Lease {
    let start = alfil_engine::now();
    loop {
        if let Some(lease) = lease(queue, worker) {
            return lease;
        }
        assert!(alfil_engine::now() - start < MAX_WAIT, "no chunk is leased");
    }
}

#[track_caller]
fn acknowledge(queue: &dyn WorkQueue, lease: &Lease, is_counted: bool) -> ChunkResult {
    let result = search(lease);
    let counted = queue.acknowledge(lease, &result).expect("the result is stored");
    assert_eq!(counted, is_counted, "whether the result of chunk {} is counted", lease.number);
    result
}

/// Waits until the queue holds what it should: that of a server receives the reports later.
#[track_caller]
fn expect_counts(queue: &impl TestedQueue, what: &str, is_right: impl Fn(&QueueCounts) -> bool) {
    let start = alfil_engine::now();
    while !is_right(&queue.counts()) {
        assert!(alfil_engine::now() - start < MAX_WAIT, "{what}: {:?}", queue.counts());
        alfil_engine::threads::sleep(Duration::from_millis(5));
    }
}

/// Leases chunks to a worker until all have a result or have failed. `on_lease` says whether it has dealt with one; the
/// others get their results.
fn work_to_end(queue: &impl TestedQueue, workers: &dyn WorkQueue, mut on_lease: impl FnMut(&Lease) -> bool) {
    let start = alfil_engine::now();
    while !queue.counts().is_finished() {
        assert!(alfil_engine::now() - start < MAX_WAIT, "the queue is not finished: {:?}", queue.counts());
        if let Some(lease) = lease(workers, "worker")
            && !on_lease(&lease)
        {
            acknowledge(workers, &lease, true);
        }
    }
}

fn check_results<Q: TestedQueue>(queue: &Q) {
    let all = queue.counts();
    assert!(all.pending >= 2 && all.pending == all.chunks(), "a queue of which no chunk was leased: {all:?}");
    queue.connect(&mut |workers| {
        let names: Vec<_> = (0..all.pending).map(|number| format!("worker {number}")).collect();
        let leases: Vec<_> = names.iter().map(|name| first_lease(workers, name)).collect();
        let mut numbers: Vec<_> = leases.iter().map(|lease| lease.number).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (0..all.pending).collect::<Vec<_>>(), "each chunk is leased once");
        let is_fresh = |lease: &Lease| lease.failed_attempts == 0 && !lease.is_suspect;
        assert!(leases.iter().all(is_fresh), "chunks that no worker had");
        expect_counts(queue, "all chunks are leased", |counts| counts.leased == all.pending);
        let mut sum = (0, 0);
        for lease in &leases {
            assert!(workers.report_progress(lease).expect("the queue is there"), "the worker has its lease");
            let result = acknowledge(workers, lease, true);
            acknowledge(workers, lease, false);
            let failure = workers.fail(lease, "late").expect("the queue is there");
            assert_eq!(failure, AfterFailure::NotLeased, "a failure after the result");
            expect_counts(queue, "the result is stored", |_| {
                queue.result(&lease.id).as_ref() == Some(&result.bytes)
            });
            sum = (sum.0 + result.positions, sum.1 + result.nodes);
        }
        let right = QueueCounts {
            done: all.pending,
            pending: 0,
            positions: sum.0,
            positions_done: sum.0,
            nodes: sum.1,
            ..QueueCounts::default()
        };
        expect_counts(queue, "each result is counted once", |counts| *counts == right);
        assert_eq!(lease(workers, "worker"), None, "no chunk is left");
    });
}

fn check_failures<Q: TestedQueue>(queue: &Q) {
    queue.connect(&mut |workers| {
        let first = first_lease(workers, "worker");
        let fail = |lease: &Lease| workers.fail(lease, "a crash").expect("the queue is there");
        assert_eq!(fail(&first), AfterFailure::Retried, "the first failure");
        assert_eq!(fail(&first), AfterFailure::NotLeased, "the same failure again");
        let mut attempts = 1;
        work_to_end(queue, workers, |lease| {
            if lease.id != first.id {
                return false;
            }
            assert_eq!((lease.failed_attempts, lease.is_suspect), (attempts, true), "a chunk that failed");
            attempts += 1;
            let is_last = attempts == MAX_ATTEMPTS;
            // The coordinator of a server counts the failures.
            match fail(lease) {
                AfterFailure::Failed => assert!(is_last, "the chunk fails after its attempts"),
                after => assert_eq!(after, AfterFailure::Retried, "a failure"),
            }
            true
        });
        let counts = queue.counts();
        assert_eq!(
            (attempts, counts.failed, counts.done),
            (MAX_ATTEMPTS, 1, counts.chunks() - 1),
            "one chunk failed"
        );
        assert!(queue.result(&first.id).is_none(), "a failed chunk has no result");
        assert_eq!(lease(workers, "worker"), None, "a failed chunk is not leased");
    });
}

fn check_chunks_that_are_given_back<Q: TestedQueue>(queue: &Q) {
    queue.connect(&mut |workers| {
        let lease = first_lease(workers, "worker");
        workers.give_back(&lease);
    });
    queue.connect(&mut |workers| {
        work_to_end(queue, workers, |lease| {
            assert_eq!(lease.failed_attempts, 0, "a chunk that is given back did not fail");
            false
        });
    });
    let counts = queue.counts();
    assert_eq!((counts.done, counts.failed), (counts.chunks(), 0), "all chunks have results");
}

/// A worker that is too late has a result all the same.
fn check_late_results<Q: TestedQueue>(queue: &Q) {
    queue.connect(&mut |late_workers| {
        let late = first_lease(late_workers, "late");
        queue.expire();
        queue.connect(&mut |workers| {
            let mut is_late = true;
            work_to_end(queue, workers, |lease| {
                if lease.id == late.id {
                    assert!(lease.is_suspect && is_late, "a chunk whose worker was silent: {lease:?}");
                    acknowledge(late_workers, &late, true);
                    acknowledge(workers, lease, false);
                    is_late = false;
                }
                lease.id == late.id
            });
            assert!(!is_late, "the chunk of a silent worker is given to another one");
        });
    });
    let counts = queue.counts();
    assert_eq!((counts.done, counts.failed), (counts.chunks(), 0), "all chunks have results");
    assert_eq!(counts.positions_done, counts.positions, "each position is counted once");
}
