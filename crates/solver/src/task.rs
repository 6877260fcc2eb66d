//! Solve tasks: one position, solved by one or more workers.

use std::sync::Arc;

use alfil_evaluation::othello::PatternWeights;
use alfil_kernel::{Bound, Confidence, Position, SearchControl};
use alfil_othello::bitboard::Bitboard;
use alfil_othello::board::Board as _;
use alfil_othello::moves::Move;

use crate::params::{MIN_GUESS_EMPTIES, MIN_PRELIMINARY_EMPTIES, MIN_SELECTIVE_EMPTIES};
use crate::selectivity::{Level, PRELIMINARY_LEVELS};
use crate::shared_state::SharedState;
use crate::solution::{Solution, SolveMode};
use crate::table::{NO_SQUARE, SolverTable};
use crate::worker::{SolverWorker, move_from_square};

/// A position to be solved.
///
/// The caller runs a task once: it calls [`SolveTask::run`] for each worker, each on a thread of its own. Worker 0
/// returns the solution; the other workers help it and return when it has finished.
#[derive(Debug)]
pub struct SolveTask {
    shared: SharedState,
    /// The level of the last search.
    target: Level,
}

impl SolveTask {
    pub(crate) fn new(
        table: Arc<SolverTable>,
        weights: Option<Arc<PatternWeights>>,
        board: Bitboard,
        mode: SolveMode,
        generation: u8,
    ) -> SolveTask {
        SolveTask { shared: SharedState::new(board, mode, table, weights, generation), target: Level::EXACT }
    }

    /// Ends with the last selective search of at most this confidence. The solution of a task without patterns, or
    /// with few empty squares, is exact all the same, because that takes no longer.
    #[must_use]
    pub fn with_confidence(self, confidence: Confidence) -> SolveTask {
        let is_selective =
            self.shared.weights.is_some() && self.shared.board.empty_squares().len() >= MIN_SELECTIVE_EMPTIES;
        let target = if is_selective { Level::of(confidence) } else { Level::EXACT };
        SolveTask { target, ..self }
    }

    /// Stops the task: every worker returns soon without a solution.
    pub fn stop(&self) {
        self.shared.stop();
    }

    /// Returns whether the task was stopped, by [`SolveTask::stop`] or by the search control of any worker.
    pub fn is_stopped(&self) -> bool {
        self.shared.is_stopped()
    }

    /// Runs a worker on the calling thread. Worker 0 reports each improvement and returns the solution, or `None` if
    /// the task was stopped. Other workers return `None` when worker 0 has finished. Worker 0 does not depend on them.
    pub fn run<C: SearchControl<Move>>(&self, worker_index: usize, control: &mut C) -> Option<Solution> {
        let mut worker = SolverWorker::new(&self.shared, control);
        if worker_index > 0 {
            worker.help();
            worker.flush_node_count();
            return None;
        }
        // The guard releases the helpers even if the control of worker 0 panics.
        let mut guard = CloseGuard { shared: &self.shared, finished: false };
        let solution = self.solve_root(&mut worker);
        guard.finished = true;
        worker.flush_node_count();
        solution.map(|solution| Solution { nodes: worker.total_nodes(), ..solution })
    }

    fn solve_root<C: SearchControl<Move>>(&self, worker: &mut SolverWorker<'_, C>) -> Option<Solution> {
        let SharedState { board, mode, .. } = &self.shared;
        let limits = match mode {
            SolveMode::Exact => (-64, 64),
            SolveMode::Outcome => (-1, 1),
        };
        let empties = board.empty_squares().len();
        let mut guess = None;
        if empties >= MIN_GUESS_EMPTIES {
            guess = worker.guess(board.mover(), board.opponent());
        }
        if guess.is_some() {
            for (level, min_empties) in PRELIMINARY_LEVELS.into_iter().zip(MIN_PRELIMINARY_EMPTIES) {
                if level < self.target && (empties >= min_empties || self.target < Level::EXACT) {
                    self.shared.set_level(level);
                    guess = Some(self.search_around(worker, guess, limits));
                }
            }
        }
        self.shared.set_level(self.target);
        worker.is_reporting = !board.is_legal(Move::PASS);
        let score = self.search_around(worker, guess, limits);
        // The bounds of selective searches may be odd, and scores of finished games are even.
        let score = if *mode == SolveMode::Exact { score - score % 2 } else { score };
        worker.is_reporting = false;
        if worker.cancelled {
            return None;
        }
        let pv = self.best_play(worker, score)?;
        worker.report(Bound::Exact, score, &pv);
        let (score, best_move) = (mode.report_score(score), pv.first().copied());
        let confidence = self.target.confidence();
        Some(Solution { mode: *mode, score, confidence, best_move, pv, nodes: 0 })
    }

    /// Returns the score within the limits, by searches with windows around a guess.
    fn search_around<C: SearchControl<Move>>(
        &self,
        worker: &mut SolverWorker<'_, C>,
        guess: Option<i32>,
        (low, high): (i32, i32),
    ) -> i32 {
        let SharedState { board, .. } = &self.shared;
        let (mut alpha, mut beta) = match guess {
            Some(guess) => ((guess - 1).clamp(low, high - 1), (guess + 1).clamp(low + 1, high)),
            None => (low, high),
        };
        // Proven bounds; those of selective searches may contradict each other.
        let (mut lower, mut upper) = (low, high);
        let mut width = 1;
        loop {
            let (score, _) = worker.pv_search(board.mover(), board.opponent(), alpha, beta);
            width *= 2;
            if score <= alpha {
                upper = upper.min(score);
                if worker.is_reporting && !worker.cancelled {
                    worker.report(Bound::Upper, score, &[]);
                }
                (alpha, beta) = ((score - width + 1).max(low), score + 1);
            } else if score >= beta {
                lower = lower.max(score);
                (alpha, beta) = (score - 1, (score + width - 1).min(high));
            } else {
                return score;
            }
            if worker.cancelled || lower >= upper {
                return score;
            }
        }
    }

    /// Returns best play from the root to the end of the game: in each position a move that keeps the score.
    fn best_play<C: SearchControl<Move>>(
        &self,
        worker: &mut SolverWorker<'_, C>,
        mut score: i32,
    ) -> Option<Vec<Move>> {
        let mut board = self.shared.board;
        let mut pv = Vec::new();
        while !board.has_no_legal_move() {
            let mv = if board.is_legal(Move::PASS) {
                Move::PASS
            } else {
                let target = self.shared.mode.report_score(score);
                let (_, square) = worker.pv_search(board.mover(), board.opponent(), target - 1, target + 1);
                if worker.cancelled || square == NO_SQUARE {
                    return None;
                }
                move_from_square(square)
            };
            board.make(mv, &mut ());
            pv.push(mv);
            score = -score;
        }
        Some(pv)
    }
}

/// Closes the split pool when worker 0 ends, and stops the task if it has not finished.
struct CloseGuard<'a> {
    shared: &'a SharedState,
    finished: bool,
}

impl Drop for CloseGuard<'_> {
    fn drop(&mut self) {
        if !self.finished {
            self.shared.stop();
        }
        self.shared.split_pool.close();
    }
}
