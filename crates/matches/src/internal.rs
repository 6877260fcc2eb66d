//! An engine of the house, thinking in this process.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use super::openings::Opening;
use super::{ChosenMove, ClockState, FailureKind, MoveLimits, Player, PlayerFailure};
use alfil_engine::{SearchEvent, start_search};
use alfil_session::SearchLimits;
use alfil_session::SearchResources;
use alfil_session::game_session::{GameSession, SessionError};
use alfil_session::registry;
use alfil_session::{ClockInput, TimeBudget};

/// What is left on the clock for the way of the move to the board.
const OVERHEAD: Duration = Duration::from_millis(20);

/// The house's own search. What it finds out in a game it forgets before the next, so with one thread and limits other than time
/// its games can be repeated.
#[derive(Default)]
pub struct InternalPlayer {
    options: InternalPlayerOptions,
    /// Its own board and memory; none before its first game.
    session: Option<Box<dyn GameSession>>,
}

/// How it thinks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InternalPlayerOptions {
    /// Strength from 1 to 10; none for full strength.
    pub level: Option<u32>,
    /// The board it thinks on; none for that of the match.
    pub board: Option<String>,
    /// The rule book it plays by; none for the usual one.
    pub ruleset: Option<String>,
    /// Its table and its threads.
    pub resources: SearchResources,
}

impl InternalPlayer {
    /// An engine of these habits.
    pub fn new(habit: InternalPlayerOptions) -> InternalPlayer {
        InternalPlayer { options: habit, session: None }
    }

    /// Its own desk, with the game that stands on the table.
    fn catch_up(&mut self, table: &dyn GameSession) -> Result<&dyn GameSession, SessionError> {
        let desk = self.session.as_mut().ok_or_else(|| SessionError::new("no game was begun"))?;
        for mv in &table.played_moves(None)?[desk.view().ply..] {
            desk.play(mv, None)?;
        }
        Ok(&**desk)
    }

    fn start_game(&mut self, table: &dyn GameSession, opening: &Opening) -> Result<(), SessionError> {
        let desk = match &mut self.session {
            Some(desk) => desk,
            none => {
                let mut desk = registry::open(table.game(), self.options.board.as_deref())?;
                desk.set_resources(&self.options.resources);
                none.insert(desk)
            }
        };
        if let Some(book) = &self.options.ruleset {
            desk.set_ruleset(book)?;
        }
        desk.clear_search();
        opening.set_up(desk.as_mut())
    }
}

impl Player for InternalPlayer {
    fn new_game(
        &mut self,
        desk: &dyn GameSession,
        opening: &Opening,
        _: &MoveLimits,
    ) -> Result<(), PlayerFailure> {
        self.start_game(desk, opening)
            .map_err(|error| PlayerFailure::new(FailureKind::Dispute, error.message))
    }

    fn choose_move(
        &mut self,
        desk: &dyn GameSession,
        _: &Opening,
        budget: &MoveLimits,
        _: Option<Duration>,
    ) -> Result<ChosenMove, PlayerFailure> {
        let start = Instant::now();
        let clock =
            budget.clocks.map(|[ClockState { remaining: left, increment, moves_to_go: moves }, _]| {
                TimeBudget::from_clock(&ClockInput {
                    remaining: left,
                    increment,
                    moves_to_go: moves,
                    overhead: OVERHEAD,
                })
            });
        let MoveLimits { depth, nodes, move_time: time, .. } = *budget;
        let limits = SearchLimits {
            depth,
            nodes,
            time,
            time_budget: clock,
            level: self.options.level,
            ..SearchLimits::default()
        };
        let (sender, thoughts) = mpsc::channel();
        // Nobody stops listening before the thought has ended.
        let sink = Box::new(move |thought| drop(sender.send(thought)));
        let job = self.catch_up(desk).and_then(|own| start_search(own, &limits, sink));
        let job = job.map_err(|error| PlayerFailure::new(FailureKind::Dispute, error.message))?;
        let mut choice = ChosenMove::default();
        for thought in thoughts {
            match thought {
                SearchEvent::Info { score, depth, nodes, .. } => {
                    choice =
                        ChosenMove { score: Some(score), depth: Some(depth), nodes: Some(nodes), ..choice };
                }
                // A match measures the search: what it plays after a failure counts for nothing.
                SearchEvent::Failed(words) => return Err(PlayerFailure::new(FailureKind::Crash, words)),
                SearchEvent::BestMove(text) => choice.text = text,
            }
        }
        job.join();
        choice.elapsed = start.elapsed();
        if choice.text.is_none() {
            return Err(PlayerFailure::new(FailureKind::Crash, "the search ended without a move"));
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
        opening.set_up(desk.as_mut()).unwrap();
        let budget = MoveLimits { nodes: Some(3000), ..MoveLimits::default() };
        let inner = |board: &str| {
            InternalPlayer::new(InternalPlayerOptions {
                board: Some(board.into()),
                ..InternalPlayerOptions::default()
            })
        };
        let choices = ["bitboard", "mailbox", "folded"].map(|board| {
            let mut inner = inner(board);
            assert!(inner.choose_move(desk.as_ref(), &opening, &budget, None).is_err());
            inner.new_game(desk.as_ref(), &opening, &budget).unwrap();
            let first = inner.choose_move(desk.as_ref(), &opening, &budget, None).unwrap();
            // Whatever it found out is forgotten with the next game.
            inner.new_game(desk.as_ref(), &opening, &budget).unwrap();
            let again = inner.choose_move(desk.as_ref(), &opening, &budget, None).unwrap();
            assert_eq!((&first.text, first.score, first.nodes), (&again.text, again.score, again.nodes));
            first
        });
        assert!(choices[0].nodes.is_some() && choices[0].text.is_some());
        for choice in &choices {
            assert_eq!((&choice.text, choice.score), (&choices[0].text, choices[0].score));
        }
        assert!(inner("slate").new_game(desk.as_ref(), &opening, &budget).is_err());
    }
}
