//! Who is thinking for a page, and what for: one thought at a time, in a queue with everybody else's.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use alfil_engine::{SearchEvent, SearchHandle};
use alfil_session::{GameSession, SearchLimits, SessionError};
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore, mpsc};

/// How many thoughts may wait to be sent; a page that reads more slowly misses some.
const MAX_QUEUED_EVENTS: usize = 1024;

/// What a thought is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchPurpose {
    /// The computer's move.
    Reply,
    /// A move for the person.
    Hint,
    /// Lines for the page.
    Analysis,
    /// A value for one position of the game.
    Review,
}

/// What comes from whoever thinks.
pub(crate) enum SearchUpdate {
    /// It may begin.
    Ready(Result<OwnedSemaphorePermit, AcquireError>),
    /// A finding.
    Event(SearchEvent),
    /// The end, and the move it came to.
    Finished(Option<String>),
    /// Somebody's time may be over.
    FlagTimer,
}

type PermitFuture = Pin<Box<dyn Future<Output = Result<OwnedSemaphorePermit, AcquireError>> + Send>>;

/// A question that is thought about.
pub(crate) struct QueuedSearch {
    /// Whose answer it will be.
    pub(crate) id: u64,
    /// What for.
    pub(crate) purpose: SearchPurpose,
    /// How long.
    pub(crate) limits: SearchLimits,
    /// The move after which it was asked.
    pub(crate) node: usize,
    state: SearchState,
}

enum SearchState {
    /// Others are thinking.
    Queued(PermitFuture),
    /// It has its turn.
    Running { handle: SearchHandle, events: mpsc::Receiver<SearchEvent>, _permit: OwnedSemaphorePermit },
}

impl Drop for QueuedSearch {
    fn drop(&mut self) {
        if let SearchState::Running { handle: job, .. } = &self.state {
            job.stop();
        }
    }
}

impl QueuedSearch {
    /// A question in the queue of all thinkers.
    pub(crate) fn new(
        id: u64,
        purpose: SearchPurpose,
        limits: SearchLimits,
        node: usize,
        thinkers: &Arc<Semaphore>,
    ) -> QueuedSearch {
        let turn = Box::pin(thinkers.clone().acquire_owned());
        QueuedSearch { id, purpose, limits, node, state: SearchState::Queued(turn) }
    }

    /// Begins to think about what stands on the desk.
    ///
    /// # Errors
    /// If a move that the limits name is not legal.
    pub(crate) fn start(
        &mut self,
        desk: &dyn GameSession,
        permit: OwnedSemaphorePermit,
    ) -> Result<(), SessionError> {
        let (sender, heard) = mpsc::channel(MAX_QUEUED_EVENTS);
        let sink = move |thought| match thought {
            // Where the page cannot keep up, the thinker does not wait for it.
            SearchEvent::Info { .. } => {
                let _ = sender.try_send(thought);
            }
            // The last words must arrive; if nobody listens any more, the table has moved on.
            SearchEvent::Failed(_) | SearchEvent::BestMove(_) => {
                let _ = sender.blocking_send(thought);
            }
        };
        let job = alfil_engine::start_search(desk, &self.limits, Box::new(sink))?;
        self.state = SearchState::Running { handle: job, events: heard, _permit: permit };
        Ok(())
    }

    /// The next thing that happens to it.
    pub(crate) async fn next_update(&mut self) -> SearchUpdate {
        match &mut self.state {
            SearchState::Queued(turn) => SearchUpdate::Ready(turn.await),
            SearchState::Running { events: heard, .. } => match heard.recv().await {
                Some(SearchEvent::BestMove(best)) => SearchUpdate::Finished(best),
                Some(info) => SearchUpdate::Event(info),
                None => SearchUpdate::Finished(None),
            },
        }
    }
}
