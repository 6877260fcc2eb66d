//! Razoring: a position that stands so badly is only asked whether a capture saves it (Birmingham and Kent, 1977).

use alfil_kernel::Score;

use crate::params::{RAZOR_MARGIN, RAZOR_MAX_DEPTH};

/// Whether the static score is so far below alpha that quiescence may answer for the whole search.
pub(crate) fn should_razor(still: Score, alpha: Score, depth: i32) -> bool {
    depth <= RAZOR_MAX_DEPTH && still + RAZOR_MARGIN * depth * depth < alpha
}
