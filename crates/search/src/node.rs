//! One node of the tree, as a numbered list.

use alfil_kernel::evaluate::{INFINITE, MATE_BOUND};
use alfil_kernel::{
    Bound, Evaluate, MoveOf, Oracle, Outcome, Position, RuleProbe, Rules, Score, SearchControl,
};

use crate::correction_history::can_correct;
use crate::late_move_reductions::ReductionInput;
use crate::move_history::{PieceTo, PreviousMoves, piece_to};
use crate::move_picker::MovePicker;
use crate::params::{HISTORY_STEP, IIR_MIN_DEPTH, MAX_PLY};
use crate::prune::{futility, late_move_pruning, mate_distance, razoring, reverse_futility};
use crate::singular::Singular;
use crate::transposition_table::TtEntry;
use crate::worker::Worker;

/// What a node knows of its ply.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StackEntry<M> {
    /// The static score as corrected; nothing in check.
    pub(crate) static_eval: Option<Score>,
    /// The move made from here, by who went where.
    pub(crate) piece_to: PieceTo,
    /// The move that is left out, because the others are looked at without it.
    pub(crate) excluded_move: Option<M>,
}

/// What is known before the first move of a node is tried.
#[derive(Clone, Copy, Debug)]
struct NodeState {
    ply: usize,
    depth: i32,
    beta: Score,
    in_check: bool,
    is_pv: bool,
    is_cut_node: bool,
    improving: bool,
    previous_moves: PreviousMoves,
}

impl<P: Position, L: Rules<P>, E: Evaluate<P>, O: Oracle<P>> Worker<P, L, E, O> {
    /// Principal variation search (Marsland and Campbell, 1982): the value of the position within a window, `ply` plies
    /// below the root and `depth` plies above the horizon; `cut` where one of the first moves is expected to cut off. `None` when
    /// the search was stopped.
    pub(crate) fn search_node<C: SearchControl<MoveOf<P>>>(
        &mut self,
        ply: usize,
        depth: i32,
        alpha: Score,
        beta: Score,
        cut: bool,
        control: &mut C,
    ) -> Option<Score> {
        self.pv_table[ply].clear();
        // 1. The horizon. Checks are answered beyond it.
        if depth <= 0 || ply + 1 >= MAX_PLY {
            return self.quiesce(ply, alpha, beta, control);
        }
        self.visit(ply, control)?;
        // 2. The road: a repetition, a limit. What is nearer than any win to be found here.
        if let Some(score) = self.probe_rules(ply, alpha, beta) {
            return Some(score);
        }
        let (alpha, beta) = if ply == 0 { (alpha, beta) } else { mate_distance::clamp(ply, alpha, beta) };
        if alpha >= beta {
            return Some(alpha);
        }
        // 3. The table.
        let (check, open) = (self.game.in_check(), beta - alpha > 1);
        let excluded = self.stack[ply].excluded_move;
        let key = self.game.position().hash_key();
        let known = if excluded.is_some() { None } else { self.table.probe(key, ply) };
        if let Some(found) = known.filter(|found| !open && found.causes_cutoff(depth, alpha, beta)) {
            return Some(found.score);
        }
        // 4. The static score, and whether things get better.
        let before = self.previous_moves(ply);
        let (raw, still) = self.static_eval(ply, check, known.as_ref(), before);
        let improving = self.is_improving(ply);
        let mut node = NodeState {
            ply,
            depth,
            beta,
            in_check: check,
            is_pv: open,
            is_cut_node: cut,
            improving,
            previous_moves: before,
        };
        // 5. Nodes that need no move.
        if let Some(still) = still.filter(|_| !open && excluded.is_none())
            && let Some(score) = self.prune_node(&node, still, alpha, control)?
        {
            return Some(score);
        }
        // 6. A node of which the table knows no move is not worth its full depth yet (internal iterative reduction).
        if depth >= IIR_MIN_DEPTH && excluded.is_none() && known.is_none_or(|found| found.mv.is_none()) {
            node.depth -= 1;
        }
        // 7. How much the table's move stands out.
        let mut extension = 0;
        if let Some(found) = known {
            match self.singular_extension(ply, node.depth, beta, cut, &found, control)? {
                Singular::Cut(score) => return Some(score),
                Singular::Extend(plies) => extension = plies,
            }
        }
        // 8. The moves.
        let roads = self.rule_hits;
        let mut picker = core::mem::replace(&mut self.pickers[ply], MovePicker::new_empty());
        picker.start(known.and_then(|found| found.mv), self.move_histories.killers(ply), before);
        let best = self.search_children(&node, still, alpha, extension, &mut picker, control);
        self.pickers[ply] = picker;
        let (best, mv) = best?;
        // 9. Nothing to play.
        if best == -INFINITE {
            return Some(if excluded.is_some() { alpha } else { self.no_legal_move_score(ply) });
        }
        // 10. What was found out, for next time.
        if excluded.is_none() && (ply > 0 || self.all_root_moves) {
            let bound = bound_from_score(best, alpha, beta);
            let mv = if bound == Bound::Upper { None } else { mv };
            let by_road = self.is_path_dependent(roads, best);
            let found = TtEntry { mv, score: best, static_eval: raw, depth: node.depth, bound };
            let found = if by_road { TtEntry::from_move(mv, raw) } else { found };
            self.table.store(key, ply, &found);
            let calm = mv.is_none_or(|mv| !self.eval.is_noisy(self.game.position(), mv));
            if let Some(raw) = raw.filter(|&raw| calm && !by_road && can_correct(bound, best, raw)) {
                self.correction_history.update(
                    raw,
                    best,
                    node.depth,
                    self.game.side_to_move().index(),
                    before,
                );
            }
        }
        Some(best)
    }

    /// Tries the moves of a node: the best score and move, or a score of `-INFINITE` where there is no legal one.
    fn search_children<C: SearchControl<MoveOf<P>>>(
        &mut self,
        node: &NodeState,
        still: Option<Score>,
        mut alpha: Score,
        extension: i32,
        picker: &mut MovePicker<MoveOf<P>>,
        control: &mut C,
    ) -> Option<(Score, Option<MoveOf<P>>)> {
        let &NodeState { ply, depth, beta, .. } = node;
        let (mut best, mut best_move, mut tried) = (-INFINITE, None, 0);
        let mut tried_list = core::mem::take(&mut self.tried_moves[ply]);
        tried_list.clear();
        let from_table = picker.hash_move();
        while let Some(mv) = self.next_move(picker) {
            if Some(mv) == self.stack[ply].excluded_move || (ply == 0 && !self.root_moves.contains(&mv)) {
                continue;
            }
            let noisy = self.eval.is_noisy(self.game.position(), mv);
            if !noisy && best > -MATE_BOUND && self.skips_quiets(node, still, alpha, tried) {
                picker.skip_quiets();
                continue;
            }
            let slot = piece_to(self.game.position(), mv);
            let side = self.game.side_to_move().index();
            let history =
                (!noisy).then(|| self.move_histories.quiet_score(side, mv, slot, node.previous_moves));
            self.stack[ply].piece_to = slot;
            // Down and up again.
            self.game.push(mv, &mut self.eval);
            let deeper = if Some(mv) == from_table { extension } else { 0 };
            let visited = self.visited_nodes();
            let score = self.search_child(node, depth + deeper, tried, history, alpha, control);
            self.game.pop(&mut self.eval);
            if ply == 0 {
                self.add_root_nodes(mv, self.visited_nodes() - visited);
            }
            let Some(score) = score else {
                self.tried_moves[ply] = tried_list;
                return None;
            };
            tried += 1;
            // Better than anything so far, or even too good.
            if score > best {
                best = score;
                if score > alpha {
                    (alpha, best_move) = (score, Some(mv));
                    self.update_pv(ply, mv);
                }
                if score >= beta {
                    self.update_histories(node, mv, noisy, &tried_list);
                    break;
                }
            }
            tried_list.push(mv);
        }
        self.tried_moves[ply] = tried_list;
        Some((best, best_move))
    }

    /// The score of a node that needs no move tried: so good, so bad, or good even after passing. The outer `None` is a stop.
    fn prune_node<C: SearchControl<MoveOf<P>>>(
        &mut self,
        node: &NodeState,
        still: Score,
        alpha: Score,
        control: &mut C,
    ) -> Option<Option<Score>> {
        let &NodeState { ply, depth, beta, is_cut_node: cut, improving, .. } = node;
        if self.eval.search_policy(self.game.position()).futility {
            if reverse_futility::fails_high(still, beta, depth, improving) {
                return Some(Some(i32::midpoint(still, beta)));
            }
            if razoring::should_razor(still, alpha, depth) {
                let score = self.quiesce(ply, alpha, beta, control)?;
                if score <= alpha {
                    return Some(Some(score));
                }
            }
        }
        self.try_null_move(ply, depth, still, beta, cut, control)
    }

    /// Whether no quiet move is worth trying here any more.
    fn skips_quiets(&self, node: &NodeState, still: Option<Score>, alpha: Score, tried: usize) -> bool {
        if node.ply == 0 || node.in_check || !self.eval.search_policy(self.game.position()).futility {
            return false;
        }
        let futile = still.is_some_and(|still| futility::is_futile(still, alpha, node.depth));
        futile || late_move_pruning::is_late(tried, node.depth, node.improving)
    }

    /// The value of a move just made: the first in the full window, others in an empty one and the late ones less deep, and
    /// again where that raises alpha.
    fn search_child<C: SearchControl<MoveOf<P>>>(
        &mut self,
        node: &NodeState,
        depth: i32,
        tried: usize,
        history: Option<i32>,
        alpha: Score,
        control: &mut C,
    ) -> Option<Score> {
        let &NodeState { ply, beta, is_pv: open, improving, is_cut_node: cut, .. } = node;
        if tried == 0 {
            return Some(-self.search_node(ply + 1, depth - 1, -beta, -alpha, !open && !cut, control)?);
        }
        let check = node.in_check || self.game.in_check();
        let reduction = ReductionInput {
            depth,
            tried,
            history,
            is_check: check,
            is_pv: open,
            improving,
            is_cut_node: cut,
        }
        .reduction();
        let mut score =
            -self.search_node(ply + 1, depth - 1 - reduction, -alpha - 1, -alpha, true, control)?;
        if reduction > 0 && score > alpha {
            score = -self.search_node(ply + 1, depth - 1, -alpha - 1, -alpha, !cut, control)?;
        }
        if score > alpha && score < beta {
            score = -self.search_node(ply + 1, depth - 1, -beta, -alpha, false, control)?;
        }
        Some(score)
    }

    /// The moves that led here.
    fn previous_moves(&self, ply: usize) -> PreviousMoves {
        let slot = |back: usize| {
            ply.checked_sub(back).map_or(self.move_histories.no_piece_to(), |at| self.stack[at].piece_to)
        };
        [slot(1), slot(2)]
    }

    /// The static score, raw and as corrected; nothing in check, where no man is at rest.
    fn static_eval(
        &mut self,
        ply: usize,
        check: bool,
        known: Option<&TtEntry<MoveOf<P>>>,
        before: PreviousMoves,
    ) -> (Option<Score>, Option<Score>) {
        let raw = (!check).then(|| {
            known.and_then(|found| found.static_eval).unwrap_or_else(|| self.eval.score(self.game.position()))
        });
        let side = self.game.side_to_move().index();
        let still = raw.map(|raw| self.correction_history.correct(raw, side, before));
        self.stack[ply].static_eval = still;
        (raw, still)
    }

    /// Whether the side to move stands better than at its last turn.
    fn is_improving(&self, ply: usize) -> bool {
        let Some(now) = self.stack[ply].static_eval else { return false };
        let then = |back: usize| ply.checked_sub(back).and_then(|at| self.stack[at].static_eval);
        then(2).or_else(|| then(4)).is_none_or(|then| now > then)
    }

    /// The score that the road alone gives, if it settles the window.
    pub(crate) fn probe_rules(&mut self, ply: usize, alpha: Score, beta: Score) -> Option<Score> {
        if ply == 0 {
            return None;
        }
        let (outcome, bound) = match self.rules.probe(&self.game, self.root_ply) {
            RuleProbe::Undecided => return None,
            RuleProbe::Decided(outcome) => (outcome, Bound::Exact),
            RuleProbe::Bound(outcome, bound) => (outcome, bound),
        };
        let score = self.outcome_score(outcome, ply);
        let settles = match bound {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        };
        self.rule_hits += u64::from(settles);
        settles.then_some(score)
    }

    /// Whether the road decided the score of a node that began when it had decided `roads`. Such a score is not the position's own:
    /// of it only the move is kept (the graph history problem).
    pub(crate) fn is_path_dependent(&self, roads: u64, score: Score) -> bool {
        self.rule_hits != roads && (score == self.draw_score() || score.abs() >= MATE_BOUND)
    }

    /// What a draw is worth.
    fn draw_score(&self) -> Score {
        self.outcome_score(Outcome::Draw, 0)
    }

    /// A move cut off after others had been tried in vain.
    fn update_histories(&mut self, node: &NodeState, mv: MoveOf<P>, noisy: bool, in_vain: &[MoveOf<P>]) {
        let by = HISTORY_STEP * node.depth;
        let position = self.game.position();
        let side = position.side_to_move().index();
        let taken = |mv| position.captured_piece(mv).map_or(0, alfil_kernel::Piece::index);
        if noisy {
            self.move_histories.update_noisy(piece_to(position, mv), taken(mv), by);
        } else {
            self.move_histories.add_killer(node.ply, mv);
            self.move_histories.update_quiet(side, mv, piece_to(position, mv), node.previous_moves, by);
        }
        for &mv in in_vain {
            let slot = piece_to(position, mv);
            if self.eval.is_noisy(position, mv) {
                self.move_histories.update_noisy(slot, taken(mv), -by);
            } else if !noisy {
                self.move_histories.update_quiet(side, mv, slot, node.previous_moves, -by);
            }
        }
    }
}

fn bound_from_score(best: Score, alpha: Score, beta: Score) -> Bound {
    if best >= beta {
        Bound::Lower
    } else if best > alpha {
        Bound::Exact
    } else {
        Bound::Upper
    }
}
