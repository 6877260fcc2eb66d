//! Futility pruning: near the leaves, quiet moves are skipped if the static evaluation is far below alpha (Schaeffer,
//! 1986; Heinz, 1998).

use alfil_kernel::Score;

use crate::params::SearchParams;

/// Returns whether quiet moves cannot raise alpha at this depth.
pub(crate) fn is_futile(static_eval: Score, alpha: Score, depth: i32, params: &SearchParams) -> bool {
    depth <= params.futility_max_depth
        && static_eval + params.futility_base + params.futility_margin * depth <= alpha
}
