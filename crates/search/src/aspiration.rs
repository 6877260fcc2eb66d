//! Aspiration windows: an iteration starts with a narrow window around an earlier score and widens it on failure.

use alfil_kernel::{MoveOf, Oracle, Position, Rules, Score, SearchControl};

use crate::search_evaluator::SearchEvaluator;
use crate::worker::Worker;

impl<P: Position, R: Rules<P>, E: SearchEvaluator<P>, O: Oracle<P>> Worker<P, R, E, O> {
    /// Returns the score of one iteration, whose first window is around the expected score; `None` if the search was
    /// stopped.
    pub(crate) fn aspiration_search<C: SearchControl<MoveOf<P>>>(
        &mut self,
        depth: i32,
        expected: Score,
        control: &mut C,
    ) -> Option<Score> {
        let mut delta = if depth < self.params.aspiration_min_depth {
            Score::INFINITE.value()
        } else {
            self.params.aspiration_window
        };
        let (mut alpha, mut beta) = (expected - delta, expected + delta);
        loop {
            (alpha, beta) = (alpha.max(-Score::INFINITE), beta.min(Score::INFINITE));
            let score = self.search_node(0, depth, alpha, beta, false, control)?;
            delta =
                if delta > 8 * self.params.aspiration_window { Score::INFINITE.value() } else { 2 * delta };
            if score <= alpha && alpha > -Score::INFINITE {
                beta = alpha.midpoint(beta);
                alpha = score - delta;
            } else if score >= beta && beta < Score::INFINITE {
                beta = score + delta;
            } else {
                return Some(score);
            }
        }
    }
}
