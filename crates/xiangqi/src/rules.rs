//! Rulesets of xiangqi: how a game ends, written once for every board.
//!
//! A repetition is judged over all its moves between the occurrences that the ruleset counts: first perpetual check,
//! then perpetual chase. What a chase is, [`ChaseOptions`] says; where the rulesets differ, [`Ruleset`].

use alloc::vec::Vec;

use alfil_kernel::{Bound, GameHistory, MoveList, Outcome, RefusedMove, RuleProbe, Rules, Side, Verdict};

use crate::board::Board;
use crate::moves::Move;

mod attack_limits;
mod cause;
mod chase;
mod cxa2020;
mod cxa_classes;
mod cxa_threats;
mod dispute;
mod disputed_chases;
mod explained_verdict;
mod homing;
mod limits;
mod play_out;
mod repetition_analysis;
mod repetition_ply;
mod ruleset;
mod scratch_board;
mod tactics;

pub use attack_limits::AttackLimits;
pub use cause::Cause;
pub use chase::ChaseOptions;
pub use dispute::Dispute;
pub use explained_verdict::{ExplainedVerdict, Reading};
pub use homing::homings;
pub use repetition_analysis::RepetitionAnalysis;
pub use repetition_ply::{Attack, CaptureReason, MoveClass, RepetitionPly};
pub use ruleset::{
    ChaseRule, CheckCounting, InsufficientMaterial, ParseRulesetNameError, Ruleset, RulesetName,
};

impl<P: Board> Rules<P> for Ruleset {
    /// Judges in the order of precedence: no legal move, refused moves only, repetition, natural limit, length,
    /// material.
    fn judge(&self, game: &GameHistory<P>) -> Option<Verdict<Cause>> {
        Some(self.judge_with_analysis(game)?.0)
    }

    /// A position that occurred often enough is judged. At the first return of a position inside the search a draw is
    /// final, because a side that can repeat once can repeat again; a loss is only a bound, and only if the offender
    /// has no visible way to deviate.
    fn probe(&self, game: &GameHistory<P>, root: usize) -> RuleProbe {
        if game.may_repeat()
            && let Some(last) = homings(game).next()
        {
            if let Some(first) = self.repetition_start(game) {
                let outcome = repetition_analysis::repetition_verdict(game, first, self).outcome;
                // Where attacks are refused, a perpetual check does not lose: see below.
                if outcome == Outcome::Draw || self.attack_limits.is_none() {
                    return RuleProbe::Decided(outcome);
                }
            }
            if last >= root {
                let probe = self.probe_second_occurrence(game, last);
                if probe != RuleProbe::Undecided {
                    return probe;
                }
            }
        }
        match self.limit_verdict(game) {
            // A side without a legal move has lost before the limit counts.
            Some(verdict) if !game.position().has_no_legal_move() => RuleProbe::Decided(verdict.outcome),
            _ => RuleProbe::Undecided,
        }
    }

    fn refused_moves(&self, game: &GameHistory<P>) -> Vec<RefusedMove<Move, Cause>> {
        self.attack_limits.map_or(Vec::new(), |limits| attack_limits::refused_moves(game, &limits))
    }

    fn no_legal_move_verdict(&self, position: &P) -> Verdict<Cause> {
        Verdict::new(Outcome::loss(position.side_to_move()), Cause::NoLegalMove)
    }

    /// A side without a piece that can cross the river cannot win.
    fn can_win(&self, position: &P, side: Side) -> bool {
        limits::has_crossing_piece(position, side)
    }
}

impl Ruleset {
    /// Returns the ply at which the repetition begins that this ruleset judges at the end of the game, if the position
    /// occurred often enough.
    ///
    /// ```
    /// use alfil_xiangqi::prelude::*;
    ///
    /// let mut game = Xiangqi::from_fen("3k5/8R/9/9/9/9/9/9/9/4K4 w")?;
    /// for text in "i8i9 d9d8 i9i8 d8d9 i8i9 d9d8 i9i8 d8d9 i8i9".split(' ') {
    ///     game.play(text)?;
    /// }
    /// assert_eq!(game.rules().repetition_start(game.history()), Some(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn repetition_start<P: Board>(&self, game: &GameHistory<P>) -> Option<usize> {
        homings(game).nth(self.occurrences.saturating_sub(2))
    }

    /// Returns the verdict on the game, with the analysis of the repetition or of the rounds of attacks that it rests
    /// on.
    fn judge_with_analysis<P: Board>(
        &self,
        game: &GameHistory<P>,
    ) -> Option<(Verdict<Cause>, Option<RepetitionAnalysis>)> {
        if game.position().has_no_legal_move() {
            return Some((self.no_legal_move_verdict(game.position()), None));
        }
        let refused_count = self.refused_moves(game).len();
        if refused_count > 0 && refused_count == game.position().legal_moves().len() {
            let outcome = Outcome::loss(game.side_to_move());
            return Some((Verdict::new(outcome, Cause::OnlyRefusedMoves), None));
        }
        match self.analyse_repetition(game) {
            Some(analysis) => Some((analysis.verdict, Some(analysis))),
            None => Some((self.limit_verdict(game)?, None)),
        }
    }

    /// Returns the analysis of the repetition at the end of the game, or of the rounds of attacks that offend without
    /// one.
    ///
    /// ```
    /// use alfil_xiangqi::prelude::*;
    ///
    /// let mut game = Xiangqi::from_fen("3k5/8R/9/9/9/9/9/9/9/4K4 w")?;
    /// for text in "i8i9 d9d8 i9i8 d8d9 i8i9 d9d8 i9i8 d8d9 i8i9".split(' ') {
    ///     game.play(text)?;
    /// }
    /// let analysis = game.rules().analyse_repetition(game.history()).unwrap();
    /// assert_eq!(analysis.verdict.cause, Cause::PerpetualCheck);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn analyse_repetition<P: Board>(&self, game: &GameHistory<P>) -> Option<RepetitionAnalysis> {
        if let Some(limits) = &self.attack_limits {
            return attack_limits::analyse(game, self, limits);
        }
        if let Some(first) = self.repetition_start(game) {
            return Some(repetition_analysis::analyse(game, first, self));
        }
        let (first, plies) = cxa2020::attack_rounds(game, self.attack_rounds?)?;
        Some(RepetitionAnalysis::new(game, first, self, plies))
    }

    /// Returns the points on which the sources disagree about an analysis: the outcome of the other reading, and why.
    /// Only for rulesets that judge new threats or gains.
    ///
    /// ```
    /// use alfil_xiangqi::prelude::*;
    ///
    /// let mut game = Xiangqi::from_fen("3k5/8R/9/9/9/9/9/9/9/4K4 w")?;
    /// for text in "i8i9 d9d8 i9i8 d8d9 i8i9 d9d8 i9i8 d8d9 i8i9".split(' ') {
    ///     game.play(text)?;
    /// }
    /// let analysis = game.rules().analyse_repetition(game.history()).unwrap();
    /// assert!(game.rules().disputes(game.history(), &analysis).is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn disputes<P: Board>(
        &self,
        game: &GameHistory<P>,
        analysis: &RepetitionAnalysis,
    ) -> Vec<(Outcome, Dispute)> {
        match self.chase_rule {
            ChaseRule::NewThreats(_) => disputed_chases::disputes(game, analysis, self.chase_rule),
            ChaseRule::NewGains => match self.repetition_start(game) {
                Some(first) => cxa2020::disputes(game, first, &analysis.verdict),
                // Nine rounds without a repetition are not disputed: they offend only by the narrowest reading.
                None => Vec::new(),
            },
            ChaseRule::NoChase | ChaseRule::ByMovedPiece => Vec::new(),
        }
    }

    /// Returns the legal moves that lose at once by the rules of repetition.
    ///
    /// ```
    /// use alfil_xiangqi::prelude::*;
    ///
    /// let mut game = Xiangqi::from_fen("3k5/8R/9/9/9/9/9/9/9/4K4 w")?;
    /// for text in "i8i9 d9d8 i9i8 d8d9 i8i9 d9d8 i9i8 d8d9 i8i9".split(' ') {
    ///     game.play(text)?;
    /// }
    /// game.undo();
    /// assert_eq!(game.rules().forbidden_moves(game.history()), ["i8i9".parse()?]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn forbidden_moves<P: Board>(&self, game: &GameHistory<P>) -> Vec<Move> {
        // Where attacks are refused, none loses.
        if self.attack_limits.is_some() {
            return Vec::new();
        }
        let mut game = game.clone();
        let mut moves = MoveList::new();
        game.position().generate_legal(&mut moves);
        let mover = game.side_to_move();
        let loses = |&mv: &Move| {
            game.push(mv, &mut ());
            let verdict = match self.repetition_start(&game) {
                // A side without a legal move has lost before the attacks of its opponent count.
                _ if game.position().has_no_legal_move() => None,
                Some(first) => Some(repetition_analysis::repetition_verdict(&game, first, self)),
                None => self.analyse_repetition(&game).map(|analysis| analysis.verdict),
            };
            game.pop(&mut ());
            verdict.is_some_and(|verdict| verdict.outcome == Outcome::loss(mover))
        };
        moves.iter().copied().filter(loses).collect()
    }

    /// Returns the verdict by the natural limit, then by the length of the game, then by material.
    fn limit_verdict<P: Board>(&self, game: &GameHistory<P>) -> Option<Verdict<Cause>> {
        if limits::is_natural_limit_reached(game, self) {
            return Some(Verdict::new(Outcome::Draw, Cause::NaturalLimit));
        }
        if self.max_plies.is_some_and(|limit| game.ply() >= limit) {
            return Some(Verdict::new(Outcome::Draw, Cause::GameLength));
        }
        limits::is_insufficient_material(game.position(), self.insufficient_material)
            .then(|| Verdict::new(Outcome::Draw, Cause::Material))
    }

    /// Probes the second occurrence of a position, first seen at ply `first`, inside a search.
    fn probe_second_occurrence<P: Board>(&self, game: &GameHistory<P>, first: usize) -> RuleProbe {
        let outcome = repetition_analysis::repetition_verdict(game, first, self).outcome;
        let Outcome::Win(winner) = outcome else { return RuleProbe::Decided(outcome) };
        // If both occurrences were reached by the same move and no other position repeats in between, the offender has
        // no other line.
        let same_path = first > 0 && game.hash_key_at(first - 1) == game.hash_key_at(game.ply() - 1);
        let has_other_repetition = (first + 1..game.ply() - 1).any(|ply| {
            let key = game.hash_key_at(ply);
            (0..ply).any(|earlier| game.hash_key_at(earlier) == key)
        });
        if !same_path || has_other_repetition {
            return RuleProbe::Undecided;
        }
        let bound = if winner == game.side_to_move() { Bound::Lower } else { Bound::Upper };
        RuleProbe::Bound(Outcome::Draw, bound)
    }
}
