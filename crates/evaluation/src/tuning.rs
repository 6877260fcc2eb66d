//! Tunable evaluations: their weights by name, and how often a position counts each weight.

use core::fmt::Write as _;
use core::ops::Range;

use alfil_kernel::{Evaluator, Position};

use crate::tapered_score::TaperedScore;

/// The weights of an evaluation, as declared by [`weights!`](crate::weights).
pub trait Weights: Clone + Send + Sync + 'static {
    /// The names of the fields, in the order of their declaration.
    const FIELD_NAMES: &'static [&'static str];

    /// Returns the weights of all fields in the order of their declaration.
    fn fields(&mut self) -> Vec<&mut [TaperedScore]>;

    /// Returns the fields as Rust source, one a line, in terms of [`one`](crate::tapered_score::one),
    /// [`row`](crate::tapered_score::row) and [`table`](crate::tapered_score::table).
    fn to_source(&self) -> String;

    /// Returns the number of weights.
    fn weight_count(&self) -> usize {
        self.clone().fields().iter().map(|field| field.len()).sum()
    }

    /// Returns all weights in one row.
    fn to_row(&self) -> Vec<TaperedScore> {
        self.clone().fields().into_iter().flat_map(|field| field.iter().copied()).collect()
    }

    /// Returns these weights with their values replaced by those of `row`.
    ///
    /// # Panics
    /// If the length of `row` is not the number of weights.
    #[must_use]
    fn with_row(&self, row: &[TaperedScore]) -> Self {
        let mut weights = self.clone();
        let mut rest = row;
        for field in weights.fields() {
            let (values, remaining) = rest.split_at(field.len());
            field.copy_from_slice(values);
            rest = remaining;
        }
        assert!(rest.is_empty(), "the row has {} values too many", rest.len());
        weights
    }
}

/// A field of [`Weights`]: one weight, a row of weights, or a table.
pub trait WeightField {
    /// Returns the weights of the field in one row.
    fn as_flat_mut(&mut self) -> &mut [TaperedScore];
    /// Appends the field as Rust source to `text`: see [`Weights::to_source`].
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

/// Declares the weights of an evaluation: a struct whose fields are [`WeightField`]s, with its [`Weights`].
///
/// ```
/// use alfil_evaluation::tapered_score::{TaperedScore, one, row};
/// use alfil_evaluation::{Weights as _, weights};
///
/// weights! {
///     /// Two terms.
///     pub struct Weights {
///         /// The bonus of the side to move.
///         tempo: TaperedScore,
///         /// By the number of attacked squares.
///         mobility: [TaperedScore; 2],
///     }
/// }
/// let weights = Weights { tempo: one(10, 0), mobility: row([-5, 5], [-4, 4]) };
/// assert_eq!(weights.to_source(), "tempo: one(10, 0),\nmobility: row([-5, 5], [-4, 4]),\n");
/// ```
#[macro_export]
macro_rules! weights {
    ($(#[$about:meta])* $visibility:vis struct $name:ident { $($(#[$doc:meta])* $field:ident: $field_type:ty,)* }) => {
        $(#[$about])*
        #[derive(Clone, Debug)]
        $visibility struct $name { $($(#[$doc])* pub(super) $field: $field_type,)* }

        impl $crate::Weights for $name {
            const FIELD_NAMES: &'static [&'static str] = &[$(stringify!($field)),*];

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

/// The evaluation of a position as a sum: `scale` times the interpolated sum of all weights, each times its count, is
/// the score from the view of the first side, before rounding.
#[derive(Clone, Debug, PartialEq)]
pub struct EvalTrace {
    /// The weights that count: their indices, ascending, and their counts for the first side minus those for the
    /// second.
    pub counts: Vec<(u16, i16)>,
    /// The game phase, from 1 (midgame) to 0 (endgame).
    pub phase: f64,
    /// The scale factor of the score: lower in positions that are hard to win.
    pub scale: f64,
}

impl EvalTrace {
    /// Returns the sum of these weights, each times its count.
    pub fn sum(&self, row: &[TaperedScore]) -> TaperedScore {
        let add = |sum, &(index, count): &(u16, i16)| sum + row[usize::from(index)] * i32::from(count);
        self.counts.iter().fold(TaperedScore::ZERO, add)
    }
}

/// An evaluation whose weights can be tuned: before rounding, its score is linear in its weights.
pub trait Tunable<P: Position>: Evaluator<P> {
    /// The type of its weights.
    type Weights: Weights;

    /// The score of a search, in centipawns, from which on a position is not used.
    const DECISIVE_SCORE: i32;

    /// Returns the current weights.
    fn weights() -> &'static Self::Weights;

    /// Returns the evaluation of a position as a sum of weights.
    fn trace(position: &P) -> EvalTrace;

    /// Returns the value from 0 to 1 that the score of a position should predict, for the first side: from the result
    /// of its game (0 loss, 1 draw, 2 win) and the disc difference at its end, which is 0 in games that count no discs.
    fn game_result(result: u8, _margin: i32) -> f64 {
        f64::from(result) / 2.0
    }
}

/// A part of an evaluation: what the weights of one field add to the score, in centipawns for the first side, before
/// rounding.
#[derive(Clone, Debug, PartialEq)]
pub struct EvalPart {
    /// The name of the field of the weights.
    pub name: &'static str,
    /// What it adds to the score.
    pub value: f64,
}

/// Returns the parts of the evaluation of a position.
pub fn parts<P: Position, T: Tunable<P>>(position: &P) -> Vec<EvalPart> {
    let trace = T::trace(position);
    let (mut weights, row) = (T::weights().clone(), T::weights().to_row());
    let mut counts = trace.counts.iter().peekable();
    let mut end = 0;
    let fields = weights.fields().into_iter().zip(T::Weights::FIELD_NAMES);
    let part = |(field, name): (&mut [TaperedScore], &&'static str)| {
        end += field.len();
        let mut value = 0.0;
        while let Some(&(index, count)) = counts.next_if(|&&(index, _)| usize::from(index) < end) {
            let weight = row[usize::from(index)];
            let midgame = f64::from(weight.midgame()) * trace.phase;
            value += f64::from(count) * (midgame + f64::from(weight.endgame()) * (1.0 - trace.phase));
        }
        EvalPart { name, value: value * trace.scale }
    };
    fields.map(part).collect()
}

/// Returns how often each weight counts in `evaluation`, which must be linear in the weights.
///
/// It evaluates with the values 1, 1024 and 1024² for three weights at a time in each half and 0 for all others, and
/// reads the counts off the digits of the sum. No weight may count more than 511 times.
pub fn weight_counts<W: Weights>(weights: &W, evaluation: impl Fn(&W) -> TaperedScore) -> Vec<(u16, i16)> {
    const WEIGHTS_PER_HALF: usize = 3;
    const BASE: i32 = 1024;
    let number = weights.weight_count();
    let mut weights = weights.clone();
    set_weights(&mut weights, 0..number, |_| TaperedScore::ZERO);
    let mut counts = Vec::new();
    for from in (0..number).step_by(2 * WEIGHTS_PER_HALF) {
        let probed = from..number.min(from + 2 * WEIGHTS_PER_HALF);
        set_weights(&mut weights, probed.clone(), |i| {
            let digit = BASE.pow(((i - from) % WEIGHTS_PER_HALF) as u32);
            if i - from < WEIGHTS_PER_HALF {
                TaperedScore::new(digit, 0)
            } else {
                TaperedScore::new(0, digit)
            }
        });
        let sum = evaluation(&weights);
        let mut rest = [sum.midgame(), sum.endgame()];
        for i in probed.clone() {
            let rest = &mut rest[(i - from) / WEIGHTS_PER_HALF];
            let count = (*rest + BASE / 2).rem_euclid(BASE) - BASE / 2;
            *rest = (*rest - count) / BASE;
            if count != 0 {
                counts.push((i as u16, count as i16));
            }
        }
        set_weights(&mut weights, probed, |_| TaperedScore::ZERO);
    }
    counts
}

/// Sets the weights with the given indices.
fn set_weights<W: Weights>(weights: &mut W, indices: Range<usize>, value: impl Fn(usize) -> TaperedScore) {
    let mut first = 0;
    for field in weights.fields() {
        for index in indices.start.max(first)..indices.end.min(first + field.len()) {
            field[index - first] = value(index);
        }
        first += field.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    weights! {
        /// Weights of every field type.
        struct TestWeights {
            single: TaperedScore,
            row: [TaperedScore; 4],
            table: [[TaperedScore; 2]; 2],
        }
    }

    #[test]
    fn weight_counts_finds_the_count_of_every_weight() {
        let t = TaperedScore::new;
        let weights = TestWeights { single: t(3, 4), row: [t(1, 2); 4], table: [[t(5, 6); 2]; 2] };
        let factors = [-7, 511, 0, -511, 300, 1, -1, 0, 2];
        let evaluation = |weights: &TestWeights| {
            let row = weights.to_row();
            row.iter().zip(factors).fold(TaperedScore::ZERO, |sum, (&weight, factor)| sum + weight * factor)
        };
        let counts = weight_counts(&weights, evaluation);
        let expected: Vec<_> = (0..).zip(factors.map(|n| n as i16)).filter(|&(_, n)| n != 0).collect();
        assert_eq!(counts, expected);
        let trace = EvalTrace { counts, phase: 1.0, scale: 1.0 };
        assert_eq!(trace.sum(&weights.to_row()), evaluation(&weights));
        assert_eq!(weights.with_row(&weights.to_row()).to_source(), weights.to_source());
        assert!(weights.to_source().ends_with("table: table([[5, 5], [5, 5]], [[6, 6], [6, 6]]),\n"));
    }
}
