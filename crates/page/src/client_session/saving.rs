//! Saving of the open game, and what the page gets if another window has saved it.

use alfil_session::played_game::ROOT;

use super::ClientSession;
use super::repeated_edits::FormerState;
use crate::game_store::{SaveError, SavedChange, SavedDate};
use crate::open_game::OpenGame;
use crate::outgoing::OutgoingMessage;
use crate::request_error::RequestError;
use crate::search_slot::SearchSlot;
use crate::wire::{Response, ServerEvent};

/// The number of replacements of which the page may not know yet.
const MAX_FORMER_STATES: usize = 4;

impl<S: SearchSlot> ClientSession<S> {
    /// Saves the game, unless it is untouched. A deleted game is saved with a new id. After a conflict the game that
    /// another window has saved replaces this one; after any error the page gets the current game.
    pub(super) fn save_game(&mut self) -> Result<(), RequestError> {
        self.save_with_date(SavedDate::Now)
    }

    pub(super) fn save_with_date(&mut self, date: SavedDate) -> Result<(), RequestError> {
        let new_id = self.host.new_id();
        let (client_id, store, now) = (self.client_id, self.store.clone(), self.host.now());
        let game = self.open_game()?;
        if game.revision == 0 && game.is_untouched() {
            return Ok(());
        }
        let flag_fell = game.played.take_flag_fall(now);
        self.claim_reply();
        let was_unsaved = self.unsaved.is_some();
        let game = self.open_game()?;
        let saved = store.save(game, client_id, date).or_else(|save_error| match save_error {
            // What is in memory alone is not given up for what another window has saved: both are kept.
            SaveError::Conflict if !was_unsaved => Err(save_error),
            SaveError::Deleted | SaveError::Conflict => {
                game.assign_id(new_id);
                store.save(game, client_id, date)
            }
            SaveError::Storage(_) => Err(save_error),
        });
        self.after_save(saved, flag_fell)
    }

    /// Saves the scores of a search, unless the game was deleted.
    pub(super) fn save_analysis(&mut self) -> Result<(), RequestError> {
        let (client_id, store, now) = (self.client_id, self.store.clone(), self.host.now());
        let game = self.open_game()?;
        if game.revision == 0 {
            return Ok(());
        }
        let flag_fell = game.played.take_flag_fall(now);
        let saved = match store.save(game, client_id, SavedDate::Kept) {
            Err(SaveError::Deleted) => Ok(()),
            // No person has made this change: nothing is refused.
            Err(SaveError::Storage(error)) => {
                self.unsaved = Some(error);
                return Ok(());
            }
            saved => saved,
        };
        self.after_save(saved, flag_fell)
    }

    /// Sends the game to the page if it differs from what the page knows.
    pub(super) fn after_save(
        &mut self,
        saved: Result<(), SaveError>,
        flag_fell: bool,
    ) -> Result<(), RequestError> {
        let Err(save_error) = saved else {
            self.unsaved = None;
            if flag_fell {
                let out = self.show_game();
                self.pending_messages.extend(out);
            }
            return Ok(());
        };
        if let SaveError::Storage(error) = save_error {
            // The page shows what is in memory, and says that it is not saved.
            let refusal = RequestError::not_saved(&error);
            self.unsaved = Some(error);
            let out = self.show_game();
            self.pending_messages.extend(out);
            return Err(refusal);
        }
        let saved_game = self.game.as_ref().and_then(|game| self.store.load(&game.id).ok());
        let out = match saved_game {
            Some(saved_game) => self.replace_game(saved_game),
            None => self.show_game(),
        };
        self.pending_messages.extend(out);
        Err(RequestError::changed())
    }

    /// Handles a saved change: if another window has saved the open game, the page gets it.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use alfil_page::conformance::GROWING_HOST as HOST;
    /// use alfil_page::{ClientSession, MemoryStore, PageEnvironment, SavedChange};
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
    /// let [mut one, mut other] = [1, 2].map(|client| ClientSession::new(client, environment.clone(), NoSearches));
    /// one.on_text(r#"{"id":1,"do":"new","game":"chess","moves":["e2e4"]}"#);
    /// let id = one.open_game_revision().unwrap().0.to_owned();
    /// one.on_text(r#"{"id":2,"do":"play","text":"e7e5"}"#);
    /// other.on_text(&format!(r#"{{"id":1,"do":"open","game":"{id}"}}"#));
    /// other.on_text(r#"{"id":2,"do":"play","text":"g1f3"}"#);
    /// let event = one.on_saved_change(&SavedChange { id, saved_by: 2 });
    /// assert_eq!(serde_json::to_value(&event[0]).unwrap()["event"], "changed");
    /// ```
    pub fn on_saved_change(&mut self, change: &SavedChange) -> Vec<OutgoingMessage> {
        if change.is_of_all_games() {
            return self.on_new_file();
        }
        let is_open = self.game.as_ref().is_some_and(|game| game.id == change.id);
        if change.saved_by == self.client_id || !is_open { Vec::new() } else { self.reload_game() }
    }

    /// Sends the saved game if it is newer than the open one; of one that differs in scores and reviews alone only
    /// these, while searches go on.
    pub fn reload_game(&mut self) -> Vec<OutgoingMessage> {
        let out = self.load_newer_game();
        self.finish(out)
    }

    fn load_newer_game(&mut self) -> Vec<OutgoingMessage> {
        if self.unsaved.is_some() {
            self.save_again();
            return Vec::new();
        }
        let Some(game) = &mut self.game else { return Vec::new() };
        let Ok(mut saved_game) = self.store.load(&game.id) else { return Vec::new() };
        if saved_game.revision == game.revision {
            Vec::new()
        } else if game.take_over_analysis(&mut saved_game) {
            self.show_analysis().unwrap_or_default()
        } else {
            self.replace_game(saved_game)
        }
    }

    /// Sends the changed nodes and the review to the page.
    fn show_analysis(&mut self) -> Result<Vec<OutgoingMessage>, RequestError> {
        let (nodes, _) = self.open_game()?.take_unsent_nodes()?;
        let response = self.with_review(Response { nodes: Some(nodes), ..Response::default() })?;
        Ok(vec![OutgoingMessage::Event(ServerEvent::Changed(Box::new(response)))])
    }

    /// Replaces the open game by the saved one. A page at the end of the main line moves to the new end; another
    /// position is kept, if it still exists.
    pub(super) fn replace_game(&mut self, mut saved_game: OpenGame) -> Vec<OutgoingMessage> {
        if let Some(game) = &mut self.game {
            saved_game.played.take_over_edits(&mut game.played);
            self.former_states.truncate(MAX_FORMER_STATES - 1);
            self.former_states.insert(0, FormerState::new(self.reloads, game));
            let (old_tree, at) = (game.tree(), game.played.current_node());
            if old_tree.line_end(ROOT) != at {
                // Loaded trees are validated, so the node can be reached.
                let node = saved_game.tree().corresponding_node(old_tree, at);
                let _ = saved_game.played.go_to(node);
            }
        }
        // The search of the former game ends: the computer's clock does not run without one.
        saved_game.played.update_clock(false, self.host.now());
        self.game = Some(saved_game);
        self.reloads += 1;
        self.apply_resources();
        self.show_game()
    }

    /// Sends the game to the page and stops the search.
    pub(super) fn show_game(&mut self) -> Vec<OutgoingMessage> {
        let mut out: Vec<_> = self.stop_search().into_iter().collect();
        if let Ok(response) = self.full_response() {
            out.push(OutgoingMessage::Event(ServerEvent::Changed(Box::new(response))));
        }
        out
    }
}
