//! Singular extensions: the hash move is searched deeper if it is much better than all other moves.

use alfil_kernel::{Bound, MoveOf, Oracle, Position, Rules, Score, SearchControl};

use crate::search_evaluator::SearchEvaluator;
use crate::transposition_table::TtEntry;
use crate::worker::Worker;

/// The result of a search of all moves except the hash move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Singular {
    /// The hash move is extended by this number of plies; a negative number reduces it.
    Extend(i32),
    /// Another move fails high too, so the node is cut off with this score (multi-cut).
    Cut(Score),
}

impl<P: Position, R: Rules<P>, E: SearchEvaluator<P>, O: Oracle<P>> Worker<P, R, E, O> {
    /// Decides on the extension of the hash move by a search without it (Anantharaman, Campbell and Hsu, 1988), with
    /// multi-cut if another move fails high too. `None` means that the search was stopped.
    pub(crate) fn singular_extension<C: SearchControl<MoveOf<P>>>(
        &mut self,
        ply: usize,
        depth: i32,
        beta: Score,
        is_cut_node: bool,
        tt_entry: &TtEntry<MoveOf<P>>,
        control: &mut C,
    ) -> Option<Singular> {
        let applies = ply > 0
            && depth >= self.params.singular_min_depth
            && ply < 2 * self.root_depth
            && tt_entry.depth >= depth - self.params.singular_tt_depth_margin
            && tt_entry.bound != Bound::Upper
            && !tt_entry.score.is_decisive()
            && self.stack[ply].excluded_move.is_none();
        let Some(mv) = tt_entry.mv.filter(|_| applies) else { return Some(Singular::Extend(0)) };
        let singular_beta = tt_entry.score - self.params.singular_margin * depth;
        self.stack[ply].excluded_move = Some(mv);
        let score =
            self.search_node(ply, (depth - 1) / 2, singular_beta - 1, singular_beta, is_cut_node, control);
        self.stack[ply].excluded_move = None;
        let score = score?;
        Some(if score < singular_beta - self.params.singular_double_margin {
            Singular::Extend(2)
        } else if score < singular_beta {
            Singular::Extend(1)
        } else if singular_beta >= beta {
            Singular::Cut(singular_beta)
        } else if tt_entry.score >= beta {
            Singular::Extend(-1)
        } else {
            Singular::Extend(0)
        })
    }
}
