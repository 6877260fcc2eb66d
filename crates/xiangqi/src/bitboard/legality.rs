//! Legality by masks: which moves leave the own king safe.
//!
//! For every enemy piece that could attack the king on an otherwise empty board, take the squares between the two: on a
//! line the squares between, for a horse its leg, for a soldier none. Take the mover off the board. Then the number of
//! pieces left between says to which squares the mover may move:
//!
//! | left between | rook, horse, soldier, king | cannon |
//! |---|---|---|
//! | none | between, or captures the attacker | anywhere but between: the cannon is hollow |
//! | one | anywhere | between, but not onto that piece; or captures the attacker |
//! | more | anywhere | anywhere |
//!
//! A capture between leaves a piece there, so it neither opens nor closes a line: hence "not onto that piece". The
//! masks of all attackers are intersected; this covers double checks, cannons behind cannons, rooks behind cannons and
//! two horses over one leg without special cases. For most pieces, moving away changes nothing between king and
//! attackers, so they share one mask; those that are between where it matters are *blockers*, each with a mask of its
//! own. The king has few targets, and each is tested with the king taken off the board.

use alfil_kernel::Side;

use super::{LeaperLookup, LookupBitboard};
use crate::board::Board;
use crate::geometry::{ALL_SQUARES, KingAttackTable, king_attack_table};
use crate::moves::Move;
use crate::piece::PieceKind;
use crate::square::{Square, SquareSet};

/// The squares to which the pieces of the side to move may move without exposing their king.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegalityMasks {
    /// The squares to which the pieces that are not blockers may move.
    pub free_targets: SquareSet,
    /// The pieces between an attacker and their king whose moving away matters.
    pub blockers: SquareSet,
    /// Whether the king is in check.
    pub in_check: bool,
    /// Whether legality is ignored, for pseudo-legal moves.
    unrestricted: bool,
}

impl LegalityMasks {
    /// Every piece may move everywhere.
    pub const UNRESTRICTED: LegalityMasks = LegalityMasks {
        free_targets: ALL_SQUARES,
        blockers: SquareSet::EMPTY,
        in_check: false,
        unrestricted: true,
    };

    /// Returns whether legality is ignored.
    #[inline(always)]
    pub(super) fn is_unrestricted(&self) -> bool {
        self.unrestricted
    }
}

/// Returns the squares to which a piece may move because of this attacker, when `left` are the other pieces between it
/// and the king.
#[inline(always)]
fn allowed_squares(between: SquareSet, left: SquareSet, attacker: Square, is_cannon: bool) -> SquareSet {
    let blocking = between.difference(left) | SquareSet::from_square(attacker);
    match (left.is_empty(), is_cannon) {
        (true, false) => blocking,
        (true, true) => ALL_SQUARES.difference(between),
        (false, true) if is_single(left) => blocking,
        (false, _) => ALL_SQUARES,
    }
}

/// Returns whether a set that is not empty has one member.
#[inline(always)]
fn is_single(set: SquareSet) -> bool {
    SquareSet::new(set.0 & set.0.wrapping_sub(1)).is_empty()
}

impl<L: LeaperLookup> LookupBitboard<L> {
    /// Returns the pieces of side `by` that attack the king of this table if no piece is between.
    #[inline(always)]
    pub(crate) fn direct_attackers(&self, table: &KingAttackTable, by: Side) -> SquareSet {
        let of_kind = |kind: PieceKind| self.kinds[kind as usize];
        let found = (of_kind(PieceKind::Rook) & table.cross)
            | (of_kind(PieceKind::Horse) & table.horses)
            | (of_kind(PieceKind::Soldier) & table.soldiers)
            | (of_kind(PieceKind::King) & table.file);
        found & self.sides[by.index()]
    }

    /// Returns the cannons of side `by` that attack the king of this table if exactly one piece is between.
    #[inline(always)]
    pub(crate) fn cannon_attackers(&self, table: &KingAttackTable, by: Side) -> SquareSet {
        self.pieces_of(by, PieceKind::Cannon) & table.cross
    }

    /// Returns the legality masks of the side to move.
    pub fn legality_masks(&self) -> LegalityMasks {
        let (table, occupied) = (king_attack_table(self.king_square(self.side_to_move)), self.occupancy());
        let mut masks = LegalityMasks {
            free_targets: ALL_SQUARES,
            blockers: SquareSet::EMPTY,
            in_check: false,
            unrestricted: false,
        };
        for attacker in self.direct_attackers(table, !self.side_to_move) {
            let pieces_between = table.between[attacker.index()] & occupied;
            if pieces_between.is_empty() {
                masks.in_check = true;
                masks.free_targets =
                    masks.free_targets & (table.between[attacker.index()] | SquareSet::from_square(attacker));
            } else if is_single(pieces_between) {
                masks.blockers = masks.blockers | pieces_between;
            }
        }
        for attacker in self.cannon_attackers(table, !self.side_to_move) {
            let pieces_between = table.between[attacker.index()] & occupied;
            match pieces_between.len() {
                2 => masks.blockers = masks.blockers | pieces_between,
                found @ 0..2 => {
                    masks.in_check |= found == 1;
                    masks.blockers = masks.blockers | pieces_between;
                    masks.free_targets = masks.free_targets
                        & allowed_squares(table.between[attacker.index()], pieces_between, attacker, true);
                }
                _ => {}
            }
        }
        masks.blockers = masks.blockers & self.sides[self.side_to_move.index()];
        masks
    }

    /// Returns the squares to which the piece on `origin`, which is not the king, may move without exposing the king.
    pub(super) fn blocker_targets(&self, origin: Square) -> SquareSet {
        let table = king_attack_table(self.king_square(self.side_to_move));
        let rest = self.occupancy().difference(SquareSet::from_square(origin));
        let mut targets = ALL_SQUARES;
        for attacker in self.direct_attackers(table, !self.side_to_move) {
            let between = table.between[attacker.index()];
            targets = targets & allowed_squares(between, between & rest, attacker, false);
        }
        for attacker in self.cannon_attackers(table, !self.side_to_move) {
            let between = table.between[attacker.index()];
            targets = targets & allowed_squares(between, between & rest, attacker, true);
        }
        targets
    }

    /// Returns whether the king of the side to move would be attacked on the palace square `target`. It is taken off
    /// the board first: on its present square it may hide an attacker or be the screen of a cannon.
    pub(super) fn is_king_attacked_on(&self, target: Square) -> bool {
        let (table, by) = (king_attack_table(target), !self.side_to_move);
        let rest = self.occupancy().difference(self.pieces_of(self.side_to_move, PieceKind::King));
        // `target` is never among the squares between, so a piece captured there does not count.
        self.direct_attackers(table, by)
            .iter()
            .any(|attacker| (table.between[attacker.index()] & rest).is_empty())
            || self
                .cannon_attackers(table, by)
                .iter()
                .any(|attacker| (table.between[attacker.index()] & rest).len() == 1)
    }

    /// Returns whether a pseudo-legal move leaves the own king safe.
    pub(super) fn is_king_safe_after(&self, mv: Move) -> bool {
        if mv.origin() == self.king_square(self.side_to_move) {
            !self.is_king_attacked_on(mv.target())
        } else {
            self.blocker_targets(mv.origin()).contains(mv.target())
        }
    }
}
