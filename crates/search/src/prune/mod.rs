//! Pruning techniques, one a file, each a function that returns a decision.

pub(crate) mod futility;
pub(crate) mod late_move_pruning;
pub(crate) mod mate_distance;
pub(crate) mod null_move;
pub(crate) mod razoring;
pub(crate) mod reverse_futility;
pub(crate) mod see;
