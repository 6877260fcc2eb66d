//! A search as plain data and an object-safe task: this crate describes it, and its caller runs it, on threads and with
//! a clock of its own.

use alfil_kernel::{Bound, Confidence};
use alfil_search::{ParamValue, SKILL_LEVELS};

use crate::time_budget::TimeBudget;
use crate::workers::Workers;
use std::sync::Arc;
use std::time::Duration;

/// The evaluation of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum EvaluationChoice {
    /// The built-in network; the hand-made terms in a game without one, and on WebAssembly, where networks are files of
    /// their own.
    #[default]
    BuiltIn,
    /// The hand-made terms.
    Terms,
    /// The network of a file, by the bytes of the file.
    Network(Arc<[u8]>),
}

/// The memory, threads and parameters of the searches of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResources {
    /// Size of the transposition table, in MiB.
    pub hash_mib: usize,
    /// The number of threads that search one position; 0 is taken as 1.
    pub threads: usize,
    /// Values of search parameters in place of those of the game, for tuning.
    pub params: Vec<ParamValue>,
}

impl Default for SearchResources {
    fn default() -> Self {
        SearchResources { hash_mib: 32, threads: 1, params: Vec::new() }
    }
}

/// The limits of a search. The first one that is reached ends it; without any, only a stop request does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SearchLimits {
    /// The maximum depth, in plies. A skill level may search less deeply.
    pub depth: Option<u32>,
    /// The maximum number of nodes.
    pub nodes: Option<u64>,
    /// The number of nodes after which no further iteration begins, so that every move is that of a finished iteration.
    /// With several threads, the nodes of the first one.
    pub soft_nodes: Option<u64>,
    /// The maximum time since the start of the search.
    pub time: Option<Duration>,
    /// The number of nodes that are searched even if the time is over, for machines under load.
    pub min_nodes: u64,
    /// The skill level from 1 to 10; `None` for full strength.
    pub level: Option<u32>,
    /// The seed of the random choices of a skill level.
    pub seed: u64,
    /// The number of best lines at full strength; 0 is taken as 1.
    pub multipv: usize,
    /// A forced win in this number of moves ends the search, and so does the proof that there is none.
    pub mate_in_moves: Option<u32>,
    /// The only root moves to search, in the default dialect; empty for all.
    pub search_moves: Vec<String>,
    /// Root moves not to search, in the default dialect.
    pub excluded_moves: Vec<String>,
    /// The time budget that the clock of the game allows.
    pub time_budget: Option<TimeBudget>,
    /// Whether a move of the opening book is played at once.
    pub uses_book: bool,
    /// The search starts on the opponent's time; its own time starts with a ponder hit.
    pub ponder: bool,
}

impl SearchLimits {
    /// Returns whether one of the limits must end the search soon. It may take ages to prove that there is no mate.
    ///
    /// ```
    /// use alfil_session::SearchLimits;
    ///
    /// assert!(SearchLimits { nodes: Some(1_000), ..SearchLimits::default() }.has_end());
    /// assert!(!SearchLimits { mate_in_moves: Some(3), ..SearchLimits::default() }.has_end());
    /// // A level below the highest one has a depth limit of its own.
    /// assert!(SearchLimits { level: Some(3), ..SearchLimits::default() }.has_end());
    /// assert!(!SearchLimits { level: Some(10), ..SearchLimits::default() }.has_end());
    /// ```
    pub fn has_end(&self) -> bool {
        let is_below_full_strength = self.level.is_some_and(|level| level < SKILL_LEVELS);
        let has_limit = self.depth.is_some() || self.nodes.is_some() || self.time.is_some();
        has_limit || self.time_budget.is_some() || is_below_full_strength
    }
}

/// The state of a search after an iteration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SearchReport {
    /// The number of this line among several, from 1.
    pub multipv: u32,
    /// The depth of the iteration, in plies.
    pub depth: u32,
    /// The greatest depth reached in it, in plies.
    pub seldepth: u32,
    /// In centipawns (hundredths of a disc), from the view of the side to move.
    pub score: i32,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// The number of plies to a forced end; positive if the side to move wins.
    pub mate_plies: Option<i32>,
    /// The number of nodes searched by all threads.
    pub nodes: u64,
    /// The part of the transposition table in use, in permille.
    pub hashfull: u32,
    /// The best line, in the default dialect.
    pub pv: Vec<String>,
    /// The part of the nodes below the best move, in permille.
    pub best_move_effort_permille: u32,
    /// The number of iterations in a row that found the same best move.
    pub best_move_stability: u32,
    /// How far the score has fallen since the last move and since four iterations before, in centipawns; `None` if the
    /// search does not measure it.
    pub score_fall_cp: Option<i32>,
    /// The number of root moves that are finished, from a solver; `None` from a search, which reports whole iterations.
    pub root_moves_done: Option<u32>,
    /// How sure the score, or the bound, is as that of the end of the game; `None` from a search that does not reach
    /// it.
    pub confidence: Option<Confidence>,
    /// Whether this is a move of the opening book; depth and nodes are then 0, and this is the only report.
    pub is_book: bool,
}

impl SearchReport {
    /// Returns whether the score is the solved one of the end of the game. A bound of an exact search is none.
    pub fn is_exact(&self) -> bool {
        self.bound == Bound::Exact && self.confidence == Some(Confidence::Exact)
    }
}

/// The caller's side of a running search: it can stop the search and receives its reports.
///
/// ```
/// use alfil_session::{CurrentThread, SearchLimits, SearchMonitor, SearchReport, registry};
///
/// /// Keeps the last best line, and stops after a number of nodes.
/// struct LastLine(Vec<String>);
/// impl SearchMonitor for LastLine {
///     fn is_stopped(&mut self, nodes: u64) -> bool {
///         nodes >= 20_000
///     }
///     fn on_report(&mut self, report: SearchReport) {
///         self.0 = report.pv;
///     }
/// }
///
/// let session = registry::open("chess", None)?;
/// let mut monitor = LastLine(Vec::new());
/// let outcome = session.search_task(&SearchLimits::default())?.run(&CurrentThread, &mut monitor);
/// assert_eq!(outcome.best_move.as_ref(), monitor.0.first());
/// # Ok::<(), alfil_session::SessionError>(())
/// ```
pub trait SearchMonitor: Send {
    /// Returns whether the search must stop now, after this number of nodes.
    fn is_stopped(&mut self, nodes: u64) -> bool;
    /// Receives the report of an iteration.
    fn on_report(&mut self, report: SearchReport);
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchOutcome {
    /// The move to play, in the default dialect; `None` where there is no legal move among those allowed.
    pub best_move: Option<String>,
    /// The message of the internal error that ended the search early. `best_move` is then the best one found before, or
    /// any legal move.
    pub failure: Option<String>,
}

/// A search of one position, ready to run on any thread.
pub trait SearchTask: Send {
    /// Runs the search on this thread, with helpers from `workers`, and returns its result.
    fn run(self: Box<Self>, workers: &dyn Workers, monitor: &mut dyn SearchMonitor) -> SearchOutcome;
}
