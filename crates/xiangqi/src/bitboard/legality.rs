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

use alfil_kernel::{Bits, Side};

use super::{Bitboard, Leapers};
use crate::board::{Board, Points};
use crate::geometry::{BOARD, Seat, seat_of};
use crate::moves::Move;
use crate::piece::Kind;
use crate::square::Square;

/// Where the men of the side to move may go, as far as their general is concerned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Safety {
    /// Where the men that are not bound may go.
    pub free: Points,
    /// The men that stand between an attacker and their general, so that lifting them matters.
    pub bound: Points,
    /// Whether the general is attacked.
    pub check: bool,
    /// Whether nobody asks: the pseudo-legal moves.
    waived: bool,
}

impl Safety {
    /// Every man may go everywhere.
    pub const WAIVED: Safety = Safety { free: BOARD, bound: Points::EMPTY, check: false, waived: true };

    /// Whether the general steps where it likes.
    #[inline(always)]
    pub(super) fn is_waived(&self) -> bool {
        self.waived
    }
}

/// Where a man may be put down, as far as this attacker is concerned, when `left` are the men in the gap without it.
#[inline(always)]
fn allowed(gap: Points, left: Points, attacker: usize, cannon: bool) -> Points {
    let closing = gap.minus(left) | Points::of(attacker);
    match (left.is_empty(), cannon) {
        (true, false) => closing,
        (true, true) => BOARD.minus(gap),
        (false, true) if is_one(left) => closing,
        (false, _) => BOARD,
    }
}

/// Whether a set that is not empty has one member.
#[inline(always)]
fn is_one(set: Points) -> bool {
    Bits(set.0 & set.0.wrapping_sub(1)).is_empty()
}

impl<L: Leapers> Bitboard<L> {
    /// The men of `by` that attack a general on this seat if nobody stands in their gap.
    #[inline(always)]
    pub(crate) fn direct(&self, seat: &Seat, by: Side) -> Points {
        let kind = |kind: Kind| self.kinds[kind as usize];
        let men = (kind(Kind::Rook) & seat.cross)
            | (kind(Kind::Horse) & seat.horses)
            | (kind(Kind::Soldier) & seat.soldiers)
            | (kind(Kind::King) & seat.file);
        men & self.sides[by.index()]
    }

    /// The cannons of `by` that attack a general on this seat if exactly one man stands in their gap.
    #[inline(always)]
    pub(crate) fn indirect(&self, seat: &Seat, by: Side) -> Points {
        self.of(by, Kind::Cannon) & seat.cross
    }

    /// The masks of the side to move.
    pub fn safety(&self) -> Safety {
        let (seat, all) = (seat_of(self.king(self.side)), self.all());
        let mut safety = Safety { free: BOARD, bound: Points::EMPTY, check: false, waived: false };
        for attacker in self.direct(seat, !self.side) {
            let inside = seat.gap[attacker] & all;
            if inside.is_empty() {
                safety.check = true;
                safety.free = safety.free & (seat.gap[attacker] | Points::of(attacker));
            } else if is_one(inside) {
                safety.bound = safety.bound | inside;
            }
        }
        for attacker in self.indirect(seat, !self.side) {
            let inside = seat.gap[attacker] & all;
            match inside.len() {
                2 => safety.bound = safety.bound | inside,
                men @ 0..2 => {
                    safety.check |= men == 1;
                    safety.bound = safety.bound | inside;
                    safety.free = safety.free & allowed(seat.gap[attacker], inside, attacker, true);
                }
                _ => {}
            }
        }
        safety.bound = safety.bound & self.sides[self.side.index()];
        safety
    }

    /// Where the man on this point may go, whatever it is bound by; not for the general.
    pub(super) fn bound_to(&self, origin: Square) -> Points {
        let seat = seat_of(self.king(self.side));
        let rest = self.all().minus(Points::of(origin.index()));
        let mut targets = BOARD;
        for attacker in self.direct(seat, !self.side) {
            let gap = seat.gap[attacker];
            targets = targets & allowed(gap, gap & rest, attacker, false);
        }
        for attacker in self.indirect(seat, !self.side) {
            let gap = seat.gap[attacker];
            targets = targets & allowed(gap, gap & rest, attacker, true);
        }
        targets
    }

    /// Whether the general of the side to move would be attacked on this palace point, which it comes from elsewhere.
    /// It is lifted first: it may be what hides the point, or the screen of a cannon.
    pub(super) fn is_attacked(&self, target: Square) -> bool {
        let (seat, by) = (seat_of(target), !self.side);
        let rest = self.all().minus(self.of(self.side, Kind::King));
        // The point itself is in no gap, so that a man taken there counts for nothing.
        self.direct(seat, by).iter().any(|attacker| (seat.gap[attacker] & rest).is_empty())
            || self.indirect(seat, by).iter().any(|attacker| (seat.gap[attacker] & rest).len() == 1)
    }

    /// Whether a pseudo-legal move leaves the own general safe.
    pub(super) fn is_safe(&self, mv: Move) -> bool {
        if mv.origin() == self.king(self.side) {
            !self.is_attacked(mv.target())
        } else {
            self.bound_to(mv.origin()).contains(mv.target().index())
        }
    }
}
