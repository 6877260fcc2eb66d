//! Evaluations whose numbers can be fitted: their weights by name, and what a position counts of each.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;
use core::ops::Range;

use crate::evaluate::{Evaluate, Score};
use crate::outcome::{Outcome, Side, Verdict};
use crate::position::Position;
use crate::taper::Taper;

/// The weights of an evaluation, as [`weights!`](crate::weights) declares them.
pub trait Weights: Clone + Send + Sync + 'static {
    /// All weights, field by field in the order of their declaration.
    fn fields(&mut self) -> Vec<&mut [Taper]>;

    /// The fields as a source file has them, a line each, by the functions [`one`](crate::taper::one), [`row`](crate::taper::row) and
    /// [`table`](crate::taper::table).
    fn write(&self) -> String;

    /// How many weights there are.
    fn number(&self) -> usize {
        self.clone().fields().iter().map(|field| field.len()).sum()
    }

    /// The weights in one row.
    fn row(&self) -> Vec<Taper> {
        self.clone().fields().into_iter().flat_map(|field| field.iter().copied()).collect()
    }

    /// These weights with the numbers of a row in their places.
    ///
    /// # Panics
    /// If the row is not as long as there are weights.
    #[must_use]
    fn with(&self, row: &[Taper]) -> Self {
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
pub trait Shape {
    /// Its weights in one row.
    fn flat(&mut self) -> &mut [Taper];
    /// Appends it as a source file has it: see [`Weights::write`].
    fn write(&self, text: &mut String);
}

impl Shape for Taper {
    fn flat(&mut self) -> &mut [Taper] {
        core::slice::from_mut(self)
    }

    fn write(&self, text: &mut String) {
        let _ = write!(text, "one({}, {})", self.middle(), self.end());
    }
}

impl<const N: usize> Shape for [Taper; N] {
    fn flat(&mut self) -> &mut [Taper] {
        self
    }

    fn write(&self, text: &mut String) {
        let _ = write!(text, "row({:?}, {:?})", self.map(Taper::middle), self.map(Taper::end));
    }
}

impl<const N: usize, const M: usize> Shape for [[Taper; N]; M] {
    fn flat(&mut self) -> &mut [Taper] {
        self.as_flattened_mut()
    }

    fn write(&self, text: &mut String) {
        let [middle, end] = [Taper::middle, Taper::end].map(|half| self.map(|row| row.map(half)));
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
            fn fields(&mut self) -> Vec<&mut [$crate::Taper]> {
                Vec::from([$($crate::tune::Shape::flat(&mut self.$field)),*])
            }

            fn write(&self) -> String {
                let mut text = String::new();
                $(
                    text += concat!(stringify!($field), ": ");
                    $crate::tune::Shape::write(&self.$field, &mut text);
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
pub struct Features {
    /// The numbers of the weights that count, ascending, and how often: for the first side, less for the second.
    pub counts: Vec<(u16, i16)>,
    /// How much is left of the middle game, from 1 to 0.
    pub middle: f64,
    /// The part of the lead that can be won.
    pub part: f64,
}

impl Features {
    /// The sum of these weights, each as often as it counts.
    pub fn sum(&self, row: &[Taper]) -> Taper {
        let add = |sum, &(number, times): &(u16, i16)| sum + row[usize::from(number)] * i32::from(times);
        self.counts.iter().fold(Taper::ZERO, add)
    }
}

/// An evaluation whose numbers can be fitted: its score is, before rounding, a sum of weights, each as often as the position
/// counts it.
pub trait Tunable<P: Position>: Evaluate<P> {
    /// Its weights.
    type Weights: Weights;

    /// The lead, in the units of [`Score`], at which a game of a fit is not played on, and from which positions teach nothing.
    const DECIDED: Score;

    /// The weights as they stand.
    fn weights() -> &'static Self::Weights;

    /// The position taken apart.
    fn features(position: &P) -> Features;

    /// What the first side got of the game, from 0 to 1: what its score should foretell.
    fn share<C>(verdict: &Verdict<C>) -> f64 {
        match verdict.outcome {
            Outcome::Win(Side::First) => 1.0,
            Outcome::Draw => 0.5,
            Outcome::Win(Side::Second) => 0.0,
        }
    }
}

/// How often each weight counts in `lead`, a sum of weights, found by asking it: three weights at a time in each half, worth 1, 1024 and
/// 1024² while all others are worth nothing. None may count more than 511 times.
pub fn counts<W: Weights>(weights: &W, lead: impl Fn(&W) -> Taper) -> Vec<(u16, i16)> {
    const TOGETHER: usize = 3;
    const BASE: i32 = 1024;
    let number = weights.number();
    let mut weights = weights.clone();
    set(&mut weights, 0..number, |_| Taper::ZERO);
    let mut counts = Vec::new();
    for from in (0..number).step_by(2 * TOGETHER) {
        let asked = from..number.min(from + 2 * TOGETHER);
        set(&mut weights, asked.clone(), |i| {
            let worth = BASE.pow(((i - from) % TOGETHER) as u32);
            if i - from < TOGETHER { Taper::new(worth, 0) } else { Taper::new(0, worth) }
        });
        let lead = lead(&weights);
        let mut rest = [lead.middle(), lead.end()];
        for i in asked.clone() {
            let rest = &mut rest[(i - from) / TOGETHER];
            let times = (*rest + BASE / 2).rem_euclid(BASE) - BASE / 2;
            *rest = (*rest - times) / BASE;
            if times != 0 {
                counts.push((i as u16, times as i16));
            }
        }
        set(&mut weights, asked, |_| Taper::ZERO);
    }
    counts
}

/// Sets the weights of these numbers.
fn set<W: Weights>(weights: &mut W, numbers: Range<usize>, worth: impl Fn(usize) -> Taper) {
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
            one: Taper,
            more: [Taper; 4],
            square: [[Taper; 2]; 2],
        }
    }

    #[test]
    fn asking_finds_how_often_each_counts() {
        let t = Taper::new;
        let some = Some { one: t(3, 4), more: [t(1, 2); 4], square: [[t(5, 6); 2]; 2] };
        let times = [-7, 511, 0, -511, 300, 1, -1, 0, 2];
        let lead = |some: &Some| {
            let row = some.row();
            row.iter().zip(times).fold(Taper::ZERO, |sum, (&weight, times)| sum + weight * times)
        };
        let counts = counts(&some, lead);
        let found: Vec<_> = (0..).zip(times.map(|n| n as i16)).filter(|&(_, n)| n != 0).collect();
        assert_eq!(counts, found);
        let features = Features { counts, middle: 1.0, part: 1.0 };
        assert_eq!(features.sum(&some.row()), lead(&some));
        assert_eq!(some.with(&some.row()).write(), some.write());
        assert!(some.write().ends_with("square: table([[5, 5], [5, 5]], [[6, 6], [6, 6]]),\n"));
    }
}
