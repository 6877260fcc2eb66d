//! How a game of xiangqi ends, written once over every board, under named rule books.
//!
//! A repetition is judged from the whole window between the occurrences that the book asks for: first perpetual check, then
//! perpetual chase. What a chase is, is in [`Reading`]; where the books differ, in [`Ruleset`].

use core::fmt;

use alfil_kernel::{Bound, GameHistory, MoveList, Outcome, RuleProbe, Rules, Side, Verdict};

use crate::board::Board;
use crate::moves::Move;

mod chase;
mod cxa2020;
mod cxa_threats;
mod dispute;
mod homing;
mod limits;
mod repetition_analysis;
mod ruleset;
mod scratch_board;
mod tactics;

pub use chase::ChaseOptions;
pub use dispute::Dispute;
pub use homing::homings;
pub use repetition_analysis::{Attack, CaptureReason, MoveClass, RepetitionAnalysis, RepetitionPly};
pub use ruleset::{ChaseRule, CheckCounting, InsufficientMaterial, Ruleset};

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// The side to move has no legal move, in check or not: it loses either way.
    NoLegalMove,
    /// One side gave check with every move of a repetition.
    PerpetualCheck,
    /// One side chased one and the same man with every move of a repetition.
    PerpetualChase,
    /// One side checked, threatened mate or chased with every move of a repetition (the Chinese association).
    Prohibited,
    /// Both sides gave check, or both chased, with every move of a repetition.
    MutualOffence,
    /// A repetition in which nobody offended.
    Repetition,
    /// Too many plies without a capture.
    NaturalLimit,
    /// Neither side has the men to win.
    Material,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cause::NoLegalMove => "no_legal_move",
            Cause::PerpetualCheck => "perpetual_check",
            Cause::PerpetualChase => "perpetual_chase",
            Cause::Prohibited => "prohibited",
            Cause::MutualOffence => "mutual",
            Cause::Repetition => "repetition",
            Cause::NaturalLimit => "natural_limit",
            Cause::Material => "material",
        })
    }
}

impl<P: Board> Rules<P> for Ruleset {
    /// In the order in which the rules take precedence: no legal move, repetition, natural limit, material.
    fn judge(&self, line: &GameHistory<P>) -> Option<Verdict<Cause>> {
        if line.position().has_no_legal_move() {
            return Some(self.no_legal_move_verdict(line.position()));
        }
        self.repetition_verdict(line).or_else(|| self.limit_verdict(line))
    }

    /// A position that stood often enough is judged. Of one that came back inside the search for the first time, a draw is final,
    /// because whoever can repeat once can repeat again; a loss is only a bound, and only where nothing speaks for a way out: the
    /// offender may still deviate.
    fn probe(&self, line: &GameHistory<P>, root: usize) -> RuleProbe {
        if line.may_repeat()
            && let Some(last) = homings(line).next()
        {
            if let Some(first) = self.repetition_start(line) {
                return RuleProbe::Decided(
                    repetition_analysis::repetition_verdict(line, first, self).outcome,
                );
            }
            if last >= root {
                let glance = self.probe_second_occurrence(line, last);
                if glance != RuleProbe::Undecided {
                    return glance;
                }
            }
        }
        self.limit_verdict(line).map_or(RuleProbe::Undecided, |verdict| RuleProbe::Decided(verdict.outcome))
    }

    fn no_legal_move_verdict(&self, position: &P) -> Verdict<Cause> {
        Verdict::new(Outcome::loss(position.side_to_move()), Cause::NoLegalMove)
    }

    /// Without a man that can cross the river nobody wins, as where neither side has one.
    fn can_win(&self, position: &P, side: Side) -> bool {
        limits::has_crossing_piece(position, side)
    }
}

impl Ruleset {
    /// The ply at which the repetition begins that the book judges at the end of the line, if the position stood often enough.
    pub fn repetition_start<P: Board>(&self, line: &GameHistory<P>) -> Option<usize> {
        homings(line).nth(self.occurrences.saturating_sub(2))
    }

    /// The ply from which on the rounds are counted that offend under this book although no position came back.
    fn attack_rounds_start<P: Board>(&self, line: &GameHistory<P>) -> Option<usize> {
        cxa2020::attack_rounds_start(line, self.attack_rounds?)
    }

    /// What the book says of the moves at the end of the line: a repetition, or so many rounds without one.
    fn repetition_verdict<P: Board>(&self, line: &GameHistory<P>) -> Option<Verdict<Cause>> {
        let first = self.repetition_start(line).or_else(|| self.attack_rounds_start(line))?;
        Some(repetition_analysis::repetition_verdict(line, first, self))
    }

    /// Everything that is seen in the repetition at the end of the line, if there is one, or in the rounds that offend without.
    pub fn analyse_repetition<P: Board>(&self, line: &GameHistory<P>) -> Option<RepetitionAnalysis> {
        Some(repetition_analysis::analyse(
            line,
            self.repetition_start(line).or_else(|| self.attack_rounds_start(line))?,
            self,
        ))
    }

    /// Where the sources disagree about what this book's study found: the outcome of the other reading, and why. Only for the
    /// books that ask for new threats.
    pub fn disputes<P: Board>(
        &self,
        line: &GameHistory<P>,
        study: &RepetitionAnalysis,
    ) -> Vec<(Outcome, Dispute)> {
        match self.chase_rule {
            ChaseRule::NewThreats(_) => dispute::disputes(line, study),
            _ => Vec::new(),
        }
    }

    /// The legal moves that would lose at once by the rules of repetition.
    pub fn forbidden_moves<P: Board>(&self, line: &GameHistory<P>) -> Vec<Move> {
        let mut line = line.clone();
        let mut moves = MoveList::new();
        line.position().generate_legal(&mut moves);
        let mover = line.side_to_move();
        let loses = |&mv: &Move| {
            line.push(mv, &mut ());
            let verdict = self.repetition_verdict(&line);
            line.pop(&mut ());
            verdict.is_some_and(|verdict| verdict.outcome == Outcome::loss(mover))
        };
        moves.iter().copied().filter(loses).collect()
    }

    /// The natural limit, then material.
    fn limit_verdict<P: Board>(&self, line: &GameHistory<P>) -> Option<Verdict<Cause>> {
        if limits::is_natural_limit_reached(line, self) {
            return Some(Verdict::new(Outcome::Draw, Cause::NaturalLimit));
        }
        limits::is_insufficient_material(line.position(), self.insufficient_material)
            .then(|| Verdict::new(Outcome::Draw, Cause::Material))
    }

    /// The second occurrence, since ply `first`, seen from inside a search.
    fn probe_second_occurrence<P: Board>(&self, line: &GameHistory<P>, first: usize) -> RuleProbe {
        let outcome = repetition_analysis::repetition_verdict(line, first, self).outcome;
        let Outcome::Win(winner) = outcome else { return RuleProbe::Decided(outcome) };
        // The same road into both, and nothing on the way that stood before: else there may be another way round.
        let same_road = first > 0 && line.hash_key_at(first - 1) == line.hash_key_at(line.ply() - 1);
        let between = (first + 1..line.ply() - 1).any(|ply| {
            let key = line.hash_key_at(ply);
            (0..ply).any(|earlier| line.hash_key_at(earlier) == key)
        });
        if !same_road || between {
            return RuleProbe::Undecided;
        }
        let bound = if winner == line.side_to_move() { Bound::Lower } else { Bound::Upper };
        RuleProbe::Bound(Outcome::Draw, bound)
    }
}
