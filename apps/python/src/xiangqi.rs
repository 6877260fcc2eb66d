//! The classes of xiangqi.

use alfil_kernel::rules::{RefusedMoveOf, Rules};
use alfil_session::{RulingRequest, format_result};
use alfil_xiangqi::{Bitboard, Ruleset, RulesetName, Xiangqi};

use crate::board_class::board_classes;
use crate::errors::{board_error, value_error};
use crate::pickles::{self, Pickled};
use crate::results::{PyOutcome, PyRuling};

/// The number of ranks.
pub(crate) const RANKS: usize = 10;

/// Returns the ruleset of a name, or that for play between people.
fn ruleset(name: Option<&str>) -> PyResult<Ruleset> {
    <Xiangqi as GameProfile<Bitboard>>::board_rules(name).map_err(board_error)
}

/// A legal move that a ruleset refuses in a game, because too many such moves were played in a row.
#[pyclass(name = "RefusedMove", module = "alfil.xiangqi", frozen, get_all)]
#[derive(Clone, Debug)]
pub(crate) struct PyRefusedMove {
    /// The move.
    r#move: Move,
    /// What the moves in a row have in common, in one word: `perpetual_check`.
    cause: String,
    /// The number of such moves in a row that are allowed.
    limit: usize,
    /// The reason as a sentence.
    reason: String,
    /// The reason as a sentence in Chinese.
    reason_zh: String,
}

impl PyRefusedMove {
    /// Makes the object of its pickled state.
    pub(crate) fn from_state(state: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let (mv, cause, limit, reason, reason_zh): (PyRef<'_, Move>, _, _, _, _) = state.extract()?;
        Ok(PyRefusedMove { r#move: *mv, cause, limit, reason, reason_zh })
    }

    fn new(refused: &RefusedMoveOf<Bitboard>) -> Self {
        PyRefusedMove {
            r#move: Move(Some(refused.mv)),
            cause: refused.cause.to_string(),
            limit: refused.limit,
            reason: <Xiangqi as GameProfile<Bitboard>>::refusal_message(refused),
            reason_zh: <Xiangqi as GameProfile<Bitboard>>::refusal_message_zh(refused),
        }
    }
}

#[pymethods]
impl PyRefusedMove {
    fn __repr__(&self) -> String {
        format!("<RefusedMove {} {} limit={}>", self.r#move.text(), self.cause, self.limit)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        let Self { r#move, cause, limit, reason, reason_zh } = self.clone();
        pickles::pickled(py, "RefusedMove", (r#move, cause, limit, reason, reason_zh))
    }
}

board_classes!(Bitboard, "alfil.xiangqi", "xiangqi", {
    /// The names of the rulesets, the one for play between people first.
    #[classattr]
    #[pyo3(name = "rulesets")]
    fn class_rulesets() -> Vec<&'static str> {
        RulesetName::ALL.iter().map(|name| name.name()).collect()
    }

    /// Returns the end of the game; None if it continues.
    #[pyo3(signature = (*, rules=None))]
    fn outcome(&self, rules: Option<&str>) -> PyResult<Option<PyOutcome>> {
        Ok(self.0.end(&ruleset(rules)?))
    }

    /// Returns whether the game is over: `outcome` is not None.
    #[pyo3(signature = (*, rules=None))]
    fn is_game_over(&self, rules: Option<&str>) -> PyResult<bool> {
        Ok(self.outcome(rules)?.is_some())
    }

    /// Returns `1-0`, `0-1` or `1/2-1/2`, or `*` if the game continues.
    #[pyo3(signature = (*, rules=None))]
    fn result(&self, rules: Option<&str>) -> PyResult<&'static str> {
        Ok(self.outcome(rules)?.map_or(format_result(None), |outcome| outcome.result()))
    }

    /// Returns the legal moves that a ruleset refuses in this game now, with the reasons; without a name, that for play
    /// between people, which refuses none. `legal_moves` has these moves, too, and `push` plays them.
    #[pyo3(signature = (rules=None))]
    fn refused_moves(&self, rules: Option<&str>) -> PyResult<Vec<PyRefusedMove>> {
        let refused = ruleset(rules)?.refused_moves(self.0.history());
        Ok(refused.iter().map(PyRefusedMove::new).collect())
    }

    /// Rules on the repetition at the end of the game under a ruleset, with the reasons in English ("en") or
    /// Chinese ("zh").
    #[pyo3(signature = (rules=None, *, occurrences=None, notation=None, language="en"))]
    fn judge(
        &self,
        rules: Option<&str>,
        #[pyo3(from_py_with = crate::numbers::optional_number)] occurrences: Option<usize>,
        notation: Option<&str>,
        language: &str,
    ) -> PyResult<PyRuling> {
        let in_chinese = match language {
            "en" => false,
            "zh" => true,
            _ => return Err(value_error(format!("no language {language:?}: choose \"en\" or \"zh\""))),
        };
        let request = RulingRequest {
            ruleset: rules.map(str::to_owned),
            occurrences,
            in_chinese,
            dialect: notation.map(str::to_owned),
        };
        let ruling = self.0.ruling(&request);
        ruling.map(PyRuling::from).map_err(board_error)
    }
});
