//! The result of reading one game of a file.

use crate::error::RecordError;
use crate::game_tree::GameTree;
use crate::record_format::RecordFormat;

/// The maximal number of warnings kept per game.
pub(crate) const MAX_WARNINGS: usize = 100;

/// A game read from a file.
///
/// ```
/// use alfil_chess::Chess;
/// use alfil_records::pgn;
///
/// let mut reader = pgn::Reader::new(&b"1. e4 e5 *\n\n1. Ke5 *"[..]);
/// assert!(reader.next_game()?.unwrap().parse::<Chess>().into_tree().is_ok());
/// assert!(reader.next_game()?.unwrap().parse::<Chess>().into_tree().is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ParsedGame<G: RecordFormat> {
    /// The tree: the whole game, or the part before the error.
    pub tree: GameTree<G>,
    /// The error that ended the game early, if any.
    pub error: Option<RecordError>,
    /// Skipped parts: malformed tags, variations from an illegal move on, misplaced tokens.
    pub warnings: Vec<RecordError>,
}

impl<G: RecordFormat> ParsedGame<G> {
    /// Returns the tree of a game without errors and warnings.
    ///
    /// # Errors
    /// Returns the error, or else the first warning.
    pub fn into_tree(self) -> Result<GameTree<G>, RecordError> {
        match self.error.or(self.warnings.into_iter().next()) {
            Some(error) => Err(error),
            None => Ok(self.tree),
        }
    }
}
