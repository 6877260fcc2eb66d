//! Runs searches, perft and solver of a session on threads of the operating system.

use std::sync::{Arc, Mutex, mpsc};

use alfil_session::{
    GameSession, PerftRequest, SearchLimits, SearchReport, SessionError, Solution, SolveRequest,
};

use crate::threads::{self, SystemThreads};
use crate::time_manager::{LimitControl, StopSignal};

/// What a search sends while it runs.
#[derive(Clone, Debug, PartialEq)]
pub enum SearchEvent {
    /// The report of an iteration.
    Info {
        /// The number of this line among several, from 1.
        multipv: u32,
        /// The depth of the iteration, in plies.
        depth: u32,
        /// The greatest depth reached in it, in plies.
        seldepth: u32,
        /// In centipawns (hundredths of a disc), from the view of the side to move.
        score: i32,
        /// The number of plies to a forced end; positive if the side to move wins.
        mate_plies: Option<i32>,
        /// The number of nodes searched.
        nodes: u64,
        /// The part of the transposition table in use, in permille.
        hashfull: u32,
        /// Seconds since the start.
        seconds: f64,
        /// The best line, in the default dialect.
        pv: Vec<String>,
    },
    /// The search ended early because of this internal error. A legal move follows all the same.
    Failed(String),
    /// The search is over: the move to play, in the default dialect, if there is one.
    BestMove(Option<String>),
}

impl SearchEvent {
    fn from_report(report: SearchReport, seconds: f64) -> Self {
        SearchEvent::Info {
            multipv: report.multipv,
            depth: report.depth,
            seldepth: report.seldepth,
            score: report.score,
            mate_plies: report.mate_plies,
            nodes: report.nodes,
            hashfull: report.hashfull,
            seconds,
            pv: report.pv,
        }
    }
}

/// Receives the events of a search, on the thread of the search.
pub type EventSink = Box<dyn FnMut(SearchEvent) + Send>;

/// A running search: any thread can stop it or wait for it.
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
/// # Errors
/// Returns an error if a move that the limits name is not legal, or the system gives no thread.
pub fn start_search(
    session: &dyn GameSession,
    limits: &SearchLimits,
    mut sink: EventSink,
) -> Result<SearchHandle, SessionError> {
    let task = session.search_task(limits)?;
    let signal = Arc::new(StopSignal::new(limits.ponder));
    let (sender, done) = mpsc::channel();
    let handle = SearchHandle { signal: signal.clone(), done: Arc::new(Mutex::new(done)) };
    let limits = limits.clone();
    threads::spawn(move || {
        let mut control = LimitControl::new(&limits, signal, |report, seconds| {
            sink(SearchEvent::from_report(report, seconds));
        });
        let outcome = task.run(&SystemThreads, &mut control);
        if let Some(failure) = outcome.failure {
            sink(SearchEvent::Failed(failure));
        }
        sink(SearchEvent::BestMove(outcome.best_move));
        drop(sender);
    })
    .map_err(|error| {
        SessionError::new(format!(
            "cannot start a search thread: {error}; stop another search or use fewer threads"
        ))
    })?;
    Ok(handle)
}

/// Solves the session's position exactly, on threads of the operating system: see [`GameSession::solve`].
///
/// # Errors
/// Returns an error if the game has no solver.
pub fn solve(
    session: &dyn GameSession,
    request: &SolveRequest,
    on_event: &mut (dyn FnMut(SearchEvent) + Send),
) -> Result<Solution, SessionError> {
    let signal = Arc::new(StopSignal::new(false));
    let mut control = LimitControl::new(&SearchLimits::default(), signal, |report, seconds| {
        on_event(SearchEvent::from_report(report, seconds));
    });
    session.solve(request, &SystemThreads, &mut control)
}

/// Counts the legal move paths from the session's position, on threads of the operating system: see
/// [`GameSession::perft`].
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
