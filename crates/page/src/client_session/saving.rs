//! Saving of the open game, and what the page gets if another window has saved it.

use super::ClientSession;
use crate::game_store::{SaveError, SavedDate};
use crate::request_error::RequestError;
use crate::search_slot::SearchSlot;

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
        let saved = store.save(game, client_id, date).or_else(|save_error| match save_error {
            SaveError::Deleted => {
                game.assign_id(new_id);
                store.save(game, client_id, date)
            }
            other => Err(other),
        });
        self.after_save(saved, flag_fell)
    }

    /// Saves the scores of a search, unless the game was deleted.
    pub(super) fn save_findings(&mut self) -> Result<(), RequestError> {
        let (client_id, store, now) = (self.client_id, self.store.clone(), self.host.now());
        let game = self.open_game()?;
        if game.revision == 0 {
            return Ok(());
        }
        let flag_fell = game.played.take_flag_fall(now);
        let saved = match store.save(game, client_id, SavedDate::Kept) {
            Err(SaveError::Deleted) => Ok(()),
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
            if flag_fell {
                let out = self.show_game();
                self.pending_messages.extend(out);
            }
            return Ok(());
        };
        let saved_game = self.game.as_ref().and_then(|game| self.store.load(&game.id).ok());
        let out = match saved_game {
            Some(saved_game) => self.replace_game(saved_game),
            None => self.show_game(),
        };
        self.pending_messages.extend(out);
        Err(match save_error {
            SaveError::Storage(error) => error.into(),
            SaveError::Conflict | SaveError::Deleted => RequestError::changed(),
        })
    }
}
