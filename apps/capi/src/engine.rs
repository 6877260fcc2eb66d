//! The engine in the process of the caller.

use std::ffi::c_void;
use std::mem::offset_of;
use std::ptr;
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::time::Duration;

use alfil_engine::{BoardEngine, BoardEngineOptions, SearchEvent};
use alfil_session::time_budget::ClockInput;
use alfil_session::{
    AnyBoard, EvaluationChoice, SKILL_LEVELS, SearchLimits, SearchResources, TimeBudget, random_seed,
};

use crate::analysis::{Analysis, AnalysisObject, Next, give_analysis};
use crate::board::{Board, with_board};
use crate::handles::{self, Kind};
use crate::memory::{Extensible, In, Items, Out, Text, give};
use crate::moves::RawMove;
use crate::position::check_threads;
use crate::results::Report;
use crate::status::{Error, Status, guard};

/// An engine in this process. It searches boards of all games and keeps what it found for the next search.
#[derive(Debug)]
pub struct Engine {
    /// Gives each handle an address of its own.
    _memory: u64,
}

/// The options of an engine. Begin with ALFIL_ENGINE_OPTIONS_INIT, which has the default of each.
#[repr(C)]
#[derive(Debug)]
pub struct EngineOptions {
    /// The size of the structure, in bytes: `sizeof(alfil_engine_options)`.
    pub size: usize,
    /// The number of threads of a search; 0 stands for 1.
    pub threads: u32,
    /// The size of the table in MiB, of which each game that is searched has one; 0 stands for 32.
    pub hash_mib: u32,
    /// The ruleset of xiangqi by which repetitions are searched; NULL for the one of play between people.
    pub rules: Text,
    /// "default" (or NULL), or "terms" for the hand-made evaluation.
    pub evaluation: Text,
    /// The bytes of a network file that evaluates instead, or NULL. They are copied.
    pub network: Items<u8>,
    /// The number of these bytes.
    pub network_size: usize,
}

/// The limits of a search; the first that is reached ends it. 0 and NULL mean that a limit is not given: begin with
/// ALFIL_LIMITS_INIT, which gives none.
#[repr(C)]
#[derive(Debug)]
pub struct Limits {
    /// The size of the structure, in bytes: `sizeof(alfil_limits)`.
    pub size: usize,
    /// The maximum depth, in plies.
    pub depth: u32,
    /// A forced win in this number of moves ends the search.
    pub mate: u32,
    /// The number of best lines; 0 stands for 1.
    pub multipv: u32,
    /// The skill level from 1 to 10; 0 for full strength.
    pub level: u32,
    /// The seed of the random choices of a skill level; 0 for a new one.
    pub seed: u64,
    /// The maximum number of positions.
    pub nodes: u64,
    /// The maximum time, in milliseconds.
    pub time_ms: u64,
    /// The time left on the clock of the side to move, in milliseconds.
    pub clock_ms: u64,
    /// The time added after each move, in milliseconds.
    pub increment_ms: u64,
    /// The number of moves until the next time control.
    pub moves_to_go: u32,
    /// The only moves to search, in coordinates, separated by spaces.
    pub root_moves: Text,
}

impl Extensible for EngineOptions {
    const NAME: &str = "options";
    const INITIALIZER: &str = "ALFIL_ENGINE_OPTIONS_INIT";
}

impl Extensible for Limits {
    const NAME: &str = "limits";
    const INITIALIZER: &str = "ALFIL_LIMITS_INIT";
}

// A later field would begin in padding at the end, whose bits no caller sets.
const _: () =
    assert!(offset_of!(EngineOptions, network_size) + size_of::<usize>() == size_of::<EngineOptions>());
const _: () = assert!(offset_of!(Limits, root_moves) + size_of::<Text>() == size_of::<Limits>());

/// Receives a report. The report belongs to the library and is valid until the function returns; the search waits for
/// it. A result other than 0 ends the search, and the function is not called again. It is called on the thread that
/// called alfil_engine_analyse, may call the library, and must not throw or jump out.
pub type ReportCallback = Option<extern "C" fn(report: *const Report, user_data: *mut c_void) -> i32>;

/// The object of an engine handle.
struct EngineObject(BoardEngine);

impl Drop for EngineObject {
    /// A search that another thread starts while the handle is freed ends, too.
    fn drop(&mut self) {
        self.0.stop();
    }
}

fn find(engine: *const Engine) -> Result<Arc<EngineObject>, Error> {
    handles::find::<EngineObject>(engine.cast(), Kind::Engine)
}

fn options_of(options: Option<EngineOptions>) -> Result<BoardEngineOptions, Error> {
    let mut resources = SearchResources::default();
    let Some(options) = options else {
        return Ok(BoardEngineOptions { resources, evaluation: EvaluationChoice::BuiltIn, rules: None });
    };
    resources.threads = check_threads(options.threads)?;
    if options.hash_mib != 0 {
        resources.hash_mib = options.hash_mib as usize;
    }
    let rules = options.rules.optional("rules")?.map(str::to_owned);
    let mut evaluation = match options.evaluation.optional("evaluation")? {
        None | Some("default") => EvaluationChoice::BuiltIn,
        Some("terms") => EvaluationChoice::Terms,
        Some(other) => {
            let message =
                format!("no evaluation {other:?}: choose \"default\" or \"terms\", or give a network");
            return Err(Error::argument(message));
        }
    };
    let network = options.network.slice("network", options.network_size)?;
    if !network.is_empty() {
        evaluation = EvaluationChoice::Network(network.into());
    } else if !options.network.is_null() {
        return Err(Error::argument("network_size is 0: give the number of bytes of the network"));
    }
    Ok(BoardEngineOptions { resources, evaluation, rules })
}

/// Makes an engine. `options` may be NULL. The tables are made when a search first needs them.
///
/// The caller owns the engine and frees it with alfil_engine_free.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_engine_new(options: In<EngineOptions>, out_engine: Out<*mut Engine>) -> Status {
    guard(|| {
        let out = out_engine.start("out_engine", ptr::null_mut())?;
        let engine = EngineObject(BoardEngine::new(options_of(options.optional()?)?)?);
        out.set(give(Engine { _memory: 0 }, Kind::Engine, Arc::new(engine)));
        Ok(())
    })
}

/// Stops all searches of an engine and frees it. Analyses that it started remain and are freed by their owner. NULL is
/// allowed.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_engine_free(engine: *mut Engine) -> Status {
    guard(|| {
        if !engine.is_null() {
            find(engine)?.0.stop();
        }
        handles::free(engine.cast(), Kind::Engine)
    })
}

/// Stops all searches that the engine has started; each still ends with its best move. Any thread may call this at any
/// time.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_engine_stop(engine: *const Engine) -> Status {
    guard(|| {
        find(engine)?.0.stop();
        Ok(())
    })
}

/// Clears the transposition tables and the histories of earlier searches.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_engine_clear(engine: *mut Engine) -> Status {
    guard(|| {
        find(engine)?.0.clear();
        Ok(())
    })
}

/// Gives the static evaluation of a position for the side to move: centipawns, in Othello hundredths of a disc.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_engine_evaluate(
    engine: *const Engine,
    board: *const Board,
    out_score: Out<i32>,
) -> Status {
    guard(|| {
        let out = out_score.start("out_score", 0)?;
        let engine = find(engine)?;
        out.set(with_board(board, |board| Ok(engine.0.static_eval(board)?))?);
        Ok(())
    })
}

fn start(engine: &BoardEngine, board: &dyn AnyBoard, limits: &SearchLimits) -> Result<AnalysisObject, Error> {
    // A move of the limits that is not legal is a wrong argument, as any other limit.
    let (handle, events) = engine.start(board, limits).map_err(|error| Error::argument(error.message))?;
    Ok(AnalysisObject::new(handle, events, board.game()))
}

/// Starts a search that waits after each report until it is sent a step, or the sender of steps is dropped.
fn start_in_steps(
    engine: &BoardEngine,
    board: &dyn AnyBoard,
    limits: &SearchLimits,
) -> Result<(AnalysisObject, Sender<()>), Error> {
    let (sender, events) = mpsc::channel();
    let (next_step, steps) = mpsc::channel();
    let sink = Box::new(move |event| {
        let is_report = matches!(event, SearchEvent::Info { .. });
        if sender.send(event).is_ok() && is_report {
            let _ = steps.recv();
        }
    });
    let handle = engine.start_with(board, limits, sink).map_err(|error| Error::argument(error.message))?;
    Ok((AnalysisObject::new(handle, events, board.game()), next_step))
}

fn limits_of(limits: Option<Limits>) -> Result<SearchLimits, Error> {
    let Some(limits) = limits else {
        return Ok(SearchLimits { multipv: 1, seed: random_seed(), ..SearchLimits::default() });
    };
    if limits.level > SKILL_LEVELS {
        return Err(Error::argument(format!("level {}: choose 1 to {SKILL_LEVELS}, or 0", limits.level)));
    }
    let given = |number: u64| (number != 0).then_some(number);
    let small = |number: u32| (number != 0).then_some(number);
    let budget = |remaining| ClockInput {
        remaining: Duration::from_millis(remaining),
        increment: Duration::from_millis(limits.increment_ms),
        moves_to_go: small(limits.moves_to_go),
        overhead: Duration::ZERO,
    };
    if limits.clock_ms == 0 && (limits.increment_ms != 0 || limits.moves_to_go != 0) {
        return Err(Error::argument("increment_ms and moves_to_go belong to a clock: give clock_ms, too"));
    }
    let root_moves = limits.root_moves.optional("root_moves")?;
    if root_moves.is_some_and(|moves| moves.trim().is_empty()) {
        return Err(Error::argument("root_moves is empty: give a move, or NULL"));
    }
    let root_moves = root_moves.unwrap_or_default();
    Ok(SearchLimits {
        depth: small(limits.depth),
        nodes: given(limits.nodes),
        time: given(limits.time_ms).map(Duration::from_millis),
        mate_in_moves: small(limits.mate),
        level: small(limits.level),
        seed: given(limits.seed).unwrap_or_else(random_seed),
        multipv: limits.multipv.max(1) as usize,
        search_moves: root_moves.split_ascii_whitespace().map(str::to_owned).collect(),
        time_budget: given(limits.clock_ms).map(|clock| TimeBudget::from_clock(&budget(clock))),
        ..SearchLimits::default()
    })
}

/// Starts a search on threads of its own and returns at once. Without limits (NULL) it runs until it is stopped. The
/// board may be changed and freed meanwhile.
///
/// The caller owns the analysis and frees it with alfil_analysis_free.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_engine_start(
    engine: *const Engine,
    board: *const Board,
    limits: In<Limits>,
    out_analysis: Out<*mut Analysis>,
) -> Status {
    guard(|| {
        let out = out_analysis.start("out_analysis", ptr::null_mut())?;
        let engine = find(engine)?;
        let limits = limits_of(limits.optional()?)?;
        out.set(give_analysis(with_board(board, |board| start(&engine.0, board, &limits))?));
        Ok(())
    })
}

/// Searches a position and returns when the search ends. There must be a limit (depth, nodes, time or clock) unless
/// there is a callback. The callback may be NULL; it receives every report until it ends the search.
///
/// `out_move` receives the move to play, ALFIL_NULL_MOVE if there is none, and may be NULL. `out_report` receives the
/// last report of the best line, of those that the callback received, if there is one. It belongs to the caller
/// (alfil_report_free), and may be NULL.
#[unsafe(no_mangle)]
pub extern "C" fn alfil_engine_analyse(
    engine: *const Engine,
    board: *const Board,
    limits: In<Limits>,
    callback: ReportCallback,
    user_data: *mut c_void,
    out_move: Out<RawMove>,
    out_report: Out<*const Report>,
) -> Status {
    guard(|| {
        let out_move = out_move.start_optional(0);
        let out_report = out_report.start_optional(ptr::null());
        let engine = find(engine)?;
        let limits = limits_of(limits.optional()?)?;
        if !limits.has_end() && callback.is_none() {
            let message =
                "the search has no limit: give depth, nodes, time or clock, or a callback that ends it";
            return Err(Error::argument(message));
        }
        let (analysis, mut steps) = with_board(board, |board| match callback {
            Some(callback) => {
                let (analysis, steps) = start_in_steps(&engine.0, board, &limits)?;
                Ok((analysis, Some((callback, steps))))
            }
            None => Ok((start(&engine.0, board, &limits)?, None)),
        })?;
        let mut best = OwnedReport::default();
        // A callback that has ended the search receives no more reports, and those that still come are dropped.
        let mut is_ended = false;
        loop {
            match analysis.next(None)? {
                Next::Report(report) => {
                    let report = OwnedReport(report);
                    if is_ended {
                        continue;
                    }
                    if let Some((callback, next_step)) = &steps {
                        is_ended = callback(report.0, user_data) != 0;
                        if is_ended {
                            analysis.stop();
                        }
                        // The search has ended if it does not wait.
                        let _ = next_step.send(());
                    }
                    if is_ended {
                        steps = None;
                    }
                    if analysis.is_best_line() {
                        best = report;
                    }
                }
                Next::End => break,
                Next::Nothing => {}
            }
        }
        out_move.set(analysis.best_move());
        if out_report.is_wanted() {
            out_report.set(best.into_raw());
        }
        Ok(())
    })
}

/// A report that is freed if it is not given away.
struct OwnedReport(*const Report);

impl Default for OwnedReport {
    fn default() -> Self {
        OwnedReport(ptr::null())
    }
}

impl OwnedReport {
    fn into_raw(mut self) -> *const Report {
        std::mem::replace(&mut self.0, ptr::null())
    }
}

impl Drop for OwnedReport {
    fn drop(&mut self) {
        // A callback that has freed the report left nothing to free.
        let _ = handles::free(self.0.cast_mut().cast(), Kind::Report);
    }
}
