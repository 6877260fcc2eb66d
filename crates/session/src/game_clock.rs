//! The clock of a game between two: each side's time. It starts with the first move, which takes none, and runs while somebody has
//! the game before him; whose time is over has lost, if the other side can still win (FIDE 6.9), which is not for a clock to know.
//! The moment is always given, so that tests need not wait.

use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use alfil_kernel::Side;

use super::{ClockInput, TimeBudget};

/// The shortest and the longest time of a side at the start.
const BASE_RANGE: RangeInclusive<Duration> = Duration::from_secs(1)..=Duration::from_hours(24);
/// The most that a move may add.
const MAX_INCREMENT: Duration = Duration::from_hours(1);
/// What a thinker leaves for the way of its move to the clock.
const OVERHEAD: Duration = Duration::from_millis(50);

/// Each side's time at the start, and what each move adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// What each side has at the start.
    pub base: Duration,
    /// What each move adds.
    pub increment: Duration,
}

/// A pace by which nobody would want to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimeControlError {
    /// Of the time at the start.
    #[error(
        "a clock starts with {} to {} seconds, not with {}",
        BASE_RANGE.start().as_secs(), BASE_RANGE.end().as_secs(), .0.as_secs_f64()
    )]
    Base(Duration),
    /// Of what each move adds.
    #[error("a move adds at most {} seconds, not {}", MAX_INCREMENT.as_secs(), .0.as_secs_f64())]
    Increment(Duration),
}

impl TimeControl {
    /// A pace that somebody wants to play by: 1 s to 24 h, and at most 1 h for a move.
    ///
    /// # Errors
    /// If it is another.
    pub fn new(base: Duration, increment: Duration) -> Result<TimeControl, TimeControlError> {
        match () {
            () if !BASE_RANGE.contains(&base) => Err(TimeControlError::Base(base)),
            () if increment > MAX_INCREMENT => Err(TimeControlError::Increment(increment)),
            () => Ok(TimeControl { base, increment }),
        }
    }
}

/// A clock while nobody looks at it: all that can be kept of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockSnapshot {
    /// How it began and goes on.
    pub time_control: TimeControl,
    /// What each side has left, without what it is just now using.
    pub remaining: [Duration; 2],
    /// Whose time runs.
    pub running: Option<Side>,
    /// Whose time is over.
    pub flagged: Option<Side>,
}

/// Both sides' time. Only [`GameClock::tick`] lets a flag fall: whoever is given a move ticks at that moment and hears whether it
/// came in time; what is used from then on, until the move is played, is taken off and no more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameClock {
    snapshot: ClockSnapshot,
    /// Since when it runs; nobody looks where this is not known.
    running_since: Option<Instant>,
}

impl From<ClockSnapshot> for GameClock {
    /// It goes on with [`GameClock::resume`].
    fn from(standing: ClockSnapshot) -> Self {
        GameClock { snapshot: standing, running_since: None }
    }
}

impl GameClock {
    /// A clock that stands until the first move.
    pub fn new(pace: TimeControl) -> GameClock {
        ClockSnapshot { time_control: pace, remaining: [pace.base; 2], running: None, flagged: None }.into()
    }

    /// The same as at the start of the game.
    pub fn reset(&mut self) {
        *self = GameClock::new(self.snapshot.time_control);
    }

    /// As it stood when time was last taken off.
    pub fn snapshot(&self) -> &ClockSnapshot {
        &self.snapshot
    }

    /// Whose time runs.
    pub fn running(&self) -> Option<Side> {
        self.snapshot.running
    }

    /// Whose time is over.
    pub fn flagged(&self) -> Option<Side> {
        self.snapshot.flagged
    }

    /// What a side has left.
    pub fn remaining(&self, side: Side, now: Instant) -> Duration {
        let since = self.running_since.filter(|_| self.running() == Some(side));
        let used = since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since));
        self.snapshot.remaining[side.index()].saturating_sub(used)
    }

    /// How long until a flag falls, if time runs and somebody looks.
    pub fn time_to_flag(&self, now: Instant) -> Option<Duration> {
        self.running_since.and(self.running()).map(|side| self.remaining(side, now))
    }

    /// How much of its time the side to move may spend on this move; none where its time does not run.
    pub fn time_budget(&self, now: Instant) -> Option<TimeBudget> {
        let left = self.remaining(self.running()?, now);
        let increment = self.snapshot.time_control.increment;
        Some(TimeBudget::from_clock(&ClockInput {
            remaining: left,
            increment,
            moves_to_go: None,
            overhead: OVERHEAD,
        }))
    }

    /// Takes off what was used until now.
    fn update(&mut self, now: Instant) {
        if let Some(side) = self.running() {
            self.snapshot.remaining[side.index()] = self.remaining(side, now);
            self.running_since = self.running_since.map(|_| now);
        }
    }

    /// Takes off what was used until now; the side whose flag falls by it. Then no time runs any more.
    pub fn tick(&mut self, now: Instant) -> Option<Side> {
        self.update(now);
        let late = self.running().filter(|side| self.snapshot.remaining[side.index()].is_zero())?;
        (self.snapshot.running, self.running_since) = (None, None);
        self.snapshot.flagged = Some(late);
        Some(late)
    }

    /// Runs for a side from now on, or for nobody; not where a flag has fallen.
    pub fn set_running(&mut self, side: Option<Side>, now: Instant) {
        self.update(now);
        if self.flagged().is_none() {
            (self.snapshot.running, self.running_since) = (side, side.map(|_| now));
        }
    }

    /// A side has moved, and now it runs for the next. The first move of all takes no time and adds none.
    pub fn on_move(&mut self, mover: Side, next: Option<Side>, now: Instant) {
        self.update(now);
        if self.running() == Some(mover) {
            self.snapshot.remaining[mover.index()] += self.snapshot.time_control.increment;
        }
        self.set_running(next, now);
    }

    /// It stands while nobody looks. Whether it ran until now, so that there is something to keep.
    pub fn pause(&mut self, now: Instant) -> bool {
        self.update(now);
        self.running_since.take().is_some()
    }

    /// It goes on, if it stood.
    pub fn resume(&mut self, now: Instant) {
        self.running_since = self.running().map(|_| self.running_since.unwrap_or(now));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    const FIVE_AND_THREE: TimeControl = TimeControl { base: seconds(300), increment: seconds(3) };

    /// A clock, and the moments after it was made.
    fn clock() -> (GameClock, impl Fn(u64) -> Instant) {
        let start = Instant::now();
        (GameClock::new(FIVE_AND_THREE), move |after| start + seconds(after))
    }

    fn at(clock: &GameClock, now: Instant) -> [u64; 2] {
        Side::BOTH.map(|side| clock.remaining(side, now).as_secs())
    }

    #[test]
    fn each_side_uses_its_own_time_and_gets_its_increment() {
        let (mut clock, after) = clock();
        assert_eq!((clock.time_to_flag(after(1000)), clock.time_budget(after(0))), (None, None));
        assert_eq!(at(&clock, after(1000)), [300, 300]);
        clock.on_move(Side::First, Some(Side::Second), after(0));
        assert_eq!(at(&clock, after(10)), [300, 290]);
        assert_eq!(clock.time_to_flag(after(10)), Some(seconds(290)));
        clock.on_move(Side::Second, Some(Side::First), after(10));
        assert_eq!(at(&clock, after(14)), [296, 293]);
        clock.on_move(Side::First, None, after(14));
        assert_eq!((at(&clock, after(1000)), clock.time_to_flag(after(1000))), ([299, 293], None));
        clock.reset();
        assert_eq!((at(&clock, after(2000)), clock.running()), ([300, 300], None));
    }

    #[test]
    fn whose_time_is_over_has_lost_and_stays_so() {
        let (mut clock, after) = clock();
        clock.set_running(Some(Side::Second), after(0));
        assert_eq!((clock.tick(after(299)), clock.flagged()), (None, None));
        assert_eq!(clock.tick(after(300)), Some(Side::Second));
        assert_eq!((clock.tick(after(301)), clock.time_to_flag(after(301))), (None, None));
        clock.set_running(Some(Side::First), after(301));
        clock.on_move(Side::Second, Some(Side::First), after(302));
        clock.resume(after(303));
        assert_eq!((clock.flagged(), clock.running()), (Some(Side::Second), None));
        assert_eq!(at(&clock, after(900)), [300, 0]);
    }

    /// A judge may take longer over a move than its mover had left.
    #[test]
    fn a_move_that_came_in_time_stands_however_late_it_is_played() {
        let (mut clock, after) = clock();
        clock.set_running(Some(Side::First), after(0));
        assert_eq!(clock.tick(after(299)), None);
        clock.on_move(Side::First, Some(Side::Second), after(305));
        assert_eq!((clock.flagged(), clock.running()), (None, Some(Side::Second)));
        assert_eq!(at(&clock, after(310)), [3, 295]);
        assert_eq!(clock.tick(after(310)), None);
    }

    #[test]
    fn it_stands_while_nobody_looks_and_what_was_used_stays_used() {
        let (mut clock, after) = clock();
        assert!(!clock.pause(after(0)));
        clock.on_move(Side::First, Some(Side::Second), after(0));
        assert!(clock.pause(after(20)) && !clock.pause(after(30)));
        assert_eq!((at(&clock, after(500)), clock.time_to_flag(after(500))), ([300, 280], None));
        // What was kept goes on as what stood.
        for mut clock in [GameClock::from(*clock.snapshot()), clock] {
            clock.resume(after(5000));
            clock.resume(after(5001));
            assert_eq!(at(&clock, after(5002)), [300, 278]);
        }
    }

    #[test]
    fn a_move_may_take_less_than_what_is_left() {
        let (mut clock, after) = clock();
        clock.set_running(Some(Side::First), after(0));
        let bounds = clock.time_budget(after(0)).unwrap();
        assert!(bounds.soft > seconds(3) && bounds.hard < seconds(100), "{bounds:?}");
        assert!(clock.time_budget(after(299)).unwrap().hard < seconds(1));
    }

    #[test]
    fn a_pace_by_which_nobody_can_play_is_refused() {
        let ms = Duration::from_millis;
        for (base, increment) in [(1_000, 0), (86_400_000, 3_600_000)] {
            let pace = TimeControl { base: ms(base), increment: ms(increment) };
            assert_eq!(TimeControl::new(pace.base, pace.increment), Ok(pace));
        }
        for (base, increment, words) in [
            (999, 0, "a clock starts with 1 to 86400 seconds, not with 0.999"),
            (86_400_001, 0, "a clock starts with 1 to 86400 seconds, not with 86400.001"),
            (1_000, 3_600_001, "a move adds at most 3600 seconds, not 3600.001"),
        ] {
            assert_eq!(TimeControl::new(ms(base), ms(increment)).unwrap_err().to_string(), words);
        }
    }
}
