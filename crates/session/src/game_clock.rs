//! The clock of a game between two players. It starts with the first move, which takes no time. A side that runs out of
//! time loses if the opponent can still win (FIDE 6.9); the clock only reports the flag. All methods take the current
//! time, counted from any fixed moment, so that tests need not wait.

use std::ops::RangeInclusive;
use std::time::Duration;

use alfil_kernel::Side;

use super::{ClockInput, TimeBudget};

/// The minimum and maximum initial time of a side.
const BASE_RANGE: RangeInclusive<Duration> = Duration::from_secs(1)..=Duration::from_hours(24);
/// The maximum increment.
const MAX_INCREMENT: Duration = Duration::from_hours(1);
/// The time that the engine reserves for the delay until its move reaches the clock.
const OVERHEAD: Duration = Duration::from_millis(50);

/// The initial time of each side, and the increment for each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// The initial time of each side.
    pub base: Duration,
    /// The time that each move adds.
    pub increment: Duration,
}

/// The error of a time control out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TimeControlError {
    /// The initial time is out of range.
    #[error(
        "the initial time must be {} to {} seconds, found {}",
        BASE_RANGE.start().as_secs(), BASE_RANGE.end().as_secs(), .0.as_secs_f64()
    )]
    Base(Duration),
    /// The increment is out of range.
    #[error("the increment must be at most {} seconds, found {}", MAX_INCREMENT.as_secs(), .0.as_secs_f64())]
    Increment(Duration),
}

impl TimeControl {
    /// Creates a time control of 1 s to 24 h with an increment of at most 1 h.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use alfil_session::game_clock::TimeControl;
    ///
    /// assert!(TimeControl::new(Duration::from_mins(3), Duration::from_secs(2)).is_ok());
    /// let error = TimeControl::new(Duration::ZERO, Duration::ZERO).unwrap_err();
    /// assert_eq!(error.to_string(), "the initial time must be 1 to 86400 seconds, found 0");
    /// ```
    ///
    /// # Errors
    /// Returns an error if a value is out of range.
    pub fn new(base: Duration, increment: Duration) -> Result<TimeControl, TimeControlError> {
        match () {
            () if !BASE_RANGE.contains(&base) => Err(TimeControlError::Base(base)),
            () if increment > MAX_INCREMENT => Err(TimeControlError::Increment(increment)),
            () => Ok(TimeControl { base, increment }),
        }
    }
}

/// The state of a clock that is not running, as it is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockSnapshot {
    /// The time control of the game.
    pub time_control: TimeControl,
    /// The remaining time of each side, without the time of the current move.
    pub remaining: [Duration; 2],
    /// The side whose time runs.
    pub running: Option<Side>,
    /// The side that has run out of time.
    pub flagged: Option<Side>,
}

/// The time of both sides. Only [`GameClock::tick`] lets a flag fall. A caller that receives a move calls it at that
/// moment to learn whether the move came in time; the time until [`GameClock::on_move`] still counts, but cannot let
/// the flag fall.
///
/// ```
/// use std::time::Duration;
///
/// use alfil_kernel::Side;
/// use alfil_session::game_clock::{GameClock, TimeControl};
///
/// let seconds = Duration::from_secs;
/// let mut clock = GameClock::new(TimeControl::new(seconds(60), seconds(2)).unwrap());
/// clock.on_move(Side::First, Some(Side::Second), seconds(5));
/// clock.on_move(Side::Second, Some(Side::First), seconds(15));
/// assert_eq!(clock.remaining(Side::Second, seconds(20)), seconds(52));
/// assert_eq!(clock.tick(seconds(15 + 60)), Some(Side::First));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameClock {
    snapshot: ClockSnapshot,
    /// The time since when the clock runs; `None` while it is paused or stopped.
    running_since: Option<Duration>,
}

impl From<ClockSnapshot> for GameClock {
    /// Restores a paused clock; [`GameClock::resume`] continues it.
    fn from(snapshot: ClockSnapshot) -> Self {
        GameClock { snapshot, running_since: None }
    }
}

impl GameClock {
    /// Creates a clock that is stopped until the first move.
    pub fn new(time_control: TimeControl) -> GameClock {
        ClockSnapshot { time_control, remaining: [time_control.base; 2], running: None, flagged: None }.into()
    }

    /// Resets the clock to the start of the game.
    pub fn reset(&mut self) {
        *self = GameClock::new(self.snapshot.time_control);
    }

    /// Returns the state at the last update.
    pub fn snapshot(&self) -> &ClockSnapshot {
        &self.snapshot
    }

    /// Returns the side whose time runs.
    pub fn running(&self) -> Option<Side> {
        self.snapshot.running
    }

    /// Returns the side that has run out of time.
    pub fn flagged(&self) -> Option<Side> {
        self.snapshot.flagged
    }

    /// Returns the remaining time of a side.
    pub fn remaining(&self, side: Side, now: Duration) -> Duration {
        let since = self.running_since.filter(|_| self.running() == Some(side));
        let used = since.map_or(Duration::ZERO, |since| now.saturating_sub(since));
        self.snapshot.remaining[side.index()].saturating_sub(used)
    }

    /// Returns the time until a flag falls; `None` if no time runs.
    pub fn time_to_flag(&self, now: Duration) -> Option<Duration> {
        self.running_since.and(self.running()).map(|side| self.remaining(side, now))
    }

    /// Returns the time budget for the current move of the running side; `None` if no time runs.
    pub fn time_budget(&self, now: Duration) -> Option<TimeBudget> {
        let remaining = self.remaining(self.running()?, now);
        let increment = self.snapshot.time_control.increment;
        Some(TimeBudget::from_clock(&ClockInput {
            remaining,
            increment,
            moves_to_go: None,
            overhead: OVERHEAD,
        }))
    }

    /// Subtracts the time used until now.
    fn update(&mut self, now: Duration) {
        if let Some(side) = self.running() {
            self.snapshot.remaining[side.index()] = self.remaining(side, now);
            self.running_since = self.running_since.map(|_| now);
        }
    }

    /// Subtracts the time used until now, and returns the side that has run out of time. No time runs after that.
    pub fn tick(&mut self, now: Duration) -> Option<Side> {
        self.update(now);
        let flagged = self.running().filter(|side| self.snapshot.remaining[side.index()].is_zero())?;
        (self.snapshot.running, self.running_since) = (None, None);
        self.snapshot.flagged = Some(flagged);
        Some(flagged)
    }

    /// Runs the time of a side from now on, or stops the clock for `None`. Has no effect after a flag has fallen.
    pub fn set_running(&mut self, side: Option<Side>, now: Duration) {
        self.update(now);
        if self.flagged().is_none() {
            (self.snapshot.running, self.running_since) = (side, side.map(|_| now));
        }
    }

    /// Switches from the side that has moved to the next one. The first move of the game takes no time and adds no
    /// increment.
    pub fn on_move(&mut self, mover: Side, next: Option<Side>, now: Duration) {
        self.update(now);
        if self.running() == Some(mover) {
            self.snapshot.remaining[mover.index()] += self.snapshot.time_control.increment;
        }
        self.set_running(next, now);
    }

    /// Pauses the clock and returns whether it was running, so that its state needs saving.
    pub fn pause(&mut self, now: Duration) -> bool {
        self.update(now);
        self.running_since.take().is_some()
    }

    /// Continues a paused clock.
    pub fn resume(&mut self, now: Duration) {
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

    /// Returns a clock, and a function for the times after its start.
    fn clock() -> (GameClock, fn(u64) -> Duration) {
        (GameClock::new(FIVE_AND_THREE), |after| seconds(7 + after))
    }

    fn at(clock: &GameClock, now: Duration) -> [u64; 2] {
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
    fn a_fallen_flag_is_final() {
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

    /// Judging a repetition may take longer than the mover has left.
    #[test]
    fn a_move_received_in_time_counts_even_if_played_late() {
        let (mut clock, after) = clock();
        clock.set_running(Some(Side::First), after(0));
        assert_eq!(clock.tick(after(299)), None);
        clock.on_move(Side::First, Some(Side::Second), after(305));
        assert_eq!((clock.flagged(), clock.running()), (None, Some(Side::Second)));
        assert_eq!(at(&clock, after(310)), [3, 295]);
        assert_eq!(clock.tick(after(310)), None);
    }

    #[test]
    fn a_paused_clock_keeps_the_used_time() {
        let (mut clock, after) = clock();
        assert!(!clock.pause(after(0)));
        clock.on_move(Side::First, Some(Side::Second), after(0));
        assert!(clock.pause(after(20)) && !clock.pause(after(30)));
        assert_eq!((at(&clock, after(500)), clock.time_to_flag(after(500))), ([300, 280], None));
        // A restored snapshot continues like the paused clock.
        for mut clock in [GameClock::from(*clock.snapshot()), clock] {
            clock.resume(after(5000));
            clock.resume(after(5001));
            assert_eq!(at(&clock, after(5002)), [300, 278]);
        }
    }

    #[test]
    fn the_time_budget_is_less_than_the_remaining_time() {
        let (mut clock, after) = clock();
        clock.set_running(Some(Side::First), after(0));
        let bounds = clock.time_budget(after(0)).unwrap();
        assert!(bounds.soft > seconds(3) && bounds.hard < seconds(100), "{bounds:?}");
        assert!(clock.time_budget(after(299)).unwrap().hard < seconds(1));
    }

    #[test]
    fn time_controls_out_of_range_are_errors() {
        let ms = Duration::from_millis;
        for (base, increment) in [(1_000, 0), (86_400_000, 3_600_000)] {
            let pace = TimeControl { base: ms(base), increment: ms(increment) };
            assert_eq!(TimeControl::new(pace.base, pace.increment), Ok(pace));
        }
        for (base, increment, words) in [
            (999, 0, "the initial time must be 1 to 86400 seconds, found 0.999"),
            (86_400_001, 0, "the initial time must be 1 to 86400 seconds, found 86400.001"),
            (1_000, 3_600_001, "the increment must be at most 3600 seconds, found 3600.001"),
        ] {
            assert_eq!(TimeControl::new(ms(base), ms(increment)).unwrap_err().to_string(), words);
        }
    }
}
