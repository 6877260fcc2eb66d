//! The parameters of the search, each with its unit and sensible range. The constants are not tuned; the rows of
//! [`SearchParams`] are. The margin of Multi-ProbCut comes from the evaluation ([`alfil_kernel::SearchPolicy`]).

/// The greatest ply below the root, quiescence search included. 1 to 255 plies.
pub(crate) const MAX_PLY: usize = 128;
/// The maximum number of nodes between two stop checks, and the number before the first one, so that even the smallest
/// limit searches that many positions. 64 to 4096 nodes.
pub(crate) const MAX_STOP_CHECK_INTERVAL: u64 = 256;
/// Small searches check more often, so that they exceed a limit by at most one part in this many. 64 to 1024.
pub(crate) const STOP_CHECK_DIVISOR: u64 = 256;
/// The depth that an entry loses in the replacement value for each generation of its age. 1 to 8 plies.
pub(crate) const TT_GENERATION_PENALTY: i32 = 4;
/// An entry of the same search for the same position is kept from a bound if it is deeper by more than this. 0 to 8
/// plies.
pub(crate) const TT_KEEP_DEPTH_MARGIN: i32 = 4;
/// The maximum of a history counter. 1,000 to 30,000.
pub(crate) const MAX_HISTORY: i32 = 8_192;
/// The maximum change of a counter by one cutoff. 200 to 4,000.
pub(crate) const MAX_HISTORY_STEP: i32 = 1_400;
/// The ordering score of a noisy move that captures nothing, above every history score. 30,000 to 1,000,000.
pub(crate) const PROMOTION_SCORE: i32 = 100_000;
/// The number of steps of a correction counter in a centipawn. 16 to 512.
pub(crate) const CORRECTION_STEPS_PER_CP: i32 = 128;
/// The maximum error of the static evaluation that one search adds to the correction counters, in their steps. 1,000 to
/// 16,000.
pub(crate) const MAX_CORRECTION: i32 = 12_000;
/// The maximum of a fall or rise of the score between two searches or iterations, in centipawns. 50 to 300.
pub(crate) const MAX_SCORE_FALL_CP: i32 = 100;

/// Defines [`SearchParams`] and the list of its parameters.
macro_rules! search_params {
    ($($(#[$attribute:meta])* $name:ident = $default:literal in $min:literal..=$max:literal;)+) => {
        /// The tunable parameters of the search: margins, minimum and maximum depths, divisors. Each game may have its
        /// own values.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct SearchParams {
            $(
                $(#[$attribute])*
                #[doc = concat!(" The sensible range is ", $min, " to ", $max, ".")]
                pub $name: i32,
            )+
        }

        impl SearchParams {
            /// The values of a game that has none of its own.
            pub const DEFAULT: SearchParams = SearchParams { $($name: $default),+ };

            /// All parameters, in the order of the fields.
            pub const ALL: &'static [SearchParam] =
                &[$(SearchParam { name: stringify!($name), default: $default, min: $min, max: $max }),+];

            /// Returns the value of a parameter.
            ///
            /// ```
            /// use alfil_search::SearchParams;
            ///
            /// let margin = SearchParams::ALL.iter().find(|param| param.name == "rfp_margin").unwrap();
            /// assert_eq!(SearchParams::DEFAULT.get(margin), margin.default);
            /// ```
            pub fn get(&self, param: &SearchParam) -> i32 {
                match param.name {
                    $(stringify!($name) => self.$name,)+
                    name => unreachable!("{name} is not in `SearchParams::ALL`"),
                }
            }

            fn value_mut(&mut self, param: &SearchParam) -> &mut i32 {
                match param.name {
                    $(stringify!($name) => &mut self.$name,)+
                    name => unreachable!("{name} is not in `SearchParams::ALL`"),
                }
            }
        }
    };
}

search_params! {
    /// The half-width of the first aspiration window, in centipawns.
    aspiration_window = 25 in 10..=100;
    /// The number of iterations back to the score in the middle of the first aspiration window: 2 suits a game whose
    /// scores alternate with the parity of the depth.
    aspiration_iterations_back = 1 in 1..=2;
    /// The minimum depth of an aspiration window, in plies.
    aspiration_min_depth = 4 in 3..=6;
    /// The change of a counter by one cutoff, per ply of depth.
    history_step = 140 in 50..=400;
    /// The divisor of the history score of a noisy move beside its MVV-LVA score.
    noisy_history_divisor = 4 in 1..=16;
    /// 1 if quiet moves have a history by the pawns on the board, too.
    pawn_history = 0 in 0..=1;
    /// 1 if the last cutoff move after the previous move (counter move) is tried after the killers.
    counter_moves = 0 in 0..=1;
    /// The maximum weight of one search in the running mean of a correction, in 256ths.
    max_correction_weight = 16 in 4..=32;
    /// Reverse futility pruning: the maximum depth, in plies.
    rfp_max_depth = 8 in 4..=10;
    /// Reverse futility pruning: the margin per ply, in centipawns.
    rfp_margin = 85 in 50..=150;
    /// Razoring: the maximum depth, in plies.
    razor_max_depth = 3 in 1..=4;
    /// Razoring: the margin per squared ply of depth, in centipawns.
    razor_margin = 250 in 100..=400;
    /// Null move pruning: the minimum depth, in plies.
    null_min_depth = 3 in 1..=6;
    /// Null move pruning: the base reduction, in plies.
    null_reduction = 3 in 1..=4;
    /// Null move pruning: one more ply of reduction for this many plies of depth.
    null_depth_divisor = 4 in 3..=8;
    /// Null move pruning: one more ply of reduction for this much static evaluation above beta, in centipawns.
    null_score_divisor = 200 in 100..=400;
    /// Null move pruning: the maximum of the reduction by static evaluation, in plies.
    null_max_score_reduction = 3 in 1..=5;
    /// Internal iterative reduction: the minimum depth, in plies.
    iir_min_depth = 4 in 3..=6;
    /// Internal iterative reduction: 1 if the entry in the transposition table has the depth before the reduction, 0 if
    /// it has the reduced one.
    iir_stores_full_depth = 0 in 0..=1;
    /// Futility pruning: the maximum depth, in plies.
    futility_max_depth = 7 in 4..=10;
    /// Futility pruning: the base margin below alpha, in centipawns.
    futility_base = 90 in 50..=200;
    /// Futility pruning: the additional margin per ply, in centipawns.
    futility_margin = 90 in 50..=150;
    /// Late move pruning: the maximum depth, in plies.
    lmp_max_depth = 8 in 4..=10;
    /// Late move pruning: the base number of moves; the square of the depth is added, and the sum is halved
    /// if the static evaluation is not improving.
    lmp_base = 5 in 2..=8;
    /// SEE pruning: the maximum depth, in plies.
    see_max_depth = 9 in 4..=12;
    /// SEE pruning: a quiet move that loses more than this per ply of depth is skipped, in centipawns; 0 skips none.
    see_quiet_margin = 0 in 0..=150;
    /// SEE pruning: a noisy move that loses more than this per squared ply of depth is skipped, in centipawns; 0 skips
    /// none.
    see_noisy_margin = 0 in 0..=60;
    /// Late move reductions: the minimum depth, in plies.
    lmr_min_depth = 3 in 2..=4;
    /// Late move reductions: the number of first moves that are never reduced; one more in PV nodes.
    lmr_full_depth_moves = 2 in 1..=5;
    /// Late move reductions: the base reduction, in 1024ths of a ply.
    lmr_base = 950 in 0..=1_500;
    /// Late move reductions: the factor of log2(depth) times log2(move number), in 1024ths of a ply.
    lmr_log_factor = 210 in 100..=400;
    /// Late move reductions: the history score that changes the reduction by one ply.
    lmr_history_divisor = 9_000 in 4_000..=16_000;
    /// Late move reductions: a search at full depth is a ply deeper if the reduced one is above the best score by more
    /// than this, in centipawns; 0 for never.
    lmr_deeper_margin = 0 in 0..=100;
    /// Late move reductions: a search at full depth is a ply less deep if the reduced one is not above the best score
    /// by this, in centipawns; 0 for never.
    lmr_shallower_margin = 0 in 0..=20;
    /// Singular extensions: the minimum depth, in plies.
    singular_min_depth = 7 in 5..=10;
    /// Singular extensions: how much shallower than the node the TT entry may be, in plies.
    singular_tt_depth_margin = 3 in 2..=4;
    /// Singular extensions: the margin below the TT score, per ply of depth, in centipawns.
    singular_margin = 2 in 1..=4;
    /// Singular extensions: the additional margin for a double extension, in centipawns.
    singular_double_margin = 25 in 10..=50;
    /// Delta pruning in quiescence search: the margin above what the capture wins by SEE, in centipawns.
    delta_margin = 180 in 50..=300;
    /// Quiescence search: the number of plies after which only recaptures are searched.
    recaptures_only_depth = 5 in 3..=10;
    /// Quiescence search: the number of moves of a node after which only recaptures are searched.
    max_captures = 4 in 2..=16;
    /// Quiescence search: the maximum number of quiet evasions of a check once one move is not lost.
    max_quiet_evasions = 2 in 1..=8;
    /// 1 if the fall of the score is measured, by which a move gets more or less time.
    measures_score_fall = 1 in 0..=1;
    /// The number of plies from the start of a game in which every level picks at random.
    opening_random_plies = 8 in 0..=16;
    /// The minimum of [`SkillLevel::half_chance_loss_cp`](crate::SkillLevel) in these plies, in centipawns.
    opening_half_chance_loss_cp = 8 in 2..=20;
    /// The minimum of [`SkillLevel::max_loss_cp`](crate::SkillLevel) in these plies, in centipawns.
    opening_max_loss_cp = 15 in 5..=40;
}

impl Default for SearchParams {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl SearchParams {
    /// Sets one parameter.
    pub fn set(&mut self, value: ParamValue) {
        *self.value_mut(value.param) = value.value;
    }
}

/// A parameter of [`SearchParams`].
///
/// ```
/// use alfil_search::{SearchParam, SearchParams};
///
/// let param = SearchParam::from_name("rfp_margin")?;
/// assert_eq!(SearchParams::DEFAULT.get(param), param.default);
/// assert!((param.min..=param.max).contains(&param.default));
/// # Ok::<(), alfil_search::SearchParamError>(())
/// ```
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchParam {
    /// The name of the field.
    pub name: &'static str,
    /// The value in [`SearchParams::DEFAULT`].
    pub default: i32,
    /// The smallest sensible value.
    pub min: i32,
    /// The largest sensible value.
    pub max: i32,
}

impl SearchParam {
    /// Returns the parameters that change the strength of a full search, which a tuning run changes by default: all but
    /// those of the skill levels, whose names begin with `opening_`.
    pub fn tunable() -> impl Iterator<Item = &'static SearchParam> {
        SearchParams::ALL.iter().filter(|param| !param.name.starts_with("opening_"))
    }

    /// Returns the parameter of that name.
    ///
    /// # Errors
    /// Returns an error if there is none.
    pub fn from_name(name: &str) -> Result<&'static SearchParam, SearchParamError> {
        let found = SearchParams::ALL.iter().find(|param| param.name == name);
        found.ok_or_else(|| SearchParamError::Unknown(name.to_owned()))
    }
}

/// A value of one parameter, within its range.
///
/// ```
/// use alfil_search::{ParamValue, SearchParams};
///
/// let mut params = SearchParams::DEFAULT;
/// params.set(ParamValue::parse("rfp_margin", "90")?);
/// assert_eq!(params.rfp_margin, 90);
/// assert!(ParamValue::parse("rfp_margin", "-1").is_err());
/// # Ok::<(), alfil_search::SearchParamError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParamValue {
    param: &'static SearchParam,
    value: i32,
}

impl ParamValue {
    /// Creates a value; values out of the parameter's range are moved to its nearest end.
    pub fn clamped(param: &'static SearchParam, value: i32) -> ParamValue {
        ParamValue { param, value: value.clamp(param.min, param.max) }
    }

    /// Parses the name and the value of a parameter.
    ///
    /// # Errors
    /// Returns an error if there is no such parameter, or the value is not a whole number in its range.
    pub fn parse(name: &str, value: &str) -> Result<ParamValue, SearchParamError> {
        let param = SearchParam::from_name(name)?;
        match value.parse() {
            Ok(value) if (param.min..=param.max).contains(&value) => Ok(ParamValue { param, value }),
            _ => Err(SearchParamError::OutOfRange { param, found: value.to_owned() }),
        }
    }

    /// Returns the parameter.
    pub fn param(&self) -> &'static SearchParam {
        self.param
    }

    /// Returns the value.
    pub fn value(&self) -> i32 {
        self.value
    }
}

/// The error for a text that is not a parameter or a value of one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SearchParamError {
    /// There is no parameter of this name.
    #[error("unknown search parameter {0:?}: expected one of {names}", names = param_names())]
    Unknown(String),
    /// The value is not a number in the range of the parameter.
    #[error("expected a whole number from {} to {} for {}, found {found:?}", param.min, param.max, param.name)]
    OutOfRange {
        /// The parameter.
        param: &'static SearchParam,
        /// The text of the value.
        found: String,
    },
}

fn param_names() -> String {
    SearchParams::ALL.iter().map(|param| param.name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_is_set_and_read_by_its_name() {
        for param in SearchParams::ALL {
            assert!((param.min..=param.max).contains(&param.default), "{param:?}");
            assert_eq!(SearchParams::DEFAULT.get(param), param.default, "{param:?}");
            let mut params = SearchParams::DEFAULT;
            params.set(ParamValue::clamped(param, i32::MAX));
            assert_eq!(params.get(param), param.max);
            let unchanged = SearchParams::ALL.iter().filter(|other| params.get(other) == other.default);
            assert_eq!(unchanged.count(), SearchParams::ALL.len() - usize::from(param.max != param.default));
        }
        assert!(ParamValue::parse("speed", "1").unwrap_err().to_string().contains("aspiration_window, "));
        let error = ParamValue::parse("lmp_base", "1").unwrap_err().to_string();
        assert_eq!(error, "expected a whole number from 2 to 8 for lmp_base, found \"1\"");
    }
}
