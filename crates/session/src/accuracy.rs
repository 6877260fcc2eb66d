//! The accuracy of the sides of a game, in percent, from the chances to win before and after each move.
//!
//! Chess uses the formulas that lichess publishes, so that people can compare the figures. The other games use the same
//! form with constants of their own ([`AccuracyFormula`]).

use alfil_kernel::Side;
use alfil_records::Tags;

use crate::game_info::GameInfo;

/// The version of the formula, which stands wherever an accuracy is stored or exported. Version 1, which had no number,
/// was 100 less the mean loss of expected score.
pub const ACCURACY_VERSION: u32 = 2;

/// The constants of the accuracy of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AccuracyFormula {
    /// How fast the chance to win grows with the score: its factor in the exponent, for a centipawn.
    pub slope: f64,
    /// Scores count up to this value in centipawns, and so does a mate.
    pub max_score_cp: f64,
    /// How fast the accuracy of a move falls with the chance to win that it loses: the larger, the faster.
    pub steepness: f64,
    /// Whether the best move of the analysis has 100 %, whatever the search says of the position after it. Scores of
    /// shallow searches vary from one ply to the next.
    pub best_is_perfect: bool,
}

impl AccuracyFormula {
    /// The formula of lichess.
    pub const LICHESS: AccuracyFormula = AccuracyFormula {
        slope: 0.003_682_08,
        max_score_cp: 1_000.0,
        steepness: 0.043_544_153_867_539_51,
        best_is_perfect: false,
    };

    /// Returns the chance of the first side to win in percent, from the score in centipawns and the plies to a forced
    /// end from its view.
    ///
    /// ```
    /// use alfil_session::accuracy::AccuracyFormula;
    ///
    /// let chess = AccuracyFormula::LICHESS;
    /// assert_eq!(chess.win_percent(0, None), 50.0);
    /// assert!((chess.win_percent(100, None) - 59.10).abs() < 0.01);
    /// // A mate has the value of ten pawns.
    /// assert_eq!(chess.win_percent(29_000, Some(5)), chess.win_percent(1_000, None));
    /// ```
    pub fn win_percent(&self, score_cp: i32, mate_plies: Option<i32>) -> f64 {
        let mate = |plies: i32| self.max_score_cp * f64::from(plies.signum());
        let score = mate_plies.map_or(f64::from(score_cp), mate).clamp(-self.max_score_cp, self.max_score_cp);
        50.0 + 50.0 * (2.0 / (1.0 + (-self.slope * score).exp()) - 1.0)
    }

    /// Returns the accuracy of a move in percent, from the chance to win of its side before and after it in percent.
    pub fn move_accuracy(&self, before: f64, after: f64) -> f64 {
        if after >= before {
            return 100.0;
        }
        let value = MOVE_SCALE * (-self.steepness * (before - after)).exp() + MOVE_OFFSET + UNCERTAINTY_BONUS;
        value.clamp(0.0, 100.0)
    }
}

/// The scale and the offset of the exponential of the accuracy of a move.
const MOVE_SCALE: f64 = 103.166_810_071_164_9;
const MOVE_OFFSET: f64 = -3.166_924_740_191_411;
/// What a move that loses something is given, because no analysis is perfect.
const UNCERTAINTY_BONUS: f64 = 1.0;

/// A move that counts for the accuracy of its side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountedMove {
    /// The side that played it.
    pub side: Side,
    /// Whether it is the best move of the analysis.
    pub is_best: bool,
}

/// The moves of a game whose accuracy is computed, in their order. Positions that were not analysed leave gaps.
///
/// ```
/// use alfil_kernel::Side::{First, Second};
/// use alfil_session::accuracy::{AccuracyFormula, CountedMove, GameMoves};
///
/// let mut moves = GameMoves::default();
/// assert_eq!(moves.accuracies(&AccuracyFormula::LICHESS), [None; 2]);
/// // White loses nothing, Black 30 % of the chance to win.
/// moves.push([(0, 50.0), (1, 50.0)], Some(CountedMove { side: First, is_best: false }));
/// moves.push([(1, 50.0), (2, 80.0)], Some(CountedMove { side: Second, is_best: false }));
/// let [white, black] = moves.accuracies(&AccuracyFormula::LICHESS);
/// assert_eq!(white, Some(100.0));
/// assert!(black.is_some_and(|accuracy| accuracy < 30.0));
/// ```
#[derive(Clone, Debug, Default)]
pub struct GameMoves {
    /// The chances of the first side to win in the positions, in percent.
    win_percents: Vec<f64>,
    /// The moves between them, `None` where the move does not count.
    moves: Vec<Option<CountedMove>>,
    /// The number of the last position.
    last: Option<usize>,
}

impl GameMoves {
    /// Adds a move with the numbers of the positions before and after it, and the chances of the first side to win
    /// there in percent; `None` is a move that does not count.
    pub fn push(&mut self, [before, after]: [(usize, f64); 2], mv: Option<CountedMove>) {
        if self.last != Some(before.0) {
            self.moves.extend(self.last.map(|_| None));
            self.win_percents.push(before.1);
        }
        self.win_percents.push(after.1);
        self.moves.push(mv);
        self.last = Some(after.0);
    }

    /// Returns the accuracies of both sides in percent; `None` for a side without moves that count.
    ///
    /// Each is the mean of two means of the accuracies of the moves: one is weighted by how much the chances vary
    /// around the move, and the harmonic one is low if a few moves were bad.
    pub fn accuracies(&self, formula: &AccuracyFormula) -> [Option<f64>; 2] {
        let moves = self.moves.iter().zip(self.win_percents.windows(2)).enumerate();
        let mut found = [Vec::new(), Vec::new()];
        for (index, (mv, pair)) in moves {
            let Some(CountedMove { side, is_best }) = *mv else { continue };
            let own = |percent: f64| if side == Side::First { percent } else { 100.0 - percent };
            let is_perfect = is_best && formula.best_is_perfect;
            let accuracy = if is_perfect { 100.0 } else { formula.move_accuracy(own(pair[0]), own(pair[1])) };
            found[side.index()].push((accuracy, self.weight(index)));
        }
        found.map(|moves| {
            let sum = |value: fn(&(f64, f64)) -> f64| moves.iter().map(value).sum::<f64>();
            let weighted = sum(|(accuracy, weight)| accuracy * weight) / sum(|(_, weight)| *weight);
            let harmonic = moves.len() as f64 / sum(|(accuracy, _)| 1.0 / accuracy.max(1.0));
            (!moves.is_empty()).then_some((weighted + harmonic) / 2.0)
        })
    }

    /// Returns the weight of a move: the standard deviation of the chances in a window that ends after it. The windows
    /// of the first moves are all the first one.
    fn weight(&self, index: usize) -> f64 {
        let window = (self.moves.len() / 10).clamp(2, 8);
        let start = (index + 2).saturating_sub(window);
        let percents = &self.win_percents[start..(start + window).min(self.win_percents.len())];
        let mean = |values: &mut dyn Iterator<Item = f64>| values.sum::<f64>() / percents.len() as f64;
        let centre = mean(&mut percents.iter().copied());
        mean(&mut percents.iter().map(|percent| (percent - centre).powi(2))).sqrt().clamp(0.5, 12.0)
    }
}

/// Sets the tags of a record that have the accuracies of both sides in percent, and the version of their formula;
/// removes those that have no value.
pub fn set_accuracy_tags(tags: &mut Tags, info: &GameInfo, accuracies: [Option<f64>; 2]) {
    let version = accuracies.iter().any(Option::is_some).then(|| ACCURACY_VERSION.to_string());
    let sides = info.appearance.sides.iter().zip(accuracies);
    let texts = sides
        .map(|(side, accuracy)| (format!("{side}Accuracy"), accuracy.map(|value| format!("{value:.1}"))));
    for (name, text) in texts.chain([("AccuracyVersion".to_owned(), version)]) {
        match text {
            Some(text) => tags.set(&name, text),
            None => drop(tags.remove(&name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the accuracies of White and Black by the formula of lichess, from the centipawns after each move. Its
    /// games begin with 15 centipawns.
    fn lichess(cps: &[i32]) -> [f64; 2] {
        let chess = crate::registry::info("chess").unwrap();
        let percent = |cp: i32| chess.accuracy.win_percent(cp, None);
        let mut moves = GameMoves::default();
        for (ply, pair) in [&[15], cps].concat().windows(2).enumerate() {
            let mv = CountedMove { side: Side::BOTH[ply % 2], is_best: true };
            moves.push([(ply, percent(pair[0])), (ply + 1, percent(pair[1]))], Some(mv));
        }
        moves.accuracies(&chess.accuracy).map(Option::unwrap)
    }

    #[test]
    fn the_accuracy_of_a_move_is_that_which_lichess_publishes() {
        let known =
            [(0.0, 100.0), (1.0, 96.604), (5.0, 80.815), (10.0, 64.580), (20.0, 41.017), (40.0, 15.909)];
        for (loss, accuracy) in known {
            let found = AccuracyFormula::LICHESS.move_accuracy(90.0, 90.0 - loss);
            assert!((found - accuracy).abs() < 0.001, "{loss}: {found}");
        }
        assert_eq!(AccuracyFormula::LICHESS.move_accuracy(100.0, 0.0), 0.0);
    }

    #[test]
    fn the_accuracy_of_a_game_is_that_of_lichess() {
        // The values come from another implementation of the published formulas.
        let long = [20, 18, 25, -180, -170, 40, 35, 30, 260, -300].repeat(4);
        let games: [(&[i32], [f64; 2]); 5] = [
            (&[15, 15], [100.0, 100.0]),
            (&[15, 900], [100.0, 12.303_138]),
            (&[20, 30, -100, -90, 50, 60], [81.329_640, 97.002_509]),
            (&[-900, 900].repeat(24), [0.741_788, 0.5]),
            (&long, [99.784_664, 83.897_747]),
        ];
        for (cps, expected) in games {
            let found = lichess(cps);
            let is_equal =
                found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-5);
            assert!(is_equal, "{cps:?}: {found:?}");
        }
    }

    #[test]
    fn a_move_that_does_not_count_changes_no_mean() {
        let accuracies = |second: Option<CountedMove>| {
            let first = Some(CountedMove { side: Side::First, is_best: false });
            let mut moves = GameMoves::default();
            moves.push([(0, 50.0), (1, 30.0)], first);
            moves.push([(1, 30.0), (2, 40.0)], second);
            moves.push([(2, 40.0), (3, 35.0)], first);
            moves.accuracies(&AccuracyFormula::LICHESS)
        };
        let counted = accuracies(Some(CountedMove { side: Side::Second, is_best: false }));
        assert!(counted[1].is_some());
        assert_eq!(accuracies(None), [counted[0], None]);
    }

    #[test]
    fn the_best_move_is_perfect_in_the_games_whose_formula_says_so() {
        let formula = AccuracyFormula { best_is_perfect: true, ..AccuracyFormula::LICHESS };
        let mut moves = GameMoves::default();
        moves.push([(0, 50.0), (1, 30.0)], Some(CountedMove { side: Side::First, is_best: true }));
        assert_eq!(moves.accuracies(&formula)[0], Some(100.0));
        assert!(moves.accuracies(&AccuracyFormula::LICHESS)[0].is_some_and(|accuracy| accuracy < 50.0));
    }
}
