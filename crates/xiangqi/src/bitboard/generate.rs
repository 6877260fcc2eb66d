//! Move generation: each piece with the set of its targets.

use core::ops::ControlFlow;

use alfil_kernel::{MoveList, Side};

use super::{LeaperLookup, LegalityMasks, LookupBitboard};
use crate::board::Board;
use crate::geometry::{ADVISOR_TARGETS, FILE_A, HALVES, SOLDIER_TARGETS, king_attack_table};
use crate::moves::Move;
use crate::piece::PieceKind;
use crate::square::{Square, SquareSet};

/// Every kind but the king, the soldiers last.
const NON_KING_KINDS: [PieceKind; 6] = [
    PieceKind::Rook,
    PieceKind::Cannon,
    PieceKind::Horse,
    PieceKind::Elephant,
    PieceKind::Advisor,
    PieceKind::Soldier,
];

impl<L: LeaperLookup> LookupBitboard<L> {
    /// Returns the pieces that can be captured: a king is never a target.
    #[inline(always)]
    pub(super) fn capture_targets(&self) -> SquareSet {
        self.sides[(!self.side_to_move).index()].difference(self.kinds[PieceKind::King as usize])
    }

    /// Returns the squares to which a move can go.
    #[inline(always)]
    pub(crate) fn move_targets(&self) -> SquareSet {
        self.move_targets_of(self.side_to_move)
    }

    /// Returns the squares to which a move of a side can go.
    #[inline(always)]
    pub(crate) fn move_targets_of(&self, side: Side) -> SquareSet {
        let (own, kings) = (self.sides[side.index()], self.kinds[PieceKind::King as usize]);
        crate::geometry::ALL_SQUARES.difference(own | kings)
    }

    /// Returns the targets of a piece of the side to move on `origin`, own pieces included.
    #[inline(always)]
    pub(crate) fn targets(&self, kind: PieceKind, origin: Square) -> SquareSet {
        let index = origin.index();
        match kind {
            PieceKind::King => king_attack_table(origin).steps,
            PieceKind::Advisor => ADVISOR_TARGETS[index],
            PieceKind::Elephant => self.leapers.elephant_targets(&self.lines, origin),
            PieceKind::Horse => self.leapers.horse_targets(&self.lines, origin),
            PieceKind::Rook => self.lines.rook_targets(origin),
            PieceKind::Cannon => self.lines.cannon_targets(origin),
            PieceKind::Soldier => SOLDIER_TARGETS[self.side_to_move.index()][index],
        }
    }

    /// Calls `sink` with each piece and its targets within `within`, empty sets too, until it breaks.
    #[inline(always)]
    pub(super) fn for_each_piece(
        &self,
        within: SquareSet,
        masks: &LegalityMasks,
        sink: impl FnMut(Square, SquareSet) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.for_each_piece_of(&NON_KING_KINDS, within, masks, sink)
    }

    /// Calls `sink` with each piece of these kinds, each blocker and the king, as `for_each_piece` does.
    #[inline(always)]
    fn for_each_piece_of(
        &self,
        kinds: &[PieceKind],
        within: SquareSet,
        masks: &LegalityMasks,
        mut sink: impl FnMut(Square, SquareSet) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let own = self.sides[self.side_to_move.index()];
        let free = within & masks.free_targets;
        for &kind in kinds {
            for origin in (self.kinds[kind as usize] & own).difference(masks.blockers) {
                sink(origin, self.targets(kind, origin) & free)?;
            }
        }
        for origin in masks.blockers {
            if let Some(piece) = self.piece_at(origin) {
                let targets = self.targets(piece.kind(), origin) & within;
                sink(origin, targets & self.blocker_targets(origin))?;
            }
        }
        let king = self.king_square(self.side_to_move);
        if masks.is_unrestricted() {
            sink(king, king_attack_table(king).steps & within)
        } else {
            sink(king, self.king_attackers().king_targets() & within)
        }
    }

    /// Calls `sink` with each piece and its legal targets, until it breaks.
    #[inline(always)]
    pub(crate) fn for_each_legal(
        &self,
        masks: &LegalityMasks,
        sink: impl FnMut(Square, SquareSet) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.for_each_piece(self.move_targets(), masks, sink)
    }

    /// Returns the number of legal moves: the soldiers all at once, the other pieces by the size of their target sets.
    #[inline(always)]
    pub(crate) fn count_legal_with(&self, masks: &LegalityMasks) -> usize {
        let within = self.move_targets();
        let own = self.sides[self.side_to_move.index()].difference(masks.blockers);
        let soldiers = self.kinds[PieceKind::Soldier as usize] & own;
        let mut count = count_soldier_moves(self.side_to_move, soldiers, within & masks.free_targets);
        let _ = self.for_each_piece_of(
            &NON_KING_KINDS[..NON_KING_KINDS.len() - 1],
            within,
            masks,
            |_, targets| {
                count += targets.len();
                ControlFlow::Continue(())
            },
        );
        count
    }

    /// Appends the moves to the squares of `within`.
    pub(super) fn append_moves(&self, within: SquareSet, masks: &LegalityMasks, list: &mut MoveList<Move>) {
        let _ = self.for_each_piece(within, masks, |origin, targets| {
            for target in targets {
                list.push(Move::new(origin, target));
            }
            ControlFlow::Continue(())
        });
    }

    /// Returns whether no piece can move. Stops at the first that can.
    pub(super) fn has_no_legal_targets(&self) -> bool {
        let stop = |_, targets: SquareSet| {
            if targets.is_empty() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        self.for_each_legal(&self.legality_masks(), stop).is_continue()
    }
}

/// Returns the number of moves of these soldiers of a side to the squares of `within`: set-wise, a shift for each
/// direction.
#[inline(always)]
pub(crate) fn count_soldier_moves(side: Side, soldiers: SquareSet, within: SquareSet) -> usize {
    let files = Square::FILES as u32;
    let (ahead, across) = match side {
        Side::First => (soldiers.0 << files, soldiers.0 & HALVES[1].0),
        Side::Second => (soldiers.0 >> files, soldiers.0 & HALVES[0].0),
    };
    // No move wraps from the last file to the right or from the first to the left.
    let right = (across & !(FILE_A.0 << (files - 1))) << 1;
    let left = (across & !FILE_A.0) >> 1;
    [ahead, right, left].into_iter().map(|targets| (SquareSet::new(targets) & within).len()).sum()
}
