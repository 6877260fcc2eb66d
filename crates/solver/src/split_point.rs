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
        let (next, cutoff, state) = Default::default();
        Arc::new(SplitPoint { moves, alpha, parent, next, cutoff, state })
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

    /// Returns whether this split point is in a subtree of another one, or is that one.
    fn is_in_subtree_of(&self, other: &SplitPoint) -> bool {
        core::ptr::eq(self, other)
            || self.parent.as_ref().is_some_and(|parent| parent.is_in_subtree_of(other))
    }

    /// Returns the best score and square so far.
    pub(crate) fn best(&self) -> Option<(i32, u8)> {
        lock(&self.state).best
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
        self.join(|state| state.closed, |_| true)
    }

    /// Waits for a split point below one whose helpers are still searching and joins it, or returns `None` when all of
    /// them have left. So its owner helps its helpers (helpful master concept, R. Feldmann, 1993).
    pub(crate) fn join_split_below(&self, own: &SplitPoint) -> Option<Arc<SplitPoint>> {
        self.join(|_| lock(&own.state).helpers == 0, |split| split.is_in_subtree_of(own))
    }

    /// Waits for a split point that meets a condition and joins it, or returns `None` when the wait has ended.
    fn join(
        &self,
        has_ended: impl Fn(&PoolState) -> bool,
        is_wanted: impl Fn(&SplitPoint) -> bool,
    ) -> Option<Arc<SplitPoint>> {
        let mut state = lock(&self.state);
        self.idle.fetch_add(1, SeqCst);
        let found = loop {
            if has_ended(&state) {
                break None;
            }
            if let Some(split) = state.open.iter().find(|split| split.is_open() && is_wanted(split)) {
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

    /// Ends the help of a worker that has joined a split point.
    pub(crate) fn leave(&self, split: &SplitPoint) {
        // The owner looks at the number of helpers under the lock of the pool before it waits.
        let _state = lock(&self.state);
        lock(&split.state).helpers -= 1;
        self.changed.notify_all();
    }

    /// Closes the pool: all helpers return.
    pub(crate) fn close(&self) {
        lock(&self.state).closed = true;
        self.changed.notify_all();
    }
}
