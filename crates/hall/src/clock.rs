//! When a thought must end, and how much of a clock a move may take.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use alfil_kernel::{Bound, Control, Info};

use crate::desk::Limits;

mod game;

pub use game::{GameClock, Pace, PaceError, Standing};

/// How much time a move may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// After this no new depth is begun.
    pub soft: Duration,
    /// After this it ends wherever it is.
    pub hard: Duration,
}

/// A clock as the side to move sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// What is left.
    pub left: Duration,
    /// What each move wins.
    pub increment: Duration,
    /// Moves until there is new time; none where it must do for the rest of the game.
    pub moves: Option<u32>,
    /// Kept back at every move for the road between the mind and the clock.
    pub overhead: Duration,
}

/// A game is expected to last so many more moves, whenever it is asked. 15 to 60 moves.
const HORIZON: u32 = 28;
/// How much of the increment is spent at once, in hundredths. 50 to 100.
const INCREMENT_SHARE: u32 = 80;
/// When no new depth is begun, in hundredths of the time meant for a move: the next depth takes as long as all before together,
/// and is often cut off in vain. 40 to 80.
const SOFT_SHARE: u32 = 60;
/// The soft bound in hundredths of its length: this much where nothing of the search lies under the best move, less this where all
/// of it does: a move that has no rival needs no more thought. 100 to 300; 50 to 250, not above the first.
const EFFORT: (u32, u32) = (240, 200);
/// The same for each depth in a row that found the same move, but for no more than so many depths. 100 to 200, 0 to 20 and 3 to 10.
const STABLE: (u32, u32, u32) = (125, 10, 5);
/// How many times the time meant for it a difficult move may take. 2 to 6.
const HARD_TIMES: u32 = 4;
/// How much of the clock one move may take when more are to come, in hundredths. 25 to 75.
const MOST: u32 = 50;
/// However late it is, so much is thought.
const LEAST: Duration = Duration::from_millis(1);

impl Bounds {
    /// So long, exactly.
    pub fn exact(time: Duration) -> Bounds {
        Bounds { soft: time, hard: time }
    }

    /// What a clock allows a move. Whoever always thinks to the hard bound never oversteps the time.
    pub fn of(clock: &Clock) -> Bounds {
        let usable = clock.left.saturating_sub(clock.overhead);
        let moves = clock.moves.unwrap_or(HORIZON).clamp(1, HORIZON);
        let share = |time: Duration, hundredths: u32| time / 100 * hundredths;
        // A single move left before new time may take it all, but for the overhead of a second move, should it come.
        let most = if moves == 1 { usable.saturating_sub(clock.overhead) } else { share(usable, MOST) };
        let meant = (usable / moves).saturating_add(share(clock.increment, INCREMENT_SHARE));
        let hard = meant.saturating_mul(HARD_TIMES).min(most).max(LEAST);
        Bounds { soft: share(meant, SOFT_SHARE).min(hard), hard }
    }

    /// The soft bound in view of what was found out: later where the best move is new and has rivals, sooner where it stood out for
    /// depths.
    fn soft_after<M>(&self, info: &Info<'_, M>) -> Duration {
        if self.soft == self.hard {
            return self.soft;
        }
        const { assert!(EFFORT.0 >= EFFORT.1 && STABLE.0 >= STABLE.1 * STABLE.2) };
        let effort = EFFORT.0 - EFFORT.1 * info.effort / 1000;
        let stable = STABLE.0 - STABLE.1 * info.stable.min(STABLE.2);
        (self.soft.saturating_mul(effort * stable) / 10_000).min(self.hard)
    }
}

/// What a running thought is told from outside, and when its time began.
#[derive(Debug)]
pub(crate) struct Signal {
    stop: AtomicBool,
    begun: Instant,
    /// From the beginning until its own time began, in microseconds; [`u64::MAX`] while it is the opponent's.
    own: AtomicU64,
}

impl Signal {
    /// Time runs from now, on the opponent's clock if it is to ponder.
    pub(crate) fn new(ponder: bool) -> Self {
        let own = AtomicU64::new(if ponder { u64::MAX } else { 0 });
        Signal { stop: AtomicBool::new(false), begun: Instant::now(), own }
    }

    /// It must end.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Its own time begins, if it has not begun already.
    pub(crate) fn hit(&self) {
        let now = self.begun.elapsed().as_micros() as u64;
        // It fails where its own time has begun: then that stands.
        let _ = self.own.compare_exchange(u64::MAX, now, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// All the time it took, and how much of it was its own, if its own has begun.
    fn elapsed(&self) -> (Duration, Option<Duration>) {
        let all = self.begun.elapsed();
        let before = self.own.load(Ordering::Relaxed);
        let own = (before != u64::MAX).then(|| all.saturating_sub(Duration::from_micros(before)));
        (all, own)
    }
}

/// The hall's end of a search: it stops it by flag, nodes or time, and passes its reports on.
pub(crate) struct Watch<F> {
    signal: Arc<Signal>,
    nodes: u64,
    least: u64,
    end: Option<Duration>,
    clock: Option<Bounds>,
    /// The soft bound as it is after the last depth.
    soft: Duration,
    /// A depth was finished after the soft bound, or in the opponent's time.
    finished: bool,
    hear: F,
}

impl<F> Watch<F> {
    /// A watch over a thought.
    pub(crate) fn new(limits: &Limits, signal: Arc<Signal>, hear: F) -> Self {
        let nodes = limits.nodes.unwrap_or(u64::MAX);
        let soft = limits.clock.map_or(Duration::MAX, |clock| clock.soft);
        let Limits { least, time: end, clock, .. } = *limits;
        Watch { signal, nodes, least, end, clock, soft, finished: false, hear }
    }

    /// Whether the time is over. What was thought in the opponent's time counts for the soft bound, not for the hard one.
    fn late(&self) -> bool {
        if self.end.is_none() && self.clock.is_none() {
            return false;
        }
        let (all, own) = self.signal.elapsed();
        let late =
            |own| self.clock.is_some_and(|clock| own >= clock.hard || (self.finished && all >= self.soft));
        self.end.is_some_and(|end| all >= end) || own.is_some_and(late)
    }
}

impl<M, F: FnMut(&Info<'_, M>, f64)> Control<M> for Watch<F> {
    fn stop(&mut self, nodes: u64) -> bool {
        self.signal.stop.load(Ordering::Relaxed)
            || nodes >= self.nodes
            || (nodes >= self.least && self.late())
    }

    fn report(&mut self, info: &Info<'_, M>) {
        let (all, own) = self.signal.elapsed();
        // A new depth is only just begun when this is asked next.
        if let Some(clock) = self.clock {
            if info.rank == 1 && info.bound == Bound::Exact {
                self.soft = clock.soft_after(info);
            }
            self.finished = own.is_none() || all >= self.soft;
        }
        (self.hear)(info, all.as_secs_f64());
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
                    let clock = Clock { left: ms(left), increment: ms(increment), moves, overhead: ms(30) };
                    let Bounds { soft, hard } = Bounds::of(&clock);
                    assert!(soft <= hard && hard >= LEAST, "{clock:?}");
                    assert!(hard <= LEAST.max(ms(left).saturating_sub(ms(30))), "{clock:?}: {hard:?}");
                }
            }
        }
        let forever = Clock { left: Duration::MAX, increment: Duration::MAX / 2, ..Clock::default() };
        assert!(Bounds::of(&forever).hard < Duration::MAX);
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
                let clock = Clock { left, increment: ms(increment), moves, overhead };
                let spent = Bounds::of(&clock).hard;
                // With a hundredth of a second left and nothing won, no plan helps.
                if left > overhead + LEAST {
                    assert!(spent <= left - LEAST.min(left), "move {mv}: {spent:?} of {left:?}");
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
            let clock = Clock { left: ms(left), increment: ms(increment), moves, overhead: ms(30) };
            Bounds::of(&clock)
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
        let limits = Limits { clock: Some(Bounds::exact(ms(0))), ..Limits::default() };
        let signal = Arc::new(Signal::new(true));
        let mut watch = Watch::new(&limits, signal.clone(), |_: &Info<'_, u32>, _| ());
        assert!(!Control::<u32>::stop(&mut watch, 1));
        signal.hit();
        assert!(Control::<u32>::stop(&mut watch, 1));
        // What is left of the clock is counted from the first hit.
        let own = signal.own.load(Ordering::Relaxed);
        signal.hit();
        assert_eq!(signal.own.load(Ordering::Relaxed), own);
    }

    #[test]
    fn a_move_without_rivals_takes_less_time() {
        let bounds = Bounds { soft: ms(1_000), hard: ms(3_000) };
        let told = |effort, stable| Info {
            depth: 9,
            seldepth: 9,
            score: 0,
            bound: Bound::Exact,
            nodes: 1,
            line: &[1_u32][..],
            rank: 1,
            full: 0,
            effort,
            stable,
        };
        let soft = |effort, stable| bounds.soft_after(&told(effort, stable));
        assert!(soft(900, 1) < soft(500, 1) && soft(500, 1) < soft(100, 1));
        assert!(soft(500, 9) < soft(500, 2) && soft(500, 2) < soft(500, 1));
        assert!(soft(700, 3) > ms(700) && soft(700, 3) < ms(1_300), "{:?}", soft(700, 3));
        assert!(soft(0, 1) <= bounds.hard);
        // Whoever is told to take a time exactly takes it.
        assert_eq!(Bounds::exact(ms(70)).soft_after(&told(1_000, 9)), ms(70));
    }

    #[test]
    fn nodes_end_it_or_time_once_so_many_are_looked_at_and_a_flag_always() {
        let nodes = Limits { nodes: Some(10), ..Limits::default() };
        let late = Limits { time: Some(ms(0)), least: 10, ..Limits::default() };
        for limits in [nodes, late] {
            let signal = Arc::new(Signal::new(false));
            let mut watch = Watch::new(&limits, signal.clone(), |_: &Info<'_, u32>, _| ());
            assert!(!Control::<u32>::stop(&mut watch, 9), "{limits:?}");
            assert!(Control::<u32>::stop(&mut watch, 10), "{limits:?}");
            signal.stop();
            assert!(Control::<u32>::stop(&mut watch, 9), "{limits:?}");
        }
    }
}
