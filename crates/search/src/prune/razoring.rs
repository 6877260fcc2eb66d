//! Razoring: if the static evaluation is far below alpha, only a quiescence search is tried (Birmingham and Kent,
//! 1977).

use alfil_kernel::Score;

use crate::params::SearchParams;

/// Returns whether the static evaluation is so far below alpha that quiescence search replaces the full search.
pub(crate) fn should_razor(static_eval: Score, alpha: Score, depth: i32, params: &SearchParams) -> bool {
    depth <= params.razor_max_depth && static_eval + params.razor_margin * depth * depth < alpha
}
