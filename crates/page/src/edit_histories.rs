//! The edits of games that were closed, so that they can still be undone after a page was loaded again.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use alfil_session::played_game::EditHistory;

use crate::open_game::OpenGame;

/// The maximal number of games whose edits are kept.
const MAX_GAMES: usize = 64;

/// The edits of a game at a revision.
#[derive(Debug)]
struct ClosedGame {
    id: String,
    revision: i64,
    edits: EditHistory,
}

/// The edits of the games that were closed last. They are lost when the server ends.
#[derive(Clone, Debug, Default)]
pub struct EditHistories(Arc<Mutex<VecDeque<ClosedGame>>>);

impl EditHistories {
    /// Keeps the edits of a game that is closed.
    pub(crate) fn keep(&self, game: &mut OpenGame) {
        let edits = game.played.take_edits();
        if edits.is_empty() {
            // Another window may have kept edits of the same game.
            return;
        }
        let closed = ClosedGame { id: game.id.clone(), revision: game.revision, edits };
        let mut games = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        games.retain(|known| known.id != closed.id);
        if games.len() == MAX_GAMES {
            games.pop_front();
        }
        games.push_back(closed);
    }

    /// Gives the kept edits to a game that is opened, unless it was changed since it was closed.
    pub(crate) fn restore(&self, game: &mut OpenGame) {
        let mut games = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = games.iter().position(|closed| closed.id == game.id && closed.revision == game.revision);
        if let Some(closed) = found.and_then(|index| games.remove(index)) {
            game.played.set_edits(closed.edits);
        }
    }
}
