//! Which sessions have which game open: a save wakes those of its game alone.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// The sessions by the game that they have open.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watchers(Arc<Mutex<WatchedGames>>);

#[derive(Debug, Default)]
struct WatchedGames {
    /// The number of saves.
    save_count: u64,
    /// All clients.
    bells: HashMap<u64, Arc<Bell>>,
    /// The clients by the id of the game.
    by_game: HashMap<String, Vec<u64>>,
}

/// What wakes a session.
#[derive(Debug, Default)]
struct Bell {
    notify: Notify,
    is_new_file: AtomicBool,
}

/// What has happened to the games of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StoreChange {
    /// Another client has saved the open game.
    Saved,
    /// The store goes on with another file.
    NewFile,
}

impl Watchers {
    /// Wakes the other clients that have a game open which a client has saved.
    pub(crate) fn on_saved(&self, id: &str, saved_by: u64) {
        let mut games = self.lock();
        games.save_count += 1;
        let others = games.by_game.get(id).into_iter().flatten().filter(|client| **client != saved_by);
        for bell in others.filter_map(|client| games.bells.get(client)) {
            bell.notify.notify_one();
        }
    }

    /// Wakes all clients: the store goes on with another file.
    pub(crate) fn on_new_file(&self) {
        for bell in self.lock().bells.values() {
            bell.is_new_file.store(true, Relaxed);
            bell.notify.notify_one();
        }
    }

    /// Returns the watch of a client, which has no game open yet.
    pub(crate) fn watch(&self, client: u64) -> Watch {
        let bell = Arc::<Bell>::default();
        self.lock().bells.insert(client, bell.clone());
        Watch { watchers: self.clone(), client, game: None, bell }
    }

    fn lock(&self) -> MutexGuard<'_, WatchedGames> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The watch of a client over the game that it has open.
#[derive(Debug)]
pub(crate) struct Watch {
    watchers: Watchers,
    client: u64,
    game: Option<String>,
    bell: Arc<Bell>,
}

impl Watch {
    /// Returns the number of saves of all games.
    pub(crate) fn save_count(&self) -> u64 {
        self.watchers.lock().save_count
    }

    /// Watches the game that the client has open after a request, before which there were `save_count` saves. If there
    /// are more by now, the client is woken: its game may have been saved after it was read.
    pub(crate) fn follow(&mut self, id: Option<&str>, save_count: u64) {
        if self.game.as_deref() == id {
            return;
        }
        let mut games = self.watchers.lock();
        self.leave(&mut games);
        self.game = id.map(str::to_owned);
        if let Some(id) = id {
            games.by_game.entry(id.to_owned()).or_default().push(self.client);
            if games.save_count != save_count {
                self.bell.notify.notify_one();
            }
        }
    }

    /// Waits until another client has saved the game, or there is another file.
    pub(crate) async fn changed(&self) -> StoreChange {
        self.bell.notify.notified().await;
        if self.bell.is_new_file.swap(false, Relaxed) { StoreChange::NewFile } else { StoreChange::Saved }
    }

    fn leave(&self, games: &mut WatchedGames) {
        let Some(id) = &self.game else { return };
        if let Some(clients) = games.by_game.get_mut(id) {
            clients.retain(|client| *client != self.client);
            if clients.is_empty() {
                games.by_game.remove(id);
            }
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let mut games = self.watchers.lock();
        self.leave(&mut games);
        games.bells.remove(&self.client);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Returns whether a client was woken.
    async fn is_woken(watch: &Watch) -> bool {
        tokio::time::timeout(Duration::ZERO, watch.changed()).await.is_ok()
    }

    /// Returns the clients that were woken.
    async fn woken(watches: &[Watch]) -> Vec<u64> {
        let mut clients = Vec::new();
        for watch in watches {
            if is_woken(watch).await {
                clients.push(watch.client);
            }
        }
        clients
    }

    #[tokio::test]
    async fn a_save_wakes_the_other_sessions_of_its_game_and_none_of_199_others() {
        let watchers = Watchers::default();
        let mut watches: Vec<_> = (0..202).map(|client| watchers.watch(client)).collect();
        for (index, watch) in watches.iter_mut().enumerate() {
            // The first three have one game open, the others a game each.
            watch.follow(Some(&format!("game {}", index.saturating_sub(2))), 0);
        }
        watchers.on_saved("game 0", 1);
        assert_eq!(woken(&watches).await, [0, 2]);
        watchers.on_saved("game 7", 9);
        assert_eq!(woken(&watches).await, [] as [u64; 0]);
    }

    #[tokio::test]
    async fn a_save_between_the_reading_of_a_game_and_its_watch_is_not_missed() {
        let watchers = Watchers::default();
        let mut watch = watchers.watch(1);
        let count = watch.save_count();
        watchers.on_saved("game", 2);
        watch.follow(Some("game"), count);
        assert!(is_woken(&watch).await);
        assert!(!is_woken(&watch).await);
    }

    #[tokio::test]
    async fn a_game_that_was_left_wakes_no_session() {
        let watchers = Watchers::default();
        let mut watch = watchers.watch(1);
        watch.follow(Some("game"), 0);
        watch.follow(None, 0);
        watchers.on_saved("game", 2);
        assert!(!is_woken(&watch).await);
        watch.follow(Some("game"), watch.save_count());
        watchers.on_new_file();
        assert_eq!(watch.changed().await, StoreChange::NewFile);
        drop(watch);
        let games = watchers.lock();
        assert!(games.by_game.is_empty() && games.bells.is_empty());
    }
}
