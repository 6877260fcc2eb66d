//! Every number of the search, with its range and unit.

use alfil_kernel::Score;
use alfil_kernel::evaluate::MATE_BOUND;

/// The deepest ply below the root that is ever visited, quiescence included. 1 to 255 plies.
pub(crate) const MAX_PLY: usize = 128;
/// The iteration before which a solver is asked: where it is stopped, a move was found that is worth playing. 2 to 10 plies.
pub(crate) const SOLVER_START_DEPTH: u32 = 6;
/// The most nodes between two questions to `Control`, and the nodes before the first: however small a limit is, so many positions
/// are looked at. 64 to 4096.
pub(crate) const MAX_STOP_CHECK_INTERVAL: u64 = 256;
/// And sooner in a small search, so that it oversteps a limit by no more than one part in so many. 64 to 1024.
pub(crate) const STOP_CHECK_DIVISOR: u64 = 256;

/// How many plies of depth a finding loses in worth for each search that has passed. 1 to 8 plies.
pub(crate) const TT_GENERATION_PENALTY: i32 = 4;
/// A finding of the same search about the same position stays if it is deeper by more than this. 0 to 8 plies.
pub(crate) const TT_KEEP_DEPTH_MARGIN: i32 = 4;

/// The half-width of the first window around the last iteration's score. 10 to 100 centipawns.
pub(crate) const ASPIRATION_WINDOW: Score = 25;
/// The least depth at which a window is narrowed at all. 3 to 6 plies.
pub(crate) const ASPIRATION_MIN_DEPTH: i32 = 4;

/// The greatest value a history counter can reach. 1,000 to 30,000.
pub(crate) const MAX_HISTORY: i32 = 8_192;
/// The most one cut-off can move a counter. 200 to 4,000.
pub(crate) const MAX_HISTORY_STEP: i32 = 1_400;
/// By how much a cut-off moves a counter, for each ply of depth. 50 to 400.
pub(crate) const HISTORY_STEP: i32 = 140;
/// What speaks for a noisy move that takes nothing: above any history. 30,000 to 1,000,000.
pub(crate) const PROMOTION_SCORE: i32 = 100_000;

/// How much less history counts beside what a noisy move takes. 1 to 16.
pub(crate) const NOISY_HISTORY_DIVISOR: i32 = 4;

/// How many steps of a correction counter are a centipawn. 16 to 512.
pub(crate) const CORRECTION_STEPS_PER_CP: i32 = 128;
/// The most a correction counter can reach. 1,000 to 16,000.
pub(crate) const MAX_CORRECTION: i32 = 12_000;
/// The weight of the deepest searches in a correction's running mean, in 256ths. 4 to 32.
pub(crate) const MAX_CORRECTION_WEIGHT: i32 = 16;
/// The greatest static score after correction: below any known win. Centipawns.
pub(crate) const MAX_STATIC_EVAL: Score = MATE_BOUND - 1;

/// The greatest depth at which a safe position is cut. 4 to 10 plies.
pub(crate) const RFP_MAX_DEPTH: i32 = 8;
/// What a ply can cost a safe position. 50 to 150 centipawns.
pub(crate) const RFP_MARGIN: Score = 85;

/// The greatest depth at which a hopeless position is left to quiescence. 1 to 4 plies.
pub(crate) const RAZOR_MAX_DEPTH: i32 = 3;
/// How hopeless, for the square of the depth. 100 to 400 centipawns.
pub(crate) const RAZOR_MARGIN: Score = 250;

/// The least depth at which the null move is tried. 1 to 6 plies.
pub(crate) const NULL_MIN_DEPTH: i32 = 3;
/// How much less deep the search after a null move is, before what follows is added. 1 to 4 plies.
pub(crate) const NULL_REDUCTION: i32 = 3;
/// One ply less for every so many plies of remaining depth. 3 to 8.
pub(crate) const NULL_DEPTH_DIVISOR: i32 = 4;
/// One ply less for every so much above beta. 100 to 400 centipawns.
pub(crate) const NULL_SCORE_DIVISOR: Score = 200;
/// But no more than this. 1 to 5 plies.
pub(crate) const NULL_MAX_SCORE_REDUCTION: i32 = 3;

/// The least depth at which a node without a move from the table is searched a ply less deep. 3 to 6 plies.
pub(crate) const IIR_MIN_DEPTH: i32 = 4;

/// The greatest depth at which quiet moves are held against the static score. 4 to 10 plies.
pub(crate) const FUTILITY_MAX_DEPTH: i32 = 7;
/// How far below alpha the static score must be at least. 50 to 200 centipawns.
pub(crate) const FUTILITY_BASE: Score = 90;
/// And how much further for each ply. 50 to 150 centipawns.
pub(crate) const FUTILITY_MARGIN: Score = 90;

/// The greatest depth at which late quiet moves are left out. 4 to 10 plies.
pub(crate) const LMP_MAX_DEPTH: i32 = 8;
/// How many moves are tried at depth 0, if depth 0 had any; the square of the depth is added. 2 to 8 moves.
pub(crate) const LMP_BASE: i32 = 5;

/// The least depth at which moves are reduced. 2 to 4 plies.
pub(crate) const LMR_MIN_DEPTH: i32 = 3;
/// The first moves, which are never reduced; one more in an open window. 1 to 5 moves.
pub(crate) const LMR_FULL_DEPTH_MOVES: usize = 2;
/// The reduction before anything is added. 0 to 1,500 1024ths of a ply.
pub(crate) const LMR_BASE: i32 = 950;
/// The weight of the product of the binary logarithms of depth and number. 100 to 400 1024ths of a ply.
pub(crate) const LMR_LOG_FACTOR: i32 = 210;
/// How much history makes a ply. 4,000 to 16,000.
pub(crate) const LMR_HISTORY_DIVISOR: i32 = 9_000;

/// The least depth at which the table's move is held against the others. 5 to 10 plies.
pub(crate) const SINGULAR_MIN_DEPTH: i32 = 7;
/// How much shallower than the node the table's finding may be. 2 to 4 plies.
pub(crate) const SINGULAR_TT_DEPTH_MARGIN: i32 = 3;
/// How much worse the others must be, for each ply. 1 to 4 centipawns.
pub(crate) const SINGULAR_MARGIN: Score = 2;
/// How much worse still for an extension by two plies. 10 to 50 centipawns.
pub(crate) const SINGULAR_DOUBLE_MARGIN: Score = 25;

/// What a capture may win beyond the man it takes, in quiescence. 50 to 300 centipawns.
pub(crate) const DELTA_MARGIN: Score = 180;

/// In how many plies from the start of a game near-equal moves vary at every level. 0 to 16 plies.
pub(crate) const OPENING_RANDOM_PLIES: usize = 8;
/// The least loss there that makes a move half as likely. 2 to 20 centipawns.
pub(crate) const OPENING_HALF_CHANCE_LOSS_CP: Score = 8;
/// The least loss that is forgiven there. 5 to 40 centipawns.
pub(crate) const OPENING_MAX_LOSS_CP: Score = 15;
