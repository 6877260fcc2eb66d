//! King safety: attacks on the king, pawn shield and pawn storm.

use crate::TaperedScore;
use alfil_kernel::Side;

use super::terms::{EvalContext, adjacent_squares, file_fill, front_span, popcount, step_forward};
use alfil_chess::geometry::{self, KNIGHT_ATTACKS, bishop_attacks, rook_attacks};
use alfil_chess::piece::PieceKind;

impl EvalContext<'_> {
    /// Returns the score of the attacks of a side on the ring of the enemy king, its safe checks and the weak squares
    /// there.
    pub(super) fn king_attack(&self, side: Side) -> TaperedScore {
        let (weights, enemy) = (self.weights, !side);
        let (own, theirs) = (self.attack_maps(side), self.attack_maps(enemy));
        let king = self.eval.king_index(enemy);
        let danger = own.king_danger.min(weights.king_danger.len() as i32 - 1);
        let mut sum = weights.king_danger[danger as usize];
        let safe = !self.eval.occupied_by(side) & !theirs.all;
        let (diagonal, orthogonal) = (bishop_attacks(king, self.occupied), rook_attacks(king, self.occupied));
        let check_squares = [KNIGHT_ATTACKS[king], diagonal, orthogonal, diagonal | orthogonal];
        for ((&weight, from), attacks) in weights.safe_checks.iter().zip(check_squares).zip(own.non_pawns) {
            sum += weight * popcount(from & attacks & safe);
        }
        // Weak squares are defended by the king only.
        let defended = theirs.non_pawns.iter().fold(theirs.pawns, |all, map| all | map);
        sum + weights.weak_king_square * popcount(theirs.king & own.all & !defended)
    }

    /// Returns the score of the pawn shield of the king, the files around it without own pawns, and the enemy pawn
    /// storm.
    pub(super) fn shelter(&self, side: Side) -> TaperedScore {
        let weights = self.weights;
        let (own, enemy) = (self.pieces_of(side, PieceKind::Pawn), self.pieces_of(!side, PieceKind::Pawn));
        let king = 1 << self.eval.king_index(side);
        let king_row = king | adjacent_squares(king);
        let king_files = file_fill(king_row);
        let shield = step_forward(side, king_row);
        // One square represents each file.
        let files_without_pawn = king_files & !file_fill(own) & geometry::rank_mask(0);
        let mut sum = weights.near_pawn_shield * popcount(own & shield);
        sum += weights.far_pawn_shield * popcount(own & step_forward(side, shield));
        sum += weights.king_file_without_pawn * popcount(files_without_pawn);
        sum += weights.open_king_file * popcount(files_without_pawn & !file_fill(enemy));
        let mut rank = shield;
        for &weight in &weights.pawn_storm {
            sum += weight * popcount(enemy & rank);
            rank = step_forward(side, rank);
        }
        sum + weights.no_pawn_shield * i32::from(own & king_files & front_span(side, king_row) == 0)
    }
}
