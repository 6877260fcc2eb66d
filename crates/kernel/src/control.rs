//! Search control: the caller's stop requests and the search's reports.

use crate::score::{Bound, Confidence, Score};

/// A report of a search on one principal variation.
#[derive(Clone, Debug)]
pub struct SearchInfo<'a, M> {
    /// The depth of the iteration or of the solution, in plies; 0 without a root move.
    pub depth: u32,
    /// The selective depth: the deepest ply visited.
    pub seldepth: u32,
    /// The score from the view of the side to move at the root.
    pub score: Score,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// The number of positions visited.
    pub nodes: u64,
    /// The principal variation, starting with the move to play; empty without a root move, and where an exact solver
    /// reports an upper bound, or that a root move is finished and has improved nothing.
    pub pv: &'a [M],
    /// The rank of this variation among several (MultiPV), from 1.
    pub multipv: u32,
    /// How full the transposition table is, in permille.
    pub hashfull: u32,
    /// The fraction of the nodes that were searched below the best move, in permille; 1000 if there is no other move.
    pub best_move_effort_permille: u32,
    /// The number of successive iterations in which the best move has been this one.
    pub best_move_stability: u32,
    /// How far the score has fallen, in centipawns, negative if it has risen: the mean of the falls since the side's
    /// last search and since four iterations before, each 100 at most; `None` if the search does not measure it.
    pub score_fall_cp: Option<i32>,
    /// The number of root moves that are finished in this iteration; `None` from a search that reports only whole
    /// iterations.
    pub root_moves_done: Option<u32>,
    /// How sure the score, or the bound, is as that of the end of the game; `None` from a search that does not reach
    /// it.
    pub confidence: Option<Confidence>,
}

/// The caller's side of a search: it may stop the search and receives its reports. Clocks, threads and output are
/// behind it.
pub trait SearchControl<M> {
    /// Returns whether the search must stop. The search calls it every few hundred nodes.
    fn is_stopped(&mut self, nodes: u64) -> bool;
    /// Receives the report of an iteration, completed or stopped, or of a result or bound of an exact solver.
    fn report(&mut self, info: &SearchInfo<'_, M>);
}

impl<M, C: SearchControl<M> + ?Sized> SearchControl<M> for &mut C {
    fn is_stopped(&mut self, nodes: u64) -> bool {
        (**self).is_stopped(nodes)
    }

    fn report(&mut self, info: &SearchInfo<'_, M>) {
        (**self).report(info);
    }
}

/// A control that never stops a search and drops its reports.
#[derive(Clone, Copy, Debug, Default)]
pub struct NeverStop;

impl<M> SearchControl<M> for NeverStop {
    fn is_stopped(&mut self, _nodes: u64) -> bool {
        false
    }

    fn report(&mut self, _info: &SearchInfo<'_, M>) {}
}
