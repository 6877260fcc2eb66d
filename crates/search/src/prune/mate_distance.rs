//! Mate distance pruning: a longer mate than one already found does not change the result.

use alfil_kernel::Score;
use alfil_kernel::score::MATE;

/// Returns the window clamped to the scores that are possible here: from mated at this node to a mate on the next ply.
pub(crate) fn clamp(ply: usize, alpha: Score, beta: Score) -> (Score, Score) {
    let ply = ply as Score;
    (alpha.max(ply - MATE), beta.min(MATE - ply - 1))
}
