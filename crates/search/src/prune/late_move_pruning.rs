//! Late move pruning: near the leaves, quiet moves late in the move order are skipped.

use crate::params::{LMP_BASE, LMP_MAX_DEPTH};

/// Returns whether enough moves were searched to skip the remaining quiet ones.
pub(crate) fn is_late(move_count: usize, depth: i32, improving: bool) -> bool {
    depth <= LMP_MAX_DEPTH && move_count as i32 >= (LMP_BASE + depth * depth) / (2 - i32::from(improving))
}
