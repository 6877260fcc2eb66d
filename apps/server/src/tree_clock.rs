//! The clock of a kept game: the hall's, and where in the tree it runs; in milliseconds where it is kept and sent.

use std::time::{Duration, Instant};

use alfil_kernel::Side;
use alfil_session::SessionError;
use alfil_session::game_clock::{ClockSnapshot, GameClock, TimeControl, TimeControlError};
use serde::{Deserialize, Serialize};

use crate::open_game::validate_side;
use crate::text_tree::ROOT;
use crate::wire::{ClockDto, TimeControlDto};

/// Both sides' time in a game that is a tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "StoredClock", into = "StoredClock")]
pub(crate) struct TreeClock {
    pub(crate) game_clock: GameClock,
    /// The move after which it runs, or ran out.
    pub(crate) node: usize,
    /// Whether the fall of the flag was a draw, because the other side could not win any more.
    pub(crate) drawn: bool,
}

/// What is kept of it.
#[derive(Serialize, Deserialize)]
struct StoredClock {
    pace: TimeControlDto,
    left: [u64; 2],
    running: Option<usize>,
    flagged: Option<usize>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    drawn: bool,
    #[serde(default)]
    node: usize,
}

/// Rounded up, so that no time is over before it is.
fn to_milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX)
}

impl From<TimeControlDto> for TimeControl {
    fn from(shape: TimeControlDto) -> Self {
        TimeControl {
            base: Duration::from_millis(shape.base),
            increment: Duration::from_millis(shape.increment),
        }
    }
}

impl From<TimeControl> for TimeControlDto {
    fn from(pace: TimeControl) -> Self {
        TimeControlDto { base: to_milliseconds(pace.base), increment: to_milliseconds(pace.increment) }
    }
}

impl TryFrom<StoredClock> for TreeClock {
    type Error = SessionError;

    fn try_from(kept: StoredClock) -> Result<Self, SessionError> {
        let named = |number| Ok(validate_side(number)?.map(|number| Side::BOTH[number]));
        let standing = ClockSnapshot {
            time_control: kept.pace.into(),
            remaining: kept.left.map(Duration::from_millis),
            running: named(kept.running)?,
            flagged: named(kept.flagged)?,
        };
        Ok(TreeClock { game_clock: standing.into(), node: kept.node, drawn: kept.drawn })
    }
}

impl From<TreeClock> for StoredClock {
    fn from(clock: TreeClock) -> Self {
        let ClockSnapshot { time_control: pace, remaining: left, running, flagged } =
            *clock.game_clock.snapshot();
        StoredClock {
            pace: pace.into(),
            left: left.map(to_milliseconds),
            running: running.map(Side::index),
            flagged: flagged.map(Side::index),
            drawn: clock.drawn,
            node: clock.node,
        }
    }
}

impl TreeClock {
    /// A clock that stands until the first move.
    ///
    /// # Errors
    /// If nobody would want to play by it.
    pub(crate) fn new(pace: TimeControlDto) -> Result<TreeClock, TimeControlError> {
        let TimeControl { base, increment } = pace.into();
        Ok(TreeClock {
            game_clock: GameClock::new(TimeControl::new(base, increment)?),
            node: ROOT,
            drawn: false,
        })
    }

    /// Runs for a side from now on, which is to answer a move, or for nobody.
    pub(crate) fn run(&mut self, side: Option<Side>, node: usize, now: Instant) {
        self.game_clock.set_running(side, now);
        self.set_node(node);
    }

    /// A side has moved, and now it runs for the next.
    pub(crate) fn after_move(&mut self, mover: Side, next: Option<Side>, node: usize, now: Instant) {
        self.game_clock.on_move(mover, next, now);
        self.set_node(node);
    }

    /// Where a flag fell it stays.
    fn set_node(&mut self, node: usize) {
        if self.game_clock.flagged().is_none() {
            self.node = node;
        }
    }

    /// As the page sees it.
    pub(crate) fn to_dto(&self, now: Instant) -> ClockDto {
        let ClockSnapshot { time_control: pace, running, flagged, .. } = *self.game_clock.snapshot();
        ClockDto {
            pace: pace.into(),
            left: Side::BOTH.map(|side| to_milliseconds(self.game_clock.remaining(side, now))),
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
            let clock: TreeClock = serde_json::from_str(kept).unwrap();
            assert_eq!(serde_json::to_string(&clock).unwrap(), kept);
        }
        // Older than the tree's part in it.
        let bare = r#"{"pace":{"base":1000,"increment":0},"left":[1000,500],"running":1,"flagged":null}"#;
        let mut clock: TreeClock = serde_json::from_str(bare).unwrap();
        assert_eq!((clock.node, clock.drawn), (ROOT, false));
        let now = Instant::now();
        assert_eq!(clock.to_dto(now + Duration::from_secs(9)).left, [1000, 500]);
        clock.game_clock.resume(now);
        // No time is over before it is.
        let shape = clock.to_dto(now + Duration::from_micros(499_100));
        assert_eq!((shape.left, shape.running, shape.flagged), ([1000, 1], Some(1), None));
        let broken = bare.replace("\"running\":1", "\"running\":2");
        let error = serde_json::from_str::<TreeClock>(&broken).unwrap_err().to_string();
        assert!(error.contains("no side 2"), "{error}");
    }

    #[test]
    fn it_stands_at_the_move_after_which_a_flag_fell() {
        let (mut clock, start) =
            (TreeClock::new(TimeControlDto { base: 60_000, increment: 0 }).unwrap(), Instant::now());
        clock.after_move(Side::First, Some(Side::Second), 1, start);
        let late = start + Duration::from_secs(60);
        assert_eq!((clock.node, clock.game_clock.tick(late)), (1, Some(Side::Second)));
        clock.after_move(Side::Second, Some(Side::First), 2, late);
        clock.run(None, 3, late);
        let shape = clock.to_dto(late);
        assert_eq!((clock.node, shape.left, shape.running, shape.flagged), (1, [60_000, 0], None, Some(1)));
    }
}
