//! The file formats of a game: a row for each, with its reader and its writer.

use crate::file_format::FileFormat;
use crate::game_tree::GameTree;
use crate::parsed_game::ParsedGame;
use crate::record_format::RecordFormat;
use crate::write_error::WriteError;

/// A file format that only one game has: its reader and its writer. PGN is not among them: every game has it.
#[derive(Clone, Copy, Debug)]
pub struct GameFileFormat<G: RecordFormat> {
    /// The format.
    pub format: FileFormat,
    /// Whether files of other games look the same, so that this reader is used only where the game is expected.
    pub is_shared: bool,
    /// Reads the games of a file that was recognised as this format.
    pub read: ReadGames<G>,
    /// Writes games as one file; none if the format is only read.
    pub write: Option<WriteGames<G>>,
}

/// Reads the games of a file.
pub type ReadGames<G> = fn(&[u8]) -> Vec<ParsedGame<G>>;

impl<G: RecordFormat> GameFileFormat<G> {
    /// Creates the row of a format that is only read.
    pub const fn new(format: FileFormat, read: ReadGames<G>) -> Self {
        GameFileFormat { format, is_shared: false, read, write: None }
    }

    /// Adds a writer.
    #[must_use]
    pub const fn with_writer(mut self, write: WriteGames<G>) -> Self {
        self.write = Some(write);
        self
    }

    /// Marks the format as one whose files may be of other games.
    #[must_use]
    pub const fn shared(mut self) -> Self {
        self.is_shared = true;
        self
    }
}

/// Writes games as one file.
pub type WriteGames<G> = fn(&[GameTree<G>]) -> Result<Vec<u8>, WriteError>;

/// Returns the game of a file that holds exactly one.
///
/// # Errors
/// Returns an error if there are several games or none.
pub(crate) fn only_game<G: RecordFormat>(
    games: &[GameTree<G>],
    format: FileFormat,
) -> Result<&GameTree<G>, WriteError> {
    match games {
        [game] => Ok(game),
        _ => Err(WriteError::OneGameOnly { format, games: games.len() }),
    }
}
