//! Mate distance pruning: a longer mate than one already found does not change the result.

use alfil_kernel::Score;

/// Returns the window clamped to the scores that are possible here: from mated at this node to a mate on the next ply.
pub(crate) fn clamp(ply: usize, alpha: Score, beta: Score) -> (Score, Score) {
    (alpha.max(Score::mated_in(ply as u32)), beta.min(Score::mate_in(ply as u32 + 1)))
}
