//! Searches for pages: each session has at most one, and they share a limited number of permits.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use alfil_engine::{SearchEvent, SearchHandle};
use alfil_session::{GameSession, SearchLimits, SessionError};
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore, mpsc};

/// The number of events that wait to be sent; a page that reads too slowly misses some.
const MAX_QUEUED_EVENTS: usize = 1024;

/// The purpose of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchPurpose {
    /// The computer's move.
    Reply,
    /// A hint for the person.
    Hint,
    /// The lines of an analysis.
    Analysis,
    /// The score of a position in a game review.
    Review,
}

/// An update of a queued or running search.
pub(crate) enum SearchUpdate {
    /// The search may start.
    Ready(Result<OwnedSemaphorePermit, AcquireError>),
    /// Search info.
    Event(SearchEvent),
    /// The end of the search, with the best move.
    Finished(Option<String>),
    /// A flag may have fallen.
    FlagTimer,
}

type PermitFuture = Pin<Box<dyn Future<Output = Result<OwnedSemaphorePermit, AcquireError>> + Send>>;

/// A search that is queued or running; dropping it stops the search.
pub(crate) struct QueuedSearch {
    /// The id of the request.
    pub(crate) id: u64,
    /// The purpose of the search.
    pub(crate) purpose: SearchPurpose,
    /// The limits of the search.
    pub(crate) limits: SearchLimits,
    /// The node of the position to search.
    pub(crate) node: usize,
    state: SearchState,
}

enum SearchState {
    /// The search waits for a permit.
    Queued(PermitFuture),
    /// The search is running.
    Running { handle: SearchHandle, events: mpsc::Receiver<SearchEvent>, _permit: OwnedSemaphorePermit },
}

impl Drop for QueuedSearch {
    fn drop(&mut self) {
        if let SearchState::Running { handle, .. } = &self.state {
            handle.stop();
        }
    }
}

impl QueuedSearch {
    /// Queues a search.
    pub(crate) fn new(
        id: u64,
        purpose: SearchPurpose,
        limits: SearchLimits,
        node: usize,
        search_permits: &Arc<Semaphore>,
    ) -> QueuedSearch {
        let permit_future = Box::pin(search_permits.clone().acquire_owned());
        QueuedSearch { id, purpose, limits, node, state: SearchState::Queued(permit_future) }
    }

    /// Starts the search in the session's position.
    ///
    /// # Errors
    /// If a move of the limits is illegal.
    pub(crate) fn start(
        &mut self,
        session: &dyn GameSession,
        permit: OwnedSemaphorePermit,
    ) -> Result<(), SessionError> {
        let (sender, events) = mpsc::channel(MAX_QUEUED_EVENTS);
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
        let handle = alfil_engine::start_search(session, &self.limits, Box::new(sink))?;
        self.state = SearchState::Running { handle, events, _permit: permit };
        Ok(())
    }

    /// Waits for the next update.
    pub(crate) async fn next_update(&mut self) -> SearchUpdate {
        match &mut self.state {
            SearchState::Queued(permit_future) => SearchUpdate::Ready(permit_future.await),
            SearchState::Running { events, .. } => match events.recv().await {
                Some(SearchEvent::BestMove(best)) => SearchUpdate::Finished(best),
                Some(info) => SearchUpdate::Event(info),
                None => SearchUpdate::Finished(None),
            },
        }
    }
}
