//! Verdicts with all that explains them, as typed data.

use alloc::vec;
use alloc::vec::Vec;

use alfil_kernel::{GameHistory, MoveList, Outcome, Verdict};

use super::cause::Cause;
use super::dispute::Dispute;
use super::repetition_analysis::RepetitionAnalysis;
use super::ruleset::{ChaseRule, Ruleset, RulesetName};
use crate::board::Board;
use crate::moves::Move;

/// A verdict with all that explains it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplainedVerdict {
    /// The verdict.
    pub verdict: Verdict<Cause>,
    /// The analysis of the repetition that the verdict rests on; `None` for other ends of a game.
    pub analysis: Option<RepetitionAnalysis>,
    /// The readings of a disputed repetition with their outcomes, that of the ruleset first; empty if undisputed.
    pub readings: Vec<(Outcome, Reading)>,
    /// The moves that the loser of a repetition could have played instead of its last one without losing at once.
    pub alternatives: Vec<Move>,
    /// The ply of the game at which the alternatives are legal.
    pub alternatives_ply: usize,
}

/// A reading of a disputed repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reading {
    /// The reading of the ruleset itself, where only details are disputed.
    Own,
    /// The reading of chases by this ruleset, where it differs from that of the other common one.
    Ruleset(RulesetName),
    /// The reading of sources that dispute a detail.
    Dispute(Dispute),
}

impl Ruleset {
    /// Returns the verdict on the game with its explanation; `None` if the game continues.
    pub fn explained_verdict<P: Board>(&self, game: &GameHistory<P>) -> Option<ExplainedVerdict> {
        let (verdict, analysis) = self.judge_with_analysis(game)?;
        let readings = analysis.as_ref().map_or(Vec::new(), |analysis| self.readings(game, analysis));
        let (alternatives, alternatives_ply) = self.alternatives(game, verdict);
        Some(ExplainedVerdict { verdict, analysis, readings, alternatives, alternatives_ply })
    }

    /// Returns the readings of a repetition: under rulesets that judge new threats that of the other common chase rule,
    /// if its outcome differs, and those of sources that dispute details; under the Chinese rules the other readings
    /// of their text.
    fn readings<P: Board>(
        &self,
        game: &GameHistory<P>,
        analysis: &RepetitionAnalysis,
    ) -> Vec<(Outcome, Reading)> {
        let outcome = analysis.verdict.outcome;
        match self.chase_rule {
            ChaseRule::NewThreats(_) => {}
            ChaseRule::NewGains => {
                let disputes = self.disputes(game, analysis).into_iter();
                let others = disputes.map(|(outcome, dispute)| (outcome, Reading::Dispute(dispute)));
                let readings: Vec<_> = core::iter::once((outcome, Reading::Own)).chain(others).collect();
                return if readings.len() > 1 { readings } else { Vec::new() };
            }
            ChaseRule::NoChase | ChaseRule::ByMovedPiece => return Vec::new(),
        }
        let other =
            if self.chase_rule == Ruleset::COMPUTER.chase_rule { Ruleset::AXF } else { Ruleset::COMPUTER };
        let other_ruleset = Ruleset { chase_rule: other.chase_rule, ..*self };
        let other_analysis = other_ruleset.analyse_repetition(game);
        let other_analysis = other_analysis.filter(|other| other.verdict.outcome != outcome);
        let mut readings = vec![(outcome, Reading::Own)];
        let mut disputes = self.disputes(game, analysis);
        if let Some(other_analysis) = &other_analysis {
            readings[0].1 = Reading::Ruleset(self.name);
            readings.push((other_analysis.verdict.outcome, Reading::Ruleset(other.name)));
            // Sources may also dispute the attacks of the other reading; only outcomes that differ are listed.
            let other_disputes = other_ruleset.disputes(game, other_analysis);
            disputes.extend(other_disputes.into_iter().filter(|dispute| dispute.0 != outcome));
        }
        readings.extend(disputes.into_iter().map(|(outcome, dispute)| (outcome, Reading::Dispute(dispute))));
        if readings.len() > 1 { readings } else { Vec::new() }
    }

    /// Returns the moves that the loser of a repetition could have played instead of its last one, and the ply before
    /// it.
    fn alternatives<P: Board>(&self, game: &GameHistory<P>, verdict: Verdict<Cause>) -> (Vec<Move>, usize) {
        let is_repetition =
            matches!(verdict.cause, Cause::PerpetualCheck | Cause::PerpetualChase | Cause::Prohibited);
        let Outcome::Win(winner) = verdict.outcome else { return (Vec::new(), game.ply()) };
        if !is_repetition {
            return (Vec::new(), game.ply());
        }
        let mut game = game.clone();
        let mut played = None;
        while game.side_to_move() == winner || played.is_none() {
            played = game.last_ply().and_then(|record| record.mv());
            if played.is_none() {
                return (Vec::new(), game.ply());
            }
            game.pop(&mut ());
        }
        let forbidden = self.forbidden_moves(&game);
        let mut moves = MoveList::new();
        game.position().generate_legal(&mut moves);
        let allowed = moves.iter().copied().filter(|mv| !forbidden.contains(mv) && Some(*mv) != played);
        (allowed.collect(), game.ply())
    }
}
