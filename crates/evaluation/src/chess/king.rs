//! The safety of the king: who attacks it, and what stands before it.

use alfil_kernel::{Side, TaperedScore};

use super::terms::{EvalContext, adjacent_squares, file_fill, front_span, popcount, step_forward};
use alfil_chess::geometry::{self, KNIGHT_ATTACKS, bishop_attacks, rook_attacks};
use alfil_chess::piece::PieceKind;

impl EvalContext<'_> {
    /// How heavily a side attacks the squares around the enemy king, and the checks that it could give without being taken.
    pub(super) fn king_attack(&self, side: Side) -> TaperedScore {
        let (weights, enemy) = (self.weights, !side);
        let (own, theirs) = (self.attack_maps(side), self.attack_maps(enemy));
        let king = self.eval.king_index(enemy);
        let danger = own.king_danger.min(weights.danger.len() as i32 - 1);
        let mut sum = weights.danger[danger as usize];
        let safe = !self.eval.occupied_by(side) & !theirs.all;
        let (diagonal, straight) = (bishop_attacks(king, self.occupied), rook_attacks(king, self.occupied));
        let checks = [KNIGHT_ATTACKS[king], diagonal, straight, diagonal | straight];
        for ((&weight, from), seen) in weights.checks.iter().zip(checks).zip(own.non_pawns) {
            sum += weight * popcount(from & seen & safe);
        }
        // Squares beside the king that only it guards.
        let guarded = theirs.non_pawns.iter().fold(theirs.pawns, |all, seen| all | seen);
        sum + weights.weak_square * popcount(theirs.king & own.all & !guarded)
    }

    /// The pawns before the king, the files around it that lack them, and the enemy's pawns on their way.
    pub(super) fn shelter(&self, side: Side) -> TaperedScore {
        let weights = self.weights;
        let (own, enemy) = (self.pieces_of(side, PieceKind::Pawn), self.pieces_of(!side, PieceKind::Pawn));
        let king = 1 << self.eval.king_index(side);
        let wide = king | adjacent_squares(king);
        let near = file_fill(wide);
        let front = step_forward(side, wide);
        let bare = near & !file_fill(own) & geometry::rank_mask(0);
        let mut sum = weights.shield_next * popcount(own & front);
        sum += weights.shield_beyond * popcount(own & step_forward(side, front));
        sum += weights.bare_file * popcount(bare);
        sum += weights.open_before_king * popcount(bare & !file_fill(enemy));
        let mut rank = front;
        for &weight in &weights.storm {
            sum += weight * popcount(enemy & rank);
            rank = step_forward(side, rank);
        }
        // Without an own pawn anywhere ahead of it the king stands alone.
        sum + weights.no_pawn_ahead * i32::from(own & near & front_span(side, wide) == 0)
    }
}
