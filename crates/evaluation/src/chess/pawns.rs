//! Pawns: their structure, and those that nobody can stop any more.

use std::cell::Cell;

use alfil_kernel::{BitSet, Side, TaperedScore};

use super::HandcraftedEval;
use super::terms::{
    EvalContext, adjacent_squares, file_fill, front_span, popcount, relative_rank, step_forward,
};
use super::weights::Weights;
use alfil_chess::piece::PieceKind;

/// Steps of a king from one square to another.
fn king_distance(one: usize, other: usize) -> usize {
    (one % 8).abs_diff(other % 8).max((one / 8).abs_diff(other / 8))
}

/// Doubled, isolated, backward and connected pawns, from White's view.
pub(super) fn structure(values: &HandcraftedEval, weights: &Weights) -> TaperedScore {
    let [white, black] = Side::BOTH.map(|side| structure_of_side(values, weights, side));
    white - black
}

fn structure_of_side(values: &HandcraftedEval, weights: &Weights, side: Side) -> TaperedScore {
    let enemy = !side;
    let (own, others) = (values.pieces_of(side, PieceKind::Pawn), values.pieces_of(enemy, PieceKind::Pawn));
    let doubled = own & front_span(side, own);
    let isolated = own & !adjacent_squares(file_fill(own));
    let open = !front_span(enemy, others);
    let mut sum = weights.doubled * popcount(doubled);
    sum += weights.isolated * popcount(isolated);
    sum += weights.isolated_open * popcount(isolated & open);
    // Behind its neighbours, and its next square is theirs.
    let helped = adjacent_squares(own | front_span(side, own));
    let stopped = step_forward(enemy, adjacent_squares(step_forward(enemy, others)));
    let backward = own & !isolated & !helped & stopped;
    sum += weights.backward * popcount(backward);
    sum += weights.backward_open * popcount(backward & open);
    for square in BitSet(own & adjacent_squares(own)) {
        sum += weights.phalanx[relative_rank(side, square)];
    }
    for square in BitSet(own & adjacent_squares(step_forward(side, own))) {
        sum += weights.supported[relative_rank(side, square)];
    }
    sum
}

/// What structures of pawns are worth, remembered: they change seldom, so most positions of a search share a few.
#[derive(Clone, Debug)]
pub(super) struct PawnTable(Box<[Cell<PawnEntry>]>);

/// The pawns of both sides and their worth. Nothing known is the truth of a board without pawns.
#[derive(Clone, Copy, Debug, Default)]
struct PawnEntry {
    pawns: [u64; 2],
    score: TaperedScore,
}

impl PawnTable {
    /// The binary logarithm of the number of structures it holds.
    const INDEX_BITS: u32 = 11;

    /// The worth of these pawns, from memory or else by asking.
    #[inline]
    pub(super) fn probe_or_compute(
        &self,
        pawns: [u64; 2],
        ask: impl FnOnce() -> TaperedScore,
    ) -> TaperedScore {
        let mixed = (pawns[0] ^ pawns[1].rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let slot = &self.0[(mixed >> (64 - Self::INDEX_BITS)) as usize];
        let known = slot.get();
        if known.pawns == pawns {
            return known.score;
        }
        let worth = ask();
        slot.set(PawnEntry { pawns, score: worth });
        worth
    }
}

impl Default for PawnTable {
    fn default() -> Self {
        PawnTable(vec![Cell::default(); 1 << Self::INDEX_BITS].into())
    }
}

/// What is remembered changes nothing.
impl PartialEq for PawnTable {
    fn eq(&self, _: &PawnTable) -> bool {
        true
    }
}

impl Eq for PawnTable {}

impl EvalContext<'_> {
    /// Pawns with no enemy pawn ahead on their files or beside them; of two on one file the front one.
    pub(super) fn passed(&self, side: Side) -> TaperedScore {
        let (weights, enemy) = (self.weights, !side);
        let (own, others) = (self.pieces_of(side, PieceKind::Pawn), self.pieces_of(enemy, PieceKind::Pawn));
        let stopped = front_span(enemy, others | adjacent_squares(others)) | front_span(enemy, own);
        let (sight, theirs) = (self.attack_maps(side), self.attack_maps(enemy));
        let mut sum = TaperedScore::ZERO;
        for square in BitSet(own & !stopped) {
            let rank = relative_rank(side, square);
            let next = step_forward(side, 1 << square);
            sum += weights.passed[rank];
            if next & self.occupied != 0 {
                sum += weights.passed_blocked[rank];
            }
            if front_span(side, 1 << square) & (theirs.all | self.eval.occupied_by(enemy)) == 0 {
                sum += weights.passed_free[rank];
            }
            if next & sight.all != 0 {
                sum += weights.passed_guarded[rank];
            }
            // A pawn that a waiver lets stand on its last rank has nowhere to go.
            if rank > 2 && next != 0 {
                let goal = next.trailing_zeros() as usize;
                sum += weights.passed_own_king[king_distance(goal, self.eval.king_index(side))];
                sum += weights.passed_enemy_king[king_distance(goal, self.eval.king_index(enemy))];
            }
            let file = front_span(enemy, 1 << square);
            sum += weights.rook_behind_passed * i32::from(file & self.pieces_of(side, PieceKind::Rook) != 0);
        }
        sum
    }
}
