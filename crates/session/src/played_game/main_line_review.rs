//! A review of the main line of a game, position by position. Its caller runs the searches.

use alfil_kernel::{Side, Waivers};

use super::GameRecord;
use super::text_tree::{NodeScore, ROOT};
use crate::game_session::{GameSession, SessionError};
use crate::registry;

/// The result of the search of one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewedPosition {
    /// The node of the position.
    pub node: usize,
    /// The score; `None` if the first position was searched without a result.
    pub score: Option<NodeScore>,
    /// The best move in the default dialect; `None` if the game is over.
    pub best: Option<String>,
    /// The best move in the dialect of the game.
    pub best_label: Option<String>,
}

/// A review of the main line of a game, with a session of its own.
pub struct MainLineReview {
    session: Box<dyn GameSession>,
    dialect: Option<String>,
    /// The remaining nodes with their moves, in reverse order.
    remaining_moves: Vec<(usize, String)>,
    node: usize,
    /// The score found so far for the position, or that of the position before it.
    score: Option<NodeScore>,
}

impl MainLineReview {
    /// Creates a review of a game, at its start position.
    pub(super) fn new(record: &GameRecord) -> Result<MainLineReview, SessionError> {
        let tree = &record.tree;
        let path = tree.path(tree.line_end(ROOT));
        let moves = path.into_iter().rev().map(|node| (node, tree.move_text(node).to_owned()));
        Ok(MainLineReview {
            session: open_start(record)?,
            dialect: record.dialect.clone(),
            remaining_moves: moves.collect(),
            node: ROOT,
            score: None,
        })
    }

    /// Returns the session with the position to search.
    pub fn session(&self) -> &dyn GameSession {
        self.session.as_ref()
    }

    /// Returns the number of positions to search, the current one included.
    pub fn remaining_positions(&self) -> usize {
        self.remaining_moves.len() + 1
    }

    /// Stores a score of the search, from the view of the side to move.
    pub fn set_score(&mut self, score: i32, mate: Option<i32>) {
        let side: Side = self.session.view().side_to_move;
        self.score = Some(NodeScore::from_side_score(side, score, mate));
    }

    /// Returns the result of the position. A finished game is scored by its result; a search without a score, as of an
    /// only legal move, leaves the score of the position before it.
    pub fn finish_position(&mut self, best: Option<String>) -> ReviewedPosition {
        let game_end = self.session.game_end();
        if let Some(game_end) = &game_end {
            self.score = Some(NodeScore::from_game_end(game_end));
        }
        let best = best.filter(|_| game_end.is_none());
        let label = |text: &String| self.session.format_move(text, self.dialect.as_deref()).ok();
        let best_label = best.as_ref().and_then(label);
        ReviewedPosition { node: self.node, score: self.score, best, best_label }
    }

    /// Moves on to the next position; returns whether there is one.
    ///
    /// # Errors
    /// If the move cannot be played.
    pub fn advance(&mut self) -> Result<bool, SessionError> {
        let Some((node, text)) = self.remaining_moves.pop() else { return Ok(false) };
        self.session.play(&text, None)?;
        self.node = node;
        Ok(true)
    }
}

/// Opens a session at the start position of a game.
pub(super) fn open_start(record: &GameRecord) -> Result<Box<dyn GameSession>, SessionError> {
    let mut session = registry::open(&record.game, None)?;
    if let Some(ruleset) = &record.ruleset {
        session.set_ruleset(ruleset)?;
    }
    session.open(&record.start, &Waivers::All)?;
    Ok(session)
}
