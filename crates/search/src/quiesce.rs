//! Quiescence: a position is valued only when nothing noisy is pending.

use alfil_kernel::evaluate::INFINITE;
use alfil_kernel::{Bound, Control, Evaluate, Laws, MoveOf, Oracle, Position, Score};

use crate::order::Picker;
use crate::params::{DELTA, MAX_PLY};
use crate::table::Found;
use crate::worker::Worker;

impl<P: Position, L: Laws<P>, E: Evaluate<P>, O: Oracle<P>> Worker<P, L, E, O> {
    /// The value of the position when only noisy moves that lose nothing are tried, or all moves where the king is in check.
    /// `None` when the search was stopped.
    pub(crate) fn quiesce<C: Control<MoveOf<P>>>(
        &mut self,
        ply: usize,
        mut alpha: Score,
        beta: Score,
        control: &mut C,
    ) -> Option<Score> {
        self.visit(ply, control)?;
        // 1. The road.
        if let Some(score) = self.glance(ply, alpha, beta) {
            return Some(score);
        }
        // 2. The table.
        let key = self.line.position().key();
        let known = self.table.probe::<MoveOf<P>>(key, ply);
        if let Some(found) = known.filter(|found| beta - alpha <= 1 && found.settles(0, alpha, beta)) {
            return Some(found.score);
        }
        // 3. Standing pat: the side to move may decline every noisy move.
        let check = self.line.check();
        let roads = self.roads;
        let mut best = -INFINITE;
        let mut raw = None;
        if !check || ply + 1 >= MAX_PLY {
            let score = known.and_then(|found| found.still);
            let score = score.unwrap_or_else(|| self.eval.score(self.line.position()));
            raw = Some(score);
            best = score;
            let rests = !self.eval.temper(self.line.position()).quiescence;
            if rests && self.line.position().ended() {
                return Some(self.no_move(ply));
            }
            if best >= beta || rests || ply + 1 >= MAX_PLY {
                return Some(best);
            }
            alpha = alpha.max(best);
        }
        // 4. The moves.
        let mut picker = core::mem::replace(&mut self.pickers[ply], Picker::new_empty());
        if check {
            picker.start(known.and_then(|found| found.mv), [None; 2], [self.histories.no_slot(); 2]);
        } else {
            picker.start_noisy();
        }
        let result = self.noisy(ply, (best, alpha, beta), check, &mut picker, control);
        self.pickers[ply] = picker;
        let (best, mv, tried) = result?;
        // 5. Nothing to play: having no legal move is no rest, whatever the static score says.
        if tried == 0 && self.line.position().ended() {
            return Some(self.no_move(ply));
        }
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        let still = raw.filter(|_| !check);
        let found = Found { mv, score: best, still, depth: 0, bound };
        let found = if self.is_by_road(roads, best) { Found::only_move(mv, still) } else { found };
        self.table.store(key, ply, &found);
        Some(best)
    }

    /// Tries the noisy moves: the best score, the move that gave it, and how many moves there were.
    fn noisy<C: Control<MoveOf<P>>>(
        &mut self,
        ply: usize,
        (mut best, mut alpha, beta): (Score, Score, Score),
        check: bool,
        picker: &mut Picker<MoveOf<P>>,
        control: &mut C,
    ) -> Option<(Score, Option<MoveOf<P>>, usize)> {
        let still = best;
        let (mut best_move, mut tried) = (None, 0);
        while let Some(mv) = self.pick(picker) {
            tried += 1;
            // A capture that cannot lift the score to alpha is in vain (delta pruning).
            if !check && still + DELTA <= alpha && !self.lifts(mv, alpha - still - DELTA) {
                best = alpha;
                continue;
            }
            self.line.push(mv, &mut self.eval);
            let score = self.quiesce(ply + 1, -beta, -alpha, control);
            self.line.pop(&mut self.eval);
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
    fn lifts(&self, mv: MoveOf<P>, wanted: Score) -> bool {
        self.eval.exchange(self.line.position(), mv, wanted)
    }
}
