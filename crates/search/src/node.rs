//! One node of the tree, as a numbered list.

use alfil_kernel::evaluate::{INFINITE, MATE_BOUND};
use alfil_kernel::{Bound, Control, Evaluate, Glance, Laws, MoveOf, Outcome, Oracle, Position, Score};

use crate::correct::contradicts;
use crate::extend::Singular;
use crate::history::{Before, Slot, slot};
use crate::order::Picker;
use crate::params::{HISTORY_STEP, MAX_PLY, UNKNOWN_MIN_DEPTH};
use crate::prune::{distance, futility, late, razor, safe};
use crate::reduce::Late;
use crate::table::Found;
use crate::worker::Worker;

/// What a node knows of its ply.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame<M> {
    /// The static score as corrected; nothing in check.
    pub(crate) still: Option<Score>,
    /// The move made from here, by who went where.
    pub(crate) slot: Slot,
    /// The move that is left out, because the others are looked at without it.
    pub(crate) excluded: Option<M>,
}

/// What is known before the first move of a node is tried.
#[derive(Clone, Copy, Debug)]
struct Node {
    ply: usize,
    depth: i32,
    beta: Score,
    check: bool,
    open: bool,
    cut: bool,
    improving: bool,
    before: Before,
}

impl<P: Position, L: Laws<P>, E: Evaluate<P>, O: Oracle<P>> Worker<P, L, E, O> {
    /// Principal variation search (Marsland and Campbell, 1982): the value of the position within a window, `ply` plies
    /// below the root and `depth` plies above the horizon; `cut` where one of the first moves is expected to cut off. `None` when
    /// the search was stopped.
    pub(crate) fn node<C: Control<MoveOf<P>>>(
        &mut self,
        ply: usize,
        depth: i32,
        alpha: Score,
        beta: Score,
        cut: bool,
        control: &mut C,
    ) -> Option<Score> {
        self.variations[ply].clear();
        // 1. The horizon. Checks are answered beyond it.
        if depth <= 0 || ply + 1 >= MAX_PLY {
            return self.quiesce(ply, alpha, beta, control);
        }
        self.visit(ply, control)?;
        // 2. The road: a repetition, a limit. What is nearer than any win to be found here.
        if let Some(score) = self.glance(ply, alpha, beta) {
            return Some(score);
        }
        let (alpha, beta) = if ply == 0 { (alpha, beta) } else { distance::clamp(ply, alpha, beta) };
        if alpha >= beta {
            return Some(alpha);
        }
        // 3. The table.
        let (check, open) = (self.line.check(), beta - alpha > 1);
        let excluded = self.frames[ply].excluded;
        let key = self.line.position().key();
        let known = if excluded.is_some() { None } else { self.table.probe(key, ply) };
        if let Some(found) = known.filter(|found| !open && found.settles(depth, alpha, beta)) {
            return Some(found.score);
        }
        // 4. The static score, and whether things get better.
        let before = self.before(ply);
        let (raw, still) = self.still(ply, check, known.as_ref(), before);
        let improving = self.improves(ply);
        let mut node = Node { ply, depth, beta, check, open, cut, improving, before };
        // 5. Nodes that need no move.
        if let Some(still) = still.filter(|_| !open && excluded.is_none())
            && let Some(score) = self.settled(&node, still, alpha, control)?
        {
            return Some(score);
        }
        // 6. A node of which the table knows no move is not worth its full depth yet (internal iterative reduction).
        if depth >= UNKNOWN_MIN_DEPTH && excluded.is_none() && known.is_none_or(|found| found.mv.is_none()) {
            node.depth -= 1;
        }
        // 7. How much the table's move stands out.
        let mut extension = 0;
        if let Some(found) = known {
            match self.singular(ply, node.depth, beta, cut, &found, control)? {
                Singular::Cut(score) => return Some(score),
                Singular::Extend(plies) => extension = plies,
            }
        }
        // 8. The moves.
        let roads = self.roads;
        let mut picker = core::mem::replace(&mut self.pickers[ply], Picker::new_empty());
        picker.start(known.and_then(|found| found.mv), self.histories.killers(ply), before);
        let best = self.moves(&node, still, alpha, extension, &mut picker, control);
        self.pickers[ply] = picker;
        let (best, mv) = best?;
        // 9. Nothing to play.
        if best == -INFINITE {
            return Some(if excluded.is_some() { alpha } else { self.no_move(ply) });
        }
        // 10. What was found out, for next time.
        if excluded.is_none() && (ply > 0 || self.all_roots) {
            let bound = bound_of(best, alpha, beta);
            let mv = if bound == Bound::Upper { None } else { mv };
            let by_road = self.is_by_road(roads, best);
            let found = Found { mv, score: best, still: raw, depth: node.depth, bound };
            let found = if by_road { Found::only_move(mv, raw) } else { found };
            self.table.store(key, ply, &found);
            let calm = mv.is_none_or(|mv| !self.eval.is_noisy(self.line.position(), mv));
            if let Some(raw) = raw.filter(|&raw| calm && !by_road && contradicts(bound, best, raw)) {
                self.corrections.learn(raw, best, node.depth, self.line.side().index(), before);
            }
        }
        Some(best)
    }

    /// Tries the moves of a node: the best score and move, or a score of `-INFINITE` where there is no legal one.
    fn moves<C: Control<MoveOf<P>>>(
        &mut self,
        node: &Node,
        still: Option<Score>,
        mut alpha: Score,
        extension: i32,
        picker: &mut Picker<MoveOf<P>>,
        control: &mut C,
    ) -> Option<(Score, Option<MoveOf<P>>)> {
        let &Node { ply, depth, beta, .. } = node;
        let (mut best, mut best_move, mut tried) = (-INFINITE, None, 0);
        let mut tried_list = core::mem::take(&mut self.tried[ply]);
        tried_list.clear();
        let from_table = picker.table_move();
        while let Some(mv) = self.pick(picker) {
            if Some(mv) == self.frames[ply].excluded || (ply == 0 && !self.roots.contains(&mv)) {
                continue;
            }
            let noisy = self.eval.is_noisy(self.line.position(), mv);
            if !noisy && best > -MATE_BOUND && self.leaves_quiet_out(node, still, alpha, tried) {
                picker.skip_quiet();
                continue;
            }
            let slot = slot(self.line.position(), mv);
            let side = self.line.side().index();
            let history = (!noisy).then(|| self.histories.of_quiet(side, mv, slot, node.before));
            self.frames[ply].slot = slot;
            // Down and up again.
            self.line.push(mv, &mut self.eval);
            let deeper = if Some(mv) == from_table { extension } else { 0 };
            let visited = self.visited();
            let score = self.child(node, depth + deeper, tried, history, alpha, control);
            self.line.pop(&mut self.eval);
            if ply == 0 {
                self.spend(mv, self.visited() - visited);
            }
            let Some(score) = score else {
                self.tried[ply] = tried_list;
                return None;
            };
            tried += 1;
            // Better than anything so far, or even too good.
            if score > best {
                best = score;
                if score > alpha {
                    (alpha, best_move) = (score, Some(mv));
                    self.extend_variation(ply, mv);
                }
                if score >= beta {
                    self.reward(node, mv, noisy, &tried_list);
                    break;
                }
            }
            tried_list.push(mv);
        }
        self.tried[ply] = tried_list;
        Some((best, best_move))
    }

    /// The score of a node that needs no move tried: so good, so bad, or good even after passing. The outer `None` is a stop.
    fn settled<C: Control<MoveOf<P>>>(
        &mut self,
        node: &Node,
        still: Score,
        alpha: Score,
        control: &mut C,
    ) -> Option<Option<Score>> {
        let &Node { ply, depth, beta, cut, improving, .. } = node;
        if self.eval.temper(self.line.position()).futility {
            if safe::is_safe(still, beta, depth, improving) {
                return Some(Some(i32::midpoint(still, beta)));
            }
            if razor::is_hopeless(still, alpha, depth) {
                let score = self.quiesce(ply, alpha, beta, control)?;
                if score <= alpha {
                    return Some(Some(score));
                }
            }
        }
        self.null_cut(ply, depth, still, beta, cut, control)
    }

    /// Whether no quiet move is worth trying here any more.
    fn leaves_quiet_out(&self, node: &Node, still: Option<Score>, alpha: Score, tried: usize) -> bool {
        if node.ply == 0 || node.check || !self.eval.temper(self.line.position()).futility {
            return false;
        }
        let futile = still.is_some_and(|still| futility::is_futile(still, alpha, node.depth));
        futile || late::is_late(tried, node.depth, node.improving)
    }

    /// The value of a move just made: the first in the full window, others in an empty one and the late ones less deep, and
    /// again where that raises alpha.
    fn child<C: Control<MoveOf<P>>>(
        &mut self,
        node: &Node,
        depth: i32,
        tried: usize,
        history: Option<i32>,
        alpha: Score,
        control: &mut C,
    ) -> Option<Score> {
        let &Node { ply, beta, open, improving, cut, .. } = node;
        if tried == 0 {
            return Some(-self.node(ply + 1, depth - 1, -beta, -alpha, !open && !cut, control)?);
        }
        let check = node.check || self.line.check();
        let reduction = Late { depth, tried, history, check, open, improving, cut }.reduction();
        let mut score = -self.node(ply + 1, depth - 1 - reduction, -alpha - 1, -alpha, true, control)?;
        if reduction > 0 && score > alpha {
            score = -self.node(ply + 1, depth - 1, -alpha - 1, -alpha, !cut, control)?;
        }
        if score > alpha && score < beta {
            score = -self.node(ply + 1, depth - 1, -beta, -alpha, false, control)?;
        }
        Some(score)
    }

    /// The moves that led here.
    fn before(&self, ply: usize) -> Before {
        let slot =
            |back: usize| ply.checked_sub(back).map_or(self.histories.no_slot(), |at| self.frames[at].slot);
        [slot(1), slot(2)]
    }

    /// The static score, raw and as corrected; nothing in check, where no man is at rest.
    fn still(
        &mut self,
        ply: usize,
        check: bool,
        known: Option<&Found<MoveOf<P>>>,
        before: Before,
    ) -> (Option<Score>, Option<Score>) {
        let raw = (!check).then(|| {
            known.and_then(|found| found.still).unwrap_or_else(|| self.eval.score(self.line.position()))
        });
        let side = self.line.side().index();
        let still = raw.map(|raw| self.corrections.correct(raw, side, before));
        self.frames[ply].still = still;
        (raw, still)
    }

    /// Whether the side to move stands better than at its last turn.
    fn improves(&self, ply: usize) -> bool {
        let Some(now) = self.frames[ply].still else { return false };
        let then = |back: usize| ply.checked_sub(back).and_then(|at| self.frames[at].still);
        then(2).or_else(|| then(4)).is_none_or(|then| now > then)
    }

    /// The score that the road alone gives, if it settles the window.
    pub(crate) fn glance(&mut self, ply: usize, alpha: Score, beta: Score) -> Option<Score> {
        if ply == 0 {
            return None;
        }
        let (outcome, bound) = match self.laws.glance(&self.line, self.root) {
            Glance::Nothing => return None,
            Glance::Result(outcome) => (outcome, Bound::Exact),
            Glance::Bound(outcome, bound) => (outcome, bound),
        };
        let score = self.outcome_score(outcome, ply);
        let settles = match bound {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        };
        self.roads += u64::from(settles);
        settles.then_some(score)
    }

    /// Whether the road decided the score of a node that began when it had decided `roads`. Such a score is not the position's own:
    /// of it only the move is kept (the graph history problem).
    pub(crate) fn is_by_road(&self, roads: u64, score: Score) -> bool {
        self.roads != roads && (score == self.draw() || score.abs() >= MATE_BOUND)
    }

    /// What a draw is worth.
    fn draw(&self) -> Score {
        self.outcome_score(Outcome::Draw, 0)
    }

    /// A move cut off after others had been tried in vain.
    fn reward(&mut self, node: &Node, mv: MoveOf<P>, noisy: bool, in_vain: &[MoveOf<P>]) {
        let by = HISTORY_STEP * node.depth;
        let position = self.line.position();
        let side = position.side().index();
        let taken = |mv| position.captured(mv).map_or(0, alfil_kernel::Piece::index);
        if noisy {
            self.histories.adjust_noisy(slot(position, mv), taken(mv), by);
        } else {
            self.histories.keep_killer(node.ply, mv);
            self.histories.adjust_quiet(side, mv, slot(position, mv), node.before, by);
        }
        for &mv in in_vain {
            let slot = slot(position, mv);
            if self.eval.is_noisy(position, mv) {
                self.histories.adjust_noisy(slot, taken(mv), -by);
            } else if !noisy {
                self.histories.adjust_quiet(side, mv, slot, node.before, -by);
            }
        }
    }
}

fn bound_of(best: Score, alpha: Score, beta: Score) -> Bound {
    if best >= beta {
        Bound::Lower
    } else if best > alpha {
        Bound::Exact
    } else {
        Bound::Upper
    }
}
