//! Elo ratings of the engines of a tournament, by maximum likelihood.
//!
//! The model is the logistic curve of Elo with draws as half points; its likelihood is greatest where every engine has
//! scored as many points as the ratings predict. The uncertainty comes from the pairs of games as they were played (a
//! sandwich estimate), so that draws and the correlation within a pair are accounted for.

use crate::stats::{Counts, score_from_elo};

/// The drawn games that are added to each pairing, so that an engine that won everything has a finite rating.
const PRIOR_DRAWS: f64 = 0.5;

/// The change of a rating, in Elo, below which the iteration ends.
const PRECISION: f64 = 1e-9;

/// The maximum number of iterations; Newton's method needs fewer than ten unless a result is extreme.
const MAX_ITERATIONS: usize = 200;

/// The most that a rating changes in one iteration, in Elo.
const MAX_STEP: f64 = 400.0;

/// The 97.5 % quantile of the normal distribution.
const NORMAL_975: f64 = 1.959_963_984_540_054;

/// The pairs of games between two engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairingResult {
    /// The numbers of the engines.
    pub engines: [usize; 2],
    /// The numbers of finished pairs by the points of the first engine.
    pub pairs: Counts<5>,
}

/// The rating of an engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The rating in Elo, 0 for the mean of all engines.
    pub elo: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
}

/// Returns the ratings of `engines` engines. The mean is 0 for each group of engines that are connected by games:
/// engines of different groups cannot be compared.
///
/// ```
/// use alfil_matches::ratings::{PairingResult, ratings};
///
/// // 1,500 of 2,000 points: 190.8 Elo between both engines.
/// let found = ratings(2, &[PairingResult { engines: [0, 1], pairs: [0, 250, 0, 250, 500] }]);
/// assert!((found[0].elo - found[1].elo - 190.8).abs() < 0.1, "{found:?}");
/// ```
///
/// # Panics
/// If a pairing names an engine that does not exist.
pub fn ratings(engines: usize, pairings: &[PairingResult]) -> Vec<Rating> {
    let mut ratings = vec![Rating { elo: 0.0, error: 0.0 }; engines];
    for group in connected_groups(engines, pairings) {
        let index = |engine: usize| group.iter().position(|&member| member == engine);
        let of_group = |pairing: &PairingResult| {
            let [one, two] = pairing.engines.map(index);
            Some(PairingResult { engines: [one?, two?], pairs: pairing.pairs })
        };
        let pairings: Vec<_> = pairings.iter().filter_map(of_group).collect();
        for (&engine, rating) in group.iter().zip(group_ratings(group.len(), &pairings)) {
            ratings[engine] = rating;
        }
    }
    ratings
}

/// Returns the groups of engines that are connected by games.
fn connected_groups(engines: usize, pairings: &[PairingResult]) -> Vec<Vec<usize>> {
    let mut group_of: Vec<usize> = (0..engines).collect();
    for pairing in pairings.iter().filter(|pairing| pairing.pairs.iter().any(|&count| count > 0)) {
        let [kept, joined] = pairing.engines.map(|engine| group_of[engine]);
        group_of.iter_mut().filter(|group| **group == joined).for_each(|group| *group = kept);
    }
    let members = |group| (0..engines).filter(|&engine| group_of[engine] == group).collect::<Vec<_>>();
    (0..engines).map(members).filter(|members| !members.is_empty()).collect()
}

/// Returns the ratings of engines that are connected by games.
fn group_ratings(engines: usize, pairings: &[PairingResult]) -> Vec<Rating> {
    let mut elos = vec![0.0; engines];
    for _ in 0..MAX_ITERATIONS {
        let (gradient, information, _) = derivatives(&elos, pairings);
        let steps = solve(information, &[gradient]).remove(0);
        let mut largest = 0.0_f64;
        for (elo, step) in elos.iter_mut().zip(steps) {
            *elo += step.clamp(-MAX_STEP, MAX_STEP);
            largest = largest.max(step.abs());
        }
        if largest < PRECISION {
            break;
        }
    }
    let (_, information, spread) = derivatives(&elos, pairings);
    // The covariance is the inverse information on both sides of the spread of the gradient.
    let half = solve(information.clone(), &spread);
    let transposed: Vec<Vec<f64>> =
        (0..engines).map(|row| half.iter().map(|column| column[row]).collect()).collect();
    let covariance = solve(information, &transposed);
    let error = |engine: usize| NORMAL_975 * covariance[engine][engine].max(0.0).sqrt();
    elos.iter().enumerate().map(|(engine, &elo)| Rating { elo, error: error(engine) }).collect()
}

/// A square matrix by its columns.
type Matrix = Vec<Vec<f64>>;

/// Returns the gradient of the log-likelihood, its negative second derivative and the covariance of the gradient. The
/// second is made regular by fixing the mean rating.
fn derivatives(elos: &[f64], pairings: &[PairingResult]) -> (Vec<f64>, Matrix, Matrix) {
    let count = elos.len();
    let per_elo = std::f64::consts::LN_10 / 400.0;
    let mut gradient = vec![0.0; count];
    let mut information = vec![vec![1.0 / count as f64; count]; count];
    let mut spread = vec![vec![0.0; count]; count];
    for pairing in pairings {
        let [one, two] = pairing.engines;
        let expected = score_from_elo(elos[one] - elos[two]);
        let pairs: u64 = pairing.pairs.iter().sum();
        let results = || pairing.pairs.iter().enumerate().map(|(i, &pairs)| (pairs as f64, i as f64 / 2.0));
        let points: f64 = results().map(|(pairs, points)| pairs * points).sum();
        let games = 2.0 * pairs as f64 + PRIOR_DRAWS;
        let excess = (points + PRIOR_DRAWS / 2.0 - games * expected) * per_elo;
        let mean = if pairs == 0 { 0.0 } else { points / pairs as f64 };
        let variance: f64 = results().map(|(pairs, points)| pairs * (points - mean).powi(2)).sum();
        let certainty = games * expected * (1.0 - expected) * per_elo * per_elo;
        let variance = (variance + PRIOR_DRAWS / 4.0) * per_elo * per_elo;
        for (engine, sign) in [(one, 1.0), (two, -1.0)] {
            gradient[engine] += sign * excess;
            information[engine][engine] += certainty;
            spread[engine][engine] += variance;
        }
        for (a, b) in [(one, two), (two, one)] {
            information[a][b] -= certainty;
            spread[a][b] -= variance;
        }
    }
    (gradient, information, spread)
}

/// Solves `matrix * x = column` for each column, by elimination with pivots.
fn solve(mut matrix: Matrix, columns: &[Vec<f64>]) -> Matrix {
    let count = matrix.len();
    let mut solutions = columns.to_vec();
    for step in 0..count {
        let size = |row: &usize| matrix[step][*row].abs();
        let pivot = (step..count).max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(step);
        for column in matrix.iter_mut().chain(&mut solutions) {
            column.swap(step, pivot);
        }
        let factors: Vec<f64> = matrix[step].iter().map(|value| value / matrix[step][step]).collect();
        for column in matrix.iter_mut().chain(&mut solutions) {
            let value = column[step];
            for (row, factor) in factors.iter().enumerate().filter(|(row, _)| *row != step) {
                column[row] -= factor * value;
            }
        }
    }
    for solution in &mut solutions {
        for (row, value) in solution.iter_mut().enumerate() {
            *value /= matrix[row][row];
        }
    }
    solutions
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_kernel::zobrist::SplitMix64;

    #[test]
    fn two_engines_have_the_difference_of_their_score() {
        // 1,500 of 2,000 games: 190.85 Elo; the prior changes it by less than a tenth.
        let pairings = [PairingResult { engines: [0, 1], pairs: [0, 250, 0, 250, 500] }];
        let found = ratings(2, &pairings);
        assert!((found[0].elo - found[1].elo - 190.85).abs() < 0.1, "{found:?}");
        assert!((found[0].elo + found[1].elo).abs() < 1e-6, "{found:?}");
        // The mean of a pair is 1.5 points: 250 pairs are one point away from it, and 500 half a point. Each rating has
        // half of the difference.
        let deviation = (250.0 * 1.0 + 250.0 * 0.0 + 500.0 * 0.25_f64).sqrt();
        let slope = 2000.0 * 0.75 * 0.25 * std::f64::consts::LN_10 / 400.0;
        let expected = NORMAL_975 * deviation / slope / 2.0;
        assert!((found[0].error - expected).abs() < 0.05, "{found:?} {expected}");
    }

    #[test]
    fn a_perfect_score_has_a_finite_rating() {
        let found = ratings(2, &[PairingResult { engines: [0, 1], pairs: [0, 0, 0, 0, 20] }]);
        assert!(found[0].elo > 200.0 && found[0].elo.is_finite() && found[0].error.is_finite(), "{found:?}");
    }

    #[test]
    fn groups_without_games_between_them_are_rated_apart() {
        let one = PairingResult { engines: [0, 2], pairs: [0, 5, 10, 8, 3] };
        let two = PairingResult { engines: [4, 3], pairs: [0, 0, 9, 5, 1] };
        let found = ratings(5, &[one, two]);
        let alone = ratings(2, &[PairingResult { engines: [0, 1], ..one }]);
        assert_eq!([found[0], found[2]], [alone[0], alone[1]]);
        assert!(
            found[0].elo > 10.0 && found[0].elo < 60.0 && (found[0].elo + found[2].elo).abs() < 1e-6,
            "{found:?}"
        );
        assert!(found[4].elo > 20.0 && (found[4].elo + found[3].elo).abs() < 1e-6, "{found:?}");
        assert_eq!(found[1], Rating { elo: 0.0, error: 0.0 });
        assert_eq!(ratings(2, &[]).len(), 2);
    }

    /// Simulated round robins of known strengths: each interval contains the true rating in 95 of 100.
    #[test]
    fn the_intervals_contain_the_true_ratings() {
        let truth = [120.0, 30.0, -40.0, -110.0];
        let mut random = SplitMix64::new(7);
        let mut unit = || random.next_u64() as f64 / 2_f64.powi(64);
        let (mut inside, tournaments) = (0, 500);
        for _ in 0..tournaments {
            let mut pairings = Vec::new();
            for one in 0..4 {
                for two in one + 1..4 {
                    let expected = score_from_elo(truth[one] - truth[two]);
                    let draw = expected.min(1.0 - expected) * 0.8;
                    let mut pairs = [0; 5];
                    for _ in 0..100 {
                        let mut game = || {
                            let value = unit();
                            if value < draw { 1 } else { 2 * usize::from(value < expected + draw / 2.0) }
                        };
                        pairs[game() + game()] += 1;
                    }
                    pairings.push(PairingResult { engines: [one, two], pairs });
                }
            }
            let found = ratings(4, &pairings);
            inside += truth
                .iter()
                .zip(&found)
                .filter(|(elo, rating)| (*elo - rating.elo).abs() <= rating.error)
                .count();
        }
        let coverage = inside as f64 / (4.0 * f64::from(tournaments));
        assert!((0.93..=0.97).contains(&coverage), "{coverage}");
    }
}
