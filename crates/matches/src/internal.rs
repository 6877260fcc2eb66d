//! A player that searches in this process.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::openings::Opening;
use super::{ChosenMove, ClockState, FailureKind, MoveLimits, OBSERVER_INTERVAL, Player, PlayerFailure};
use alfil_engine::{SearchEvent, SearchObserver, start_search};
use alfil_session::{
    ClockInput, EvaluationChoice, GameSession, Registry, SearchLimits, SearchReport, SearchResources,
    SessionError, TimeBudget,
};

/// The time reserved for the delay until the move is played.
const OVERHEAD: Duration = Duration::from_millis(20);

/// The internal search as a player. Its table and histories are cleared before each game, so that games with one thread
/// and without time limits are repeatable.
#[derive(Default)]
pub struct InternalPlayer {
    options: InternalPlayerOptions,
    /// The session of the player; `None` before its first game.
    session: Option<Box<dyn GameSession>>,
}

/// The options of an internal player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InternalPlayerOptions {
    /// The games to choose from.
    pub registry: Registry,
    /// The skill level from 1 to 10; `None` for full strength.
    pub level: Option<u32>,
    /// The board to search on; `None` for that of the match.
    pub board: Option<String>,
    /// The ruleset of the search; `None` for the default one of the game.
    pub ruleset: Option<String>,
    /// The transposition table and the threads.
    pub resources: SearchResources,
    /// The evaluation.
    pub evaluation: EvaluationChoice,
}

impl InternalPlayer {
    /// Creates a player.
    pub fn new(options: InternalPlayerOptions) -> InternalPlayer {
        InternalPlayer { options, session: None }
    }

    /// Plays the new moves of the match in the player's own session.
    fn catch_up(&mut self, game: &dyn GameSession) -> Result<&dyn GameSession, SessionError> {
        let session = self.session.as_mut().ok_or_else(|| SessionError::new("no game was started"))?;
        for mv in &game.played_moves(None)?[session.view().ply..] {
            session.replay(mv, None)?;
        }
        Ok(&**session)
    }

    fn start_game(&mut self, game: &dyn GameSession, opening: &Opening) -> Result<(), SessionError> {
        let session = match &mut self.session {
            Some(session) => session,
            empty => {
                let mut session = self.options.registry.open(game.game(), self.options.board.as_deref())?;
                session.set_resources(&self.options.resources);
                session.set_evaluation(&self.options.evaluation)?;
                empty.insert(session)
            }
        };
        if let Some(ruleset) = &self.options.ruleset {
            session.set_ruleset(ruleset)?;
        }
        session.clear_search();
        opening.set_up(session.as_mut())
    }
}

impl Player for InternalPlayer {
    fn new_game(
        &mut self,
        session: &dyn GameSession,
        opening: &Opening,
        _: &MoveLimits,
    ) -> Result<(), PlayerFailure> {
        self.start_game(session, opening)
            .map_err(|error| PlayerFailure::new(FailureKind::Rejection, error.message))
    }

    fn choose_move(
        &mut self,
        game: &dyn GameSession,
        _: &Opening,
        limits: &MoveLimits,
        _: Option<Duration>,
        mut observer: Option<&mut dyn SearchObserver>,
    ) -> Result<ChosenMove, PlayerFailure> {
        let start = Instant::now();
        let time_budget = limits.clocks.map(|[ClockState { remaining, increment, moves_to_go }, _]| {
            TimeBudget::from_clock(&ClockInput { remaining, increment, moves_to_go, overhead: OVERHEAD })
        });
        let MoveLimits { depth, nodes, soft_nodes, move_time: time, multipv, .. } = *limits;
        let search_limits = SearchLimits {
            depth,
            nodes,
            soft_nodes,
            time,
            time_budget,
            level: self.options.level,
            multipv: multipv.unwrap_or(1) as usize,
            ..SearchLimits::default()
        };
        let (sender, events) = mpsc::channel();
        // The receiver lives until the search has ended.
        let sink = Box::new(move |event| drop(sender.send(event)));
        let search = self.catch_up(game).and_then(|session| start_search(session, &search_limits, sink));
        let search = search.map_err(|error| PlayerFailure::new(FailureKind::Rejection, error.message))?;
        let mut chosen = ChosenMove::default();
        loop {
            if observer.as_ref().is_some_and(|observer| observer.is_stopped()) {
                search.stop();
            }
            let event = match events.recv_timeout(OBSERVER_INTERVAL) {
                Ok(event) => event,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            match event {
                SearchEvent::Info { report: SearchReport { multipv, score, depth, nodes, .. }, .. } => {
                    if multipv == 1 {
                        let (score, depth, nodes) = (Some(score), Some(depth), Some(nodes));
                        chosen = ChosenMove { score, depth, nodes, ..chosen };
                    }
                    if let Some(observer) = &mut observer {
                        observer.on_info(event);
                    }
                }
                // A match measures the search, so a move after a failure does not count.
                SearchEvent::Failed(message) => return Err(PlayerFailure::new(FailureKind::Crash, message)),
                SearchEvent::BestMove(text) => chosen.text = text,
            }
        }
        search.join();
        chosen.elapsed = start.elapsed();
        if chosen.text.is_none() {
            return Err(PlayerFailure::new(FailureKind::Crash, "the search ended without a move"));
        }
        Ok(chosen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_session::registry;

    #[test]
    fn every_board_finds_the_same_move() {
        let mut session = registry::open("xiangqi", None).unwrap();
        let opening = Opening { start: None, moves: vec!["h2e2".into()] };
        opening.set_up(session.as_mut()).unwrap();
        let limits = MoveLimits { nodes: Some(3000), ..MoveLimits::default() };
        let player = |board: &str| {
            InternalPlayer::new(InternalPlayerOptions {
                board: Some(board.into()),
                ..InternalPlayerOptions::default()
            })
        };
        let chosen_moves = ["bitboard", "mailbox", "folded"].map(|board| {
            let mut player = player(board);
            assert!(player.choose_move(session.as_ref(), &opening, &limits, None, None).is_err());
            player.new_game(session.as_ref(), &opening, &limits).unwrap();
            let first = player.choose_move(session.as_ref(), &opening, &limits, None, None).unwrap();
            // A new game clears the table and the histories.
            player.new_game(session.as_ref(), &opening, &limits).unwrap();
            let again = player.choose_move(session.as_ref(), &opening, &limits, None, None).unwrap();
            assert_eq!((&first.text, first.score, first.nodes), (&again.text, again.score, again.nodes));
            first
        });
        assert!(chosen_moves[0].nodes.is_some() && chosen_moves[0].text.is_some());
        for chosen in &chosen_moves {
            assert_eq!((&chosen.text, chosen.score), (&chosen_moves[0].text, chosen_moves[0].score));
        }
        // A soft limit ends the search after an iteration, a hard one within it.
        let mut soft = player("bitboard");
        let limits = MoveLimits { soft_nodes: Some(3000), ..MoveLimits::default() };
        soft.new_game(session.as_ref(), &opening, &limits).unwrap();
        let chosen = soft.choose_move(session.as_ref(), &opening, &limits, None, None).unwrap();
        assert!(chosen.nodes > Some(3000) && chosen.depth >= chosen_moves[0].depth, "{chosen:?}");
        assert!(player("slate").new_game(session.as_ref(), &opening, &limits).is_err());
    }
}
