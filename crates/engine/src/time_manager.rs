//! Decides when a running search must stop: by request, nodes or time.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use alfil_kernel::Bound;
use alfil_session::{SearchLimits, SearchMonitor, SearchReport, TimeBudget};

/// Returns the time since the first call: the time for game clocks, which never goes back.
pub fn now() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

/// Scale of the soft limit in percent by effort: the first number where no node lies below the best move, less the
/// second where all nodes do, because a move without rivals needs no more search. Ranges for tuning: 100 to 300; 50 to
/// 250, at most the first.
const EFFORT_SCALE: (u32, u32) = (240, 200);
/// Scale of the soft limit in percent by stability: the first number, less the second for each iteration in a row that
/// found the same best move, for at most the third number of iterations. Ranges: 100 to 200, 0 to 20 and 3 to 10.
const STABILITY_SCALE: (u32, u32, u32) = (125, 10, 5);
/// Scale of the soft limit in percent by the fall of the score: the first number, and the second for each centipawn of
/// fall, from the third number to the fourth. Ranges: 80 to 110, 0 to 6, 50 to 100 and 120 to 300.
const SCORE_FALL_SCALE: (i32, i32, i32, i32) = (95, 3, 70, 200);

/// Returns the soft limit of a budget after a report: later if the best move is new and has rivals or the score has
/// fallen, sooner if the move has been stable or the score has risen.
fn soft_limit(budget: &TimeBudget, report: &SearchReport) -> Duration {
    if budget.soft == budget.hard {
        return budget.soft;
    }
    const {
        assert!(
            EFFORT_SCALE.0 >= EFFORT_SCALE.1 && STABILITY_SCALE.0 >= STABILITY_SCALE.1 * STABILITY_SCALE.2
        )
    };
    let effort = EFFORT_SCALE.0 - EFFORT_SCALE.1 * report.best_move_effort_permille / 1000;
    let stability = STABILITY_SCALE.0 - STABILITY_SCALE.1 * report.best_move_stability.min(STABILITY_SCALE.2);
    let (base, per_cp, min, max) = SCORE_FALL_SCALE;
    let score_fall = report.score_fall_cp.map_or(100, |fall| (base + per_cp * fall).clamp(min, max) as u32);
    (budget.soft.saturating_mul(effort * stability) / 10_000 * score_fall / 100).min(budget.hard)
}

/// What a search calls while it runs: the clock, and the requests to end.
///
/// ```
/// use std::time::Duration;
///
/// use alfil_engine::{SearchHost, search_here};
/// use alfil_session::{SearchLimits, registry};
///
/// // A system without a clock, on which a search ends by its nodes.
/// let host = SearchHost { now: || Duration::ZERO, is_stopped: || false };
/// let limits = SearchLimits { nodes: Some(5_000), ..SearchLimits::default() };
/// let mut events = Vec::new();
/// search_here(&*registry::open("chess", None)?, &limits, host, &mut |event| events.push(event))?;
/// assert!(events.len() > 1);
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SearchHost {
    /// Returns the time since any fixed moment; it never goes back.
    pub now: fn() -> Duration,
    /// Returns whether the search was requested to end.
    pub is_stopped: fn() -> bool,
}

impl SearchHost {
    /// The clock of the operating system; requests come over the [`SearchHandle`](crate::SearchHandle).
    pub(crate) const SYSTEM: SearchHost = SearchHost { now, is_stopped: || false };
}

/// The stop request and the start times of a running search.
#[derive(Debug)]
pub(crate) struct StopSignal {
    stop: AtomicBool,
    host: SearchHost,
    started: Duration,
    /// The time from the start to the start of the own time, in microseconds; [`u64::MAX`] while the search ponders.
    own_start_us: AtomicU64,
}

impl StopSignal {
    /// Makes the signal of a search that starts now, on the opponent's time if it ponders.
    pub(crate) fn new(ponder: bool, host: SearchHost) -> Self {
        let own_start_us = AtomicU64::new(if ponder { u64::MAX } else { 0 });
        StopSignal { stop: AtomicBool::new(false), host, started: (host.now)(), own_start_us }
    }

    /// Returns the time since the start.
    fn since_start(&self) -> Duration {
        (self.host.now)().saturating_sub(self.started)
    }

    /// Returns whether the end of the search was requested.
    fn is_stop_requested(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || (self.host.is_stopped)()
    }

    /// Requests the end of the search.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Starts the own time of the search, if it has not started.
    pub(crate) fn ponder_hit(&self) {
        let now = self.since_start().as_micros() as u64;
        // This fails if the own time has started already, which then stays.
        let _ = self.own_start_us.compare_exchange(u64::MAX, now, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Returns the time since the start, and the own time if it has started.
    fn elapsed(&self) -> (Duration, Option<Duration>) {
        let all = self.since_start();
        let before = self.own_start_us.load(Ordering::Relaxed);
        let own = (before != u64::MAX).then(|| all.saturating_sub(Duration::from_micros(before)));
        (all, own)
    }
}

/// The monitor of a search: it stops the search at its limits and passes its reports on, with the seconds since the
/// start.
pub(crate) struct LimitControl<F> {
    signal: Arc<StopSignal>,
    max_nodes: u64,
    min_nodes: u64,
    max_time: Option<Duration>,
    /// A forced win in at most this number of plies ends the search.
    mate_plies: i32,
    time_budget: Option<TimeBudget>,
    /// The soft limit after the last report.
    soft_limit: Duration,
    /// What runs now must end at the soft limit: the last iteration ended after it or while pondering, or the score is
    /// already that of the end of the game.
    stop_after_depth: bool,
    on_report: F,
}

impl<F> LimitControl<F> {
    /// Makes the monitor of a search with these limits.
    pub(crate) fn new(limits: &SearchLimits, signal: Arc<StopSignal>, on_report: F) -> Self {
        let max_moves = i32::MAX as u32 / 4;
        LimitControl {
            signal,
            max_nodes: limits.nodes.unwrap_or(u64::MAX),
            min_nodes: limits.min_nodes,
            max_time: limits.time,
            mate_plies: limits.mate_in_moves.map_or(0, |moves| 2 * moves.min(max_moves) as i32 - 1),
            time_budget: limits.time_budget,
            soft_limit: limits.time_budget.map_or(Duration::MAX, |budget| budget.soft),
            stop_after_depth: false,
            on_report,
        }
    }

    /// Returns whether the time is over. Time spent pondering counts for the soft limit, not for the hard one.
    fn is_out_of_time(&self) -> bool {
        if self.max_time.is_none() && self.time_budget.is_none() {
            return false;
        }
        let (all, own) = self.signal.elapsed();
        let is_over_budget = |own| {
            self.time_budget
                .is_some_and(|budget| own >= budget.hard || (self.stop_after_depth && all >= self.soft_limit))
        };
        self.max_time.is_some_and(|max| all >= max) || own.is_some_and(is_over_budget)
    }
}

impl<F: FnMut(SearchReport, f64) + Send> SearchMonitor for LimitControl<F> {
    fn is_stopped(&mut self, nodes: u64) -> bool {
        self.signal.is_stop_requested()
            || nodes >= self.max_nodes
            || (nodes >= self.min_nodes && self.is_out_of_time())
    }

    fn on_report(&mut self, report: SearchReport) {
        let (all, own) = self.signal.elapsed();
        // The next check comes when the next iteration has just started. A solver reports bounds while it goes on.
        if let Some(budget) = self.time_budget
            && report.bound == Bound::Exact
        {
            if report.multipv == 1 {
                self.soft_limit = soft_limit(&budget, &report);
            }
            // After a result for the end of the game, the search for a surer one ends at the soft limit.
            self.stop_after_depth = own.is_none() || all >= self.soft_limit || report.confidence.is_some();
        }
        let is_enough = report.mate_plies.is_some_and(|plies| (1..=self.mate_plies).contains(&plies));
        (self.on_report)(report, all.as_secs_f64());
        if is_enough {
            self.signal.stop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn the_own_time_of_a_pondering_search_starts_with_the_ponder_hit() {
        let limits = SearchLimits { time_budget: Some(TimeBudget::exact(ms(0))), ..SearchLimits::default() };
        let signal = Arc::new(StopSignal::new(true, SearchHost::SYSTEM));
        let mut control = LimitControl::new(&limits, signal.clone(), |_, _| ());
        assert!(!control.is_stopped(1));
        signal.ponder_hit();
        assert!(control.is_stopped(1));
        // Only the first hit counts.
        let own_start = signal.own_start_us.load(Ordering::Relaxed);
        signal.ponder_hit();
        assert_eq!(signal.own_start_us.load(Ordering::Relaxed), own_start);
    }

    #[test]
    fn the_soft_limit_depends_on_the_rivals_of_the_best_move_and_on_the_fall_of_the_score() {
        let budget = TimeBudget { soft: ms(1_000), hard: ms(3_000) };
        let report = |effort, stability, score_fall_cp| SearchReport {
            multipv: 1,
            depth: 9,
            seldepth: 9,
            score: 0,
            bound: Bound::Exact,
            mate_plies: None,
            nodes: 1,
            hashfull: 0,
            pv: vec!["a1a2".into()],
            best_move_effort_permille: effort,
            best_move_stability: stability,
            score_fall_cp,
            root_moves_done: None,
            confidence: None,
            is_book: false,
        };
        let soft = |effort, stability| soft_limit(&budget, &report(effort, stability, None));
        assert!(soft(900, 1) < soft(500, 1) && soft(500, 1) < soft(100, 1));
        assert!(soft(500, 9) < soft(500, 2) && soft(500, 2) < soft(500, 1));
        assert!(soft(700, 3) > ms(700) && soft(700, 3) < ms(1_300), "{:?}", soft(700, 3));
        assert!(soft(0, 1) <= budget.hard);
        // The limit is later after a fall of the score, sooner after a rise.
        let fallen = |fall| soft_limit(&budget, &report(700, 3, Some(fall)));
        assert!(fallen(-100) < soft(700, 3) && soft(700, 3) < fallen(20) && fallen(20) < fallen(30));
        assert!(fallen(100) == soft(700, 3) * 2 && fallen(100) <= budget.hard);
        // An exact time is never changed.
        assert_eq!(soft_limit(&TimeBudget::exact(ms(70)), &report(1_000, 9, Some(100))), ms(70));
    }

    #[test]
    fn nodes_end_a_search_time_only_after_the_minimum_of_nodes_and_a_stop_request_always() {
        let nodes = SearchLimits { nodes: Some(10), ..SearchLimits::default() };
        let late = SearchLimits { time: Some(ms(0)), min_nodes: 10, ..SearchLimits::default() };
        for limits in [nodes, late] {
            let signal = Arc::new(StopSignal::new(false, SearchHost::SYSTEM));
            let mut control = LimitControl::new(&limits, signal.clone(), |_, _| ());
            assert!(!control.is_stopped(9), "{limits:?}");
            assert!(control.is_stopped(10), "{limits:?}");
            signal.stop();
            assert!(control.is_stopped(9), "{limits:?}");
        }
    }
}
