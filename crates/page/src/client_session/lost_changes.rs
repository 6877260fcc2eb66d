//! Sessions whose store keeps the games elsewhere: it may lose what was saved last, and a page may begin before it.

use alfil_session::SessionError;

use super::ClientSession;
use crate::outgoing::OutgoingMessage;
use crate::search_slot::SearchSlot;

impl<S: SearchSlot> ClientSession<S> {
    /// Returns the id and the revision of the open game.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use alfil_page::conformance::GROWING_HOST as HOST;
    /// use alfil_page::{ClientSession, MemoryStore, PageEnvironment};
    /// # use alfil_page::{SearchRequest, SearchSlot};
    /// # use alfil_session::SessionError;
    /// # struct NoSearches;
    /// # impl SearchSlot for NoSearches {
    /// #     fn queue(&mut self) -> bool { false }
    /// #     fn start(&mut self, _: &SearchRequest<'_>) -> Result<(), SessionError> { Ok(()) }
    /// #     fn stop(&mut self) {}
    /// # }
    ///
    /// let environment = PageEnvironment::new(HOST, Arc::new(MemoryStore::new(HOST)));
    /// let mut session = ClientSession::new(1, environment, NoSearches);
    /// assert!(session.open_game_revision().is_none());
    /// session.on_text(r#"{"id":1,"do":"new","game":"chess"}"#);
    /// // A game is saved when there is something to save.
    /// assert_eq!(session.open_game_revision().unwrap().1, 0);
    /// session.on_text(r#"{"id":2,"do":"play","text":"e2e4"}"#);
    /// assert_eq!(session.open_game_revision().unwrap().1, 1);
    /// ```
    pub fn open_game_revision(&self) -> Option<(&str, i64)> {
        self.game.as_ref().map(|game| (game.id.as_str(), game.revision))
    }

    /// Gives the open game, which was not saved yet, the id under which the page shows it already.
    pub fn name_new_game(&mut self, id: &str) {
        if let Some(game) = self.game.as_mut().filter(|game| game.revision == 0) {
            game.assign_id(id.to_owned());
            id.clone_into(&mut self.known_id);
        }
    }

    /// Handles the failure of a store that keeps games elsewhere and has lost what the request `id` saved: the page
    /// gets the error and the game as it was saved before.
    pub fn on_lost_changes(&mut self, id: u64, error: SessionError) -> Vec<OutgoingMessage> {
        // An import cannot go on without its first games.
        self.import = None;
        let saved_game = self.game.as_ref().and_then(|game| self.store.load(&game.id).ok());
        let mut out = match saved_game {
            Some(saved_game) => self.replace_game(saved_game),
            None => {
                if let Some(game) = &mut self.game {
                    game.revision = 0;
                }
                self.show_game()
            }
        };
        out.push(OutgoingMessage::error(id, error));
        self.finish(out)
    }
}
