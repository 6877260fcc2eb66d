//! Quiescence search: noisy captures are resolved before the static evaluation is used.

use alfil_kernel::{Bound, Move as _, MoveOf, Oracle, Position, Rules, Score, SearchControl, SquareOf};

use crate::move_history::HistoryContext;
use crate::move_picker::MovePicker;
use crate::params::MAX_PLY;
use crate::search_evaluator::SearchEvaluator;
use crate::transposition_table::TtEntry;
use crate::worker::Worker;

/// How a node of the quiescence search was reached.
#[derive(Clone, Copy, Debug)]
struct QuiescenceNode<S> {
    ply: usize,
    /// The number of plies since the quiescence search began.
    depth: usize,
    /// The target square of the move before; `None` at the first node and after a pass.
    last_target: Option<S>,
    in_check: bool,
}

impl<P: Position, R: Rules<P>, E: SearchEvaluator<P>, O: Oracle<P>> Worker<P, R, E, O> {
    /// Returns the score of a search of noisy captures with a non-negative SEE, or of all moves if the king is in
    /// check: otherwise no promotion without a capture is searched. `None` means that the search was stopped.
    pub(crate) fn quiesce<C: SearchControl<MoveOf<P>>>(
        &mut self,
        ply: usize,
        alpha: Score,
        beta: Score,
        control: &mut C,
    ) -> Option<Score> {
        self.quiesce_at(ply, 0, None, alpha, beta, control)
    }

    /// Returns the score of a node `depth` plies below the first node of the quiescence search.
    fn quiesce_at<C: SearchControl<MoveOf<P>>>(
        &mut self,
        ply: usize,
        depth: usize,
        last_target: Option<SquareOf<P>>,
        mut alpha: Score,
        beta: Score,
        control: &mut C,
    ) -> Option<Score> {
        let key = self.game.position().hash_key();
        self.table.prefetch(key);
        self.visit(ply, control)?;
        // 1. Rule probe: repetition and move limits.
        if let Some(score) = self.probe_rules(ply, alpha, beta) {
            return Some(score);
        }
        // 2. Transposition table lookup.
        let tt_entry = self.table.probe::<MoveOf<P>>(key, ply);
        if let Some(entry) = tt_entry.filter(|entry| beta - alpha <= 1 && entry.causes_cutoff(0, alpha, beta))
        {
            return Some(entry.score);
        }
        // 3. Stand pat: the side to move need not capture.
        let in_check = self.game.in_check();
        let rule_hits = self.rule_hits;
        let mut best = -Score::INFINITE;
        let mut raw_eval = None;
        if !in_check || ply + 1 >= MAX_PLY {
            let score = tt_entry.and_then(|entry| entry.static_eval);
            let score = score.unwrap_or_else(|| self.eval.score(self.game.position()));
            raw_eval = Some(score);
            best = score;
            let is_leaf = !self.eval.techniques(self.game.position()).quiescence;
            if is_leaf && self.game.position().has_no_legal_move() {
                return Some(self.no_legal_move_score(ply));
            }
            if best >= beta || is_leaf || ply + 1 >= MAX_PLY {
                return Some(best);
            }
            alpha = alpha.max(best);
        }
        // 4. Move loop.
        let mut picker = core::mem::replace(&mut self.pickers[ply], MovePicker::new_empty());
        if in_check {
            picker.start(
                tt_entry.and_then(|entry| entry.mv),
                [None; 3],
                HistoryContext { previous_moves: [self.move_histories.no_piece_to(); 2], pawn_key: None },
                0,
            );
        } else {
            picker.start_noisy();
        }
        let node = QuiescenceNode { ply, depth, last_target, in_check };
        let result = self.search_noisy(&node, (best, alpha, beta), &mut picker, control);
        self.pickers[ply] = picker;
        let (best, mv, move_count) = result?;
        // 5. No legal move: the rules decide, whatever the static evaluation is.
        if move_count == 0 && self.game.position().has_no_legal_move() {
            return Some(self.no_legal_move_score(ply));
        }
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        let static_eval = raw_eval.filter(|_| !in_check);
        let entry = TtEntry { mv, score: best, static_eval, depth: 0, bound };
        let entry =
            if self.is_path_dependent(rule_hits, best) { TtEntry::from_move(mv, static_eval) } else { entry };
        self.table.store(key, ply, &entry);
        Some(best)
    }

    /// Searches the moves of a node. Returns the best score, its move, and the number of moves.
    ///
    /// Three limits bound the tree: far from the first node only recaptures are searched, a node searches few captures,
    /// and few quiet evasions once the side in check is not lost.
    fn search_noisy<C: SearchControl<MoveOf<P>>>(
        &mut self,
        node: &QuiescenceNode<SquareOf<P>>,
        (mut best, mut alpha, beta): (Score, Score, Score),
        picker: &mut MovePicker<MoveOf<P>>,
        control: &mut C,
    ) -> Option<(Score, Option<MoveOf<P>>, usize)> {
        let &QuiescenceNode { ply, depth, last_target, in_check } = node;
        let static_eval = best;
        let (mut best_move, mut move_count, mut quiet_evasions) = (None, 0, 0);
        while let Some(mv) = self.next_move(picker) {
            move_count += 1;
            if in_check {
                if !best.is_loss() && !self.eval.is_noisy(self.game.position(), mv) {
                    quiet_evasions += 1;
                    if quiet_evasions > self.params.max_quiet_evasions as usize {
                        break;
                    }
                }
            } else {
                let is_recapture = mv.target().is_some() && mv.target() == last_target;
                if !is_recapture
                    && (depth >= self.params.recaptures_only_depth as usize
                        || move_count > self.params.max_captures as usize)
                {
                    continue;
                }
                // Delta pruning: skip a capture that cannot raise the score to alpha.
                let margin = alpha - static_eval - self.params.delta_margin;
                if margin >= 0 && !self.eval.see_ge(self.game.position(), mv, margin) {
                    best = alpha;
                    continue;
                }
            }
            self.game.push(mv, &mut self.eval);
            let score = self.quiesce_at(ply + 1, depth + 1, mv.target(), -beta, -alpha, control);
            self.game.pop(&mut self.eval);
            let score = -score?;
            if score > best {
                best = score;
                if score > alpha {
                    (alpha, best_move) = (score, Some(mv));
                }
                if score >= beta {
                    break;
                }
            }
        }
        Some((best, best_move, move_count))
    }
}
