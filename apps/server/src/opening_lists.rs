//! The named openings of the games, shared by all connections.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use alfil_session::{OpeningNames, registry};

/// The named openings of the games, each list made when it is first needed.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpeningLists {
    lists: Arc<Mutex<HashMap<String, Arc<OpeningNames>>>>,
}

impl OpeningLists {
    /// Returns the named openings of a game; none if there is no such game.
    pub(crate) fn of(&self, game: &str) -> Arc<OpeningNames> {
        let mut lists = self.lists.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(names) = lists.get(game) {
            return Arc::clone(names);
        }
        let names = Arc::new(registry::opening_names(game).unwrap_or_default());
        lists.insert(game.to_owned(), Arc::clone(&names));
        names
    }
}
