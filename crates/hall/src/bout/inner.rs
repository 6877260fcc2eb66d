//! An engine of the house, thinking in this process.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use super::openings::Opening;
use super::{Budget, Choice, Clock, Failing, Fault, Player};
use crate::clock::{self, Bounds};
use crate::desk::{Desk, DeskError, Limits, Thought};
use crate::mind::Means;
use crate::registry;

/// What is left on the clock for the way of the move to the board.
const OVERHEAD: Duration = Duration::from_millis(20);

/// The house's own search. What it finds out in a game it forgets before the next, so with one thread and limits other than time
/// its games can be repeated.
#[derive(Default)]
pub struct Inner {
    habit: Habit,
    /// Its own board and memory; none before its first game.
    desk: Option<Box<dyn Desk>>,
}

/// How it thinks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Habit {
    /// Strength from 1 to 10; none for full strength.
    pub level: Option<u32>,
    /// The board it thinks on; none for that of the match.
    pub board: Option<String>,
    /// The rule book it plays by; none for the usual one.
    pub book: Option<String>,
    /// Its table and its threads.
    pub means: Means,
}

impl Inner {
    /// An engine of these habits.
    pub fn new(habit: Habit) -> Inner {
        Inner { habit, desk: None }
    }

    /// Its own desk, with the game that stands on the table.
    fn follow(&mut self, table: &dyn Desk) -> Result<&dyn Desk, DeskError> {
        let desk = self.desk.as_mut().ok_or_else(|| DeskError::new("no game was begun"))?;
        for mv in &table.record(None)?[desk.view().ply..] {
            desk.play(mv, None)?;
        }
        Ok(&**desk)
    }

    fn sit_down(&mut self, table: &dyn Desk, opening: &Opening) -> Result<(), DeskError> {
        let desk = match &mut self.desk {
            Some(desk) => desk,
            none => {
                let mut desk = registry::open(table.game(), self.habit.board.as_deref())?;
                desk.furnish(&self.habit.means);
                none.insert(desk)
            }
        };
        if let Some(book) = &self.habit.book {
            desk.choose(book)?;
        }
        desk.forget();
        opening.lay(desk.as_mut())
    }
}

impl Player for Inner {
    fn begin(&mut self, desk: &dyn Desk, opening: &Opening, _: &Budget) -> Result<(), Failing> {
        self.sit_down(desk, opening).map_err(|error| Failing::new(Fault::Dispute, error.words))
    }

    fn choose(
        &mut self,
        desk: &dyn Desk,
        _: &Opening,
        budget: &Budget,
        _: Option<Duration>,
    ) -> Result<Choice, Failing> {
        let start = Instant::now();
        let clock = budget.clocks.map(|[Clock { left, increment, moves }, _]| {
            Bounds::of(&clock::Clock { left, increment, moves, overhead: OVERHEAD })
        });
        let Budget { depth, nodes, time, .. } = *budget;
        let limits = Limits { depth, nodes, time, clock, level: self.habit.level, ..Limits::default() };
        let (sender, thoughts) = mpsc::channel();
        // Nobody stops listening before the thought has ended.
        let sink = Box::new(move |thought| drop(sender.send(thought)));
        let job = self.follow(desk).and_then(|own| own.think(&limits, sink));
        let job = job.map_err(|error| Failing::new(Fault::Dispute, error.words))?;
        let mut choice = Choice::default();
        for thought in thoughts {
            match thought {
                Thought::Info { score, depth, nodes, .. } => {
                    choice = Choice { score: Some(score), depth: Some(depth), nodes: Some(nodes), ..choice };
                }
                // A match measures the search: what it plays after a failure counts for nothing.
                Thought::Failed(words) => return Err(Failing::new(Fault::Crash, words)),
                Thought::Best(text) => choice.text = text,
            }
        }
        job.join();
        choice.elapsed = start.elapsed();
        if choice.text.is_none() {
            return Err(Failing::new(Fault::Crash, "the search ended without a move"));
        }
        Ok(choice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_board_finds_the_same_move() {
        let mut desk = registry::open("xiangqi", None).unwrap();
        let opening = Opening { start: None, moves: vec!["h2e2".into()] };
        opening.lay(desk.as_mut()).unwrap();
        let budget = Budget { nodes: Some(3000), ..Budget::default() };
        let inner = |board: &str| Inner::new(Habit { board: Some(board.into()), ..Habit::default() });
        let choices = ["bitboard", "mailbox", "folded"].map(|board| {
            let mut inner = inner(board);
            assert!(inner.choose(desk.as_ref(), &opening, &budget, None).is_err());
            inner.begin(desk.as_ref(), &opening, &budget).unwrap();
            let first = inner.choose(desk.as_ref(), &opening, &budget, None).unwrap();
            // Whatever it found out is forgotten with the next game.
            inner.begin(desk.as_ref(), &opening, &budget).unwrap();
            let again = inner.choose(desk.as_ref(), &opening, &budget, None).unwrap();
            assert_eq!((&first.text, first.score, first.nodes), (&again.text, again.score, again.nodes));
            first
        });
        assert!(choices[0].nodes.is_some() && choices[0].text.is_some());
        for choice in &choices {
            assert_eq!((&choice.text, choice.score), (&choices[0].text, choices[0].score));
        }
        assert!(inner("slate").begin(desk.as_ref(), &opening, &budget).is_err());
    }
}
