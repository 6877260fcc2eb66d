//! Mate distance pruning: a win further away than one already found changes nothing.

use alfil_kernel::Score;
use alfil_kernel::evaluate::MATE;

/// The window without what no line from here can reach: being mated here, or mating on the next ply.
pub(crate) fn clamp(ply: usize, alpha: Score, beta: Score) -> (Score, Score) {
    let ply = ply as Score;
    (alpha.max(ply - MATE), beta.min(MATE - ply - 1))
}
