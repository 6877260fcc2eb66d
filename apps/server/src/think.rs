//! Who is thinking for a page, and what for: one thought at a time, in a queue with everybody else's.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use alfil_hall::{Desk, DeskError, Job, Limits, Thought};
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore, mpsc};

/// How many thoughts may wait to be sent; a page that reads more slowly misses some.
const WAITING: usize = 1024;

/// What a thought is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
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
pub(crate) enum Heard {
    /// It may begin.
    Turn(Result<OwnedSemaphorePermit, AcquireError>),
    /// A finding.
    Info(Thought),
    /// The end, and the move it came to.
    Best(Option<String>),
    /// Somebody's time may be over.
    Flag,
}

type Turn = Pin<Box<dyn Future<Output = Result<OwnedSemaphorePermit, AcquireError>> + Send>>;

/// A question that is thought about.
pub(crate) struct Question {
    /// Whose answer it will be.
    pub(crate) id: u64,
    /// What for.
    pub(crate) purpose: Purpose,
    /// How long.
    pub(crate) limits: Limits,
    /// The move after which it was asked.
    pub(crate) node: usize,
    state: State,
}

enum State {
    /// Others are thinking.
    Queued(Turn),
    /// It has its turn.
    Thinking { job: Job, heard: mpsc::Receiver<Thought>, _permit: OwnedSemaphorePermit },
}

impl Drop for Question {
    fn drop(&mut self) {
        if let State::Thinking { job, .. } = &self.state {
            job.stop();
        }
    }
}

impl Question {
    /// A question in the queue of all thinkers.
    pub(crate) fn new(
        id: u64,
        purpose: Purpose,
        limits: Limits,
        node: usize,
        thinkers: &Arc<Semaphore>,
    ) -> Question {
        let turn = Box::pin(thinkers.clone().acquire_owned());
        Question { id, purpose, limits, node, state: State::Queued(turn) }
    }

    /// Begins to think about what stands on the desk.
    ///
    /// # Errors
    /// If a move that the limits name is not legal.
    pub(crate) fn begin(&mut self, desk: &dyn Desk, permit: OwnedSemaphorePermit) -> Result<(), DeskError> {
        let (sender, heard) = mpsc::channel(WAITING);
        let sink = move |thought| match thought {
            // Where the page cannot keep up, the thinker does not wait for it.
            Thought::Info { .. } => {
                let _ = sender.try_send(thought);
            }
            // The last words must arrive; if nobody listens any more, the table has moved on.
            Thought::Failed(_) | Thought::Best(_) => {
                let _ = sender.blocking_send(thought);
            }
        };
        let job = desk.think(&self.limits, Box::new(sink))?;
        self.state = State::Thinking { job, heard, _permit: permit };
        Ok(())
    }

    /// The next thing that happens to it.
    pub(crate) async fn hear(&mut self) -> Heard {
        match &mut self.state {
            State::Queued(turn) => Heard::Turn(turn.await),
            State::Thinking { heard, .. } => match heard.recv().await {
                Some(Thought::Best(best)) => Heard::Best(best),
                Some(info) => Heard::Info(info),
                None => Heard::Best(None),
            },
        }
    }
}
