//! Which moves there are: each man with the set of its targets.

use core::ops::ControlFlow;

use alfil_kernel::{Bits, MoveList, Side};

use super::{Bitboard, Leapers, Safety, point};
use crate::board::{Board, Points};
use crate::geometry::{ADVISOR, FILE_A, SOLDIER, seat_of};
use crate::moves::Move;
use crate::piece::Kind;
use crate::square::Square;

/// Every kind but the general, the soldiers last.
const MEN: [Kind; 6] = [Kind::Rook, Kind::Cannon, Kind::Horse, Kind::Elephant, Kind::Advisor, Kind::Soldier];

impl<L: Leapers> Bitboard<L> {
    /// The men that can be taken: a general is never a target.
    #[inline(always)]
    pub(super) fn takeable(&self) -> Points {
        self.sides[(!self.side).index()].minus(self.kinds[Kind::King as usize])
    }

    /// The points that a move can go to.
    #[inline(always)]
    pub(super) fn takeable_or_empty(&self) -> Points {
        let (own, kings) = (self.sides[self.side.index()], self.kinds[Kind::King as usize]);
        crate::geometry::BOARD.minus(own | kings)
    }

    /// Where a man of the side to move goes from this point, own men not considered.
    #[inline(always)]
    pub(super) fn targets(&self, kind: Kind, origin: Square) -> Points {
        let index = origin.index();
        match kind {
            Kind::King => seat_of(origin).steps,
            Kind::Advisor => ADVISOR[index],
            Kind::Elephant => self.leapers.elephant(&self.lines, origin),
            Kind::Horse => self.leapers.horse(&self.lines, origin),
            Kind::Rook => self.lines.rook(origin),
            Kind::Cannon => self.lines.cannon(origin),
            Kind::Soldier => SOLDIER[self.side.index()][index],
        }
    }

    /// Gives each man with its targets among those wanted, the empty sets too, until told to stop.
    #[inline(always)]
    pub(super) fn each(
        &self,
        wanted: Points,
        safety: &Safety,
        sink: impl FnMut(Square, Points) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.each_of(&MEN, wanted, safety, sink)
    }

    /// The same for the men of these kinds, all men that are bound, and the general.
    #[inline(always)]
    fn each_of(
        &self,
        kinds: &[Kind],
        wanted: Points,
        safety: &Safety,
        mut sink: impl FnMut(Square, Points) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let own = self.sides[self.side.index()];
        let free = wanted & safety.free;
        for &kind in kinds {
            for origin in (self.kinds[kind as usize] & own).minus(safety.bound) {
                let origin = point(origin);
                sink(origin, self.targets(kind, origin) & free)?;
            }
        }
        for origin in safety.bound {
            let origin = point(origin);
            if let Some(piece) = self.man(origin) {
                let targets = self.targets(piece.kind(), origin) & wanted;
                sink(origin, targets & self.bound_to(origin))?;
            }
        }
        let king = self.king(self.side);
        let steps = seat_of(king).steps & wanted;
        if safety.is_waived() {
            sink(king, steps)
        } else {
            let safe = steps.iter().filter(|&target| !self.is_attacked(point(target)));
            sink(king, Points::from_squares(safe))
        }
    }

    /// Gives each man with its legal targets, until told to stop.
    #[inline(always)]
    pub(crate) fn each_legal(
        &self,
        safety: &Safety,
        sink: impl FnMut(Square, Points) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.each(self.takeable_or_empty(), safety, sink)
    }

    /// The number of legal moves: the soldiers all at once, the others by the size of their sets.
    #[inline(always)]
    pub(crate) fn count_safe(&self, safety: &Safety) -> usize {
        let wanted = self.takeable_or_empty();
        let own = self.sides[self.side.index()].minus(safety.bound);
        let soldiers = self.kinds[Kind::Soldier as usize] & own;
        let mut count = self.soldier_moves(soldiers, wanted & safety.free);
        let _ = self.each_of(&MEN[..MEN.len() - 1], wanted, safety, |_, targets| {
            count += targets.len();
            ControlFlow::Continue(())
        });
        count
    }

    /// How many moves these soldiers have to the points wanted: set-wise, a shift for each direction.
    #[inline(always)]
    fn soldier_moves(&self, soldiers: Points, wanted: Points) -> usize {
        const LOWER: u128 = (1 << (5 * Square::FILES)) - 1;
        let files = Square::FILES as u32;
        let (ahead, across) = match self.side {
            Side::First => (soldiers.0 << files, soldiers.0 & !LOWER),
            Side::Second => (soldiers.0 >> files, soldiers.0 & LOWER),
        };
        // From the last file to the right and from the first to the left there is no way.
        let right = (across & !(FILE_A.0 << (files - 1))) << 1;
        let left = (across & !FILE_A.0) >> 1;
        [ahead, right, left].into_iter().map(|targets| (Bits(targets) & wanted).len()).sum()
    }

    /// The points to which a man that is no general may go, if it can.
    #[inline(always)]
    pub(crate) fn allowed(&self, safety: &Safety, origin: Square) -> Points {
        let bound = safety.bound.contains(origin.index());
        self.takeable_or_empty() & if bound { self.bound_to(origin) } else { safety.free }
    }

    /// Appends the moves to the points wanted.
    pub(super) fn list(&self, wanted: Points, safety: &Safety, list: &mut MoveList<Move>) {
        let _ = self.each(wanted, safety, |origin, targets| {
            for target in targets {
                list.push(Move::new(origin, point(target)));
            }
            ControlFlow::Continue(())
        });
    }

    /// Whether no man can move. The first that can ends the search.
    pub(super) fn has_no_move(&self) -> bool {
        let stop = |_, targets: Points| {
            if targets.is_empty() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        self.each_legal(&self.safety(), stop).is_continue()
    }
}
