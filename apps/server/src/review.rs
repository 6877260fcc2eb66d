//! A whole game, position after position.

use alfil_hall::{Desk, DeskError, registry};
use alfil_kernel::Waivers;

use crate::game::Record;
use crate::tree::START;
use crate::wire::ScoreShape;

/// A walk along the main line of a game, on a desk of its own.
pub(crate) struct Review {
    desk: Box<dyn Desk>,
    /// Nodes and their moves, still to come, the last first.
    ahead: Vec<(usize, String)>,
    node: usize,
    score: Option<ScoreShape>,
    best: Option<String>,
}

impl Review {
    /// At the start of a game.
    ///
    /// # Errors
    /// If the game cannot be played.
    pub(crate) fn of(record: &Record) -> Result<Review, DeskError> {
        let mut desk = registry::open(&record.game, None)?;
        if let Some(book) = &record.book {
            desk.choose(book)?;
        }
        desk.open(&record.start, &Waivers::All)?;
        let road = record.tree.road(record.tree.tip(START));
        let ahead = road.into_iter().rev().map(|node| (node, record.tree.text(node).to_owned())).collect();
        Ok(Review { desk, ahead, node: START, score: None, best: None })
    }

    /// The desk with the position to be thought about.
    pub(crate) fn desk(&self) -> &dyn Desk {
        self.desk.as_ref()
    }

    /// What was found out about it so far.
    pub(crate) fn found(&mut self, score: ScoreShape, best: Option<&String>) {
        self.score = Some(score);
        self.best = best.cloned();
    }

    /// What came of it; a game that is over has its score from the verdict.
    pub(crate) fn result(&mut self) -> (usize, Option<ScoreShape>, Option<String>) {
        let settled = self.desk.judge().map(|ending| ScoreShape::settled(&ending));
        (self.node, settled.or(self.score.take()), self.best.take().filter(|_| settled.is_none()))
    }

    /// Goes on to the next position, if there is one.
    ///
    /// # Errors
    /// If its move cannot be played.
    pub(crate) fn next(&mut self) -> Result<bool, DeskError> {
        let Some((node, text)) = self.ahead.pop() else { return Ok(false) };
        self.desk.play(&text, None)?;
        self.node = node;
        Ok(true)
    }
}
