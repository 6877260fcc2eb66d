//! The threads of the library: no other module starts one.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The stack size of a search thread: each node keeps its move list on the stack, up to a hundred nodes deep.
const STACK_BYTES: usize = 16 << 20;

/// Runs a task on a thread of its own.
///
/// Returns an error if the system cannot start a thread; the task is dropped.
pub(crate) fn spawn(task: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new().name("alfil-search".into()).stack_size(STACK_BYTES).spawn(task).map(drop)
}

/// Applies `work` to every item on `threads` threads, or as many as the system can start. Returns the results in the
/// order of the items.
pub(crate) fn parallel_map<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let work_on_items = || {
        let mut results = Vec::new();
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(i) else { return results };
            results.push((i, work(item)));
        }
    };
    let mut results: Vec<_> = std::thread::scope(|scope| {
        let spawn =
            |_| std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work_on_items).ok();
        let helpers: Vec<_> = (1..threads.max(1)).map_while(spawn).collect();
        let mut results = work_on_items();
        for helper in helpers {
            results.extend(helper.join().expect("a worker does not panic"));
        }
        results
    });
    results.sort_by_key(|&(i, _)| i);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Runs `main` on this thread and `helper` on `size - 1` others, each with its number from 1, and returns the result of
/// `main`. If the system cannot start all threads, there are fewer helpers; a helper that panics is lost, and the
/// others continue.
pub(crate) fn run_with_helpers<R>(size: usize, main: impl FnOnce() -> R, helper: impl Fn(usize) + Sync) -> R {
    std::thread::scope(|scope| {
        for number in 1..size {
            let helper = &helper;
            // The panic hook has printed the message.
            let task = move || drop(catch_unwind(AssertUnwindSafe(|| helper(number))));
            let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, task);
            if thread.is_err() {
                break;
            }
        }
        main()
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_panic_of_a_helper_does_not_reach_the_main_thread() {
        let helper = |number| assert_ne!(number, 1, "on purpose");
        assert_eq!(super::run_with_helpers(3, || 7, helper), 7);
    }

    #[test]
    fn parallel_results_are_in_the_order_of_the_items() {
        let items: Vec<u64> = (0..100).collect();
        for threads in [0, 1, 2, 7] {
            assert_eq!(
                super::parallel_map(&items, threads, |&i| i * i),
                items.iter().map(|i| i * i).collect::<Vec<_>>()
            );
        }
    }
}
