//! Which moves leave the own general safe, by masks.
//!
//! For every enemy man that could attack the general on an otherwise empty board, look at the men in the gap between
//! the two: the points between on a line, the leg of a horse, nothing for a soldier. Lift the mover from the board.
//! Then the number of men left in the gap says where the mover may be put down:
//!
//! | left in the gap | rook, horse, soldier, general | cannon |
//! |---|---|---|
//! | none | into the gap, or takes the attacker | anywhere but into the gap: it is hollow |
//! | one | anywhere | into the gap, not onto that man; or takes the attacker |
//! | more | anywhere | anywhere |
//!
//! Taking a man in the gap leaves a man there, so it neither opens nor closes anything: that is why "not onto that
//! man". Every attacker asks by itself and the answers are intersected; this covers double checks, cannons behind
//! cannons, rooks behind cannons and horses on one leg without a case of their own. For nearly all men lifting them
//! changes no gap, and they share one mask; those that stand in a gap where it matters are *bound* and are asked one
//! by one. The general itself steps onto few points, and each is looked at with the general lifted.

use alfil_kernel::{BitSet, Side};

use super::{Bitboard, LeaperLookup};
use crate::board::{Board, SquareSet};
use crate::geometry::{ALL_SQUARES, KingAttackTable, king_attack_table};
use crate::moves::Move;
use crate::piece::PieceKind;
use crate::square::Square;

/// Where the men of the side to move may go, as far as their general is concerned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegalityMasks {
    /// Where the men that are not bound may go.
    pub free_targets: SquareSet,
    /// The men that stand between an attacker and their general, so that lifting them matters.
    pub blockers: SquareSet,
    /// Whether the general is attacked.
    pub in_check: bool,
    /// Whether nobody asks: the pseudo-legal moves.
    unrestricted: bool,
}

impl LegalityMasks {
    /// Every man may go everywhere.
    pub const UNRESTRICTED: LegalityMasks = LegalityMasks {
        free_targets: ALL_SQUARES,
        blockers: SquareSet::EMPTY,
        in_check: false,
        unrestricted: true,
    };

    /// Whether the general steps where it likes.
    #[inline(always)]
    pub(super) fn is_unrestricted(&self) -> bool {
        self.unrestricted
    }
}

/// Where a man may be put down, as far as this attacker is concerned, when `left` are the men in the gap without it.
#[inline(always)]
fn allowed_squares(gap: SquareSet, left: SquareSet, attacker: usize, cannon: bool) -> SquareSet {
    let closing = gap.difference(left) | SquareSet::from_square(attacker);
    match (left.is_empty(), cannon) {
        (true, false) => closing,
        (true, true) => ALL_SQUARES.difference(gap),
        (false, true) if is_single(left) => closing,
        (false, _) => ALL_SQUARES,
    }
}

/// Whether a set that is not empty has one member.
#[inline(always)]
fn is_single(set: SquareSet) -> bool {
    BitSet(set.0 & set.0.wrapping_sub(1)).is_empty()
}

impl<L: LeaperLookup> Bitboard<L> {
    /// The men of `by` that attack a general on this seat if nobody stands in their gap.
    #[inline(always)]
    pub(crate) fn direct_attackers(&self, seat: &KingAttackTable, by: Side) -> SquareSet {
        let kind = |kind: PieceKind| self.kinds[kind as usize];
        let men = (kind(PieceKind::Rook) & seat.cross)
            | (kind(PieceKind::Horse) & seat.horses)
            | (kind(PieceKind::Soldier) & seat.soldiers)
            | (kind(PieceKind::King) & seat.file);
        men & self.sides[by.index()]
    }

    /// The cannons of `by` that attack a general on this seat if exactly one man stands in their gap.
    #[inline(always)]
    pub(crate) fn cannon_attackers(&self, seat: &KingAttackTable, by: Side) -> SquareSet {
        self.pieces_of(by, PieceKind::Cannon) & seat.cross
    }

    /// The masks of the side to move.
    pub fn legality_masks(&self) -> LegalityMasks {
        let (seat, all) = (king_attack_table(self.king_square(self.side_to_move)), self.occupancy());
        let mut safety = LegalityMasks {
            free_targets: ALL_SQUARES,
            blockers: SquareSet::EMPTY,
            in_check: false,
            unrestricted: false,
        };
        for attacker in self.direct_attackers(seat, !self.side_to_move) {
            let inside = seat.between[attacker] & all;
            if inside.is_empty() {
                safety.in_check = true;
                safety.free_targets =
                    safety.free_targets & (seat.between[attacker] | SquareSet::from_square(attacker));
            } else if is_single(inside) {
                safety.blockers = safety.blockers | inside;
            }
        }
        for attacker in self.cannon_attackers(seat, !self.side_to_move) {
            let inside = seat.between[attacker] & all;
            match inside.len() {
                2 => safety.blockers = safety.blockers | inside,
                men @ 0..2 => {
                    safety.in_check |= men == 1;
                    safety.blockers = safety.blockers | inside;
                    safety.free_targets =
                        safety.free_targets & allowed_squares(seat.between[attacker], inside, attacker, true);
                }
                _ => {}
            }
        }
        safety.blockers = safety.blockers & self.sides[self.side_to_move.index()];
        safety
    }

    /// Where the man on this point may go, whatever it is bound by; not for the general.
    pub(super) fn blocker_targets(&self, origin: Square) -> SquareSet {
        let seat = king_attack_table(self.king_square(self.side_to_move));
        let rest = self.occupancy().difference(SquareSet::from_square(origin.index()));
        let mut targets = ALL_SQUARES;
        for attacker in self.direct_attackers(seat, !self.side_to_move) {
            let gap = seat.between[attacker];
            targets = targets & allowed_squares(gap, gap & rest, attacker, false);
        }
        for attacker in self.cannon_attackers(seat, !self.side_to_move) {
            let gap = seat.between[attacker];
            targets = targets & allowed_squares(gap, gap & rest, attacker, true);
        }
        targets
    }

    /// Whether the general of the side to move would be attacked on this palace point, which it comes from elsewhere.
    /// It is lifted first: it may be what hides the point, or the screen of a cannon.
    pub(super) fn is_king_attacked_on(&self, target: Square) -> bool {
        let (seat, by) = (king_attack_table(target), !self.side_to_move);
        let rest = self.occupancy().difference(self.pieces_of(self.side_to_move, PieceKind::King));
        // The point itself is in no gap, so that a man taken there counts for nothing.
        self.direct_attackers(seat, by).iter().any(|attacker| (seat.between[attacker] & rest).is_empty())
            || self
                .cannon_attackers(seat, by)
                .iter()
                .any(|attacker| (seat.between[attacker] & rest).len() == 1)
    }

    /// Whether a pseudo-legal move leaves the own general safe.
    pub(super) fn is_king_safe_after(&self, mv: Move) -> bool {
        if mv.origin() == self.king_square(self.side_to_move) {
            !self.is_king_attacked_on(mv.target())
        } else {
            self.blocker_targets(mv.origin()).contains(mv.target().index())
        }
    }
}
