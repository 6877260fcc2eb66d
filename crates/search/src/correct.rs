//! Correction history: where the evaluation was wrong, it is likely wrong the same way again (Caissa, 2023; here by the moves
//! that led to the position, which every game has).

use alfil_kernel::{Bound, Score};

use crate::history::{Before, Slot};
use crate::params::{CORRECTION_GRAIN, CORRECTION_MAX, CORRECTION_WEIGHT_MAX, STILL_MAX};

/// By how much static scores were found wrong, by side and by the moves before.
#[derive(Clone, Debug)]
pub(crate) struct Corrections {
    after: [Vec<i16>; 2],
    slots: usize,
}

impl Corrections {
    pub(crate) fn new(slots: usize) -> Self {
        let after = || vec![0; 2 * (slots + 1)];
        Corrections { after: [after(), after()], slots }
    }

    fn place(&self, side: usize, slot: Slot) -> usize {
        side * (self.slots + 1) + slot
    }

    /// A static score as experience would have it.
    #[inline]
    pub(crate) fn correct(&self, still: Score, side: usize, before: Before) -> Score {
        let error: i32 = (0..2).map(|back| i32::from(self.after[back][self.place(side, before[back])])).sum();
        (still + error / CORRECTION_GRAIN).clamp(-STILL_MAX, STILL_MAX)
    }

    /// A search of this depth found this score where the static one was `still`.
    pub(crate) fn learn(&mut self, still: Score, found: Score, depth: i32, side: usize, before: Before) {
        let weight = depth.min(CORRECTION_WEIGHT_MAX);
        let error = ((found - still) * CORRECTION_GRAIN).clamp(-CORRECTION_MAX, CORRECTION_MAX);
        for (back, slot) in before.into_iter().enumerate() {
            let place = self.place(side, slot);
            let kept = &mut self.after[back][place];
            // A running mean, in which a deep search weighs more.
            *kept = ((i32::from(*kept) * (256 - weight) + error / 2 * weight) / 256) as i16;
        }
    }
}

/// Whether a search's result contradicts the static score at all: a bound on the same side of it does not.
pub(crate) fn contradicts(bound: Bound, best: Score, still: Score) -> bool {
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
        let mut corrections = Corrections::new(10);
        for _ in 0..2000 {
            corrections.learn(100, 140, 8, 0, [3, 4]);
        }
        let corrected = corrections.correct(100, 0, [3, 4]);
        assert!((136..=140).contains(&corrected), "{corrected}");
        assert_eq!(corrections.correct(100, 1, [3, 4]), 100, "the other side's scores are its own");
        assert_eq!(corrections.correct(100, 0, [5, 10]), 100);
    }

    #[test]
    fn a_bound_on_the_same_side_teaches_nothing() {
        assert!(contradicts(Bound::Lower, 50, 20) && !contradicts(Bound::Lower, 50, 80));
        assert!(contradicts(Bound::Upper, 50, 80) && !contradicts(Bound::Upper, 50, 20));
    }
}
