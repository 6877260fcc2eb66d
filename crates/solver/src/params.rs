//! The parameters of the solver, chosen by time and nodes for FFO 40 to 49 and for positions of self-play games.

/// The fewest empty squares at which the search uses the shared table and orders the moves by [`crate::move_ordering`].
pub(crate) const MIN_TABLE_EMPTIES: u32 = 9;

/// The fewest empty squares for the enhanced transposition cutoff.
pub(crate) const MIN_ETC_EMPTIES: u32 = 10;

/// The fewest empty squares of a root whose search may end with a selective one.
pub(crate) const MIN_SELECTIVE_EMPTIES: usize = 18;

/// The fewest empty squares of a root for each of the selective searches before the exact one. With fewer, the search
/// takes longer than it saves.
pub(crate) const MIN_PRELIMINARY_EMPTIES: [usize; 2] = [21, 25];

/// The fewest empty squares of a root whose score is guessed, so that its search begins with a narrow window.
pub(crate) const MIN_GUESS_EMPTIES: usize = 12;

/// The depth in plies of the search that guesses the score of the root.
pub(crate) const GUESS_DEPTH: u32 = 3;

/// The fewest empty squares of a split point.
pub(crate) const MIN_SPLIT_EMPTIES: u32 = 11;

/// The nodes with table access between two calls of the search control. Each has some hundreds of nodes below it.
pub(crate) const POLL_INTERVAL_NODES: u32 = 256;

/// Returns the depth in plies of the ordering search for a node by its empty squares; 0 means the static move score
/// alone.
pub(crate) const fn ordering_depth(empties: u32) -> u32 {
    match empties {
        0..=12 => 0,
        13..=14 => 1,
        15..=18 => 2,
        _ => 3,
    }
}

/// Returns the lowest `alpha` in discs for which the stability cutoff is tried, by empty squares. With more empty
/// squares fewer discs are provably stable.
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
