//! Which moves there are: each man with the set of its targets.

use core::ops::ControlFlow;

use alfil_kernel::MoveList;

use super::{Bitboard, Leapers, Safety, point};
use crate::board::{Board, Points};
use crate::geometry::{ADVISOR, SOLDIER, seat_of};
use crate::moves::Move;
use crate::piece::Kind;
use crate::square::Square;

/// Every kind but the general.
const MEN: [Kind; 6] = [Kind::Rook, Kind::Cannon, Kind::Horse, Kind::Soldier, Kind::Elephant, Kind::Advisor];

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
            Kind::Cannon => {
                let all = self.all();
                self.lines.rook(origin).minus(all) | (self.lines.cannon(origin) & all)
            }
            Kind::Soldier => SOLDIER[self.side.index()][index],
        }
    }

    /// Gives each man with its targets among those wanted, the empty sets too, until told to stop.
    #[inline(always)]
    pub(super) fn each(
        &self,
        wanted: Points,
        safety: &Safety,
        mut sink: impl FnMut(Square, Points) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let own = self.sides[self.side.index()];
        let free = wanted & safety.free;
        for kind in MEN {
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

    /// The number of legal moves.
    #[inline(always)]
    pub(crate) fn count_safe(&self, safety: &Safety) -> usize {
        let mut count = 0;
        let _ = self.each_legal(safety, |_, targets| {
            count += targets.len();
            ControlFlow::Continue(())
        });
        count
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
