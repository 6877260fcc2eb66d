//! A repetition, ply by ply: what each move newly threatens, and what a side threatens with every move.

use alfil_kernel::{GameHistory, Outcome, Side, Verdict};

use super::Cause;
use super::chase::{ChaseOptions, Threat, chased_by_mover, is_always_chase, threats};
use super::cxa2020;
use super::ruleset::{ChaseRule, Ruleset};
use super::scratch_board::ScratchBoard;
use crate::board::{Board, SquareSet};
use crate::geometry::square_at;
use crate::moves::Move;
use crate::piece::Piece;
use crate::square::Square;

/// What a move of a repetition does, the heaviest thing first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveClass {
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

impl MoveClass {
    /// The word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            MoveClass::Check => "check",
            MoveClass::Kill => "kill",
            MoveClass::Chase => "chase",
            MoveClass::Exchange => "exchange",
            MoveClass::Offer => "offer",
            MoveClass::Follow => "follow",
            MoveClass::Block => "block",
            MoveClass::Idle => "idle",
        }
    }

    /// Whether a side may not do this, or its like, with every move.
    pub fn is_attack(self) -> bool {
        matches!(self, MoveClass::Check | MoveClass::Kill | MoveClass::Chase)
    }
}

/// Why a man can be taken with profit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptureReason {
    /// Nobody could legally take back.
    Unprotected,
    /// It is worth more than what attacks it.
    HigherValue,
    /// It is a rook that must stay, because an enemy horse would else attack its general.
    HorsePinned,
    /// It is protected, but not well enough: several men attack it, or it costs more than the exchange brings.
    Underprotected,
    /// It falls after checks, or by what else falls.
    Indirect,
}

/// Somebody chases somebody: men and where they stand after the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attack {
    /// The man that threatens to take.
    pub attacker: (Piece, Square),
    /// The man it threatens to take.
    pub victim: (Piece, Square),
    /// Why that pays.
    pub reason: CaptureReason,
}

/// A move of the repetition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepetitionPly {
    /// Its number on the line, from 1.
    pub number: usize,
    /// Who moved.
    pub side: Side,
    /// The move.
    pub mv: Move,
    /// What it does.
    pub class: MoveClass,
    /// What it newly attacks, if the book asks for that.
    pub attacks: Vec<Attack>,
    /// What it attacks weighs where both sides attack with every move (article 26.9 of the Chinese book).
    pub counts_under_26_9: bool,
    /// The victims by what each man is called in this repetition: where it stands at its end.
    pub(super) victims: SquareSet,
    pub(super) horse_pinned: SquareSet,
}

/// A repetition that was looked at under a rule book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepetitionAnalysis {
    /// Who loses, or nobody, and why.
    pub verdict: Verdict<Cause>,
    /// Its moves in order.
    pub plies: Vec<RepetitionPly>,
    /// The men that each side chased with every move, where they stand now.
    pub chased: [Vec<Square>; 2],
    /// The same, whatever the verdict.
    pub(super) always_chased: [SquareSet; 2],
}

/// Who offended in the repetition that began at ply `first`. A perpetual checker is found without looking at a board.
pub(super) fn repetition_verdict<P: Board>(
    line: &GameHistory<P>,
    first: usize,
    book: &Ruleset,
) -> Verdict<Cause> {
    if let Some(verdict) = perpetual_check_verdict(line, first) {
        return verdict;
    }
    match book.chase_rule {
        ChaseRule::NoChase => Verdict::new(Outcome::Draw, Cause::Repetition),
        ChaseRule::NewGains => cxa2020::verdict(&cxa2020::analyse_plies(line, first)),
        ChaseRule::NewThreats(ChaseOptions { check_excuses_chases: true, .. }) if has_check(line, first) => {
            Verdict::new(Outcome::Draw, Cause::Repetition)
        }
        _ => chase_verdict(&analyse_plies(line, first, book)).0,
    }
}

/// The same with everything that was seen.
pub(super) fn analyse<P: Board>(line: &GameHistory<P>, first: usize, book: &Ruleset) -> RepetitionAnalysis {
    let plies = if book.chase_rule == ChaseRule::NewGains {
        cxa2020::analyse_plies(line, first)
    } else {
        analyse_plies(line, first, book)
    };
    let (_, always) = chase_verdict(&plies);
    let verdict = match book.chase_rule {
        ChaseRule::NewGains => {
            perpetual_check_verdict(line, first).unwrap_or_else(|| cxa2020::verdict(&plies))
        }
        _ => repetition_verdict(line, first, book),
    };
    let chased =
        always.map(|men| if verdict.cause == Cause::PerpetualChase { to_squares(men) } else { Vec::new() });
    RepetitionAnalysis { verdict, plies, chased, always_chased: always }
}

fn to_squares(men: SquareSet) -> Vec<Square> {
    men.iter().map(square_at).collect()
}

fn has_check<P: Board>(line: &GameHistory<P>, first: usize) -> bool {
    line.records()[first..].iter().any(|record| record.is_check())
}

/// A side whose every move gave check loses; if both did, nobody.
fn perpetual_check_verdict<P: Board>(line: &GameHistory<P>, first: usize) -> Option<Verdict<Cause>> {
    let window = &line.records()[first..];
    let always_checked = |side: Side| {
        let skip = usize::from(line.side_at(first) != side);
        window.iter().skip(skip).step_by(2).all(|record| record.is_check())
    };
    match Side::BOTH.map(always_checked) {
        [true, false] => Some(Verdict::new(Outcome::loss(Side::First), Cause::PerpetualCheck)),
        [false, true] => Some(Verdict::new(Outcome::loss(Side::Second), Cause::PerpetualCheck)),
        [true, true] => Some(Verdict::new(Outcome::Draw, Cause::MutualOffence)),
        [false, false] => None,
    }
}

/// Who chased one and the same man with every move, and whom: the intersection over all moves of a side, by men and not by
/// points. A chased rook that a horse holds weighs more than any other chase.
fn chase_verdict(plies: &[RepetitionPly]) -> (Verdict<Cause>, [SquareSet; 2]) {
    let every = |side: Side, of: fn(&RepetitionPly) -> SquareSet| {
        let mut moves = plies.iter().filter(|ply| ply.side == side).map(of);
        let first = moves.next().unwrap_or(SquareSet::EMPTY);
        moves.fold(first, |men, more| men & more)
    };
    let chased = Side::BOTH.map(|side| every(side, |ply| ply.victims));
    let held = Side::BOTH.map(|side| every(side, |ply| ply.horse_pinned));
    let weight = |side: usize| u8::from(!chased[side].is_empty()) + u8::from(!held[side].is_empty());
    let verdict = match (weight(0), weight(1)) {
        (0, 0) => Verdict::new(Outcome::Draw, Cause::Repetition),
        (first, second) if first > second => Verdict::new(Outcome::loss(Side::First), Cause::PerpetualChase),
        (first, second) if second > first => Verdict::new(Outcome::loss(Side::Second), Cause::PerpetualChase),
        _ => Verdict::new(Outcome::Draw, Cause::MutualOffence),
    };
    (verdict, chased)
}

/// The moves of the window, walked back from its end, so that each man can be called by where it stands there: nothing is
/// captured inside a repetition.
fn analyse_plies<P: Board>(line: &GameHistory<P>, first: usize, book: &Ruleset) -> Vec<RepetitionPly> {
    let mut field = ScratchBoard::from_position(line.position());
    let mut names: [u8; Square::COUNT] = core::array::from_fn(|index| index as u8);
    let (mut before, mut after) = (Vec::new(), Vec::new());
    let mut plies = Vec::with_capacity(line.ply() - first);
    for ply in (first..line.ply()).rev() {
        let record = line.records()[ply];
        let Some(mv) = record.mv() else { break };
        let side = line.side_at(ply);
        after.clear();
        match book.chase_rule {
            ChaseRule::NewThreats(reading) => threats(&mut field, side, &reading, &mut after),
            ChaseRule::ByMovedPiece if !record.is_check() => {
                let victim = chased_by_mover(&field, mv.origin(), mv.target());
                after.extend(victim.map(|victim| Threat {
                    attacker: mv.target(),
                    victim,
                    is_horse_pinned: false,
                }));
            }
            _ => {}
        }
        let names_after = names;
        let men = |square: Square| field.piece_on(square).expect("a threat is between men");
        let attack = |threat: &Threat| {
            let (hunter, hunted) = (men(threat.attacker), men(threat.victim));
            let root = match threat.is_horse_pinned {
                true => CaptureReason::HorsePinned,
                false if is_always_chase(hunter.kind(), hunted.kind()) => CaptureReason::HigherValue,
                false => CaptureReason::Unprotected,
            };
            Attack { attacker: (hunter, threat.attacker), victim: (hunted, threat.victim), reason: root }
        };
        let attacks: Vec<_> = after.iter().map(attack).collect();
        field.unmake(mv.origin(), mv.target(), None);
        names[mv.origin().index()] = names_after[mv.target().index()];
        before.clear();
        if let ChaseRule::NewThreats(reading) = book.chase_rule {
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
        let held = new.iter().filter(|&&i| after[i].is_horse_pinned).map(name);
        plies.push(RepetitionPly {
            number: ply + 1,
            side,
            mv,
            class: classify(record.is_check(), !new.is_empty()),
            attacks: new.iter().map(|&i| attacks[i]).collect(),
            counts_under_26_9: false,
            victims: SquareSet::from_squares(new.iter().map(name)),
            horse_pinned: SquareSet::from_squares(held),
        });
    }
    plies.reverse();
    plies
}

fn classify(check: bool, chase: bool) -> MoveClass {
    match (check, chase) {
        (true, _) => MoveClass::Check,
        (false, true) => MoveClass::Chase,
        (false, false) => MoveClass::Idle,
    }
}

fn compares_pairs(book: &Ruleset) -> bool {
    matches!(book.chase_rule, ChaseRule::NewThreats(ChaseOptions { compares_pairs: true, .. }))
}
