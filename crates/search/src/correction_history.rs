//! Correction history: where the evaluation was wrong, it is likely wrong the same way again (Caissa, 2023; here by the moves
//! that led to the position, which every game has).

use alfil_kernel::{Bound, Score};

use crate::move_history::{PieceTo, PreviousMoves};
use crate::params::{CORRECTION_STEPS_PER_CP, MAX_CORRECTION, MAX_CORRECTION_WEIGHT, MAX_STATIC_EVAL};

/// By how much static scores were found wrong, by side and by the moves before.
#[derive(Clone, Debug)]
pub(crate) struct CorrectionHistory {
    by_previous_move: [Vec<i16>; 2],
    piece_to_count: usize,
}

impl CorrectionHistory {
    pub(crate) fn new(slots: usize) -> Self {
        let after = || vec![0; 2 * (slots + 1)];
        CorrectionHistory { by_previous_move: [after(), after()], piece_to_count: slots }
    }

    fn index(&self, side: usize, slot: PieceTo) -> usize {
        side * (self.piece_to_count + 1) + slot
    }

    /// A static score as experience would have it.
    #[inline]
    pub(crate) fn correct(&self, still: Score, side: usize, before: PreviousMoves) -> Score {
        let error: i32 =
            (0..2).map(|back| i32::from(self.by_previous_move[back][self.index(side, before[back])])).sum();
        (still + error / CORRECTION_STEPS_PER_CP).clamp(-MAX_STATIC_EVAL, MAX_STATIC_EVAL)
    }

    /// A search of this depth found this score where the static one was `still`.
    pub(crate) fn update(
        &mut self,
        still: Score,
        found: Score,
        depth: i32,
        side: usize,
        before: PreviousMoves,
    ) {
        let weight = depth.min(MAX_CORRECTION_WEIGHT);
        let error = ((found - still) * CORRECTION_STEPS_PER_CP).clamp(-MAX_CORRECTION, MAX_CORRECTION);
        for (back, slot) in before.into_iter().enumerate() {
            let place = self.index(side, slot);
            let kept = &mut self.by_previous_move[back][place];
            // A running mean, in which a deep search weighs more.
            *kept = ((i32::from(*kept) * (256 - weight) + error / 2 * weight) / 256) as i16;
        }
    }
}

/// Whether a search's result contradicts the static score at all: a bound on the same side of it does not.
pub(crate) fn can_correct(bound: Bound, best: Score, still: Score) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => best > still,
        Bound::Upper => best < still,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_error_is_learnt_and_no_more_than_it() {
        let mut corrections = CorrectionHistory::new(10);
        for _ in 0..2000 {
            corrections.update(100, 140, 8, 0, [3, 4]);
        }
        let corrected = corrections.correct(100, 0, [3, 4]);
        assert!((136..=140).contains(&corrected), "{corrected}");
        assert_eq!(corrections.correct(100, 1, [3, 4]), 100, "the other side's scores are its own");
        assert_eq!(corrections.correct(100, 0, [5, 10]), 100);
    }

    #[test]
    fn a_bound_on_the_same_side_teaches_nothing() {
        assert!(can_correct(Bound::Lower, 50, 20) && !can_correct(Bound::Lower, 50, 80));
        assert!(can_correct(Bound::Upper, 50, 80) && !can_correct(Bound::Upper, 50, 20));
    }
}
