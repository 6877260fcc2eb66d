//! The null move: where even passing keeps the score above beta, a move will (Beal, 1989; Donninger, 1993).

use alfil_kernel::evaluate::MATE_BOUND;
use alfil_kernel::{Evaluate, MoveOf, Oracle, Position, Rules, Score, SearchControl};

use crate::params::{
    NULL_DEPTH_DIVISOR, NULL_MAX_SCORE_REDUCTION, NULL_MIN_DEPTH, NULL_REDUCTION, NULL_SCORE_DIVISOR,
};
use crate::worker::Worker;

impl<P: Position, L: Rules<P>, E: Evaluate<P>, O: Oracle<P>> Worker<P, L, E, O> {
    /// The score of a shallower search after passing, if that is enough for a cut-off. The outer `None` is a stop.
    pub(crate) fn try_null_move<C: SearchControl<MoveOf<P>>>(
        &mut self,
        ply: usize,
        depth: i32,
        still: Score,
        beta: Score,
        cut: bool,
        control: &mut C,
    ) -> Option<Option<Score>> {
        let after_null = self.game.last_ply().is_some_and(|record| record.mv().is_none());
        if depth < NULL_MIN_DEPTH || after_null || still < beta || beta <= -MATE_BOUND {
            return Some(None);
        }
        if !self.eval.search_policy(self.game.position()).null_move {
            return Some(None);
        }
        let reduction = NULL_REDUCTION
            + depth / NULL_DEPTH_DIVISOR
            + ((still - beta) / NULL_SCORE_DIVISOR).min(NULL_MAX_SCORE_REDUCTION);
        self.stack[ply].piece_to = self.move_histories.no_piece_to();
        self.game.push_null();
        let score = self.search_node(ply + 1, depth - 1 - reduction, -beta, 1 - beta, !cut, control);
        self.game.pop(&mut self.eval);
        let score = -score?;
        // That the other side is mated after two moves in a row proves no mate.
        Some((score >= beta).then_some(if score >= MATE_BOUND { beta } else { score }))
    }
}
