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
use crate::geometry::{ALL_SQUARES, HALVES, KingAttackTable, king_attack_table};
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

/// The pieces on which the safety of a king depends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KingAttackers {
    /// The square of the king.
    pub(crate) king: Square,
    /// The pieces of its side.
    pub(crate) own: SquareSet,
    /// All pieces.
    occupied: SquareSet,
    // The enemy pieces by kind.
    rooks: SquareSet,
    cannons: SquareSet,
    horses: SquareSet,
    soldiers: SquareSet,
    /// The enemy king.
    pub(crate) enemy_king: SquareSet,
}

impl KingAttackers {
    /// Moves an enemy piece, which captures what is on the target.
    #[inline(always)]
    pub(crate) fn move_enemy(&mut self, kind: PieceKind, origin: SquareSet, target: SquareSet) {
        let squares = origin | target;
        match kind {
            PieceKind::Rook => self.rooks = self.rooks ^ squares,
            PieceKind::Cannon => self.cannons = self.cannons ^ squares,
            PieceKind::Horse => self.horses = self.horses ^ squares,
            PieceKind::Soldier => self.soldiers = self.soldiers ^ squares,
            PieceKind::King => self.enemy_king = target,
            PieceKind::Advisor | PieceKind::Elephant => {}
        }
        self.own = self.own.difference(target);
        self.occupied = self.occupied.difference(origin) | target;
    }

    /// Returns the pieces that attack the king of this table if no piece is between.
    #[inline(always)]
    fn direct(&self, table: &KingAttackTable) -> SquareSet {
        (self.rooks & table.cross)
            | (self.horses & table.horses)
            | (self.soldiers & table.soldiers)
            | (self.enemy_king & table.file)
    }

    /// Returns the legality masks of the side of the king.
    #[inline(always)]
    pub(crate) fn masks(&self) -> LegalityMasks {
        let table = king_attack_table(self.king);
        let mut masks = LegalityMasks {
            free_targets: ALL_SQUARES,
            blockers: SquareSet::EMPTY,
            in_check: false,
            unrestricted: false,
        };
        for attacker in self.direct(table) {
            let pieces_between = table.between[attacker.index()] & self.occupied;
            if pieces_between.is_empty() {
                masks.in_check = true;
                masks.free_targets =
                    masks.free_targets & (table.between[attacker.index()] | SquareSet::from_square(attacker));
            } else if is_single(pieces_between) {
                masks.blockers = masks.blockers | pieces_between;
            }
        }
        for attacker in self.cannons & table.cross {
            let pieces_between = table.between[attacker.index()] & self.occupied;
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
        masks.blockers = masks.blockers & self.own;
        masks
    }

    /// Returns the squares to which the piece on `origin`, which is not the king, may move without exposing the king.
    #[inline(always)]
    pub(crate) fn blocker_targets(&self, origin: Square) -> SquareSet {
        let table = king_attack_table(self.king);
        let rest = self.occupied.difference(SquareSet::from_square(origin));
        let mut targets = ALL_SQUARES;
        for attacker in self.direct(table) {
            let between = table.between[attacker.index()];
            targets = targets & allowed_squares(between, between & rest, attacker, false);
        }
        for attacker in self.cannons & table.cross {
            let between = table.between[attacker.index()];
            targets = targets & allowed_squares(between, between & rest, attacker, true);
        }
        targets
    }

    /// Returns the squares that checks and pins leave to the piece on `origin`, which is not the king.
    #[inline(always)]
    pub(crate) fn targets_allowed_by(&self, masks: &LegalityMasks, origin: Square) -> SquareSet {
        if masks.blockers.contains(origin) { self.blocker_targets(origin) } else { masks.free_targets }
    }

    /// Returns whether the king would be attacked on the palace square `target`. It is taken off the board first: on
    /// its present square it may hide an attacker or be the screen of a cannon.
    #[inline(always)]
    pub(crate) fn is_attacked_on(&self, target: Square) -> bool {
        let (table, rest) =
            (king_attack_table(target), self.occupied.difference(SquareSet::from_square(self.king)));
        // `target` is never among the squares between, so a piece captured there does not count.
        self.direct(table).iter().any(|attacker| (table.between[attacker.index()] & rest).is_empty())
            || (self.cannons & table.cross)
                .iter()
                .any(|attacker| (table.between[attacker.index()] & rest).len() == 1)
    }

    /// Returns the legal targets of the king.
    #[inline(always)]
    pub(crate) fn king_targets(&self) -> SquareSet {
        let steps = king_attack_table(self.king).steps.difference(self.own | self.enemy_king);
        SquareSet::from_squares(steps.iter().filter(|&target| !self.is_attacked_on(target)))
    }
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

    /// Returns the pieces on which the safety of the king of the side to move depends.
    #[inline(always)]
    pub(crate) fn king_attackers(&self) -> KingAttackers {
        self.king_attackers_of(self.side_to_move)
    }

    /// Returns the pieces on which the safety of the king of a side depends.
    #[inline(always)]
    pub(crate) fn king_attackers_of(&self, side: Side) -> KingAttackers {
        let enemy = !side;
        KingAttackers {
            king: self.king_square(side),
            own: self.sides[side.index()],
            occupied: self.occupancy(),
            rooks: self.pieces_of(enemy, PieceKind::Rook),
            cannons: self.pieces_of(enemy, PieceKind::Cannon),
            horses: self.pieces_of(enemy, PieceKind::Horse),
            soldiers: self.pieces_of(enemy, PieceKind::Soldier),
            enemy_king: self.pieces_of(enemy, PieceKind::King),
        }
    }

    /// Returns the legality masks of the side to move.
    pub fn legality_masks(&self) -> LegalityMasks {
        self.king_attackers().masks()
    }

    /// Returns whether an enemy piece could enter the square of the king of the side to move, or one next to it,
    /// although the king is not in check: there is a hollow cannon, or an advisor or elephant, which never give check,
    /// is in its half (a waived setup).
    pub(crate) fn is_king_reachable(&self) -> bool {
        let king = self.king_square(self.side_to_move);
        let (table, by, occupied) = (king_attack_table(king), !self.side_to_move, self.occupancy());
        let defenders = self.pieces_of(by, PieceKind::Advisor) | self.pieces_of(by, PieceKind::Elephant);
        let mut cannons = self.cannon_attackers(table, by).iter();
        cannons.any(|cannon| (table.between[cannon.index()] & occupied).is_empty())
            || defenders.intersects(HALVES[king.half().index()])
    }

    /// Returns the squares to which the piece on `origin`, which is not the king, may move without exposing the king.
    pub(super) fn blocker_targets(&self, origin: Square) -> SquareSet {
        self.king_attackers().blocker_targets(origin)
    }

    /// Returns whether the king of the side to move would be attacked on the palace square `target`.
    pub(super) fn is_king_attacked_on(&self, target: Square) -> bool {
        self.king_attackers().is_attacked_on(target)
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
