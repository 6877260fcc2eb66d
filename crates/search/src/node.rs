//! One node of the search tree, as a numbered list of steps.

use alfil_kernel::{Bound, MoveOf, Oracle, Outcome, Position, RuleProbe, Rules, Score, SearchControl};

use crate::correction_history::can_correct;
use crate::late_move_reductions::{self, ReductionInput};
use crate::move_history::{HistoryContext, PieceTo, PreviousMoves, piece_to};
use crate::move_picker::MovePicker;
use crate::params::MAX_PLY;
use crate::prune::{futility, late_move_pruning, mate_distance, razoring, reverse_futility, see};
use crate::search_evaluator::SearchEvaluator;
use crate::singular::Singular;
use crate::transposition_table::TtEntry;
use crate::worker::Worker;

/// The search stack entry of a ply.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StackEntry<M> {
    /// The corrected static evaluation; `None` in check.
    pub(crate) static_eval: Option<Score>,
    /// The move made at this ply, by piece and target square.
    pub(crate) piece_to: PieceTo,
    /// The hash move that a singular search excludes.
    pub(crate) excluded_move: Option<M>,
}

/// The state of a node before its move loop.
#[derive(Clone, Copy, Debug)]
struct NodeState {
    ply: usize,
    depth: i32,
    beta: Score,
    in_check: bool,
    is_pv: bool,
    is_cut_node: bool,
    improving: bool,
    context: HistoryContext,
}

impl<P: Position, R: Rules<P>, E: SearchEvaluator<P>, O: Oracle<P>> Worker<P, R, E, O> {
    /// Principal variation search (Marsland and Campbell, 1982): returns the score of the position within a window,
    /// `ply` plies below the root and with `depth` plies left. `is_cut_node` says that one of the first moves is
    /// expected to fail high. `None` means that the search was stopped.
    pub(crate) fn search_node<C: SearchControl<MoveOf<P>>>(
        &mut self,
        ply: usize,
        depth: i32,
        alpha: Score,
        beta: Score,
        is_cut_node: bool,
        control: &mut C,
    ) -> Option<Score> {
        self.pv_table[ply].clear();
        // 1. Leaf: quiescence search, which also evades checks.
        if depth <= 0 || ply + 1 >= MAX_PLY {
            return self.quiesce(ply, alpha, beta, control);
        }
        let key = self.game.position().hash_key();
        self.table.prefetch(key);
        self.visit(ply, control)?;
        // 2. Rule probe: repetition and move limits. It precedes mate distance pruning because such an end is nearer
        //    than any mate below this node.
        if let Some(score) = self.probe_rules(ply, alpha, beta) {
            return Some(score);
        }
        let (alpha, beta) = if ply == 0 { (alpha, beta) } else { mate_distance::clamp(ply, alpha, beta) };
        if alpha >= beta {
            return Some(alpha);
        }
        // 3. Transposition table lookup.
        let (in_check, is_pv) = (self.game.in_check(), beta - alpha > 1);
        let excluded_move = self.stack[ply].excluded_move;
        let tt_entry = if excluded_move.is_some() { None } else { self.table.probe(key, ply) };
        if let Some(entry) = tt_entry.filter(|entry| !is_pv && entry.causes_cutoff(depth, alpha, beta)) {
            return Some(entry.score);
        }
        // 4. Static evaluation, and whether it is improving.
        let previous_moves = self.previous_moves(ply);
        let (raw_eval, static_eval) = self.static_eval(ply, in_check, tt_entry.as_ref(), previous_moves);
        let improving = self.is_improving(ply);
        let pawn_key = (self.params.pawn_history > 0).then(|| self.eval.pawn_key(self.game.position()));
        let context = HistoryContext { previous_moves, pawn_key };
        let mut node = NodeState { ply, depth, beta, in_check, is_pv, is_cut_node, improving, context };
        // 5. Pruning before the move loop, outside PV nodes and singular searches.
        if let Some(static_eval) = static_eval.filter(|_| !is_pv && excluded_move.is_none())
            && let Some(score) = self.prune_node(&node, static_eval, alpha, control)?
        {
            return Some(score);
        }
        // 6. Internal iterative reduction: without a hash move, the node is searched a ply less deep. A root that
        //    searches some of its moves has none, because it is not stored.
        if depth >= self.params.iir_min_depth
            && excluded_move.is_none()
            && (ply > 0 || self.all_root_moves)
            && tt_entry.is_none_or(|entry| entry.mv.is_none())
        {
            node.depth -= 1;
        }
        // 7. Singular extension of the hash move.
        let mut extension = 0;
        if let Some(entry) = tt_entry {
            match self.singular_extension(ply, node.depth, beta, is_cut_node, &entry, control)? {
                Singular::Cut(score) => return Some(score),
                Singular::Extend(plies) => extension = plies,
            }
        }
        // 8. Move loop. The searches of this node before it have left their own lines.
        self.pv_table[ply].clear();
        let rule_hits = self.rule_hits;
        let mut picker = core::mem::replace(&mut self.pickers[ply], MovePicker::new_empty());
        let hash_move = tt_entry.and_then(|entry| entry.mv);
        let killers = match self.eval.orders_quiets(node.depth) {
            true => [None; 3],
            false => self.killers(ply, previous_moves[0]),
        };
        picker.start(hash_move, killers, context, node.depth);
        let result = self.search_children(&node, static_eval, alpha, extension, &mut picker, control);
        self.pickers[ply] = picker;
        let (best, mv) = result?;
        // 9. No legal move.
        if best == -Score::INFINITE {
            return Some(if excluded_move.is_some() { alpha } else { self.no_legal_move_score(ply) });
        }
        // 10. Update of the transposition table and the correction history.
        if excluded_move.is_none() && (ply > 0 || self.all_root_moves) {
            let bound = bound_from_score(best, alpha, beta);
            let mv = if bound == Bound::Upper { None } else { mv };
            let path_dependent = self.is_path_dependent(rule_hits, best);
            let entry = if path_dependent {
                TtEntry::from_move(mv, raw_eval)
            } else {
                let depth = if self.params.iir_stores_full_depth > 0 { depth } else { node.depth };
                TtEntry { mv, score: best, static_eval: raw_eval, depth, bound }
            };
            self.table.store(key, ply, &entry);
            let is_quiet = mv.is_none_or(|mv| !self.eval.is_noisy(self.game.position(), mv));
            if let Some(raw) =
                raw_eval.filter(|&raw| is_quiet && !path_dependent && can_correct(bound, best, raw))
            {
                let side = self.game.side_to_move().index();
                self.correction_history.update(raw, best, node.depth, side, previous_moves, &self.params);
            }
        }
        Some(best)
    }

    /// Searches the moves of a node. Returns the best score and its move; the score is `-Score::INFINITE` without a
    /// legal move.
    fn search_children<C: SearchControl<MoveOf<P>>>(
        &mut self,
        node: &NodeState,
        static_eval: Option<Score>,
        mut alpha: Score,
        extension: i32,
        picker: &mut MovePicker<MoveOf<P>>,
        control: &mut C,
    ) -> Option<(Score, Option<MoveOf<P>>)> {
        let &NodeState { ply, depth, beta, .. } = node;
        let (mut best, mut best_move, mut move_count) = (-Score::INFINITE, None, 0);
        let mut tried_moves = core::mem::take(&mut self.tried_moves[ply]);
        tried_moves.clear();
        let hash_move = picker.hash_move();
        while let Some(mv) = self.next_move(picker) {
            if Some(mv) == self.stack[ply].excluded_move || (ply == 0 && !self.root_moves.contains(&mv)) {
                continue;
            }
            let is_noisy = self.eval.is_noisy(self.game.position(), mv);
            if !is_noisy && !best.is_loss() && self.skips_quiets(node, static_eval, alpha, move_count) {
                picker.skip_quiets();
                continue;
            }
            if ply > 0
                && !best.is_loss()
                && let Some(max_loss) = see::max_loss(is_noisy, depth, &self.params)
                && !self.eval.see_ge(self.game.position(), mv, -max_loss)
            {
                continue;
            }
            let piece_to = piece_to(self.game.position(), mv);
            let side = self.game.side_to_move().index();
            let history =
                (!is_noisy).then(|| self.move_histories.quiet_score(side, mv, piece_to, node.context));
            self.stack[ply].piece_to = piece_to;
            self.game.push(mv, &mut self.eval);
            let plies = if Some(mv) == hash_move { extension } else { 0 };
            let nodes_before = self.visited_nodes();
            let score = self.search_child(node, depth + plies, move_count, history, (best, alpha), control);
            self.game.pop(&mut self.eval);
            if ply == 0 {
                self.add_root_nodes(mv, self.visited_nodes() - nodes_before);
            }
            let Some(score) = score else {
                self.tried_moves[ply] = tried_moves;
                return None;
            };
            move_count += 1;
            if score > best {
                best = score;
                if score > alpha {
                    (alpha, best_move) = (score, Some(mv));
                    self.update_pv(ply, mv);
                    if ply == 0 {
                        self.save_root_line(score, beta);
                    }
                }
                if score >= beta {
                    self.update_histories(node, mv, is_noisy, &tried_moves);
                    break;
                }
            }
            tried_moves.push(mv);
        }
        self.tried_moves[ply] = tried_moves;
        Some((best, best_move))
    }

    /// Returns the score of a node that is pruned: by reverse futility, razoring or a null move. The outer `None` means
    /// that the search was stopped.
    fn prune_node<C: SearchControl<MoveOf<P>>>(
        &mut self,
        node: &NodeState,
        static_eval: Score,
        alpha: Score,
        control: &mut C,
    ) -> Option<Option<Score>> {
        let &NodeState { ply, depth, beta, is_cut_node, improving, .. } = node;
        if self.eval.techniques(self.game.position()).futility {
            if reverse_futility::fails_high(static_eval, beta, depth, improving, &self.params) {
                return Some(Some(static_eval.midpoint(beta)));
            }
            if razoring::should_razor(static_eval, alpha, depth, &self.params) {
                let score = self.quiesce(ply, alpha, beta, control)?;
                if score <= alpha {
                    return Some(Some(score));
                }
            }
        }
        if let Some(score) = self.try_null_move(ply, depth, static_eval, beta, is_cut_node, control)? {
            return Some(Some(score));
        }
        self.try_prob_cut(node, static_eval, control)
    }

    /// Multi-ProbCut (M. Buro, 1997): returns a bound of the window if a shallow search is outside it by more than the
    /// deeper search is expected to differ. The static evaluation decides which bound is tried. The outer `None` means
    /// that the search was stopped.
    fn try_prob_cut<C: SearchControl<MoveOf<P>>>(
        &mut self,
        node: &NodeState,
        static_eval: Score,
        control: &mut C,
    ) -> Option<Option<Score>> {
        let &NodeState { ply, depth, beta, is_cut_node, .. } = node;
        let alpha = beta - 1;
        if alpha.is_decisive() || beta.is_decisive() {
            return Some(None);
        }
        let Some(probe) = self.eval.prob_cut(self.game.position(), depth) else { return Some(None) };
        if static_eval >= beta {
            let bound = beta + probe.margin;
            if self.search_node(ply, probe.depth, bound - 1, bound, is_cut_node, control)? >= bound {
                return Some(Some(beta));
            }
        } else {
            let bound = alpha - probe.margin;
            if self.search_node(ply, probe.depth, bound, bound + 1, is_cut_node, control)? <= bound {
                return Some(Some(alpha));
            }
        }
        Some(None)
    }

    /// Returns whether the remaining quiet moves are skipped (futility pruning, late move pruning).
    fn skips_quiets(
        &self,
        node: &NodeState,
        static_eval: Option<Score>,
        alpha: Score,
        move_count: usize,
    ) -> bool {
        if node.ply == 0 || node.in_check || !self.eval.techniques(self.game.position()).futility {
            return false;
        }
        static_eval
            .is_some_and(|static_eval| futility::is_futile(static_eval, alpha, node.depth, &self.params))
            || late_move_pruning::is_late(move_count, node.depth, node.improving, &self.params)
    }

    /// Returns the score of the move just made: the first move in the full window, the others in a null window and with
    /// a late move reduction, followed by a re-search if they raise alpha. `best` is the best score of the moves before
    /// it.
    fn search_child<C: SearchControl<MoveOf<P>>>(
        &mut self,
        node: &NodeState,
        depth: i32,
        move_count: usize,
        history: Option<i32>,
        (best, alpha): (Score, Score),
        control: &mut C,
    ) -> Option<Score> {
        let &NodeState { ply, beta, is_pv, improving, is_cut_node, .. } = node;
        if move_count == 0 {
            return Some(-self.search_node(
                ply + 1,
                depth - 1,
                -beta,
                -alpha,
                !is_pv && !is_cut_node,
                control,
            )?);
        }
        let is_check = node.in_check || self.game.in_check();
        let reduction =
            ReductionInput { depth, move_count, history, is_check, is_pv, improving, is_cut_node }
                .reduction(&self.params);
        let mut score =
            -self.search_node(ply + 1, depth - 1 - reduction, -alpha - 1, -alpha, true, control)?;
        if reduction > 0 && score > alpha {
            let new_depth =
                depth - 1 + late_move_reductions::depth_change(reduction, score, best, &self.params);
            if new_depth > depth - 1 - reduction {
                score = -self.search_node(ply + 1, new_depth, -alpha - 1, -alpha, !is_cut_node, control)?;
            }
        }
        if score > alpha && score < beta {
            score = -self.search_node(ply + 1, depth - 1, -beta, -alpha, false, control)?;
        }
        Some(score)
    }

    /// Returns the killers of a ply, and the counter move after the move `previous`.
    fn killers(&self, ply: usize, previous: PieceTo) -> [Option<MoveOf<P>>; 3] {
        let [first, second] = self.move_histories.killers(ply);
        [first, second, self.move_histories.counter_move(previous)]
    }

    /// Returns the two moves that led to this node.
    fn previous_moves(&self, ply: usize) -> PreviousMoves {
        let piece_to = |back: usize| {
            ply.checked_sub(back).map_or(self.move_histories.no_piece_to(), |at| self.stack[at].piece_to)
        };
        [piece_to(1), piece_to(2)]
    }

    /// Returns the static evaluation, raw and corrected; `None` in check, where it is unreliable. A singular search has
    /// only the corrected one, of the search that began it.
    fn static_eval(
        &mut self,
        ply: usize,
        in_check: bool,
        tt_entry: Option<&TtEntry<MoveOf<P>>>,
        previous_moves: PreviousMoves,
    ) -> (Option<Score>, Option<Score>) {
        if self.stack[ply].excluded_move.is_some() {
            return (None, self.stack[ply].static_eval);
        }
        let raw_eval = (!in_check).then(|| {
            tt_entry
                .and_then(|entry| entry.static_eval)
                .unwrap_or_else(|| self.eval.score(self.game.position()))
        });
        let side = self.game.side_to_move().index();
        let corrected = raw_eval.map(|raw| self.correction_history.correct(raw, side, previous_moves));
        self.stack[ply].static_eval = corrected;
        (raw_eval, corrected)
    }

    /// Returns whether the static evaluation is better than at the previous move of the same side.
    fn is_improving(&self, ply: usize) -> bool {
        let Some(now) = self.stack[ply].static_eval else { return false };
        let earlier = |back: usize| ply.checked_sub(back).and_then(|at| self.stack[at].static_eval);
        earlier(2).or_else(|| earlier(4)).is_none_or(|earlier| now > earlier)
    }

    /// Returns the score by the rules, if it is exact or fails outside the window.
    pub(crate) fn probe_rules(&mut self, ply: usize, alpha: Score, beta: Score) -> Option<Score> {
        if ply == 0 {
            return None;
        }
        let (outcome, bound) = match self.rules.probe(&self.game, self.root_ply) {
            RuleProbe::Undecided => return None,
            RuleProbe::Decided(outcome) => (outcome, Bound::Exact),
            RuleProbe::Bound(outcome, bound) => (outcome, bound),
        };
        let score = match outcome {
            Outcome::Draw => Score::DRAW,
            Outcome::Win(side) if side == self.game.side_to_move() => Score::rule_win(ply as u32),
            Outcome::Win(_) => Score::rule_loss(ply as u32),
        };
        let causes_cutoff = match bound {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        };
        self.rule_hits += u64::from(causes_cutoff);
        causes_cutoff.then_some(score)
    }

    /// Returns whether a rule probe below this node may have decided its score; `rule_hits` is the count at its start.
    /// Such a score depends on the path (graph history interaction), so the table stores only its move.
    pub(crate) fn is_path_dependent(&self, rule_hits: u64, score: Score) -> bool {
        self.rule_hits != rule_hits && (score == Score::DRAW || score.is_decisive())
    }

    /// Updates the histories after `mv` caused a cutoff: a bonus for it, a malus for the noisy moves tried before it
    /// and, if it is quiet, for the quiet ones.
    fn update_histories(
        &mut self,
        node: &NodeState,
        mv: MoveOf<P>,
        is_noisy: bool,
        tried_moves: &[MoveOf<P>],
    ) {
        let bonus = self.params.history_step * node.depth;
        let position = self.game.position();
        let side = position.side_to_move().index();
        let captured = |mv| position.captured_piece(mv).map_or(0, alfil_kernel::Piece::index);
        if is_noisy {
            self.move_histories.update_noisy(piece_to(position, mv), captured(mv), bonus);
        } else {
            self.move_histories.add_killer(node.ply, mv);
            if self.params.counter_moves > 0 {
                self.move_histories.set_counter_move(node.context.previous_moves[0], mv);
            }
            self.move_histories.update_quiet(side, mv, piece_to(position, mv), node.context, bonus);
        }
        for &tried in tried_moves {
            let piece_to = piece_to(position, tried);
            if self.eval.is_noisy(position, tried) {
                self.move_histories.update_noisy(piece_to, captured(tried), -bonus);
            } else if !is_noisy {
                self.move_histories.update_quiet(side, tried, piece_to, node.context, -bonus);
            }
        }
    }
}

/// Returns whether a score is exact or a bound, by the window of its search.
fn bound_from_score(best: Score, alpha: Score, beta: Score) -> Bound {
    if best >= beta {
        Bound::Lower
    } else if best > alpha {
        Bound::Exact
    } else {
        Bound::Upper
    }
}
