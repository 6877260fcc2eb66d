//! The safety of the king: who attacks it, and what stands before it.

use alfil_kernel::{Side, Taper};

use super::terms::{Scene, ahead, beside, count, files, step};
use alfil_chess::geometry::{self, KNIGHT, bishop, rook};
use alfil_chess::piece::Kind;

impl Scene<'_> {
    /// How heavily a side attacks the squares around the enemy king, and the checks that it could give without being taken.
    pub(super) fn attack(&self, side: Side) -> Taper {
        let (weights, enemy) = (self.weights, !side);
        let (own, theirs) = (self.sight(side), self.sight(enemy));
        let king = self.values.king(enemy);
        let danger = own.danger.min(weights.danger.len() as i32 - 1);
        let mut sum = weights.danger[danger as usize];
        let safe = !self.values.men(side) & !theirs.all;
        let (diagonal, straight) = (bishop(king, self.occupied), rook(king, self.occupied));
        let checks = [KNIGHT[king], diagonal, straight, diagonal | straight];
        for ((&weight, from), seen) in weights.checks.iter().zip(checks).zip(own.officers) {
            sum += weight * count(from & seen & safe);
        }
        // Squares beside the king that only it guards.
        let guarded = theirs.officers.iter().fold(theirs.pawns, |all, seen| all | seen);
        sum + weights.weak_square * count(theirs.king & own.all & !guarded)
    }

    /// The pawns before the king, the files around it that lack them, and the enemy's pawns on their way.
    pub(super) fn shelter(&self, side: Side) -> Taper {
        let weights = self.weights;
        let (own, enemy) = (self.of(side, Kind::Pawn), self.of(!side, Kind::Pawn));
        let king = 1 << self.values.king(side);
        let wide = king | beside(king);
        let near = files(wide);
        let front = step(side, wide);
        let bare = near & !files(own) & geometry::rank(0);
        let mut sum = weights.shield_next * count(own & front);
        sum += weights.shield_beyond * count(own & step(side, front));
        sum += weights.bare_file * count(bare);
        sum += weights.open_before_king * count(bare & !files(enemy));
        let mut rank = front;
        for &weight in &weights.storm {
            sum += weight * count(enemy & rank);
            rank = step(side, rank);
        }
        // Without an own pawn anywhere ahead of it the king stands alone.
        sum + weights.no_pawn_ahead * i32::from(own & near & ahead(side, wide) == 0)
    }
}
