//! Conformance checks that every store of games must pass.
//!
//! [`check_game_store`] checks single games, [`check_game_library`] lists and collections, [`check_game_import`] the
//! import of files. A store is created for each of their parts by [`TestedStore`]. [`check_requests`] sends a list of
//! requests to a page. A failed check panics and says what was expected.

mod import;
mod library;
mod requests;
mod store;

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

use alfil_kernel::Waivers;
use alfil_session::registry;
use alfil_session::searcher::check_memory;

use crate::game_store::{GameStore, SavedDate};
use crate::host::PageHost;
use crate::library::{GameLibrary, ImportOptions};
use crate::open_game::OpenGame;
use crate::request_error::{ErrorCode, RequestError};
use crate::wire::{ImportProgress, LibraryQuery, LibraryRow, NewGame};

pub use import::check_game_import;
pub use library::check_game_library;
#[cfg(test)]
pub(crate) use requests::answer_requests;
pub use requests::check_requests;
pub use store::check_game_store;

/// A store that is checked.
pub trait TestedStore: GameStore + Sized {
    /// Creates an empty store, which takes its dates and its ids from `host`.
    fn empty(host: PageHost) -> Self;

    /// Removes what is removed for ever at a time, in seconds since 1970: games and collections that were deleted long
    /// ago, and imports that did not end.
    fn purge_at(&self, unix_seconds: i64);
}

/// A host whose dates and random numbers grow with each call, so that no two are equal.
pub const GROWING_HOST: PageHost = PageHost {
    now: alfil_engine::now,
    unix_seconds: || next_number() as i64,
    random: || {
        let number = next_number();
        LAST_RANDOM.set(number);
        number << 16
    },
    check_memory,
};

/// A host whose date is always the same.
const FROZEN_HOST: PageHost = PageHost { unix_seconds: || 1_000_000_000, ..GROWING_HOST };

thread_local! {
    /// The random number that this thread has drawn last.
    static LAST_RANDOM: Cell<u64> = const { Cell::new(0) };
}

fn next_number() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}

/// Returns the id that a store has drawn last in this thread.
fn last_new_id() -> String {
    format!("{:012x}", LAST_RANDOM.get())
}

/// Creates a game that is not saved yet.
fn open_game(game: &str, moves: &[&str]) -> OpenGame {
    let moves = moves.iter().map(|&text| text.to_owned()).collect();
    let new = NewGame { game: game.to_owned(), moves, ..NewGame::default() };
    OpenGame::new(GROWING_HOST.new_id(), new).expect("the moves are legal")
}

fn play(game: &mut OpenGame, text: &str) {
    game.played.play(text, None, GROWING_HOST.now()).expect("the move is legal");
}

fn set_tags(game: &mut OpenGame, tags: &[(&str, &str)]) {
    game.played.set_tags(tags.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect());
}

fn save(store: &impl GameStore, game: &mut OpenGame) {
    store.save(game, 1, SavedDate::Now).expect("the game is saved");
}

/// Returns the library of a store that has one.
fn library_of(store: &impl GameStore) -> &dyn GameLibrary {
    store.library().expect("the store has a library")
}

/// Imports a file of chess in parts of 100 bytes; returns the report.
fn import(store: &impl GameStore, name: &str, file: &str) -> ImportProgress {
    let options =
        ImportOptions { name: name.to_owned(), game: Some("chess".into()), ..ImportOptions::default() };
    let mut import = library_of(store).begin_import(options).expect("the import begins");
    for part in file.as_bytes().chunks(100) {
        import.push(part.to_vec()).expect("the import takes the part");
    }
    loop {
        let progress = import.finish().expect("the file has games");
        if progress.done {
            return progress;
        }
    }
}

/// Returns the rows of all games of a query, after checking that the list of ids is the same.
#[track_caller]
fn rows(store: &impl GameStore, query: &LibraryQuery) -> Vec<LibraryRow> {
    let key = query.position.as_deref().map(|fen| {
        let mut session =
            registry::open(query.game.as_deref().unwrap_or("chess"), None).expect("the game is known");
        session.open(fen, &Waivers::All).expect("the position can be read");
        session.view().hash_key
    });
    let list = library_of(store).list_games(query, key, 0, usize::MAX).expect("the games are listed");
    let ids: Vec<_> = list.rows.iter().map(|row| row.id.clone()).collect();
    assert_eq!(
        library_of(store).ids(query, key).expect("the ids are listed"),
        ids,
        "{query:?}: ids of the list"
    );
    assert_eq!(list.total, ids.len(), "{query:?}: number of games");
    list.rows
}

/// Returns the first players of the games of a query, each up to a comma.
#[track_caller]
fn names(store: &impl GameStore, query: &LibraryQuery) -> String {
    let rows = rows(store, query);
    let names = rows.iter().map(|row| row.players[0].split(',').next().unwrap_or_default());
    names.collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn expect_not_found<T: std::fmt::Debug>(result: Result<T, RequestError>, what: &str) {
    let code = result.err().map(|error| error.code);
    assert_eq!(code, Some(Some(ErrorCode::NotFound)), "{what}: not found");
}
