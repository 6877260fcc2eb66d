//! Futility pruning: near the leaves, quiet moves are skipped if the static evaluation is far below alpha (Schaeffer,
//! 1986; Heinz, 1998).

use alfil_kernel::Score;

use crate::params::{FUTILITY_BASE, FUTILITY_MARGIN, FUTILITY_MAX_DEPTH};

/// Returns whether quiet moves cannot raise alpha at this depth.
pub(crate) fn is_futile(static_eval: Score, alpha: Score, depth: i32) -> bool {
    depth <= FUTILITY_MAX_DEPTH && static_eval + FUTILITY_BASE + FUTILITY_MARGIN * depth <= alpha
}
