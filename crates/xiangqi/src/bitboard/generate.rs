//! Which moves there are: each man with the set of its targets.

use core::ops::ControlFlow;

use alfil_kernel::{BitSet, MoveList, Side};

use super::{Bitboard, LeaperLookup, LegalityMasks, square_at};
use crate::board::{Board, SquareSet};
use crate::geometry::{ADVISOR_TARGETS, FILE_A, SOLDIER_TARGETS, king_attack_table};
use crate::moves::Move;
use crate::piece::PieceKind;
use crate::square::Square;

/// Every kind but the general, the soldiers last.
const NON_KING_KINDS: [PieceKind; 6] = [
    PieceKind::Rook,
    PieceKind::Cannon,
    PieceKind::Horse,
    PieceKind::Elephant,
    PieceKind::Advisor,
    PieceKind::Soldier,
];

impl<L: LeaperLookup> Bitboard<L> {
    /// The men that can be taken: a general is never a target.
    #[inline(always)]
    pub(super) fn capture_targets(&self) -> SquareSet {
        self.sides[(!self.side_to_move).index()].difference(self.kinds[PieceKind::King as usize])
    }

    /// The points that a move can go to.
    #[inline(always)]
    pub(super) fn move_targets(&self) -> SquareSet {
        let (own, kings) = (self.sides[self.side_to_move.index()], self.kinds[PieceKind::King as usize]);
        crate::geometry::ALL_SQUARES.difference(own | kings)
    }

    /// Where a man of the side to move goes from this point, own men not considered.
    #[inline(always)]
    pub(super) fn targets(&self, kind: PieceKind, origin: Square) -> SquareSet {
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

    /// Gives each man with its targets among those wanted, the empty sets too, until told to stop.
    #[inline(always)]
    pub(super) fn for_each_piece(
        &self,
        wanted: SquareSet,
        safety: &LegalityMasks,
        sink: impl FnMut(Square, SquareSet) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.for_each_piece_of(&NON_KING_KINDS, wanted, safety, sink)
    }

    /// The same for the men of these kinds, all men that are bound, and the general.
    #[inline(always)]
    fn for_each_piece_of(
        &self,
        kinds: &[PieceKind],
        wanted: SquareSet,
        safety: &LegalityMasks,
        mut sink: impl FnMut(Square, SquareSet) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let own = self.sides[self.side_to_move.index()];
        let free = wanted & safety.free_targets;
        for &kind in kinds {
            for origin in (self.kinds[kind as usize] & own).difference(safety.blockers) {
                let origin = square_at(origin);
                sink(origin, self.targets(kind, origin) & free)?;
            }
        }
        for origin in safety.blockers {
            let origin = square_at(origin);
            if let Some(piece) = self.piece_at(origin) {
                let targets = self.targets(piece.kind(), origin) & wanted;
                sink(origin, targets & self.blocker_targets(origin))?;
            }
        }
        let king = self.king_square(self.side_to_move);
        let steps = king_attack_table(king).steps & wanted;
        if safety.is_unrestricted() {
            sink(king, steps)
        } else {
            let safe = steps.iter().filter(|&target| !self.is_king_attacked_on(square_at(target)));
            sink(king, SquareSet::from_squares(safe))
        }
    }

    /// Gives each man with its legal targets, until told to stop.
    #[inline(always)]
    pub(crate) fn for_each_legal(
        &self,
        safety: &LegalityMasks,
        sink: impl FnMut(Square, SquareSet) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.for_each_piece(self.move_targets(), safety, sink)
    }

    /// The number of legal moves: the soldiers all at once, the others by the size of their sets.
    #[inline(always)]
    pub(crate) fn count_legal_with(&self, safety: &LegalityMasks) -> usize {
        let wanted = self.move_targets();
        let own = self.sides[self.side_to_move.index()].difference(safety.blockers);
        let soldiers = self.kinds[PieceKind::Soldier as usize] & own;
        let mut count = self.count_soldier_moves(soldiers, wanted & safety.free_targets);
        let _ = self.for_each_piece_of(
            &NON_KING_KINDS[..NON_KING_KINDS.len() - 1],
            wanted,
            safety,
            |_, targets| {
                count += targets.len();
                ControlFlow::Continue(())
            },
        );
        count
    }

    /// How many moves these soldiers have to the points wanted: set-wise, a shift for each direction.
    #[inline(always)]
    fn count_soldier_moves(&self, soldiers: SquareSet, wanted: SquareSet) -> usize {
        const LOWER: u128 = (1 << (5 * Square::FILES)) - 1;
        let files = Square::FILES as u32;
        let (ahead, across) = match self.side_to_move {
            Side::First => (soldiers.0 << files, soldiers.0 & !LOWER),
            Side::Second => (soldiers.0 >> files, soldiers.0 & LOWER),
        };
        // From the last file to the right and from the first to the left there is no way.
        let right = (across & !(FILE_A.0 << (files - 1))) << 1;
        let left = (across & !FILE_A.0) >> 1;
        [ahead, right, left].into_iter().map(|targets| (BitSet(targets) & wanted).len()).sum()
    }

    /// The points to which a man that is no general may go, if it can.
    #[inline(always)]
    pub(crate) fn allowed_targets(&self, safety: &LegalityMasks, origin: Square) -> SquareSet {
        let bound = safety.blockers.contains(origin.index());
        self.move_targets() & if bound { self.blocker_targets(origin) } else { safety.free_targets }
    }

    /// Appends the moves to the points wanted.
    pub(super) fn append_moves(&self, wanted: SquareSet, safety: &LegalityMasks, list: &mut MoveList<Move>) {
        let _ = self.for_each_piece(wanted, safety, |origin, targets| {
            for target in targets {
                list.push(Move::new(origin, square_at(target)));
            }
            ControlFlow::Continue(())
        });
    }

    /// Whether no man can move. The first that can ends the search.
    pub(super) fn has_no_legal_targets(&self) -> bool {
        let stop = |_, targets: SquareSet| {
            if targets.is_empty() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        self.for_each_legal(&self.legality_masks(), stop).is_continue()
    }
}
