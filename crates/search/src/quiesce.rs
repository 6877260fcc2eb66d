//! Quiescence: a position is valued only when nothing noisy is pending.

use alfil_kernel::{Control, Evaluate, Laws, MoveOf, Position, Score};

use crate::params::MAX_PLY;
use crate::worker::Worker;

impl<P: Position, L: Laws<P>, E: Evaluate<P>> Worker<P, L, E> {
    /// The value of the position when only noisy moves are tried, or all moves where the king is in check. `None` when
    /// the search was stopped.
    pub(crate) fn quiesce<C: Control<MoveOf<P>>>(
        &mut self,
        ply: usize,
        mut alpha: Score,
        beta: Score,
        control: &mut C,
    ) -> Option<Score> {
        self.visit(ply, control)?;
        let check = self.line.check();
        if let Some(score) = self.glance(ply, alpha, beta) {
            return Some(score);
        }
        let temper = self.eval.temper(self.line.position());
        let mut best = -alfil_kernel::evaluate::INFINITE;
        if !check || ply + 1 >= MAX_PLY {
            // Standing pat: the side to move may decline every noisy move.
            best = self.eval.score(self.line.position());
            if best >= beta || !temper.quiescence || ply + 1 >= MAX_PLY {
                return Some(best);
            }
            alpha = alpha.max(best);
        }
        let list = if check { self.ordered(ply, None) } else { self.ordered_noisy() };
        if list.is_empty() && self.line.position().ended() {
            return Some(self.no_move(ply));
        }
        for &mv in &list {
            self.line.push(mv, &mut self.eval);
            let score = self.quiesce(ply + 1, -beta, -alpha, control);
            self.line.pop(&mut self.eval);
            let score = -score?;
            if score > best {
                best = score;
                if score >= beta {
                    break;
                }
                alpha = alpha.max(score);
            }
        }
        Some(best)
    }
}
