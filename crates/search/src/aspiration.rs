//! Aspiration: an iteration starts in a narrow window around the last score, which is opened on the side where the score falls out.

use alfil_kernel::evaluate::INFINITE;
use alfil_kernel::{Evaluate, MoveOf, Oracle, Position, Rules, Score, SearchControl};

use crate::params::{ASPIRATION_MIN_DEPTH, ASPIRATION_WINDOW};
use crate::worker::Worker;

impl<P: Position, L: Rules<P>, E: Evaluate<P>, O: Oracle<P>> Worker<P, L, E, O> {
    /// One iteration's score. `None` when the search was stopped.
    pub(crate) fn aspiration_search<C: SearchControl<MoveOf<P>>>(
        &mut self,
        depth: i32,
        last: Score,
        control: &mut C,
    ) -> Option<Score> {
        let mut width = if depth < ASPIRATION_MIN_DEPTH { INFINITE } else { ASPIRATION_WINDOW };
        let (mut alpha, mut beta) = (last - width, last + width);
        loop {
            (alpha, beta) = (alpha.max(-INFINITE), beta.min(INFINITE));
            let score = self.search_node(0, depth, alpha, beta, false, control)?;
            width = if width > 8 * ASPIRATION_WINDOW { INFINITE } else { 2 * width };
            if score <= alpha && alpha > -INFINITE {
                beta = i32::midpoint(alpha, beta);
                alpha = score - width;
            } else if score >= beta && beta < INFINITE {
                beta = score + width;
            } else {
                return Some(score);
            }
        }
    }
}
