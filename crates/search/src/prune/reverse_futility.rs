//! Reverse futility pruning (static null move pruning): near the leaves, a static evaluation above beta by a margin per
//! ply is taken for a fail-high.

use alfil_kernel::Score;

use crate::params::SearchParams;

/// Returns whether the static evaluation is above beta by the margin of this depth.
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
