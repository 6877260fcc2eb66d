//! An exact solver for the end of Othello games.
//!
//! A [`Solver`] owns the table; a [`SolveTask`] solves one position with one or more workers. The crate creates no
//! thread and reads no clock: the caller runs [`SolveTask::run`] on its own threads and stops them by a
//! [`SearchControl`].
//!
//! ```
//! use alfil_kernel::NeverStop;
//! use alfil_othello::{Bitboard, obf};
//! use alfil_solver::{SolveMode, Solver};
//!
//! let text = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X; h5:+6;";
//! let problem = obf::parse(text).unwrap().remove(0);
//! let board = Bitboard::from_setup_unchecked(&problem.setup);
//! let solution = Solver::new(1).solve(&board, SolveMode::Exact, &mut NeverStop).unwrap();
//! assert_eq!((Some(solution.score), solution.best_move), (problem.score, Some(problem.moves[0].0)));
//!
//! // With two threads of the caller:
//! let solver = Solver::new(1);
//! let task = solver.new_task(&board, SolveMode::Exact);
//! let solution = std::thread::scope(|scope| {
//!     scope.spawn(|| task.run(1, &mut NeverStop));
//!     task.run(0, &mut NeverStop)
//! });
//! assert_eq!(solution.unwrap().score, 6);
//! ```

mod move_ordering;
mod params;
mod selectivity;
mod shallow;
mod shallow_table;
mod shared_state;
mod simd;
mod solution;
mod split_point;
mod table;
mod task;
mod worker;

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use alfil_evaluation::othello::PatternWeights;
use alfil_kernel::{Confidence, Oracle, OracleResult, Score, SearchControl};
use alfil_othello::bitboard::Bitboard;
use alfil_othello::board::Board;
use alfil_othello::moves::Move;

pub use solution::{Solution, SolveMode};
pub use task::SolveTask;

use table::SolverTable;

/// A solver with a table that it keeps from one position to the next. Clones share the table.
#[derive(Clone, Debug)]
pub struct Solver {
    table: Arc<SolverTable>,
    weights: Option<Arc<PatternWeights>>,
    generation: Arc<AtomicU8>,
    table_mebibytes: usize,
}

impl Solver {
    /// Creates a solver with a table of at most `mebibytes` MiB, but at least 64 KiB.
    pub fn new(mebibytes: usize) -> Solver {
        let table = Arc::new(SolverTable::new(mebibytes));
        Solver { table, weights: None, generation: Arc::default(), table_mebibytes: mebibytes }
    }

    /// Orders moves by these weights of patterns, which takes a fraction of the nodes.
    #[must_use]
    pub fn with_patterns(self, weights: Option<Arc<PatternWeights>>) -> Solver {
        Solver { weights, ..self }
    }

    /// Creates a task, for any number of workers.
    pub fn new_task(&self, board: &Bitboard, mode: SolveMode) -> SolveTask {
        let generation = self.generation.fetch_add(1, Relaxed).wrapping_add(1);
        SolveTask::new(Arc::clone(&self.table), self.weights.clone(), *board, mode, generation)
    }

    /// Solves a position on the calling thread. Returns `None` if `control` stopped it.
    pub fn solve<C: SearchControl<Move>>(
        &self,
        board: &Bitboard,
        mode: SolveMode,
        control: &mut C,
    ) -> Option<Solution> {
        self.new_task(board, mode).run(0, control)
    }

    /// Returns the size in MiB that the table was created with.
    pub fn table_mebibytes(&self) -> usize {
        self.table_mebibytes
    }

    /// Clears the table.
    pub fn clear(&self) {
        self.table.clear();
    }
}

/// An oracle of the search that solves positions with at most `max_empties` empty squares exactly, and some with more
/// empty squares first selectively. Clones share the table.
#[derive(Clone, Debug)]
pub struct EndgameOracle {
    solver: Solver,
    max_empties: usize,
    max_selective_empties: usize,
    /// The task that one of the clones of a search runs.
    running_task: Arc<Mutex<Option<Arc<SolveTask>>>>,
}

impl EndgameOracle {
    /// Creates an oracle that solves positions with at most `max_empties` empty squares.
    pub fn new(solver: Solver, max_empties: usize) -> Self {
        EndgameOracle { solver, max_empties, max_selective_empties: 0, running_task: Arc::default() }
    }

    /// Solves positions with at most so many empty squares, too, first selectively. Without patterns the solver has no
    /// selective search.
    #[must_use]
    pub fn with_selective_empties(self, max_selective_empties: usize) -> Self {
        EndgameOracle { max_selective_empties, ..self }
    }

    /// Returns the solver.
    pub fn solver(&self) -> &Solver {
        &self.solver
    }

    fn running_task(&self) -> Option<Arc<SolveTask>> {
        self.running_task.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set_running_task(&self, task: Option<Arc<SolveTask>>) {
        *self.running_task.lock().unwrap_or_else(PoisonError::into_inner) = task;
    }
}

/// Ends the running task of an oracle when it is dropped.
struct EndOnDrop<'a>(&'a EndgameOracle);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.0.set_running_task(None);
    }
}

/// The confidences of positions that are first solved selectively.
const CONFIDENCES: [Confidence; 4] =
    [Confidence::Selective(73), Confidence::Selective(95), Confidence::Selective(99), Confidence::Exact];

/// With at most this number of empty squares, a position is solved in some milliseconds.
const QUICK_EMPTIES: usize = 14;

/// The depth of the iteration before which a search tries to solve a position with more empty squares, in plies.
const LATE_START_DEPTH: u32 = 10;

impl<P: Board> Oracle<P> for EndgameOracle {
    fn start_depth(&self, position: &P) -> u32 {
        if position.empty_squares().len() <= QUICK_EMPTIES { 6 } else { LATE_START_DEPTH }
    }

    fn max_plies(&self, position: &P) -> u32 {
        position.empty_squares().len() as u32
    }

    fn confidences(&self, position: &P) -> &'static [Confidence] {
        match position.empty_squares().len() {
            empties if empties <= self.max_empties => &[Confidence::Exact],
            empties if empties <= self.max_selective_empties && self.solver.weights.is_some() => &CONFIDENCES,
            _ => &[],
        }
    }

    fn solve<C: SearchControl<Move>>(
        &mut self,
        position: &P,
        confidence: Confidence,
        control: &mut C,
    ) -> Option<OracleResult<Move>> {
        let empties = position.empty_squares().len();
        if empties > self.max_empties.max(self.max_selective_empties) {
            return None;
        }
        let side = position.side_to_move();
        let board = Bitboard::new(position.discs(side).0, position.discs(!side).0, side);
        let task = Arc::new(self.solver.new_task(&board, SolveMode::Exact).with_confidence(confidence));
        self.set_running_task(Some(Arc::clone(&task)));
        // It is over even if the control panics: the other clones would wait for it for ever.
        let _end = EndOnDrop(self);
        let solution = task.run(0, control)?;
        Some(OracleResult {
            score: Score::from_cp(100 * solution.score),
            mv: solution.best_move,
            depth: empties as u32,
            confidence: solution.confidence,
        })
    }

    fn shared(&self) -> Self {
        EndgameOracle { running_task: Arc::default(), ..self.clone() }
    }

    fn is_solving(&self) -> bool {
        self.running_task().is_some()
    }

    fn help<C: SearchControl<Move>>(&self, thread: usize, control: &mut C) {
        if let Some(task) = self.running_task() {
            task.run(thread, control);
        }
    }
}

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
