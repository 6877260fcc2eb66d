//! Null move pruning: if passing still fails high, a move would too (Beal, 1989; Donninger, 1993).

use alfil_kernel::{MoveOf, Oracle, Position, Rules, Score, SearchControl};

use crate::search_evaluator::SearchEvaluator;
use crate::worker::Worker;

impl<P: Position, R: Rules<P>, E: SearchEvaluator<P>, O: Oracle<P>> Worker<P, R, E, O> {
    /// Returns the score of a reduced search after a null move if it fails high. The outer `None` means that it was
    /// stopped.
    pub(crate) fn try_null_move<C: SearchControl<MoveOf<P>>>(
        &mut self,
        ply: usize,
        depth: i32,
        static_eval: Score,
        beta: Score,
        is_cut_node: bool,
        control: &mut C,
    ) -> Option<Option<Score>> {
        let after_null = self.game.last_ply().is_some_and(|record| record.mv().is_none());
        if depth < self.params.null_min_depth || after_null || static_eval < beta || beta.is_loss() {
            return Some(None);
        }
        if !self.eval.techniques(self.game.position()).null_move {
            return Some(None);
        }
        let reduction = self.params.null_reduction
            + depth / self.params.null_depth_divisor
            + ((static_eval - beta) / self.params.null_score_divisor)
                .min(self.params.null_max_score_reduction);
        self.stack[ply].piece_to = self.move_histories.no_piece_to();
        self.game.push_null(&mut self.eval);
        let score = self.search_node(ply + 1, depth - 1 - reduction, -beta, -beta + 1, !is_cut_node, control);
        self.game.pop(&mut self.eval);
        let score = -score?;
        // A win after a null move is not proved, so the score is limited to beta.
        Some((score >= beta).then_some(if score.is_win() { beta } else { score }))
    }
}
