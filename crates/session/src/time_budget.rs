//! How much of its clock a side may spend on one move.

use std::time::Duration;

/// The time limits of one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TimeBudget {
    /// After this time no new iteration is started.
    pub soft: Duration,
    /// After this time the search stops wherever it is.
    pub hard: Duration,
}

/// A clock as the side to move sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockInput {
    /// The time that is left.
    pub remaining: Duration,
    /// The time added after each move.
    pub increment: Duration,
    /// The number of moves to the next time control; `None` if the time must last for the rest of the game.
    pub moves_to_go: Option<u32>,
    /// The time reserved at every move for the delay between engine and clock.
    pub overhead: Duration,
}

/// The number of further moves that a game is expected to last; time is never divided among more. Range for tuning: 15
/// to 60.
const EXPECTED_MOVES: u32 = 28;
/// The percentage of the increment that is spent at once. Range: 50 to 100.
const INCREMENT_PERCENT: u32 = 80;
/// The soft limit as a percentage of the target time: an iteration takes about as long as all before it together, so
/// one that is started late is often stopped before it finishes. Range: 40 to 80.
const SOFT_LIMIT_PERCENT: u32 = 60;
/// The hard limit as a multiple of the target time. Range: 2 to 6.
const HARD_LIMIT_FACTOR: u32 = 4;
/// The highest percentage of the remaining time for one move when more moves follow. Range: 25 to 75.
const MAX_CLOCK_PERCENT: u32 = 50;
/// The minimum time for a move, whatever the clock shows.
const MIN_MOVE_TIME: Duration = Duration::from_millis(1);

impl TimeBudget {
    /// Returns the budget that is exactly `time`.
    pub fn exact(time: Duration) -> TimeBudget {
        TimeBudget { soft: time, hard: time }
    }

    /// Returns the time budget for one move. A search that uses the whole hard limit on every move still does not lose
    /// on time.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use alfil_session::{ClockInput, TimeBudget};
    ///
    /// let remaining = Duration::from_mins(1);
    /// let budget = TimeBudget::from_clock(&ClockInput { remaining, ..ClockInput::default() });
    /// assert!(budget.soft < budget.hard && budget.hard < remaining / 2);
    /// ```
    pub fn from_clock(clock: &ClockInput) -> TimeBudget {
        let usable = clock.remaining.saturating_sub(clock.overhead);
        let moves = clock.moves_to_go.unwrap_or(EXPECTED_MOVES).clamp(1, EXPECTED_MOVES);
        let percent_of = |time: Duration, percent: u32| time / 100 * percent;
        // The last move before a time control may take all the time, less the overhead of a second move in case one
        // follows.
        let max = if moves == 1 {
            usable.saturating_sub(clock.overhead)
        } else {
            percent_of(usable, MAX_CLOCK_PERCENT)
        };
        let target = (usable / moves).saturating_add(percent_of(clock.increment, INCREMENT_PERCENT));
        let hard = target.saturating_mul(HARD_LIMIT_FACTOR).min(max).max(MIN_MOVE_TIME);
        TimeBudget { soft: percent_of(target, SOFT_LIMIT_PERCENT).min(hard), hard }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn budgets_stay_within_the_clock() {
        for left in [0, 1, 30, 31, 100, 1_000, 60_000, 3_600_000] {
            for increment in [0, 100, 60_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let clock = ClockInput {
                        remaining: ms(left),
                        increment: ms(increment),
                        moves_to_go: moves,
                        overhead: ms(30),
                    };
                    let TimeBudget { soft, hard } = TimeBudget::from_clock(&clock);
                    assert!(soft <= hard && hard >= MIN_MOVE_TIME, "{clock:?}");
                    assert!(
                        hard <= MIN_MOVE_TIME.max(ms(left).saturating_sub(ms(30))),
                        "{clock:?}: {hard:?}"
                    );
                }
            }
        }
        let forever =
            ClockInput { remaining: Duration::MAX, increment: Duration::MAX / 2, ..ClockInput::default() };
        assert!(TimeBudget::from_clock(&forever).hard < Duration::MAX);
    }

    #[test]
    fn using_every_hard_limit_and_the_overhead_never_loses_on_time() {
        for (increment, moves_per_control) in
            [(0, None), (50, None), (1_000, None), (0, Some(40)), (0, Some(1)), (0, Some(3))]
        {
            let overhead = ms(10);
            let mut left = ms(10_000);
            for mv in 0..200 {
                let moves = moves_per_control.map(|moves| moves - mv % moves);
                let clock =
                    ClockInput { remaining: left, increment: ms(increment), moves_to_go: moves, overhead };
                let spent = TimeBudget::from_clock(&clock).hard;
                // With less than the overhead left no budget can help.
                if left > overhead + MIN_MOVE_TIME {
                    assert!(spent <= left - MIN_MOVE_TIME.min(left), "move {mv}: {spent:?} of {left:?}");
                    assert!(spent + overhead <= left, "move {mv}: {spent:?} of {left:?}");
                }
                left = left.saturating_sub(spent) + ms(increment);
                if moves_per_control.is_some_and(|moves| (mv + 1) % moves == 0) {
                    left += ms(10_000);
                }
            }
        }
    }

    #[test]
    fn more_time_gives_a_larger_budget() {
        let budget = |left, increment, moves| {
            let clock = ClockInput {
                remaining: ms(left),
                increment: ms(increment),
                moves_to_go: moves,
                overhead: ms(30),
            };
            TimeBudget::from_clock(&clock)
        };
        assert!(budget(60_000, 0, None).soft < budget(120_000, 0, None).soft);
        assert!(budget(60_000, 0, None).soft < budget(60_000, 1_000, None).soft);
        assert!(budget(60_000, 0, Some(20)).soft < budget(60_000, 0, Some(5)).soft);
        // A minute for the whole game gives a second or two for a move.
        let minute = budget(60_000, 0, None);
        assert!(minute.soft > ms(1_000) && minute.hard < ms(10_000), "{minute:?}");
    }
}
