//! Futility: near the horizon a quiet move cannot lift a static score that is far below alpha (Schaeffer, 1986; Heinz, 1998).

use alfil_kernel::Score;

use crate::params::{FUTILITY_BASE, FUTILITY_MARGIN, FUTILITY_MAX_DEPTH};

/// Whether quiet moves are in vain with this much depth left under them.
pub(crate) fn is_futile(still: Score, alpha: Score, depth: i32) -> bool {
    depth <= FUTILITY_MAX_DEPTH && still + FUTILITY_BASE + FUTILITY_MARGIN * depth <= alpha
}
