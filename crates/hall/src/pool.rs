//! Threads: the only place in the house where they are made.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Stack of a thinking thread: a node keeps its move lists there, a hundred nodes deep.
const STACK_BYTES: usize = 16 << 20;

/// Runs a task on a thread of its own.
///
/// # Errors
/// If the system gives no more threads; the task is then dropped.
pub(crate) fn spawn(task: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new().name("alfil-think".into()).stack_size(STACK_BYTES).spawn(task).map(drop)
}

/// Does `work` on every item, on so many threads or as many as the system gives, each taking the next item when it is done;
/// results in the order of the items.
pub(crate) fn parallel_map<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let take = || {
        let mut done = Vec::new();
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(i) else { return done };
            done.push((i, work(item)));
        }
    };
    let mut done: Vec<_> = std::thread::scope(|scope| {
        let spawn = |_| std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, take).ok();
        let helpers: Vec<_> = (1..threads.max(1)).map_while(spawn).collect();
        let mut done = take();
        for helper in helpers {
            done.extend(helper.join().expect("a worker finishes"));
        }
        done
    });
    done.sort_by_key(|&(i, _)| i);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Runs `lead` on this thread while `size - 1` others run `help`, each told its number from 1; the leader's result. Where the
/// system gives fewer threads, there are fewer helpers; one that panics is lost, and the others go on.
pub(crate) fn run_with_helpers<R>(size: usize, lead: impl FnOnce() -> R, help: impl Fn(usize) + Sync) -> R {
    std::thread::scope(|scope| {
        for number in 1..size {
            let help = &help;
            // The panic was told on stderr; nothing is left to be done about it.
            let task = move || drop(catch_unwind(AssertUnwindSafe(|| help(number))));
            let helper = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, task);
            if helper.is_err() {
                break;
            }
        }
        lead()
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_crew_does_without_the_helper_that_panics() {
        let help = |number| assert_ne!(number, 1, "on purpose");
        assert_eq!(super::run_with_helpers(3, || 7, help), 7);
    }

    #[test]
    fn shared_work_comes_back_in_order() {
        let items: Vec<u64> = (0..100).collect();
        for threads in [0, 1, 2, 7] {
            assert_eq!(
                super::parallel_map(&items, threads, |&i| i * i),
                items.iter().map(|i| i * i).collect::<Vec<_>>()
            );
        }
    }
}
