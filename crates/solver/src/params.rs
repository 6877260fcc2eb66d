//! The solver's numbers: each with its unit, found by solving FFO 20 to 39.

/// Fewest empty squares at which positions go through the table and moves are ordered; below, the hash-less search.
pub(crate) const MIN_TABLE_EMPTIES: u32 = 9;

/// Fewest empty squares at which the hash-less search sorts by replies; below, by parity alone.
pub(crate) const MIN_SORTED_EMPTIES: u32 = 7;

/// Fewest empty squares at which the children are looked up before any is searched.
pub(crate) const MIN_ETC_EMPTIES: u32 = 10;

/// Fewest empty squares at which a node is worth sharing with an idle worker.
pub(crate) const MIN_SPLIT_EMPTIES: u32 = 14;

/// Table nodes between two questions to [`alfil_kernel::Control`]; one stands for some hundreds of positions.
pub(crate) const POLL_INTERVAL_NODES: u32 = 256;

/// The depth of the search that orders the moves of a node with so many empty squares, in plies; 0 orders by what is
/// seen on the board.
pub(crate) const fn ordering_depth(empties: u32) -> u32 {
    match empties {
        0..=12 => 0,
        13..=15 => 1,
        16..=19 => 2,
        _ => 3,
    }
}

/// The least lower bound that is worth holding against the opponent's stable discs, in discs, by empty squares: fewer
/// discs are hard to prove stable while there is room to flip them.
pub(crate) const fn min_stability_alpha(empties: u32) -> i32 {
    match empties {
        0..=6 => 6,
        7..=8 => 12,
        9..=12 => 18,
        13..=16 => 26,
        17..=20 => 36,
        _ => 44,
    }
}
