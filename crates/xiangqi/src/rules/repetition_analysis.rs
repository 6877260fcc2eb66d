//! The analysis of a repetition, ply by ply: what each move newly threatens, and what a side threatens with every move.

use alloc::vec::Vec;

use alfil_kernel::{GameHistory, Outcome, Side, Verdict};

use super::cause::Cause;
use super::chase::{ChaseOptions, Threat, chased_by_mover, is_always_chase, threats};
use super::cxa_threats::TextReading;
use super::cxa2020;
use super::repetition_ply::{Attack, CaptureReason, MoveClass, RepetitionPly};
use super::ruleset::{ChaseRule, Ruleset};
use super::scratch_board::ScratchBoard;
use crate::board::Board;
use crate::piece::PieceKind;
use crate::square::{Square, SquareSet, square_at};

/// The analysis of a repetition under a ruleset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepetitionAnalysis {
    /// The verdict.
    pub verdict: Verdict<Cause>,
    /// The moves in order.
    pub plies: Vec<RepetitionPly>,
    /// If the verdict is a perpetual chase, the squares at the end of the repetition of the pieces that each side
    /// chased with every move; otherwise empty.
    pub chased: [Vec<Square>; 2],
    /// Whether the verdict is a draw although a side chased with every move, because several pieces may chase several
    /// pieces.
    pub several_chase_several: bool,
    /// The pieces that each side chased with every move, by their squares at the end, whatever the verdict.
    pub(super) always_chased: [SquareSet; 2],
}

impl RepetitionAnalysis {
    /// Returns an analysis whose verdict does not name chased pieces.
    pub(super) fn without_chases(verdict: Verdict<Cause>, plies: Vec<RepetitionPly>) -> RepetitionAnalysis {
        RepetitionAnalysis {
            verdict,
            plies,
            chased: [Vec::new(), Vec::new()],
            several_chase_several: false,
            always_chased: [SquareSet::EMPTY; 2],
        }
    }

    /// Returns the analysis of the classified moves from ply `first` on.
    pub(super) fn new<P: Board>(
        game: &GameHistory<P>,
        first: usize,
        ruleset: &Ruleset,
        plies: Vec<RepetitionPly>,
    ) -> RepetitionAnalysis {
        let options = ChaseVerdictOptions::of(ruleset.chase_rule);
        let (chase_verdict, always_chased) = chase_verdict(&plies, options);
        let verdict =
            verdict_without_classes(game, first, ruleset).unwrap_or_else(|| match ruleset.chase_rule {
                ChaseRule::NewGains => cxa2020::verdict(&plies),
                ChaseRule::NoChase | ChaseRule::ByMovedPiece | ChaseRule::NewThreats(_) => chase_verdict,
            });
        let is_chase = verdict.cause == Cause::PerpetualChase;
        let chased = always_chased.map(|pieces| if is_chase { to_squares(pieces) } else { Vec::new() });
        let several_chase_several = options.several_may_chase_several
            && verdict.cause == Cause::Repetition
            && always_chased.iter().any(|pieces| !pieces.is_empty());
        RepetitionAnalysis { verdict, plies, chased, several_chase_several, always_chased }
    }
}

/// Returns the verdict on the repetition that began at ply `first`: that of its analysis, without classifying the moves
/// where the verdict does not depend on them.
pub(super) fn repetition_verdict<P: Board>(
    game: &GameHistory<P>,
    first: usize,
    ruleset: &Ruleset,
) -> Verdict<Cause> {
    verdict_without_classes(game, first, ruleset).unwrap_or_else(|| analyse(game, first, ruleset).verdict)
}

/// Returns the analysis of the repetition that began at ply `first`.
pub(super) fn analyse<P: Board>(
    game: &GameHistory<P>,
    first: usize,
    ruleset: &Ruleset,
) -> RepetitionAnalysis {
    let plies = match ruleset.chase_rule {
        ChaseRule::NewGains => cxa2020::analyse_plies(game, first, TextReading::RULESET),
        ChaseRule::NoChase | ChaseRule::ByMovedPiece | ChaseRule::NewThreats(_) => {
            analyse_plies(game, first, ruleset.chase_rule)
        }
    };
    RepetitionAnalysis::new(game, first, ruleset, plies)
}

/// Returns the verdict if it does not depend on the classes of the moves: on perpetual check, and where no chase
/// counts.
fn verdict_without_classes<P: Board>(
    game: &GameHistory<P>,
    first: usize,
    ruleset: &Ruleset,
) -> Option<Verdict<Cause>> {
    let has_no_chase = match ruleset.chase_rule {
        ChaseRule::NoChase => true,
        ChaseRule::NewThreats(options) => options.check_excuses_chases && has_check(game, first),
        ChaseRule::ByMovedPiece | ChaseRule::NewGains => false,
    };
    perpetual_check_verdict(game, first)
        .or_else(|| has_no_chase.then(|| Verdict::new(Outcome::Draw, Cause::Repetition)))
}

fn to_squares(pieces: SquareSet) -> Vec<Square> {
    pieces.iter().collect()
}

fn has_check<P: Board>(game: &GameHistory<P>, first: usize) -> bool {
    game.records()[first..].iter().any(|record| record.is_check())
}

/// Returns the verdict on perpetual check: a side whose every move gave check loses; if both did, it is a draw.
fn perpetual_check_verdict<P: Board>(game: &GameHistory<P>, first: usize) -> Option<Verdict<Cause>> {
    let plies = &game.records()[first..];
    let always_checks = |side: Side| {
        let skip = usize::from(game.side_at(first) != side);
        plies.iter().skip(skip).step_by(2).all(|record| record.is_check())
    };
    match Side::BOTH.map(always_checks) {
        [true, false] => Some(Verdict::new(Outcome::loss(Side::First), Cause::PerpetualCheck)),
        [false, true] => Some(Verdict::new(Outcome::loss(Side::Second), Cause::PerpetualCheck)),
        [true, true] => Some(Verdict::new(Outcome::Draw, Cause::MutualOffence)),
        [false, false] => None,
    }
}

/// The options of a chase rule that decide the verdict on sides that chase, and not which moves are chases; see
/// [`ChaseOptions`](super::chase::ChaseOptions).
#[derive(Clone, Copy, Debug)]
pub(super) struct ChaseVerdictOptions {
    pub(super) cannons_yield_to_rooks: bool,
    pub(super) several_may_chase_several: bool,
}

impl ChaseVerdictOptions {
    pub(super) fn of(rule: ChaseRule) -> ChaseVerdictOptions {
        let options = match rule {
            ChaseRule::NewThreats(options) => Some(options),
            ChaseRule::NoChase | ChaseRule::ByMovedPiece | ChaseRule::NewGains => None,
        };
        ChaseVerdictOptions {
            cannons_yield_to_rooks: options.is_some_and(|options| options.cannons_yield_to_rooks),
            several_may_chase_several: options.is_some_and(|options| options.several_may_chase_several),
        }
    }
}

/// Returns the verdict on chases, and the pieces chased: the intersection over all moves of a side, by piece and not by
/// square. A chase of a rook pinned by a horse outweighs other chases.
pub(super) fn chase_verdict(
    plies: &[RepetitionPly],
    options: ChaseVerdictOptions,
) -> (Verdict<Cause>, [SquareSet; 2]) {
    let intersection = |side: Side, set_of: fn(&RepetitionPly) -> SquareSet| {
        let mut moves = plies.iter().filter(|ply| ply.side == side).map(set_of);
        let first = moves.next().unwrap_or(SquareSet::EMPTY);
        moves.fold(first, |pieces, more| pieces & more)
    };
    let chased = Side::BOTH.map(|side| intersection(side, |ply| ply.victims));
    let horse_pinned = Side::BOTH.map(|side| intersection(side, |ply| ply.horse_pinned));
    let weight = |side: Side| {
        let pieces = chased[side.index()];
        let is_allowed = options.several_may_chase_several && several_chase_several(plies, side, pieces);
        let is_chase = !pieces.is_empty() && !is_allowed;
        u8::from(is_chase) + u8::from(!horse_pinned[side.index()].is_empty())
    };
    let loss = |side| Verdict::new(Outcome::loss(side), Cause::PerpetualChase);
    let verdict = match Side::BOTH.map(weight) {
        [0, 0] => Verdict::new(Outcome::Draw, Cause::Repetition),
        [first, second] if first > second => loss(Side::First),
        [first, second] if second > first => loss(Side::Second),
        _ => {
            let yields = |side: &Side| options.cannons_yield_to_rooks && cannons_chase_rook(plies, *side);
            let offender = Side::BOTH.into_iter().find(yields);
            offender.map_or(Verdict::new(Outcome::Draw, Cause::MutualOffence), loss)
        }
    };
    (verdict, chased)
}

/// Returns whether a side chases more than one piece with every move, and with some move by more than one piece.
fn several_chase_several(plies: &[RepetitionPly], side: Side, chased: SquareSet) -> bool {
    let attacker_count = |ply: &RepetitionPly| {
        SquareSet::from_squares(ply.attacks.iter().map(|attack| attack.attacker.1)).len()
    };
    chased.len() > 1 && plies.iter().any(|ply| ply.side == side && attacker_count(ply) > 1)
}

/// Returns whether a side chases a rook with cannons while the other side chases nothing but cannons, with a rook.
fn cannons_chase_rook(plies: &[RepetitionPly], side: Side) -> bool {
    let of = |side: Side| plies.iter().filter(move |ply| ply.side == side);
    let is_between = |attack: &Attack, attacker, victim| {
        (attack.attacker.0.kind(), attack.victim.0.kind()) == (attacker, victim)
    };
    let by_cannon = |attack: &Attack| is_between(attack, PieceKind::Cannon, PieceKind::Rook);
    let by_rook = |attack: &Attack| is_between(attack, PieceKind::Rook, PieceKind::Cannon);
    of(side).all(|ply| ply.attacks.iter().any(by_cannon))
        && of(!side).all(|ply| !ply.attacks.is_empty() && ply.attacks.iter().all(by_rook))
}

/// Returns the classified moves, walked back from the end of the repetition, so that each piece is identified by its
/// square there: no piece is captured inside a repetition.
pub(super) fn analyse_plies<P: Board>(
    game: &GameHistory<P>,
    first: usize,
    rule: ChaseRule,
) -> Vec<RepetitionPly> {
    let mut board = ScratchBoard::from_position(game.position());
    let mut piece_ids: [Square; Square::COUNT] = core::array::from_fn(square_at);
    let (mut before, mut after) = (Vec::new(), Vec::new());
    let mut plies = Vec::with_capacity(game.ply() - first);
    for ply in (first..game.ply()).rev() {
        let record = game.records()[ply];
        let Some(mv) = record.mv() else { break };
        let side = game.side_at(ply);
        after.clear();
        match rule {
            ChaseRule::NewThreats(options) => threats(&mut board, side, &options, &mut after),
            ChaseRule::ByMovedPiece => {
                let is_chase = !record.is_check();
                let victim = is_chase.then(|| chased_by_mover(&board, mv.origin(), mv.target())).flatten();
                let attacker = mv.target();
                after.extend(victim.map(|victim| Threat { attacker, victim, is_horse_pinned: false }));
            }
            ChaseRule::NoChase | ChaseRule::NewGains => {}
        }
        let piece_ids_after = piece_ids;
        let piece = |square: Square| board.piece_on(square).expect("a threat is between pieces");
        let attack = |threat: &Threat| {
            let (attacker, victim) = (piece(threat.attacker), piece(threat.victim));
            let reason = match threat.is_horse_pinned {
                true => CaptureReason::HorsePinned,
                false if is_always_chase(attacker.kind(), victim.kind()) => CaptureReason::HigherValue,
                false => CaptureReason::Unprotected,
            };
            Attack { attacker: (attacker, threat.attacker), victim: (victim, threat.victim), reason }
        };
        let attacks: Vec<_> = after.iter().map(attack).collect();
        let checkers = if record.is_check() { board.checkers(!side) } else { SquareSet::EMPTY };
        board.unmake(mv.origin(), mv.target(), None);
        piece_ids[mv.origin().index()] = piece_ids_after[mv.target().index()];
        before.clear();
        if let ChaseRule::NewThreats(options) = rule {
            threats(&mut board, side, &options, &mut before);
        }
        let is_new = |threat: &Threat| {
            let id = |piece_ids: &[Square; Square::COUNT], square: Square| piece_ids[square.index()];
            !before.iter().any(|earlier| {
                let is_same_victim = id(&piece_ids, earlier.victim) == id(&piece_ids_after, threat.victim);
                let is_same_attacker =
                    id(&piece_ids, earlier.attacker) == id(&piece_ids_after, threat.attacker);
                is_same_victim && (is_same_attacker || !compares_pairs(rule))
            })
        };
        let new: Vec<usize> = (0..after.len()).filter(|&i| is_new(&after[i])).collect();
        let victim_id = |i: &usize| piece_ids_after[after[*i].victim.index()];
        let attackers = match record.is_check() {
            true => checkers,
            false => SquareSet::from_squares(new.iter().map(|&i| after[i].attacker)),
        };
        let attackers = attackers.iter().map(|square| piece_ids_after[square.index()]);
        let horse_pinned = new.iter().filter(|&&i| after[i].is_horse_pinned).map(victim_id);
        plies.push(RepetitionPly {
            number: ply + 1,
            side,
            mv,
            class: classify(record.is_check(), !new.is_empty()),
            attacks: new.iter().map(|&i| attacks[i]).collect(),
            counts_under_26_9: false,
            searched_plies: 0,
            was_search_cut_short: false,
            attackers: SquareSet::from_squares(attackers),
            victims: SquareSet::from_squares(new.iter().map(victim_id)),
            horse_pinned: SquareSet::from_squares(horse_pinned),
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

fn compares_pairs(rule: ChaseRule) -> bool {
    matches!(rule, ChaseRule::NewThreats(ChaseOptions { compares_pairs: true, .. }))
}
