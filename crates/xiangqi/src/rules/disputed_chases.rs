//! Finds the chases about which the sources disagree. The verdict stays, and the verdict of the other reading is
//! reported beside it.

use alloc::vec::Vec;

use alfil_kernel::{GameHistory, Outcome, Side};

use super::cause::Cause;
use super::dispute::Dispute;
use super::repetition_analysis::{ChaseVerdictOptions, RepetitionAnalysis, chase_verdict};
use super::repetition_ply::{Attack, CaptureReason, MoveClass, RepetitionPly};
use super::ruleset::ChaseRule;
use super::scratch_board::ScratchBoard;
use crate::board::Board;
use crate::piece::PieceKind;
use crate::square::Square;

/// Returns the other readings of a repetition, each with its outcome.
pub(super) fn disputes<P: Board>(
    game: &GameHistory<P>,
    analysis: &RepetitionAnalysis,
    rule: ChaseRule,
) -> Vec<(Outcome, Dispute)> {
    let history = ChaseHistory::new(game, analysis);
    let mut found = option_disputes(analysis, rule);
    found.extend(match (analysis.verdict.cause, analysis.verdict.outcome) {
        (Cause::PerpetualChase, Outcome::Win(winner)) => {
            let disputes =
                history.disputes_of_side(!winner).into_iter().map(|dispute| (Outcome::Draw, dispute));
            let checked_soldier = history
                .is_checked_soldier(!winner)
                .then_some((Outcome::loss(winner), Dispute::CheckedSoldier));
            disputes.chain(checked_soldier).collect()
        }
        _ => Vec::new(),
    });
    found
}

/// Returns the outcomes that differ if cannons that a rook attacks in return may, or may not, chase it, and if several
/// pieces may, or may not, chase several.
fn option_disputes(analysis: &RepetitionAnalysis, rule: ChaseRule) -> Vec<(Outcome, Dispute)> {
    let own = ChaseVerdictOptions::of(rule);
    if analysis.verdict != chase_verdict(&analysis.plies, own).0 {
        return Vec::new();
    }
    let others = [
        (
            ChaseVerdictOptions { cannons_yield_to_rooks: !own.cannons_yield_to_rooks, ..own },
            Dispute::CounterattackingRook,
        ),
        (
            ChaseVerdictOptions { several_may_chase_several: !own.several_may_chase_several, ..own },
            Dispute::SeveralAttackers,
        ),
    ];
    others
        .into_iter()
        .map(|(options, dispute)| (chase_verdict(&analysis.plies, options).0.outcome, dispute))
        .filter(|(outcome, _)| *outcome != analysis.verdict.outcome)
        .collect()
}

/// A ply with the board after it and the squares of the chased pieces then.
struct PlyContext<'a> {
    ply: &'a RepetitionPly,
    board: ScratchBoard,
    chased: [Vec<Square>; 2],
}

struct ChaseHistory<'a> {
    plies: Vec<PlyContext<'a>>,
}

impl<'a> ChaseHistory<'a> {
    fn new<P: Board>(game: &GameHistory<P>, analysis: &'a RepetitionAnalysis) -> ChaseHistory<'a> {
        let mut board = ScratchBoard::from_position(game.position());
        let mut chased = analysis.always_chased.map(|pieces| pieces.iter().collect::<Vec<_>>());
        let mut plies = Vec::with_capacity(analysis.plies.len());
        for ply in analysis.plies.iter().rev() {
            plies.push(PlyContext { ply, board: board.clone(), chased: chased.clone() });
            board.unmake(ply.mv.origin(), ply.mv.target(), None);
            for square in chased.iter_mut().flatten() {
                if *square == ply.mv.target() {
                    *square = ply.mv.origin();
                }
            }
        }
        plies.reverse();
        ChaseHistory { plies }
    }

    /// Returns the disputes about a side's chase: kinds of attack without which it would not chase the same piece with
    /// every move.
    fn disputes_of_side(&self, side: Side) -> Vec<Dispute> {
        let piece_count = self.plies.first().map_or(0, |context| context.chased[side.index()].len());
        let own = || self.plies.iter().filter(|context| context.ply.side == side);
        let mut disputes = Vec::new();
        for (dispute, test) in [
            (
                Dispute::HorsePinnedAttacker,
                PlyContext::is_by_horse_pinned_piece as fn(&PlyContext<'a>, &Attack) -> bool,
            ),
            (Dispute::MutualPin, PlyContext::is_mutual_pin),
            (Dispute::DiscoveredAttack, PlyContext::is_discovered_attack),
            (Dispute::OverKing, PlyContext::is_over_king),
        ] {
            let is_applicable = |attack: &Attack| {
                dispute != Dispute::HorsePinnedAttacker || self.is_attacker(attack.victim.1, !side)
            };
            let depends_on_it = |index: usize| {
                own().any(|context| {
                    let victim = context.chased[side.index()][index];
                    let mut attacks =
                        context.ply.attacks.iter().filter(|attack| attack.victim.1 == victim).peekable();
                    attacks.peek().is_some()
                        && attacks.all(|attack| test(context, attack) && is_applicable(attack))
                })
            };
            if piece_count > 0 && (0..piece_count).all(depends_on_it) {
                disputes.push(dispute);
            }
        }
        disputes
    }

    /// Returns whether a side chases nothing but soldiers, and checks with some of its moves.
    fn is_checked_soldier(&self, side: Side) -> bool {
        let checks = self
            .plies
            .iter()
            .any(|context| context.ply.side == side && context.ply.class == MoveClass::Check);
        let is_soldier = |context: &PlyContext<'_>, square: Square| {
            context.board.piece_on(square).is_some_and(|piece| piece.kind() == PieceKind::Soldier)
        };
        let chases_soldiers = |context: &PlyContext<'_>| {
            context.chased[side.index()].iter().all(|&square| is_soldier(context, square))
        };
        checks && self.plies.first().is_some_and(chases_soldiers)
    }

    /// Returns whether a piece on this square attacks something with some move of its side.
    fn is_attacker(&self, square: Square, side: Side) -> bool {
        self.plies.iter().any(|context| {
            context.ply.side == side && context.ply.attacks.iter().any(|attack| attack.attacker.1 == square)
        })
    }
}

impl PlyContext<'_> {
    fn is_by_horse_pinned_piece(&self, attack: &Attack) -> bool {
        attack.reason == CaptureReason::HorsePinned
    }

    /// Returns whether only the attacker and one protector of its victim are between the two kings.
    fn is_mutual_pin(&self, attack: &Attack) -> bool {
        let kings = Side::BOTH.map(|side| self.board.pieces(side, PieceKind::King).first());
        let [Some(red), Some(black)] = kings else { return false };
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
                let mut after_capture = self.board.clone();
                after_capture.make(attack.attacker.1, attack.victim.1);
                after_capture.attackers_to(attack.victim.1, owner).contains(square)
            })
    }

    /// Returns whether the victim is protected and its attacker, an advisor or elephant, did not move.
    fn is_discovered_attack(&self, attack: &Attack) -> bool {
        let mut after_capture = self.board.clone();
        after_capture.make(attack.attacker.1, attack.victim.1);
        let is_minor = matches!(attack.attacker.0.kind(), PieceKind::Advisor | PieceKind::Elephant);
        is_minor
            && attack.attacker.1 != self.ply.mv.target()
            && !after_capture.attackers_to(attack.victim.1, attack.victim.0.side()).is_empty()
    }

    /// Returns whether the cannon's screen is the king of the victim's side.
    fn is_over_king(&self, attack: &Attack) -> bool {
        if attack.attacker.0.kind() != PieceKind::Cannon {
            return false;
        }
        let mut without_king = self.board.clone();
        let Some(king) = without_king.pieces(attack.victim.0.side(), PieceKind::King).first() else {
            return false;
        };
        without_king.remove(king);
        !without_king
            .targets(attack.attacker.0.side(), PieceKind::Cannon, attack.attacker.1)
            .contains(attack.victim.1)
    }
}
