//! The threads of searches: the only place that starts them.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::{Builder, Scope};
use std::time::Duration;

use alfil_session::SessionError;
use alfil_session::workers::{self, Workers};

/// The maximum number of threads that a caller can choose for a search or a perft count.
pub const MAX_THREADS: usize = 1024;

/// Stack size of a search thread: every node keeps its move lists on the stack, a hundred nodes deep.
const STACK_BYTES: usize = 16 << 20;

/// The helpers that run for each thread that the machine runs at a time. More of them only wait for each other: 256 on
/// two cores answered a `go movetime 300` after four seconds.
const MAX_HELPERS_PER_CORE: usize = 4;

/// The threads of the operating system.
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
///
/// use alfil_engine::threads::SystemThreads;
/// use alfil_session::Workers as _;
///
/// let calls = AtomicUsize::new(0);
/// let count = || _ = calls.fetch_add(1, Ordering::Relaxed);
/// SystemThreads.run(2, &mut || count(), &|_helper| count());
/// assert_eq!(calls.into_inner(), 3);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemThreads;

/// Returns the most helpers that this machine can make use of.
fn max_helpers() -> usize {
    MAX_HELPERS_PER_CORE * std::thread::available_parallelism().map_or(1, usize::from)
}

impl Workers for SystemThreads {
    /// Where the system gives fewer threads, or has too few cores for them, there are fewer helpers.
    fn run(&self, helpers: usize, lead: &mut dyn FnMut(), help: &(dyn Fn(usize) + Sync)) {
        // Finding the cores takes longer than a helper.
        let helpers = if helpers > MAX_HELPERS_PER_CORE { helpers.min(max_helpers()) } else { helpers };
        run_threads(helpers, lead, help);
    }
}

/// Calls `help` with the numbers from 1 to `count` on threads of their own, and `lead` on the calling thread; returns
/// when all have returned. Where the system gives fewer threads, there are fewer. Unlike the helpers of one search,
/// these do not wait for each other: games of a match, chunks of an analysis.
///
/// # Panics
/// Panics if `lead` panics.
pub fn run_threads(count: usize, lead: &mut dyn FnMut(), help: &(dyn Fn(usize) + Sync)) {
    std::thread::scope(|scope| {
        for number in 1..=count {
            if spawn_scoped(scope, move || help(number)).is_err() {
                break;
            }
        }
        lead();
    });
}

/// Checks a number of threads that a caller chose.
///
/// ```
/// use alfil_engine::threads::check_threads;
///
/// assert_eq!(check_threads(8).unwrap(), 8);
/// assert_eq!(check_threads(0).unwrap_err().to_string(), "0 threads: choose 1 to 1024");
/// ```
///
/// # Errors
/// Returns an error if it is 0 or above [`MAX_THREADS`].
pub fn check_threads(threads: usize) -> Result<usize, SessionError> {
    match threads {
        1..=MAX_THREADS => Ok(threads),
        _ => Err(SessionError::new(format!("{threads} threads: choose 1 to {MAX_THREADS}"))),
    }
}

/// Runs a task on a thread of its own.
///
/// # Errors
/// Returns an error if the system gives no more threads; the task is then dropped.
pub fn spawn(task: impl FnOnce() + Send + 'static) -> io::Result<()> {
    Builder::new().name("alfil-search".into()).stack_size(STACK_BYTES).spawn(task).map(drop)
}

/// Runs a task on a thread of a scope. A panic of the task, whose message is on stderr, ends only its thread.
///
/// # Errors
/// Returns an error if the system gives no more threads; the task is then dropped.
pub fn spawn_scoped<'scope>(
    scope: &'scope Scope<'scope, '_>,
    task: impl FnOnce() + Send + 'scope,
) -> io::Result<()> {
    let task = move || drop(catch_unwind(AssertUnwindSafe(task)));
    Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, task).map(drop)
}

/// Lets the calling thread wait.
pub fn sleep(duration: Duration) {
    std::thread::sleep(duration);
}

/// Calls `work` on every item on up to `threads` threads: see [`workers::parallel_map`].
///
/// ```
/// use alfil_engine::threads::parallel_map;
/// use alfil_session::registry;
///
/// let openings = parallel_map(&["e4", "d4", "Nf3"], 2, |mv| {
///     let mut session = registry::open("chess", None).unwrap();
///     session.play(mv, Some("san")).unwrap();
///     session.legal_moves(None).unwrap().len()
/// });
/// assert_eq!(openings, [20, 20, 20]);
/// ```
///
/// # Panics
/// Panics if `work` panics.
pub fn parallel_map<T: Sync, R: Send>(items: &[T], threads: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    workers::parallel_map(items, threads, &SystemThreads, work)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn a_panic_of_a_helper_does_not_stop_the_others() {
        let mut has_run = false;
        SystemThreads.run(2, &mut || has_run = true, &|number| assert_ne!(number, 1, "on purpose"));
        assert!(has_run);
    }

    #[test]
    fn there_are_no_more_helpers_than_the_machine_can_make_use_of() {
        for helpers in [0, 1, 2, 3, 10_000] {
            let started = AtomicUsize::new(0);
            let help = |_| {
                started.fetch_add(1, Ordering::Relaxed);
            };
            SystemThreads.run(helpers, &mut || (), &help);
            assert_eq!(started.into_inner(), helpers.min(max_helpers()));
        }
    }

    #[test]
    fn parallel_map_keeps_the_order_of_the_items() {
        let items: Vec<u64> = (0..100).collect();
        for threads in [0, 1, 2, 7] {
            let squares: Vec<u64> = items.iter().map(|i| i * i).collect();
            assert_eq!(parallel_map(&items, threads, |&i| i * i), squares);
        }
    }
}
