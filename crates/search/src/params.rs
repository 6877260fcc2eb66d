//! Every number of the search, with its range and unit.

use alfil_kernel::Score;

/// The deepest ply below the root that is ever visited, quiescence included. 1 to 255 plies.
pub(crate) const MAX_PLY: usize = 128;

/// The least depth at which the null move is tried. 1 to 6 plies.
pub(crate) const NULL_MIN_DEPTH: i32 = 3;
/// How much less deep the search after a null move is, before [`NULL_DEPTH_SHARE`] is added. 1 to 4 plies.
pub(crate) const NULL_REDUCTION: i32 = 2;
/// One ply less for every so many plies of remaining depth. 3 to 8.
pub(crate) const NULL_DEPTH_SHARE: i32 = 5;

/// The least depth at which late moves are searched less deep. 2 to 5 plies.
pub(crate) const LATE_MIN_DEPTH: i32 = 3;
/// The first moves, which are never reduced. 2 to 8 moves.
pub(crate) const LATE_FIRST: usize = 4;
/// From this move on the reduction is two plies and not one. 8 to 24 moves.
pub(crate) const VERY_LATE_FIRST: usize = 12;

/// The half-width of the first window around the last iteration's score. 10 to 100 centipawns.
pub(crate) const WINDOW: Score = 30;
/// The least depth at which a window is narrowed at all. 3 to 6 plies.
pub(crate) const WINDOW_MIN_DEPTH: i32 = 4;

/// How often `Control` is asked. 256 to 4096 nodes, a power of two.
pub(crate) const ASK_EVERY: u64 = 1024;

/// The greatest value a history counter can reach. 1,000 to 30,000.
pub(crate) const HISTORY_MAX: i32 = 8_000;
