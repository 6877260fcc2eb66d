//! Repetitions about which the sources themselves disagree: test lists of programs, diagrams of the federations, and what
//! several programs answer. The verdict stands, and beside it stands what the other reading makes of the same moves.

use alfil_kernel::{Line, Outcome, Side};

use super::Cause;
use super::field::Field;
use super::study::{Attack, Nature, Ply, Root, Study};
use crate::board::{Board, Points};
use crate::geometry::at;
use crate::piece::Kind;
use crate::square::Square;

/// Why the sources disagree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dispute {
    /// The chased chariot that must stay before its general chases too: some call the mutual chase a draw all the same.
    HeldHunter,
    /// Hunter and protector stand between the facing generals, so that the one, taking, pins the other: some believe the
    /// protection.
    MutualPin,
    /// Several men chase several men at once: some allow it as they allow chasing several in turn.
    Several,
    /// An advisor or an elephant attacks a protected man because another man moved away: some count only its own move.
    Uncovered,
    /// A cannon attacks over the general of the man it attacks: some see no chase.
    OverGeneral,
    /// Only a soldier is chased, and some of the chasing moves give check: one published list lets the side lose that answers
    /// the checks, and gives no article for it.
    CheckedSoldier,
    /// A cannon chases a chariot, and the chariot attacks cannons in return: some forbid it to the cannons (AXF 15).
    CounteringRook,
}

/// The other readings of a repetition, with the outcome that each gives it.
pub(super) fn disputes<P: Board>(line: &Line<P>, study: &Study) -> Vec<(Outcome, Dispute)> {
    let chases = Chases::of(line, study);
    match (study.verdict.cause, study.verdict.outcome) {
        (Cause::PerpetualChase, Outcome::Win(winner)) => {
            let doubts = chases.doubts(!winner).into_iter().map(|dispute| (Outcome::Draw, dispute));
            let answered = chases
                .is_checked_soldier(!winner)
                .then_some((Outcome::loss(winner), Dispute::CheckedSoldier));
            doubts.chain(answered).collect()
        }
        (Cause::Mutual, _) => Side::BOTH
            .into_iter()
            .filter(|&side| chases.is_countered(side))
            .map(|side| (Outcome::loss(side), Dispute::CounteringRook))
            .collect(),
        _ => Vec::new(),
    }
}

/// A move, the board after it, and where each man that was chased all the time stands then.
struct Moment<'a> {
    ply: &'a Ply,
    field: Field,
    chased: [Vec<Square>; 2],
}

struct Chases<'a> {
    moments: Vec<Moment<'a>>,
}

impl<'a> Chases<'a> {
    fn of<P: Board>(line: &Line<P>, study: &'a Study) -> Chases<'a> {
        let mut field = Field::of(line.position());
        let mut chased = study.always.map(|men| men.iter().map(at).collect::<Vec<_>>());
        let mut moments = Vec::with_capacity(study.plies.len());
        for ply in study.plies.iter().rev() {
            moments.push(Moment { ply, field: field.clone(), chased: chased.clone() });
            field.back(ply.mv.origin(), ply.mv.target(), None);
            for square in chased.iter_mut().flatten() {
                if *square == ply.mv.target() {
                    *square = ply.mv.origin();
                }
            }
        }
        moments.reverse();
        Chases { moments }
    }

    /// What makes a side's chase doubtful: a kind of attack without which it would not chase the same man with every move.
    fn doubts(&self, side: Side) -> Vec<Dispute> {
        let men = self.moments.first().map_or(0, |moment| moment.chased[side.index()].len());
        let own = || self.moments.iter().filter(|moment| moment.ply.side == side);
        let mut doubts = Vec::new();
        if men > 1 && own().any(|moment| hunters(moment.ply) > 1) {
            doubts.push(Dispute::Several);
        }
        for (dispute, is) in [
            (Dispute::HeldHunter, Moment::is_held_hunter as fn(&Moment<'a>, &Attack) -> bool),
            (Dispute::MutualPin, Moment::is_mutual_pin),
            (Dispute::Uncovered, Moment::is_uncovered),
            (Dispute::OverGeneral, Moment::is_over_general),
        ] {
            let held = |attack: &Attack| dispute != Dispute::HeldHunter || self.hunts(attack.victim.1, !side);
            let rests = |man: usize| {
                own().any(|moment| {
                    let victim = moment.chased[side.index()][man];
                    let mut on_it =
                        moment.ply.attacks.iter().filter(|attack| attack.victim.1 == victim).peekable();
                    on_it.peek().is_some() && on_it.all(|attack| is(moment, attack) && held(attack))
                })
            };
            if men > 0 && (0..men).all(rests) {
                doubts.push(dispute);
            }
        }
        doubts
    }

    /// Whether a side chases nothing but soldiers, and checks with some of its moves.
    fn is_checked_soldier(&self, side: Side) -> bool {
        let checks =
            self.moments.iter().any(|moment| moment.ply.side == side && moment.ply.nature == Nature::Check);
        let is_soldier = |moment: &Moment<'_>, square: Square| {
            moment.field.man(square).is_some_and(|man| man.kind() == Kind::Soldier)
        };
        let hunts_soldiers = |moment: &Moment<'_>| {
            moment.chased[side.index()].iter().all(|&square| is_soldier(moment, square))
        };
        checks && self.moments.first().is_some_and(hunts_soldiers)
    }

    /// Whether a man that stands on this point at some time attacks something with a move of its side.
    fn hunts(&self, square: Square, side: Side) -> bool {
        self.moments.iter().any(|moment| {
            moment.ply.side == side && moment.ply.attacks.iter().any(|attack| attack.attacker.1 == square)
        })
    }

    /// Both sides chase: this one a chariot, with cannons alone, and that chariot is what chases cannons in return.
    fn is_countered(&self, side: Side) -> bool {
        let of = |side: Side| self.moments.iter().filter(move |moment| moment.ply.side == side);
        let mine = |attack: &Attack| {
            attack.attacker.0.kind() == Kind::Cannon && attack.victim.0.kind() == Kind::Rook
        };
        let theirs =
            |attack: &Attack| mine(&Attack { attacker: attack.victim, victim: attack.attacker, ..*attack });
        of(side).all(|moment| moment.ply.attacks.iter().any(mine))
            && of(!side).all(|moment| !moment.ply.attacks.is_empty() && moment.ply.attacks.iter().all(theirs))
    }
}

/// How many men of a move's side newly attack something.
fn hunters(ply: &Ply) -> usize {
    Points::from_squares(ply.attacks.iter().map(|attack| attack.attacker.1.index())).len()
}

impl Moment<'_> {
    fn is_held_hunter(&self, attack: &Attack) -> bool {
        attack.root == Root::Held
    }

    /// The generals face each other but for the hunter and one protector of its victim.
    fn is_mutual_pin(&self, attack: &Attack) -> bool {
        let generals = Side::BOTH.map(|side| self.field.set(side, Kind::King).first().map(at));
        let [Some(red), Some(black)] = generals else { return false };
        if red.file() != black.file() {
            return false;
        }
        let between: Vec<Square> = Square::all()
            .filter(|square| square.file() == red.file() && self.field.man(*square).is_some())
            .filter(|square| (red.rank() < square.rank()) == (square.rank() < black.rank()))
            .filter(|&square| square != red && square != black)
            .collect();
        let owner = attack.victim.0.side();
        between.len() == 2
            && between.contains(&attack.attacker.1)
            && between.iter().any(|&square| {
                let mut taken = self.field.clone();
                taken.go(attack.attacker.1, attack.victim.1);
                taken.takers(attack.victim.1, owner).contains(square.index())
            })
    }

    /// The victim is protected, and the hunter did not move.
    fn is_uncovered(&self, attack: &Attack) -> bool {
        let mut taken = self.field.clone();
        taken.go(attack.attacker.1, attack.victim.1);
        let guard = matches!(attack.attacker.0.kind(), Kind::Advisor | Kind::Elephant);
        guard
            && attack.attacker.1 != self.ply.mv.target()
            && !taken.takers(attack.victim.1, attack.victim.0.side()).is_empty()
    }

    /// The cannon's screen is the general of the victim's side.
    fn is_over_general(&self, attack: &Attack) -> bool {
        if attack.attacker.0.kind() != Kind::Cannon {
            return false;
        }
        let mut without = self.field.clone();
        let Some(king) = without.set(attack.victim.0.side(), Kind::King).first() else { return false };
        without.lift(at(king));
        !without
            .reach(attack.attacker.0.side(), Kind::Cannon, attack.attacker.1)
            .contains(attack.victim.1.index())
    }
}
