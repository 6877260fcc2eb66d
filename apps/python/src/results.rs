//! Results as plain objects: the end of a game, rulings. They are pickled as the tuple of their fields: see
//! `pickles.rs`.

use alfil_kernel::{Outcome, Side};
use alfil_session::{GameEnd, Ruling, RulingPly, format_result};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::pickles::{self, Pickled};

/// Returns whether the first side won; `None` for a draw or an unfinished game.
fn winner(outcome: Option<Outcome>) -> Option<bool> {
    match outcome {
        Some(Outcome::Win(side)) => Some(side == Side::First),
        _ => None,
    }
}

/// The end of a game: the winner and the reason.
#[pyclass(name = "Outcome", module = "alfil", frozen, get_all, eq, hash)]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PyOutcome {
    /// The cause in one word: `checkmate`, `perpetual_check`.
    termination: String,
    /// True if the first side won (White, Red, in Othello Black), False if the other side won, None for a draw.
    winner: Option<bool>,
    /// The number of discs by which the winner of Othello is ahead; 0 in other games.
    margin: i32,
    /// The verdict as a sentence.
    message: String,
    /// The verdict as a sentence in Chinese.
    message_zh: String,
}

impl From<GameEnd> for PyOutcome {
    fn from(end: GameEnd) -> Self {
        PyOutcome {
            winner: winner(Some(end.outcome)),
            termination: end.cause,
            margin: end.margin,
            message: end.message,
            message_zh: end.message_zh,
        }
    }
}

impl PyOutcome {
    /// Makes the object of its pickled state.
    pub(crate) fn from_state(state: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let (termination, winner, margin, message, message_zh) = state.extract()?;
        Ok(PyOutcome { termination, winner, margin, message, message_zh })
    }
}

#[pymethods]
impl PyOutcome {
    /// Returns the result in the words of PGN: `1-0`, `0-1` or `1/2-1/2`.
    pub(crate) fn result(&self) -> &'static str {
        let outcome = match self.winner {
            Some(true) => Outcome::Win(Side::First),
            Some(false) => Outcome::Win(Side::Second),
            None => Outcome::Draw,
        };
        format_result(Some(outcome))
    }

    fn __repr__(&self) -> String {
        let winner = self.winner.map_or("None", |first| if first { "True" } else { "False" });
        format!("<Outcome {} {} winner={winner}>", self.result(), self.termination)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        let state = (&self.termination, self.winner, self.margin, &self.message, &self.message_zh);
        pickles::pickled(py, "Outcome", state)
    }
}

/// A move of a repetition and what it does.
#[pyclass(name = "RulingPly", module = "alfil.xiangqi", frozen, get_all, eq, hash)]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PyRulingPly {
    /// The number of the ply in the game, from 1.
    number: usize,
    /// The move in the requested notation.
    r#move: String,
    /// `check`, `kill`, `chase`, `exchange`, `offer`, `follow`, `block` or `idle`.
    move_class: String,
    /// The pieces that the move newly attacks with profit, as pairs of name and square.
    victims: Vec<(String, String)>,
    /// The new attacks, each with the squares of the attacker and of the attacked piece, and those of the pieces that
    /// could take back.
    attacks: Vec<(String, String, Vec<String>)>,
    /// How many plies the searches about the move looked ahead; 0 under rulesets that do not search.
    searched_plies: u32,
}

impl From<RulingPly> for PyRulingPly {
    fn from(ply: RulingPly) -> Self {
        let RulingPly { number, mv, move_class, victims, attacks, searched_plies } = ply;
        let attacks = attacks.into_iter().map(|attack| (attack.attacker, attack.victim, attack.protectors));
        PyRulingPly {
            number,
            r#move: mv,
            move_class: move_class.to_owned(),
            victims,
            attacks: attacks.collect(),
            searched_plies,
        }
    }
}

impl PyRulingPly {
    /// Makes the object of its pickled state.
    pub(crate) fn from_state(state: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let (number, mv, move_class, victims, attacks, searched_plies) = state.extract()?;
        Ok(PyRulingPly { number, r#move: mv, move_class, victims, attacks, searched_plies })
    }
}

#[pymethods]
impl PyRulingPly {
    fn __repr__(&self) -> String {
        format!("<RulingPly {} {} {}>", self.number, self.r#move, self.move_class)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        let Self { number, r#move, move_class, victims, attacks, searched_plies } = self.clone();
        pickles::pickled(py, "RulingPly", (number, r#move, move_class, victims, attacks, searched_plies))
    }
}

/// The verdict on a repetition with its reasons.
#[pyclass(name = "Ruling", module = "alfil.xiangqi", frozen, get_all, eq, hash)]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PyRuling {
    /// The name of the ruleset.
    ruleset: String,
    /// True if Red wins, False if Black wins, None for a draw or if the game continues.
    winner: Option<bool>,
    /// `1-0`, `0-1`, `1/2-1/2`, or `*` if the game continues.
    result: String,
    /// The cause in one word: `perpetual_chase`; `none` if the game continues.
    cause: String,
    /// The verdict: `red_loses`, `black_loses`, `draw` or `none`, or in Chinese.
    verdict: String,
    /// Verdict and cause in one line.
    heading: String,
    /// The verdict and its reasons, a sentence each.
    explanation: Vec<String>,
    /// The numbers of the first and the last ply of the repetition; None without one.
    repetition: Option<(usize, usize)>,
    /// The moves of the repetition.
    plies: Vec<PyRulingPly>,
    /// The moves by which the offender could have avoided the loss, instead of its last move.
    alternatives: Vec<String>,
    /// The verdict of the ruleset and those of other readings of disputed rules, a sentence each; none if all agree.
    disputed: Vec<String>,
}

impl From<Ruling> for PyRuling {
    fn from(ruling: Ruling) -> Self {
        PyRuling {
            ruleset: ruling.ruleset.to_owned(),
            winner: winner(ruling.outcome),
            result: format_result(ruling.outcome).to_owned(),
            cause: ruling.cause,
            verdict: ruling.verdict_label.to_owned(),
            heading: ruling.heading,
            explanation: ruling.explanation,
            repetition: ruling.repetition_plies,
            plies: ruling.plies.into_iter().map(PyRulingPly::from).collect(),
            alternatives: ruling.alternatives,
            disputed: ruling.disputed_notes,
        }
    }
}

/// The fields of a ruling that are one text or value.
type RulingHeads = (String, Option<bool>, String, String, String, String);

impl PyRuling {
    /// Makes the object of its pickled state.
    pub(crate) fn from_state(state: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let (heads, explanation, repetition, plies, alternatives, disputed) = state.extract()?;
        let (ruleset, winner, result, cause, verdict, heading): RulingHeads = heads;
        Ok(PyRuling {
            ruleset,
            winner,
            result,
            cause,
            verdict,
            heading,
            explanation,
            repetition,
            plies,
            alternatives,
            disputed,
        })
    }
}

#[pymethods]
impl PyRuling {
    fn __str__(&self) -> String {
        self.explanation.join("\n")
    }

    fn __repr__(&self) -> String {
        format!("<Ruling {} {} {}>", self.ruleset, self.result, self.cause)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        let Self { ruleset, winner, result, cause, verdict, heading, .. } = self.clone();
        let Self { explanation, repetition, plies, alternatives, disputed, .. } = self.clone();
        let heads = (ruleset, winner, result, cause, verdict, heading);
        pickles::pickled(py, "Ruling", (heads, explanation, repetition, plies, alternatives, disputed))
    }
}
