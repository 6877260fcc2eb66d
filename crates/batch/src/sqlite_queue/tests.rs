use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::*;
use crate::chunk::tests::options;
use crate::conformance::{TestedQueue, check_work_queue};
use crate::manifest::ChunkState::{self, Done, Failed, Leased, Pending};
use crate::manifest::tests::three_games;
use crate::worker_loop::{ChunkEvent, ChunkFailure, execute_here, run_workers};

/// Opens the queue of three games in three chunks; the clock shows the given time.
fn open(folder: &Path, time_ms: &Arc<AtomicU64>) -> Result<SqliteQueue, QueueError> {
    let time_ms = time_ms.clone();
    let clock = Box::new(move || time_ms.load(Ordering::Relaxed));
    SqliteQueue::open(folder, Shard::WHOLE, clock, (&options(50), three_games().into_iter()))
}

fn result(lease: &Lease) -> ChunkResult {
    execute_here(lease, &mut || true).unwrap()
}

fn states(queue: &SqliteQueue) -> Vec<ChunkState> {
    queue.manifest().chunks().unwrap().into_iter().map(|chunk| chunk.state).collect()
}

/// A queue with its folder and its clock.
struct OpenQueue {
    queue: SqliteQueue,
    time_ms: Arc<AtomicU64>,
    folder: tempfile::TempDir,
}

impl TestedQueue for OpenQueue {
    fn connect(&self, work: &mut dyn FnMut(&dyn WorkQueue)) {
        work(&self.queue);
    }

    fn expire(&self) {
        self.time_ms.fetch_add(LEASE_MS + 1, Ordering::Relaxed);
    }

    fn counts(&self) -> QueueCounts {
        self.queue.counts().unwrap()
    }

    fn result(&self, id: &str) -> Option<Vec<u8>> {
        fs::read(result_path(self.folder.path(), id)).ok()
    }
}

#[test]
fn the_queue_of_one_process_conforms() {
    check_work_queue(|| {
        let (folder, time_ms) = (tempfile::tempdir().unwrap(), Arc::default());
        OpenQueue { queue: open(folder.path(), &time_ms).unwrap(), time_ms, folder }
    });
}

#[test]
fn a_lease_that_is_not_renewed_expires_and_counts_as_an_attempt() {
    let (folder, time) = (tempfile::tempdir().unwrap(), Arc::<AtomicU64>::default());
    let queue = open(folder.path(), &time).unwrap();
    let lease = queue.lease("slow").unwrap().unwrap();
    for attempt in 1..=MAX_ATTEMPTS {
        time.fetch_add(LEASE_MS, Ordering::Relaxed);
        assert!(queue.report_progress(&lease).unwrap() || attempt > 1);
        time.fetch_add(LEASE_MS + 1, Ordering::Relaxed);
        let next = queue.lease("next").unwrap().unwrap();
        let expected = if attempt < MAX_ATTEMPTS { (0, attempt) } else { (1, 0) };
        assert_eq!((next.number, next.failed_attempts), expected);
        // The slow worker has lost its lease; its failure does not count.
        assert!(!queue.report_progress(&lease).unwrap());
        assert_eq!(queue.fail(&lease, "late").unwrap(), AfterFailure::NotLeased);
    }
    assert_eq!(states(&queue), [Failed, Leased, Pending]);
    assert!(queue.manifest().chunks().unwrap()[0].reason.as_ref().unwrap().contains("lease expired"));
    // A late result is a result all the same.
    assert!(queue.acknowledge(&lease, &result(&lease)).unwrap());
    assert_eq!(states(&queue)[0], Done);
}

#[test]
fn the_chunks_of_an_ended_process_are_free_again_and_suspect() {
    let (folder, time) = (tempfile::tempdir().unwrap(), Arc::default());
    let queue = open(folder.path(), &time).unwrap();
    let lease = queue.lease("w").unwrap().unwrap();
    let locked = open(folder.path(), &time).err().unwrap();
    assert!(matches!(locked, QueueError::Locked { .. }), "{locked}");
    let part = result_path(folder.path(), &lease.id).with_extension("w.part");
    fs::write(&part, "half").unwrap();
    assert!(is_active(folder.path(), Shard::WHOLE).unwrap());
    drop(queue);
    assert!(!is_active(folder.path(), Shard::WHOLE).unwrap());
    for round in 0..5 {
        // However often a process ends, the chunk has not failed: the user may have killed it.
        let queue = open(folder.path(), &time).unwrap();
        let again = queue.lease("w").unwrap().unwrap();
        assert_eq!((&again.id, again.is_suspect, again.failed_attempts), (&lease.id, true, 0));
        // The second chunk was leased when the process of the round before ended.
        assert_eq!(queue.lease("w").unwrap().unwrap().is_suspect, round > 0);
    }
    assert!(!part.exists());
}

/// The processes of several parts may share a folder.
#[test]
fn the_start_of_a_part_leaves_the_results_that_another_part_is_writing() {
    let folder = tempfile::tempdir().unwrap();
    let open_part = |index| {
        let plan = (&options(50), three_games().into_iter());
        SqliteQueue::open(folder.path(), Shard { index, count: 2 }, Box::new(|| 0), plan).unwrap()
    };
    let first = open_part(1);
    let lease = first.lease("w").unwrap().unwrap();
    let part = result_path(folder.path(), &lease.id).with_extension("w.part");
    fs::write(&part, "half").unwrap();
    drop(open_part(2));
    assert!(part.exists());
    drop(first);
    drop(open_part(1));
    assert!(!part.exists());
}

#[test]
fn a_part_of_another_analysis_is_refused_before_it_is_searched() {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let open_part = |folder: &Path, index, nodes, games: Vec<PlannedGame>| {
        let plan = (&options(nodes), games.into_iter());
        SqliteQueue::open(folder, Shard { index, count: 2 }, Box::new(|| 0), plan).map(drop)
    };
    let two_games = || three_games().into_iter().take(2).collect::<Vec<_>>();
    open_part(folder.path(), 1, 50, three_games()).unwrap();
    let error = open_part(folder.path(), 2, 50, two_games()).unwrap_err().to_string();
    assert!(error.contains("queue-1-of-2.sqlite is of an analysis of other games"), "{error}");
    let error = open_part(folder.path(), 2, 60, three_games()).unwrap_err().to_string();
    assert!(error.contains("queue-1-of-2.sqlite is of an analysis with --nodes 50, not 60"), "{error}");
    // No plan of a refused part is left.
    let second = Shard { index: 2, count: 2 };
    assert!(Manifest::open(folder.path(), second).unwrap().is_none());
    open_part(folder.path(), 2, 50, three_games()).unwrap();
    open_part(folder.path(), 1, 50, three_games()).unwrap();
    // Nor does a part go on beside one of another analysis that was copied into the folder.
    open_part(other.path(), 2, 50, two_games()).unwrap();
    fs::copy(second.path(other.path()), second.path(folder.path())).unwrap();
    let error = open_part(folder.path(), 1, 50, three_games()).unwrap_err().to_string();
    assert!(error.contains("queue-2-of-2.sqlite is of an analysis of other games"), "{error}");
    // A copy of a part under the name of another one is not worked on.
    fs::copy(Shard { index: 1, count: 2 }.path(folder.path()), second.path(folder.path())).unwrap();
    let error = open_part(folder.path(), 2, 50, three_games()).unwrap_err().to_string();
    assert!(error.contains("queue-2-of-2.sqlite") && error.contains("a copy of another part"), "{error}");
}

#[test]
fn a_lost_result_is_made_again() {
    let (folder, time) = (tempfile::tempdir().unwrap(), Arc::default());
    let queue = open(folder.path(), &time).unwrap();
    let lease = queue.lease("w").unwrap().unwrap();
    queue.acknowledge(&lease, &result(&lease)).unwrap();
    drop(queue);
    assert_eq!(states(&open(folder.path(), &time).unwrap())[0], Done);
    fs::remove_file(result_path(folder.path(), &lease.id)).unwrap();
    assert_eq!(states(&open(folder.path(), &time).unwrap())[0], Pending);
}

#[test]
fn a_chunk_that_crashes_its_worker_fails_and_the_rest_is_finished() {
    let (folder, time) = (tempfile::tempdir().unwrap(), Arc::default());
    let queue = open(folder.path(), &time).unwrap();
    let crashes = AtomicUsize::new(0);
    let execute = |lease: &Lease, is_wanted: &mut (dyn FnMut() -> bool + Send)| {
        if lease.number == 1 {
            crashes.fetch_add(1, Ordering::Relaxed);
            panic!("on purpose");
        }
        execute_here(lease, is_wanted)
    };
    let counted = AtomicU64::new(0);
    let on_event = |event: ChunkEvent| {
        if let ChunkEvent::Done { positions, is_counted: true, .. } = event {
            counted.fetch_add(positions, Ordering::Relaxed);
        }
    };
    run_workers(&queue, 2, "test", &execute, &on_event).unwrap();
    assert_eq!(states(&queue), [Done, Failed, Done]);
    assert_eq!(crashes.load(Ordering::Relaxed), MAX_ATTEMPTS as usize);
    let counts = queue.counts().unwrap();
    assert!(counts.is_finished() && counts.failed == 1);
    assert_eq!(counted.load(Ordering::Relaxed), counts.positions_done);
    let reason = queue.manifest().chunks().unwrap().swap_remove(1).reason.unwrap();
    assert_eq!(reason, "an internal error: on purpose");
    // It is tried again only on request.
    drop(queue);
    let queue = open(folder.path(), &time).unwrap();
    assert_eq!(queue.lease("w").unwrap(), None);
    // Earlier versions called the state "poisoned".
    let old = "UPDATE chunks SET state = 'poisoned' WHERE state = 'failed'";
    assert_eq!(queue.manifest().connection.execute(old, []).unwrap(), 1);
    assert_eq!((states(&queue)[1], queue.counts().unwrap().failed), (Failed, 1));
    assert_eq!(queue.retry_failed().unwrap(), 1);
    run_workers(&queue, 1, "test", &execute_here, &on_event).unwrap();
    assert_eq!(states(&queue), [Done; 3]);
}

#[test]
fn a_worker_without_its_lease_gives_the_chunk_up() {
    let (folder, time) = (tempfile::tempdir().unwrap(), Arc::<AtomicU64>::default());
    let queue = open(folder.path(), &time).unwrap();
    let has_expired = AtomicUsize::new(0);
    let execute = |lease: &Lease, is_wanted: &mut (dyn FnMut() -> bool + Send)| {
        if lease.number == 0 && has_expired.fetch_add(1, Ordering::Relaxed) == 0 {
            time.fetch_add(LEASE_MS + 1, Ordering::Relaxed);
            let other = queue.lease("other").unwrap().unwrap();
            assert_eq!(other.number, 0);
            queue.acknowledge(&other, &result(&other)).unwrap();
            assert!(!is_wanted());
            return Err(ChunkFailure::LeaseLost);
        }
        execute_here(lease, is_wanted)
    };
    run_workers(&queue, 1, "test", &execute, &|_| ()).unwrap();
    assert_eq!(states(&queue), [Done; 3]);
}

#[cfg(feature = "nats")]
#[test]
fn reports_from_other_machines_count_once() {
    use super::remote::{RemoteChange, RemoteEffect};
    let (folder, time) = (tempfile::tempdir().unwrap(), Arc::default());
    let queue = open(folder.path(), &time).unwrap();
    let apply = |change: RemoteChange| queue.apply(&[change]).unwrap()[0];
    let failed = |number, failed_attempts| {
        apply(RemoteChange::Failed { number, failed_attempts, reason: "crash".into() })
    };
    let done = |number| apply(RemoteChange::Done { number, worker: "w".into(), nodes: 7 });
    let started = |number| apply(RemoteChange::Started { number, worker: "w".into() });
    assert_eq!(started(0), RemoteEffect::Started);
    assert_eq!(states(&queue), [Leased, Pending, Pending]);
    // A report that comes twice counts once, and the next attempts have other numbers.
    assert_eq!((failed(0, 0), failed(0, 0)), (RemoteEffect::Retried, RemoteEffect::Nothing));
    assert!(queue.remote_lease(0).unwrap().is_suspect && !queue.remote_lease(1).unwrap().is_suspect);
    assert_eq!((failed(0, 1), failed(0, 2)), (RemoteEffect::Retried, RemoteEffect::ChunkFailed));
    assert_eq!((failed(0, 3), started(0)), (RemoteEffect::Nothing, RemoteEffect::Nothing));
    let twice = (failed(1, 0), failed(1, 1));
    assert_eq!(
        (twice, failed(1, 2)),
        ((RemoteEffect::Retried, RemoteEffect::Retried), RemoteEffect::ChunkFailed)
    );
    assert_eq!(
        (done(2), done(2), failed(2, 0)),
        (RemoteEffect::Counted, RemoteEffect::Nothing, RemoteEffect::Nothing)
    );
    assert_eq!(states(&queue), [Failed, Failed, Done]);
    assert!(queue.unfinished().unwrap().is_empty());
    assert_eq!(queue.counts().unwrap().nodes, 7);
    queue.retry_failed().unwrap();
    assert_eq!(queue.unfinished().unwrap().into_iter().collect::<Vec<_>>(), [0, 1]);
}

#[cfg(feature = "nats")]
#[test]
fn the_end_of_a_coordinator_makes_the_chunks_of_its_workers_free_and_not_suspect() {
    use super::remote::RemoteChange;
    let (folder, time) = (tempfile::tempdir().unwrap(), Arc::default());
    let queue = open(folder.path(), &time).unwrap();
    queue.remote_id().unwrap();
    queue.apply(&[RemoteChange::Started { number: 0, worker: "w".into() }]).unwrap();
    drop(queue);
    let queue = open(folder.path(), &time).unwrap();
    assert_eq!(states(&queue), [Pending; 3]);
    assert!(!queue.remote_lease(0).unwrap().is_suspect);
    // A chunk that a thread of this process then searches is suspect if the process ends.
    let lease = queue.lease("w").unwrap().unwrap();
    drop(queue);
    let queue = open(folder.path(), &time).unwrap();
    assert!(queue.remote_lease(lease.number).unwrap().is_suspect);
}

#[test]
fn a_worker_that_cannot_search_ends_and_counts_no_attempt() {
    let (folder, time) = (tempfile::tempdir().unwrap(), Arc::default());
    let queue = open(folder.path(), &time).unwrap();
    let execute =
        |_: &Lease, _: &mut (dyn FnMut() -> bool + Send)| Err(ChunkFailure::Unable("no memory".into()));
    let error = run_workers(&queue, 2, "test", &execute, &|_| ()).unwrap_err();
    assert!(matches!(&error, QueueError::Worker(reason) if reason == "no memory"), "{error}");
    assert!(queue.manifest().chunks().unwrap().iter().all(|chunk| chunk.attempts == 0));
    assert_eq!(states(&queue), [Pending; 3]);
}

#[test]
fn the_state_of_a_queue_is_read_without_writing_and_without_hindering_its_start() {
    let folder = tempfile::tempdir().unwrap();
    assert!(!is_active(folder.path(), Shard::WHOLE).unwrap());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    // A process that reads the state has the lock for a moment; one that opens the queue waits for it.
    let reading = File::create(lock_path(folder.path(), Shard::WHOLE)).unwrap();
    reading.lock_shared().unwrap();
    let opening = std::thread::spawn({
        let path = folder.path().to_owned();
        move || open(&path, &Arc::default()).map(drop)
    });
    std::thread::sleep(LOCK_DELAY);
    drop(reading);
    opening.join().unwrap().unwrap();
}

#[cfg(feature = "nats")]
#[test]
fn an_analysis_keeps_its_name_on_servers_until_nothing_is_left_there() {
    let (folder, other, time) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), Arc::default());
    let queue = open(folder.path(), &time).unwrap();
    assert!(!queue.has_remote_id().unwrap());
    let id = queue.remote_id().unwrap();
    assert_eq!(id.len(), 16);
    // The same analysis in another folder has another name.
    assert_ne!(open(other.path(), &time).unwrap().remote_id().unwrap(), id);
    drop(queue);
    let queue = open(folder.path(), &time).unwrap();
    assert_eq!(queue.remote_id().unwrap(), id);
    queue.delete_remote_id().unwrap();
    assert!(!queue.has_remote_id().unwrap());
}

#[test]
fn the_workers_and_the_rate_of_an_analysis_are_known() {
    let (folder, time_ms) = (tempfile::tempdir().unwrap(), Arc::new(AtomicU64::new(1_000_000)));
    let queue = open(folder.path(), &time_ms).unwrap();
    let status = || worker_status(&queue.manifest()).unwrap();
    let rate = |now| positions_per_second(&queue.manifest(), now).unwrap();
    assert_eq!((status(), rate(1_000_000)), (Vec::new(), None));
    let lease = queue.lease("one").unwrap().unwrap();
    time_ms.store(1_004_000, Ordering::Relaxed);
    let found = result(&lease);
    queue.acknowledge(&lease, &found).unwrap();
    queue.lease("two").unwrap().unwrap();
    let [one, two] = &status()[..] else { panic!("{:?}", status()) };
    assert_eq!(
        (one.name.as_str(), one.done, one.positions_done, one.running),
        ("one", 1, found.positions, 0)
    );
    assert_eq!((two.name.as_str(), two.done, two.running, two.leased_at), ("two", 0, 1, Some(1_004_000)));
    // The first chunk took four seconds, and one more has passed. After some minutes it does not count any more.
    assert_eq!(rate(1_005_000), Some(found.positions as f64 / 5.0));
    assert_eq!(rate(1_005_000 + 300_000), None);
    assert_eq!(checked_chunks(&queue.manifest()).unwrap(), 0);
    queue.manifest().verify().unwrap();
}
