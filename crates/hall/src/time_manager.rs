//! Time management: when a search must stop, and how much of the clock a move may use.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use alfil_kernel::{Bound, SearchControl, SearchInfo};

use crate::game_session::SearchLimits;

mod game_clock;

pub use game_clock::{ClockSnapshot, GameClock, TimeControl, TimeControlError};

/// The time limits of one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeBudget {
    /// The soft limit: no new depth starts after it.
    pub soft: Duration,
    /// The hard limit: the search stops wherever it is.
    pub hard: Duration,
}

/// A clock from the view of the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockInput {
    /// The remaining time.
    pub remaining: Duration,
    /// The time that each move adds.
    pub increment: Duration,
    /// The number of moves until the next time control; `None` if the remaining time is for the rest of the game.
    pub moves_to_go: Option<u32>,
    /// The time reserved at every move for the delay between the engine and the clock.
    pub overhead: Duration,
}

/// The number of further moves that a game is expected to last, at any time of the game. Useful range: 15 to 60.
const EXPECTED_MOVES: u32 = 28;
/// The part of the increment that a move may use, in percent. Useful range: 50 to 100.
const INCREMENT_PERCENT: u32 = 80;
/// The soft limit in percent of the planned time: the next depth takes about as long as all before, so one that starts
/// later is often aborted and wasted. Useful range: 40 to 80.
const SOFT_LIMIT_PERCENT: u32 = 60;
/// The scale of the soft limit by effort, in percent: the first value if no node of the search is below the best move,
/// less the second value if all are, since a move without rivals needs no more time. Useful ranges: 100 to 300; 50 to
/// 250, at most the first value.
const EFFORT_SCALE: (u32, u32) = (240, 200);
/// The scale of the soft limit by stability, in percent: the first value, less the second for each depth in a row with
/// the same best move, for at most the third number of depths. Useful ranges: 100 to 200, 0 to 20, 3 to 10.
const STABILITY_SCALE: (u32, u32, u32) = (125, 10, 5);
/// The hard limit as a multiple of the planned time. Useful range: 2 to 6.
const HARD_LIMIT_FACTOR: u32 = 4;
/// The part of the clock that one of several moves may use, in percent. Useful range: 25 to 75.
const MAX_CLOCK_PERCENT: u32 = 50;
/// The time that a move may always use.
const MIN_MOVE_TIME: Duration = Duration::from_millis(1);

impl TimeBudget {
    /// Returns a budget of exactly this time.
    pub fn exact(time: Duration) -> TimeBudget {
        TimeBudget { soft: time, hard: time }
    }

    /// Returns the time budget for one move. A search that uses the whole hard limit on every move still does not lose
    /// on time.
    pub fn from_clock(clock: &ClockInput) -> TimeBudget {
        let usable = clock.remaining.saturating_sub(clock.overhead);
        let moves = clock.moves_to_go.unwrap_or(EXPECTED_MOVES).clamp(1, EXPECTED_MOVES);
        let percent_of = |time: Duration, percent: u32| time / 100 * percent;
        // The last move before the next time control may use all time, but for the overhead of a second move, in case
        // one follows.
        let max = if moves == 1 {
            usable.saturating_sub(clock.overhead)
        } else {
            percent_of(usable, MAX_CLOCK_PERCENT)
        };
        let planned = (usable / moves).saturating_add(percent_of(clock.increment, INCREMENT_PERCENT));
        let hard = planned.saturating_mul(HARD_LIMIT_FACTOR).min(max).max(MIN_MOVE_TIME);
        TimeBudget { soft: percent_of(planned, SOFT_LIMIT_PERCENT).min(hard), hard }
    }

    /// Returns the soft limit after a search report: later if the best move is new and has rivals, earlier if it was
    /// clearly best for several depths.
    fn soft_after<M>(&self, info: &SearchInfo<'_, M>) -> Duration {
        if self.soft == self.hard {
            return self.soft;
        }
        const {
            assert!(
                EFFORT_SCALE.0 >= EFFORT_SCALE.1
                    && STABILITY_SCALE.0 >= STABILITY_SCALE.1 * STABILITY_SCALE.2
            )
        };
        let effort = EFFORT_SCALE.0 - EFFORT_SCALE.1 * info.best_move_effort_permille / 1000;
        let stability =
            STABILITY_SCALE.0 - STABILITY_SCALE.1 * info.best_move_stability.min(STABILITY_SCALE.2);
        (self.soft.saturating_mul(effort * stability) / 10_000).min(self.hard)
    }
}

/// The signals from the caller to a running search, and its start time.
#[derive(Debug)]
pub(crate) struct StopSignal {
    stop: AtomicBool,
    started: Instant,
    /// The time from the start of the search until its own clock started, in microseconds; [`u64::MAX`] while it
    /// ponders.
    own_start_us: AtomicU64,
}

impl StopSignal {
    /// Starts the time of a search, on the opponent's clock if it ponders.
    pub(crate) fn new(ponder: bool) -> Self {
        let own = AtomicU64::new(if ponder { u64::MAX } else { 0 });
        StopSignal { stop: AtomicBool::new(false), started: Instant::now(), own_start_us: own }
    }

    /// Tells the search to stop.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Starts the search's own clock, unless it has started already.
    pub(crate) fn ponder_hit(&self) {
        let now = self.started.elapsed().as_micros() as u64;
        // This fails if the own clock has started already, whose start then stays.
        let _ = self.own_start_us.compare_exchange(u64::MAX, now, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Returns the time since the start of the search and, if its own clock has started, the time on that clock.
    fn elapsed(&self) -> (Duration, Option<Duration>) {
        let total = self.started.elapsed();
        let own_start = self.own_start_us.load(Ordering::Relaxed);
        let own = (own_start != u64::MAX).then(|| total.saturating_sub(Duration::from_micros(own_start)));
        (total, own)
    }
}

/// The search control of a session: stops the search by signal, nodes or time, and passes its reports on.
pub(crate) struct LimitControl<F> {
    signal: Arc<StopSignal>,
    max_nodes: u64,
    min_nodes: u64,
    max_time: Option<Duration>,
    time_budget: Option<TimeBudget>,
    /// The soft limit after the last report.
    soft_limit: Duration,
    /// Whether a depth was finished after the soft limit or while pondering, so that no new one may start.
    stop_after_depth: bool,
    on_info: F,
}

impl<F> LimitControl<F> {
    /// Creates the control of a search.
    pub(crate) fn new(limits: &SearchLimits, signal: Arc<StopSignal>, on_info: F) -> Self {
        LimitControl {
            signal,
            max_nodes: limits.nodes.unwrap_or(u64::MAX),
            min_nodes: limits.min_nodes,
            max_time: limits.time,
            time_budget: limits.time_budget,
            soft_limit: limits.time_budget.map_or(Duration::MAX, |budget| budget.soft),
            stop_after_depth: false,
            on_info,
        }
    }

    /// Returns whether the time is over. Time spent pondering counts for the soft limit, not for the hard one.
    fn is_out_of_time(&self) -> bool {
        if self.max_time.is_none() && self.time_budget.is_none() {
            return false;
        }
        let (total, own) = self.signal.elapsed();
        let is_late = |own| {
            self.time_budget.is_some_and(|budget| {
                own >= budget.hard || (self.stop_after_depth && total >= self.soft_limit)
            })
        };
        self.max_time.is_some_and(|max| total >= max) || own.is_some_and(is_late)
    }
}

impl<M, F: FnMut(&SearchInfo<'_, M>, f64)> SearchControl<M> for LimitControl<F> {
    fn is_stopped(&mut self, nodes: u64) -> bool {
        self.signal.stop.load(Ordering::Relaxed)
            || nodes >= self.max_nodes
            || (nodes >= self.min_nodes && self.is_out_of_time())
    }

    fn report(&mut self, info: &SearchInfo<'_, M>) {
        let (total, own) = self.signal.elapsed();
        // The next call of `is_stopped` happens right after the start of a new depth.
        if let Some(budget) = self.time_budget {
            if info.multipv == 1 && info.bound == Bound::Exact {
                self.soft_limit = budget.soft_after(info);
            }
            self.stop_after_depth = own.is_none() || total >= self.soft_limit;
        }
        (self.on_info)(info, total.as_secs_f64());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn budgets_are_within_the_clock() {
        for left in [0, 1, 30, 31, 100, 1_000, 60_000, 3_600_000] {
            for increment in [0, 100, 60_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let clock = ClockInput {
                        remaining: ms(left),
                        increment: ms(increment),
                        moves_to_go: moves,
                        overhead: ms(30),
                    };
                    let TimeBudget { soft, hard } = TimeBudget::from_clock(&clock);
                    assert!(soft <= hard && hard >= MIN_MOVE_TIME, "{clock:?}");
                    assert!(
                        hard <= MIN_MOVE_TIME.max(ms(left).saturating_sub(ms(30))),
                        "{clock:?}: {hard:?}"
                    );
                }
            }
        }
        let forever =
            ClockInput { remaining: Duration::MAX, increment: Duration::MAX / 2, ..ClockInput::default() };
        assert!(TimeBudget::from_clock(&forever).hard < Duration::MAX);
    }

    /// A player that always uses the hard limit and the overhead does not lose on time.
    #[test]
    fn a_player_that_always_uses_the_hard_limit_keeps_the_time() {
        for (increment, period) in
            [(0, None), (50, None), (1_000, None), (0, Some(40)), (0, Some(1)), (0, Some(3))]
        {
            let overhead = ms(10);
            let mut left = ms(10_000);
            for mv in 0..200 {
                let moves = period.map(|period| period - mv % period);
                let clock =
                    ClockInput { remaining: left, increment: ms(increment), moves_to_go: moves, overhead };
                let used = TimeBudget::from_clock(&clock).hard;
                // With 10 ms left and no increment no budget can be kept.
                if left > overhead + MIN_MOVE_TIME {
                    assert!(used <= left - MIN_MOVE_TIME.min(left), "move {mv}: {used:?} of {left:?}");
                    assert!(used + overhead <= left, "move {mv}: {used:?} of {left:?}");
                }
                left = left.saturating_sub(used) + ms(increment);
                if period.is_some_and(|period| (mv + 1) % period == 0) {
                    left += ms(10_000);
                }
            }
        }
    }

    #[test]
    fn more_clock_time_gives_a_larger_budget() {
        let budget = |left, increment, moves| {
            let clock = ClockInput {
                remaining: ms(left),
                increment: ms(increment),
                moves_to_go: moves,
                overhead: ms(30),
            };
            TimeBudget::from_clock(&clock)
        };
        assert!(budget(60_000, 0, None).soft < budget(120_000, 0, None).soft);
        assert!(budget(60_000, 0, None).soft < budget(60_000, 1_000, None).soft);
        assert!(budget(60_000, 0, Some(20)).soft < budget(60_000, 0, Some(5)).soft);
        // A minute for the whole game allows one or two seconds a move.
        let normal = budget(60_000, 0, None);
        assert!(normal.soft > ms(1_000) && normal.hard < ms(10_000), "{normal:?}");
    }

    #[test]
    fn own_time_starts_with_the_ponder_hit() {
        let limits = SearchLimits { time_budget: Some(TimeBudget::exact(ms(0))), ..SearchLimits::default() };
        let signal = Arc::new(StopSignal::new(true));
        let mut control = LimitControl::new(&limits, signal.clone(), |_: &SearchInfo<'_, u32>, _| ());
        assert!(!SearchControl::<u32>::is_stopped(&mut control, 1));
        signal.ponder_hit();
        assert!(SearchControl::<u32>::is_stopped(&mut control, 1));
        // The own clock starts with the first ponder hit.
        let own = signal.own_start_us.load(Ordering::Relaxed);
        signal.ponder_hit();
        assert_eq!(signal.own_start_us.load(Ordering::Relaxed), own);
    }

    #[test]
    fn a_clear_best_move_lowers_the_soft_limit() {
        let budget = TimeBudget { soft: ms(1_000), hard: ms(3_000) };
        let info = |effort, stable| SearchInfo {
            depth: 9,
            seldepth: 9,
            score: 0,
            bound: Bound::Exact,
            nodes: 1,
            pv: &[1_u32][..],
            multipv: 1,
            hashfull: 0,
            best_move_effort_permille: effort,
            best_move_stability: stable,
        };
        let soft = |effort, stable| budget.soft_after(&info(effort, stable));
        assert!(soft(900, 1) < soft(500, 1) && soft(500, 1) < soft(100, 1));
        assert!(soft(500, 9) < soft(500, 2) && soft(500, 2) < soft(500, 1));
        assert!(soft(700, 3) > ms(700) && soft(700, 3) < ms(1_300), "{:?}", soft(700, 3));
        assert!(soft(0, 1) <= budget.hard);
        // An exact time budget does not change.
        assert_eq!(TimeBudget::exact(ms(70)).soft_after(&info(1_000, 9)), ms(70));
    }

    #[test]
    fn a_search_stops_by_nodes_by_time_after_min_nodes_and_always_by_signal() {
        let nodes = SearchLimits { nodes: Some(10), ..SearchLimits::default() };
        let time = SearchLimits { time: Some(ms(0)), min_nodes: 10, ..SearchLimits::default() };
        for limits in [nodes, time] {
            let signal = Arc::new(StopSignal::new(false));
            let mut control = LimitControl::new(&limits, signal.clone(), |_: &SearchInfo<'_, u32>, _| ());
            assert!(!SearchControl::<u32>::is_stopped(&mut control, 9), "{limits:?}");
            assert!(SearchControl::<u32>::is_stopped(&mut control, 10), "{limits:?}");
            signal.stop();
            assert!(SearchControl::<u32>::is_stopped(&mut control, 9), "{limits:?}");
        }
    }
}
