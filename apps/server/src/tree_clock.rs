//! The clock of a stored game: the session's clock and the tree node after which it runs.

use std::time::{Duration, Instant};

use alfil_kernel::Side;
use alfil_session::SessionError;
use alfil_session::game_clock::{ClockSnapshot, GameClock, TimeControl, TimeControlError};
use serde::{Deserialize, Serialize};

use crate::open_game::validate_side;
use crate::text_tree::ROOT;
use crate::wire::{ClockDto, TimeControlDto};

/// The clock of a game with variations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "StoredClock", into = "StoredClock")]
pub(crate) struct TreeClock {
    pub(crate) game_clock: GameClock,
    /// The node of the move after which the clock runs, or after which a flag fell.
    pub(crate) node: usize,
    /// Whether the flag fall was a draw, because the opponent could not win.
    pub(crate) drawn: bool,
}

/// The stored form of a clock, in milliseconds.
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

/// Converts a time to milliseconds, rounded up, so that 0 means that the time is used up.
fn to_milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX)
}

impl From<TimeControlDto> for TimeControl {
    fn from(dto: TimeControlDto) -> Self {
        TimeControl { base: Duration::from_millis(dto.base), increment: Duration::from_millis(dto.increment) }
    }
}

impl From<TimeControl> for TimeControlDto {
    fn from(pace: TimeControl) -> Self {
        TimeControlDto { base: to_milliseconds(pace.base), increment: to_milliseconds(pace.increment) }
    }
}

impl TryFrom<StoredClock> for TreeClock {
    type Error = SessionError;

    fn try_from(stored: StoredClock) -> Result<Self, SessionError> {
        let to_side = |number| Ok(validate_side(number)?.map(|number| Side::BOTH[number]));
        let snapshot = ClockSnapshot {
            time_control: stored.pace.into(),
            remaining: stored.left.map(Duration::from_millis),
            running: to_side(stored.running)?,
            flagged: to_side(stored.flagged)?,
        };
        Ok(TreeClock { game_clock: snapshot.into(), node: stored.node, drawn: stored.drawn })
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
    /// Creates a clock that starts with the first move.
    ///
    /// # Errors
    /// If the time control is out of range.
    pub(crate) fn new(pace: TimeControlDto) -> Result<TreeClock, TimeControlError> {
        let TimeControl { base, increment } = pace.into();
        Ok(TreeClock {
            game_clock: GameClock::new(TimeControl::new(base, increment)?),
            node: ROOT,
            drawn: false,
        })
    }

    /// Runs the clock of `side` after the move `node`, or stops it.
    pub(crate) fn run(&mut self, side: Option<Side>, node: usize, now: Instant) {
        self.game_clock.set_running(side, now);
        self.set_node(node);
    }

    /// Switches the clock after the move `node`.
    pub(crate) fn after_move(&mut self, mover: Side, next: Option<Side>, node: usize, now: Instant) {
        self.game_clock.on_move(mover, next, now);
        self.set_node(node);
    }

    /// Sets the node, unless a flag has fallen.
    fn set_node(&mut self, node: usize) {
        if self.game_clock.flagged().is_none() {
            self.node = node;
        }
    }

    /// Returns the clock as the page gets it.
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
    fn stored_clocks_are_read_and_written_unchanged() {
        for stored in [
            r#"{"pace":{"base":300000,"increment":3000},"left":[296001,293000],"running":0,"flagged":null,"node":2}"#,
            r#"{"pace":{"base":1000,"increment":0},"left":[1000,0],"running":null,"flagged":1,"drawn":true,"node":7}"#,
        ] {
            let clock: TreeClock = serde_json::from_str(stored).unwrap();
            assert_eq!(serde_json::to_string(&clock).unwrap(), stored);
        }
        // Old clocks have no node.
        let minimal = r#"{"pace":{"base":1000,"increment":0},"left":[1000,500],"running":1,"flagged":null}"#;
        let mut clock: TreeClock = serde_json::from_str(minimal).unwrap();
        assert_eq!((clock.node, clock.drawn), (ROOT, false));
        let now = Instant::now();
        assert_eq!(clock.to_dto(now + Duration::from_secs(9)).left, [1000, 500]);
        clock.game_clock.resume(now);
        // Milliseconds are rounded up.
        let dto = clock.to_dto(now + Duration::from_micros(499_100));
        assert_eq!((dto.left, dto.running, dto.flagged), ([1000, 1], Some(1), None));
        let broken = minimal.replace("\"running\":1", "\"running\":2");
        let error = serde_json::from_str::<TreeClock>(&broken).unwrap_err().to_string();
        assert!(error.contains("no side 2"), "{error}");
    }

    #[test]
    fn the_node_stays_after_a_flag_fall() {
        let (mut clock, start) =
            (TreeClock::new(TimeControlDto { base: 60_000, increment: 0 }).unwrap(), Instant::now());
        clock.after_move(Side::First, Some(Side::Second), 1, start);
        let deadline = start + Duration::from_secs(60);
        assert_eq!((clock.node, clock.game_clock.tick(deadline)), (1, Some(Side::Second)));
        clock.after_move(Side::Second, Some(Side::First), 2, deadline);
        clock.run(None, 3, deadline);
        let dto = clock.to_dto(deadline);
        assert_eq!((clock.node, dto.left, dto.running, dto.flagged), (1, [60_000, 0], None, Some(1)));
    }
}
