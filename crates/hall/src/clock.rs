//! When a thought must end, and how much of a clock it may spend.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use alfil_kernel::{Control, Info};
use alfil_protocol::driver::Clock;

use crate::desk::Limits;

/// A game is taken to last so many more moves.
const MOVES_TO_COME: u32 = 30;
/// What is left on the clock for the way of the move to the board.
const OVERHEAD: Duration = Duration::from_millis(20);

/// The part of a clock to spend on a move.
pub fn share(clock: &Clock) -> Duration {
    let moves = clock.moves.unwrap_or(MOVES_TO_COME).clamp(1, MOVES_TO_COME);
    let share = clock.left / moves + clock.increment * 3 / 4;
    share.min(clock.left.saturating_sub(OVERHEAD)).max(Duration::from_millis(1))
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_never_spent_whole() {
        let clock = |left, increment, moves| Clock {
            left: Duration::from_millis(left),
            increment: Duration::from_millis(increment),
            moves,
        };
        for (clock, expected) in [
            (clock(30_000, 0, None), 1000),
            (clock(30_000, 1000, None), 1750),
            (clock(30_000, 0, Some(2)), 15_000),
            (clock(30_000, 0, Some(1)), 29_980),
            (clock(30_000, 0, Some(0)), 29_980),
            (clock(50, 1000, None), 30),
            (clock(5, 0, None), 1),
        ] {
            assert_eq!(share(&clock).as_millis(), expected, "{clock:?}");
        }
    }
}
