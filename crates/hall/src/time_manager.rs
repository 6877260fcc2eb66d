//! When a thought must end, and how much of a clock a move may take.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use alfil_kernel::{Bound, SearchControl, SearchInfo};

use crate::game_session::SearchLimits;

mod game_clock;

pub use game_clock::{ClockSnapshot, GameClock, TimeControl, TimeControlError};

/// How much time a move may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeBudget {
    /// After this no new depth is begun.
    pub soft: Duration,
    /// After this it ends wherever it is.
    pub hard: Duration,
}

/// A clock as the side to move sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockInput {
    /// What is left.
    pub remaining: Duration,
    /// What each move wins.
    pub increment: Duration,
    /// Moves until there is new time; none where it must do for the rest of the game.
    pub moves_to_go: Option<u32>,
    /// Kept back at every move for the road between the mind and the clock.
    pub overhead: Duration,
}

/// A game is expected to last so many more moves, whenever it is asked. 15 to 60 moves.
const EXPECTED_MOVES: u32 = 28;
/// How much of the increment is spent at once, in hundredths. 50 to 100.
const INCREMENT_PERCENT: u32 = 80;
/// When no new depth is begun, in hundredths of the time meant for a move: the next depth takes as long as all before together,
/// and is often cut off in vain. 40 to 80.
const SOFT_LIMIT_PERCENT: u32 = 60;
/// The soft bound in hundredths of its length: this much where nothing of the search lies under the best move, less this where all
/// of it does: a move that has no rival needs no more thought. 100 to 300; 50 to 250, not above the first.
const EFFORT_SCALE: (u32, u32) = (240, 200);
/// The same for each depth in a row that found the same move, but for no more than so many depths. 100 to 200, 0 to 20 and 3 to 10.
const STABILITY_SCALE: (u32, u32, u32) = (125, 10, 5);
/// How many times the time meant for it a difficult move may take. 2 to 6.
const HARD_LIMIT_FACTOR: u32 = 4;
/// How much of the clock one move may take when more are to come, in hundredths. 25 to 75.
const MAX_CLOCK_PERCENT: u32 = 50;
/// However late it is, so much is thought.
const MIN_MOVE_TIME: Duration = Duration::from_millis(1);

impl TimeBudget {
    /// So long, exactly.
    pub fn exact(time: Duration) -> TimeBudget {
        TimeBudget { soft: time, hard: time }
    }

    /// What a clock allows a move. Whoever always thinks to the hard bound never oversteps the time.
    pub fn from_clock(clock: &ClockInput) -> TimeBudget {
        let usable = clock.remaining.saturating_sub(clock.overhead);
        let moves = clock.moves_to_go.unwrap_or(EXPECTED_MOVES).clamp(1, EXPECTED_MOVES);
        let share = |time: Duration, hundredths: u32| time / 100 * hundredths;
        // A single move left before new time may take it all, but for the overhead of a second move, should it come.
        let most =
            if moves == 1 { usable.saturating_sub(clock.overhead) } else { share(usable, MAX_CLOCK_PERCENT) };
        let meant = (usable / moves).saturating_add(share(clock.increment, INCREMENT_PERCENT));
        let hard = meant.saturating_mul(HARD_LIMIT_FACTOR).min(most).max(MIN_MOVE_TIME);
        TimeBudget { soft: share(meant, SOFT_LIMIT_PERCENT).min(hard), hard }
    }

    /// The soft bound in view of what was found out: later where the best move is new and has rivals, sooner where it stood out for
    /// depths.
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
        let stable = STABILITY_SCALE.0 - STABILITY_SCALE.1 * info.best_move_stability.min(STABILITY_SCALE.2);
        (self.soft.saturating_mul(effort * stable) / 10_000).min(self.hard)
    }
}

/// What a running thought is told from outside, and when its time began.
#[derive(Debug)]
pub(crate) struct StopSignal {
    stop: AtomicBool,
    started: Instant,
    /// From the beginning until its own time began, in microseconds; [`u64::MAX`] while it is the opponent's.
    own_start_us: AtomicU64,
}

impl StopSignal {
    /// Time runs from now, on the opponent's clock if it is to ponder.
    pub(crate) fn new(ponder: bool) -> Self {
        let own = AtomicU64::new(if ponder { u64::MAX } else { 0 });
        StopSignal { stop: AtomicBool::new(false), started: Instant::now(), own_start_us: own }
    }

    /// It must end.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Its own time begins, if it has not begun already.
    pub(crate) fn ponder_hit(&self) {
        let now = self.started.elapsed().as_micros() as u64;
        // It fails where its own time has begun: then that stands.
        let _ = self.own_start_us.compare_exchange(u64::MAX, now, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// All the time it took, and how much of it was its own, if its own has begun.
    fn elapsed(&self) -> (Duration, Option<Duration>) {
        let all = self.started.elapsed();
        let before = self.own_start_us.load(Ordering::Relaxed);
        let own = (before != u64::MAX).then(|| all.saturating_sub(Duration::from_micros(before)));
        (all, own)
    }
}

/// The hall's end of a search: it stops it by flag, nodes or time, and passes its reports on.
pub(crate) struct LimitControl<F> {
    signal: Arc<StopSignal>,
    max_nodes: u64,
    min_nodes: u64,
    max_time: Option<Duration>,
    time_budget: Option<TimeBudget>,
    /// The soft bound as it is after the last depth.
    soft_limit: Duration,
    /// A depth was finished after the soft bound, or in the opponent's time.
    stop_after_depth: bool,
    on_info: F,
}

impl<F> LimitControl<F> {
    /// A watch over a thought.
    pub(crate) fn new(limits: &SearchLimits, signal: Arc<StopSignal>, hear: F) -> Self {
        let nodes = limits.nodes.unwrap_or(u64::MAX);
        let soft = limits.time_budget.map_or(Duration::MAX, |clock| clock.soft);
        let SearchLimits { min_nodes: least, time: end, time_budget: clock, .. } = *limits;
        LimitControl {
            signal,
            max_nodes: nodes,
            min_nodes: least,
            max_time: end,
            time_budget: clock,
            soft_limit: soft,
            stop_after_depth: false,
            on_info: hear,
        }
    }

    /// Whether the time is over. What was thought in the opponent's time counts for the soft bound, not for the hard one.
    fn is_out_of_time(&self) -> bool {
        if self.max_time.is_none() && self.time_budget.is_none() {
            return false;
        }
        let (all, own) = self.signal.elapsed();
        let late = |own| {
            self.time_budget
                .is_some_and(|clock| own >= clock.hard || (self.stop_after_depth && all >= self.soft_limit))
        };
        self.max_time.is_some_and(|end| all >= end) || own.is_some_and(late)
    }
}

impl<M, F: FnMut(&SearchInfo<'_, M>, f64)> SearchControl<M> for LimitControl<F> {
    fn is_stopped(&mut self, nodes: u64) -> bool {
        self.signal.stop.load(Ordering::Relaxed)
            || nodes >= self.max_nodes
            || (nodes >= self.min_nodes && self.is_out_of_time())
    }

    fn report(&mut self, info: &SearchInfo<'_, M>) {
        let (all, own) = self.signal.elapsed();
        // A new depth is only just begun when this is asked next.
        if let Some(clock) = self.time_budget {
            if info.multipv == 1 && info.bound == Bound::Exact {
                self.soft_limit = clock.soft_after(info);
            }
            self.stop_after_depth = own.is_none() || all >= self.soft_limit;
        }
        (self.on_info)(info, all.as_secs_f64());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn bounds_lie_within_the_clock() {
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

    /// Whoever always takes all that a move may take, and the overhead besides, never oversteps the time.
    #[test]
    fn the_greediest_player_keeps_the_time() {
        for (increment, session) in
            [(0, None), (50, None), (1_000, None), (0, Some(40)), (0, Some(1)), (0, Some(3))]
        {
            let overhead = ms(10);
            let mut left = ms(10_000);
            for mv in 0..200 {
                let moves = session.map(|session| session - mv % session);
                let clock =
                    ClockInput { remaining: left, increment: ms(increment), moves_to_go: moves, overhead };
                let spent = TimeBudget::from_clock(&clock).hard;
                // With a hundredth of a second left and nothing won, no plan helps.
                if left > overhead + MIN_MOVE_TIME {
                    assert!(spent <= left - MIN_MOVE_TIME.min(left), "move {mv}: {spent:?} of {left:?}");
                    assert!(spent + overhead <= left, "move {mv}: {spent:?} of {left:?}");
                }
                left = left.saturating_sub(spent) + ms(increment);
                if session.is_some_and(|session| (mv + 1) % session == 0) {
                    left += ms(10_000);
                }
            }
        }
    }

    #[test]
    fn more_time_is_more_thought() {
        let bounds = |left, increment, moves| {
            let clock = ClockInput {
                remaining: ms(left),
                increment: ms(increment),
                moves_to_go: moves,
                overhead: ms(30),
            };
            TimeBudget::from_clock(&clock)
        };
        assert!(bounds(60_000, 0, None).soft < bounds(120_000, 0, None).soft);
        assert!(bounds(60_000, 0, None).soft < bounds(60_000, 1_000, None).soft);
        assert!(bounds(60_000, 0, Some(20)).soft < bounds(60_000, 0, Some(5)).soft);
        // A minute for the whole game: a second or two a move.
        let usual = bounds(60_000, 0, None);
        assert!(usual.soft > ms(1_000) && usual.hard < ms(10_000), "{usual:?}");
    }

    #[test]
    fn the_time_of_a_pondered_move_begins_when_it_is_played() {
        let limits = SearchLimits { time_budget: Some(TimeBudget::exact(ms(0))), ..SearchLimits::default() };
        let signal = Arc::new(StopSignal::new(true));
        let mut watch = LimitControl::new(&limits, signal.clone(), |_: &SearchInfo<'_, u32>, _| ());
        assert!(!SearchControl::<u32>::is_stopped(&mut watch, 1));
        signal.ponder_hit();
        assert!(SearchControl::<u32>::is_stopped(&mut watch, 1));
        // What is left of the clock is counted from the first hit.
        let own = signal.own_start_us.load(Ordering::Relaxed);
        signal.ponder_hit();
        assert_eq!(signal.own_start_us.load(Ordering::Relaxed), own);
    }

    #[test]
    fn a_move_without_rivals_takes_less_time() {
        let bounds = TimeBudget { soft: ms(1_000), hard: ms(3_000) };
        let told = |effort, stable| SearchInfo {
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
        let soft = |effort, stable| bounds.soft_after(&told(effort, stable));
        assert!(soft(900, 1) < soft(500, 1) && soft(500, 1) < soft(100, 1));
        assert!(soft(500, 9) < soft(500, 2) && soft(500, 2) < soft(500, 1));
        assert!(soft(700, 3) > ms(700) && soft(700, 3) < ms(1_300), "{:?}", soft(700, 3));
        assert!(soft(0, 1) <= bounds.hard);
        // Whoever is told to take a time exactly takes it.
        assert_eq!(TimeBudget::exact(ms(70)).soft_after(&told(1_000, 9)), ms(70));
    }

    #[test]
    fn nodes_end_it_or_time_once_so_many_are_looked_at_and_a_flag_always() {
        let nodes = SearchLimits { nodes: Some(10), ..SearchLimits::default() };
        let late = SearchLimits { time: Some(ms(0)), min_nodes: 10, ..SearchLimits::default() };
        for limits in [nodes, late] {
            let signal = Arc::new(StopSignal::new(false));
            let mut watch = LimitControl::new(&limits, signal.clone(), |_: &SearchInfo<'_, u32>, _| ());
            assert!(!SearchControl::<u32>::is_stopped(&mut watch, 9), "{limits:?}");
            assert!(SearchControl::<u32>::is_stopped(&mut watch, 10), "{limits:?}");
            signal.stop();
            assert!(SearchControl::<u32>::is_stopped(&mut watch, 9), "{limits:?}");
        }
    }
}
