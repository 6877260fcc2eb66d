//! Correction history: the static evaluation is corrected by its errors in earlier searches (Caissa, 2023). The errors
//! are indexed by the two previous moves, as every game has these.

use alfil_kernel::{Bound, Score};

use crate::move_history::{PieceTo, PreviousMoves};
use crate::params::{CORRECTION_STEPS_PER_CP, MAX_CORRECTION, SearchParams};

/// Running means of the errors of the static evaluation, by side to move and by each of the two previous moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CorrectionHistory {
    by_previous_move: [Vec<i16>; 2],
    piece_to_count: usize,
}

impl CorrectionHistory {
    pub(crate) fn new(piece_to_count: usize) -> Self {
        let table = || vec![0; 2 * (piece_to_count + 1)];
        CorrectionHistory { by_previous_move: [table(), table()], piece_to_count }
    }

    /// Clears all means, as at the start of another game.
    pub(crate) fn clear(&mut self) {
        self.by_previous_move.iter_mut().for_each(|means| means.fill(0));
    }

    fn index(&self, side: usize, piece_to: PieceTo) -> usize {
        side * (self.piece_to_count + 1) + piece_to
    }

    /// Returns the corrected static evaluation.
    #[inline]
    pub(crate) fn correct(&self, static_eval: Score, side: usize, previous_moves: PreviousMoves) -> Score {
        let error: i32 = (0..2)
            .map(|back| i32::from(self.by_previous_move[back][self.index(side, previous_moves[back])]))
            .sum();
        (static_eval + error / CORRECTION_STEPS_PER_CP).clamp(-Score::MAX_EVAL, Score::MAX_EVAL)
    }

    /// Updates the means after a search to `depth` found the score `found`.
    pub(crate) fn update(
        &mut self,
        static_eval: Score,
        found: Score,
        depth: i32,
        side: usize,
        previous_moves: PreviousMoves,
        params: &SearchParams,
    ) {
        let weight = depth.min(params.max_correction_weight);
        let error = ((found - static_eval) * CORRECTION_STEPS_PER_CP).clamp(-MAX_CORRECTION, MAX_CORRECTION);
        for (back, piece_to) in previous_moves.into_iter().enumerate() {
            let index = self.index(side, piece_to);
            let mean = &mut self.by_previous_move[back][index];
            // A deeper search has a greater weight in the running mean.
            *mean = ((i32::from(*mean) * (256 - weight) + error / 2 * weight) / 256) as i16;
        }
    }
}

/// Returns whether a search result contradicts the static evaluation; a bound on the same side of it does not.
pub(crate) fn can_correct(bound: Bound, best: Score, static_eval: Score) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => best > static_eval,
        Bound::Upper => best < static_eval,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cp(cp: i32) -> Score {
        Score::from_cp(cp)
    }

    #[test]
    fn a_constant_error_is_corrected_but_not_overcorrected() {
        let mut corrections = CorrectionHistory::new(10);
        for _ in 0..2000 {
            corrections.update(cp(100), cp(140), 8, 0, [3, 4], &SearchParams::DEFAULT);
        }
        let corrected = corrections.correct(cp(100), 0, [3, 4]).value();
        assert!((136..=140).contains(&corrected), "{corrected}");
        assert_eq!(corrections.correct(cp(100), 1, [3, 4]), cp(100), "each side has its own corrections");
        assert_eq!(corrections.correct(cp(100), 0, [5, 10]), cp(100));
    }

    #[test]
    fn a_bound_on_the_same_side_is_not_a_contradiction() {
        assert!(can_correct(Bound::Lower, cp(50), cp(20)) && !can_correct(Bound::Lower, cp(50), cp(80)));
        assert!(can_correct(Bound::Upper, cp(50), cp(80)) && !can_correct(Bound::Upper, cp(50), cp(20)));
    }
}
