//! Razoring: if the static evaluation is far below alpha, only a quiescence search is tried (Birmingham and Kent,
//! 1977).

use alfil_kernel::Score;

use crate::params::{RAZOR_MARGIN, RAZOR_MAX_DEPTH};

/// Returns whether the static evaluation is so far below alpha that quiescence search replaces the full search.
pub(crate) fn should_razor(static_eval: Score, alpha: Score, depth: i32) -> bool {
    depth <= RAZOR_MAX_DEPTH && static_eval + RAZOR_MARGIN * depth * depth < alpha
}
