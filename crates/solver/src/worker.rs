//! The search with the table: principal variation search to the end of the game, and null-window search down to
//! `MIN_TABLE_EMPTIES` empty squares, below which `shallow` searches.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use alfil_kernel::{Bound, Score, SearchControl, SearchInfo};
use alfil_othello::bitboard::simd::Isa;
use alfil_othello::board::Board;
use alfil_othello::moves::Move;
use alfil_othello::square::Square;
use alfil_othello::stability::count_stable;

use crate::move_ordering::{MoveOrdering, ScoredMove};
use crate::params::{
    GUESS_DEPTH, MIN_ETC_EMPTIES, MIN_SPLIT_EMPTIES, MIN_TABLE_EMPTIES, POLL_INTERVAL_NODES,
    min_stability_alpha, ordering_depth,
};
use crate::selectivity::{Level, ProbCutSearch};
use crate::shallow::{NEGATIVE_INFINITY, ShallowState, final_score};
use crate::shared_state::SharedState;
use crate::simd;
use crate::split_point::SplitPoint;
use crate::table::{NO_SQUARE, SolverEntry, WindowResult};

/// A worker of a task.
pub(crate) struct SolverWorker<'a, C> {
    shared: &'a SharedState,
    control: &'a mut C,
    isa: Isa,
    /// The search of the last empty squares, with the number of nodes of both searches.
    shallow: ShallowState,
    /// The part of the node count that is already added to the shared count.
    flushed_nodes: u64,
    nodes_until_poll: u32,
    /// The moves of all nodes from the root to the current node.
    move_stack: Vec<ScoredMove>,
    /// The split point that this worker is searching.
    split: Option<Arc<SplitPoint>>,
    /// Whether the current search is cancelled. All results are then invalid until the worker takes new work.
    pub(crate) cancelled: bool,
    /// Whether the worker reports finished moves of the root.
    pub(crate) is_reporting: bool,
    /// The number of root moves that the current search has finished.
    root_moves_done: u32,
}

impl<'a, C: SearchControl<Move>> SolverWorker<'a, C> {
    pub(crate) fn new(shared: &'a SharedState, control: &'a mut C) -> Self {
        SolverWorker {
            shared,
            control,
            isa: Isa::detect(),
            shallow: ShallowState::new(),
            flushed_nodes: 0,
            nodes_until_poll: 1,
            move_stack: Vec::with_capacity(1024),
            split: None,
            cancelled: false,
            is_reporting: false,
            root_moves_done: 0,
        }
    }

    /// Counts a node and polls regularly whether to stop.
    fn visit(&mut self) {
        self.shallow.nodes += 1;
        self.nodes_until_poll -= 1;
        if self.nodes_until_poll == 0 {
            self.nodes_until_poll = POLL_INTERVAL_NODES;
            if self.control.is_stopped(self.total_nodes()) {
                self.shared.stop();
            }
            self.cancelled |= self.shared.is_stopped();
        }
        if let Some(split) = &self.split {
            self.cancelled |= split.is_cancelled();
        }
    }

    /// Searches a position with the null window (`alpha`, `alpha + 1`) in discs. A result above `alpha` is a lower
    /// bound of the score, any other result an upper bound.
    pub(crate) fn null_window_search(&mut self, mover: u64, opponent: u64, alpha: i32) -> i32 {
        let empties = (mover | opponent).count_zeros();
        if empties < MIN_TABLE_EMPTIES {
            return simd::search_shallow(self.isa, mover, opponent, alpha, &mut self.shallow);
        }
        self.shared.table.prefetch(mover, opponent);
        // 1. Stop check.
        self.visit();
        if self.cancelled {
            return alpha;
        }
        // 2. Stability cutoff: the opponent keeps its stable discs.
        if alpha >= min_stability_alpha(empties) {
            let max_score = 64 - 2 * count_stable(opponent, mover) as i32;
            if max_score <= alpha {
                return max_score;
            }
        }
        // 3. A pass, or the end of the game.
        let mobility = self.isa.mobility(mover, opponent);
        if mobility == 0 {
            if self.isa.mobility(opponent, mover) == 0 {
                return final_score(mover, opponent);
            }
            return -self.null_window_search(opponent, mover, -alpha - 1);
        }
        // 4. Table cutoff.
        let entry = self.shared.table.probe(mover, opponent);
        let level = self.shared.level();
        if let Some(entry) = entry.filter(|entry| entry.level >= level) {
            if entry.lower > alpha {
                return entry.lower;
            }
            if entry.upper <= alpha {
                return entry.upper;
            }
        }
        // 5. Multi-ProbCut.
        if let Some(score) = self.prob_cut(mover, opponent, alpha, level) {
            return score;
        }
        // 6. The best move of the table, before the others are scored.
        let nodes_before = self.shallow.nodes;
        let hash_moves = entry.map_or([NO_SQUARE; 2], |entry| entry.best_moves);
        let mut best = (NEGATIVE_INFINITY, NO_SQUARE);
        let mut rest = mobility;
        if hash_moves[0] != NO_SQUARE {
            let square = hash_moves[0];
            rest &= !(1 << square);
            let flipped = self.isa.flips(mover, opponent, square as usize);
            let (next, other) = (opponent ^ flipped, mover | flipped | 1 << square);
            best = (-self.null_window_search(next, other, -alpha - 1), square);
        }
        // 7. The other moves, with an enhanced transposition cutoff before them.
        if rest != 0 && best.0 <= alpha && !self.cancelled {
            let first = self.move_stack.len();
            let ordering = MoveOrdering {
                weights: self.shared.weights.as_deref(),
                depth: ordering_depth(empties),
                hash_moves,
                table: (empties >= MIN_ETC_EMPTIES).then_some(&*self.shared.table),
            };
            simd::score_moves(self.isa, &ordering, (mover, opponent), rest, &mut self.move_stack);
            best = match self.enhanced_transposition_cutoff(first, empties, alpha) {
                Some(best) => best,
                None => self.search_younger_brothers(first, empties, alpha, best),
            };
            self.move_stack.truncate(first);
        }
        // 8. Table store.
        if !self.cancelled {
            let (score, best_move) = best;
            let cost = log2_cost(self.shallow.nodes - nodes_before);
            let result = WindowResult { alpha, beta: alpha + 1, score, best_move, cost, level };
            self.shared.table.store((mover, opponent), result, self.shared.generation);
        }
        best.0
    }

    /// Returns a bound of the score that a search of less depth makes likely enough for a level of selectivity.
    fn prob_cut(&self, mover: u64, opponent: u64, alpha: i32, level: Level) -> Option<i32> {
        let weights = self.shared.weights.as_deref()?;
        let ProbCutSearch { depth, margin } = level.prob_cut_search((mover | opponent).count_zeros())?;
        let search = |depth, alpha| {
            simd::pattern_search(self.isa, weights, (mover, opponent), depth, alpha, alpha + 1)
        };
        // The static score says on which side of the window a cutoff may be.
        let (low, high) = (100 * alpha - margin, 100 * (alpha + 1) + margin);
        if search(0, 0) > 100 * alpha + 50 {
            (search(depth, high - 1) >= high).then_some(alpha + 1)
        } else {
            (search(depth, low) <= low).then_some(alpha)
        }
    }

    /// Returns a move whose table entry causes a cutoff, with its score: enhanced transposition cutoff (A. Plaat and
    /// others, 1996).
    fn enhanced_transposition_cutoff(&self, first: usize, empties: u32, alpha: i32) -> Option<(i32, u8)> {
        if empties < MIN_ETC_EMPTIES {
            return None;
        }
        self.move_stack[first..].iter().find_map(|child| {
            let entry = self.shared.table.probe(child.mover, child.opponent)?;
            (entry.level >= self.shared.level() && -entry.upper > alpha)
                .then_some((-entry.upper, child.square))
        })
    }

    /// Searches the moves from `first` on in a null window and returns the best score and square. If workers are idle
    /// after the first move, they share the other moves.
    fn search_younger_brothers(
        &mut self,
        first: usize,
        empties: u32,
        alpha: i32,
        mut best: (i32, u8),
    ) -> (i32, u8) {
        let end = self.move_stack.len();
        for index in first..end {
            if best.1 != NO_SQUARE
                && empties >= MIN_SPLIT_EMPTIES
                && end - index > 1
                && self.shared.split_pool.has_idle_workers()
            {
                let shared = self.search_split(index, alpha);
                return if shared.0 > best.0 { shared } else { best };
            }
            let child = self.pick_best(index, end);
            let score = -self.null_window_search(child.mover, child.opponent, -alpha - 1);
            if self.cancelled {
                break;
            }
            if score > best.0 {
                best = (score, child.square);
                if score > alpha {
                    break;
                }
            }
        }
        best
    }

    /// Moves the move with the highest score among those from `start` on to the front and returns it.
    fn pick_best(&mut self, start: usize, end: usize) -> ScoredMove {
        // Of equal scores the first, so that one worker is deterministic.
        let rest = &self.move_stack[start..end];
        let best = (0..rest.len()).rev().max_by_key(|&i| rest[i].score).expect("at least one move remains");
        self.move_stack[start..=start + best].rotate_right(1);
        self.move_stack[start]
    }

    /// Searches the moves from `start` on together with idle workers.
    fn search_split(&mut self, start: usize, alpha: i32) -> (i32, u8) {
        let mut moves = self.move_stack[start..].to_vec();
        moves.sort_by_key(|child| core::cmp::Reverse(child.score));
        let split = SplitPoint::new(moves, alpha, self.split.clone());
        self.shared.split_pool.add(&split);
        let parent = self.split.replace(Arc::clone(&split));
        self.search_split_moves();
        self.shared.split_pool.remove(&split);
        while let Some(below) = self.shared.split_pool.join_split_below(&split) {
            self.help_with(below);
        }
        self.split = parent;
        self.cancelled =
            self.shared.is_stopped() || self.split.as_ref().is_some_and(|split| split.is_cancelled());
        split.best().unwrap_or((NEGATIVE_INFINITY, NO_SQUARE))
    }

    /// Searches moves of the current split point until none remains.
    fn search_split_moves(&mut self) {
        let Some(split) = self.split.clone() else { return };
        while let Some(child) = split.next_move() {
            let score = -self.null_window_search(child.mover, child.opponent, -split.alpha - 1);
            if self.cancelled {
                return;
            }
            split.record_result(score, child.square);
        }
    }

    /// Helps other workers until the task is finished.
    pub(crate) fn help(&mut self) {
        while let Some(split) = self.shared.split_pool.join_split() {
            self.help_with(split);
        }
    }

    /// Searches moves of a split point that this worker has joined.
    fn help_with(&mut self, split: Arc<SplitPoint>) {
        let mut guard = HelperGuard { shared: self.shared, split: &split, finished: false };
        self.cancelled = self.shared.is_stopped();
        self.split = Some(Arc::clone(&split));
        self.search_split_moves();
        self.split = None;
        // The count must be complete before the owner stops waiting for this helper.
        self.flush_node_count();
        guard.finished = true;
    }

    /// Returns the score in discs, or a bound of it outside the window, and the square of the best move; `NO_SQUARE` if
    /// there is none. Principal variation search (T. Marsland and M. Campbell, 1982).
    pub(crate) fn pv_search(&mut self, mover: u64, opponent: u64, mut alpha: i32, beta: i32) -> (i32, u8) {
        self.visit();
        if self.cancelled {
            return (alpha, NO_SQUARE);
        }
        let mobility = self.isa.mobility(mover, opponent);
        if mobility == 0 {
            if self.isa.mobility(opponent, mover) == 0 {
                return (final_score(mover, opponent), NO_SQUARE);
            }
            return (-self.pv_search(opponent, mover, -beta, -alpha).0, NO_SQUARE);
        }
        let entry = self.shared.table.probe(mover, opponent);
        let level = self.shared.level();
        if let Some(SolverEntry { lower, upper, best_moves: [best, _], .. }) =
            entry.filter(|entry| entry.level >= level)
            && best != NO_SQUARE
        {
            if lower >= beta || lower == upper {
                return (lower, best);
            }
            if upper <= alpha {
                return (upper, best);
            }
        }
        let (nodes_before, first, initial_alpha) = (self.shallow.nodes, self.move_stack.len(), alpha);
        let empties = (mover | opponent).count_zeros();
        let hash_moves = entry.map_or([NO_SQUARE; 2], |entry| entry.best_moves);
        let ordering = MoveOrdering {
            weights: self.shared.weights.as_deref(),
            depth: ordering_depth(empties) + 1,
            hash_moves,
            table: None,
        };
        simd::score_moves(self.isa, &ordering, (mover, opponent), mobility, &mut self.move_stack);
        let mut best = (NEGATIVE_INFINITY, NO_SQUARE);
        for index in first..self.move_stack.len() {
            let child = self.pick_best(index, self.move_stack.len());
            let mut score = NEGATIVE_INFINITY;
            if index > first {
                score = -self.null_window_search(child.mover, child.opponent, -alpha - 1);
            }
            if index == first || (score > alpha && score < beta) {
                score = -self.pv_search(child.mover, child.opponent, -beta, -alpha).0;
            }
            if self.cancelled {
                break;
            }
            let is_root = first == 0;
            if is_root && self.is_reporting {
                self.root_moves_done = (index + 1) as u32;
                match score > alpha {
                    true => self.report(Bound::Lower, score, &[move_from_square(child.square)]),
                    // Only the progress is news: -64 is a lower bound of every score.
                    false => self.report(Bound::Lower, -64, &[]),
                }
            }
            if score > best.0 {
                best = (score, child.square);
                alpha = alpha.max(score);
            }
            if score >= beta {
                break;
            }
        }
        self.move_stack.truncate(first);
        if !self.cancelled {
            let (score, best_move) = best;
            let cost = log2_cost(self.shallow.nodes - nodes_before);
            let result = WindowResult { alpha: initial_alpha, beta, score, best_move, cost, level };
            self.shared.table.store((mover, opponent), result, self.shared.generation);
        }
        best
    }

    /// Reports the best line of the root, with a score in discs as the mode of the task reports it.
    pub(crate) fn report(&mut self, bound: Bound, score: i32, pv: &[Move]) {
        let depth = self.shared.board.empty_squares().len() as u32;
        let info = SearchInfo {
            depth,
            seldepth: depth,
            score: Score::from_cp(100 * self.shared.mode.report_score(score)),
            bound,
            nodes: self.total_nodes(),
            pv,
            multipv: 1,
            hashfull: self.shared.table.hashfull(self.shared.generation),
            best_move_effort_permille: 1000,
            best_move_stability: 1,
            score_fall_cp: None,
            root_moves_done: Some(self.root_moves_done),
            confidence: Some(self.shared.level().confidence()),
        };
        self.control.report(&info);
    }

    /// Returns the score of a search of a few plies, rounded to an even number of discs; `None` without patterns.
    pub(crate) fn guess(&self, mover: u64, opponent: u64) -> Option<i32> {
        let weights = self.shared.weights.as_deref()?;
        let score = simd::pattern_search(self.isa, weights, (mover, opponent), GUESS_DEPTH, -99_999, 99_999);
        Some(2 * ((score + 100).div_euclid(200)).clamp(-32, 32))
    }

    /// Adds the nodes that this worker has visited since the last call to the shared count.
    pub(crate) fn flush_node_count(&mut self) {
        self.shared.nodes.fetch_add(self.shallow.nodes - self.flushed_nodes, Relaxed);
        self.flushed_nodes = self.shallow.nodes;
    }

    /// Returns the number of nodes of this worker and those that the other workers have added to the shared count.
    pub(crate) fn total_nodes(&self) -> u64 {
        self.shared.nodes.load(Relaxed) + self.shallow.nodes - self.flushed_nodes
    }
}

/// Makes a helper leave its split point even if it panics, so that the owner does not wait forever. After a panic the
/// task is stopped, because the result of the helper's move is missing.
struct HelperGuard<'a> {
    shared: &'a SharedState,
    split: &'a SplitPoint,
    finished: bool,
}

impl Drop for HelperGuard<'_> {
    fn drop(&mut self) {
        if !self.finished {
            self.shared.stop();
        }
        self.shared.split_pool.leave(self.split);
    }
}

/// Returns the move that places a disc on a square of the table or of a scored move.
pub(crate) fn move_from_square(square: u8) -> Move {
    Move::from_square(Square::from_index(square as usize).expect("a square index below 64"))
}

/// Returns the base-2 logarithm of a number of nodes.
fn log2_cost(nodes: u64) -> u8 {
    nodes.max(1).ilog2() as u8
}
