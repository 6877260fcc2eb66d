//! The clock of a game with variations: a game clock, and the tree node after which it runs.

use std::time::Duration;

use alfil_kernel::Side;

use crate::game_clock::{GameClock, TimeControl};
use alfil_records::ROOT;

/// The clock of a game with variations.
///
/// ```
/// use std::time::Duration;
///
/// use alfil_kernel::{Side, Waivers};
/// use alfil_session::game_clock::TimeControl;
/// use alfil_session::played_game::{GameRecord, PlayedGame, Player, TreeClock};
///
/// let seconds = Duration::from_secs;
/// let clock = Some(TreeClock::new(TimeControl::new(seconds(300), seconds(0)).unwrap()));
/// let record = GameRecord { players: Player::two_people(), clock, ..GameRecord::new("chess") };
/// let mut game = PlayedGame::open(record, &Waivers::None)?;
/// game.play("e2e4", None, seconds(10)).unwrap();
/// assert_eq!(game.time_to_flag(seconds(12)), Some(seconds(298)));
/// assert_eq!((game.tick(seconds(310)), game.flagged()), (Some(Side::Second), Some(Side::Second)));
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeClock {
    /// The times of both sides.
    pub game_clock: GameClock,
    /// The node of the move after which the clock runs, or after which a flag fell.
    pub node: usize,
    /// Whether the flag fall was a draw, because the opponent could not win.
    pub drawn: bool,
}

impl TreeClock {
    /// Creates a clock that starts with the first move.
    pub fn new(time_control: TimeControl) -> TreeClock {
        TreeClock { game_clock: GameClock::new(time_control), node: ROOT, drawn: false }
    }

    /// Runs the clock of `side` after the move `node`, or stops it.
    pub(super) fn run(&mut self, side: Option<Side>, node: usize, now: Duration) {
        self.game_clock.set_running(side, now);
        self.set_node(node);
    }

    /// Switches the clock after the move `node`.
    pub(super) fn after_move(&mut self, mover: Side, next: Option<Side>, node: usize, now: Duration) {
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
    fn the_node_stays_after_a_flag_fall() {
        let time_control = TimeControl { base: Duration::from_secs(60), increment: Duration::ZERO };
        let (mut clock, start) = (TreeClock::new(time_control), Duration::from_secs(7));
        clock.after_move(Side::First, Some(Side::Second), 1, start);
        let deadline = start + Duration::from_secs(60);
        assert_eq!((clock.node, clock.game_clock.tick(deadline)), (1, Some(Side::Second)));
        clock.after_move(Side::Second, Some(Side::First), 2, deadline);
        clock.run(None, 3, deadline);
        assert_eq!((clock.node, clock.game_clock.flagged()), (1, Some(Side::Second)));
        assert_eq!(clock.game_clock.remaining(Side::First, deadline), Duration::from_secs(60));
    }
}
