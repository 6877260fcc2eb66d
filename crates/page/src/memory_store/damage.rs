//! Damaged parts of a file of all games, which are found before it is written where games are kept.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{KeptGame, MemoryStore, MoveBlock, SavedCollection, SavedPositions, SavedRow, moves_of_blocks};
use crate::open_game::OpenGame;

/// A file of all games.
#[derive(Deserialize)]
struct GamesFile {
    games: Vec<Value>,
    #[serde(default)]
    collections: Vec<Value>,
}

/// A game of the file.
#[derive(Deserialize)]
struct FileGame {
    row: SavedRow,
    blocks: Vec<MoveBlock>,
    #[serde(default)]
    positions: Option<SavedPositions>,
}

/// A part of a file that cannot be read, by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DamagedPart {
    /// A game.
    Game(usize),
    /// A collection.
    Collection(usize),
}

impl MemoryStore {
    /// Returns the first damaged part of a file of all games: one that is incomplete, or a game that cannot be opened.
    ///
    /// # Errors
    /// If the file is not JSON with a list of games.
    pub fn damaged_part(&self, file: &[u8]) -> Result<Option<DamagedPart>, serde_json::Error> {
        let GamesFile { games, collections } = serde_json::from_slice(file)?;
        let is_sound = |value| read::<FileGame>(value).is_some_and(|game| self.can_be_opened(game));
        let game = games.into_iter().position(|value| !is_sound(value)).map(DamagedPart::Game);
        let is_damaged = |value| read::<SavedCollection>(value).is_none();
        Ok(game.or_else(|| collections.into_iter().position(is_damaged).map(DamagedPart::Collection)))
    }

    fn can_be_opened(&self, FileGame { row, blocks, positions }: FileGame) -> bool {
        let (id, revision) = (row.id.clone(), row.revision);
        let is_of_row = positions.is_none_or(|positions| positions.id == id);
        let record = KeptGame::new(row, moves_of_blocks(blocks)).record().ok().flatten();
        is_of_row
            && record
                .is_some_and(|record| OpenGame::from_saved(id, revision, record, self.host.now()).is_ok())
    }
}

fn read<T: DeserializeOwned>(value: Value) -> Option<T> {
    serde_json::from_value(value).ok()
}
