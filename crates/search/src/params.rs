//! The parameters of the search, each with its unit and sensible range.

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
/// The maximum of a history counter. 1,000 to 30,000.
pub(crate) const MAX_HISTORY: i32 = 8_192;
/// The maximum change of a counter by one cutoff. 200 to 4,000.
pub(crate) const MAX_HISTORY_STEP: i32 = 1_400;
/// The ordering score of a noisy move that captures nothing, above every history score. 30,000 to 1,000,000.
pub(crate) const PROMOTION_SCORE: i32 = 100_000;
/// The number of steps of a correction counter in a centipawn. 16 to 512.
pub(crate) const CORRECTION_STEPS_PER_CP: i32 = 128;
/// The maximum of a correction counter. 1,000 to 16,000.
pub(crate) const MAX_CORRECTION: i32 = 12_000;

/// The tunable parameters of the search: margins, minimum and maximum depths, divisors. Each game may have its own
/// values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchParams {
    /// The half-width of the first aspiration window around the last iteration's score. 10 to 100 centipawns.
    pub aspiration_window: i32,
    /// The minimum depth of an aspiration window. 3 to 6 plies.
    pub aspiration_min_depth: i32,
    /// The change of a counter by one cutoff, per ply of depth. 50 to 400.
    pub history_step: i32,
    /// The divisor of the history score of a noisy move beside its MVV-LVA score. 1 to 16.
    pub noisy_history_divisor: i32,
    /// The maximum weight of one search in the running mean of a correction, in 256ths. 4 to 32.
    pub max_correction_weight: i32,
    /// Reverse futility pruning: the maximum depth. 4 to 10 plies.
    pub rfp_max_depth: i32,
    /// Reverse futility pruning: the margin per ply. 50 to 150 centipawns.
    pub rfp_margin: i32,
    /// Razoring: the maximum depth. 1 to 4 plies.
    pub razor_max_depth: i32,
    /// Razoring: the margin per squared ply of depth. 100 to 400 centipawns.
    pub razor_margin: i32,
    /// Null move pruning: the minimum depth. 1 to 6 plies.
    pub null_min_depth: i32,
    /// Null move pruning: the base reduction. 1 to 4 plies.
    pub null_reduction: i32,
    /// Null move pruning: one more ply of reduction for this many plies of depth. 3 to 8.
    pub null_depth_divisor: i32,
    /// Null move pruning: one more ply of reduction for this much static evaluation above beta. 100 to 400 centipawns.
    pub null_score_divisor: i32,
    /// Null move pruning: the maximum of the reduction by static evaluation. 1 to 5 plies.
    pub null_max_score_reduction: i32,
    /// Internal iterative reduction: the minimum depth. 3 to 6 plies.
    pub iir_min_depth: i32,
    /// Futility pruning: the maximum depth. 4 to 10 plies.
    pub futility_max_depth: i32,
    /// Futility pruning: the base margin below alpha. 50 to 200 centipawns.
    pub futility_base: i32,
    /// Futility pruning: the additional margin per ply. 50 to 150 centipawns.
    pub futility_margin: i32,
    /// Late move pruning: the maximum depth. 4 to 10 plies.
    pub lmp_max_depth: i32,
    /// Late move pruning: the base number of moves; the square of the depth is added. 2 to 8 moves.
    pub lmp_base: i32,
    /// Late move reductions: the minimum depth. 2 to 4 plies.
    pub lmr_min_depth: i32,
    /// Late move reductions: the number of first moves that are never reduced; one more in PV nodes. 1 to 5 moves.
    pub lmr_full_depth_moves: usize,
    /// Late move reductions: the base reduction. 0 to 1,500 1024ths of a ply.
    pub lmr_base: i32,
    /// Late move reductions: the factor of log2(depth) times log2(move number). 100 to 400 1024ths of a ply.
    pub lmr_log_factor: i32,
    /// Late move reductions: the history score that changes the reduction by one ply. 4,000 to 16,000.
    pub lmr_history_divisor: i32,
    /// Singular extensions: the minimum depth. 5 to 10 plies.
    pub singular_min_depth: i32,
    /// Singular extensions: how much shallower than the node the TT entry may be. 2 to 4 plies.
    pub singular_tt_depth_margin: i32,
    /// Singular extensions: the margin below the TT score, per ply of depth. 1 to 4 centipawns.
    pub singular_margin: i32,
    /// Singular extensions: the additional margin for a double extension. 10 to 50 centipawns.
    pub singular_double_margin: i32,
    /// Delta pruning in quiescence search: the margin above the captured material. 50 to 300 centipawns.
    pub delta_margin: i32,
    /// Quiescence search: the number of plies after which only recaptures are searched. 3 to 10 plies.
    pub recaptures_only_depth: usize,
    /// Quiescence search: the maximum number of captures of a node, recaptures aside. 2 to 16 moves.
    pub max_captures: usize,
    /// Quiescence search: the maximum number of quiet evasions of a check once one move is not lost. 1 to 8 moves.
    pub max_quiet_evasions: usize,
    /// The number of plies from the start of a game in which every level picks at random. 0 to 16 plies.
    pub opening_random_plies: usize,
    /// The minimum of [`SkillLevel::half_chance_loss_cp`](crate::SkillLevel) in these plies. 2 to 20 centipawns.
    pub opening_half_chance_loss_cp: i32,
    /// The minimum of [`SkillLevel::max_loss_cp`](crate::SkillLevel) in these plies. 5 to 40 centipawns.
    pub opening_max_loss_cp: i32,
}

impl SearchParams {
    /// The values that all three games use.
    pub const DEFAULT: SearchParams = SearchParams {
        aspiration_window: 25,
        aspiration_min_depth: 4,
        history_step: 140,
        noisy_history_divisor: 4,
        max_correction_weight: 16,
        rfp_max_depth: 8,
        rfp_margin: 85,
        razor_max_depth: 3,
        razor_margin: 250,
        null_min_depth: 3,
        null_reduction: 3,
        null_depth_divisor: 4,
        null_score_divisor: 200,
        null_max_score_reduction: 3,
        iir_min_depth: 4,
        futility_max_depth: 7,
        futility_base: 90,
        futility_margin: 90,
        lmp_max_depth: 8,
        lmp_base: 5,
        lmr_min_depth: 3,
        lmr_full_depth_moves: 2,
        lmr_base: 950,
        lmr_log_factor: 210,
        lmr_history_divisor: 9_000,
        singular_min_depth: 7,
        singular_tt_depth_margin: 3,
        singular_margin: 2,
        singular_double_margin: 25,
        delta_margin: 180,
        recaptures_only_depth: 5,
        max_captures: 4,
        max_quiet_evasions: 2,
        opening_random_plies: 8,
        opening_half_chance_loss_cp: 8,
        opening_max_loss_cp: 15,
    };
}

impl Default for SearchParams {
    fn default() -> Self {
        Self::DEFAULT
    }
}
