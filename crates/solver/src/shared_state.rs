//! The state of a solve task that its workers share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};

use alfil_evaluation::othello::PatternWeights;
use alfil_othello::bitboard::Bitboard;

use crate::selectivity::Level;
use crate::solution::SolveMode;
use crate::split_point::SplitPool;
use crate::table::SolverTable;

/// The position to solve, the table, the split points and the node count of a task.
#[derive(Debug)]
pub(crate) struct SharedState {
    pub(crate) board: Bitboard,
    pub(crate) mode: SolveMode,
    pub(crate) table: Arc<SolverTable>,
    /// The weights of the patterns that order moves.
    pub(crate) weights: Option<Arc<PatternWeights>>,
    /// The generation of this task in the table.
    pub(crate) generation: u8,
    pub(crate) split_pool: SplitPool,
    /// The node count of all workers, as far as they have added theirs.
    pub(crate) nodes: AtomicU64,
    stopped: AtomicBool,
    /// The level of selectivity of the present search. Worker 0 changes it between searches, when no other worker has a
    /// split point.
    level: AtomicU8,
}

impl SharedState {
    pub(crate) fn new(
        board: Bitboard,
        mode: SolveMode,
        table: Arc<SolverTable>,
        weights: Option<Arc<PatternWeights>>,
        generation: u8,
    ) -> Self {
        let (split_pool, nodes, stopped) = Default::default();
        let level = AtomicU8::new(Level::EXACT.0);
        SharedState { board, mode, table, weights, generation, split_pool, nodes, stopped, level }
    }

    /// Stops the task: every worker returns soon without a solution.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    /// Returns the level of selectivity of the present search.
    #[inline]
    pub(crate) fn level(&self) -> Level {
        Level(self.level.load(Relaxed))
    }

    pub(crate) fn set_level(&self, level: Level) {
        self.level.store(level.0, Relaxed);
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }
}
