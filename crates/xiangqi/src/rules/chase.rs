//! What is chased: which men a side threatens to take with profit, if it were its turn.
//!
//! After the Asian rules as two public programs and the texts of the federations define them, and as measured on their diagrams: a
//! general or a soldier may chase for ever; a soldier that has not crossed the river may be chased; a protected man is chased only
//! by what is worth less. Whether a protection is real is found by taking and looking whether anybody can legally take back,
//! because screens, legs and pins change with the capture.

use alfil_kernel::Side;

use super::scratch_board::ScratchBoard;
use crate::board::SquareSet;
use crate::geometry::square_at;
use crate::piece::{Piece, PieceKind};
use crate::square::Square;

/// How a rule book looks at threats, where books differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChaseOptions {
    /// A second man that newly attacks a man already attacked chases it anew: pairs are compared, not victims.
    pub compares_pairs: bool,
    /// A check by either side inside the repetition excuses all chases.
    pub check_excuses_chases: bool,
    /// Attackers that gave check before the capture do not make taking back illegal.
    pub ignores_prior_checks: bool,
    /// A rook that must stay because an enemy horse would else attack its general is chased although protected, and its chaser
    /// loses even where both sides chase.
    pub horse_pinned_rooks: bool,
}

/// A man that can be taken with profit, and by whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Threat {
    pub(super) attacker: Square,
    pub(super) victim: Square,
    /// The victim is a rook that an enemy horse holds in its place.
    pub(super) is_horse_pinned: bool,
}

/// The men that can chase, general and soldiers aside.
const CHASERS: [PieceKind; 5] =
    [PieceKind::Advisor, PieceKind::Elephant, PieceKind::Horse, PieceKind::Rook, PieceKind::Cannon];

/// Everything that `side` chases, as if it were on move.
pub(super) fn threats(field: &mut ScratchBoard, side: Side, reading: &ChaseOptions, found: &mut Vec<Threat>) {
    let prey = victims(field, !side);
    let held = if reading.horse_pinned_rooks { horse_pinned_rooks(field, !side) } else { SquareSet::EMPTY };
    for kind in CHASERS {
        for attacker in field.pieces(side, kind) {
            let attacker = square_at(attacker);
            for victim in field.targets(side, kind, attacker) & prey {
                let held = held.contains(victim);
                let victim = square_at(victim);
                if can_capture(field, side, attacker, victim)
                    && is_profitable(field, side, attacker, victim, held, reading)
                {
                    found.push(Threat { attacker, victim, is_horse_pinned: held });
                }
            }
        }
    }
}

/// The men of a side that can be chased: not its general, and no soldier that has not crossed the river.
fn victims(field: &ScratchBoard, side: Side) -> SquareSet {
    let soldiers = field.pieces(side, PieceKind::Soldier);
    let at_home = soldiers.iter().filter(|&soldier| square_at(soldier).half() == side);
    field
        .occupied_by(side)
        .difference(field.pieces(side, PieceKind::King))
        .difference(SquareSet::from_squares(at_home))
}

/// Whether the capture is legal, and more: a pinned man chases only what pins it.
fn can_capture(field: &mut ScratchBoard, side: Side, attacker: Square, victim: Square) -> bool {
    let before = field.checkers(side);
    let man = field.remove(attacker);
    let pinners = field.checkers(side).difference(before);
    if let Some(man) = man {
        field.put(attacker, man);
    }
    if !pinners.difference(SquareSet::from_square(victim.index())).is_empty() {
        return false;
    }
    let taken = field.make(attacker, victim);
    let safe = field.checkers(side).is_empty();
    field.unmake(attacker, victim, taken);
    safe
}

/// Whether taking would win something.
fn is_profitable(
    field: &mut ScratchBoard,
    side: Side,
    attacker: Square,
    victim: Square,
    held: bool,
    reading: &ChaseOptions,
) -> bool {
    let (Some(hunter), Some(hunted)) = (field.piece_on(attacker), field.piece_on(victim)) else {
        return false;
    };
    if is_always_chase(hunter.kind(), hunted.kind()) {
        return true;
    }
    if hunter.kind() == hunted.kind() && can_capture_attacker(field, !side, victim, attacker) {
        // An offer to exchange.
        return false;
    }
    held || !is_protected(field, side, attacker, victim, reading)
}

/// A horse or a cannon always chases a rook; an advisor or an elephant always chases a rook, a horse or a cannon.
pub(super) fn is_always_chase(hunter: PieceKind, hunted: PieceKind) -> bool {
    match hunter {
        PieceKind::Horse | PieceKind::Cannon => hunted == PieceKind::Rook,
        PieceKind::Advisor | PieceKind::Elephant => {
            matches!(hunted, PieceKind::Rook | PieceKind::Horse | PieceKind::Cannon)
        }
        _ => false,
    }
}

/// Whether the hunted could itself legally take the hunter of its own kind.
fn can_capture_attacker(field: &mut ScratchBoard, side: Side, hunted: Square, hunter: Square) -> bool {
    let Some(man) = field.piece_on(hunted) else { return false };
    if !field.targets(side, man.kind(), hunted).contains(hunter.index()) {
        return false;
    }
    let taken = field.make(hunted, hunter);
    let safe = field.checkers(side).is_empty();
    field.unmake(hunted, hunter, taken);
    safe
}

/// Whether anybody could legally take back.
fn is_protected(
    field: &mut ScratchBoard,
    side: Side,
    attacker: Square,
    victim: Square,
    reading: &ChaseOptions,
) -> bool {
    let aside = if reading.ignores_prior_checks {
        field.checkers(!side).difference(SquareSet::from_square(attacker.index()))
    } else {
        SquareSet::EMPTY
    };
    let taken = field.make(attacker, victim);
    let protected = field.attackers_to(victim, !side).iter().any(|protector| {
        let hunter = field.make(square_at(protector), victim);
        let safe = field.checkers(!side).difference(aside).is_empty();
        field.unmake(square_at(protector), victim, hunter);
        safe
    });
    field.unmake(attacker, victim, taken);
    protected
}

/// The rooks of a side that must stay: without one, an enemy horse would attack the general.
fn horse_pinned_rooks(field: &mut ScratchBoard, side: Side) -> SquareSet {
    let before = field.checkers(side);
    let rooks = field.pieces(side, PieceKind::Rook);
    let horses = field.pieces(!side, PieceKind::Horse);
    SquareSet::from_squares(rooks.iter().filter(|&rook| {
        field.remove(square_at(rook));
        let held = (field.checkers(side).difference(before)).intersects(horses);
        field.put(square_at(rook), Piece::new(side, PieceKind::Rook));
        held
    }))
}

/// ElephantEye's simpler look: what the man that has just moved attacks, and only the first of it. Rooks and cannons only at right
/// angles to their move; advisors, elephants, generals and soldiers neither chase nor are chased, but for soldiers across the river.
pub(super) fn chased_by_mover(field: &ScratchBoard, origin: Square, moved: Square) -> Option<Square> {
    let man = field.piece_on(moved)?;
    let (side, enemy) = (man.side(), !man.side());
    let always = matches!(man.kind(), PieceKind::Horse | PieceKind::Cannon);
    let reach = field.targets(side, man.kind(), moved);
    let reach = match man.kind() {
        PieceKind::Horse => reach,
        PieceKind::Rook | PieceKind::Cannon => {
            let along_file = origin.file() == moved.file();
            let crosses = |&point: &usize| {
                if along_file {
                    square_at(point).rank() == moved.rank()
                } else {
                    square_at(point).file() == moved.file()
                }
            };
            SquareSet::from_squares(reach.iter().filter(crosses))
        }
        _ => return None,
    };
    (reach & field.occupied_by(enemy)).iter().map(square_at).find(|&victim| {
        let Some(hunted) = field.piece_on(victim) else { return false };
        let unprotected = || field.attackers_to(victim, enemy).is_empty();
        match hunted.kind() {
            PieceKind::Rook => always,
            PieceKind::Horse | PieceKind::Cannon => hunted.kind() != man.kind() && unprotected(),
            PieceKind::Soldier => victim.half() == side && unprotected(),
            _ => false,
        }
    })
}
