//! An engine of the house, thinking in this process.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use super::openings::Opening;
use super::{Budget, Choice, Clock, Failing, Fault, Player};
use crate::desk::{Desk, Limits, Thought};
use crate::mind::Means;
use crate::registry;

/// A game is taken to last so many more moves.
const MOVES_TO_COME: u32 = 30;
/// Size of its table, in MiB.
const TABLE: usize = 32;
/// What is left on the clock for the way of the move to the board.
const OVERHEAD: Duration = Duration::from_millis(20);

/// The house's own search. It remembers nothing from move to move, so with limits other than time its games can be repeated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inner {
    /// Strength from 1 to 10; none for full strength.
    pub level: Option<u32>,
    /// The board it thinks on; none for that of the match.
    pub board: Option<String>,
}

/// The part of a clock to spend on a move.
fn share(clock: &Clock) -> Duration {
    let moves = clock.moves.unwrap_or(MOVES_TO_COME).clamp(1, MOVES_TO_COME);
    let share = clock.left / moves + clock.increment * 3 / 4;
    share.min(clock.left.saturating_sub(OVERHEAD)).max(Duration::from_millis(1))
}

impl Player for Inner {
    fn begin(&mut self, _: &dyn Desk, _: &Opening, _: &Budget) -> Result<(), Failing> {
        Ok(())
    }

    fn choose(
        &mut self,
        desk: &dyn Desk,
        opening: &Opening,
        budget: &Budget,
        _: Option<Duration>,
    ) -> Result<Choice, Failing> {
        let start = Instant::now();
        let part = budget.clocks.map(|[own, _]| share(&own));
        let time = budget.time.into_iter().chain(part).min();
        let limits =
            Limits { depth: budget.depth, nodes: budget.nodes, time, level: self.level, ..Limits::default() };
        let (sender, thoughts) = mpsc::channel();
        // Nobody stops listening before the thought has ended.
        let sink = Box::new(move |thought| drop(sender.send(thought)));
        let board = self.board.as_deref().unwrap_or(desk.board());
        let mut own = copy(desk, opening, board)?;
        // Making a table takes longer than a short search: each visited position fills half of a small one at most.
        let hash = limits.nodes.map_or(TABLE, |nodes| TABLE.min((nodes >> 15) as usize + 1));
        own.furnish(&Means { hash, threads: 1 });
        let job = own.think(&limits, sink).map_err(|error| Failing::new(Fault::Dispute, error.0))?;
        let mut choice = Choice::default();
        for thought in thoughts {
            match thought {
                Thought::Info { score, depth, nodes, .. } => {
                    choice = Choice { score: Some(score), depth: Some(depth), nodes: Some(nodes), ..choice };
                }
                Thought::Best(text) => choice.text = text,
            }
        }
        job.join();
        choice.elapsed = start.elapsed();
        // A thread that panics says nothing more.
        if choice.text.is_none() {
            return Err(Failing::new(Fault::Crash, "the search ended without a move"));
        }
        Ok(choice)
    }
}

/// The same game on another board.
fn copy(desk: &dyn Desk, opening: &Opening, board: &str) -> Result<Box<dyn Desk>, Failing> {
    let copy = || {
        let mut copy = registry::open(desk.game(), Some(board))?;
        let bare = Opening { start: opening.start.clone(), moves: desk.record(None)? };
        bare.lay(copy.as_mut())?;
        Ok(copy)
    };
    copy().map_err(|error: crate::DeskError| Failing::new(Fault::Dispute, error.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_never_spent_whole() {
        let clock = |left, increment, moves| Clock {
            left: Duration::from_millis(left),
            increment: Duration::from_millis(increment),
            moves,
        };
        for (clock, expected) in [
            (clock(30_000, 0, None), 1000),
            (clock(30_000, 1000, None), 1750),
            (clock(30_000, 0, Some(2)), 15_000),
            (clock(30_000, 0, Some(1)), 29_980),
            (clock(30_000, 0, Some(0)), 29_980),
            (clock(50, 1000, None), 30),
            (clock(5, 0, None), 1),
        ] {
            assert_eq!(share(&clock).as_millis(), expected, "{clock:?}");
        }
    }

    #[test]
    fn another_board_finds_the_same_move() {
        let mut desk = registry::open("xiangqi", None).unwrap();
        let opening = Opening { start: None, moves: vec!["h2e2".into()] };
        opening.lay(desk.as_mut()).unwrap();
        let budget = Budget { nodes: Some(3000), ..Budget::default() };
        let choices = [None, Some("mailbox".to_string()), Some("folded".to_string())].map(|board| {
            let mut inner = Inner { level: None, board };
            inner.choose(desk.as_ref(), &opening, &budget, None).unwrap()
        });
        assert!(choices[0].nodes.is_some() && choices[0].text.is_some());
        for choice in &choices {
            assert_eq!((&choice.text, choice.score), (&choices[0].text, choices[0].score));
        }
        let mut lost = Inner { level: None, board: Some("slate".into()) };
        assert!(lost.choose(desk.as_ref(), &opening, &budget, None).is_err());
    }
}
