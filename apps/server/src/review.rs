//! A whole game, position after position.

use alfil_kernel::Waivers;
use alfil_session::{GameSession, SessionError, registry};

use crate::open_game::StoredGame;
use crate::text_tree::ROOT;
use crate::wire::ScoreDto;

/// A walk along the main line of a game, on a desk of its own.
pub(crate) struct GameReview {
    session: Box<dyn GameSession>,
    /// Nodes and their moves, still to come, the last first.
    remaining_moves: Vec<(usize, String)>,
    node: usize,
    score: Option<ScoreDto>,
    best_move: Option<String>,
}

impl GameReview {
    /// At the start of a game.
    ///
    /// # Errors
    /// If the game cannot be played.
    pub(crate) fn from_stored(record: &StoredGame) -> Result<GameReview, SessionError> {
        let mut desk = registry::open(&record.game, None)?;
        if let Some(book) = &record.book {
            desk.set_ruleset(book)?;
        }
        desk.open(&record.start, &Waivers::All)?;
        let road = record.tree.path(record.tree.line_end(ROOT));
        let ahead =
            road.into_iter().rev().map(|node| (node, record.tree.move_text(node).to_owned())).collect();
        Ok(GameReview { session: desk, remaining_moves: ahead, node: ROOT, score: None, best_move: None })
    }

    /// The desk with the position to be thought about.
    pub(crate) fn session(&self) -> &dyn GameSession {
        self.session.as_ref()
    }

    /// What was found out about it so far.
    pub(crate) fn update(&mut self, score: ScoreDto, best: Option<&String>) {
        self.score = Some(score);
        self.best_move = best.cloned();
    }

    /// What came of it; a game that is over has its score from the verdict.
    pub(crate) fn take_result(&mut self) -> (usize, Option<ScoreDto>, Option<String>) {
        let settled = self.session.game_end().map(|ending| ScoreDto::from_game_end(&ending));
        (self.node, settled.or(self.score.take()), self.best_move.take().filter(|_| settled.is_none()))
    }

    /// Goes on to the next position, if there is one.
    ///
    /// # Errors
    /// If its move cannot be played.
    pub(crate) fn advance(&mut self) -> Result<bool, SessionError> {
        let Some((node, text)) = self.remaining_moves.pop() else { return Ok(false) };
        self.session.play(&text, None)?;
        self.node = node;
        Ok(true)
    }
}
