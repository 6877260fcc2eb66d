//! How a game of xiangqi ends, written once over every board.

use core::fmt;

use alfil_kernel::{Glance, Laws, Line, Outcome, Side, Verdict};

use crate::board::Board;
use crate::piece::{Kind, Piece};
use crate::square::Square;

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// The side to move has no legal move, in check or not: it loses either way.
    NoLegalMove,
    /// One side gave check with every move of a repetition.
    PerpetualCheck,
    /// Both sides gave check with every move of a repetition.
    Mutual,
    /// A repetition in which nobody offended.
    Repetition,
    /// Too many plies without a capture.
    NaturalLimit,
    /// Neither side has a man that can cross the river.
    Material,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cause::NoLegalMove => "no_legal_move",
            Cause::PerpetualCheck => "perpetual_check",
            Cause::Mutual => "mutual",
            Cause::Repetition => "repetition",
            Cause::NaturalLimit => "natural_limit",
            Cause::Material => "material",
        })
    }
}

/// A rule book: the numbers in which the books differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ruleset {
    /// Its name on the command line.
    pub name: &'static str,
    /// A position that stands for this time is a repetition to be judged.
    pub occurrences: usize,
    /// So many plies without a capture are a draw; none for no limit.
    pub natural_plies: Option<u32>,
}

impl Ruleset {
    /// XQWLight's: at the fourth occurrence a one-sided perpetual checker loses and all else is a draw; 120 plies
    /// without a capture are a draw.
    pub const XQWLIGHT: Ruleset = Ruleset { name: "xqwlight", occurrences: 4, natural_plies: Some(120) };
}

impl Default for Ruleset {
    fn default() -> Self {
        Ruleset::XQWLIGHT
    }
}

impl<P: Board> Laws<P> for Ruleset {
    /// In the order in which the rules take precedence: no legal move, repetition, natural limit, material.
    fn judge(&self, line: &Line<P>) -> Option<Verdict<Cause>> {
        if line.position().ended() {
            return Some(self.no_move(line.position()));
        }
        if let Some(first) = homings(line).nth(self.occurrences - 2) {
            return Some(judge_repetition(line, first));
        }
        self.limit(line)
    }

    /// The first return of a position is taken for what the last would be judged: whoever can repeat once can repeat
    /// again.
    fn glance(&self, line: &Line<P>, _root: usize) -> Glance {
        if line.may_repeat()
            && let Some(first) = homings(line).next()
        {
            return Glance::Result(judge_repetition(line, first).outcome);
        }
        self.limit(line).map_or(Glance::Nothing, |verdict| Glance::Result(verdict.outcome))
    }

    fn no_move(&self, position: &P) -> Verdict<Cause> {
        Verdict::new(Outcome::loss(position.side()), Cause::NoLegalMove)
    }
}

impl Ruleset {
    /// The natural limit, then bare material.
    fn limit<P: Board>(&self, line: &Line<P>) -> Option<Verdict<Cause>> {
        if self.natural_plies.is_some_and(|limit| line.quiet() >= limit) {
            return Some(Verdict::new(Outcome::Draw, Cause::NaturalLimit));
        }
        is_bare(line.position()).then(|| Verdict::new(Outcome::Draw, Cause::Material))
    }
}

/// Whether neither side has a man that can cross the river.
fn is_bare(position: &impl Board) -> bool {
    let crossing = [Kind::Rook, Kind::Horse, Kind::Cannon, Kind::Soldier];
    Side::BOTH
        .iter()
        .all(|&side| crossing.iter().all(|&kind| position.pieces(Piece::new(side, kind)).is_empty()))
}

/// Who offended in the repetition that began at ply `first`: a side whose every move since then gave check.
fn judge_repetition<P: Board>(line: &Line<P>, first: usize) -> Verdict<Cause> {
    let window = &line.records()[first..];
    let always_checked = |side: Side| {
        let skip = usize::from(line.side_at(first) != side);
        window.iter().skip(skip).step_by(2).all(|record| record.check())
    };
    match Side::BOTH.map(always_checked) {
        [true, false] => Verdict::new(Outcome::loss(Side::First), Cause::PerpetualCheck),
        [false, true] => Verdict::new(Outcome::loss(Side::Second), Cause::PerpetualCheck),
        [true, true] => Verdict::new(Outcome::Draw, Cause::Mutual),
        [false, false] => Verdict::new(Outcome::Draw, Cause::Repetition),
    }
}

/// The plies before which the position at the end of the line stood already, the latest first, found by homing: the
/// moves are walked back, and each man that moved is followed from where it stands now to where it stood then. When
/// all are home the position stood there, provided the same side was to move. Like men that changed places count as
/// home; a capture ends the walk, for what it took cannot come back.
///
/// After ElephantEye's repetition test, which follows each man on its own and so misses like men that changed places.
pub fn homings<P: Board>(line: &Line<P>) -> impl Iterator<Item = usize> + '_ {
    let mut travels = Travels::default();
    let end = line.ply();
    let window = if line.may_repeat() { line.reversible() } else { 0 };
    (1..=window).filter_map(move |back| {
        let mv = line.records()[end - back].mv()?;
        travels.walk_back(mv.origin(), mv.target());
        (back.is_multiple_of(2) && travels.all_home(line.position())).then_some(end - back)
    })
}

/// Where the men that moved stand now, and where they stood then.
#[derive(Clone, Debug, Default)]
struct Travels(Vec<Travel>);

#[derive(Clone, Copy, Debug)]
struct Travel {
    now: Square,
    then: Square,
}

impl Travels {
    fn walk_back(&mut self, origin: Square, target: Square) {
        match self.0.iter_mut().find(|travel| travel.then == target) {
            Some(travel) => travel.then = origin,
            None => self.0.push(Travel { now: target, then: origin }),
        }
    }

    /// Each man that moved stood then where its like stands now. No two stood on one point, so this exhausts them.
    fn all_home(&self, position: &impl Board) -> bool {
        self.0.iter().all(|travel| {
            travel.now == travel.then || position.piece_on(travel.then) == position.piece_on(travel.now)
        })
    }
}
