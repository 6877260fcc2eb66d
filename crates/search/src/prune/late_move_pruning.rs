//! Late move pruning: near the horizon quiet moves that come so late in a good order are not tried at all.

use crate::params::{LMP_BASE, LMP_MAX_DEPTH};

/// Whether enough moves were tried.
pub(crate) fn is_late(tried: usize, depth: i32, improving: bool) -> bool {
    depth <= LMP_MAX_DEPTH && tried as i32 >= (LMP_BASE + depth * depth) / (2 - i32::from(improving))
}
