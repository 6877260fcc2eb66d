//! Searches for pages: each session has at most one, and they share a limited number of permits.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use alfil_engine::{SearchEvent, SearchHandle};
use alfil_page::{ClientSession, SearchRequest, SearchSlot, SearchUpdate};
use alfil_session::SessionError;
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore, mpsc};

use crate::external_engines::{self, ExternalEngines, external_search};
use crate::search_tables::TablePlace;

/// The number of events that wait to be sent; a page that reads too slowly misses some.
const MAX_QUEUED_EVENTS: usize = 1024;

type Permit = Result<OwnedSemaphorePermit, AcquireError>;

/// The search slot of a session: its search waits until one of the permits is free.
pub(crate) struct SearchQueue {
    search_permits: Arc<Semaphore>,
    engines: Option<Arc<dyn ExternalEngines>>,
    table_place: TablePlace,
    state: SearchState,
}

enum SearchState {
    /// There is no search.
    Idle,
    /// The search waits for a permit.
    Queued(Pin<Box<dyn Future<Output = Permit> + Send>>),
    /// The search may start.
    Permitted(Permit),
    /// The search is running.
    Running(RunningSearch),
    /// An external engine searches; dropping the receiver stops it.
    External(mpsc::Receiver<SearchEvent>),
}

/// A running search; dropping it stops the search.
struct RunningSearch {
    handle: SearchHandle,
    events: mpsc::Receiver<SearchEvent>,
    _permit: OwnedSemaphorePermit,
}

impl Drop for RunningSearch {
    fn drop(&mut self) {
        self.handle.stop();
    }
}

impl SearchQueue {
    /// Creates the slot of a session; each search takes one of the permits.
    pub(crate) fn new(
        search_permits: Arc<Semaphore>,
        engines: Option<Arc<dyn ExternalEngines>>,
        table_place: TablePlace,
    ) -> SearchQueue {
        SearchQueue { search_permits, engines, table_place, state: SearchState::Idle }
    }

    /// Waits for the next update, forever if there is no search.
    async fn next_update(&mut self) -> SearchUpdate {
        match &mut self.state {
            SearchState::Idle => std::future::pending().await,
            SearchState::Queued(permit) => {
                self.state = SearchState::Permitted(permit.await);
                SearchUpdate::Ready
            }
            SearchState::Permitted(_) => SearchUpdate::Ready,
            SearchState::Running(search) => update_of_event(search.events.recv().await),
            SearchState::External(events) => update_of_event(events.recv().await),
        }
    }
}

/// Returns the update with an event of a search; without one the search has ended.
fn update_of_event(event: Option<SearchEvent>) -> SearchUpdate {
    match event {
        Some(SearchEvent::BestMove(best)) => SearchUpdate::Finished(best),
        Some(info) => SearchUpdate::Event(info),
        None => SearchUpdate::Finished(None),
    }
}

impl SearchSlot for SearchQueue {
    fn queue(&mut self) -> bool {
        // A search that is over or replaced gives its permit back first, one of an external engine when that has
        // stopped. The sessions that wait for one take turns.
        self.state = SearchState::Idle;
        match self.search_permits.clone().try_acquire_owned() {
            Ok(permit) => {
                self.state = SearchState::Permitted(Ok(permit));
                false
            }
            // A closed semaphore is reported when the search starts.
            Err(_) => {
                self.state = SearchState::Queued(Box::pin(self.search_permits.clone().acquire_owned()));
                true
            }
        }
    }

    fn start(&mut self, request: &SearchRequest<'_>) -> Result<(), SessionError> {
        let SearchState::Permitted(permit) = std::mem::replace(&mut self.state, SearchState::Idle) else {
            return Err(SessionError::new("the search has no permit"));
        };
        let permit = permit.map_err(SessionError::from_error)?;
        let (sender, events) = mpsc::channel(MAX_QUEUED_EVENTS);
        if let Some(name) = request.engine {
            let Some(engines) = self.engines.clone() else {
                return Err(SessionError::new(format!("the server has no engine {name:?}")));
            };
            let (name, search) = (name.to_owned(), external_search(request)?);
            tokio::task::spawn_blocking(move || {
                external_engines::run(&engines, &name, &search, sender);
                drop(permit);
            });
            self.state = SearchState::External(events);
            return Ok(());
        }
        let sink = move |event| match event {
            // Search info is dropped if the page reads too slowly.
            SearchEvent::Info { .. } => {
                let _ = sender.try_send(event);
            }
            // The final event must arrive; sending fails only if the search was dropped.
            SearchEvent::Failed(_) | SearchEvent::BestMove(_) => {
                let _ = sender.blocking_send(event);
            }
        };
        self.table_place.on_search();
        let handle = alfil_engine::start_search(request.session, request.limits, Box::new(sink))?;
        self.state = SearchState::Running(RunningSearch { handle, events, _permit: permit });
        Ok(())
    }

    fn stop(&mut self) {
        self.state = SearchState::Idle;
    }
}

/// Returns the next update of the search, or of the clock; waits forever if neither is running.
pub(crate) async fn next_update(session: &mut ClientSession<SearchQueue>) -> SearchUpdate {
    let time_to_timer = session.time_to_timer();
    let flag = async {
        match time_to_timer {
            Some(time) => tokio::time::sleep(time).await,
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        update = session.search_slot().next_update() => update,
        () = flag => SearchUpdate::Timer,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search_tables::SearchTables;

    /// Returns whether the turn of a queued search has come.
    async fn is_ready(queue: &mut SearchQueue) -> bool {
        tokio::time::timeout(std::time::Duration::ZERO, queue.next_update()).await.is_ok()
    }

    #[tokio::test]
    async fn searches_without_a_permit_wait_and_take_turns() {
        let permits = Arc::new(Semaphore::new(1));
        let tables = SearchTables::new(1);
        let mut first = SearchQueue::new(permits.clone(), None, tables.place());
        let mut second = SearchQueue::new(permits, None, tables.place());
        assert!(!first.queue());
        // The first search has its permit before its updates are awaited.
        assert!(second.queue());
        assert!(is_ready(&mut first).await);
        assert!(!is_ready(&mut second).await);
        // The next search of the first session waits for that of the second.
        assert!(first.queue());
        assert!(is_ready(&mut second).await);
        assert!(!is_ready(&mut first).await);
        second.stop();
        assert!(is_ready(&mut first).await);
    }
}
