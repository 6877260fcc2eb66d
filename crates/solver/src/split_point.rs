//! Nodes whose younger moves are shared among workers, once the eldest has been searched alone and did not suffice
//! ("young brothers wait", R. Feldmann 1993): what one worker then does is seldom in vain.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::move_ordering::ScoredMove;

/// A node with moves left to search in a null window.
#[derive(Debug)]
pub(crate) struct SplitPoint {
    pub(crate) moves: Vec<ScoredMove>,
    pub(crate) alpha: i32,
    /// The split its owner was working for when it opened this one.
    parent: Option<Arc<SplitPoint>>,
    next: AtomicUsize,
    cutoff: AtomicBool,
    /// Helpers at work, and the best result so far.
    helpers_and_best: Mutex<(usize, Option<(i32, u8)>)>,
    helper_left: Condvar,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is guarded is never left half-done, so a worker that panicked spoils nothing.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SplitPoint {
    pub(crate) fn new(
        choices: Vec<ScoredMove>,
        alpha: i32,
        parent: Option<Arc<SplitPoint>>,
    ) -> Arc<SplitPoint> {
        let (next, cut, inside, left) = Default::default();
        Arc::new(SplitPoint {
            moves: choices,
            alpha,
            parent,
            next,
            cutoff: cut,
            helpers_and_best: inside,
            helper_left: left,
        })
    }

    /// The next move that nobody has taken.
    pub(crate) fn next_move(&self) -> Option<ScoredMove> {
        if self.cutoff.load(SeqCst) {
            return None;
        }
        self.moves.get(self.next.fetch_add(1, SeqCst)).copied()
    }

    /// Whether somebody may still take a move.
    fn is_open(&self) -> bool {
        !self.cutoff.load(SeqCst) && self.next.load(SeqCst) < self.moves.len()
    }

    /// Notes what a move is worth; one above `alpha` ends the split.
    pub(crate) fn record_result(&self, score: i32, square: u8) {
        let mut inside = lock(&self.helpers_and_best);
        if inside.1.is_none_or(|(best, _)| score > best) {
            inside.1 = Some((score, square));
        }
        if score > self.alpha {
            self.cutoff.store(true, SeqCst);
        }
    }

    /// Whether what is searched for this split is in vain: it, or one further up, has its answer.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cutoff.load(SeqCst) || self.parent.as_ref().is_some_and(|parent| parent.is_cancelled())
    }

    /// Waits until the last helper has left; the best result.
    pub(crate) fn wait(&self) -> Option<(i32, u8)> {
        let mut inside = lock(&self.helpers_and_best);
        while inside.0 > 0 {
            inside = self.helper_left.wait(inside).unwrap_or_else(PoisonError::into_inner);
        }
        inside.1
    }

    pub(crate) fn leave(&self) {
        lock(&self.helpers_and_best).0 -= 1;
        self.helper_left.notify_all();
    }
}

/// Where splits are offered and workers without work wait.
#[derive(Debug, Default)]
pub(crate) struct SplitPool {
    state: Mutex<PoolState>,
    changed: Condvar,
    /// Workers that wait, read without the lock: a stale number costs little.
    idle: AtomicUsize,
}

#[derive(Debug, Default)]
struct PoolState {
    open: Vec<Arc<SplitPoint>>,
    closed: bool,
}

impl SplitPool {
    /// Whether somebody waits for work.
    #[inline]
    pub(crate) fn has_idle_workers(&self) -> bool {
        self.idle.load(SeqCst) > 0
    }

    pub(crate) fn add(&self, split: &Arc<SplitPoint>) {
        lock(&self.state).open.push(Arc::clone(split));
        self.changed.notify_all();
    }

    pub(crate) fn remove(&self, split: &Arc<SplitPoint>) {
        lock(&self.state).open.retain(|open| !Arc::ptr_eq(open, split));
    }

    /// Waits for a split to help with, and enters it; nothing when the market is closed. The oldest is the largest.
    pub(crate) fn join_split(&self) -> Option<Arc<SplitPoint>> {
        let mut offers = lock(&self.state);
        self.idle.fetch_add(1, SeqCst);
        let found = loop {
            if offers.closed {
                break None;
            }
            if let Some(split) = offers.open.iter().find(|split| split.is_open()) {
                // Entered under the market's lock, so that an owner that has withdrawn knows all its helpers.
                lock(&split.helpers_and_best).0 += 1;
                break Some(Arc::clone(split));
            }
            offers = self.changed.wait(offers).unwrap_or_else(PoisonError::into_inner);
        };
        self.idle.fetch_sub(1, SeqCst);
        found
    }

    /// Sends everybody home.
    pub(crate) fn close(&self) {
        lock(&self.state).closed = true;
        self.changed.notify_all();
    }
}
