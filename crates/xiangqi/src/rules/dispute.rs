//! Repetitions about which the sources themselves disagree: test lists of programs, diagrams of the federations, and what
//! several programs answer. The verdict stands, and beside it stands what the other reading makes of the same moves.

use alfil_kernel::{GameHistory, Outcome, Side};

use super::Cause;
use super::repetition_analysis::{Attack, CaptureReason, MoveClass, RepetitionAnalysis, RepetitionPly};
use super::scratch_board::ScratchBoard;
use crate::board::{Board, SquareSet};
use crate::geometry::square_at;
use crate::piece::PieceKind;
use crate::square::Square;

/// Why the sources disagree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dispute {
    /// The chased chariot that must stay before its general chases too: some call the mutual chase a draw all the same.
    HorsePinnedAttacker,
    /// Hunter and protector stand between the facing generals, so that the one, taking, pins the other: some believe the
    /// protection.
    MutualPin,
    /// Several men chase several men at once: some allow it as they allow chasing several in turn.
    SeveralAttackers,
    /// An advisor or an elephant attacks a protected man because another man moved away: some count only its own move.
    DiscoveredAttack,
    /// A cannon attacks over the general of the man it attacks: some see no chase.
    OverKing,
    /// Only a soldier is chased, and some of the chasing moves give check: one published list lets the side lose that answers
    /// the checks, and gives no article for it.
    CheckedSoldier,
    /// A cannon chases a chariot, and the chariot attacks cannons in return: some forbid it to the cannons (AXF 15).
    CounterattackingRook,
}

/// The other readings of a repetition, with the outcome that each gives it.
pub(super) fn disputes<P: Board>(
    line: &GameHistory<P>,
    study: &RepetitionAnalysis,
) -> Vec<(Outcome, Dispute)> {
    let chases = ChaseHistory::new(line, study);
    match (study.verdict.cause, study.verdict.outcome) {
        (Cause::PerpetualChase, Outcome::Win(winner)) => {
            let doubts = chases.disputes_of_side(!winner).into_iter().map(|dispute| (Outcome::Draw, dispute));
            let answered = chases
                .is_checked_soldier(!winner)
                .then_some((Outcome::loss(winner), Dispute::CheckedSoldier));
            doubts.chain(answered).collect()
        }
        (Cause::MutualOffence, _) => Side::BOTH
            .into_iter()
            .filter(|&side| chases.is_countered(side))
            .map(|side| (Outcome::loss(side), Dispute::CounterattackingRook))
            .collect(),
        _ => Vec::new(),
    }
}

/// A move, the board after it, and where each man that was chased all the time stands then.
struct PlyContext<'a> {
    ply: &'a RepetitionPly,
    board: ScratchBoard,
    chased: [Vec<Square>; 2],
}

struct ChaseHistory<'a> {
    plies: Vec<PlyContext<'a>>,
}

impl<'a> ChaseHistory<'a> {
    fn new<P: Board>(line: &GameHistory<P>, study: &'a RepetitionAnalysis) -> ChaseHistory<'a> {
        let mut field = ScratchBoard::from_position(line.position());
        let mut chased = study.always_chased.map(|men| men.iter().map(square_at).collect::<Vec<_>>());
        let mut moments = Vec::with_capacity(study.plies.len());
        for ply in study.plies.iter().rev() {
            moments.push(PlyContext { ply, board: field.clone(), chased: chased.clone() });
            field.unmake(ply.mv.origin(), ply.mv.target(), None);
            for square in chased.iter_mut().flatten() {
                if *square == ply.mv.target() {
                    *square = ply.mv.origin();
                }
            }
        }
        moments.reverse();
        ChaseHistory { plies: moments }
    }

    /// What makes a side's chase doubtful: a kind of attack without which it would not chase the same man with every move.
    fn disputes_of_side(&self, side: Side) -> Vec<Dispute> {
        let men = self.plies.first().map_or(0, |moment| moment.chased[side.index()].len());
        let own = || self.plies.iter().filter(|moment| moment.ply.side == side);
        let mut doubts = Vec::new();
        if men > 1 && own().any(|moment| attacker_count(moment.ply) > 1) {
            doubts.push(Dispute::SeveralAttackers);
        }
        for (dispute, is) in [
            (
                Dispute::HorsePinnedAttacker,
                PlyContext::is_by_horse_pinned_piece as fn(&PlyContext<'a>, &Attack) -> bool,
            ),
            (Dispute::MutualPin, PlyContext::is_mutual_pin),
            (Dispute::DiscoveredAttack, PlyContext::is_discovered_attack),
            (Dispute::OverKing, PlyContext::is_over_king),
        ] {
            let held = |attack: &Attack| {
                dispute != Dispute::HorsePinnedAttacker || self.is_attacker(attack.victim.1, !side)
            };
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
            self.plies.iter().any(|moment| moment.ply.side == side && moment.ply.class == MoveClass::Check);
        let is_soldier = |moment: &PlyContext<'_>, square: Square| {
            moment.board.piece_on(square).is_some_and(|man| man.kind() == PieceKind::Soldier)
        };
        let hunts_soldiers = |moment: &PlyContext<'_>| {
            moment.chased[side.index()].iter().all(|&square| is_soldier(moment, square))
        };
        checks && self.plies.first().is_some_and(hunts_soldiers)
    }

    /// Whether a man that stands on this point at some time attacks something with a move of its side.
    fn is_attacker(&self, square: Square, side: Side) -> bool {
        self.plies.iter().any(|moment| {
            moment.ply.side == side && moment.ply.attacks.iter().any(|attack| attack.attacker.1 == square)
        })
    }

    /// Both sides chase: this one a chariot, with cannons alone, and that chariot is what chases cannons in return.
    fn is_countered(&self, side: Side) -> bool {
        let of = |side: Side| self.plies.iter().filter(move |moment| moment.ply.side == side);
        let mine = |attack: &Attack| {
            attack.attacker.0.kind() == PieceKind::Cannon && attack.victim.0.kind() == PieceKind::Rook
        };
        let theirs =
            |attack: &Attack| mine(&Attack { attacker: attack.victim, victim: attack.attacker, ..*attack });
        of(side).all(|moment| moment.ply.attacks.iter().any(mine))
            && of(!side).all(|moment| !moment.ply.attacks.is_empty() && moment.ply.attacks.iter().all(theirs))
    }
}

/// How many men of a move's side newly attack something.
fn attacker_count(ply: &RepetitionPly) -> usize {
    SquareSet::from_squares(ply.attacks.iter().map(|attack| attack.attacker.1.index())).len()
}

impl PlyContext<'_> {
    fn is_by_horse_pinned_piece(&self, attack: &Attack) -> bool {
        attack.reason == CaptureReason::HorsePinned
    }

    /// The generals face each other but for the hunter and one protector of its victim.
    fn is_mutual_pin(&self, attack: &Attack) -> bool {
        let generals = Side::BOTH.map(|side| self.board.pieces(side, PieceKind::King).first().map(square_at));
        let [Some(red), Some(black)] = generals else { return false };
        if red.file() != black.file() {
            return false;
        }
        let between: Vec<Square> = Square::all()
            .filter(|square| square.file() == red.file() && self.board.piece_on(*square).is_some())
            .filter(|square| (red.rank() < square.rank()) == (square.rank() < black.rank()))
            .filter(|&square| square != red && square != black)
            .collect();
        let owner = attack.victim.0.side();
        between.len() == 2
            && between.contains(&attack.attacker.1)
            && between.iter().any(|&square| {
                let mut taken = self.board.clone();
                taken.make(attack.attacker.1, attack.victim.1);
                taken.attackers_to(attack.victim.1, owner).contains(square.index())
            })
    }

    /// The victim is protected, and the hunter did not move.
    fn is_discovered_attack(&self, attack: &Attack) -> bool {
        let mut taken = self.board.clone();
        taken.make(attack.attacker.1, attack.victim.1);
        let guard = matches!(attack.attacker.0.kind(), PieceKind::Advisor | PieceKind::Elephant);
        guard
            && attack.attacker.1 != self.ply.mv.target()
            && !taken.attackers_to(attack.victim.1, attack.victim.0.side()).is_empty()
    }

    /// The cannon's screen is the general of the victim's side.
    fn is_over_king(&self, attack: &Attack) -> bool {
        if attack.attacker.0.kind() != PieceKind::Cannon {
            return false;
        }
        let mut without = self.board.clone();
        let Some(king) = without.pieces(attack.victim.0.side(), PieceKind::King).first() else {
            return false;
        };
        without.remove(square_at(king));
        !without
            .targets(attack.attacker.0.side(), PieceKind::Cannon, attack.attacker.1)
            .contains(attack.victim.1.index())
    }
}
