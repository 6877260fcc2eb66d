//! The requests of the page, and the answers: games that are played, analysed, reviewed and saved.
//!
//! A page has a [`ClientSession`], which answers its requests in JSON (see [`wire`]) and takes the updates of its
//! search. What the crate cannot do itself comes from outside: time, random numbers and the size of the memory by the
//! [`PageHost`], the games by a [`GameStore`], searches by a [`SearchSlot`].
//!
//! `Saved*` types describe games that are saved: rows of a store, their dates and changes. `Stored*` types are the JSON
//! in those rows: a game, a move, the last edits.

mod client_session;
pub mod conformance;
mod edit_histories;
mod game_store;
mod host;
mod import_export;
mod import_remarks;
mod letters;
mod library;
mod library_search;
mod memory_store;
mod name_order;
mod open_game;
mod opponents;
mod outgoing;
mod page_environment;
mod reply_leases;
mod request_error;
mod search_slot;
mod stored;
mod tag_summary;
mod unsaved_games;
pub mod wire;

pub use client_session::ClientSession;
pub use edit_histories::EditHistories;
pub use game_store::{
    GameStore, KEPT_SECONDS, MAX_IMPORT_SECONDS, MAX_LISTED_GAMES, SaveError, SavedChange, SavedDate,
};
pub use host::PageHost;
pub use library::{
    FileGames, GameImport, GameLibrary, GameSummary, ImportOptions, ImportedGame, free_name, read_file,
};
pub use library_search::{SEARCHED_TEXTS_VERSION, SearchWords, key_version, searched_texts};
pub use memory_store::{
    BLOCK_NODES, ChangedGame, DamagedPart, MemoryStore, MoveBlock, SavedCollection, SavedPositionKeys,
    SavedRow, SavedSummary, StaleGames, StoreChanges,
};
pub use name_order::name_sort_key;
pub use open_game::OpenGame;
pub use opponents::Opponents;
pub use outgoing::OutgoingMessage;
pub use page_environment::{EngineNames, PageEnvironment};
pub use reply_leases::ReplyLeases;
pub use request_error::RequestError;
pub use search_slot::{SearchPurpose, SearchRequest, SearchSlot, SearchUpdate};
pub use stored::{StoredEdits, StoredGame, StoredNode, pack_tree, unpack_tree};
pub use tag_summary::TagSummary;

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
