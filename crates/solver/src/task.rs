//! One position to be solved, by all the workers that are lent.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use alfil_kernel::{Bound, Position, Score, SearchControl, SearchInfo};

use super::split_point::SplitPool;
use super::table::{NO_SQUARE, SolverTable};
use super::worker::{SolverWorker, move_from_square};
use super::{Solution, SolveMode};
use alfil_othello::bitboard::Bitboard;
use alfil_othello::board::Board;
use alfil_othello::moves::Move;

/// A position to be solved. Call [`Job::run`] once for each worker, each on a thread of its own; worker 0 leads and
/// brings the solution, the others help it and come back when it is done. A job is run once.
#[derive(Debug)]
pub struct SolveTask {
    pub(super) table: Arc<SolverTable>,
    pub(super) generation: u8,
    pub(super) split_pool: SplitPool,
    pub(super) nodes: AtomicU64,
    stopped: AtomicBool,
    board: Bitboard,
    mode: SolveMode,
    workers: usize,
}

impl SolveTask {
    pub(super) fn new(
        table: Arc<SolverTable>,
        board: Bitboard,
        goal: SolveMode,
        workers: usize,
        age: u8,
    ) -> SolveTask {
        let (market, nodes, stopped) = Default::default();
        SolveTask { table, generation: age, split_pool: market, nodes, stopped, board, mode: goal, workers }
    }

    /// How many workers it was made for.
    pub fn workers(&self) -> usize {
        self.workers
    }

    /// Ends the job: every worker comes back soon, without a solution.
    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    /// Whether the job was stopped, by [`Job::stop`] or by the `control` of any worker.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    /// Lends the job the calling thread. Worker 0 returns the solution, or `None` when it was stopped; it reports each
    /// improvement. Other workers return `None`, when worker 0 is done. A worker that is never run is not missed.
    pub fn run<C: SearchControl<Move>>(&self, worker: usize, control: &mut C) -> Option<Solution> {
        let mut worker_state = SolverWorker::new(self, control);
        if worker > 0 {
            worker_state.help();
            worker_state.flush_node_count();
            return None;
        }
        // Helpers are sent home however the leader ends, be it by a panic of its control.
        let mut closing = CloseGuard { task: self, done: false };
        let solution = self.search_root(&mut worker_state);
        closing.done = true;
        worker_state.flush_node_count();
        solution.map(|solution| Solution { nodes: self.nodes.load(Relaxed), ..solution })
    }

    fn search_root<C: SearchControl<Move>>(&self, worker: &mut SolverWorker<'_, C>) -> Option<Solution> {
        let (alpha, beta) = match self.mode {
            SolveMode::Exact => (-64, 64),
            SolveMode::Outcome => (-1, 1),
        };
        worker.is_reporting = !self.board.is_legal(Move::PASS);
        let (score, _) = worker.pv_search(self.board.mover(), self.board.opponent(), alpha, beta);
        worker.is_reporting = false;
        if worker.cancelled {
            return None;
        }
        let line = self.best_play(worker, score)?;
        self.report(worker, Bound::Exact, score, &line);
        let score = self.score_for_mode(score);
        Some(Solution { mode: self.mode, score, best_move: line.first().copied(), pv: line, nodes: 0 })
    }

    /// A score as the goal tells it.
    fn score_for_mode(&self, score: i32) -> i32 {
        match self.mode {
            SolveMode::Exact => score,
            SolveMode::Outcome => score.signum(),
        }
    }

    /// Reports what is known of the root; the score in hundredths of a disc, as everywhere.
    pub(super) fn report<C: SearchControl<Move>>(
        &self,
        worker: &mut SolverWorker<'_, C>,
        bound: Bound,
        score: i32,
        line: &[Move],
    ) {
        let depth = self.board.empty_squares().len() as u32;
        let (score, full) =
            (Score::from_cp(100 * self.score_for_mode(score)), self.table.hashfull(self.generation));
        let (nodes, rank, effort, stable) = (worker.total_nodes(), 1, 1000, 1);
        let info = SearchInfo {
            depth,
            seldepth: depth,
            score,
            bound,
            nodes,
            pv: line,
            multipv: rank,
            hashfull: full,
            best_move_effort_permille: effort,
            best_move_stability: stable,
        };
        worker.control.report(&info);
    }

    /// Best play from the root on: at each position a move that keeps the score.
    fn best_play<C: SearchControl<Move>>(
        &self,
        worker: &mut SolverWorker<'_, C>,
        mut score: i32,
    ) -> Option<Vec<Move>> {
        let mut board = self.board;
        let mut line = Vec::new();
        while !board.has_no_legal_move() {
            let mv = if board.is_legal(Move::PASS) {
                Move::PASS
            } else {
                let (alpha, beta) = match self.mode {
                    SolveMode::Exact => (score - 1, score + 1),
                    SolveMode::Outcome => (score.signum() - 1, score.signum() + 1),
                };
                let (_, square) = worker.pv_search(board.mover(), board.opponent(), alpha, beta);
                if worker.cancelled || square == NO_SQUARE {
                    return None;
                }
                move_from_square(square)
            };
            board.make(mv, &mut ());
            line.push(mv);
            score = -score;
        }
        Some(line)
    }
}

struct CloseGuard<'a> {
    task: &'a SolveTask,
    done: bool,
}

impl Drop for CloseGuard<'_> {
    fn drop(&mut self) {
        if !self.done {
            self.task.stop();
        }
        self.task.split_pool.close();
    }
}
