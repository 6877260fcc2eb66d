//! The classes of xiangqi.

use alfil_session::{RulingRequest, format_result};
use alfil_xiangqi::{Bitboard, Ruleset, RulesetName, Xiangqi};

use crate::board_class::board_classes;
use crate::errors::{board_error, value_error};
use crate::results::{PyOutcome, PyRuling};

/// The number of ranks.
pub(crate) const RANKS: usize = 10;

/// Returns the ruleset of a name, or that for play between people.
fn ruleset(name: Option<&str>) -> PyResult<Ruleset> {
    <Xiangqi as GameProfile<Bitboard>>::board_rules(name).map_err(board_error)
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

    /// Rules on the repetition at the end of the game under a ruleset, with the reasons in English ("en") or
    /// Chinese ("zh").
    #[pyo3(signature = (rules=None, *, occurrences=None, notation=None, language="en"))]
    fn judge(
        &self,
        rules: Option<&str>,
        occurrences: Option<usize>,
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
