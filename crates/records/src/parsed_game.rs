//! What came of reading a game.

use crate::error::RecordError;
use crate::game_tree::GameTree;
use crate::record_format::RecordFormat;

/// A game as it was read.
#[derive(Clone, Debug)]
pub struct ParsedGame<G: RecordFormat> {
    /// What could be read: everything, or what stood before the place where it broke.
    pub tree: GameTree<G>,
    /// Why the game could not be read to its end, if so.
    pub error: Option<RecordError>,
    /// What was passed over: tags that are none, variations from an illegal move on, what belongs nowhere.
    pub warnings: Vec<RecordError>,
}

impl<G: RecordFormat> ParsedGame<G> {
    /// The tree, if nothing at all was wrong.
    ///
    /// # Errors
    /// The first thing that was wrong, or that by which the game broke.
    pub fn into_tree(self) -> Result<GameTree<G>, RecordError> {
        match self.error.or(self.warnings.into_iter().next()) {
            Some(fault) => Err(fault),
            None => Ok(self.tree),
        }
    }
}
