//! The review of a game, position by position.

use alfil_kernel::Waivers;
use alfil_session::{GameSession, SessionError, registry};

use crate::stored::{NodeScore, ROOT, StoredGame};

/// A review of the main line of a game, with a session of its own.
pub(crate) struct GameReview {
    session: Box<dyn GameSession>,
    /// The remaining nodes with their moves, in reverse order.
    remaining_moves: Vec<(usize, String)>,
    node: usize,
    score: Option<NodeScore>,
    best_move: Option<String>,
}

impl GameReview {
    /// Creates a review of a stored game, at its start position.
    ///
    /// # Errors
    /// If the game cannot be replayed.
    pub(crate) fn from_stored(stored: &StoredGame) -> Result<GameReview, SessionError> {
        let mut session = registry::open(&stored.game, None)?;
        if let Some(ruleset) = &stored.ruleset {
            session.set_ruleset(ruleset)?;
        }
        session.open(&stored.start, &Waivers::All)?;
        let path = stored.tree.path(stored.tree.line_end(ROOT));
        let ahead =
            path.into_iter().rev().map(|node| (node, stored.tree.move_text(node).to_owned())).collect();
        Ok(GameReview { session, remaining_moves: ahead, node: ROOT, score: None, best_move: None })
    }

    /// Returns the session with the position to search.
    pub(crate) fn session(&self) -> &dyn GameSession {
        self.session.as_ref()
    }

    /// Stores the last score and best move of the search.
    pub(crate) fn update(&mut self, score: NodeScore, best: Option<&String>) {
        self.score = Some(score);
        self.best_move = best.cloned();
    }

    /// Returns node, score and best move of the position; a finished game is scored by its result.
    pub(crate) fn take_result(&mut self) -> (usize, Option<NodeScore>, Option<String>) {
        let end_score = self.session.game_end().map(|game_end| NodeScore::from_game_end(&game_end));
        (self.node, end_score.or(self.score.take()), self.best_move.take().filter(|_| end_score.is_none()))
    }

    /// Moves on to the next position; returns whether there is one.
    ///
    /// # Errors
    /// If the move cannot be played.
    pub(crate) fn advance(&mut self) -> Result<bool, SessionError> {
        let Some((node, text)) = self.remaining_moves.pop() else { return Ok(false) };
        self.session.play(&text, None)?;
        self.node = node;
        Ok(true)
    }
}
