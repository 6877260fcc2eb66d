//! Split points of the parallel search: the moves of a node after the first are shared among workers, once the first
//! move has been searched without a cutoff (young brothers wait concept, R. Feldmann, 1993).

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::move_ordering::ScoredMove;

/// A node whose remaining moves are searched in a null window by several workers.
#[derive(Debug)]
pub(crate) struct SplitPoint {
    pub(crate) moves: Vec<ScoredMove>,
    pub(crate) alpha: i32,
    /// The split point that the owner was searching when it created this one.
    parent: Option<Arc<SplitPoint>>,
    next: AtomicUsize,
    cutoff: AtomicBool,
    state: Mutex<SplitState>,
    helper_left: Condvar,
}

/// The workers and the result of a split point.
#[derive(Debug, Default)]
struct SplitState {
    helpers: usize,
    /// The best score in discs and the square of its move.
    best: Option<(i32, u8)>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Every update under a lock is complete, so the data is valid after a panic of another worker.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SplitPoint {
    pub(crate) fn new(
        moves: Vec<ScoredMove>,
        alpha: i32,
        parent: Option<Arc<SplitPoint>>,
    ) -> Arc<SplitPoint> {
        let (next, cutoff, state, helper_left) = Default::default();
        Arc::new(SplitPoint { moves, alpha, parent, next, cutoff, state, helper_left })
    }

    /// Takes the next unsearched move, or `None` if none remains.
    pub(crate) fn next_move(&self) -> Option<ScoredMove> {
        if self.cutoff.load(SeqCst) {
            return None;
        }
        self.moves.get(self.next.fetch_add(1, SeqCst)).copied()
    }

    /// Returns whether an unsearched move remains.
    fn is_open(&self) -> bool {
        !self.cutoff.load(SeqCst) && self.next.load(SeqCst) < self.moves.len()
    }

    /// Records the score of a move; one above `alpha` is a cutoff.
    pub(crate) fn record_result(&self, score: i32, square: u8) {
        let mut state = lock(&self.state);
        if state.best.is_none_or(|(best, _)| score > best) {
            state.best = Some((score, square));
        }
        if score > self.alpha {
            self.cutoff.store(true, SeqCst);
        }
    }

    /// Returns whether the results of this split point are unused, because it or one of its parents has a cutoff.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cutoff.load(SeqCst) || self.parent.as_ref().is_some_and(|parent| parent.is_cancelled())
    }

    /// Waits until all helpers have left and returns the best score and square.
    pub(crate) fn wait(&self) -> Option<(i32, u8)> {
        let mut state = lock(&self.state);
        while state.helpers > 0 {
            state = self.helper_left.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.best
    }

    pub(crate) fn leave(&self) {
        lock(&self.state).helpers -= 1;
        self.helper_left.notify_all();
    }
}

/// The open split points of a task, and the idle workers that wait for them.
#[derive(Debug, Default)]
pub(crate) struct SplitPool {
    state: Mutex<PoolState>,
    changed: Condvar,
    /// The number of idle workers. It is read without the lock, as a stale value does no harm.
    idle: AtomicUsize,
}

#[derive(Debug, Default)]
struct PoolState {
    open: Vec<Arc<SplitPoint>>,
    closed: bool,
}

impl SplitPool {
    /// Returns whether a worker waits for work.
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

    /// Waits for a split point and joins it as a helper, or returns `None` when the pool is closed. The oldest is taken
    /// first, as it has the largest trees.
    pub(crate) fn join_split(&self) -> Option<Arc<SplitPoint>> {
        let mut state = lock(&self.state);
        self.idle.fetch_add(1, SeqCst);
        let found = loop {
            if state.closed {
                break None;
            }
            if let Some(split) = state.open.iter().find(|split| split.is_open()) {
                // Joined under the lock of the pool, so that an owner that has removed its split point sees all
                // helpers.
                lock(&split.state).helpers += 1;
                break Some(Arc::clone(split));
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        };
        self.idle.fetch_sub(1, SeqCst);
        found
    }

    /// Closes the pool: all helpers return.
    pub(crate) fn close(&self) {
        lock(&self.state).closed = true;
        self.changed.notify_all();
    }
}
