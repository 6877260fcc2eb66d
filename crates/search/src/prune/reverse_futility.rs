//! Reverse futility pruning (static null move pruning): near the leaves, a static evaluation above beta by a margin per
//! ply is taken for a fail-high.

use alfil_kernel::Score;

use crate::params::{RFP_MARGIN, RFP_MAX_DEPTH};

/// Returns whether the static evaluation is above beta by the margin of this depth.
pub(crate) fn fails_high(static_eval: Score, beta: Score, depth: i32, improving: bool) -> bool {
    depth <= RFP_MAX_DEPTH
        && !beta.is_decisive()
        && static_eval - RFP_MARGIN * (depth - i32::from(improving)) >= beta
}
