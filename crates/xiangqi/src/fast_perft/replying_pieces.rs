//! The pieces of the side that replies, counted on the sets of a position after a move that is not made.

use alfil_kernel::{BitIndex as _, Position as _, Side};

use crate::bitboard::{Bitboard, KingAttackers, LegalityMasks, count_soldier_moves};
use crate::geometry::{
    ADVISOR_TARGETS, ELEPHANT_TARGETS, EYE_SQUARES, HORSE_ORIGINS, HORSE_TARGETS, LineOccupancy,
    SOLDIER_ORIGINS, SOLDIER_TARGETS, is_in_any_palace,
};
use crate::piece::PieceKind;
use crate::square::{Square, SquareSet};

/// The pieces of a side on the lines of another position: their kinds are those of `board`.
pub(super) struct ReplyingPieces<'a> {
    pub(super) board: &'a Bitboard,
    pub(super) side: Side,
    pub(super) lines: LineOccupancy,
}

impl ReplyingPieces<'_> {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn of_kind(&self, kind: PieceKind) -> SquareSet {
        self.board.pieces_of(self.side, kind)
    }

    /// Returns the targets of a piece, own pieces included; none for a king.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn targets(&self, kind: PieceKind, square: Square) -> SquareSet {
        let index = square.index();
        match kind {
            PieceKind::King => SquareSet::EMPTY,
            PieceKind::Advisor => ADVISOR_TARGETS[index],
            PieceKind::Elephant => ELEPHANT_TARGETS[index][self.lines.eye_index(square)],
            PieceKind::Horse => HORSE_TARGETS[index][self.lines.leg_index(square)],
            PieceKind::Rook => self.lines.rook_targets(square),
            PieceKind::Cannon => self.lines.cannon_targets(square),
            PieceKind::Soldier => SOLDIER_TARGETS[self.side.index()][index],
        }
    }

    /// Calls `sink` with each of these pieces other than king and soldiers, its kind and its targets.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn for_each(&self, pieces: SquareSet, mut sink: impl FnMut(PieceKind, Square, SquareSet)) {
        self.for_each_of(PieceKind::Rook, pieces, &mut sink);
        self.for_each_of(PieceKind::Cannon, pieces, &mut sink);
        self.for_each_of(PieceKind::Horse, pieces, &mut sink);
        self.for_each_of(PieceKind::Elephant, pieces, &mut sink);
        self.for_each_of(PieceKind::Advisor, pieces, &mut sink);
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn for_each_of(
        &self,
        kind: PieceKind,
        pieces: SquareSet,
        sink: &mut impl FnMut(PieceKind, Square, SquareSet),
    ) {
        for square in self.of_kind(kind) & pieces {
            sink(kind, square, self.targets(kind, square));
        }
    }

    /// Returns the number of moves of these pieces, other than the king, to the squares of `within`.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn count_within(&self, pieces: SquareSet, within: SquareSet) -> i32 {
        let mut count = count_soldier_moves(self.side, self.of_kind(PieceKind::Soldier) & pieces, within);
        self.for_each(pieces, |_, _, targets| count += (targets & within).len());
        count as i32
    }

    /// Returns the number of legal moves to the squares of `within`, where no piece of this side is; those of the king
    /// go anywhere.
    pub(super) fn count_legal(
        &self,
        attackers: &KingAttackers,
        masks: &LegalityMasks,
        within: SquareSet,
    ) -> i32 {
        let mut count = attackers.king_targets().len() as i32;
        let free = within & masks.free_targets;
        if !free.is_empty() {
            count += self.count_within(attackers.own.difference(masks.blockers), free);
        }
        for blocker in masks.blockers {
            if let Some(piece) = self.board.piece_on(blocker) {
                let targets = self.targets(piece.kind(), blocker) & within;
                count += (targets & attackers.blocker_targets(blocker)).len() as i32;
            }
        }
        count
    }

    /// Returns how many pieces other than the king can capture on a square where one of them stood before the move.
    pub(super) fn count_recaptures(
        &self,
        attackers: &KingAttackers,
        masks: &LegalityMasks,
        target: Square,
    ) -> i32 {
        let index = target.index();
        let pieces = |kind| self.of_kind(kind) & attackers.own;
        let neighbours = self.lines.eye_index(target);
        let mut found = (self.lines.rook_targets(target) & pieces(PieceKind::Rook))
            | (self.lines.cannon_targets(target) & pieces(PieceKind::Cannon))
            | (HORSE_ORIGINS[index][neighbours] & pieces(PieceKind::Horse))
            | (ELEPHANT_TARGETS[index][neighbours] & pieces(PieceKind::Elephant))
            | (SOLDIER_ORIGINS[self.side.index()][index] & pieces(PieceKind::Soldier));
        if is_in_any_palace(target) {
            let diagonal = EYE_SQUARES[index].map(|square| Square::from_bit(square.into()));
            found = found | (SquareSet::from_squares(diagonal) & pieces(PieceKind::Advisor));
        }
        if found.intersects(masks.blockers) {
            let can_capture = |&piece: &Square| attackers.targets_allowed_by(masks, piece).contains(target);
            found.iter().filter(can_capture).count() as i32
        } else if masks.free_targets.contains(target) {
            found.len() as i32
        } else {
            0
        }
    }
}
