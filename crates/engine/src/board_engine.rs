//! An engine that searches boards of any game, as the packages for other languages offer it.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use alfil_session::{
    AnyBoard, EvaluationChoice, GameSession, SearchLimits, SearchResources, SessionError, registry, searcher,
};

use crate::search::{EventSink, SearchEvent, SearchHandle, start_search};
use crate::threads::check_threads;

/// The options of an engine for boards.
///
/// ```
/// use alfil_engine::{BoardEngine, BoardEngineOptions};
/// use alfil_session::{EvaluationChoice, SearchResources};
///
/// let options = |rules: &str| BoardEngineOptions {
///     resources: SearchResources { hash_mib: 1, threads: 2, ..SearchResources::default() },
///     evaluation: EvaluationChoice::Terms,
///     rules: Some(rules.to_owned()),
/// };
/// assert!(BoardEngine::new(options("cxa2020")).is_ok());
/// let error = BoardEngine::new(options("village")).unwrap_err();
/// assert!(error.to_string().contains("the rulesets are "), "{error}");
/// ```
#[derive(Clone, Debug)]
pub struct BoardEngineOptions {
    /// The threads and the table, of which each game that is searched has one.
    pub resources: SearchResources,
    /// The evaluation.
    pub evaluation: EvaluationChoice,
    /// The ruleset by which searches judge repetitions, in games that have rulesets; none for the default.
    pub rules: Option<String>,
}

/// An engine for boards of all games. It keeps a session for each game, whose table keeps what was found for the next
/// search. Several threads may use it at once: it is locked only while a search is started or a position
/// is evaluated.
///
/// ```
/// use alfil_engine::{BoardEngine, BoardEngineOptions, SearchEvent};
/// use alfil_session::{EvaluationChoice, SearchLimits, SearchResources, registry};
///
/// let resources = SearchResources { hash_mib: 1, ..SearchResources::default() };
/// let options = BoardEngineOptions { resources, evaluation: EvaluationChoice::BuiltIn, rules: None };
/// let engine = BoardEngine::new(options)?;
/// let limits = SearchLimits { depth: Some(3), multipv: 1, ..SearchLimits::default() };
/// let board = registry::board_game("chess")?.open(None, &[])?;
/// let (_, events) = engine.start(&*board, &limits)?;
/// assert!(events.iter().any(|event| matches!(event, SearchEvent::BestMove(Some(_)))));
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
pub struct BoardEngine {
    options: BoardEngineOptions,
    /// The sessions by the names of their games, each made when a board of its game comes first.
    sessions: Mutex<HashMap<&'static str, Box<dyn GameSession>>>,
    /// The searches that were started, each with the flag of its end.
    running: Mutex<Vec<(SearchHandle, Arc<AtomicBool>)>>,
}

impl fmt::Debug for BoardEngine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("BoardEngine").field("options", &self.options).finish_non_exhaustive()
    }
}

impl BoardEngine {
    /// Creates an engine. The tables are made when a search first needs them.
    ///
    /// # Errors
    /// If there is no memory for a table, no such number of threads, or no game has the ruleset.
    pub fn new(options: BoardEngineOptions) -> Result<Self, SessionError> {
        searcher::check_memory(options.resources.hash_mib)?;
        check_threads(options.resources.threads)?;
        if let Some(rules) = &options.rules {
            registry::check_ruleset(rules)?;
        }
        Ok(BoardEngine { options, sessions: Mutex::default(), running: Mutex::default() })
    }

    /// Returns the options.
    pub fn options(&self) -> &BoardEngineOptions {
        &self.options
    }

    /// Starts a search on threads of its own. The receiver gets its reports and then its best move.
    ///
    /// # Errors
    /// If the limits do not fit the position, a network does not fit the game, or there is no memory for the table.
    pub fn start(
        &self,
        board: &dyn AnyBoard,
        limits: &SearchLimits,
    ) -> Result<(SearchHandle, Receiver<SearchEvent>), SessionError> {
        let (sender, events) = mpsc::channel();
        let sink = Box::new(move |event| {
            // The receiver may be gone.
            let _ = sender.send(event);
        });
        Ok((self.start_with(board, limits, sink)?, events))
    }

    /// As [`BoardEngine::start`], for a function that receives the events. It runs on the thread of the search, which
    /// waits until it returns.
    ///
    /// ```
    /// use std::sync::{Arc, Mutex};
    ///
    /// use alfil_engine::{BoardEngine, BoardEngineOptions, SearchEvent};
    /// use alfil_session::{EvaluationChoice, SearchLimits, SearchResources, registry};
    ///
    /// let (resources, evaluation) = (SearchResources::default(), EvaluationChoice::BuiltIn);
    /// let engine = BoardEngine::new(BoardEngineOptions { resources, evaluation, rules: None })?;
    /// let board = registry::board_game("chess")?.open(None, &[])?;
    /// let limits = SearchLimits { depth: Some(3), ..SearchLimits::default() };
    /// let depths = Arc::new(Mutex::new(Vec::new()));
    /// let received = depths.clone();
    /// let sink = move |event| {
    ///     if let SearchEvent::Info { report, .. } = event {
    ///         received.lock().unwrap().push(report.depth);
    ///     }
    /// };
    /// engine.start_with(&*board, &limits, Box::new(sink))?.join();
    /// assert_eq!(*depths.lock().unwrap(), [1, 2, 3]);
    /// # Ok::<(), alfil_session::SessionError>(())
    /// ```
    ///
    /// # Errors
    /// As [`BoardEngine::start`].
    pub fn start_with(
        &self,
        board: &dyn AnyBoard,
        limits: &SearchLimits,
        mut sink: EventSink,
    ) -> Result<SearchHandle, SessionError> {
        let is_over = Arc::new(AtomicBool::new(false));
        let over = is_over.clone();
        let sink = Box::new(move |event| {
            if matches!(event, SearchEvent::BestMove(_)) {
                over.store(true, Ordering::Relaxed);
            }
            sink(event);
        });
        // A stop from another thread waits, so that it stops this search, too.
        let mut running = lock(&self.running);
        let handle = self.with_session(board, |session| start_search(session, limits, sink))??;
        running.retain(|(_, over)| !over.load(Ordering::Relaxed));
        running.push((handle.clone(), is_over));
        Ok(handle)
    }

    /// Returns the static evaluation of a position for the side to move: centipawns, in Othello hundredths of a disc.
    ///
    /// ```
    /// use alfil_engine::{BoardEngine, BoardEngineOptions};
    /// use alfil_session::{EvaluationChoice, SearchResources, registry};
    ///
    /// let (resources, evaluation) = (SearchResources::default(), EvaluationChoice::BuiltIn);
    /// let engine = BoardEngine::new(BoardEngineOptions { resources, evaluation, rules: None })?;
    /// let chess = registry::board_game("chess")?;
    /// let queen_up = chess.open(Some("4k3/8/8/8/8/8/8/3QK3 w - - 0 1"), &[])?;
    /// let queen_down = chess.open(Some("4k3/8/8/8/8/8/8/3QK3 b - - 0 1"), &[])?;
    /// assert!(engine.static_eval(&*queen_up)? > 300 && engine.static_eval(&*queen_down)? < -300);
    /// # Ok::<(), alfil_session::SessionError>(())
    /// ```
    ///
    /// # Errors
    /// As [`BoardEngine::start`].
    pub fn static_eval(&self, board: &dyn AnyBoard) -> Result<i32, SessionError> {
        self.with_session(board, |session| session.static_eval())
    }

    /// Stops all searches; each still ends with its best move.
    ///
    /// ```
    /// use alfil_engine::{BoardEngine, BoardEngineOptions, SearchEvent};
    /// use alfil_session::{EvaluationChoice, SearchLimits, SearchResources, registry};
    ///
    /// let (resources, evaluation) = (SearchResources::default(), EvaluationChoice::BuiltIn);
    /// let engine = BoardEngine::new(BoardEngineOptions { resources, evaluation, rules: None })?;
    /// let board = registry::board_game("othello")?.open(None, &[])?;
    /// // A search without a limit.
    /// let (_, events) = engine.start(&*board, &SearchLimits::default())?;
    /// engine.stop();
    /// assert!(matches!(events.iter().last(), Some(SearchEvent::BestMove(Some(_)))));
    /// # Ok::<(), alfil_session::SessionError>(())
    /// ```
    pub fn stop(&self) {
        lock(&self.running).drain(..).for_each(|(handle, _)| handle.stop());
    }

    /// Clears the tables and histories of earlier searches.
    pub fn clear(&self) {
        lock(&self.sessions).clear();
    }

    /// Calls a function with the session of the board's game, at its position.
    fn with_session<T>(
        &self,
        board: &dyn AnyBoard,
        action: impl FnOnce(&dyn GameSession) -> T,
    ) -> Result<T, SessionError> {
        let mut sessions = lock(&self.sessions);
        let session = match sessions.entry(board.game().name()) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(self.new_session(board.game().name())?),
        };
        session.set_board(board)?;
        Ok(action(&**session))
    }

    fn new_session(&self, game: &str) -> Result<Box<dyn GameSession>, SessionError> {
        let BoardEngineOptions { resources, evaluation, rules } = &self.options;
        searcher::check_memory(resources.hash_mib)?;
        let mut session = registry::open(game, None)?;
        session.set_resources(resources);
        session.set_evaluation(evaluation)?;
        // A change of the rules empties the table, so they are set once.
        if let Some(rules) = rules.as_ref().filter(|_| !session.rulesets().is_empty()) {
            session.set_ruleset(rules)?;
        }
        Ok(session)
    }
}

/// Locks a mutex. The data stay valid when another holder panics, so a poisoned mutex is used on.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
