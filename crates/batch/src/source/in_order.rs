//! Work on the games of a source in several threads, with the results in the order of the source.

use std::any::Any;
use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use alfil_engine::threads;

use super::{Source, SourceBatch};

/// The batches that are worked on or wait to be taken, as a multiple of the number of threads.
const BATCHES_PER_THREAD: u64 = 4;

/// A value, or the panic that was met instead.
type Caught<T> = Result<T, Box<dyn Any + Send>>;

/// What the threads share.
struct State<T> {
    /// The batches that are read and that no thread works on.
    batches: VecDeque<Caught<SourceBatch>>,
    /// The number of the first of them.
    next_batch: u64,
    /// Whether the source has ended.
    is_complete: bool,
    /// The results that are not taken, by the numbers of their batches.
    results: BTreeMap<u64, Caught<T>>,
    /// The number of the result that is taken next.
    next_result: u64,
    /// Whether no more results are taken.
    is_stopped: bool,
}

struct Shared<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
    max_batches: u64,
}

/// What a thread does next.
enum Step<T> {
    Take(Caught<T>),
    Work(u64, Caught<SourceBatch>),
    End,
}

impl<T> Shared<T> {
    /// Waits until the condition is true.
    fn wait_for(&self, condition: impl Fn(&State<T>) -> bool) -> MutexGuard<'_, State<T>> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        self.changed.wait_while(state, |state| !condition(state)).unwrap_or_else(PoisonError::into_inner)
    }

    fn change<R>(&self, change: impl FnOnce(&mut State<T>) -> R) -> R {
        let changed = change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
        changed
    }

    /// Waits for the next step of a thread, which may be one that takes results.
    fn next_step(&self, takes: bool) -> Step<T> {
        let has_result = |state: &State<T>| takes && state.results.contains_key(&state.next_result);
        let has_batch = |state: &State<T>| {
            !state.batches.is_empty() && state.next_batch < state.next_result + self.max_batches
        };
        // The thread that takes results waits for the last one.
        let is_over = |state: &State<T>| {
            let is_read = state.is_complete && state.batches.is_empty();
            state.is_stopped || is_read && (!takes || state.next_result == state.next_batch)
        };
        let mut state = self.wait_for(|state| has_result(state) || has_batch(state) || is_over(state));
        let step = if state.is_stopped {
            Step::End
        } else if has_result(&state) {
            let number = state.next_result;
            state.next_result += 1;
            state.results.remove(&number).map_or(Step::End, Step::Take)
        } else if has_batch(&state) {
            let number = state.next_batch;
            state.next_batch += 1;
            state.batches.pop_front().map_or(Step::End, |batch| Step::Work(number, batch))
        } else {
            Step::End
        };
        drop(state);
        self.changed.notify_all();
        step
    }

    /// Works on a batch.
    fn work(&self, number: u64, batch: Caught<SourceBatch>, work: &impl Fn(SourceBatch) -> T) {
        let result = batch.and_then(|batch| catch_unwind(AssertUnwindSafe(|| work(batch))));
        self.change(|state| drop(state.results.insert(number, result)));
    }
}

/// Ends all threads when the results are no longer taken, for whatever reason.
struct StopOnDrop<'a, T>(&'a Shared<T>);

impl<T> Drop for StopOnDrop<'_, T> {
    fn drop(&mut self) {
        self.0.change(|state| state.is_stopped = true);
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
    pub fn map_in_order<T: Send + 'static, E>(
        self,
        threads: usize,
        work: impl Fn(SourceBatch) -> T + Sync,
        mut take: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        // The source comes back if there is no thread that reads.
        let source = Arc::new(Mutex::new(Some(self)));
        let take_source =
            |source: &Mutex<Option<Source>>| source.lock().ok().and_then(|mut source| source.take());
        let shared = Arc::new(Shared {
            state: Mutex::new(State {
                batches: VecDeque::new(),
                next_batch: 0,
                is_complete: false,
                results: BTreeMap::new(),
                next_result: 0,
                is_stopped: false,
            }),
            changed: Condvar::new(),
            max_batches: threads as u64 * BATCHES_PER_THREAD,
        });
        let (read, state) = (source.clone(), shared.clone());
        let reader = move || {
            if let Some(source) = take_source(&read) {
                read_batches(source, &state, threads);
            }
        };
        // This thread is not joined: after an error it may wait for an input that does not come.
        if threads <= 1 || threads::spawn(reader).is_err() {
            let mut source = take_source(&source).expect("no other thread has it");
            while let Some(batch) = source.next_batch() {
                take(work(batch))?;
            }
            return Ok(());
        }
        let mut taken = Ok(());
        let help = |_| {
            while let Step::Work(number, batch) = shared.next_step(false) {
                shared.work(number, batch, &work);
            }
        };
        let mut lead = || {
            let _stop = StopOnDrop(&shared);
            while taken.is_ok() {
                match shared.next_step(true) {
                    Step::Take(Ok(result)) => taken = take(result),
                    Step::Take(Err(panic)) => resume_unwind(panic),
                    Step::Work(number, batch) => shared.work(number, batch, &work),
                    Step::End => return,
                }
            }
        };
        threads::run_threads(threads - 1, &mut lead, &help);
        taken
    }
}

/// Reads the batches, so many before they are worked on.
fn read_batches<T>(mut source: Source, shared: &Shared<T>, ahead: usize) {
    loop {
        let read = catch_unwind(AssertUnwindSafe(|| source.next_batch()));
        let is_last = !matches!(read, Ok(Some(_)));
        if shared.wait_for(|state| state.batches.len() < ahead || state.is_stopped).is_stopped {
            return;
        }
        shared.change(|state| {
            // The panic of a reader is the last batch.
            state.batches.extend(read.transpose());
            state.is_complete = is_last;
        });
        if is_last {
            return;
        }
    }
}
