//! The upper tree: null windows and principal variations, through the table.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use alfil_kernel::{Bound, SearchControl};

use super::move_ordering::ScoredMove;
use super::params::{
    MIN_ETC_EMPTIES, MIN_SPLIT_EMPTIES, MIN_TABLE_EMPTIES, POLL_INTERVAL_NODES, min_stability_alpha,
    ordering_depth,
};
use super::shallow::{NEGATIVE_INFINITY, final_score};
use super::simd;
use super::split_point::SplitPoint;
use super::table::{NO_SQUARE, SolverEntry, WindowResult};
use super::task::SolveTask;
use alfil_othello::bitboard::simd::Isa;
use alfil_othello::moves::Move;
use alfil_othello::square::Square;
use alfil_othello::stability::count_stable;

/// One worker on a job.
pub(crate) struct SolverWorker<'a, C> {
    task: &'a SolveTask,
    pub(crate) control: &'a mut C,
    isa: Isa,
    nodes: u64,
    /// How many of them are in the job's count.
    flushed_nodes: u64,
    until_poll: u32,
    /// The moves of the nodes between the root and here, node after node.
    moves: Vec<ScoredMove>,
    /// The split this worker works for.
    split: Option<Arc<SplitPoint>>,
    /// What it is searching is no longer wanted: every result is void until it is back where it can take up work.
    pub(crate) cancelled: bool,
    /// Whether improvements at the root are reported.
    pub(crate) is_reporting: bool,
}

impl<'a, C: SearchControl<Move>> SolverWorker<'a, C> {
    pub(crate) fn new(job: &'a SolveTask, control: &'a mut C) -> Self {
        let choices = Vec::with_capacity(1024);
        SolverWorker {
            task: job,
            control,
            isa: Isa::detect(),
            nodes: 0,
            flushed_nodes: 0,
            until_poll: 1,
            moves: choices,
            split: None,
            cancelled: false,
            is_reporting: false,
        }
    }

    /// Counts a table node, and asks now and then whether to go on.
    fn visit(&mut self) {
        self.nodes += 1;
        self.until_poll -= 1;
        if self.until_poll == 0 {
            self.until_poll = POLL_INTERVAL_NODES;
            if self.control.is_stopped(self.total_nodes()) {
                self.task.stop();
            }
            self.cancelled |= self.task.is_stopped();
        }
        if let Some(split) = &self.split {
            self.cancelled |= split.is_cancelled();
        }
    }

    /// Whether the score is above `alpha`: a result above it is a lower bound, any other an upper bound. The places
    /// for the mover's disc are found here.
    pub(crate) fn null_window_search(&mut self, mover: u64, opponent: u64, alpha: i32) -> i32 {
        let empties = (mover | opponent).count_zeros();
        if empties < MIN_TABLE_EMPTIES {
            return simd::search_shallow(self.isa, mover, opponent, alpha, &mut self.nodes);
        }
        // 1. Go on?
        self.visit();
        if self.cancelled {
            return alpha;
        }
        // 2. The opponent keeps its stable discs: is that enough?
        if alpha >= min_stability_alpha(empties) {
            let most = 64 - 2 * count_stable(opponent, mover) as i32;
            if most <= alpha {
                return most;
            }
        }
        // 3. A pass, or the end.
        let places = self.isa.mobility(mover, opponent);
        if places == 0 {
            if self.isa.mobility(opponent, mover) == 0 {
                return final_score(mover, opponent);
            }
            return -self.null_window_search(opponent, mover, -alpha - 1);
        }
        // 4. The table.
        let known = self.task.table.probe(mover, opponent);
        if let Some(known) = known {
            if known.lower > alpha {
                return known.lower;
            }
            if known.upper <= alpha {
                return known.upper;
            }
        }
        // 5. The moves, the most promising first, and what the table says of the positions after them.
        let first = self.moves.len();
        let best = known.map_or([NO_SQUARE; 2], |known| known.best);
        simd::score_moves(
            self.isa,
            (mover, opponent),
            places,
            ordering_depth(empties),
            best,
            &mut self.moves,
        );
        let before = self.nodes;
        let found = match self.enhanced_transposition_cutoff(first, empties, alpha) {
            Some(found) => found,
            None => self.search_younger_brothers(first, empties, alpha),
        };
        self.moves.truncate(first);
        // 6. Remember.
        if !self.cancelled {
            let (score, best) = found;
            let found =
                WindowResult { alpha, beta: alpha + 1, score, best, cost: log2_cost(self.nodes - before) };
            self.task.table.store((mover, opponent), found, self.task.generation);
        }
        found.0
    }

    /// A move whose position the table already knows to suffice. Enhanced transposition cut-off, after A. Plaat and
    /// others (1996).
    fn enhanced_transposition_cutoff(&self, first: usize, empties: u32, alpha: i32) -> Option<(i32, u8)> {
        if empties < MIN_ETC_EMPTIES {
            return None;
        }
        self.moves[first..].iter().find_map(|choice| {
            let known = self.task.table.probe(choice.mover, choice.opponent)?;
            (-known.upper > alpha).then_some((-known.upper, choice.square))
        })
    }

    /// The best of the moves from `first` on in a null window: alone, or with others once the eldest is done.
    fn search_younger_brothers(&mut self, first: usize, empties: u32, alpha: i32) -> (i32, u8) {
        let end = self.moves.len();
        let mut best = (NEGATIVE_INFINITY, NO_SQUARE);
        for at in first..end {
            if at > first
                && empties >= MIN_SPLIT_EMPTIES
                && end - at > 1
                && self.task.split_pool.has_idle_workers()
            {
                let shared = self.search_split(at, alpha);
                return if shared.0 > best.0 { shared } else { best };
            }
            let choice = self.pick_best(at, end);
            let score = -self.null_window_search(choice.mover, choice.opponent, -alpha - 1);
            if self.cancelled {
                break;
            }
            if score > best.0 {
                best = (score, choice.square);
                if score > alpha {
                    break;
                }
            }
        }
        best
    }

    /// Brings the most promising of the moves from `at` on to the front, and gives it.
    fn pick_best(&mut self, at: usize, end: usize) -> ScoredMove {
        // The first of equals: the order of squares decides, so that one worker always visits the same positions.
        let rest = &self.moves[at..end];
        let best = (0..rest.len()).rev().max_by_key(|&i| rest[i].score).expect("a move is left");
        self.moves[at..=at + best].rotate_right(1);
        self.moves[at]
    }

    /// Searches the moves from `at` on together with whoever has no work.
    fn search_split(&mut self, at: usize, alpha: i32) -> (i32, u8) {
        let mut choices = self.moves[at..].to_vec();
        choices.sort_by_key(|choice| core::cmp::Reverse(choice.score));
        let split = SplitPoint::new(choices, alpha, self.split.clone());
        self.task.split_pool.add(&split);
        let parent = self.split.replace(Arc::clone(&split));
        self.search_split_moves();
        self.task.split_pool.remove(&split);
        let best = split.wait();
        self.split = parent;
        self.cancelled =
            self.task.is_stopped() || self.split.as_ref().is_some_and(|split| split.is_cancelled());
        best.unwrap_or((NEGATIVE_INFINITY, NO_SQUARE))
    }

    /// Takes moves of the present split until there are none.
    fn search_split_moves(&mut self) {
        let Some(split) = self.split.clone() else { return };
        while let Some(choice) = split.next_move() {
            let score = -self.null_window_search(choice.mover, choice.opponent, -split.alpha - 1);
            if self.cancelled {
                return;
            }
            split.record_result(score, choice.square);
        }
    }

    /// Helps others until the job is done.
    pub(crate) fn help(&mut self) {
        while let Some(split) = self.task.split_pool.join_split() {
            let mut inside = HelperGuard { task: self.task, split: &split, done: false };
            self.cancelled = self.task.is_stopped();
            self.split = Some(Arc::clone(&split));
            self.search_split_moves();
            self.split = None;
            // Before the owner stops waiting for it.
            self.flush_node_count();
            inside.done = true;
        }
    }

    /// The score within a window, and a move that reaches it. Principal variation search (Marsland and Campbell, 1982).
    pub(crate) fn pv_search(&mut self, mover: u64, opponent: u64, mut alpha: i32, beta: i32) -> (i32, u8) {
        self.visit();
        if self.cancelled {
            return (alpha, NO_SQUARE);
        }
        let places = self.isa.mobility(mover, opponent);
        if places == 0 {
            if self.isa.mobility(opponent, mover) == 0 {
                return (final_score(mover, opponent), NO_SQUARE);
            }
            return (-self.pv_search(opponent, mover, -beta, -alpha).0, NO_SQUARE);
        }
        let known = self.task.table.probe(mover, opponent);
        if let Some(SolverEntry { lower, upper, best: [best, _], .. }) = known
            && best != NO_SQUARE
        {
            if lower >= beta || lower == upper {
                return (lower, best);
            }
            if upper <= alpha {
                return (upper, best);
            }
        }
        let (before, first, low) = (self.nodes, self.moves.len(), alpha);
        let empties = (mover | opponent).count_zeros();
        let hint = known.map_or([NO_SQUARE; 2], |known| known.best);
        simd::score_moves(
            self.isa,
            (mover, opponent),
            places,
            ordering_depth(empties) + 1,
            hint,
            &mut self.moves,
        );
        let mut best = (NEGATIVE_INFINITY, NO_SQUARE);
        for at in first..self.moves.len() {
            let choice = self.pick_best(at, self.moves.len());
            let mut score = NEGATIVE_INFINITY;
            if at > first {
                score = -self.null_window_search(choice.mover, choice.opponent, -alpha - 1);
            }
            if at == first || (score > alpha && score < beta) {
                score = -self.pv_search(choice.mover, choice.opponent, -beta, -alpha).0;
            }
            if self.cancelled {
                break;
            }
            if score > best.0 {
                best = (score, choice.square);
                alpha = alpha.max(score);
                if first == 0 && self.is_reporting && score > low {
                    self.task.report(self, Bound::Lower, score, &[move_from_square(choice.square)]);
                }
            }
            if score >= beta {
                break;
            }
        }
        self.moves.truncate(first);
        if !self.cancelled {
            let found = WindowResult {
                alpha: low,
                beta,
                score: best.0,
                best: best.1,
                cost: log2_cost(self.nodes - before),
            };
            self.task.table.store((mover, opponent), found, self.task.generation);
        }
        best
    }

    /// Adds what this worker visited since it last did so to the job's count.
    pub(crate) fn flush_node_count(&mut self) {
        self.task.nodes.fetch_add(self.nodes - self.flushed_nodes, Relaxed);
        self.flushed_nodes = self.nodes;
    }

    /// What all workers visited, as far as it was handed in, and this one.
    pub(crate) fn total_nodes(&self) -> u64 {
        self.task.nodes.load(Relaxed) + self.nodes - self.flushed_nodes
    }
}

/// A helper inside a split. It leaves however it ends, so that the owner does not wait for ever; where that is a panic, what it had
/// taken is not known, and nothing can be concluded any more.
struct HelperGuard<'a> {
    task: &'a SolveTask,
    split: &'a SplitPoint,
    done: bool,
}

impl Drop for HelperGuard<'_> {
    fn drop(&mut self) {
        if !self.done {
            self.task.stop();
        }
        self.split.leave();
    }
}

/// A disc put on the square of a choice.
pub(crate) fn move_from_square(square: u8) -> Move {
    Move::from_square(Square::from_index(square as usize).expect("choices are squares"))
}

/// The work of so many nodes, as a power of two.
fn log2_cost(nodes: u64) -> u8 {
    nodes.max(1).ilog2() as u8
}
