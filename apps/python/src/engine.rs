//! The engine in the process of the interpreter: searches on threads of their own, with the interpreter lock free.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError};

use alfil_engine::{BoardEngine, BoardEngineOptions, SearchEvent, SearchHandle};
use alfil_kernel::Bound as ScoreBound;
use alfil_session::review::mate_moves;
use alfil_session::{EvaluationChoice, SearchReport, SearchResources};
use pyo3::exceptions::{PyRuntimeError, PyStopIteration};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::board_class::GameClasses;
use crate::errors::value_error;
use crate::game_classes;
use crate::interrupt::SIGNAL_INTERVAL;
use crate::limits;
use crate::numbers::number;
use crate::pickles::{self, Pickled};

/// Locks a mutex; a panic of another holder leaves nothing half done here.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An engine in this process. It searches boards of all games and keeps what it found for the next search.
#[pyclass(name = "Engine", module = "alfil", frozen)]
pub(crate) struct Engine {
    engine: BoardEngine,
    is_closed: AtomicBool,
}

impl Engine {
    /// Checks that the engine is not closed.
    fn check_open(&self) -> PyResult<()> {
        match self.is_closed.load(Ordering::Relaxed) {
            true => Err(value_error("the engine is closed: make another one")),
            false => Ok(()),
        }
    }

    /// Starts a search of a board, and returns it with the number of lines, if it was given. `must_end` says whether
    /// the search needs a limit.
    fn start(
        &self,
        board: &Bound<'_, PyAny>,
        limit: Option<&Bound<'_, PyAny>>,
        limits: Option<&Bound<'_, PyDict>>,
        must_end: bool,
    ) -> PyResult<(Analysis, Option<usize>)> {
        self.check_open()?;
        let (classes, board) = game_classes::board_of(board)?;
        let (limits, multipv) = limits::parse((classes, &*board), limit, limits, must_end)?;
        let (handle, events) = self.engine.start(&*board, &limits).map_err(value_error)?;
        let state = Mutex::new(State::default());
        Ok((Analysis { handle, events: Mutex::new(events), classes, state }, multipv))
    }
}

#[pymethods]
impl Engine {
    /// Creates an engine: the number of threads of a search, the size of its table in MiB, the ruleset of xiangqi, and
    /// the evaluation: "default", "terms" for the hand-made terms, or the bytes of a network file.
    #[new]
    #[pyo3(signature = (*, threads=1, hash=32, rules=None, evaluation=None))]
    fn new(
        #[pyo3(from_py_with = number)] threads: usize,
        #[pyo3(from_py_with = number)] hash: usize,
        rules: Option<String>,
        evaluation: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let threads = limits::check_threads(threads)?;
        let evaluation = match evaluation {
            None => EvaluationChoice::BuiltIn,
            Some(choice) => match choice.extract::<Vec<u8>>() {
                Ok(bytes) => EvaluationChoice::Network(bytes.into()),
                Err(_) => match choice.extract::<String>()?.as_str() {
                    "default" => EvaluationChoice::BuiltIn,
                    "terms" => EvaluationChoice::Terms,
                    other => {
                        let message =
                            format!("no evaluation {other:?}: choose \"default\", \"terms\" or bytes");
                        return Err(value_error(message));
                    }
                },
            },
        };
        let resources = SearchResources { hash_mib: hash, threads, ..SearchResources::default() };
        let options = BoardEngineOptions { resources, evaluation, rules };
        let engine = BoardEngine::new(options).map_err(value_error)?;
        Ok(Engine { engine, is_closed: AtomicBool::new(false) })
    }

    /// Searches a position within limits and returns the last report, or with `multipv` a list, the best line first.
    #[pyo3(signature = (board, limit=None, **limits))]
    fn analyse(
        &self,
        board: &Bound<'_, PyAny>,
        limit: Option<&Bound<'_, PyAny>>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Py<PyAny>> {
        let py = board.py();
        let (analysis, multipv) = self.start(board, limit, limits, true)?;
        analysis.finish(py)?;
        let state = lock(&analysis.state);
        let mut reports = state.lines.iter().map(|line| line.clone_ref(py));
        match multipv {
            Some(_) => Ok(reports.collect::<Vec<_>>().into_pyobject(py)?.unbind()),
            None => reports.next().map(Py::into_any).ok_or_else(no_report_error),
        }
    }

    /// Searches a position within limits and returns the move to play with the last report. Raises AlfilError if there
    /// is no legal move.
    #[pyo3(signature = (board, limit=None, **limits))]
    fn play(
        &self,
        board: &Bound<'_, PyAny>,
        limit: Option<&Bound<'_, PyAny>>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PlayResult> {
        let py = board.py();
        let (analysis, _) = self.start(board, limit, limits, true)?;
        analysis.finish(py)?;
        let state = lock(&analysis.state);
        let no_move = || value_error("there is no legal move to play: the game is over");
        let best_move = state.best_move.as_ref().ok_or_else(no_move)?.clone_ref(py);
        let report = state.lines.first().ok_or_else(no_report_error)?.clone_ref(py);
        Ok(PlayResult { r#move: best_move, report })
    }

    /// Starts a search and returns at once. Iterate over the analysis for its reports, and stop it or let it reach its
    /// limits; it has none unless they are given.
    #[pyo3(signature = (board, limit=None, **limits))]
    fn analysis(
        &self,
        board: &Bound<'_, PyAny>,
        limit: Option<&Bound<'_, PyAny>>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Analysis> {
        self.start(board, limit, limits, false).map(|(analysis, _)| analysis)
    }

    /// Returns the static evaluation of a position for the side to move: centipawns, in Othello hundredths of a disc.
    fn evaluate(&self, board: &Bound<'_, PyAny>) -> PyResult<i32> {
        self.check_open()?;
        let (_, board) = game_classes::board_of(board)?;
        self.engine.static_eval(&*board).map_err(value_error)
    }

    /// Stops all searches of this engine; each still ends with its best move.
    fn stop(&self) {
        self.engine.stop();
    }

    /// Clears the transposition tables and the histories of earlier searches.
    fn clear(&self) {
        self.engine.clear();
    }

    /// Stops all searches and frees the tables. A closed engine searches no more.
    fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
        self.stop();
        self.clear();
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyTuple>) {
        self.close();
    }

    fn __repr__(&self) -> String {
        let SearchResources { threads, hash_mib, .. } = self.engine.options().resources;
        format!("<Engine threads={threads} hash={hash_mib}>")
    }
}

/// The error of a search that ended before its first report.
fn no_report_error() -> PyErr {
    PyRuntimeError::new_err("the search was stopped before its first report: give it more time")
}

/// The report of a search after an iteration.
#[pyclass(name = "Report", module = "alfil", frozen, generic)]
#[derive(Debug)]
pub(crate) struct Report {
    found: SearchReport,
    /// The time since the start, in seconds.
    #[pyo3(get)]
    time: f64,
    /// The best line.
    #[pyo3(get)]
    pv: Vec<Py<PyAny>>,
}

impl Report {
    /// Makes the object of its pickled state.
    pub(crate) fn from_state(state: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let (counts, score, bound, mate_plies, time, pv): ((_, _, _, _, _), _, String, _, _, _) =
            state.extract()?;
        let (multipv, depth, seldepth, nodes, hashfull) = counts;
        let bounds = [ScoreBound::Exact, ScoreBound::Lower, ScoreBound::Upper];
        let found = bounds.into_iter().find(|found| found.name() == bound);
        let bound = found.ok_or_else(|| value_error(format!("no bound {bound:?}")))?;
        let found = SearchReport {
            multipv,
            depth,
            seldepth,
            score,
            bound,
            mate_plies,
            nodes,
            hashfull,
            ..SearchReport::default()
        };
        Ok(Report { found, time, pv })
    }
}

#[pymethods]
impl Report {
    /// The number of this line among several, from 1.
    #[getter]
    fn multipv(&self) -> u32 {
        self.found.multipv
    }

    /// The depth of the iteration, in plies.
    #[getter]
    fn depth(&self) -> u32 {
        self.found.depth
    }

    /// The greatest depth reached in it, in plies.
    #[getter]
    fn seldepth(&self) -> u32 {
        self.found.seldepth
    }

    /// The score for the side to move: centipawns, in Othello hundredths of a disc.
    #[getter]
    fn score(&self) -> i32 {
        self.found.score
    }

    /// Whether the score is "exact", or a "lower" or "upper" bound. It may be a bound while the solver of Othello runs,
    /// and when an iteration is stopped.
    #[getter]
    fn bound(&self) -> &'static str {
        self.found.bound.name()
    }

    /// The number of moves to a forced end; positive if the side to move wins; None if none was found.
    #[getter]
    fn mate(&self) -> Option<i32> {
        self.found.mate_plies.map(mate_moves)
    }

    /// The number of positions searched.
    #[getter]
    fn nodes(&self) -> u64 {
        self.found.nodes
    }

    /// The part of the table in use, in permille.
    #[getter]
    fn hashfull(&self) -> u32 {
        self.found.hashfull
    }

    /// The number of positions searched each second.
    #[getter]
    fn nps(&self) -> u64 {
        (self.found.nodes as f64 / self.time.max(1e-6)) as u64
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let line: Vec<String> =
            self.pv.iter().map(|mv| Ok(mv.bind(py).str()?.to_string())).collect::<PyResult<_>>()?;
        let SearchReport { score, depth, nodes, .. } = self.found;
        let score = self.mate().map_or_else(|| format!("{score:+}"), |mate| format!("#{mate}"));
        Ok(format!("<Report depth={depth} score={score} nodes={nodes} {}>", line.join(" ")))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        let SearchReport { multipv, depth, seldepth, nodes, hashfull, .. } = self.found;
        let SearchReport { score, bound, mate_plies, .. } = self.found;
        let pv: Vec<_> = self.pv.iter().map(|mv| mv.clone_ref(py)).collect();
        let counts = (multipv, depth, seldepth, nodes, hashfull);
        pickles::pickled(py, "Report", (counts, score, bound.name(), mate_plies, self.time, pv))
    }
}

/// The move to play.
#[pyclass(name = "PlayResult", module = "alfil", frozen, get_all, generic)]
#[derive(Debug)]
pub(crate) struct PlayResult {
    /// The move.
    r#move: Py<PyAny>,
    /// The last report.
    report: Py<Report>,
}

impl PlayResult {
    /// Makes the object of its pickled state.
    pub(crate) fn from_state(state: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let (mv, report) = state.extract()?;
        Ok(PlayResult { r#move: mv, report })
    }
}

#[pymethods]
impl PlayResult {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<PlayResult {}>", self.r#move.bind(py).str()?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        pickles::pickled(py, "PlayResult", (self.r#move.clone_ref(py), self.report.clone_ref(py)))
    }
}

/// What is known of a running search.
#[derive(Debug, Default)]
struct State {
    /// The last report of each line.
    lines: Vec<Py<Report>>,
    best_move: Option<Py<PyAny>>,
    /// The number of events that threads have received and not taken over here yet.
    events_in_flight: usize,
    is_over: bool,
}

/// An event that a thread takes over.
struct EventInFlight<'a>(&'a Mutex<State>);

impl Drop for EventInFlight<'_> {
    fn drop(&mut self) {
        lock(self.0).events_in_flight -= 1;
    }
}

/// A running search. It is an iterator over its reports and a context manager that stops it.
#[pyclass(name = "Analysis", module = "alfil", frozen, generic)]
#[derive(Debug)]
pub(crate) struct Analysis {
    handle: SearchHandle,
    events: Mutex<Receiver<SearchEvent>>,
    classes: &'static GameClasses,
    state: Mutex<State>,
}

impl Analysis {
    /// Waits for the next report; none at the end of the search. A signal stops the search.
    fn next_report(&self, py: Python<'_>) -> PyResult<Option<Py<Report>>> {
        while !lock(&self.state).is_over {
            let event = py.detach(|| {
                let events = lock(&self.events);
                let event = events.recv_timeout(SIGNAL_INTERVAL);
                lock(&self.state).events_in_flight += usize::from(event.is_ok());
                event
            });
            let _in_flight = event.is_ok().then(|| EventInFlight(&self.state));
            match event {
                Ok(SearchEvent::BestMove(best_move)) => {
                    let best_move =
                        best_move.map(|text| (self.classes.move_object)(py, &text)).transpose()?;
                    let mut state = lock(&self.state);
                    (state.best_move, state.is_over) = (best_move, true);
                }
                Ok(SearchEvent::Failed(message)) => return Err(PyRuntimeError::new_err(message)),
                Ok(SearchEvent::Info { report, seconds }) => {
                    return self.keep_report(py, report, seconds).map(Some);
                }
                Err(RecvTimeoutError::Timeout) => {}
                // Another thread may hold the best move.
                Err(RecvTimeoutError::Disconnected) => {
                    let mut state = lock(&self.state);
                    state.is_over |= state.events_in_flight == 0;
                }
            }
            if let Err(signal) = py.check_signals() {
                self.handle.stop();
                return Err(signal);
            }
        }
        Ok(None)
    }

    /// Waits for the end of the search.
    fn finish(&self, py: Python<'_>) -> PyResult<()> {
        while self.next_report(py)?.is_some() {}
        Ok(())
    }

    /// Makes the object of a report and keeps it.
    fn keep_report(&self, py: Python<'_>, found: SearchReport, seconds: f64) -> PyResult<Py<Report>> {
        let pv = found.pv.iter().map(|text| (self.classes.move_object)(py, text)).collect::<PyResult<_>>()?;
        let line = (found.multipv.max(1) - 1) as usize;
        let report = Py::new(py, Report { found, time: seconds, pv })?;
        let mut state = lock(&self.state);
        match state.lines.get_mut(line) {
            Some(last) => *last = report.clone_ref(py),
            None => state.lines.push(report.clone_ref(py)),
        }
        Ok(report)
    }
}

#[pymethods]
impl Analysis {
    /// Requests the end of the search; the last reports and the best move still come.
    fn stop(&self) {
        self.handle.stop();
    }

    /// Waits for the end of the search and returns the best move; None if there is no legal move.
    fn wait(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.finish(py)?;
        Ok(self.best_move(py))
    }

    /// The best move; None before the end of the search.
    #[getter]
    fn best_move(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        lock(&self.state).best_move.as_ref().map(|mv| mv.clone_ref(py))
    }

    /// The last report of each line that was read so far, the best line first.
    #[getter]
    fn lines(&self, py: Python<'_>) -> Vec<Py<Report>> {
        lock(&self.state).lines.iter().map(|line| line.clone_ref(py)).collect()
    }

    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Py<Report>> {
        self.next_report(py)?.ok_or_else(|| PyStopIteration::new_err(()))
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyTuple>) {
        self.stop();
    }
}

impl Drop for Analysis {
    fn drop(&mut self) {
        self.handle.stop();
    }
}
