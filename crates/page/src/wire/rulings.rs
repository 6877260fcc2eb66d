//! Rulings on repetitions as the page gets them.

use alfil_kernel::Outcome;
use alfil_session::game_info::RulesetInfo;
use alfil_session::{Ruling, RulingPly};
use serde::Serialize;

/// A ruling: see [`alfil_session::Ruling`].
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RulingDto {
    /// The name of the ruleset.
    pub ruleset: &'static str,
    /// Whether the game is over by the ruling.
    pub decided: bool,
    /// The side that won, 0 or 1; null for a draw.
    #[cfg_attr(test, ts(as = "Option<super::values::Side>"))]
    pub winner: Option<usize>,
    /// The moves of the repetition.
    pub plies: Vec<RuledPlyDto>,
    /// The verdict and its reasons, a sentence each.
    pub explanation: Vec<String>,
    /// The moves that the offender could play instead.
    pub instead: Vec<String>,
    /// The interpretations of a disputed repetition, that of the ruleset first.
    pub readings: Vec<ReadingDto>,
}

/// An interpretation of a disputed repetition.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReadingDto {
    /// The side that won, 0 or 1; null for a draw.
    #[cfg_attr(test, ts(as = "Option<super::values::Side>"))]
    pub winner: Option<usize>,
    /// The reason.
    pub words: String,
}

/// A move of the repetition.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RuledPlyDto {
    /// The number of the ply, from 1.
    pub ply: usize,
    /// The class: `check`, `kill`, `chase`, `exchange`, `offer`, `follow`, `block` or `idle`.
    #[cfg_attr(test, ts(as = "super::values::MoveClass"))]
    pub nature: &'static str,
    /// The squares of the pieces that the move newly attacks with profit.
    pub victims: Vec<String>,
}

/// Returns the side that won, 0 or 1; `None` for a draw.
fn winner(outcome: Outcome) -> Option<usize> {
    match outcome {
        Outcome::Win(side) => Some(side.index()),
        Outcome::Draw => None,
    }
}

impl From<Ruling> for RulingDto {
    fn from(ruling: Ruling) -> Self {
        let reading = |(outcome, words)| ReadingDto { winner: winner(outcome), words };
        let ruled = |ply: RulingPly| RuledPlyDto {
            ply: ply.number,
            nature: ply.move_class,
            victims: ply.victims.into_iter().map(|(_, square)| square).collect(),
        };
        RulingDto {
            ruleset: ruling.ruleset,
            decided: ruling.outcome.is_some(),
            winner: ruling.outcome.and_then(winner),
            plies: ruling.plies.into_iter().map(ruled).collect(),
            explanation: ruling.explanation,
            instead: ruling.alternatives,
            readings: ruling.readings.into_iter().map(reading).collect(),
        }
    }
}

/// What one of several rulesets says about a repetition.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RulingSummaryDto {
    /// The name of the ruleset.
    pub ruleset: &'static str,
    /// The title of the ruleset in English.
    pub title: &'static str,
    /// The title of the ruleset in Chinese.
    pub title_zh: &'static str,
    /// The verdict and its cause in one line.
    pub verdict: String,
    /// Whether the game is over by the ruling.
    pub decided: bool,
    /// The side that must play another move, 0 or 1; null if neither must.
    #[cfg_attr(test, ts(as = "Option<super::values::Side>"))]
    pub must_change: Option<usize>,
    /// The articles that the verdict rests on, where the text of the ruleset is known.
    pub articles: &'static [&'static str],
    /// What the ruleset is known from: `text`, `diagrams` or `measured`.
    #[cfg_attr(test, ts(as = "super::values::Evidence"))]
    pub evidence: &'static str,
    /// The reason for the verdict.
    pub reason: String,
    /// The disputed readings on which the verdict turns, a sentence each.
    pub disputed: Vec<String>,
}

impl RulingSummaryDto {
    /// Converts a ruling; `rulesets` are those of the game.
    pub fn new(ruling: Ruling, rulesets: &[RulesetInfo]) -> Self {
        let info = rulesets.iter().find(|info| info.name == ruling.ruleset);
        let (title, title_zh) = info.map_or((ruling.ruleset, ""), |info| (info.title, info.title_zh));
        RulingSummaryDto {
            ruleset: ruling.ruleset,
            title,
            title_zh,
            verdict: ruling.heading,
            decided: ruling.outcome.is_some(),
            must_change: ruling.must_change.map(|side| side.index()),
            articles: ruling.articles,
            evidence: ruling.evidence,
            reason: ruling.explanation.last().cloned().unwrap_or_default(),
            disputed: ruling.disputed_notes,
        }
    }
}
