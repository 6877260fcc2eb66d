//! Pawns: their structure, and those that nobody can stop any more.

use alfil_kernel::{Bits, Side, Taper};

use super::terms::{Scene, ahead, beside, count, files, rank_of, step};
use crate::piece::Kind;

/// Steps of a king from one square to another.
fn distance(one: usize, other: usize) -> usize {
    (one % 8).abs_diff(other % 8).max((one / 8).abs_diff(other / 8))
}

impl Scene<'_> {
    /// Doubled, isolated, backward and connected pawns.
    pub(super) fn structure(&self, side: Side) -> Taper {
        let (weights, enemy) = (self.weights, !side);
        let (own, others) = (self.of(side, Kind::Pawn), self.of(enemy, Kind::Pawn));
        let doubled = own & ahead(side, own);
        let isolated = own & !beside(files(own));
        let open = !ahead(enemy, others);
        let mut sum = weights.doubled * count(doubled);
        sum += weights.isolated * count(isolated);
        sum += weights.isolated_open * count(isolated & open);
        // Behind its neighbours, and its next square is theirs.
        let helped = beside(own | ahead(side, own));
        let stopped = step(enemy, self.sight(enemy).pawns);
        let backward = own & !isolated & !helped & stopped;
        sum += weights.backward * count(backward);
        sum += weights.backward_open * count(backward & open);
        for square in Bits(own & beside(own)) {
            sum += weights.phalanx[rank_of(side, square)];
        }
        for square in Bits(own & self.sight(side).pawns) {
            sum += weights.supported[rank_of(side, square)];
        }
        sum
    }

    /// Pawns with no enemy pawn ahead on their files or beside them; of two on one file the front one.
    pub(super) fn passed(&self, side: Side) -> Taper {
        let (weights, enemy) = (self.weights, !side);
        let (own, others) = (self.of(side, Kind::Pawn), self.of(enemy, Kind::Pawn));
        let stopped = ahead(enemy, others | beside(others)) | ahead(enemy, own);
        let (sight, theirs) = (self.sight(side), self.sight(enemy));
        let mut sum = Taper::ZERO;
        for square in Bits(own & !stopped) {
            let rank = rank_of(side, square);
            let next = step(side, 1 << square);
            sum += weights.passed[rank];
            if next & self.occupied != 0 {
                sum += weights.passed_blocked[rank];
            }
            if ahead(side, 1 << square) & (theirs.all | self.values.men(enemy)) == 0 {
                sum += weights.passed_free[rank];
            }
            if next & sight.all != 0 {
                sum += weights.passed_guarded[rank];
            }
            if rank > 2 {
                let goal = next.trailing_zeros() as usize;
                sum += weights.passed_own_king[distance(goal, self.values.king(side))];
                sum += weights.passed_enemy_king[distance(goal, self.values.king(enemy))];
            }
            let file = ahead(enemy, 1 << square);
            sum += weights.rook_behind_passed * i32::from(file & self.of(side, Kind::Rook) != 0);
        }
        sum
    }
}
