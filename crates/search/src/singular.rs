//! Which moves are searched deeper than the others.

use alfil_kernel::evaluate::MATE_BOUND;
use alfil_kernel::{Bound, Evaluate, MoveOf, Oracle, Position, Rules, Score, SearchControl};

use crate::params::{SINGULAR_DOUBLE_MARGIN, SINGULAR_MARGIN, SINGULAR_MIN_DEPTH, SINGULAR_TT_DEPTH_MARGIN};
use crate::transposition_table::TtEntry;
use crate::worker::Worker;

/// What a look at the table's move without the others, or at the others without it, came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Singular {
    /// So many plies deeper; below 0, less deep.
    Extend(i32),
    /// Another move cuts off too: the node is as good as cut.
    Cut(Score),
}

impl<P: Position, L: Rules<P>, E: Evaluate<P>, O: Oracle<P>> Worker<P, L, E, O> {
    /// Singular extension: a move without which the position would be much worse is worth a deeper look (Anantharaman, Campbell and
    /// Hsu, 1988; here by excluding the table's move, and with multi-cut where others are as good). `None` is a stop.
    pub(crate) fn singular_extension<C: SearchControl<MoveOf<P>>>(
        &mut self,
        ply: usize,
        depth: i32,
        beta: Score,
        cut: bool,
        known: &TtEntry<MoveOf<P>>,
        control: &mut C,
    ) -> Option<Singular> {
        let applies = ply > 0
            && depth >= SINGULAR_MIN_DEPTH
            && ply < 2 * self.root_depth
            && known.depth >= depth - SINGULAR_TT_DEPTH_MARGIN
            && known.bound != Bound::Upper
            && known.score.abs() < MATE_BOUND
            && self.stack[ply].excluded_move.is_none();
        let Some(mv) = known.mv.filter(|_| applies) else { return Some(Singular::Extend(0)) };
        let wanted = known.score - SINGULAR_MARGIN * depth;
        self.stack[ply].excluded_move = Some(mv);
        let others = self.search_node(ply, (depth - 1) / 2, wanted - 1, wanted, cut, control);
        self.stack[ply].excluded_move = None;
        let others = others?;
        Some(if others < wanted - SINGULAR_DOUBLE_MARGIN {
            Singular::Extend(2)
        } else if others < wanted {
            Singular::Extend(1)
        } else if wanted >= beta {
            Singular::Cut(wanted)
        } else if known.score >= beta {
            Singular::Extend(-1)
        } else {
            Singular::Extend(0)
        })
    }
}
