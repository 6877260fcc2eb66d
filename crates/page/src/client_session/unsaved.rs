//! Changes that the store could not take: they stay in memory, the page says so, and they are saved when that is
//! possible.

use std::time::Duration;

use alfil_session::SessionError;

use super::ClientSession;
use crate::open_game::OpenGame;
use crate::outgoing::OutgoingMessage;
use crate::search_slot::SearchSlot;
use crate::unsaved_games::save_or_copy;
use crate::wire::{ServerEvent, StorageDto};

/// The time between two attempts to save.
const SAVE_INTERVAL: Duration = Duration::from_secs(2);

/// What the page knows of the store.
#[derive(Debug)]
pub(super) struct KnownStorage {
    unsaved: Option<SessionError>,
    /// The generation of the store.
    generation: u64,
}

impl KnownStorage {
    pub(super) fn new(generation: u64) -> KnownStorage {
        KnownStorage { unsaved: None, generation }
    }
}

impl<S: SearchSlot> ClientSession<S> {
    /// Returns the time until the next attempt to save.
    pub(super) fn time_to_save(&self) -> Option<Duration> {
        (self.unsaved.is_some() || !self.unsaved_games.is_empty()).then_some(SAVE_INTERVAL)
    }

    /// Saves what could not be saved before.
    pub(super) fn save_again(&mut self) {
        self.unsaved_games.save(&*self.store, self.client_id, self.host);
        if self.unsaved.is_some() {
            self.save_open_game();
        }
    }

    /// Saves the open game, or notes why that is not possible.
    fn save_open_game(&mut self) {
        let Some(game) = &mut self.game else { return };
        self.unsaved = save_or_copy(&*self.store, game, self.client_id, self.host).err();
        if game.id != self.known_id {
            let out = self.show_game();
            self.pending_messages.extend(out);
        }
    }

    /// Saves the open game in the file with which the store goes on, unless it is there.
    pub(super) fn on_new_file(&mut self) -> Vec<OutgoingMessage> {
        let Some(game) = self.game.as_ref().filter(|game| game.revision > 0 || !game.is_untouched()) else {
            return self.finish(Vec::new());
        };
        let saved = self.store.load(&game.id).ok().filter(|saved| saved.revision >= game.revision);
        match saved.filter(|_| self.unsaved.is_none()) {
            Some(saved) => {
                if let Some(game) = &mut self.game {
                    game.store_generation = saved.store_generation;
                }
                self.reload_game()
            }
            None => {
                self.save_open_game();
                self.finish(Vec::new())
            }
        }
    }

    /// Keeps the open game in memory when it is closed, if it is not saved.
    pub(super) fn keep_unsaved(&mut self) {
        if self.unsaved.is_some() {
            self.save_again();
        }
        if let Some(reason) = self.unsaved.take()
            && let Some(game) = self.game.take()
        {
            self.unsaved_games.keep((game, reason));
        }
    }

    /// Takes a game that is in memory alone, to open it; `None` if it is not.
    pub(super) fn take_unsaved(&mut self, id: &str) -> Option<(OpenGame, SessionError)> {
        match (&self.game, &self.unsaved) {
            (Some(game), Some(_)) if game.id == id => self.game.take().zip(self.unsaved.take()),
            _ => self.unsaved_games.take(id),
        }
    }

    /// Adds what the page has to know of the store.
    pub(super) fn add_storage(&mut self, out: &mut Vec<OutgoingMessage>) {
        let generation = self.store.generation();
        let is_new_file = generation != self.known_storage.generation;
        let is_other = self.unsaved != self.known_storage.unsaved;
        if !is_new_file && !is_other {
            return;
        }
        self.known_storage = KnownStorage { unsaved: self.unsaved.clone(), generation };
        let notice = || self.store.notice().filter(|_| is_new_file);
        let text = self.unsaved.clone().or_else(notice);
        let (text, text_zh) = text.map(|error| (error.message, error.message_zh)).unzip();
        let event = StorageDto { unsaved: self.unsaved.is_some(), text, text_zh: text_zh.flatten() };
        out.push(OutgoingMessage::Event(ServerEvent::Storage(event)));
    }
}
