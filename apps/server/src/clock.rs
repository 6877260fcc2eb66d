//! The clock of a game: each side's time. It starts with the first move and runs while somebody has the game before him;
//! whose time is over has lost. Milliseconds everywhere; the moment is always given, so that tests need not wait.

use std::time::{Duration, Instant};

use alfil_hall::clock::{self, Bounds};
use serde::{Deserialize, Serialize};

use crate::refusal::Refusal;
use crate::tree::START;
use crate::wire::{ClockShape, PaceShape};

/// The shortest and the longest time of a side at the start.
const BASE: std::ops::RangeInclusive<u64> = 1_000..=24 * 3_600_000;
/// The most that a move may add.
const MOST_INCREMENT: u64 = 3_600_000;

/// What a thinker leaves for the way of its move to the clock.
const OVERHEAD: Duration = Duration::from_millis(50);

/// Both sides' time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Clock {
    pace: PaceShape,
    /// What each side has left, without what it is just now using.
    left: [u64; 2],
    /// Whose time runs.
    running: Option<usize>,
    /// Whose time is over.
    flagged: Option<usize>,
    /// Whether that is a draw, because the other side could not win any more.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    drawn: bool,
    /// The move after which it runs.
    #[serde(default)]
    node: usize,
    /// Since when it runs; nobody looks where this is not known.
    #[serde(skip)]
    since: Option<Instant>,
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl Clock {
    /// A clock that stands until the first move.
    ///
    /// # Errors
    /// If nobody would want to play by it.
    pub(crate) fn new(pace: PaceShape) -> Result<Clock, Refusal> {
        if !BASE.contains(&pace.base) {
            let (least, most) = (BASE.start() / 1000, BASE.end() / 1000);
            let words =
                format!("a clock starts with {least} to {most} seconds, not with {} milliseconds", pace.base);
            return Err(words.into());
        }
        if pace.increment > MOST_INCREMENT {
            let (most, given) = (MOST_INCREMENT / 1000, pace.increment);
            return Err(format!("a move adds at most {most} seconds, not {given} milliseconds").into());
        }
        Ok(Clock {
            pace,
            left: [pace.base; 2],
            running: None,
            flagged: None,
            drawn: false,
            node: START,
            since: None,
        })
    }

    /// Whose time is over.
    pub(crate) fn flagged(&self) -> Option<usize> {
        self.flagged
    }

    /// Whose time runs.
    pub(crate) fn running(&self) -> Option<usize> {
        self.running
    }

    /// The move after which it runs, or ran out.
    pub(crate) fn node(&self) -> usize {
        self.node
    }

    /// Whether the fall of the flag was a draw.
    pub(crate) fn drawn(&self) -> bool {
        self.drawn
    }

    /// The side whose flag fell has not lost.
    pub(crate) fn draw(&mut self) {
        self.drawn = self.flagged.is_some();
    }

    /// What a side has left.
    pub(crate) fn left(&self, side: usize, now: Instant) -> u64 {
        let since = self.since.filter(|_| self.running == Some(side));
        let used = since.map_or(0, |since| milliseconds(now.saturating_duration_since(since)));
        self.left[side].saturating_sub(used)
    }

    /// How long until a flag falls, if time runs.
    pub(crate) fn falls_in(&self, now: Instant) -> Option<Duration> {
        self.since.and(self.running).map(|side| Duration::from_millis(self.left(side, now)))
    }

    /// How much of its time the side to move may spend on this move.
    pub(crate) fn bounds(&self, now: Instant) -> Option<Bounds> {
        let left = Duration::from_millis(self.left(self.running?, now));
        let increment = Duration::from_millis(self.pace.increment);
        Some(Bounds::of(&clock::Clock { left, increment, moves: None, overhead: OVERHEAD }))
    }

    /// Takes off what was used until now; whoever has nothing left has lost.
    pub(crate) fn tick(&mut self, now: Instant) {
        let Some(side) = self.running else { return };
        self.left[side] = self.left(side, now);
        self.since = self.since.map(|_| now);
        if self.left[side] == 0 {
            (self.flagged, self.running, self.since) = (Some(side), None, None);
        }
    }

    /// Runs for a side from now on, which is to answer a move, or for nobody.
    pub(crate) fn run(&mut self, side: Option<usize>, node: usize, now: Instant) {
        self.tick(now);
        if self.flagged.is_none() {
            (self.running, self.node, self.since) = (side, node, side.map(|_| now));
        }
    }

    /// A side has moved, and now it runs for the next. The first move of all takes no time and adds none.
    pub(crate) fn moved(&mut self, mover: usize, next: Option<usize>, node: usize, now: Instant) {
        self.tick(now);
        if self.running == Some(mover) {
            self.left[mover] += self.pace.increment;
        }
        self.run(next, node, now);
    }

    /// It goes on, if it stood.
    pub(crate) fn resume(&mut self, now: Instant) {
        self.since = self.running.map(|_| self.since.unwrap_or(now));
    }

    /// It stands: nobody looks, or nobody thinks. Whether time was used that has to be kept.
    pub(crate) fn pause(&mut self, now: Instant) -> bool {
        let ran = self.since.is_some();
        self.tick(now);
        self.since = None;
        ran
    }

    /// As the page sees it.
    pub(crate) fn shape(&self, now: Instant) -> ClockShape {
        let left = [0, 1].map(|side| self.left(side, now));
        ClockShape { pace: self.pace, left, running: self.running, flagged: self.flagged, drawn: self.drawn }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIVE_AND_THREE: PaceShape = PaceShape { base: 300_000, increment: 3_000 };

    fn after(start: Instant, seconds: u64) -> Instant {
        start + Duration::from_secs(seconds)
    }

    #[test]
    fn each_side_uses_its_own_time_and_gets_its_increment() {
        let (mut clock, start) = (Clock::new(FIVE_AND_THREE).unwrap(), Instant::now());
        assert_eq!((clock.falls_in(after(start, 1000)), clock.bounds(start)), (None, None));
        clock.moved(0, Some(1), 1, start);
        assert_eq!(clock.shape(after(start, 10)).left, [300_000, 290_000]);
        assert_eq!(clock.falls_in(after(start, 10)), Some(Duration::from_secs(290)));
        clock.moved(1, Some(0), 2, after(start, 10));
        assert_eq!(clock.shape(after(start, 14)).left, [296_000, 293_000]);
        clock.moved(0, None, 3, after(start, 14));
        assert_eq!(clock.shape(after(start, 1000)).left, [299_000, 293_000]);
        assert_eq!(clock.falls_in(after(start, 1000)), None);
    }

    #[test]
    fn whose_time_is_over_has_lost_and_stays_so() {
        let (mut clock, start) = (Clock::new(FIVE_AND_THREE).unwrap(), Instant::now());
        clock.moved(0, Some(1), 1, start);
        clock.tick(after(start, 299));
        assert_eq!(clock.flagged(), None);
        clock.moved(1, Some(0), 2, after(start, 300));
        assert_eq!((clock.flagged(), clock.falls_in(after(start, 301))), (Some(1), None));
        clock.run(Some(0), 2, after(start, 301));
        let ClockShape { left, running, flagged, .. } = clock.shape(after(start, 500));
        assert_eq!((left, running, flagged), ([300_000, 0], None, Some(1)));
        assert_eq!((clock.node(), clock.drawn()), (1, false));
    }

    #[test]
    fn it_stands_while_nobody_looks_and_what_was_used_stays_used() {
        let (mut clock, start) = (Clock::new(FIVE_AND_THREE).unwrap(), Instant::now());
        assert!(!clock.pause(start));
        clock.moved(0, Some(1), 1, start);
        assert!(clock.pause(after(start, 20)));
        let kept = serde_json::to_string(&clock).unwrap();
        let mut clock: Clock = serde_json::from_str(&kept).unwrap();
        assert_eq!(clock.shape(after(start, 5000)).left, [300_000, 280_000]);
        clock.resume(after(start, 5000));
        assert_eq!(clock.shape(after(start, 5001)).left, [300_000, 279_000]);
    }

    #[test]
    fn a_move_may_take_less_than_what_is_left() {
        let (mut clock, start) = (Clock::new(FIVE_AND_THREE).unwrap(), Instant::now());
        clock.run(Some(0), 0, start);
        let bounds = clock.bounds(start).unwrap();
        assert!(bounds.soft > Duration::from_secs(3) && bounds.hard < Duration::from_secs(100), "{bounds:?}");
        assert!(clock.bounds(after(start, 299)).unwrap().hard < Duration::from_secs(1));
    }

    #[test]
    fn clocks_by_which_nobody_can_play_are_refused() {
        for (base, increment) in [(0, 3000), (999, 0), (u64::MAX, 0), (60_000, 3_600_001)] {
            let refusal = Clock::new(PaceShape { base, increment }).unwrap_err();
            assert!(refusal.words.contains("seconds"), "{refusal:?}");
        }
    }
}
