//! The named openings of the games: each list is made once and shared.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use alfil_records::{GameIndex, OpeningNames, TextGame};

use crate::registry;

/// The named openings of the games of the program, each list made when it is first needed. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct OpeningNamesCache {
    lists: Arc<Mutex<HashMap<String, Arc<OpeningNames>>>>,
}

impl OpeningNamesCache {
    /// Returns the named openings of a game; none if there is no such game.
    pub fn names_of(&self, game: &str) -> Arc<OpeningNames> {
        let mut lists = self.lists.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(names) = lists.get(game) {
            return Arc::clone(names);
        }
        let names = Arc::new(registry::opening_names(game).unwrap_or_default());
        lists.insert(game.to_owned(), Arc::clone(&names));
        names
    }

    /// Returns the opening, number of plies, final position and position keys of a game, for the library; `None` if
    /// there is no such game, or its start position cannot be read.
    pub fn index_of(&self, game: &TextGame) -> Option<GameIndex> {
        let entry = registry::GAMES.iter().find(|entry| entry.info.name() == game.game)?;
        entry.records.index_of(&self.names_of(&game.game), game)
    }

    /// Adds the tag `Opening`, and in chess `ECO`, by the last named opening on the main line. A game that has an
    /// `Opening` is unchanged; an `ECO` is never replaced.
    ///
    /// ```
    /// use alfil_session::{OpeningNamesCache, registry};
    ///
    /// let games = registry::read_games(b"1. e4 c5 *", Some("chess"))?;
    /// let mut game = games[0].clone().unwrap();
    /// OpeningNamesCache::default().complete_tags(&mut game);
    /// assert_eq!(game.tags.first_value(&["ECO"]), Some("B20"));
    /// assert_eq!(game.tags.first_value(&["Opening"]), Some("Sicilian Defense"));
    /// # Ok::<(), alfil_session::SessionError>(())
    /// ```
    pub fn complete_tags(&self, game: &mut TextGame) {
        let Some(entry) = registry::GAMES.iter().find(|entry| entry.info.name() == game.game) else { return };
        if game.tags.first_value(&["Opening"]).is_some() {
            return;
        }
        if let Some(opening) = entry.records.opening_of(&self.names_of(&game.game), game) {
            opening.complete_tags(&mut game.tags);
        }
    }
}
