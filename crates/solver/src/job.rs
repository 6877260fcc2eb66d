//! One position to be solved, by all the workers that are lent.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use alfil_kernel::{Bound, Control, Info, Position};

use super::node::{Worker, put};
use super::split::Market;
use super::table::{NO_SQUARE, Table};
use super::{Goal, Solution};
use alfil_othello::bitboard::Bitboard;
use alfil_othello::board::Board;
use alfil_othello::moves::Move;

/// A position to be solved. Call [`Job::run`] once for each worker, each on a thread of its own; worker 0 leads and
/// brings the solution, the others help it and come back when it is done. A job is run once.
#[derive(Debug)]
pub struct Job {
    pub(super) table: Arc<Table>,
    pub(super) age: u8,
    pub(super) market: Market,
    pub(super) nodes: AtomicU64,
    stopped: AtomicBool,
    board: Bitboard,
    goal: Goal,
    workers: usize,
}

impl Job {
    pub(super) fn new(table: Arc<Table>, board: Bitboard, goal: Goal, workers: usize, age: u8) -> Job {
        let (market, nodes, stopped) = Default::default();
        Job { table, age, market, nodes, stopped, board, goal, workers }
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
    pub fn run<C: Control<Move>>(&self, worker: usize, control: &mut C) -> Option<Solution> {
        let mut worker_state = Worker::new(self, control);
        if worker > 0 {
            worker_state.help();
            worker_state.hand_in();
            return None;
        }
        // Helpers are sent home however the leader ends, be it by a panic of its control.
        let mut closing = Closing { job: self, done: false };
        let solution = self.lead(&mut worker_state);
        closing.done = true;
        worker_state.hand_in();
        solution.map(|solution| Solution { nodes: self.nodes.load(Relaxed), ..solution })
    }

    fn lead<C: Control<Move>>(&self, worker: &mut Worker<'_, C>) -> Option<Solution> {
        let (alpha, beta) = match self.goal {
            Goal::Exact => (-64, 64),
            Goal::Outcome => (-1, 1),
        };
        worker.telling = !self.board.is_legal(Move::PASS);
        let (score, _) = worker.variation(self.board.mover(), self.board.opponent(), alpha, beta);
        worker.telling = false;
        if worker.void {
            return None;
        }
        let line = self.line(worker, score)?;
        self.tell(worker, Bound::Exact, score, &line);
        let score = self.told(score);
        Some(Solution { goal: self.goal, score, best: line.first().copied(), line, nodes: 0 })
    }

    /// A score as the goal tells it.
    fn told(&self, score: i32) -> i32 {
        match self.goal {
            Goal::Exact => score,
            Goal::Outcome => score.signum(),
        }
    }

    /// Reports what is known of the root; the score in hundredths of a disc, as everywhere.
    pub(super) fn tell<C: Control<Move>>(
        &self,
        worker: &mut Worker<'_, C>,
        bound: Bound,
        score: i32,
        line: &[Move],
    ) {
        let depth = self.board.empty().len() as u32;
        let (score, full) = (100 * self.told(score), self.table.full(self.age));
        let (nodes, rank, effort, stable) = (worker.visited(), 1, 1000, 1);
        let info = Info { depth, seldepth: depth, score, bound, nodes, line, rank, full, effort, stable };
        worker.control.report(&info);
    }

    /// Best play from the root on: at each position a move that keeps the score.
    fn line<C: Control<Move>>(&self, worker: &mut Worker<'_, C>, mut score: i32) -> Option<Vec<Move>> {
        let mut board = self.board;
        let mut line = Vec::new();
        while !board.ended() {
            let mv = if board.is_legal(Move::PASS) {
                Move::PASS
            } else {
                let (alpha, beta) = match self.goal {
                    Goal::Exact => (score - 1, score + 1),
                    Goal::Outcome => (score.signum() - 1, score.signum() + 1),
                };
                let (_, square) = worker.variation(board.mover(), board.opponent(), alpha, beta);
                if worker.void || square == NO_SQUARE {
                    return None;
                }
                put(square)
            };
            board.make(mv, &mut ());
            line.push(mv);
            score = -score;
        }
        Some(line)
    }
}

struct Closing<'a> {
    job: &'a Job,
    done: bool,
}

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        if !self.done {
            self.job.stop();
        }
        self.job.market.close();
    }
}
