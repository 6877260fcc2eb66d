//! Runs searches, perft and solver of a session on threads of the operating system.

use std::sync::{Arc, Mutex, mpsc};

use alfil_session::{
    CurrentThread, GameSession, PerftRequest, SearchLimits, SearchOutcome, SearchReport, SessionError,
    Solution, SolveRequest,
};

use crate::threads::{self, SystemThreads};
use crate::time_manager::{LimitControl, SearchHost, StopSignal};

/// What a search sends while it runs.
///
/// ```
/// use std::sync::mpsc;
///
/// use alfil_engine::{SearchEvent, start_search};
/// use alfil_session::{SearchLimits, registry};
///
/// let session = registry::open("xiangqi", None)?;
/// let limits = SearchLimits { depth: Some(4), ..SearchLimits::default() };
/// let (sender, events) = mpsc::channel();
/// start_search(&*session, &limits, Box::new(move |event| sender.send(event).unwrap()))?;
/// let mut depths = Vec::new();
/// for event in events {
///     match event {
///         SearchEvent::Info { report, .. } => depths.push(report.depth),
///         SearchEvent::Failed(reason) => panic!("the search has failed: {reason}"),
///         SearchEvent::BestMove(best) => assert!(best.is_some()),
///     }
/// }
/// assert_eq!(depths, [1, 2, 3, 4]);
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum SearchEvent {
    /// The report of an iteration.
    Info {
        /// What the search has found.
        report: SearchReport,
        /// The time since the start, in seconds.
        seconds: f64,
    },
    /// The search ended early because of this internal error, in one line. A legal move follows all the same. From an
    /// external engine: the notice that it has failed or resigns; no move follows.
    Failed(String),
    /// The search is over: the move to play, in the default dialect, if there is one.
    BestMove(Option<String>),
}

/// Observes the search of a player of a match, or of an external engine.
///
/// ```
/// use alfil_engine::{SearchEvent, SearchObserver};
///
/// /// Keeps the last score, and ends the search when it is high enough.
/// #[derive(Default)]
/// struct UntilWon(Option<i32>);
/// impl SearchObserver for UntilWon {
///     fn on_info(&mut self, info: SearchEvent) {
///         if let SearchEvent::Info { report, .. } = info {
///             self.0 = Some(report.score);
///         }
///     }
///     fn is_stopped(&self) -> bool {
///         self.0.is_some_and(|score| score > 500)
///     }
/// }
///
/// let mut observer = UntilWon::default();
/// let report = alfil_session::SearchReport { score: 900, ..Default::default() };
/// observer.on_info(SearchEvent::Info { report, seconds: 0.1 });
/// assert!(observer.is_stopped());
/// ```
pub trait SearchObserver {
    /// Receives a report about a line: an event of the kind `Info`.
    fn on_info(&mut self, info: SearchEvent);

    /// Returns whether the search shall end with a move at once.
    fn is_stopped(&self) -> bool;
}

/// Receives the events of a search, on the thread of the search.
pub type EventSink = Box<dyn FnMut(SearchEvent) + Send>;

/// A running search: any thread can stop it or wait for it.
///
/// ```
/// use std::sync::mpsc;
///
/// use alfil_engine::{SearchEvent, start_search};
/// use alfil_session::{SearchLimits, registry};
///
/// let session = registry::open("chess", None)?;
/// let (sender, events) = mpsc::channel();
/// let sink = Box::new(move |event| sender.send(event).unwrap());
/// // Without a limit, only a request ends the search.
/// let handle = start_search(&*session, &SearchLimits::default(), sink)?;
/// handle.stop();
/// handle.join();
/// assert!(matches!(events.iter().last(), Some(SearchEvent::BestMove(Some(_)))));
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SearchHandle {
    signal: Arc<StopSignal>,
    done: Arc<Mutex<mpsc::Receiver<()>>>,
}

impl SearchHandle {
    /// Requests the end of the search; its last event still comes.
    pub fn stop(&self) {
        self.signal.stop();
    }

    /// The pondered move was played: the own time of the search starts.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use alfil_engine::start_search;
    /// use alfil_session::{SearchLimits, TimeBudget, registry};
    ///
    /// let mut session = registry::open("chess", None)?;
    /// for mv in ["e2e4", "e7e5"] {
    ///     // The reply that the engine expects.
    ///     session.play(mv, None)?;
    /// }
    /// let time_budget = Some(TimeBudget::exact(Duration::from_millis(10)));
    /// let limits = SearchLimits { ponder: true, time_budget, ..SearchLimits::default() };
    /// let handle = start_search(&*session, &limits, Box::new(|_| ()))?;
    /// // The opponent has played it: from now on the search takes its own time.
    /// handle.ponder_hit();
    /// handle.join();
    /// # Ok::<(), alfil_session::SessionError>(())
    /// ```
    pub fn ponder_hit(&self) {
        self.signal.ponder_hit();
    }

    /// Waits until the last event has been sent.
    pub fn join(&self) {
        // The search thread drops its sender when it ends, also by a panic. A second call finds it dropped already.
        if let Ok(done) = self.done.lock() {
            let _ = done.recv();
        }
    }
}

/// Starts a search of the session's position on a thread of its own, with helpers as the session's resources say, and
/// returns at once.
///
/// ```
/// use alfil_engine::start_search;
/// use alfil_session::{SearchLimits, registry};
///
/// let session = registry::open("chess", None)?;
/// let limits = SearchLimits { search_moves: vec!["e2e5".into()], ..SearchLimits::default() };
/// let error = start_search(&*session, &limits, Box::new(|_| ())).unwrap_err();
/// assert!(error.to_string().contains("e2e5"), "{error}");
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
///
/// # Errors
/// Returns an error if a move that the limits name is not legal, or the system gives no thread.
pub fn start_search(
    session: &dyn GameSession,
    limits: &SearchLimits,
    mut sink: EventSink,
) -> Result<SearchHandle, SessionError> {
    let task = session.search_task(limits)?;
    let signal = Arc::new(StopSignal::new(limits.ponder, SearchHost::SYSTEM));
    let (sender, done) = mpsc::channel();
    let handle = SearchHandle { signal: signal.clone(), done: Arc::new(Mutex::new(done)) };
    let limits = limits.clone();
    threads::spawn(move || {
        let mut control = LimitControl::new(&limits, signal, |report, seconds| {
            sink(SearchEvent::Info { report, seconds });
        });
        let outcome = task.run(&SystemThreads, &mut control);
        send_outcome(outcome, &mut *sink);
        drop(sender);
    })
    .map_err(|error| {
        SessionError::new(format!(
            "cannot start a search thread: {error}; stop another search or use fewer threads"
        ))
    })?;
    Ok(handle)
}

/// Searches the session's position on this thread, and returns when the search is over: for systems without threads and
/// without a clock, such as WebAssembly.
///
/// ```
/// use alfil_engine::{SearchEvent, SearchHost, now, search_here};
/// use alfil_session::{SearchLimits, registry};
///
/// let session = registry::open("othello", None)?;
/// let limits = SearchLimits { depth: Some(5), ..SearchLimits::default() };
/// let mut best = None;
/// search_here(&*session, &limits, SearchHost { now, is_stopped: || false }, &mut |event| {
///     if let SearchEvent::BestMove(mv) = event {
///         best = mv;
///     }
/// })?;
/// assert!(session.legal_moves(None)?.contains(&best.unwrap()));
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
///
/// # Errors
/// Returns an error if a move that the limits name is not legal.
pub fn search_here(
    session: &dyn GameSession,
    limits: &SearchLimits,
    host: SearchHost,
    sink: &mut (dyn FnMut(SearchEvent) + Send),
) -> Result<(), SessionError> {
    let task = session.search_task(limits)?;
    let signal = Arc::new(StopSignal::new(limits.ponder, host));
    let mut control = LimitControl::new(limits, signal, |report, seconds| {
        sink(SearchEvent::Info { report, seconds });
    });
    let outcome = task.run(&CurrentThread, &mut control);
    send_outcome(outcome, sink);
    Ok(())
}

/// Sends the last events of a search.
fn send_outcome(outcome: SearchOutcome, sink: &mut (dyn FnMut(SearchEvent) + Send)) {
    if let Some(failure) = outcome.failure {
        // The message of a panic may have several lines, and a message of a protocol has one.
        sink(SearchEvent::Failed(failure.split_whitespace().collect::<Vec<_>>().join(" ")));
    }
    sink(SearchEvent::BestMove(outcome.best_move));
}

/// Solves the session's position exactly, on threads of the operating system: see [`GameSession::solve`].
///
/// ```
/// use alfil_engine::solve;
/// use alfil_kernel::Waivers;
/// use alfil_session::{SolveRequest, registry};
///
/// let mut session = registry::open("othello", None)?;
/// let ending = "OOOOOOOO-OOOOOOOOOOXXXXOOOOXXXXOOOXXOOXOOOOOOOXO--OOO-O---OO---- X";
/// session.open(ending, &Waivers::None)?;
/// let request = SolveRequest { scores_all_moves: true, threads: 2, ..SolveRequest::default() };
/// let solution = solve(&*session, &request, &mut |_| ())?;
/// assert_eq!(solution.move_scores.len(), session.legal_moves(None)?.len());
/// assert_eq!(solution.move_scores[0].1, solution.score);
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
///
/// # Errors
/// Returns an error if the game has no solver.
pub fn solve(
    session: &dyn GameSession,
    request: &SolveRequest,
    on_event: &mut (dyn FnMut(SearchEvent) + Send),
) -> Result<Solution, SessionError> {
    let signal = Arc::new(StopSignal::new(false, SearchHost::SYSTEM));
    let mut control = LimitControl::new(&SearchLimits::default(), signal, |report, seconds| {
        on_event(SearchEvent::Info { report, seconds });
    });
    session.solve(request, &SystemThreads, &mut control)
}

/// Counts the legal move paths from the session's position, on threads of the operating system: see
/// [`GameSession::perft`].
///
/// ```
/// use std::sync::Mutex;
///
/// use alfil_engine::perft;
/// use alfil_session::{PerftRequest, registry};
///
/// let session = registry::open("xiangqi", None)?;
/// let request = PerftRequest { depth: 3, threads: 2, ..PerftRequest::default() };
/// let root_moves = Mutex::new(Vec::new());
/// let count = perft(&*session, &request, &|mv, count| root_moves.lock().unwrap().push((mv.to_owned(), count)))?;
/// assert_eq!((count, root_moves.into_inner().unwrap().len()), (79_666, 44));
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
///
/// # Errors
/// Returns an error if the game has no such pass convention or dialect.
pub fn perft(
    session: &dyn GameSession,
    request: &PerftRequest,
    on_root_move: &(dyn Fn(&str, u128) + Sync),
) -> Result<u128, SessionError> {
    session.perft(request, &SystemThreads, on_root_move)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    use alfil_session::registry;

    use super::*;

    /// A clock that goes on by a millisecond with every call.
    fn counted_milliseconds() -> Duration {
        static CALLS: AtomicU64 = AtomicU64::new(0);
        Duration::from_millis(CALLS.fetch_add(1, Ordering::Relaxed))
    }

    fn search(limits: &SearchLimits, host: SearchHost) -> Vec<SearchEvent> {
        let session = registry::open("chess", None).unwrap();
        let mut events = Vec::new();
        search_here(&*session, limits, host, &mut |event| events.push(event)).unwrap();
        events
    }

    #[test]
    fn a_search_on_this_thread_uses_the_clock_and_the_requests_of_its_host() {
        let depth = SearchLimits { depth: Some(6), ..SearchLimits::default() };
        let events = search(&depth, SearchHost { now: counted_milliseconds, is_stopped: || false });
        let (last, reports) = events.split_last().unwrap();
        assert!(matches!(last, SearchEvent::BestMove(Some(_))) && reports.len() >= 6, "{events:?}");
        let seconds: Vec<_> = reports
            .iter()
            .map(|event| match event {
                SearchEvent::Info { seconds, .. } => *seconds,
                other => panic!("{other:?} before the last event"),
            })
            .collect();
        assert!(seconds.is_sorted() && seconds[0] > 0.0, "{seconds:?}");

        // Without a limit the search ends by its clock, or at once by a request.
        let time = SearchLimits { time: Some(Duration::from_millis(100)), ..SearchLimits::default() };
        let events = search(&time, SearchHost { now: counted_milliseconds, is_stopped: || false });
        assert!(matches!(events.last(), Some(SearchEvent::BestMove(Some(_)))));
        let events =
            search(&SearchLimits::default(), SearchHost { is_stopped: || true, ..SearchHost::SYSTEM });
        assert!(matches!(events.last(), Some(SearchEvent::BestMove(Some(_)))));
    }
}
