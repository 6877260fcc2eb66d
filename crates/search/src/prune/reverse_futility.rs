//! Reverse futility pruning (static null move pruning): near the leaves, a static evaluation above beta by a margin per
//! ply is taken for a fail-high.

use alfil_kernel::Score;

use crate::params::SearchParams;

/// Returns whether the node is taken for a fail-high: its depth is small, beta is not decisive, and the static
/// evaluation is at least beta plus a margin per ply, with one ply less if it is improving.
pub(crate) fn fails_high(
    static_eval: Score,
    beta: Score,
    depth: i32,
    improving: bool,
    params: &SearchParams,
) -> bool {
    depth <= params.rfp_max_depth
        && !beta.is_decisive()
        && static_eval - params.rfp_margin * (depth - i32::from(improving)) >= beta
}
