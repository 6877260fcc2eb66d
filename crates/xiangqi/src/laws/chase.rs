//! What is chased: which men a side threatens to take with profit, if it were its turn.
//!
//! After the Asian rules as two public programs and the texts of the federations define them, and as measured on their diagrams: a
//! general or a soldier may chase for ever; a soldier that has not crossed the river may be chased; a protected man is chased only
//! by what is worth less. Whether a protection is real is found by taking and looking whether anybody can legally take back,
//! because screens, legs and pins change with the capture.

use alfil_kernel::Side;

use super::field::Field;
use crate::board::Points;
use crate::geometry::at;
use crate::piece::{Kind, Piece};
use crate::square::Square;

/// How a rule book looks at threats, where books differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// A second man that newly attacks a man already attacked chases it anew: pairs are compared, not victims.
    pub pairs: bool,
    /// A check by either side inside the repetition excuses all chases.
    pub check_voids: bool,
    /// Attackers that gave check before the capture do not make taking back illegal.
    pub old_checks_aside: bool,
    /// A rook that must stay because an enemy horse would else attack its general is chased although protected, and its chaser
    /// loses even where both sides chase.
    pub held_rooks: bool,
}

/// A man that can be taken with profit, and by whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Threat {
    pub(super) attacker: Square,
    pub(super) victim: Square,
    /// The victim is a rook that an enemy horse holds in its place.
    pub(super) held: bool,
}

/// The men that can chase, general and soldiers aside.
const CHASERS: [Kind; 5] = [Kind::Advisor, Kind::Elephant, Kind::Horse, Kind::Rook, Kind::Cannon];

/// Everything that `side` chases, as if it were on move.
pub(super) fn threats(field: &mut Field, side: Side, reading: &Reading, found: &mut Vec<Threat>) {
    let prey = prey(field, !side);
    let held = if reading.held_rooks { held_rooks(field, !side) } else { Points::EMPTY };
    for kind in CHASERS {
        for attacker in field.set(side, kind) {
            let attacker = at(attacker);
            for victim in field.reach(side, kind, attacker) & prey {
                let held = held.contains(victim);
                let victim = at(victim);
                if can_take(field, side, attacker, victim)
                    && pays(field, side, attacker, victim, held, reading)
                {
                    found.push(Threat { attacker, victim, held });
                }
            }
        }
    }
}

/// The men of a side that can be chased: not its general, and no soldier that has not crossed the river.
fn prey(field: &Field, side: Side) -> Points {
    let soldiers = field.set(side, Kind::Soldier);
    let at_home = soldiers.iter().filter(|&soldier| at(soldier).half() == side);
    field.men_of(side).minus(field.set(side, Kind::King)).minus(Points::from_squares(at_home))
}

/// Whether the capture is legal, and more: a pinned man chases only what pins it.
fn can_take(field: &mut Field, side: Side, attacker: Square, victim: Square) -> bool {
    let before = field.checkers(side);
    let man = field.lift(attacker);
    let pinners = field.checkers(side).minus(before);
    if let Some(man) = man {
        field.put(attacker, man);
    }
    if !pinners.minus(Points::of(victim.index())).is_empty() {
        return false;
    }
    let taken = field.go(attacker, victim);
    let safe = field.checkers(side).is_empty();
    field.back(attacker, victim, taken);
    safe
}

/// Whether taking would win something.
fn pays(
    field: &mut Field,
    side: Side,
    attacker: Square,
    victim: Square,
    held: bool,
    reading: &Reading,
) -> bool {
    let (Some(hunter), Some(hunted)) = (field.man(attacker), field.man(victim)) else { return false };
    if outranks(hunter.kind(), hunted.kind()) {
        return true;
    }
    if hunter.kind() == hunted.kind() && can_take_back_first(field, !side, victim, attacker) {
        // An offer to exchange.
        return false;
    }
    held || !is_protected(field, side, attacker, victim, reading)
}

/// A horse or a cannon always chases a rook; an advisor or an elephant always chases a rook, a horse or a cannon.
pub(super) fn outranks(hunter: Kind, hunted: Kind) -> bool {
    match hunter {
        Kind::Horse | Kind::Cannon => hunted == Kind::Rook,
        Kind::Advisor | Kind::Elephant => matches!(hunted, Kind::Rook | Kind::Horse | Kind::Cannon),
        _ => false,
    }
}

/// Whether the hunted could itself legally take the hunter of its own kind.
fn can_take_back_first(field: &mut Field, side: Side, hunted: Square, hunter: Square) -> bool {
    let Some(man) = field.man(hunted) else { return false };
    if !field.reach(side, man.kind(), hunted).contains(hunter.index()) {
        return false;
    }
    let taken = field.go(hunted, hunter);
    let safe = field.checkers(side).is_empty();
    field.back(hunted, hunter, taken);
    safe
}

/// Whether anybody could legally take back.
fn is_protected(field: &mut Field, side: Side, attacker: Square, victim: Square, reading: &Reading) -> bool {
    let aside = if reading.old_checks_aside {
        field.checkers(!side).minus(Points::of(attacker.index()))
    } else {
        Points::EMPTY
    };
    let taken = field.go(attacker, victim);
    let protected = field.takers(victim, !side).iter().any(|protector| {
        let hunter = field.go(at(protector), victim);
        let safe = field.checkers(!side).minus(aside).is_empty();
        field.back(at(protector), victim, hunter);
        safe
    });
    field.back(attacker, victim, taken);
    protected
}

/// The rooks of a side that must stay: without one, an enemy horse would attack the general.
fn held_rooks(field: &mut Field, side: Side) -> Points {
    let before = field.checkers(side);
    let rooks = field.set(side, Kind::Rook);
    let horses = field.set(!side, Kind::Horse);
    Points::from_squares(rooks.iter().filter(|&rook| {
        field.lift(at(rook));
        let held = (field.checkers(side).minus(before)).meets(horses);
        field.put(at(rook), Piece::new(side, Kind::Rook));
        held
    }))
}

/// ElephantEye's simpler look: what the man that has just moved attacks, and only the first of it. Rooks and cannons only at right
/// angles to their move; advisors, elephants, generals and soldiers neither chase nor are chased, but for soldiers across the river.
pub(super) fn chased_by_mover(field: &Field, origin: Square, moved: Square) -> Option<Square> {
    let man = field.man(moved)?;
    let (side, enemy) = (man.side(), !man.side());
    let always = matches!(man.kind(), Kind::Horse | Kind::Cannon);
    let reach = field.reach(side, man.kind(), moved);
    let reach = match man.kind() {
        Kind::Horse => reach,
        Kind::Rook | Kind::Cannon => {
            let along_file = origin.file() == moved.file();
            let crosses = |&point: &usize| {
                if along_file { at(point).rank() == moved.rank() } else { at(point).file() == moved.file() }
            };
            Points::from_squares(reach.iter().filter(crosses))
        }
        _ => return None,
    };
    (reach & field.men_of(enemy)).iter().map(at).find(|&victim| {
        let Some(hunted) = field.man(victim) else { return false };
        let unprotected = || field.takers(victim, enemy).is_empty();
        match hunted.kind() {
            Kind::Rook => always,
            Kind::Horse | Kind::Cannon => hunted.kind() != man.kind() && unprotected(),
            Kind::Soldier => victim.half() == side && unprotected(),
            _ => false,
        }
    })
}
