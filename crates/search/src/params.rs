//! All parameters of the search, each with its unit and sensible range.

/// The greatest ply below the root, quiescence search included. 1 to 255 plies.
pub(crate) const MAX_PLY: usize = 128;
/// The iteration before which the oracle is tried: if it is stopped, there is already a reasonable move. 2 to 10 plies.
pub(crate) const SOLVER_START_DEPTH: u32 = 6;
/// The maximum number of nodes between two stop checks, and the number before the first one, so that even the smallest
/// limit searches that many positions. 64 to 4096 nodes.
pub(crate) const MAX_STOP_CHECK_INTERVAL: u64 = 256;
/// Small searches check more often, so that they exceed a limit by at most one part in this many. 64 to 1024.
pub(crate) const STOP_CHECK_DIVISOR: u64 = 256;

/// The depth that an entry loses in the replacement value for each generation of its age. 1 to 8 plies.
pub(crate) const TT_GENERATION_PENALTY: i32 = 4;
/// An entry of the same search for the same position is kept if it is deeper by more than this. 0 to 8 plies.
pub(crate) const TT_KEEP_DEPTH_MARGIN: i32 = 4;

/// The half-width of the first aspiration window around the last iteration's score. 10 to 100 centipawns.
pub(crate) const ASPIRATION_WINDOW: i32 = 25;
/// The minimum depth of an aspiration window. 3 to 6 plies.
pub(crate) const ASPIRATION_MIN_DEPTH: i32 = 4;

/// The maximum of a history counter. 1,000 to 30,000.
pub(crate) const MAX_HISTORY: i32 = 8_192;
/// The maximum change of a counter by one cutoff. 200 to 4,000.
pub(crate) const MAX_HISTORY_STEP: i32 = 1_400;
/// The change of a counter by one cutoff, per ply of depth. 50 to 400.
pub(crate) const HISTORY_STEP: i32 = 140;
/// The ordering score of a noisy move that captures nothing, above every history score. 30,000 to 1,000,000.
pub(crate) const PROMOTION_SCORE: i32 = 100_000;

/// The divisor of the history score of a noisy move beside its MVV-LVA score. 1 to 16.
pub(crate) const NOISY_HISTORY_DIVISOR: i32 = 4;

/// The number of steps of a correction counter in a centipawn. 16 to 512.
pub(crate) const CORRECTION_STEPS_PER_CP: i32 = 128;
/// The maximum of a correction counter. 1,000 to 16,000.
pub(crate) const MAX_CORRECTION: i32 = 12_000;
/// The maximum weight of one search in the running mean of a correction, in 256ths. 4 to 32.
pub(crate) const MAX_CORRECTION_WEIGHT: i32 = 16;

/// Reverse futility pruning: the maximum depth. 4 to 10 plies.
pub(crate) const RFP_MAX_DEPTH: i32 = 8;
/// Reverse futility pruning: the margin per ply. 50 to 150 centipawns.
pub(crate) const RFP_MARGIN: i32 = 85;

/// Razoring: the maximum depth. 1 to 4 plies.
pub(crate) const RAZOR_MAX_DEPTH: i32 = 3;
/// Razoring: the margin per squared ply of depth. 100 to 400 centipawns.
pub(crate) const RAZOR_MARGIN: i32 = 250;

/// Null move pruning: the minimum depth. 1 to 6 plies.
pub(crate) const NULL_MIN_DEPTH: i32 = 3;
/// Null move pruning: the base reduction. 1 to 4 plies.
pub(crate) const NULL_REDUCTION: i32 = 3;
/// Null move pruning: one more ply of reduction for this many plies of depth. 3 to 8.
pub(crate) const NULL_DEPTH_DIVISOR: i32 = 4;
/// Null move pruning: one more ply of reduction for this much static evaluation above beta. 100 to 400 centipawns.
pub(crate) const NULL_SCORE_DIVISOR: i32 = 200;
/// Null move pruning: the maximum of the reduction by static evaluation. 1 to 5 plies.
pub(crate) const NULL_MAX_SCORE_REDUCTION: i32 = 3;

/// Internal iterative reduction: the minimum depth. 3 to 6 plies.
pub(crate) const IIR_MIN_DEPTH: i32 = 4;

/// Futility pruning: the maximum depth. 4 to 10 plies.
pub(crate) const FUTILITY_MAX_DEPTH: i32 = 7;
/// Futility pruning: the base margin below alpha. 50 to 200 centipawns.
pub(crate) const FUTILITY_BASE: i32 = 90;
/// Futility pruning: the additional margin per ply. 50 to 150 centipawns.
pub(crate) const FUTILITY_MARGIN: i32 = 90;

/// Late move pruning: the maximum depth. 4 to 10 plies.
pub(crate) const LMP_MAX_DEPTH: i32 = 8;
/// Late move pruning: the base number of moves; the square of the depth is added. 2 to 8 moves.
pub(crate) const LMP_BASE: i32 = 5;

/// Late move reductions: the minimum depth. 2 to 4 plies.
pub(crate) const LMR_MIN_DEPTH: i32 = 3;
/// Late move reductions: the number of first moves that are never reduced; one more in PV nodes. 1 to 5 moves.
pub(crate) const LMR_FULL_DEPTH_MOVES: usize = 2;
/// Late move reductions: the base reduction. 0 to 1,500 1024ths of a ply.
pub(crate) const LMR_BASE: i32 = 950;
/// Late move reductions: the factor of log2(depth) times log2(move number). 100 to 400 1024ths of a ply.
pub(crate) const LMR_LOG_FACTOR: i32 = 210;
/// Late move reductions: the history score that changes the reduction by one ply. 4,000 to 16,000.
pub(crate) const LMR_HISTORY_DIVISOR: i32 = 9_000;

/// Singular extensions: the minimum depth. 5 to 10 plies.
pub(crate) const SINGULAR_MIN_DEPTH: i32 = 7;
/// Singular extensions: how much shallower than the node the TT entry may be. 2 to 4 plies.
pub(crate) const SINGULAR_TT_DEPTH_MARGIN: i32 = 3;
/// Singular extensions: the margin below the TT score, per ply of depth. 1 to 4 centipawns.
pub(crate) const SINGULAR_MARGIN: i32 = 2;
/// Singular extensions: the additional margin for a double extension. 10 to 50 centipawns.
pub(crate) const SINGULAR_DOUBLE_MARGIN: i32 = 25;

/// Delta pruning in quiescence search: the margin above the captured material. 50 to 300 centipawns.
pub(crate) const DELTA_MARGIN: i32 = 180;

/// The number of plies from the start of a game in which every level picks at random. 0 to 16 plies.
pub(crate) const OPENING_RANDOM_PLIES: usize = 8;
/// The minimum of [`SkillLevel::half_chance_loss_cp`](crate::SkillLevel) in these plies. 2 to 20 centipawns.
pub(crate) const OPENING_HALF_CHANCE_LOSS_CP: i32 = 8;
/// The minimum of [`SkillLevel::max_loss_cp`](crate::SkillLevel) in these plies. 5 to 40 centipawns.
pub(crate) const OPENING_MAX_LOSS_CP: i32 = 15;
