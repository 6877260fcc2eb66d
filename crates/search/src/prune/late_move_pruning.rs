//! Late move pruning: near the leaves, quiet moves late in the move order are skipped.

use crate::params::SearchParams;

/// Returns whether enough moves were searched to skip the remaining quiet ones.
pub(crate) fn is_late(move_count: usize, depth: i32, improving: bool, params: &SearchParams) -> bool {
    depth <= params.lmp_max_depth
        && move_count as i32 >= (params.lmp_base + depth * depth) / (2 - i32::from(improving))
}
