//! The clock of a kept game: the hall's, and where in the tree it runs; in milliseconds where it is kept and sent.

use std::time::{Duration, Instant};

use alfil_hall::DeskError;
use alfil_hall::clock::{GameClock, Pace, PaceError, Standing};
use alfil_kernel::Side;
use serde::{Deserialize, Serialize};

use crate::game::side;
use crate::tree::START;
use crate::wire::{ClockShape, PaceShape};

/// Both sides' time in a game that is a tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Kept", into = "Kept")]
pub(crate) struct Clock {
    pub(crate) time: GameClock,
    /// The move after which it runs, or ran out.
    pub(crate) node: usize,
    /// Whether the fall of the flag was a draw, because the other side could not win any more.
    pub(crate) drawn: bool,
}

/// What is kept of it.
#[derive(Serialize, Deserialize)]
struct Kept {
    pace: PaceShape,
    left: [u64; 2],
    running: Option<usize>,
    flagged: Option<usize>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    drawn: bool,
    #[serde(default)]
    node: usize,
}

/// Rounded up, so that no time is over before it is.
fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX)
}

impl From<PaceShape> for Pace {
    fn from(shape: PaceShape) -> Self {
        Pace { base: Duration::from_millis(shape.base), increment: Duration::from_millis(shape.increment) }
    }
}

impl From<Pace> for PaceShape {
    fn from(pace: Pace) -> Self {
        PaceShape { base: milliseconds(pace.base), increment: milliseconds(pace.increment) }
    }
}

impl TryFrom<Kept> for Clock {
    type Error = DeskError;

    fn try_from(kept: Kept) -> Result<Self, DeskError> {
        let named = |number| Ok(side(number)?.map(|number| Side::BOTH[number]));
        let standing = Standing {
            pace: kept.pace.into(),
            left: kept.left.map(Duration::from_millis),
            running: named(kept.running)?,
            flagged: named(kept.flagged)?,
        };
        Ok(Clock { time: standing.into(), node: kept.node, drawn: kept.drawn })
    }
}

impl From<Clock> for Kept {
    fn from(clock: Clock) -> Self {
        let Standing { pace, left, running, flagged } = *clock.time.standing();
        Kept {
            pace: pace.into(),
            left: left.map(milliseconds),
            running: running.map(Side::index),
            flagged: flagged.map(Side::index),
            drawn: clock.drawn,
            node: clock.node,
        }
    }
}

impl Clock {
    /// A clock that stands until the first move.
    ///
    /// # Errors
    /// If nobody would want to play by it.
    pub(crate) fn new(pace: PaceShape) -> Result<Clock, PaceError> {
        let Pace { base, increment } = pace.into();
        Ok(Clock { time: GameClock::new(Pace::new(base, increment)?), node: START, drawn: false })
    }

    /// Runs for a side from now on, which is to answer a move, or for nobody.
    pub(crate) fn run(&mut self, side: Option<Side>, node: usize, now: Instant) {
        self.time.run(side, now);
        self.stand(node);
    }

    /// A side has moved, and now it runs for the next.
    pub(crate) fn moved(&mut self, mover: Side, next: Option<Side>, node: usize, now: Instant) {
        self.time.moved(mover, next, now);
        self.stand(node);
    }

    /// Where a flag fell it stays.
    fn stand(&mut self, node: usize) {
        if self.time.flagged().is_none() {
            self.node = node;
        }
    }

    /// As the page sees it.
    pub(crate) fn shape(&self, now: Instant) -> ClockShape {
        let Standing { pace, running, flagged, .. } = *self.time.standing();
        ClockShape {
            pace: pace.into(),
            left: Side::BOTH.map(|side| milliseconds(self.time.left(side, now))),
            running: running.map(Side::index),
            flagged: flagged.map(Side::index),
            drawn: self.drawn,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_kept_long_ago_is_read_and_kept_as_it_was() {
        for kept in [
            r#"{"pace":{"base":300000,"increment":3000},"left":[296001,293000],"running":0,"flagged":null,"node":2}"#,
            r#"{"pace":{"base":1000,"increment":0},"left":[1000,0],"running":null,"flagged":1,"drawn":true,"node":7}"#,
        ] {
            let clock: Clock = serde_json::from_str(kept).unwrap();
            assert_eq!(serde_json::to_string(&clock).unwrap(), kept);
        }
        // Older than the tree's part in it.
        let bare = r#"{"pace":{"base":1000,"increment":0},"left":[1000,500],"running":1,"flagged":null}"#;
        let mut clock: Clock = serde_json::from_str(bare).unwrap();
        assert_eq!((clock.node, clock.drawn), (START, false));
        let now = Instant::now();
        assert_eq!(clock.shape(now + Duration::from_secs(9)).left, [1000, 500]);
        clock.time.resume(now);
        // No time is over before it is.
        let shape = clock.shape(now + Duration::from_micros(499_100));
        assert_eq!((shape.left, shape.running, shape.flagged), ([1000, 1], Some(1), None));
        let broken = bare.replace("\"running\":1", "\"running\":2");
        let error = serde_json::from_str::<Clock>(&broken).unwrap_err().to_string();
        assert!(error.contains("no side 2"), "{error}");
    }

    #[test]
    fn it_stands_at_the_move_after_which_a_flag_fell() {
        let (mut clock, start) =
            (Clock::new(PaceShape { base: 60_000, increment: 0 }).unwrap(), Instant::now());
        clock.moved(Side::First, Some(Side::Second), 1, start);
        let late = start + Duration::from_secs(60);
        assert_eq!((clock.node, clock.time.tick(late)), (1, Some(Side::Second)));
        clock.moved(Side::Second, Some(Side::First), 2, late);
        clock.run(None, 3, late);
        let shape = clock.shape(late);
        assert_eq!((clock.node, shape.left, shape.running, shape.flagged), (1, [60_000, 0], None, Some(1)));
    }
}
