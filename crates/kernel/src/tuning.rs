//! Evaluations whose numbers can be fitted: their weights by name, and what a position counts of each.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;
use core::ops::Range;

use crate::evaluate::{Evaluate, Score};
use crate::outcome::{Outcome, Side, Verdict};
use crate::position::Position;
use crate::tapered_score::TaperedScore;

/// The weights of an evaluation, as [`weights!`](crate::weights) declares them.
pub trait Weights: Clone + Send + Sync + 'static {
    /// All weights, field by field in the order of their declaration.
    fn fields(&mut self) -> Vec<&mut [TaperedScore]>;

    /// The fields as a source file has them, a line each, by the functions [`one`](crate::taper::one), [`row`](crate::taper::row) and
    /// [`table`](crate::taper::table).
    fn to_source(&self) -> String;

    /// How many weights there are.
    fn weight_count(&self) -> usize {
        self.clone().fields().iter().map(|field| field.len()).sum()
    }

    /// The weights in one row.
    fn to_row(&self) -> Vec<TaperedScore> {
        self.clone().fields().into_iter().flat_map(|field| field.iter().copied()).collect()
    }

    /// These weights with the numbers of a row in their places.
    ///
    /// # Panics
    /// If the row is not as long as there are weights.
    #[must_use]
    fn with_row(&self, row: &[TaperedScore]) -> Self {
        let mut weights = self.clone();
        let mut rest = row;
        for field in weights.fields() {
            let (here, after) = rest.split_at(field.len());
            field.copy_from_slice(here);
            rest = after;
        }
        assert!(rest.is_empty(), "{} numbers too many", rest.len());
        weights
    }
}

/// A weight, a row of them, or a table: what a field of [`Weights`] may be.
pub trait WeightField {
    /// Its weights in one row.
    fn as_flat_mut(&mut self) -> &mut [TaperedScore];
    /// Appends it as a source file has it: see [`Weights::write`].
    fn write_source(&self, text: &mut String);
}

impl WeightField for TaperedScore {
    fn as_flat_mut(&mut self) -> &mut [TaperedScore] {
        core::slice::from_mut(self)
    }

    fn write_source(&self, text: &mut String) {
        let _ = write!(text, "one({}, {})", self.midgame(), self.endgame());
    }
}

impl<const N: usize> WeightField for [TaperedScore; N] {
    fn as_flat_mut(&mut self) -> &mut [TaperedScore] {
        self
    }

    fn write_source(&self, text: &mut String) {
        let _ =
            write!(text, "row({:?}, {:?})", self.map(TaperedScore::midgame), self.map(TaperedScore::endgame));
    }
}

impl<const N: usize, const M: usize> WeightField for [[TaperedScore; N]; M] {
    fn as_flat_mut(&mut self) -> &mut [TaperedScore] {
        self.as_flattened_mut()
    }

    fn write_source(&self, text: &mut String) {
        let [middle, end] =
            [TaperedScore::midgame, TaperedScore::endgame].map(|half| self.map(|row| row.map(half)));
        let _ = write!(text, "table({middle:?}, {end:?})");
    }
}

/// Declares the weights of an evaluation: a struct whose fields are [`Shape`]s, and [`Weights`] for it.
///
/// ```
/// use alfil_kernel::taper::{Taper, one, row};
/// use alfil_kernel::{Weights as _, weights};
///
/// weights! {
///     /// Two ideas.
///     pub struct Weights {
///         /// The right to move.
///         tempo: Taper,
///         /// By the number of squares in reach.
///         reach: [Taper; 2],
///     }
/// }
/// let weights = Weights { tempo: one(10, 0), reach: row([-5, 5], [-4, 4]) };
/// assert_eq!(weights.write(), "tempo: one(10, 0),\nreach: row([-5, 5], [-4, 4]),\n");
/// ```
#[macro_export]
macro_rules! weights {
    ($(#[$about:meta])* $seen:vis struct $name:ident { $($(#[$doc:meta])* $field:ident: $shape:ty,)* }) => {
        $(#[$about])*
        #[derive(Clone, Debug)]
        $seen struct $name { $($(#[$doc])* pub(super) $field: $shape,)* }

        impl $crate::Weights for $name {
            fn fields(&mut self) -> Vec<&mut [$crate::TaperedScore]> {
                Vec::from([$($crate::tuning::WeightField::as_flat_mut(&mut self.$field)),*])
            }

            fn to_source(&self) -> String {
                let mut text = String::new();
                $(
                    text += concat!(stringify!($field), ": ");
                    $crate::tuning::WeightField::write_source(&self.$field, &mut text);
                    text += ",\n";
                )*
                text
            }
        }
    };
}

/// A position taken apart: `part` of the sum of all weights, each as often as it counts, is what the position is worth to the
/// first side, before it is rounded to a whole number.
#[derive(Clone, Debug, PartialEq)]
pub struct EvalTrace {
    /// The numbers of the weights that count, ascending, and how often: for the first side, less for the second.
    pub counts: Vec<(u16, i16)>,
    /// How much is left of the middle game, from 1 to 0.
    pub phase: f64,
    /// The part of the lead that can be won.
    pub scale: f64,
}

impl EvalTrace {
    /// The sum of these weights, each as often as it counts.
    pub fn sum(&self, row: &[TaperedScore]) -> TaperedScore {
        let add = |sum, &(number, times): &(u16, i16)| sum + row[usize::from(number)] * i32::from(times);
        self.counts.iter().fold(TaperedScore::ZERO, add)
    }
}

/// An evaluation whose numbers can be fitted: its score is, before rounding, a sum of weights, each as often as the position
/// counts it.
pub trait Tunable<P: Position>: Evaluate<P> {
    /// Its weights.
    type Weights: Weights;

    /// The lead, in the units of [`Score`], at which a game of a fit is not played on, and from which positions teach nothing.
    const DECISIVE_SCORE: Score;

    /// The weights as they stand.
    fn weights() -> &'static Self::Weights;

    /// The position taken apart.
    fn trace(position: &P) -> EvalTrace;

    /// What the first side got of the game, from 0 to 1: what its score should foretell.
    fn game_result<C>(verdict: &Verdict<C>) -> f64 {
        match verdict.outcome {
            Outcome::Win(Side::First) => 1.0,
            Outcome::Draw => 0.5,
            Outcome::Win(Side::Second) => 0.0,
        }
    }
}

/// How often each weight counts in `lead`, a sum of weights, found by asking it: three weights at a time in each half, worth 1, 1024 and
/// 1024² while all others are worth nothing. None may count more than 511 times.
pub fn weight_counts<W: Weights>(weights: &W, lead: impl Fn(&W) -> TaperedScore) -> Vec<(u16, i16)> {
    const TOGETHER: usize = 3;
    const BASE: i32 = 1024;
    let number = weights.weight_count();
    let mut weights = weights.clone();
    set_weights(&mut weights, 0..number, |_| TaperedScore::ZERO);
    let mut counts = Vec::new();
    for from in (0..number).step_by(2 * TOGETHER) {
        let asked = from..number.min(from + 2 * TOGETHER);
        set_weights(&mut weights, asked.clone(), |i| {
            let worth = BASE.pow(((i - from) % TOGETHER) as u32);
            if i - from < TOGETHER { TaperedScore::new(worth, 0) } else { TaperedScore::new(0, worth) }
        });
        let lead = lead(&weights);
        let mut rest = [lead.midgame(), lead.endgame()];
        for i in asked.clone() {
            let rest = &mut rest[(i - from) / TOGETHER];
            let times = (*rest + BASE / 2).rem_euclid(BASE) - BASE / 2;
            *rest = (*rest - times) / BASE;
            if times != 0 {
                counts.push((i as u16, times as i16));
            }
        }
        set_weights(&mut weights, asked, |_| TaperedScore::ZERO);
    }
    counts
}

/// Sets the weights of these numbers.
fn set_weights<W: Weights>(weights: &mut W, numbers: Range<usize>, worth: impl Fn(usize) -> TaperedScore) {
    let mut first = 0;
    for field in weights.fields() {
        for number in numbers.start.max(first)..numbers.end.min(first + field.len()) {
            field[number - first] = worth(number);
        }
        first += field.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    weights! {
        /// Of no game.
        struct Some {
            one: TaperedScore,
            more: [TaperedScore; 4],
            square: [[TaperedScore; 2]; 2],
        }
    }

    #[test]
    fn asking_finds_how_often_each_counts() {
        let t = TaperedScore::new;
        let some = Some { one: t(3, 4), more: [t(1, 2); 4], square: [[t(5, 6); 2]; 2] };
        let times = [-7, 511, 0, -511, 300, 1, -1, 0, 2];
        let lead = |some: &Some| {
            let row = some.to_row();
            row.iter().zip(times).fold(TaperedScore::ZERO, |sum, (&weight, times)| sum + weight * times)
        };
        let counts = weight_counts(&some, lead);
        let found: Vec<_> = (0..).zip(times.map(|n| n as i16)).filter(|&(_, n)| n != 0).collect();
        assert_eq!(counts, found);
        let features = EvalTrace { counts, phase: 1.0, scale: 1.0 };
        assert_eq!(features.sum(&some.to_row()), lead(&some));
        assert_eq!(some.with_row(&some.to_row()).to_source(), some.to_source());
        assert!(some.to_source().ends_with("square: table([[5, 5], [5, 5]], [[6, 6], [6, 6]]),\n"));
    }
}
