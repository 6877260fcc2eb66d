//! The store of games as sessions see it.

use alfil_session::SessionError;
use alfil_session::played_game::EditHistory;

use crate::library::GameLibrary;
use crate::open_game::OpenGame;
use crate::request_error::RequestError;
use crate::wire::SavedGame;

/// The maximal number of games that [`GameStore::list`] returns at once.
pub const MAX_LISTED_GAMES: usize = 100;
/// The time for which a deleted game can be restored, in seconds.
pub const KEPT_SECONDS: i64 = 30 * 24 * 60 * 60;
/// An incomplete import that is older than this, in seconds, counts as abandoned: its program has ended.
pub const MAX_IMPORT_SECONDS: i64 = 24 * 60 * 60;

/// The date of a saved game, by which the list is sorted.
///
/// ```
/// use alfil_page::conformance::GROWING_HOST as HOST;
/// use alfil_page::wire::NewGame;
/// use alfil_page::{GameStore, MemoryStore, OpenGame, SavedDate};
///
/// let store = MemoryStore::new(HOST);
/// let mut games = ["chess", "othello"].map(|game| {
///     let new = NewGame { game: game.into(), ..NewGame::default() };
///     OpenGame::new(HOST.new_id(), new).unwrap()
/// });
/// for game in &mut games {
///     store.save(game, 1, SavedDate::Now).unwrap();
/// }
/// // A new score of the first game does not bring it to the top of the list.
/// store.save(&mut games[0], 1, SavedDate::Kept).unwrap();
/// assert_eq!(store.list(0).unwrap().0[0].id, games[1].id);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SavedDate {
    /// The game was changed now.
    Now,
    /// The game is only shown or evaluated differently, and stays where it is in the list. A game that is new there
    /// gets the present date.
    Kept,
}

/// The reason why a game was not saved.
///
/// ```
/// use alfil_page::conformance::GROWING_HOST as HOST;
/// use alfil_page::wire::NewGame;
/// use alfil_page::{GameStore, MemoryStore, OpenGame, SaveError, SavedDate};
///
/// let store = MemoryStore::new(HOST);
/// let new = NewGame { game: "chess".into(), ..NewGame::default() };
/// let mut game = OpenGame::new(HOST.new_id(), new).unwrap();
/// store.save(&mut game, 1, SavedDate::Now).unwrap();
/// // Another window saves the game first.
/// let mut other = store.load(&game.id).unwrap();
/// store.save(&mut other, 2, SavedDate::Now).unwrap();
/// assert!(matches!(store.save(&mut game, 1, SavedDate::Now), Err(SaveError::Conflict)));
/// ```
#[derive(Debug)]
pub enum SaveError {
    /// The game was deleted.
    Deleted,
    /// The game was saved by another session since it was read.
    Conflict,
    /// The store cannot be read or written.
    Storage(SessionError),
}

/// The event that a game was saved.
#[derive(Clone, Debug)]
pub struct SavedChange {
    /// The id of the game.
    pub id: String,
    /// The client that saved the game.
    pub saved_by: u64,
}

impl SavedChange {
    /// Creates the event that the store goes on with another file: all sessions save their games there.
    ///
    /// ```
    /// assert!(alfil_page::SavedChange::of_all_games().is_of_all_games());
    /// ```
    pub fn of_all_games() -> SavedChange {
        SavedChange { id: String::new(), saved_by: 0 }
    }

    /// Returns whether the event is for the sessions of all games.
    pub fn is_of_all_games(&self) -> bool {
        self.id.is_empty()
    }
}

/// A store of games. A deleted game can be restored for [`KEPT_SECONDS`]. [`check_game_store`] checks an
/// implementation.
///
/// [`check_game_store`]: crate::conformance::check_game_store
///
/// ```
/// use alfil_page::conformance::GROWING_HOST as HOST;
/// use alfil_page::wire::NewGame;
/// use alfil_page::{GameStore, MemoryStore, OpenGame, SavedDate};
///
/// let store = MemoryStore::new(HOST);
/// let new = NewGame { game: "xiangqi".into(), moves: vec!["h2e2".into()], ..NewGame::default() };
/// let mut game = OpenGame::new(HOST.new_id(), new).unwrap();
/// store.save(&mut game, 1, SavedDate::Now).unwrap();
/// assert_eq!(store.load(&game.id).unwrap().tree().move_count(), 1);
/// store.delete(&game.id).unwrap();
/// assert!(store.load(&game.id).is_err());
/// store.restore(&game.id).unwrap();
/// assert_eq!(store.list(0).unwrap().0[0].id, game.id);
/// ```
pub trait GameStore: std::fmt::Debug + Send + Sync {
    /// Saves a game and notifies the other sessions; `saved_by` is the client. A game of revision 0 is new: none of its
    /// id may be in the store, deleted or not.
    ///
    /// # Errors
    /// See [`SaveError`]; the store is unchanged after an error.
    fn save(&self, game: &mut OpenGame, saved_by: u64, date: SavedDate) -> Result<(), SaveError>;

    /// Saves the clock of a game if it is unchanged since it was read. Other sessions are not notified.
    ///
    /// # Errors
    /// If the store cannot be written.
    fn save_clock(&self, game: &OpenGame) -> Result<(), SessionError>;

    /// Loads a saved game.
    ///
    /// # Errors
    /// If there is no such game, or it cannot be read.
    fn load(&self, id: &str) -> Result<OpenGame, RequestError>;

    /// Returns the last edits of a saved game at this revision, if the store keeps edits.
    fn edits(&self, _id: &str, _revision: i64) -> Option<EditHistory> {
        None
    }

    /// Deletes a game, if it exists. It can be restored until it is purged.
    ///
    /// # Errors
    /// If the store cannot be written.
    fn delete(&self, id: &str) -> Result<(), SessionError>;

    /// Restores a deleted game.
    ///
    /// # Errors
    /// If there is no such game, or the store cannot be written.
    fn restore(&self, id: &str) -> Result<(), RequestError>;

    /// Lists at most [`MAX_LISTED_GAMES`] saved games outside of collections, the last changed first, after the first
    /// `skip`. Returns whether more follow.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn list(&self, skip: u32) -> Result<(Vec<SavedGame>, bool), SessionError>;

    /// Returns how often the store has gone on with another file, because the former one was deleted, replaced or
    /// damaged while the program ran.
    fn generation(&self) -> u64 {
        0
    }

    /// Returns what has become of the former file, and what to do.
    fn notice(&self) -> Option<SessionError> {
        None
    }

    /// Returns the collections of the store; `None` if it has only single games.
    fn library(&self) -> Option<&dyn GameLibrary> {
        None
    }
}
