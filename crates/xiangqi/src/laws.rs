//! How a game of xiangqi ends, written once over every board, under named rule books.
//!
//! A repetition is judged from the whole window between the occurrences that the book asks for: first perpetual check, then
//! perpetual chase. What a chase is, is in [`Reading`]; where the books differ, in [`Ruleset`].

use core::fmt;

use alfil_kernel::{Bound, Glance, Laws, Line, MoveList, Outcome, Side, Verdict};

use crate::board::Board;
use crate::moves::Move;

mod chase;
mod cxa;
mod dispute;
mod field;
mod gain;
mod homing;
mod limits;
mod ruleset;
mod study;
mod trial;

pub use chase::Reading;
pub use dispute::Dispute;
pub use homing::homings;
pub use ruleset::{Bare, Chase, Checks, Ruleset};
pub use study::{Attack, Nature, Ply, Root, Study};

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
    Mutual,
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
            Cause::Mutual => "mutual",
            Cause::Repetition => "repetition",
            Cause::NaturalLimit => "natural_limit",
            Cause::Material => "material",
        })
    }
}

impl<P: Board> Laws<P> for Ruleset {
    /// In the order in which the rules take precedence: no legal move, repetition, natural limit, material.
    fn judge(&self, line: &Line<P>) -> Option<Verdict<Cause>> {
        if line.position().ended() {
            return Some(self.no_move(line.position()));
        }
        self.offence(line).or_else(|| self.limit(line))
    }

    /// A position that stood often enough is judged. Of one that came back inside the search for the first time, a draw is final,
    /// because whoever can repeat once can repeat again; a loss is only a bound, and only where nothing speaks for a way out: the
    /// offender may still deviate.
    fn glance(&self, line: &Line<P>, root: usize) -> Glance {
        if line.may_repeat()
            && let Some(last) = homings(line).next()
        {
            if let Some(first) = self.window(line) {
                return Glance::Result(study::judge(line, first, self).outcome);
            }
            if last >= root {
                let glance = self.two_fold(line, last);
                if glance != Glance::Nothing {
                    return glance;
                }
            }
        }
        self.limit(line).map_or(Glance::Nothing, |verdict| Glance::Result(verdict.outcome))
    }

    fn no_move(&self, position: &P) -> Verdict<Cause> {
        Verdict::new(Outcome::loss(position.side()), Cause::NoLegalMove)
    }

    /// Without a man that can cross the river nobody wins, as where neither side has one.
    fn can_win(&self, position: &P, side: Side) -> bool {
        limits::can_cross(position, side)
    }
}

impl Ruleset {
    /// The ply at which the repetition begins that the book judges at the end of the line, if the position stood often enough.
    pub fn window<P: Board>(&self, line: &Line<P>) -> Option<usize> {
        homings(line).nth(self.occurrences.saturating_sub(2))
    }

    /// The ply from which on the rounds are counted that offend under this book although no position came back.
    fn rounds<P: Board>(&self, line: &Line<P>) -> Option<usize> {
        cxa::rounds(line, self.rounds?)
    }

    /// What the book says of the moves at the end of the line: a repetition, or so many rounds without one.
    fn offence<P: Board>(&self, line: &Line<P>) -> Option<Verdict<Cause>> {
        let first = self.window(line).or_else(|| self.rounds(line))?;
        Some(study::judge(line, first, self))
    }

    /// Everything that is seen in the repetition at the end of the line, if there is one, or in the rounds that offend without.
    pub fn study<P: Board>(&self, line: &Line<P>) -> Option<Study> {
        Some(study::study(line, self.window(line).or_else(|| self.rounds(line))?, self))
    }

    /// Where the sources disagree about what this book's study found: the outcome of the other reading, and why. Only for the
    /// books that ask for new threats.
    pub fn disputes<P: Board>(&self, line: &Line<P>, study: &Study) -> Vec<(Outcome, Dispute)> {
        match self.chase {
            Chase::New(_) => dispute::disputes(line, study),
            _ => Vec::new(),
        }
    }

    /// The legal moves that would lose at once by the rules of repetition.
    pub fn banned<P: Board>(&self, line: &Line<P>) -> Vec<Move> {
        let mut line = line.clone();
        let mut moves = MoveList::new();
        line.position().moves(&mut moves);
        let mover = line.side();
        let loses = |&mv: &Move| {
            line.push(mv, &mut ());
            let verdict = self.offence(&line);
            line.pop(&mut ());
            verdict.is_some_and(|verdict| verdict.outcome == Outcome::loss(mover))
        };
        moves.iter().copied().filter(loses).collect()
    }

    /// The natural limit, then material.
    fn limit<P: Board>(&self, line: &Line<P>) -> Option<Verdict<Cause>> {
        if limits::is_natural(line, self) {
            return Some(Verdict::new(Outcome::Draw, Cause::NaturalLimit));
        }
        limits::is_bare(line.position(), self.bare).then(|| Verdict::new(Outcome::Draw, Cause::Material))
    }

    /// The second occurrence, since ply `first`, seen from inside a search.
    fn two_fold<P: Board>(&self, line: &Line<P>, first: usize) -> Glance {
        let outcome = study::judge(line, first, self).outcome;
        let Outcome::Win(winner) = outcome else { return Glance::Result(outcome) };
        // The same road into both, and nothing on the way that stood before: else there may be another way round.
        let same_road = first > 0 && line.key_at(first - 1) == line.key_at(line.ply() - 1);
        let between = (first + 1..line.ply() - 1).any(|ply| {
            let key = line.key_at(ply);
            (0..ply).any(|earlier| line.key_at(earlier) == key)
        });
        if !same_road || between {
            return Glance::Nothing;
        }
        let bound = if winner == line.side() { Bound::Lower } else { Bound::Upper };
        Glance::Bound(Outcome::Draw, bound)
    }
}
