//! Quiescence: a position is valued only when nothing noisy is pending.

use alfil_kernel::evaluate::INFINITE;
use alfil_kernel::{Bound, Evaluate, MoveOf, Oracle, Position, Rules, Score, SearchControl};

use crate::move_picker::MovePicker;
use crate::params::{DELTA_MARGIN, MAX_PLY};
use crate::transposition_table::TtEntry;
use crate::worker::Worker;

impl<P: Position, L: Rules<P>, E: Evaluate<P>, O: Oracle<P>> Worker<P, L, E, O> {
    /// The value of the position when only noisy moves that lose nothing are tried, or all moves where the king is in check.
    /// `None` when the search was stopped.
    pub(crate) fn quiesce<C: SearchControl<MoveOf<P>>>(
        &mut self,
        ply: usize,
        mut alpha: Score,
        beta: Score,
        control: &mut C,
    ) -> Option<Score> {
        self.visit(ply, control)?;
        // 1. The road.
        if let Some(score) = self.probe_rules(ply, alpha, beta) {
            return Some(score);
        }
        // 2. The table.
        let key = self.game.position().hash_key();
        let known = self.table.probe::<MoveOf<P>>(key, ply);
        if let Some(found) = known.filter(|found| beta - alpha <= 1 && found.causes_cutoff(0, alpha, beta)) {
            return Some(found.score);
        }
        // 3. Standing pat: the side to move may decline every noisy move.
        let check = self.game.in_check();
        let roads = self.rule_hits;
        let mut best = -INFINITE;
        let mut raw = None;
        if !check || ply + 1 >= MAX_PLY {
            let score = known.and_then(|found| found.static_eval);
            let score = score.unwrap_or_else(|| self.eval.score(self.game.position()));
            raw = Some(score);
            best = score;
            let rests = !self.eval.search_policy(self.game.position()).quiescence;
            if rests && self.game.position().has_no_legal_move() {
                return Some(self.no_legal_move_score(ply));
            }
            if best >= beta || rests || ply + 1 >= MAX_PLY {
                return Some(best);
            }
            alpha = alpha.max(best);
        }
        // 4. The moves.
        let mut picker = core::mem::replace(&mut self.pickers[ply], MovePicker::new_empty());
        if check {
            picker.start(known.and_then(|found| found.mv), [None; 2], [self.move_histories.no_piece_to(); 2]);
        } else {
            picker.start_noisy();
        }
        let result = self.search_noisy(ply, (best, alpha, beta), check, &mut picker, control);
        self.pickers[ply] = picker;
        let (best, mv, tried) = result?;
        // 5. Nothing to play: having no legal move is no rest, whatever the static score says.
        if tried == 0 && self.game.position().has_no_legal_move() {
            return Some(self.no_legal_move_score(ply));
        }
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        let still = raw.filter(|_| !check);
        let found = TtEntry { mv, score: best, static_eval: still, depth: 0, bound };
        let found = if self.is_path_dependent(roads, best) { TtEntry::from_move(mv, still) } else { found };
        self.table.store(key, ply, &found);
        Some(best)
    }

    /// Tries the noisy moves: the best score, the move that gave it, and how many moves there were.
    fn search_noisy<C: SearchControl<MoveOf<P>>>(
        &mut self,
        ply: usize,
        (mut best, mut alpha, beta): (Score, Score, Score),
        check: bool,
        picker: &mut MovePicker<MoveOf<P>>,
        control: &mut C,
    ) -> Option<(Score, Option<MoveOf<P>>, usize)> {
        let still = best;
        let (mut best_move, mut tried) = (None, 0);
        while let Some(mv) = self.next_move(picker) {
            tried += 1;
            // A capture that cannot lift the score to alpha is in vain (delta pruning).
            if !check
                && still + DELTA_MARGIN <= alpha
                && !self.is_see_at_least(mv, alpha - still - DELTA_MARGIN)
            {
                best = alpha;
                continue;
            }
            self.game.push(mv, &mut self.eval);
            let score = self.quiesce(ply + 1, -beta, -alpha, control);
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
        Some((best, best_move, tried))
    }

    /// Whether the exchange that a move opens wins so much.
    fn is_see_at_least(&self, mv: MoveOf<P>, wanted: Score) -> bool {
        self.eval.see_ge(self.game.position(), mv, wanted)
    }
}
