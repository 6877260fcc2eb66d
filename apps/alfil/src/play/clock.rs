//! Both sides' time at the table. It starts with the first move, which takes none, and runs while somebody has the game before
//! him; whose time is over has lost, if the other side can still win (FIDE 6.9). The moment is always given, so that tests need
//! not wait.

use std::time::{Duration, Instant};

use alfil_hall::clock::{self, Bounds};
use alfil_kernel::{Outcome, Side};

/// What a thinker leaves for the way of its move to the clock.
const OVERHEAD: Duration = Duration::from_millis(50);
/// From here on tenths of a second are shown, and the clock warns.
pub(crate) const SHORT: Duration = Duration::from_secs(10);

/// Each side's time at the start, and what each move adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pace {
    pub(crate) base: Duration,
    pub(crate) increment: Duration,
}

/// Both sides' time.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    pace: Pace,
    /// What each side has left, without what it is just now using.
    left: [Duration; 2],
    /// Whose time runs.
    running: Option<Side>,
    /// Since when it runs; nobody looks where this is not known.
    since: Option<Instant>,
    /// Whose time is over.
    flagged: Option<Side>,
    /// What that means.
    outcome: Option<Outcome>,
}

impl Clock {
    /// A clock that stands until the first move.
    pub(crate) fn new(pace: Pace) -> Clock {
        Clock { pace, left: [pace.base; 2], running: None, since: None, flagged: None, outcome: None }
    }

    /// The same as at the start of the game.
    pub(crate) fn reset(&mut self) {
        *self = Clock::new(self.pace);
    }

    /// Whose time runs.
    pub(crate) fn running(&self) -> Option<Side> {
        self.running
    }

    /// Whose time is over.
    pub(crate) fn flagged(&self) -> Option<Side> {
        self.flagged
    }

    /// How the fall of a flag ended the game, if one fell.
    pub(crate) fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// What a side has left.
    pub(crate) fn left(&self, side: Side, now: Instant) -> Duration {
        let since = self.since.filter(|_| self.running == Some(side));
        let used = since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since));
        self.left[side.index()].saturating_sub(used)
    }

    /// How much of its time the side to move may spend on this move; none where its time does not run.
    pub(crate) fn bounds(&self, now: Instant) -> Option<Bounds> {
        let left = self.left(self.running?, now);
        let increment = self.pace.increment;
        Some(Bounds::of(&clock::Clock { left, increment, moves: None, overhead: OVERHEAD }))
    }

    /// Takes off what was used until now. If a flag falls by it, `means` says what that means for its side.
    pub(crate) fn tick(&mut self, now: Instant, means: impl FnOnce(Side) -> Outcome) {
        let Some(side) = self.running else { return };
        self.left[side.index()] = self.left(side, now);
        self.since = self.since.map(|_| now);
        if self.left[side.index()].is_zero() {
            (self.running, self.since) = (None, None);
            (self.flagged, self.outcome) = (Some(side), Some(means(side)));
        }
    }

    /// Runs for a side from now on, or for nobody; after a tick.
    pub(crate) fn run(&mut self, side: Option<Side>, now: Instant) {
        if self.flagged.is_none() {
            (self.running, self.since) = (side, side.map(|_| now));
        }
    }

    /// A side has moved, and now it runs for the next. The first move of all takes no time and adds none. What was used since
    /// the last tick, when the move was in time, is taken off without a flag.
    pub(crate) fn moved(&mut self, mover: Side, next: Option<Side>, now: Instant) {
        if self.running == Some(mover) {
            self.left[mover.index()] = self.left(mover, now) + self.pace.increment;
        }
        self.run(next, now);
    }

    /// It stands while nobody looks; after a tick.
    pub(crate) fn pause(&mut self) {
        self.since = None;
    }

    /// It goes on, if it stood.
    pub(crate) fn resume(&mut self, now: Instant) {
        self.since = self.running.map(|_| self.since.unwrap_or(now));
    }
}

/// A time as a clock shows it: hours only where there are any, tenths only at the end.
pub(crate) fn face(left: Duration) -> String {
    let seconds = left.as_secs();
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let end = if left < SHORT { format!(".{}", left.subsec_millis() / 100) } else { String::new() };
    match hours {
        0 => format!("{minutes}:{rest:02}{end}"),
        _ => format!("{hours}:{minutes:02}:{rest:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIVE_AND_THREE: Pace = Pace { base: Duration::from_secs(300), increment: Duration::from_secs(3) };

    fn at(clock: &Clock, now: Instant) -> [u64; 2] {
        Side::BOTH.map(|side| clock.left(side, now).as_secs())
    }

    #[test]
    fn each_side_uses_its_own_time_and_gets_its_increment() {
        let (mut clock, start) = (Clock::new(FIVE_AND_THREE), Instant::now());
        let after = |seconds| start + Duration::from_secs(seconds);
        assert_eq!((at(&clock, after(1000)), clock.bounds(start)), ([300, 300], None));
        clock.moved(Side::First, Some(Side::Second), start);
        assert_eq!(at(&clock, after(10)), [300, 290]);
        clock.tick(after(10), Outcome::loss);
        clock.moved(Side::Second, Some(Side::First), after(10));
        assert_eq!(at(&clock, after(14)), [296, 293]);
        // While nobody looks it stands, and what was used stays used.
        clock.tick(after(14), Outcome::loss);
        clock.pause();
        assert_eq!(at(&clock, after(500)), [296, 293]);
        clock.resume(after(500));
        assert_eq!(at(&clock, after(501)), [295, 293]);
        assert!(clock.bounds(after(501)).unwrap().hard < Duration::from_secs(100));
        // What was used since the last tick is taken off, too.
        clock.moved(Side::First, Some(Side::Second), after(505));
        assert_eq!(at(&clock, after(505)), [294, 293]);
        clock.reset();
        assert_eq!((at(&clock, after(900)), clock.running()), ([300, 300], None));
    }

    #[test]
    fn whose_time_is_over_has_lost_and_stays_so() {
        let (mut clock, start) = (Clock::new(FIVE_AND_THREE), Instant::now());
        let after = |seconds| start + Duration::from_secs(seconds);
        clock.run(Some(Side::Second), start);
        clock.tick(after(299), |_| panic!("there is a second left"));
        assert_eq!(clock.outcome(), None);
        clock.tick(after(300), Outcome::loss);
        clock.run(Some(Side::First), after(301));
        assert_eq!((clock.flagged(), clock.running()), (Some(Side::Second), None));
        assert_eq!(clock.outcome(), Some(Outcome::Win(Side::First)));
        assert_eq!(at(&clock, after(900)), [300, 0]);
    }

    #[test]
    fn faces_are_as_long_as_they_need_be() {
        let faces =
            [0, 9_990, 10_000, 61_500, 300_000, 3_725_000].map(|left| face(Duration::from_millis(left)));
        assert_eq!(faces, ["0:00.0", "0:09.9", "0:10", "1:01", "5:00", "1:02:05"]);
    }
}
