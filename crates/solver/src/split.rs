//! Nodes whose younger moves are shared among workers, once the eldest has been searched alone and did not suffice
//! ("young brothers wait", R. Feldmann 1993): what one worker then does is seldom in vain.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::order::Choice;

/// A node with moves left to search in a null window.
#[derive(Debug)]
pub(crate) struct Split {
    pub(crate) choices: Vec<Choice>,
    pub(crate) alpha: i32,
    /// The split its owner was working for when it opened this one.
    parent: Option<Arc<Split>>,
    next: AtomicUsize,
    cut: AtomicBool,
    /// Helpers at work, and the best result so far.
    inside: Mutex<(usize, Option<(i32, u8)>)>,
    left: Condvar,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is guarded is never left half-done, so a worker that panicked spoils nothing.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Split {
    pub(crate) fn new(choices: Vec<Choice>, alpha: i32, parent: Option<Arc<Split>>) -> Arc<Split> {
        let (next, cut, inside, left) = Default::default();
        Arc::new(Split { choices, alpha, parent, next, cut, inside, left })
    }

    /// The next move that nobody has taken.
    pub(crate) fn take(&self) -> Option<Choice> {
        if self.cut.load(SeqCst) {
            return None;
        }
        self.choices.get(self.next.fetch_add(1, SeqCst)).copied()
    }

    /// Whether somebody may still take a move.
    fn is_open(&self) -> bool {
        !self.cut.load(SeqCst) && self.next.load(SeqCst) < self.choices.len()
    }

    /// Notes what a move is worth; one above `alpha` ends the split.
    pub(crate) fn note(&self, score: i32, square: u8) {
        let mut inside = lock(&self.inside);
        if inside.1.is_none_or(|(best, _)| score > best) {
            inside.1 = Some((score, square));
        }
        if score > self.alpha {
            self.cut.store(true, SeqCst);
        }
    }

    /// Whether what is searched for this split is in vain: it, or one further up, has its answer.
    pub(crate) fn is_vain(&self) -> bool {
        self.cut.load(SeqCst) || self.parent.as_ref().is_some_and(|parent| parent.is_vain())
    }

    /// Waits until the last helper has left; the best result.
    pub(crate) fn wait(&self) -> Option<(i32, u8)> {
        let mut inside = lock(&self.inside);
        while inside.0 > 0 {
            inside = self.left.wait(inside).unwrap_or_else(PoisonError::into_inner);
        }
        inside.1
    }

    pub(crate) fn leave(&self) {
        lock(&self.inside).0 -= 1;
        self.left.notify_all();
    }
}

/// Where splits are offered and workers without work wait.
#[derive(Debug, Default)]
pub(crate) struct Market {
    offers: Mutex<Offers>,
    news: Condvar,
    /// Workers that wait, read without the lock: a stale number costs little.
    idle: AtomicUsize,
}

#[derive(Debug, Default)]
struct Offers {
    open: Vec<Arc<Split>>,
    closed: bool,
}

impl Market {
    /// Whether somebody waits for work.
    #[inline]
    pub(crate) fn has_idle(&self) -> bool {
        self.idle.load(SeqCst) > 0
    }

    pub(crate) fn offer(&self, split: &Arc<Split>) {
        lock(&self.offers).open.push(Arc::clone(split));
        self.news.notify_all();
    }

    pub(crate) fn withdraw(&self, split: &Arc<Split>) {
        lock(&self.offers).open.retain(|open| !Arc::ptr_eq(open, split));
    }

    /// Waits for a split to help with, and enters it; nothing when the market is closed. The oldest is the largest.
    pub(crate) fn find(&self) -> Option<Arc<Split>> {
        let mut offers = lock(&self.offers);
        self.idle.fetch_add(1, SeqCst);
        let found = loop {
            if offers.closed {
                break None;
            }
            if let Some(split) = offers.open.iter().find(|split| split.is_open()) {
                // Entered under the market's lock, so that an owner that has withdrawn knows all its helpers.
                lock(&split.inside).0 += 1;
                break Some(Arc::clone(split));
            }
            offers = self.news.wait(offers).unwrap_or_else(PoisonError::into_inner);
        };
        self.idle.fetch_sub(1, SeqCst);
        found
    }

    /// Sends everybody home.
    pub(crate) fn close(&self) {
        lock(&self.offers).closed = true;
        self.news.notify_all();
    }
}
