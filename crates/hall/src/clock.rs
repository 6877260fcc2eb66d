//! When a thought must end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use alfil_kernel::{Control, Info};

use crate::desk::Limits;

/// The hall's end of a search: it stops it by flag, nodes or time, and passes its reports on.
pub(crate) struct Watch<F> {
    stop: Arc<AtomicBool>,
    nodes: u64,
    start: Instant,
    end: Option<Instant>,
    hear: F,
}

impl<F> Watch<F> {
    /// A watch that starts now.
    pub(crate) fn new(limits: &Limits, stop: Arc<AtomicBool>, hear: F) -> Self {
        let start = Instant::now();
        // A time too long for the clock is no limit.
        let end = limits.time.and_then(|time| start.checked_add(time));
        Watch { stop, nodes: limits.nodes.unwrap_or(u64::MAX), start, end, hear }
    }
}

impl<M, F: FnMut(&Info<'_, M>, f64)> Control<M> for Watch<F> {
    fn stop(&mut self, nodes: u64) -> bool {
        self.stop.load(Ordering::Relaxed)
            || nodes >= self.nodes
            || self.end.is_some_and(|end| Instant::now() >= end)
    }

    fn report(&mut self, info: &Info<'_, M>) {
        (self.hear)(info, self.start.elapsed().as_secs_f64());
    }
}
