//! The games of sessions that have ended, or opened another game, while the store could not be written.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use alfil_session::SessionError;

use crate::game_store::{GameStore, SaveError, SavedDate};
use crate::host::PageHost;
use crate::open_game::OpenGame;

/// A game that is not saved, and why.
pub(crate) type UnsavedGame = (OpenGame, SessionError);

/// Games that are in memory alone, until they can be saved.
#[derive(Clone, Default)]
pub(crate) struct UnsavedGames(Arc<Mutex<Vec<UnsavedGame>>>);

impl fmt::Debug for UnsavedGames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.lock().iter().map(|(game, _)| &game.id)).finish()
    }
}

impl UnsavedGames {
    fn lock(&self) -> MutexGuard<'_, Vec<UnsavedGame>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the games, unless another session saves them at present, which may take long.
    fn try_lock(&self) -> Option<MutexGuard<'_, Vec<UnsavedGame>>> {
        match self.0.try_lock() {
            Ok(games) => Some(games),
            Err(TryLockError::Poisoned(error)) => Some(error.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    /// Returns whether there are none; while a session saves them, there are some.
    pub(crate) fn is_empty(&self) -> bool {
        self.try_lock().is_some_and(|games| games.is_empty())
    }

    pub(crate) fn keep(&self, game: UnsavedGame) {
        self.lock().push(game);
    }

    /// Takes a game out, to open it.
    pub(crate) fn take(&self, id: &str) -> Option<UnsavedGame> {
        let mut games = self.lock();
        let index = games.iter().position(|(game, _)| game.id == id)?;
        Some(games.remove(index))
    }

    /// Saves the games that can be saved, unless another session does.
    pub(crate) fn save(&self, store: &dyn GameStore, client_id: u64, host: PageHost) {
        let Some(mut games) = self.try_lock() else { return };
        games.retain_mut(|(game, reason)| match save_or_copy(store, game, client_id, host) {
            Ok(()) => false,
            Err(error) => {
                *reason = error;
                true
            }
        });
    }
}

/// Saves a game with changes that could not be saved before. If it was deleted, or changed by another window, it is
/// saved as another game.
pub(crate) fn save_or_copy(
    store: &dyn GameStore,
    game: &mut OpenGame,
    client_id: u64,
    host: PageHost,
) -> Result<(), SessionError> {
    let saved = store.save(game, client_id, SavedDate::Now).or_else(|error| match error {
        SaveError::Storage(_) => Err(error),
        SaveError::Deleted | SaveError::Conflict => {
            game.assign_id(host.new_id());
            store.save(game, client_id, SavedDate::Now)
        }
    });
    saved.map_err(|error| match error {
        SaveError::Storage(error) => error,
        SaveError::Deleted | SaveError::Conflict => SessionError::new("the game has no id of its own"),
    })
}
