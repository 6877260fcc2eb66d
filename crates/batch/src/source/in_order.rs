//! Work on the games of a source in several threads, with the results in the order of the source.

use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::{Source, SourceBatch};

/// The results that wait to be taken, as a multiple of the number of threads.
const WAITING_RESULTS: u64 = 4;

/// The batches that are read and that no thread works on.
#[derive(Default)]
struct ReadBatches {
    waiting: VecDeque<thread::Result<SourceBatch>>,
    /// The number of the batch that is taken next.
    next: u64,
    is_complete: bool,
    /// Whether no more batches are taken.
    is_stopped: bool,
}

/// The results of the batches.
struct Results<T> {
    /// By the numbers of their batches.
    waiting: BTreeMap<u64, thread::Result<T>>,
    /// The number of the result that is taken next.
    next: u64,
    /// The number of batches, if the source has ended.
    total: Option<u64>,
    /// Whether no more results are taken.
    is_stopped: bool,
}

/// A value that threads change, and wait for the changes of others.
struct Shared<T> {
    value: Mutex<T>,
    changed: Condvar,
}

impl<T> Shared<T> {
    fn new(value: T) -> Self {
        Shared { value: Mutex::new(value), changed: Condvar::new() }
    }

    /// Waits until the condition is true.
    fn wait_for(&self, condition: impl Fn(&T) -> bool) -> MutexGuard<'_, T> {
        let value = self.value.lock().unwrap_or_else(PoisonError::into_inner);
        self.changed.wait_while(value, |value| !condition(value)).unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut T)) {
        change(&mut self.value.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }
}

/// Ends all threads when the results are no longer taken, for whatever reason.
struct StopOnDrop<'a, T>(&'a Shared<ReadBatches>, &'a Shared<Results<T>>);

impl<T> Drop for StopOnDrop<'_, T> {
    fn drop(&mut self) {
        self.0.change(|batches| batches.is_stopped = true);
        self.1.change(|results| results.is_stopped = true);
    }
}

impl Source {
    /// Does the work on every batch in so many threads, and takes the results in the order of the source. A few batches
    /// are in memory at a time.
    ///
    /// ```
    /// use alfil_batch::source::{Source, SourceOptions};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("games.pgn");
    /// std::fs::write(&path, "1. e4 e5 *\n\n1. d4 *\n")?;
    /// let source = Source::open(&[path], &SourceOptions::default())?;
    /// let mut games = 0;
    /// source.map_in_order(
    ///     2,
    ///     |batch| batch.into_outlines().len(),
    ///     |count| {
    ///         games += count;
    ///         Ok::<(), std::io::Error>(())
    ///     },
    /// )?;
    /// assert_eq!(games, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns the first error of `take`, after which no other batch is read.
    ///
    /// # Panics
    /// If `work` or `take` panics.
    pub fn map_in_order<T: Send, E>(
        mut self,
        threads: usize,
        work: impl Fn(SourceBatch) -> T + Sync,
        mut take: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        if threads <= 1 {
            while let Some(batch) = self.next_batch() {
                take(work(batch))?;
            }
            return Ok(());
        }
        let results = Results { waiting: BTreeMap::new(), next: 0, total: None, is_stopped: false };
        let results = Shared::new(results);
        let batches = Arc::new(Shared::new(ReadBatches::default()));
        // This thread is not joined: after an error it may wait for an input that does not come.
        let read = batches.clone();
        thread::spawn(move || read_batches(self, &read, threads));
        thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| run_worker(&batches, &results, threads as u64 * WAITING_RESULTS, &work));
            }
            let _stop = StopOnDrop(&batches, &results);
            take_results(&results, &mut take)
        })
    }
}

/// Reads the batches, so many before they are taken.
fn read_batches(mut source: Source, batches: &Shared<ReadBatches>, ahead: usize) {
    loop {
        let read = catch_unwind(AssertUnwindSafe(|| source.next_batch()));
        let is_last = !matches!(read, Ok(Some(_)));
        let state = batches.wait_for(|batches| batches.waiting.len() < ahead || batches.is_stopped);
        if state.is_stopped {
            return;
        }
        drop(state);
        batches.change(|batches| {
            // The panic of a reader is the last batch.
            batches.waiting.extend(read.transpose());
            batches.is_complete = is_last;
        });
        if is_last {
            return;
        }
    }
}

/// Takes the batches that no other thread has taken, until there is none.
fn run_worker<T>(
    batches: &Shared<ReadBatches>,
    results: &Shared<Results<T>>,
    max_waiting: u64,
    work: &(impl Fn(SourceBatch) -> T + Sync),
) {
    loop {
        let mut ready = batches
            .wait_for(|batches| !batches.waiting.is_empty() || batches.is_complete || batches.is_stopped);
        if ready.is_stopped {
            return;
        }
        let number = ready.next;
        let Some(batch) = ready.waiting.pop_front() else {
            drop(ready);
            return results.change(|results| results.total = Some(number));
        };
        ready.next += 1;
        drop(ready);
        batches.changed.notify_all();
        let result = batch.and_then(|batch| catch_unwind(AssertUnwindSafe(|| work(batch))));
        // The result that is taken next is never held back.
        let state = results.wait_for(|results| number < results.next + max_waiting || results.is_stopped);
        if state.is_stopped {
            return;
        }
        drop(state);
        results.change(|results| drop(results.waiting.insert(number, result)));
    }
}

/// Takes the results in their order until there is none.
fn take_results<T, E>(
    results: &Shared<Results<T>>,
    take: &mut impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    loop {
        let is_ready = |results: &Results<T>| {
            results.waiting.contains_key(&results.next) || results.total == Some(results.next)
        };
        let mut ready = results.wait_for(is_ready);
        let next = ready.next;
        let Some(result) = ready.waiting.remove(&next) else { return Ok(()) };
        ready.next += 1;
        drop(ready);
        results.changed.notify_all();
        match result {
            Ok(result) => take(result)?,
            Err(panic) => resume_unwind(panic),
        }
    }
}
