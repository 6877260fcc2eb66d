//! Work on the games of a source in several threads, with the results in the order of the source.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::{Source, SourceBatch};

/// The results that wait to be taken, as a multiple of the number of threads.
const WAITING_RESULTS: u64 = 4;

/// The state that the threads share.
struct State<T> {
    /// The results by the numbers of their batches.
    results: BTreeMap<u64, thread::Result<T>>,
    /// The number of the result that is taken next.
    next: u64,
    /// The number of batches, if the source has ended.
    total: Option<u64>,
    /// Whether no more results are taken.
    is_stopped: bool,
}

struct Shared<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

impl<T> Shared<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State<T>>) -> MutexGuard<'a, State<T>> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
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
    /// Returns the first error of `take`, after which nothing more is read.
    ///
    /// # Panics
    /// If `work` panics.
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
        let state = State { results: BTreeMap::new(), next: 0, total: None, is_stopped: false };
        let shared = Shared { state: Mutex::new(state), changed: Condvar::new() };
        let input = Mutex::new((self, 0));
        thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| run_worker(&input, &shared, threads as u64 * WAITING_RESULTS, &work));
            }
            let taken = take_results(&shared, &mut take);
            shared.lock().is_stopped = true;
            shared.changed.notify_all();
            taken
        })
    }
}

/// Takes the batches that no other thread has taken, until there is none.
fn run_worker<T>(
    input: &Mutex<(Source, u64)>,
    shared: &Shared<T>,
    max_waiting: u64,
    work: &(impl Fn(SourceBatch) -> T + Sync),
) {
    loop {
        let (batch, number) = {
            let mut input = input.lock().unwrap_or_else(PoisonError::into_inner);
            let (source, next) = &mut *input;
            let mut state = shared.lock();
            while *next >= state.next + max_waiting && !state.is_stopped {
                state = shared.wait(state);
            }
            if state.is_stopped || state.total.is_some() {
                return;
            }
            drop(state);
            let number = *next;
            *next += 1;
            let batch = catch_unwind(AssertUnwindSafe(|| source.next_batch()));
            if !matches!(batch, Ok(Some(_))) {
                // The panic of a reader is the last result.
                let mut state = shared.lock();
                state.total = Some(number + u64::from(batch.is_err()));
                if let Err(panic) = batch {
                    state.results.insert(number, Err(panic));
                }
                shared.changed.notify_all();
                return;
            }
            let Ok(Some(batch)) = batch else { return };
            (batch, number)
        };
        let result = catch_unwind(AssertUnwindSafe(|| work(batch)));
        shared.lock().results.insert(number, result);
        shared.changed.notify_all();
    }
}

/// Takes the results in their order until there is none.
fn take_results<T, E>(shared: &Shared<T>, take: &mut impl FnMut(T) -> Result<(), E>) -> Result<(), E> {
    loop {
        let mut state = shared.lock();
        let result = loop {
            let number = state.next;
            if let Some(result) = state.results.remove(&number) {
                state.next += 1;
                break result;
            }
            if state.total == Some(number) {
                return Ok(());
            }
            state = shared.wait(state);
        };
        drop(state);
        shared.changed.notify_all();
        match result {
            Ok(result) => take(result)?,
            Err(panic) => {
                shared.lock().is_stopped = true;
                shared.changed.notify_all();
                resume_unwind(panic)
            }
        }
    }
}
