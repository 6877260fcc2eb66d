//! A repetition, ply by ply: what each move newly threatens, and what a side threatens with every move.

use alfil_kernel::{Line, Outcome, Side, Verdict};

use super::Cause;
use super::chase::{Reading, Threat, chased_by_mover, outranks, threats};
use super::cxa;
use super::field::Field;
use super::ruleset::{Chase, Ruleset};
use crate::board::{Board, Points};
use crate::geometry::at;
use crate::moves::Move;
use crate::piece::Piece;
use crate::square::Square;

/// What a move of a repetition does, the heaviest thing first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nature {
    /// It gives check.
    Check,
    /// It threatens mate by checks.
    Kill,
    /// It newly threatens to take something with profit.
    Chase,
    /// It newly offers to take like for like.
    Exchange,
    /// It puts the moved man where it can be taken with profit.
    Offer,
    /// It comes after a man that has just moved, and that it cannot take with profit.
    Follow,
    /// It stands between a far man and what that man attacked.
    Block,
    /// Nothing of all this.
    Idle,
}

impl Nature {
    /// The word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Nature::Check => "check",
            Nature::Kill => "kill",
            Nature::Chase => "chase",
            Nature::Exchange => "exchange",
            Nature::Offer => "offer",
            Nature::Follow => "follow",
            Nature::Block => "block",
            Nature::Idle => "idle",
        }
    }

    /// Whether a side may not do this, or its like, with every move.
    pub fn attacks(self) -> bool {
        matches!(self, Nature::Check | Nature::Kill | Nature::Chase)
    }
}

/// Why a man can be taken with profit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// Nobody could legally take back.
    None,
    /// It is worth more than what attacks it.
    Greater,
    /// It is a rook that must stay, because an enemy horse would else attack its general.
    Held,
    /// It is protected, but not well enough: several men attack it, or it costs more than the exchange brings.
    Weak,
    /// It falls after checks, or by what else falls.
    Lost,
}

/// Somebody chases somebody: men and where they stand after the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attack {
    /// The man that threatens to take.
    pub attacker: (Piece, Square),
    /// The man it threatens to take.
    pub victim: (Piece, Square),
    /// Why that pays.
    pub root: Root,
}

/// A move of the repetition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// Its number on the line, from 1.
    pub number: usize,
    /// Who moved.
    pub side: Side,
    /// The move.
    pub mv: Move,
    /// What it does.
    pub nature: Nature,
    /// What it newly attacks, if the book asks for that.
    pub attacks: Vec<Attack>,
    /// What it attacks weighs where both sides attack with every move (article 26.9 of the Chinese book).
    pub grave: bool,
    /// The victims by what each man is called in this repetition: where it stands at its end.
    pub(super) victims: Points,
    pub(super) held: Points,
}

/// A repetition that was looked at under a rule book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Study {
    /// Who loses, or nobody, and why.
    pub verdict: Verdict<Cause>,
    /// Its moves in order.
    pub plies: Vec<Ply>,
    /// The men that each side chased with every move, where they stand now.
    pub chased: [Vec<Square>; 2],
    /// The same, whatever the verdict.
    pub(super) always: [Points; 2],
}

/// Who offended in the repetition that began at ply `first`. A perpetual checker is found without looking at a board.
pub(super) fn judge<P: Board>(line: &Line<P>, first: usize, book: &Ruleset) -> Verdict<Cause> {
    if let Some(verdict) = perpetual_check(line, first) {
        return verdict;
    }
    match book.chase {
        Chase::Nothing => Verdict::new(Outcome::Draw, Cause::Repetition),
        Chase::Gain => cxa::verdict(&cxa::plies(line, first)),
        Chase::New(Reading { check_voids: true, .. }) if checks(line, first) => {
            Verdict::new(Outcome::Draw, Cause::Repetition)
        }
        _ => chasers(&plies(line, first, book)).0,
    }
}

/// The same with everything that was seen.
pub(super) fn study<P: Board>(line: &Line<P>, first: usize, book: &Ruleset) -> Study {
    let plies = if book.chase == Chase::Gain { cxa::plies(line, first) } else { plies(line, first, book) };
    let (_, always) = chasers(&plies);
    let verdict = match book.chase {
        Chase::Gain => perpetual_check(line, first).unwrap_or_else(|| cxa::verdict(&plies)),
        _ => judge(line, first, book),
    };
    let chased =
        always.map(|men| if verdict.cause == Cause::PerpetualChase { squares(men) } else { Vec::new() });
    Study { verdict, plies, chased, always }
}

fn squares(men: Points) -> Vec<Square> {
    men.iter().map(at).collect()
}

fn checks<P: Board>(line: &Line<P>, first: usize) -> bool {
    line.records()[first..].iter().any(|record| record.check())
}

/// A side whose every move gave check loses; if both did, nobody.
fn perpetual_check<P: Board>(line: &Line<P>, first: usize) -> Option<Verdict<Cause>> {
    let window = &line.records()[first..];
    let always_checked = |side: Side| {
        let skip = usize::from(line.side_at(first) != side);
        window.iter().skip(skip).step_by(2).all(|record| record.check())
    };
    match Side::BOTH.map(always_checked) {
        [true, false] => Some(Verdict::new(Outcome::loss(Side::First), Cause::PerpetualCheck)),
        [false, true] => Some(Verdict::new(Outcome::loss(Side::Second), Cause::PerpetualCheck)),
        [true, true] => Some(Verdict::new(Outcome::Draw, Cause::Mutual)),
        [false, false] => None,
    }
}

/// Who chased one and the same man with every move, and whom: the intersection over all moves of a side, by men and not by
/// points. A chased rook that a horse holds weighs more than any other chase.
fn chasers(plies: &[Ply]) -> (Verdict<Cause>, [Points; 2]) {
    let every = |side: Side, of: fn(&Ply) -> Points| {
        let mut moves = plies.iter().filter(|ply| ply.side == side).map(of);
        let first = moves.next().unwrap_or(Points::EMPTY);
        moves.fold(first, |men, more| men & more)
    };
    let chased = Side::BOTH.map(|side| every(side, |ply| ply.victims));
    let held = Side::BOTH.map(|side| every(side, |ply| ply.held));
    let weight = |side: usize| u8::from(!chased[side].is_empty()) + u8::from(!held[side].is_empty());
    let verdict = match (weight(0), weight(1)) {
        (0, 0) => Verdict::new(Outcome::Draw, Cause::Repetition),
        (first, second) if first > second => Verdict::new(Outcome::loss(Side::First), Cause::PerpetualChase),
        (first, second) if second > first => Verdict::new(Outcome::loss(Side::Second), Cause::PerpetualChase),
        _ => Verdict::new(Outcome::Draw, Cause::Mutual),
    };
    (verdict, chased)
}

/// The moves of the window, walked back from its end, so that each man can be called by where it stands there: nothing is
/// captured inside a repetition.
fn plies<P: Board>(line: &Line<P>, first: usize, book: &Ruleset) -> Vec<Ply> {
    let mut field = Field::of(line.position());
    let mut names: [u8; Square::COUNT] = core::array::from_fn(|index| index as u8);
    let (mut before, mut after) = (Vec::new(), Vec::new());
    let mut plies = Vec::with_capacity(line.ply() - first);
    for ply in (first..line.ply()).rev() {
        let record = line.records()[ply];
        let Some(mv) = record.mv() else { break };
        let side = line.side_at(ply);
        after.clear();
        match book.chase {
            Chase::New(reading) => threats(&mut field, side, &reading, &mut after),
            Chase::ByMover if !record.check() => {
                let victim = chased_by_mover(&field, mv.origin(), mv.target());
                after.extend(victim.map(|victim| Threat { attacker: mv.target(), victim, held: false }));
            }
            _ => {}
        }
        let names_after = names;
        let men = |square: Square| field.man(square).expect("a threat is between men");
        let attack = |threat: &Threat| {
            let (hunter, hunted) = (men(threat.attacker), men(threat.victim));
            let root = match threat.held {
                true => Root::Held,
                false if outranks(hunter.kind(), hunted.kind()) => Root::Greater,
                false => Root::None,
            };
            Attack { attacker: (hunter, threat.attacker), victim: (hunted, threat.victim), root }
        };
        let attacks: Vec<_> = after.iter().map(attack).collect();
        field.back(mv.origin(), mv.target(), None);
        names[mv.origin().index()] = names_after[mv.target().index()];
        before.clear();
        if let Chase::New(reading) = book.chase {
            threats(&mut field, side, &reading, &mut before);
        }
        let fresh = |threat: &Threat| {
            let called = |names: &[u8; Square::COUNT], square: Square| names[square.index()];
            !before.iter().any(|old| {
                let victim = called(&names, old.victim) == called(&names_after, threat.victim);
                let attacker = called(&names, old.attacker) == called(&names_after, threat.attacker);
                victim && (attacker || !compares_pairs(book))
            })
        };
        let new: Vec<usize> = (0..after.len()).filter(|&i| fresh(&after[i])).collect();
        let name = |i: &usize| usize::from(names_after[after[*i].victim.index()]);
        let held = new.iter().filter(|&&i| after[i].held).map(name);
        plies.push(Ply {
            number: ply + 1,
            side,
            mv,
            nature: nature(record.check(), !new.is_empty()),
            attacks: new.iter().map(|&i| attacks[i]).collect(),
            grave: false,
            victims: Points::from_squares(new.iter().map(name)),
            held: Points::from_squares(held),
        });
    }
    plies.reverse();
    plies
}

fn nature(check: bool, chase: bool) -> Nature {
    match (check, chase) {
        (true, _) => Nature::Check,
        (false, true) => Nature::Chase,
        (false, false) => Nature::Idle,
    }
}

fn compares_pairs(book: &Ruleset) -> bool {
    matches!(book.chase, Chase::New(Reading { pairs: true, .. }))
}
