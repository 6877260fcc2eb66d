//! The requests of the library: collections of games, their search, changes of many games, import and export.

use std::collections::BTreeMap;

use alfil_session::SessionError;
use serde::{Deserialize, Serialize};

use super::AppearanceDto;

/// A request of the library: `{"do":"library","action":"list",...}`.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(Serialize, ts_rs::TS), ts(optional_fields = nullable))]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum LibraryRequest {
    /// Returns a part of the list of games: `list`.
    List {
        /// Which games, and their order.
        #[serde(default)]
        #[cfg_attr(test, ts(as = "Option<_>", optional))]
        query: LibraryQuery,
        /// The number of games to skip.
        #[serde(default)]
        #[cfg_attr(test, ts(as = "Option<_>", optional))]
        offset: usize,
        /// The maximal number of games.
        limit: usize,
    },
    /// Returns the ids of all games of a query, in its order: `ids`.
    Ids {
        /// Which games, and their order.
        #[serde(default)]
        #[cfg_attr(test, ts(as = "Option<_>", optional))]
        query: LibraryQuery,
    },
    /// Returns the collections with the numbers of their games: `collections`.
    Collections,
    /// Renames a collection.
    RenameCollection {
        /// The id of the collection.
        collection: String,
        /// The new name.
        name: String,
    },
    /// Deletes a collection with its games. It can be restored for thirty days.
    DeleteCollection {
        /// The id of the collection.
        collection: String,
    },
    /// Brings a deleted collection back.
    RestoreCollection {
        /// The id of the collection.
        collection: String,
    },
    /// Deletes games. They can be restored for thirty days.
    DeleteGames {
        /// The ids of the games.
        games: Vec<String>,
    },
    /// Brings deleted games back. A collection with which they were deleted comes back with these games only:
    /// `restored` has its id.
    RestoreGames {
        /// The ids of the games.
        games: Vec<String>,
    },
    /// Removes deleted games for ever, so that their space is free.
    RemoveGames {
        /// The ids of the games.
        games: Vec<String>,
    },
    /// Returns games as PGN: `text`. The page exports many games in several requests.
    Export {
        /// The ids of the games.
        games: Vec<String>,
    },
    /// Returns the tags of a game: `game`, `tags`.
    Tags {
        /// The id of the game.
        game: String,
    },
    /// Replaces the tags of a game; returns the former ones: `tags`.
    SetTags {
        /// The id of the game.
        game: String,
        /// The names and values, in their order.
        tags: Vec<(String, String)>,
    },
    /// Returns the appearances of all games, for small pictures of positions: `looks`.
    Looks,
    /// Begins the import of a file. The games become a collection.
    ImportBegin {
        /// The name of the collection: that of the file.
        name: String,
        /// The game of a file that does not say which one it contains.
        game: Option<String>,
        /// Whether remarks about moves that cannot be read are in Chinese.
        #[serde(default)]
        #[cfg_attr(test, ts(as = "Option<_>", optional))]
        chinese: bool,
        /// The files of the names that the games give as numbers, with a character for each byte.
        #[serde(default)]
        #[cfg_attr(test, ts(as = "Option<_>", optional))]
        names: Vec<String>,
    },
    /// Sends the next part of the file: `import`. The response waits until the part can be taken.
    ImportChunk {
        /// A character for each byte.
        data: String,
    },
    /// Says that the file is complete: `import`. It is repeated until the import is `done`.
    ImportEnd,
    /// Cancels the import and removes its games.
    ImportCancel,
}

/// Which games of the library are listed, and in which order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(Serialize, ts_rs::TS), ts(optional_fields = nullable))]
#[serde(default)]
pub struct LibraryQuery {
    /// The id of a collection.
    pub collection: Option<String>,
    /// Whether only games outside of all collections are listed.
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    pub single: bool,
    /// Whether the deleted games are listed instead of the others, of all collections.
    #[cfg_attr(test, ts(as = "Option<_>", optional))]
    pub deleted: bool,
    /// The name of the game.
    pub game: Option<String>,
    /// The result, as in PGN.
    pub result: Option<String>,
    /// Words that the names of the players, the event or the opening contain, or begin with.
    pub search: String,
    /// Where the words are searched; by default everywhere.
    pub field: Option<SearchField>,
    /// The text of a position of `game` that occurs in the games.
    pub position: Option<String>,
    /// The order.
    pub sort: LibrarySort,
    /// Whether the order is reversed.
    pub descending: bool,
}

/// Where words are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(Serialize, ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum SearchField {
    /// The names of the players.
    Player,
    /// The event and its place.
    Event,
    /// The code and the name of the opening.
    Opening,
}

/// The order of a list of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(Serialize, ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum LibrarySort {
    /// By the time of the last change.
    #[default]
    Changed,
    /// By the date of the game.
    Date,
    /// By the names of the players.
    Players,
    /// By the event.
    Event,
    /// By the opening.
    Opening,
    /// By the number of moves.
    Length,
    /// By the result.
    Result,
}

/// The response to a [`LibraryRequest`]; unused fields are omitted.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct LibraryResponse {
    /// A part of the list of games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list: Option<LibraryList>,
    /// The ids of games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ids: Option<Vec<String>>,
    /// The collections.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collections: Option<CollectionList>,
    /// The ids of the collections that came back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restored: Option<Vec<String>>,
    /// Exported games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The name of the game of which `tags` are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// The tags of a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<(String, String)>>,
    /// The appearances of the games by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub looks: Option<BTreeMap<&'static str, AppearanceDto>>,
    /// The state of an import.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub import: Option<ImportProgress>,
}

/// A part of a list of games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "LibraryPart"))]
pub struct LibraryList {
    /// The number of all games of the query.
    pub total: usize,
    /// A text that changes with every change of the library: parts with the same text belong together.
    pub version: String,
    /// The games.
    pub rows: Vec<LibraryRow>,
}

/// A game in a list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LibraryRow {
    /// The id of the game.
    pub id: String,
    /// The name of the game.
    pub game: String,
    /// The id of the collection; null for a game outside of all.
    pub collection: Option<String>,
    /// The names of the players, that of the side with the first move before the other; empty if unknown.
    pub players: [String; 2],
    /// The ratings of the players; empty if unknown.
    pub ratings: [String; 2],
    /// The side that a person plays against the computer; null in analysis and imported games.
    #[cfg_attr(test, ts(as = "Option<super::values::Side>"))]
    pub person: Option<usize>,
    /// Whether two people play at one screen.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub two_people: bool,
    /// The skill level of the computer.
    pub level: u32,
    /// The result, as in PGN; empty if unknown.
    pub result: String,
    /// The final score of a game that is won by counting pieces, such as 40 to 24 discs; absent in other games, and if
    /// the main line does not end the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub score: Option<[usize; 2]>,
    /// The date, from the year on; empty if unknown.
    pub date: String,
    /// The event; empty if unknown.
    pub event: String,
    /// The code of the opening in the Encyclopaedia of Chess Openings, or of the tag `ECO`.
    pub eco: String,
    /// The name of the opening in English.
    pub opening: String,
    /// The name of the opening in Chinese.
    pub opening_zh: String,
    /// The number of moves of the main line, those of both sides; passes are not counted.
    pub plies: i64,
    /// The time of the last change, in seconds since 1970.
    pub changed: i64,
    /// The pieces at the end of the main line, as in a position text; empty if the game is damaged.
    pub placement: String,
    /// Whether the saved game is damaged: the other fields are empty, but for the name of the game.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub damaged: bool,
}

/// The collections, and the numbers of games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CollectionList {
    /// The number of all games.
    pub all: usize,
    /// The number of games outside of all collections.
    pub single: usize,
    /// The number of deleted games that can be restored.
    pub deleted: usize,
    /// The collections, the newest first.
    pub rows: Vec<CollectionRow>,
}

/// A collection in a list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CollectionRow {
    /// The id of the collection.
    pub id: String,
    /// The name.
    pub name: String,
    /// The number of its games.
    pub games: usize,
}

/// The name of an imported collection.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CollectionName {
    /// The name.
    pub name: String,
    /// Whether it has a number because another collection has the name of the file.
    pub is_renamed: bool,
    /// The name of another collection with the same games.
    pub same_games: Option<String>,
}

/// What an import says about a game that it could not take over as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ImportRemark {
    /// Which game, what is wrong, and what was done with it, in the language of the page.
    pub text: String,
    /// The place in the file; empty if the whole file is concerned.
    pub place: String,
}

/// The state of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ImportProgress {
    /// The number of bytes that were read.
    pub bytes: u64,
    /// The number of games that are in the library.
    pub games: usize,
    /// The number of these games that end before a move that cannot be read.
    pub cut: usize,
    /// The number of games of which nothing can be read.
    pub bad: usize,
    /// The number of games with a remark; each missing game has one.
    pub remarked: usize,
    /// The first remarks.
    pub remarks: Vec<ImportRemark>,
    /// Whether the import is complete.
    pub done: bool,
    /// The id of the collection, when the import is complete. A single game is in none.
    pub collection: Option<String>,
    /// The name of the collection, when the import is complete.
    pub collection_name: Option<CollectionName>,
    /// The id of the first game, when the import is complete.
    pub first: Option<String>,
}

impl ImportProgress {
    /// Returns the error of a file without games: the first remark on it, if there is one.
    ///
    /// ```
    /// use alfil_page::wire::ImportProgress;
    ///
    /// assert_eq!(ImportProgress::default().refusal().to_string(), "this file has no games");
    /// ```
    pub fn refusal(&self) -> SessionError {
        let Some(ImportRemark { text, place }) = self.remarks.first() else {
            return SessionError::new("this file has no games").with_chinese("此文件没有对局");
        };
        let message = match place.as_str() {
            "" => text.clone(),
            // The remark is in one language.
            place if text.ends_with('。') => format!("{text}（{place}）"),
            place => format!("{text} ({place})"),
        };
        SessionError::new(message.clone()).with_chinese(message)
    }
}
