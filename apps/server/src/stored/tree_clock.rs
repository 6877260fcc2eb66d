//! The clock of a stored game: the session's clock and the tree node after which it runs.

use std::time::Duration;

use alfil_kernel::Side;
use alfil_session::SessionError;
use alfil_session::game_clock::{ClockSnapshot, GameClock, TimeControl};
use serde::{Deserialize, Serialize};

use super::text_tree::ROOT;

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
    pace: StoredTimeControl,
    left: [u64; 2],
    running: Option<usize>,
    flagged: Option<usize>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    drawn: bool,
    #[serde(default)]
    node: usize,
}

/// The stored form of a time control, in milliseconds.
#[derive(Serialize, Deserialize)]
struct StoredTimeControl {
    base: u64,
    increment: u64,
}

/// Converts a time to milliseconds, rounded up, so that 0 means that the time is used up.
pub(crate) fn to_milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX)
}

/// Checks the number of a side.
///
/// # Errors
/// If there is no such side.
pub(crate) fn validate_side(side: Option<usize>) -> Result<Option<usize>, SessionError> {
    match side {
        Some(side) if side > 1 => {
            Err(SessionError::new(format!("there is no side {side}: sides are 0 and 1")))
        }
        side => Ok(side),
    }
}

impl TryFrom<StoredClock> for TreeClock {
    type Error = SessionError;

    fn try_from(stored: StoredClock) -> Result<Self, SessionError> {
        let to_side = |number| Ok(validate_side(number)?.map(|number| Side::BOTH[number]));
        let snapshot = ClockSnapshot {
            time_control: TimeControl {
                base: Duration::from_millis(stored.pace.base),
                increment: Duration::from_millis(stored.pace.increment),
            },
            remaining: stored.left.map(Duration::from_millis),
            running: to_side(stored.running)?,
            flagged: to_side(stored.flagged)?,
        };
        Ok(TreeClock { game_clock: snapshot.into(), node: stored.node, drawn: stored.drawn })
    }
}

impl From<TreeClock> for StoredClock {
    fn from(clock: TreeClock) -> Self {
        let ClockSnapshot { time_control, remaining, running, flagged } = *clock.game_clock.snapshot();
        StoredClock {
            pace: StoredTimeControl {
                base: to_milliseconds(time_control.base),
                increment: to_milliseconds(time_control.increment),
            },
            left: remaining.map(to_milliseconds),
            running: running.map(Side::index),
            flagged: flagged.map(Side::index),
            drawn: clock.drawn,
            node: clock.node,
        }
    }
}

impl TreeClock {
    /// Creates a clock that starts with the first move.
    pub(crate) fn new(time_control: TimeControl) -> TreeClock {
        TreeClock { game_clock: GameClock::new(time_control), node: ROOT, drawn: false }
    }

    /// Runs the clock of `side` after the move `node`, or stops it.
    pub(crate) fn run(&mut self, side: Option<Side>, node: usize, now: Duration) {
        self.game_clock.set_running(side, now);
        self.set_node(node);
    }

    /// Switches the clock after the move `node`.
    pub(crate) fn after_move(&mut self, mover: Side, next: Option<Side>, node: usize, now: Duration) {
        self.game_clock.on_move(mover, next, now);
        self.set_node(node);
    }

    /// Sets the node, unless a flag has fallen.
    fn set_node(&mut self, node: usize) {
        if self.game_clock.flagged().is_none() {
            self.node = node;
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
        let now = alfil_engine::now();
        let milliseconds =
            |clock: &TreeClock, now| to_milliseconds(clock.game_clock.remaining(Side::Second, now));
        assert_eq!(milliseconds(&clock, now + Duration::from_secs(9)), 500);
        clock.game_clock.resume(now);
        // Milliseconds are rounded up.
        assert_eq!(milliseconds(&clock, now + Duration::from_micros(499_100)), 1);
        let broken = minimal.replace("\"running\":1", "\"running\":2");
        let error = serde_json::from_str::<TreeClock>(&broken).unwrap_err().to_string();
        assert!(error.contains("no side 2"), "{error}");
    }

    #[test]
    fn the_node_stays_after_a_flag_fall() {
        let time_control = TimeControl { base: Duration::from_secs(60), increment: Duration::ZERO };
        let (mut clock, start) = (TreeClock::new(time_control), alfil_engine::now());
        clock.after_move(Side::First, Some(Side::Second), 1, start);
        let deadline = start + Duration::from_secs(60);
        assert_eq!((clock.node, clock.game_clock.tick(deadline)), (1, Some(Side::Second)));
        clock.after_move(Side::Second, Some(Side::First), 2, deadline);
        clock.run(None, 3, deadline);
        assert_eq!((clock.node, clock.game_clock.flagged()), (1, Some(Side::Second)));
        assert_eq!(clock.game_clock.remaining(Side::First, deadline), Duration::from_secs(60));
    }
}
