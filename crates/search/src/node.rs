//! One node of the tree, as a numbered list.

use alfil_kernel::evaluate::{INFINITE, MATE_BOUND};
use alfil_kernel::{Bound, Control, Evaluate, Glance, Laws, Move, MoveOf, Outcome, Position, Score};

use crate::params::{
    LATE_FIRST, LATE_MIN_DEPTH, MAX_PLY, NULL_DEPTH_SHARE, NULL_MIN_DEPTH, NULL_REDUCTION, VERY_LATE_FIRST,
};
use crate::table::Found;
use crate::worker::Worker;

impl<P: Position, L: Laws<P>, E: Evaluate<P>> Worker<P, L, E> {
    /// Principal variation search (Marsland and Campbell, 1982): the value of the position within a window, `ply` plies
    /// below the root and `depth` plies above the horizon. `None` when the search was stopped.
    pub(crate) fn node<C: Control<MoveOf<P>>>(
        &mut self,
        ply: usize,
        mut depth: i32,
        mut alpha: Score,
        beta: Score,
        control: &mut C,
    ) -> Option<Score> {
        self.variations[ply].clear();
        // 1. A check is answered before a position is valued.
        let check = self.line.check();
        if check {
            depth += 1;
        }
        // 2. The horizon.
        if depth <= 0 || ply + 1 >= MAX_PLY {
            return self.quiesce(ply, alpha, beta, control);
        }
        self.visit(ply, control)?;
        // 3. The road: a repetition, a limit.
        if let Some(score) = self.glance(ply, alpha, beta) {
            return Some(score);
        }
        // 4. The table.
        let open = beta - alpha > 1;
        let known = self.table.probe(self.line.position().key(), ply);
        if let Some(found) = known
            && !open
            && settles(&found, depth, alpha, beta)
        {
            return Some(found.score);
        }
        // 5. The null move.
        if !open && !check && self.passes(ply, depth, beta, control)? {
            return Some(beta);
        }
        // 6. The moves, most promising first.
        let mut list = self.ordered(ply, known.and_then(|found| found.mv));
        if ply == 0 {
            list.retain(|mv| self.roots.contains(&mv));
        }
        if list.is_empty() && self.line.position().ended() {
            return Some(self.no_move(ply));
        }
        let (mut best, mut best_move, first_alpha) = (-INFINITE, None, alpha);
        for (tried, &mv) in list.iter().enumerate() {
            let noisy = self.eval.is_noisy(self.line.position(), mv);
            // 7. Down and up again.
            self.line.push(mv, &mut self.eval);
            let score = self.child(ply, depth, tried, noisy || check, (alpha, beta), control);
            self.line.pop(&mut self.eval);
            let score = score?;
            // 8. Better than anything so far, or even too good.
            if score > best {
                (best, best_move) = (score, Some(mv));
                if score > alpha {
                    alpha = score;
                    self.extend_variation(ply, mv);
                }
                if score >= beta {
                    self.remember_cutoff(ply, depth, noisy, &list[..=tried]);
                    break;
                }
            }
        }
        // 9. What was found out, for next time.
        let bound = bound_of(best, first_alpha, beta);
        let mv = if bound == Bound::Upper { None } else { best_move };
        self.table.store(self.line.position().key(), ply, &Found { mv, score: best, depth, bound });
        Some(best)
    }

    /// The value of a move just made: the first in the full window, others in an empty one, late quiet ones less deep, and
    /// again where that raises alpha.
    fn child<C: Control<MoveOf<P>>>(
        &mut self,
        ply: usize,
        depth: i32,
        tried: usize,
        sharp: bool,
        (alpha, beta): (Score, Score),
        control: &mut C,
    ) -> Option<Score> {
        if tried == 0 {
            return Some(-self.node(ply + 1, depth - 1, -beta, -alpha, control)?);
        }
        let reduction = late(depth, tried, sharp || self.line.check());
        let mut score = -self.node(ply + 1, depth - 1 - reduction, -alpha - 1, -alpha, control)?;
        if reduction > 0 && score > alpha {
            score = -self.node(ply + 1, depth - 1, -alpha - 1, -alpha, control)?;
        }
        if score > alpha && score < beta {
            score = -self.node(ply + 1, depth - 1, -beta, -alpha, control)?;
        }
        Some(score)
    }

    /// Whether even passing keeps the score above beta (the null move; Beal 1989, Donninger 1993).
    fn passes<C: Control<MoveOf<P>>>(
        &mut self,
        ply: usize,
        depth: i32,
        beta: Score,
        control: &mut C,
    ) -> Option<bool> {
        let position = self.line.position();
        let after_null = self.line.last().is_some_and(|record| record.mv().is_none());
        if depth < NULL_MIN_DEPTH
            || after_null
            || beta >= MATE_BOUND
            || !self.eval.temper(position).null_move
            || self.eval.score(position) < beta
        {
            return Some(false);
        }
        self.line.push_null();
        let reduced = depth - 1 - NULL_REDUCTION - depth / NULL_DEPTH_SHARE;
        let score = self.node(ply + 1, reduced, -beta, 1 - beta, control);
        self.line.pop(&mut self.eval);
        Some(-score? >= beta)
    }

    /// The score that the road alone gives, if it settles the window.
    pub(crate) fn glance(&self, ply: usize, alpha: Score, beta: Score) -> Option<Score> {
        if ply == 0 {
            return None;
        }
        let score = |outcome: Outcome| self.outcome_score(outcome, ply);
        match self.laws.glance(&self.line, self.root) {
            Glance::Nothing => None,
            Glance::Result(outcome) => Some(score(outcome)),
            Glance::Bound(outcome, Bound::Exact) => Some(score(outcome)),
            Glance::Bound(outcome, Bound::Lower) => Some(score(outcome)).filter(|&score| score >= beta),
            Glance::Bound(outcome, Bound::Upper) => Some(score(outcome)).filter(|&score| score <= alpha),
        }
    }

    fn remember_cutoff(&mut self, ply: usize, depth: i32, noisy: bool, tried: &[MoveOf<P>]) {
        if noisy {
            return;
        }
        let position = self.line.position();
        let Some((&mv, others)) = tried.split_last() else { return };
        let quiet: Vec<_> = others.iter().copied().filter(|&mv| !self.eval.is_noisy(position, mv)).collect();
        self.memory.reward(position.side().index(), ply, mv, &quiet, depth);
    }
}

/// Whether what the table knows decides this window.
fn settles<M: Move>(found: &Found<M>, depth: i32, alpha: Score, beta: Score) -> bool {
    found.depth >= depth
        && match found.bound {
            Bound::Exact => true,
            Bound::Lower => found.score >= beta,
            Bound::Upper => found.score <= alpha,
        }
}

/// By how many plies a late quiet move is searched less deep (late move reductions).
fn late(depth: i32, tried: usize, sharp: bool) -> i32 {
    if sharp || depth < LATE_MIN_DEPTH || tried < LATE_FIRST {
        return 0;
    }
    if tried < VERY_LATE_FIRST { 1 } else { 2 }
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
