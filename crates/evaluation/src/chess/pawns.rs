//! Pawn structure, the pawn table that caches it, and passed pawns.

use std::cell::Cell;

use crate::TaperedScore;
use alfil_kernel::{BitSet, Side};

use super::HandcraftedEval;
use super::terms::{
    EvalContext, adjacent_squares, file_fill, front_span, popcount, relative_rank, step_forward,
};
use super::weights::Weights;
use alfil_chess::piece::PieceKind;

/// Returns the number of king moves from one square to another (Chebyshev distance).
fn king_distance(from: usize, to: usize) -> usize {
    (from % 8).abs_diff(to % 8).max((from / 8).abs_diff(to / 8))
}

/// Returns the score of doubled, isolated, backward and connected pawns, from White's view.
pub(super) fn structure(eval: &HandcraftedEval, weights: &Weights) -> TaperedScore {
    let [white, black] = Side::BOTH.map(|side| structure_of_side(eval, weights, side));
    white - black
}

fn structure_of_side(eval: &HandcraftedEval, weights: &Weights, side: Side) -> TaperedScore {
    let enemy = !side;
    let (own, enemy_pawns) = (eval.pieces_of(side, PieceKind::Pawn), eval.pieces_of(enemy, PieceKind::Pawn));
    let doubled = own & front_span(side, own);
    let isolated = own & !adjacent_squares(file_fill(own));
    let open = !front_span(enemy, enemy_pawns);
    let mut sum = weights.doubled * popcount(doubled);
    sum += weights.isolated * popcount(isolated);
    sum += weights.isolated_open * popcount(isolated & open);
    // A backward pawn has no own pawn beside or behind it on the adjacent files, and an enemy pawn attacks its stop
    // square.
    let supportable = adjacent_squares(own | front_span(side, own));
    let stopped = step_forward(enemy, adjacent_squares(step_forward(enemy, enemy_pawns)));
    let backward = own & !isolated & !supportable & stopped;
    sum += weights.backward * popcount(backward);
    sum += weights.backward_open * popcount(backward & open);
    for square in BitSet::<u64>::new(own & adjacent_squares(own)) {
        sum += weights.phalanx[relative_rank(side, square)];
    }
    for square in BitSet::<u64>::new(own & adjacent_squares(step_forward(side, own))) {
        sum += weights.supported[relative_rank(side, square)];
    }
    sum
}

/// Returns a hash of the pawns of both sides, whose highest bits are the best.
pub(super) fn pawn_hash(pawns: [u64; 2]) -> u64 {
    (pawns[0] ^ pawns[1].rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// A cache of pawn structure scores. The structure changes rarely, so most positions of a search share a few entries.
#[derive(Clone, Debug)]
pub(super) struct PawnTable(Box<[Cell<PawnEntry>]>);

/// The pawns of both sides and the score of their structure. The empty entry is correct for a board without pawns.
#[derive(Clone, Copy, Debug, Default)]
struct PawnEntry {
    pawns: [u64; 2],
    score: TaperedScore,
}

impl PawnTable {
    /// The binary logarithm of the number of entries.
    const INDEX_BITS: u32 = 11;

    /// Returns the cached score of these pawns, or computes and stores it.
    #[inline]
    pub(super) fn probe_or_compute(
        &self,
        pawns: [u64; 2],
        compute: impl FnOnce() -> TaperedScore,
    ) -> TaperedScore {
        let cell = &self.0[(pawn_hash(pawns) >> (64 - Self::INDEX_BITS)) as usize];
        let entry = cell.get();
        if entry.pawns == pawns {
            return entry.score;
        }
        let score = compute();
        cell.set(PawnEntry { pawns, score });
        score
    }
}

impl Default for PawnTable {
    fn default() -> Self {
        PawnTable(vec![Cell::default(); 1 << Self::INDEX_BITS].into())
    }
}

/// All tables are equal, because a cache does not change the score.
impl PartialEq for PawnTable {
    fn eq(&self, _: &PawnTable) -> bool {
        true
    }
}

impl Eq for PawnTable {}

impl EvalContext<'_> {
    /// Returns the score of the passed pawns of a side: no enemy pawn in front on the same or an adjacent file. Of
    /// doubled pawns only the front one counts.
    pub(super) fn passed(&self, side: Side) -> TaperedScore {
        let (weights, enemy) = (self.weights, !side);
        let (own, enemy_pawns) =
            (self.pieces_of(side, PieceKind::Pawn), self.pieces_of(enemy, PieceKind::Pawn));
        let not_passed =
            front_span(enemy, enemy_pawns | adjacent_squares(enemy_pawns)) | front_span(enemy, own);
        let (own_attacks, enemy_attacks) = (self.attack_maps(side), self.attack_maps(enemy));
        let mut sum = TaperedScore::ZERO;
        for square in BitSet::<u64>::new(own & !not_passed) {
            let rank = relative_rank(side, square);
            let stop_square = step_forward(side, 1 << square);
            sum += weights.passed[rank];
            if stop_square & self.occupied != 0 {
                sum += weights.passed_blocked[rank];
            }
            if front_span(side, 1 << square) & (enemy_attacks.all | self.eval.occupied_by(enemy)) == 0 {
                sum += weights.passed_free[rank];
            }
            if stop_square & own_attacks.all != 0 {
                sum += weights.passed_defended[rank];
            }
            // In a waived setup a pawn on its last rank has no stop square.
            if rank > 2 && stop_square != 0 {
                let stop = stop_square.trailing_zeros() as usize;
                sum += weights.passed_own_king[king_distance(stop, self.eval.king_index(side))];
                sum += weights.passed_enemy_king[king_distance(stop, self.eval.king_index(enemy))];
            }
            let rear_span = front_span(enemy, 1 << square);
            let has_rook_behind = rear_span & self.pieces_of(side, PieceKind::Rook) != 0;
            sum += weights.rook_behind_passed * i32::from(has_rook_behind);
        }
        sum
    }
}
