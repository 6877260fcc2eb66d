//! Threads lent by the caller. This crate starts no thread itself, so that it also runs where there are none
//! (WebAssembly).

use std::any::Any;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Threads for work that several of them share.
pub trait Workers: Sync {
    /// Calls `lead` on this thread and `help` on up to `helpers` other threads, each with its number from 1. Returns
    /// when all calls have returned. There may be fewer helpers, or none; a helper that panics is lost, and the others
    /// go on.
    fn run(&self, helpers: usize, lead: &mut dyn FnMut(), help: &(dyn Fn(usize) + Sync));
}

/// No helper threads: all work is done by the caller.
#[derive(Clone, Copy, Debug, Default)]
pub struct CurrentThread;

impl Workers for CurrentThread {
    fn run(&self, _helpers: usize, lead: &mut dyn FnMut(), _help: &(dyn Fn(usize) + Sync)) {
        lead();
    }
}

/// Calls `work` on every item, on up to `threads` threads, each taking the next item when it has finished one. Returns
/// the results in the order of the items.
///
/// ```
/// use alfil_session::CurrentThread;
/// use alfil_session::workers::parallel_map;
///
/// assert_eq!(parallel_map(&[1, 2, 3], 4, &CurrentThread, |number| number * number), [1, 4, 9]);
/// ```
///
/// # Panics
/// Panics if `work` panics.
pub fn parallel_map<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    workers: &dyn Workers,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(items.len()));
    let take_items = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return };
            let result = work(item);
            results.lock().expect("no worker panics while it holds the lock").push((index, result));
        }
    };
    workers.run(threads.max(1) - 1, &mut || take_items(), &|_| take_items());
    let mut results = results.into_inner().expect("no worker panics while it holds the lock");
    assert_eq!(results.len(), items.len(), "a worker thread panicked");
    results.sort_unstable_by_key(|&(index, _)| index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Returns the message of a panic.
pub fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parallel_map_keeps_the_order_of_the_items() {
        let items: Vec<u64> = (0..100).collect();
        let squares: Vec<u64> = items.iter().map(|i| i * i).collect();
        for threads in [0, 1, 7] {
            assert_eq!(parallel_map(&items, threads, &CurrentThread, |&i| i * i), squares);
        }
    }
}
