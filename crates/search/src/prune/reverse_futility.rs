//! Reverse futility, or the static null move: a position that stands so well is not spoilt within a few plies.

use alfil_kernel::Score;
use alfil_kernel::evaluate::MATE_BOUND;

use crate::params::{RFP_MARGIN, RFP_MAX_DEPTH};

/// Whether the static score is above beta by more than so few plies can cost.
pub(crate) fn fails_high(still: Score, beta: Score, depth: i32, improving: bool) -> bool {
    depth <= RFP_MAX_DEPTH
        && beta.abs() < MATE_BOUND
        && still - RFP_MARGIN * (depth - i32::from(improving)) >= beta
}
