//! Whoever searches: a line, a rule book, an evaluation, a table, and what was learnt on the way.

use alfil_kernel::evaluate::INFINITE;
use alfil_kernel::{Bound, Control, Evaluate, Info, Laws, Line, MoveOf, Outcome, Position, Score, Verdict};

use crate::order::Memory;
use crate::params::{ASK_EVERY, MAX_PLY, WINDOW, WINDOW_MIN_DEPTH};
use crate::table::Table;

/// What a search came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Best<M> {
    /// The move to play; none where there is no legal move.
    pub mv: Option<M>,
    /// From the view of the side to move.
    pub score: Score,
    /// The last depth that was finished, in plies.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
}

/// A searcher. It owns a copy of the line, and gives it back as it was after every search.
#[derive(Debug)]
pub struct Worker<P: Position, L: Laws<P>, E: Evaluate<P>> {
    pub(crate) line: Line<P>,
    pub(crate) laws: L,
    pub(crate) eval: E,
    pub(crate) table: Table,
    pub(crate) memory: Memory<MoveOf<P>>,
    /// The best line found from each ply on.
    pub(crate) variations: Vec<Vec<MoveOf<P>>>,
    /// The ply of the line at which the search began.
    pub(crate) root: usize,
    nodes: u64,
    deepest: usize,
}

impl<P: Position, L: Laws<P>, E: Evaluate<P>> Worker<P, L, E> {
    /// A worker with a table of so many MiB.
    pub fn new(mut line: Line<P>, laws: L, mut eval: E, mebibytes: usize) -> Self {
        line.reserve(MAX_PLY + 1);
        eval.reset(line.position());
        let variations = (0..=MAX_PLY).map(|_| Vec::with_capacity(MAX_PLY)).collect();
        let root = line.ply();
        let (table, memory) = (Table::new(mebibytes), Memory::new());
        Worker { line, laws, eval, table, memory, variations, root, nodes: 0, deepest: 0 }
    }

    /// The line it searches from.
    pub fn line(&self) -> &Line<P> {
        &self.line
    }

    /// Searches depth after depth up to `depth` plies, until `control` says stop or the outcome is known. Each finished
    /// depth is reported. However soon it is stopped, a legal move is given if there is one.
    pub fn think<C: Control<MoveOf<P>>>(&mut self, depth: u32, control: &mut C) -> Best<MoveOf<P>> {
        self.nodes = 0;
        self.table.grow_older();
        let list = self.ordered(0, None);
        let mut best = Best { mv: list.first().copied(), score: 0, depth: 0, nodes: 0 };
        if list.is_empty() {
            best.score = self.no_move(0);
            return best;
        }
        if let Some((score, mv)) = self.eval.exact(self.line.position(), control) {
            return Best { mv: mv.or(best.mv), score, ..best };
        }
        for depth in 1..=depth.min(MAX_PLY as u32 - 1) {
            self.deepest = 0;
            let Some(score) = self.deepen(depth as i32, best.score, control) else { break };
            best.depth = depth;
            best.score = score;
            best.mv = self.variations[0].first().copied().or(best.mv);
            self.report(&best, control);
            // A forced end that the depth has reached cannot be found any sooner by looking deeper.
            let ends_in = alfil_kernel::evaluate::MATE - score.abs();
            if ends_in <= depth as i32 {
                break;
            }
        }
        best.nodes = self.nodes;
        best
    }

    /// One iteration, in a window around the last score that is opened where the score falls outside (aspiration).
    fn deepen<C: Control<MoveOf<P>>>(&mut self, depth: i32, last: Score, control: &mut C) -> Option<Score> {
        if depth >= WINDOW_MIN_DEPTH {
            let (alpha, beta) = (last - WINDOW, last + WINDOW);
            let score = self.node(0, depth, alpha, beta, control)?;
            if alpha < score && score < beta {
                return Some(score);
            }
        }
        self.node(0, depth, -INFINITE, INFINITE, control)
    }

    fn report<C: Control<MoveOf<P>>>(&self, best: &Best<MoveOf<P>>, control: &mut C) {
        control.report(&Info {
            depth: best.depth,
            seldepth: self.deepest as u32,
            score: best.score,
            bound: Bound::Exact,
            nodes: self.nodes,
            line: &self.variations[0],
            rank: 1,
            full: self.table.full(),
        });
    }

    /// Counts a position; `None` when the search must stop.
    #[inline]
    pub(crate) fn visit<C: Control<MoveOf<P>>>(&mut self, ply: usize, control: &mut C) -> Option<()> {
        self.nodes += 1;
        self.deepest = self.deepest.max(ply);
        let stop = self.nodes.is_multiple_of(ASK_EVERY) && control.stop(self.nodes);
        if stop { None } else { Some(()) }
    }

    /// The best line from `ply` on begins with this move.
    pub(crate) fn extend_variation(&mut self, ply: usize, mv: MoveOf<P>) {
        let (upper, lower) = self.variations.split_at_mut(ply + 1);
        upper[ply].clear();
        upper[ply].push(mv);
        upper[ply].extend_from_slice(&lower[0]);
    }

    /// What it is worth that the side to move has no legal move.
    pub(crate) fn no_move(&self, ply: usize) -> Score {
        let position = self.line.position();
        self.eval.settle(&self.laws.no_move(position), position.side(), ply as u32)
    }

    /// What an outcome is worth to the side to move.
    pub(crate) fn outcome_score(&self, outcome: Outcome, ply: usize) -> Score {
        self.eval.settle(&Verdict::new(outcome, ()), self.line.side(), ply as u32)
    }
}
