//! What is kept of the games elsewhere, in the database of a browser. Field names must not change, because browsers
//! keep rows.

use std::collections::BTreeMap;

use alfil_session::played_game::GameRecord;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::stored::{StoredEdits, StoredGame, StoredNode};

/// The row of a saved game, without its moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedRow {
    /// The id of the game.
    pub id: String,
    /// The name of the game.
    pub game: String,
    /// The number of moves of the main line, those of both sides; passes are not counted.
    pub plies: i64,
    /// The number of times the game was saved.
    pub revision: i64,
    /// The time of the last change, in seconds since 1970.
    pub changed: i64,
    /// The time of the deletion, in seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted: Option<i64>,
    /// The id of the collection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collection: Option<String>,
    /// A number that grows with each new game: the order of the games of a file.
    #[serde(default)]
    pub number: i64,
    /// The summary of the moves; `None` if it was not made yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<SavedSummary>,
    /// The last edits, which can be undone. A game whose edits cannot be read has none.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "readable_edits")]
    pub edits: Option<StoredEdits>,
    /// What is kept of the game.
    pub record: StoredGame,
}

impl SavedRow {
    /// Creates the row of a game that was never saved, with its number among the games of the store.
    pub(super) fn new(id: String, record: &GameRecord, number: i64) -> SavedRow {
        SavedRow {
            id,
            game: record.game.clone(),
            plies: 0,
            revision: 0,
            changed: 0,
            deleted: None,
            collection: None,
            number,
            summary: None,
            edits: None,
            record: record.into(),
        }
    }
}

/// Reads edits; `None` if they are damaged or of another version.
fn readable_edits<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<StoredEdits>, D::Error> {
    Ok(serde_json::from_value(Value::deserialize(deserializer)?).ok())
}

/// The summary of the moves of a game, which lists show and search.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedSummary {
    /// The revision of the game that was read.
    pub revision: i64,
    /// The version of the searched texts.
    #[serde(default)]
    pub version: String,
    /// The result, as in PGN; empty if unknown.
    pub result: String,
    /// The code and the names of the opening in English and in Chinese.
    pub opening: [String; 3],
    /// The pieces at the end of the main line, as in a position text.
    pub placement: String,
}

/// The row of a collection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedCollection {
    /// The id of the collection.
    pub id: String,
    /// A number that grows with each new collection; 0 in rows of earlier versions.
    #[serde(default)]
    pub number: i64,
    /// The name.
    pub name: String,
    /// The time at which its import began, in seconds since 1970.
    pub created: i64,
    /// Whether its import has ended. Until then it is hidden.
    pub is_complete: bool,
    /// The time of the deletion, in seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted: Option<i64>,
}

impl SavedCollection {
    /// Returns the place of the collection in their order, the oldest first.
    pub(super) fn place(&self) -> (i64, i64, &str) {
        (self.created, self.number, &self.id)
    }

    /// Returns whether the collection is shown.
    pub(super) fn is_visible(&self) -> bool {
        self.is_complete && self.deleted.is_none()
    }
}

/// Moves of a game that are kept together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum MoveBlock {
    /// All moves of an imported game, packed. The game has no other block.
    Packed(String),
    /// The moves from a multiple of [`BLOCK_NODES`](super::BLOCK_NODES) on: `null` for a removed one.
    Nodes(Vec<Option<StoredNode>>),
}

/// The hash keys of the positions of a game, by which the games with a position are found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedPositionKeys {
    /// The id of the game.
    pub id: String,
    /// The revision of the game that was read.
    pub revision: i64,
    /// The version of the hash keys.
    pub version: String,
    /// The keys, a fixed number of characters each.
    pub keys: String,
}

/// What has changed of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangedGame {
    /// The row of the game.
    pub row: SavedRow,
    /// The changed blocks by their numbers.
    pub blocks: BTreeMap<usize, MoveBlock>,
    /// The positions, if they were found anew.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<SavedPositionKeys>,
}

/// What has changed since the changes were taken last.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StoreChanges {
    /// New and changed games.
    pub games: Vec<ChangedGame>,
    /// New and changed collections.
    pub collections: Vec<SavedCollection>,
    /// The ids of games that are removed for ever.
    pub removed: Vec<String>,
    /// The ids of collections that are removed for ever.
    pub removed_collections: Vec<String>,
}

impl StoreChanges {
    /// Returns whether nothing has changed.
    ///
    /// ```
    /// use alfil_page::conformance::GROWING_HOST as HOST;
    /// use alfil_page::wire::NewGame;
    /// use alfil_page::{GameStore, MemoryStore, OpenGame, SavedDate};
    ///
    /// let store = MemoryStore::new(HOST);
    /// assert!(store.take_changes(None).is_empty());
    /// let new = NewGame { game: "chess".into(), ..NewGame::default() };
    /// store.save(&mut OpenGame::new(HOST.new_id(), new).unwrap(), 1, SavedDate::Now).unwrap();
    /// assert_eq!(store.take_changes(None).games[0].row.revision, 1);
    /// assert!(store.take_changes(None).is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        let StoreChanges { games, collections, removed, removed_collections } = self;
        games.is_empty() && collections.is_empty() && removed.is_empty() && removed_collections.is_empty()
    }
}
