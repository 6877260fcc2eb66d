//! Damaged parts of a file of all games, which are found before it is written where games are kept.

use alfil_session::played_game::GameRecord;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::comparison::has_all_of;
use super::{
    MemoryGame, MemoryStore, MoveBlock, SavedCollection, SavedPositionKeys, SavedRow, moves_of_blocks,
};
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
pub(super) struct FileGame {
    row: SavedRow,
    blocks: Vec<MoveBlock>,
    #[serde(default)]
    positions: Option<SavedPositionKeys>,
}

impl FileGame {
    /// Returns the game; `None` if it is damaged.
    pub(super) fn into_record(self) -> Option<GameRecord> {
        MemoryGame::new(self.row, moves_of_blocks(self.blocks)).record().ok().flatten()
    }
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
    /// ```
    /// use alfil_page::conformance::GROWING_HOST as HOST;
    /// use alfil_page::{DamagedPart, MemoryStore};
    ///
    /// let store = MemoryStore::new(HOST);
    /// assert_eq!(store.damaged_part(br#"{"games":[],"collections":[]}"#)?, None);
    /// assert_eq!(store.damaged_part(br#"{"games":[{"row":{}}]}"#)?, Some(DamagedPart::Game(0)));
    /// assert!(store.damaged_part(b"1. e4 e5 *").is_err());
    /// # Ok::<(), serde_json::Error>(())
    /// ```
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

    /// Returns whether the first of two games has everything that was entered in the second; both are as in a file.
    ///
    /// # Errors
    /// If they are no JSON of two values.
    pub fn has_all_of(games: &[u8]) -> Result<bool, serde_json::Error> {
        let (whole, part): (Value, Value) = serde_json::from_slice(games)?;
        // A damaged game has nothing.
        Ok(read(whole).zip(read(part)).is_some_and(|(whole, part)| has_all_of(whole, part)))
    }

    fn can_be_opened(&self, game: FileGame) -> bool {
        let (id, revision) = (game.row.id.clone(), game.row.revision);
        let is_of_row = game.positions.as_ref().is_none_or(|positions| positions.id == id);
        is_of_row
            && game.into_record().is_some_and(|record| {
                let opened = OpenGame::from_saved(id, revision, record, self.host.now());
                opened.is_ok_and(|mut game| game.played.label_all().is_ok())
            })
    }
}

fn read<T: DeserializeOwned>(value: Value) -> Option<T> {
    serde_json::from_value(value).ok()
}
