//! The classes of Othello.

use std::sync::atomic::{AtomicBool, Ordering};

use alfil_evaluation::nets;
use alfil_kernel::{NeverStop, SearchControl, SearchInfo, Side};
use alfil_othello::{Bitboard, Board as _, Ruleset};
use alfil_session::{Workers as _, format_result};
use alfil_solver::{Solution, SolveMode, Solver};

use crate::board_class::board_classes;
use crate::pickles::{self, Pickled};
use crate::results::PyOutcome;

/// The number of rows.
pub(crate) const RANKS: usize = 8;

/// The size of the solver's table in MiB, and that for few empty squares, where a large one takes longer to allocate
/// than the position to solve.
const TABLE_MIB: usize = 64;
const SMALL_TABLE_MIB: usize = 2;
const SMALL_TABLE_MAX_EMPTIES: usize = 18;

/// Stops the solver when the flag is set.
struct StopFlag<'a>(&'a AtomicBool);

impl SearchControl<alfil_othello::Move> for StopFlag<'_> {
    fn is_stopped(&mut self, _nodes: u64) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn report(&mut self, _info: &SearchInfo<'_, alfil_othello::Move>) {}
}

/// Solves a position; none if the flag was set meanwhile.
fn solve(board: &Bitboard, mode: SolveMode, threads: usize, stop: &AtomicBool) -> Option<Solution> {
    let is_small = board.empty_squares().len() <= SMALL_TABLE_MAX_EMPTIES;
    let solver = Solver::new(if is_small { SMALL_TABLE_MIB } else { TABLE_MIB });
    let task = solver.with_patterns(Some(nets::othello())).new_task(board, mode);
    let mut solution = None;
    let help = |worker: usize| drop(task.run(worker, &mut NeverStop));
    alfil_engine::threads::SystemThreads.run(
        threads - 1,
        &mut || solution = task.run(0, &mut StopFlag(stop)),
        &help,
    );
    solution
}

/// The exact solution of a position.
#[pyclass(name = "Solution", module = "alfil.othello", frozen, get_all)]
#[derive(Debug)]
pub(crate) struct PySolution {
    /// The final score for the side to move in discs; 1, 0 or -1 if only the outcome was requested.
    score: i32,
    /// The best line to the end of the game.
    pv: Vec<Move>,
    /// The number of positions visited.
    nodes: u64,
}

impl PySolution {
    /// Makes the object of its pickled state.
    pub(crate) fn from_state(state: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let (score, pv, nodes): (_, Vec<PyRef<'_, Move>>, _) = state.extract()?;
        Ok(PySolution { score, pv: pv.iter().map(|mv| **mv).collect(), nodes })
    }
}

#[pymethods]
impl PySolution {
    /// The best move; None if the game is over.
    #[getter]
    fn best_move(&self) -> Option<Move> {
        self.pv.first().copied()
    }

    fn __repr__(&self) -> String {
        let line: Vec<_> = self.pv.iter().map(Move::text).collect();
        format!("<Solution {:+} {}>", self.score, line.join(" "))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        pickles::pickled(py, "Solution", (self.score, self.pv.clone(), self.nodes))
    }
}

board_classes!(Bitboard, "alfil.othello", "Othello", {
    /// Returns the end of the game; None if it continues.
    fn outcome(&self) -> Option<PyOutcome> {
        self.0.end(&Ruleset::default())
    }

    /// Returns whether the game is over: `outcome` is not None.
    fn is_game_over(&self) -> bool {
        self.0.history().position().has_no_legal_move()
    }

    /// Returns `1-0`, `0-1` or `1/2-1/2`, or `*` if the game continues.
    fn result(&self) -> &'static str {
        self.outcome().map_or(format_result(None), |outcome| outcome.result())
    }

    /// Returns the number of discs of Black and of White.
    fn discs(&self) -> (usize, usize) {
        let position = self.0.history().position();
        (position.discs(Side::First).len(), position.discs(Side::Second).len())
    }

    /// Solves the position exactly; with `outcome_only` only who wins. Other Python threads run meanwhile, and
    /// Ctrl-C ends the solver.
    #[pyo3(signature = (*, threads=1, outcome_only=false))]
    fn solve(
        slf: &Bound<'_, Self>,
        #[pyo3(from_py_with = crate::numbers::number)] threads: usize,
        outcome_only: bool,
    ) -> PyResult<PySolution> {
        let threads = crate::limits::check_threads(threads)?;
        let position = *slf.borrow().0.history().position();
        let mode = if outcome_only { SolveMode::Outcome } else { SolveMode::Exact };
        let solution = crate::interrupt::run(slf.py(), |stop| solve(&position, mode, threads, stop))?
            .ok_or_else(|| pyo3::exceptions::PyKeyboardInterrupt::new_err(()))?;
        let pv = solution.pv.into_iter().map(|mv| Move(Some(mv))).collect();
        Ok(PySolution { score: solution.score, pv, nodes: solution.nodes })
    }
});
