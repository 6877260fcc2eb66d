//! The clock of a game between two: each side's time. It starts with the first move, which takes none, and runs while somebody has
//! the game before him; whose time is over has lost, if the other side can still win (FIDE 6.9), which is not for a clock to know.
//! The moment is always given, so that tests need not wait.

use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use alfil_kernel::Side;

use super::{Bounds, Clock};

/// The shortest and the longest time of a side at the start.
const BASE: RangeInclusive<Duration> = Duration::from_secs(1)..=Duration::from_hours(24);
/// The most that a move may add.
const MOST_INCREMENT: Duration = Duration::from_hours(1);
/// What a thinker leaves for the way of its move to the clock.
const OVERHEAD: Duration = Duration::from_millis(50);

/// Each side's time at the start, and what each move adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// What each side has at the start.
    pub base: Duration,
    /// What each move adds.
    pub increment: Duration,
}

/// A pace by which nobody would want to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PaceError {
    /// Of the time at the start.
    #[error(
        "a clock starts with {} to {} seconds, not with {}",
        BASE.start().as_secs(), BASE.end().as_secs(), .0.as_secs_f64()
    )]
    Base(Duration),
    /// Of what each move adds.
    #[error("a move adds at most {} seconds, not {}", MOST_INCREMENT.as_secs(), .0.as_secs_f64())]
    Increment(Duration),
}

impl Pace {
    /// A pace that somebody wants to play by: 1 s to 24 h, and at most 1 h for a move.
    ///
    /// # Errors
    /// If it is another.
    pub fn new(base: Duration, increment: Duration) -> Result<Pace, PaceError> {
        match () {
            () if !BASE.contains(&base) => Err(PaceError::Base(base)),
            () if increment > MOST_INCREMENT => Err(PaceError::Increment(increment)),
            () => Ok(Pace { base, increment }),
        }
    }
}

/// A clock while nobody looks at it: all that can be kept of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// How it began and goes on.
    pub pace: Pace,
    /// What each side has left, without what it is just now using.
    pub left: [Duration; 2],
    /// Whose time runs.
    pub running: Option<Side>,
    /// Whose time is over.
    pub flagged: Option<Side>,
}

/// Both sides' time. Only [`GameClock::tick`] lets a flag fall: whoever is given a move ticks at that moment and hears whether it
/// came in time; what is used from then on, until the move is played, is taken off and no more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameClock {
    standing: Standing,
    /// Since when it runs; nobody looks where this is not known.
    since: Option<Instant>,
}

impl From<Standing> for GameClock {
    /// It goes on with [`GameClock::resume`].
    fn from(standing: Standing) -> Self {
        GameClock { standing, since: None }
    }
}

impl GameClock {
    /// A clock that stands until the first move.
    pub fn new(pace: Pace) -> GameClock {
        Standing { pace, left: [pace.base; 2], running: None, flagged: None }.into()
    }

    /// The same as at the start of the game.
    pub fn reset(&mut self) {
        *self = GameClock::new(self.standing.pace);
    }

    /// As it stood when time was last taken off.
    pub fn standing(&self) -> &Standing {
        &self.standing
    }

    /// Whose time runs.
    pub fn running(&self) -> Option<Side> {
        self.standing.running
    }

    /// Whose time is over.
    pub fn flagged(&self) -> Option<Side> {
        self.standing.flagged
    }

    /// What a side has left.
    pub fn left(&self, side: Side, now: Instant) -> Duration {
        let since = self.since.filter(|_| self.running() == Some(side));
        let used = since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since));
        self.standing.left[side.index()].saturating_sub(used)
    }

    /// How long until a flag falls, if time runs and somebody looks.
    pub fn falls_in(&self, now: Instant) -> Option<Duration> {
        self.since.and(self.running()).map(|side| self.left(side, now))
    }

    /// How much of its time the side to move may spend on this move; none where its time does not run.
    pub fn bounds(&self, now: Instant) -> Option<Bounds> {
        let left = self.left(self.running()?, now);
        let increment = self.standing.pace.increment;
        Some(Bounds::of(&Clock { left, increment, moves: None, overhead: OVERHEAD }))
    }

    /// Takes off what was used until now.
    fn settle(&mut self, now: Instant) {
        if let Some(side) = self.running() {
            self.standing.left[side.index()] = self.left(side, now);
            self.since = self.since.map(|_| now);
        }
    }

    /// Takes off what was used until now; the side whose flag falls by it. Then no time runs any more.
    pub fn tick(&mut self, now: Instant) -> Option<Side> {
        self.settle(now);
        let late = self.running().filter(|side| self.standing.left[side.index()].is_zero())?;
        (self.standing.running, self.since) = (None, None);
        self.standing.flagged = Some(late);
        Some(late)
    }

    /// Runs for a side from now on, or for nobody; not where a flag has fallen.
    pub fn run(&mut self, side: Option<Side>, now: Instant) {
        self.settle(now);
        if self.flagged().is_none() {
            (self.standing.running, self.since) = (side, side.map(|_| now));
        }
    }

    /// A side has moved, and now it runs for the next. The first move of all takes no time and adds none.
    pub fn moved(&mut self, mover: Side, next: Option<Side>, now: Instant) {
        self.settle(now);
        if self.running() == Some(mover) {
            self.standing.left[mover.index()] += self.standing.pace.increment;
        }
        self.run(next, now);
    }

    /// It stands while nobody looks. Whether it ran until now, so that there is something to keep.
    pub fn pause(&mut self, now: Instant) -> bool {
        self.settle(now);
        self.since.take().is_some()
    }

    /// It goes on, if it stood.
    pub fn resume(&mut self, now: Instant) {
        self.since = self.running().map(|_| self.since.unwrap_or(now));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    const FIVE_AND_THREE: Pace = Pace { base: seconds(300), increment: seconds(3) };

    /// A clock, and the moments after it was made.
    fn clock() -> (GameClock, impl Fn(u64) -> Instant) {
        let start = Instant::now();
        (GameClock::new(FIVE_AND_THREE), move |after| start + seconds(after))
    }

    fn at(clock: &GameClock, now: Instant) -> [u64; 2] {
        Side::BOTH.map(|side| clock.left(side, now).as_secs())
    }

    #[test]
    fn each_side_uses_its_own_time_and_gets_its_increment() {
        let (mut clock, after) = clock();
        assert_eq!((clock.falls_in(after(1000)), clock.bounds(after(0))), (None, None));
        assert_eq!(at(&clock, after(1000)), [300, 300]);
        clock.moved(Side::First, Some(Side::Second), after(0));
        assert_eq!(at(&clock, after(10)), [300, 290]);
        assert_eq!(clock.falls_in(after(10)), Some(seconds(290)));
        clock.moved(Side::Second, Some(Side::First), after(10));
        assert_eq!(at(&clock, after(14)), [296, 293]);
        clock.moved(Side::First, None, after(14));
        assert_eq!((at(&clock, after(1000)), clock.falls_in(after(1000))), ([299, 293], None));
        clock.reset();
        assert_eq!((at(&clock, after(2000)), clock.running()), ([300, 300], None));
    }

    #[test]
    fn whose_time_is_over_has_lost_and_stays_so() {
        let (mut clock, after) = clock();
        clock.run(Some(Side::Second), after(0));
        assert_eq!((clock.tick(after(299)), clock.flagged()), (None, None));
        assert_eq!(clock.tick(after(300)), Some(Side::Second));
        assert_eq!((clock.tick(after(301)), clock.falls_in(after(301))), (None, None));
        clock.run(Some(Side::First), after(301));
        clock.moved(Side::Second, Some(Side::First), after(302));
        clock.resume(after(303));
        assert_eq!((clock.flagged(), clock.running()), (Some(Side::Second), None));
        assert_eq!(at(&clock, after(900)), [300, 0]);
    }

    /// A judge may take longer over a move than its mover had left.
    #[test]
    fn a_move_that_came_in_time_stands_however_late_it_is_played() {
        let (mut clock, after) = clock();
        clock.run(Some(Side::First), after(0));
        assert_eq!(clock.tick(after(299)), None);
        clock.moved(Side::First, Some(Side::Second), after(305));
        assert_eq!((clock.flagged(), clock.running()), (None, Some(Side::Second)));
        assert_eq!(at(&clock, after(310)), [3, 295]);
        assert_eq!(clock.tick(after(310)), None);
    }

    #[test]
    fn it_stands_while_nobody_looks_and_what_was_used_stays_used() {
        let (mut clock, after) = clock();
        assert!(!clock.pause(after(0)));
        clock.moved(Side::First, Some(Side::Second), after(0));
        assert!(clock.pause(after(20)) && !clock.pause(after(30)));
        assert_eq!((at(&clock, after(500)), clock.falls_in(after(500))), ([300, 280], None));
        // What was kept goes on as what stood.
        for mut clock in [GameClock::from(*clock.standing()), clock] {
            clock.resume(after(5000));
            clock.resume(after(5001));
            assert_eq!(at(&clock, after(5002)), [300, 278]);
        }
    }

    #[test]
    fn a_move_may_take_less_than_what_is_left() {
        let (mut clock, after) = clock();
        clock.run(Some(Side::First), after(0));
        let bounds = clock.bounds(after(0)).unwrap();
        assert!(bounds.soft > seconds(3) && bounds.hard < seconds(100), "{bounds:?}");
        assert!(clock.bounds(after(299)).unwrap().hard < seconds(1));
    }

    #[test]
    fn a_pace_by_which_nobody_can_play_is_refused() {
        let ms = Duration::from_millis;
        for (base, increment) in [(1_000, 0), (86_400_000, 3_600_000)] {
            let pace = Pace { base: ms(base), increment: ms(increment) };
            assert_eq!(Pace::new(pace.base, pace.increment), Ok(pace));
        }
        for (base, increment, words) in [
            (999, 0, "a clock starts with 1 to 86400 seconds, not with 0.999"),
            (86_400_001, 0, "a clock starts with 1 to 86400 seconds, not with 86400.001"),
            (1_000, 3_600_001, "a move adds at most 3600 seconds, not 3600.001"),
        ] {
            assert_eq!(Pace::new(ms(base), ms(increment)).unwrap_err().to_string(), words);
        }
    }
}
