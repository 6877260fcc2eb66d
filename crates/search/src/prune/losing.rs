//! Moves that lose material at once are not tried near the horizon (pruning by static exchange evaluation).

use alfil_kernel::Score;

use crate::params::{LOSING_MAX_DEPTH, LOSING_NOISY, LOSING_QUIET};

/// The least that a move must win in the exchange it opens, to be tried with this much depth left; nothing if any is.
pub(crate) fn least(noisy: bool, depth: i32) -> Option<Score> {
    let least = if noisy { -LOSING_NOISY * depth } else { -LOSING_QUIET * depth * depth };
    (depth <= LOSING_MAX_DEPTH).then_some(least)
}
