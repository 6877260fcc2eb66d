//! The memory of searches: a session keeps its transposition table for its next search, as long as not too many do.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// The sessions with tables, in the order of their last searches.
#[derive(Clone, Debug)]
pub(crate) struct SearchTables {
    max: usize,
    sessions: Arc<Mutex<VecDeque<Arc<Notify>>>>,
}

impl SearchTables {
    /// At most `max` sessions keep their tables.
    pub(crate) fn new(max: usize) -> SearchTables {
        SearchTables { max, sessions: Arc::default() }
    }

    /// Returns the place of a session, which has no table yet.
    pub(crate) fn place(&self) -> TablePlace {
        TablePlace { tables: self.clone(), bell: Arc::default() }
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Arc<Notify>>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The place of a session among those with tables.
#[derive(Debug)]
pub(crate) struct TablePlace {
    tables: SearchTables,
    bell: Arc<Notify>,
}

impl TablePlace {
    /// Notes that a search of the session starts. If there are too many tables, the session whose last search is the
    /// longest ago is woken.
    pub(crate) fn on_search(&self) {
        let mut sessions = self.tables.lock();
        self.leave(&mut sessions);
        sessions.push_back(self.bell.clone());
        if sessions.len() > self.tables.max
            && let Some(oldest) = sessions.pop_front()
        {
            oldest.notify_one();
        }
    }

    /// Returns what wakes the session when it has to drop its tables.
    pub(crate) fn bell(&self) -> Arc<Notify> {
        self.bell.clone()
    }

    fn leave(&self, sessions: &mut VecDeque<Arc<Notify>>) {
        sessions.retain(|bell| !Arc::ptr_eq(bell, &self.bell));
    }
}

impl Drop for TablePlace {
    fn drop(&mut self) {
        self.leave(&mut self.tables.lock());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_session_that_has_not_searched_for_the_longest_time_drops_its_table() {
        let tables = SearchTables::new(2);
        let places = [(); 4].map(|()| tables.place());
        // The third search belongs to the session of the first.
        for index in [0, 1, 0, 2] {
            places[index].on_search();
        }
        let mut woken = Vec::new();
        for (index, place) in places.iter().enumerate() {
            if tokio::time::timeout(std::time::Duration::ZERO, place.bell().notified()).await.is_ok() {
                woken.push(index);
            }
        }
        assert_eq!(woken, [1]);
        drop(places);
        assert!(tables.lock().is_empty());
    }
}
