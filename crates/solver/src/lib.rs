//! The end of a game, played out exactly.
//!
//! A [`Solver`] owns the table; a [`Job`] is one position to be solved by one worker or several. The room creates no
//! thread and reads no clock: whoever has threads lends them by calling [`Job::run`] on each, and a
//! [`Control`] ends them all.
//!
//! ```
//! use alfil_kernel::{Control, Info};
//! use alfil_othello::{Bitboard, Move, obf};
//! use alfil_solver::{Goal, Solver};
//!
//! struct Patience;
//! impl Control<Move> for Patience {
//!     fn stop(&mut self, _: u64) -> bool { false }
//!     fn report(&mut self, _: &Info<'_, Move>) {}
//! }
//!
//! let text = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X; h5:+6;";
//! let problem = obf::read(text).unwrap().remove(0);
//! let board = Bitboard::of(&problem.setup);
//! let solution = Solver::new(1).solve(&board, Goal::Exact, &mut Patience).unwrap();
//! assert_eq!((Some(solution.score), solution.best), (problem.score, Some(problem.moves[0].0)));
//!
//! // The same on two threads of the caller's.
//! let solver = Solver::new(1);
//! let job = solver.job(&board, Goal::Exact, 2);
//! let solution = std::thread::scope(|scope| {
//!     scope.spawn(|| job.run(1, &mut Patience));
//!     job.run(0, &mut Patience)
//! });
//! assert_eq!(solution.unwrap().score, 6);
//! ```

pub(crate) mod move_ordering;
pub(crate) mod params;
pub(crate) mod shallow;
mod simd;
mod split_point;
mod table;
mod task;
mod worker;

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use alfil_kernel::{ExactResult, Oracle, Score, SearchControl};

pub use task::SolveTask;

use alfil_othello::bitboard::Bitboard;
use alfil_othello::board::Board;
use alfil_othello::moves::Move;
use table::SolverTable;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SolveMode {
    /// The final difference in discs.
    Exact,
    /// Who wins, or that nobody does; many times faster.
    Outcome,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// What was asked.
    pub mode: SolveMode,
    /// For the side to move. [`Goal::Exact`]: the final difference in discs, empty squares given to the winner.
    /// [`Goal::Outcome`]: 1 for a win, 0 for a draw, -1 for a loss.
    pub score: i32,
    /// A move that reaches it; none where the game is over.
    pub best_move: Option<Move>,
    /// Best play from there to the end of the game, passes included, `best` first.
    pub pv: Vec<Move>,
    /// Positions visited by all workers.
    pub nodes: u64,
}

/// Solves positions, and remembers what it learnt from one to the next. Clones share the memory.
#[derive(Clone, Debug)]
pub struct Solver {
    table: Arc<SolverTable>,
    generation: Arc<AtomicU8>,
}

impl Solver {
    /// A solver with a table of at most so many MiB, at least 64 KiB.
    pub fn new(mebibytes: usize) -> Solver {
        Solver { table: Arc::new(SolverTable::new(mebibytes)), generation: Arc::default() }
    }

    /// A job for `workers` workers; at least one.
    pub fn new_task(&self, board: &Bitboard, goal: SolveMode, workers: usize) -> SolveTask {
        let age = self.generation.fetch_add(1, Relaxed).wrapping_add(1);
        SolveTask::new(Arc::clone(&self.table), *board, goal, workers.max(1), age)
    }

    /// Solves a position on the calling thread. `None` when `control` stopped it.
    pub fn solve<C: SearchControl<Move>>(
        &self,
        board: &Bitboard,
        goal: SolveMode,
        control: &mut C,
    ) -> Option<Solution> {
        self.new_task(board, goal, 1).run(0, control)
    }

    /// Forgets what was learnt.
    pub fn clear(&self) {
        self.table.clear();
    }
}

/// An oracle of the search: it solves positions with at most `max_empties` empty squares.
#[derive(Clone, Debug)]
pub struct EndgameOracle {
    solver: Solver,
    max_empties: usize,
}

impl EndgameOracle {
    /// Makes an oracle that solves positions with at most `max_empties` empty squares.
    pub fn new(solver: Solver, max_empties: usize) -> Self {
        EndgameOracle { solver, max_empties }
    }
}

impl<P: Board> Oracle<P> for EndgameOracle {
    fn solve<C: SearchControl<Move>>(&mut self, position: &P, control: &mut C) -> Option<ExactResult<Move>> {
        let empties = position.empty_squares().len();
        if empties > self.max_empties {
            return None;
        }
        let side = position.side_to_move();
        let board = Bitboard::new(position.discs(side).0, position.discs(!side).0, side);
        let solution = self.solver.solve(&board, SolveMode::Exact, control)?;
        Some(ExactResult {
            score: Score::from_cp(100 * solution.score),
            mv: solution.best_move,
            depth: empties as u32,
        })
    }
}
