//! The file formats of a game: a row for each, with its reader and its writer.

use super::RecordFormat;
use crate::file_format::FileFormat;
use crate::game_tree::GameTree;
use crate::parsed_game::ParsedGame;
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
    /// Writes a file; none if the format is only read.
    pub writer: Option<FileWriter<G>>,
}

/// Reads the games of a file.
pub type ReadGames<G> = fn(&[u8]) -> Vec<ParsedGame<G>>;

/// Writes a value as the bytes of a file.
type Write<T> = fn(&T) -> Result<Vec<u8>, WriteError>;

/// The writer of a format.
#[derive(Clone, Copy, Debug)]
pub enum FileWriter<G: RecordFormat> {
    /// A file holds any number of games.
    Games(Write<[GameTree<G>]>),
    /// A file holds exactly one game.
    OneGame(Write<GameTree<G>>),
}

impl<G: RecordFormat> FileWriter<G> {
    /// Writes games as one file of the writer's format.
    ///
    /// # Errors
    /// Returns an error if the format cannot hold the games, or not so many.
    pub fn write(&self, format: FileFormat, games: &[GameTree<G>]) -> Result<Vec<u8>, WriteError> {
        match (self, games) {
            (FileWriter::Games(write), games) => write(games),
            (FileWriter::OneGame(write), [game]) => write(game),
            (FileWriter::OneGame(_), games) => Err(WriteError::OneGameOnly { format, games: games.len() }),
        }
    }
}

impl<G: RecordFormat> GameFileFormat<G> {
    /// Creates the row of a format that is only read.
    pub const fn new(format: FileFormat, read: ReadGames<G>) -> Self {
        GameFileFormat { format, is_shared: false, read, writer: None }
    }

    /// Adds a writer.
    #[must_use]
    pub const fn with_writer(mut self, writer: FileWriter<G>) -> Self {
        self.writer = Some(writer);
        self
    }

    /// Marks the format as one whose files may be of other games.
    #[must_use]
    pub const fn shared(mut self) -> Self {
        self.is_shared = true;
        self
    }
}
