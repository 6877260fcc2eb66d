//! Aspiration windows: an iteration starts with a narrow window around the last score and widens it on failure.

use alfil_kernel::score::INFINITE;
use alfil_kernel::{MoveOf, Oracle, Position, Rules, Score, SearchControl};

use crate::params::{ASPIRATION_MIN_DEPTH, ASPIRATION_WINDOW};
use crate::search_evaluator::SearchEvaluator;
use crate::worker::Worker;

impl<P: Position, R: Rules<P>, E: SearchEvaluator<P>, O: Oracle<P>> Worker<P, R, E, O> {
    /// Returns the score of one iteration; `None` if the search was stopped.
    pub(crate) fn aspiration_search<C: SearchControl<MoveOf<P>>>(
        &mut self,
        depth: i32,
        last: Score,
        control: &mut C,
    ) -> Option<Score> {
        let mut delta = if depth < ASPIRATION_MIN_DEPTH { INFINITE } else { ASPIRATION_WINDOW };
        let (mut alpha, mut beta) = (last - delta, last + delta);
        loop {
            (alpha, beta) = (alpha.max(-INFINITE), beta.min(INFINITE));
            let score = self.search_node(0, depth, alpha, beta, false, control)?;
            delta = if delta > 8 * ASPIRATION_WINDOW { INFINITE } else { 2 * delta };
            if score <= alpha && alpha > -INFINITE {
                beta = i32::midpoint(alpha, beta);
                alpha = score - delta;
            } else if score >= beta && beta < INFINITE {
                beta = score + delta;
            } else {
                return Some(score);
            }
        }
    }
}
