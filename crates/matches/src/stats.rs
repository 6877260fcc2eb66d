//! Match statistics: wins and losses, pairs, and the Elo difference with its confidence interval.
//!
//! The two games of a pair start from the same position, so their results are correlated; counting pairs
//! ("pentanomial") gives the correct and usually smaller uncertainty. The interval is the set of mean scores that a
//! likelihood-ratio test does not reject (A. B. Owen, "Empirical likelihood ratio confidence intervals for a single
//! functional", Biometrika 75, 1988). Unlike the mean plus and minus two deviations, it never leaves the range from 0
//! to 1, and it keeps a width when all games have the same result. A sequential test (SPRT) can use the same
//! likelihood.

/// The number of results by the half points of the first engine: 0 to 2 for a game, 0 to 4 for a pair.
pub type Counts<const N: usize> = [u64; N];

/// The 95 % quantile of the chi-squared distribution with one degree of freedom.
const CHI_SQUARED_95: f64 = 3.841_458_820_694_124;

/// The weight of an extreme result that did not occur: it keeps the likelihood defined, and changes an interval by an
/// Elo or two at most.
const MIN_EXTREME_WEIGHT: f64 = 1e-3;

/// The number of bisections of an interval, which exhausts the precision of 64 bits.
const BISECTIONS: usize = 60;

/// The results of a match from the view of its first engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchTally {
    /// The numbers of losses, draws and wins.
    pub games: Counts<3>,
    /// The numbers of finished pairs by their points: both lost; a loss and a draw; two draws, or a win and a loss; a
    /// win and a draw; both won.
    pub pairs: Counts<5>,
    /// The half points of the finished games of unfinished pairs, by pair.
    open_pairs: std::collections::BTreeMap<usize, usize>,
}

impl MatchTally {
    /// Adds a game by its number from 0, with the half points of the first engine: 0, 1 or 2.
    ///
    /// # Panics
    /// Panics if `half_points` is more than 2.
    pub fn add_game(&mut self, number: usize, half_points: usize) {
        self.games[half_points] += 1;
        match self.open_pairs.remove(&(number / 2)) {
            Some(other) => self.pairs[half_points + other] += 1,
            None => {
                self.open_pairs.insert(number / 2, half_points);
            }
        }
    }

    /// Returns the number of games.
    pub fn game_count(&self) -> u64 {
        self.games.iter().sum()
    }

    /// Estimates the Elo difference from pairs, or from single games while no pair is finished; `None` before the first
    /// game.
    pub fn estimate(&self) -> Option<EloEstimate> {
        match self.pairs.iter().sum::<u64>() {
            0 => EloEstimate::from_counts(&self.games),
            _ => EloEstimate::from_counts(&self.pairs),
        }
    }
}

/// An estimate of the Elo difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EloEstimate {
    /// The mean score, from 0 to 1.
    pub score: f64,
    /// The lower bound of the score, at 95 % confidence.
    pub low: f64,
    /// The upper bound of the score, at 95 % confidence.
    pub high: f64,
}

impl EloEstimate {
    /// Estimates from the numbers of results in equal steps of points; `None` without results.
    pub fn from_counts<const N: usize>(counts: &Counts<N>) -> Option<EloEstimate> {
        let total: u64 = counts.iter().sum();
        if total == 0 {
            return None;
        }
        let points = |i: usize| i as f64 / (N - 1) as f64;
        let mut weights = counts.map(|count| count as f64);
        let score =
            weights.iter().enumerate().map(|(i, weight)| weight * points(i)).sum::<f64>() / total as f64;
        for extreme in [0, N - 1] {
            weights[extreme] = weights[extreme].max(MIN_EXTREME_WEIGHT);
        }
        let is_inside = |mean: f64| 2.0 * log_likelihood_ratio(&weights, mean) <= CHI_SQUARED_95;
        Some(EloEstimate {
            score,
            low: confidence_bound(score, 0.0, is_inside),
            high: confidence_bound(score, 1.0, is_inside),
        })
    }

    /// Returns the Elo difference in favour of the first engine, with the lower and the upper bound; infinite if one
    /// engine won everything.
    pub fn elo(&self) -> [f64; 3] {
        [self.score, self.low, self.high].map(elo)
    }
}

/// Returns the Elo difference at which this score is expected: infinite for 0 and 1.
pub fn elo(score: f64) -> f64 {
    // Written so that an even score gives +0, not -0.
    400.0 * (score / (1.0 - score)).log10()
}

/// Returns the score that is expected at this Elo difference.
pub fn score_from_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// Returns the log-likelihood ratio of the results against the most likely distribution with this mean.
///
/// The most likely distribution with a given mean gives each result the weight `n / (1 + λ(x - mean))`, with the λ that
/// yields the mean; the sum that must be zero decreases with λ.
fn log_likelihood_ratio<const N: usize>(weights: &[f64; N], mean: f64) -> f64 {
    let steps = || weights.iter().enumerate().map(|(i, &weight)| (weight, i as f64 / (N - 1) as f64 - mean));
    // Between these bounds no weight is negative, because both extremes have a positive count.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..BISECTIONS {
        let lambda = f64::midpoint(low, high);
        let sum: f64 = steps().map(|(weight, step)| weight * step / (1.0 + lambda * step)).sum();
        *(if sum > 0.0 { &mut low } else { &mut high }) = lambda;
    }
    let lambda = f64::midpoint(low, high);
    steps().map(|(weight, step)| weight * (lambda * step).ln_1p()).sum()
}

/// Returns the mean inside the interval that is farthest from `near` towards `far`.
fn confidence_bound(near: f64, far: f64, is_inside: impl Fn(f64) -> bool) -> f64 {
    if near == far {
        return far;
    }
    let (mut inside, mut outside) = (near, far);
    for _ in 0..BISECTIONS {
        let middle = f64::midpoint(inside, outside);
        *(if is_inside(middle) { &mut inside } else { &mut outside }) = middle;
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_kernel::zobrist::SplitMix64;

    fn assert_near(found: f64, expected: f64, within: f64) {
        assert!((found - expected).abs() <= within, "{found} is not {expected}");
    }

    #[test]
    fn elo_follows_the_logistic_curve() {
        assert_near(elo(0.5), 0.0, 0.0);
        assert_near(elo(0.75), 190.848_501_887_864_97, 1e-9);
        assert_near(elo(0.6), 70.436_504, 1e-5);
        assert_near(elo(10.0 / 11.0), 400.0, 1e-9);
        assert_eq!((elo(0.0), elo(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
        for points in [-300.0, -1.0, 0.0, 55.5] {
            assert_near(elo(score_from_elo(points)), points, 1e-9);
        }
    }

    #[test]
    fn pairs_are_counted_in_whatever_order_they_finish() {
        let results = [(0, 2), (3, 1), (1, 2), (5, 0), (2, 1), (4, 2), (7, 0), (6, 1)];
        let mut tally = MatchTally::default();
        for (number, halves) in results {
            tally.add_game(number, halves);
        }
        assert_eq!((tally.games, tally.pairs, tally.game_count()), ([2, 3, 3], [0, 1, 2, 0, 1], 8));
        let mut unfinished = MatchTally::default();
        unfinished.add_game(9, 2);
        assert_eq!((unfinished.pairs, unfinished.estimate().unwrap().score), ([0; 5], 1.0));
        assert_eq!(MatchTally::default().estimate(), None);
    }

    #[test]
    fn large_samples_give_the_normal_interval() {
        // Mean (600 + 800) / 2400, variance (300 + 800) / 2400 less the square of the mean.
        let estimate = EloEstimate::from_counts(&[400, 1200, 800]).unwrap();
        assert_near(estimate.score, 0.583_333, 1e-5);
        let deviation = (0.118_055_555_6 / 2400.0_f64).sqrt();
        assert_near(estimate.low, 0.583_333 - 1.96 * deviation, 2e-4);
        assert_near(estimate.high, 0.583_333 + 1.96 * deviation, 2e-4);
        // One hundred even pairs: variance (10 * 1/4 + 40 * 1/16) / 100 = 1/20, deviation of the mean 0.02236.
        let estimate = EloEstimate::from_counts(&[5, 20, 50, 20, 5]).unwrap();
        assert_near(estimate.score, 0.5, 0.0);
        assert_near(estimate.low, 0.5 - 0.04383, 5e-4);
        assert_near(estimate.elo()[2], 30.5, 0.5);
        assert_near(estimate.elo()[1], -estimate.elo()[2], 1e-6);
    }

    #[test]
    fn one_sided_results_keep_an_interval() {
        // By the likelihood of n equal results the bound is exp(-3.84 / 2n).
        let estimate = EloEstimate::from_counts(&[0, 0, 0, 0, 10]).unwrap();
        assert_near(estimate.low, (-1.920_729_f64 / 10.0).exp(), 2e-3);
        assert_eq!((estimate.score, estimate.high, estimate.elo()[2]), (1.0, 1.0, f64::INFINITY));
        let mirrored = EloEstimate::from_counts(&[10, 0, 0, 0, 0]).unwrap();
        assert_near(mirrored.high, 1.0 - estimate.low, 1e-9);
        assert_eq!(mirrored.low, 0.0);
        let drawn = EloEstimate::from_counts(&[0, 0, 4, 0, 0]).unwrap();
        assert!(drawn.low < 0.5 && drawn.high > 0.5 && drawn.low > 0.05, "{drawn:?}");
    }

    /// Simulated matches of known strength: the interval must contain the true score in 95 of 100. It would do so less
    /// often if the correlated games of a pair were counted as independent.
    #[test]
    fn the_interval_contains_the_true_score_in_95_percent_of_matches() {
        let probabilities = [0.08, 0.22, 0.35, 0.25, 0.10];
        let true_score: f64 =
            probabilities.iter().enumerate().map(|(i, probability)| probability * i as f64 / 4.0).sum();
        let mut random = SplitMix64::new(20_261_121);
        let (mut covered, matches) = (0, 2000);
        for _ in 0..matches {
            let mut counts = [0; 5];
            for _ in 0..60 {
                let mut rest = random.next_u64() as f64 / 2_f64.powi(64);
                let result = probabilities.iter().position(|probability| {
                    rest -= probability;
                    rest < 0.0
                });
                counts[result.unwrap_or(4)] += 1;
            }
            let estimate = EloEstimate::from_counts(&counts).unwrap();
            covered += u32::from(estimate.low <= true_score && true_score <= estimate.high);
        }
        let coverage = f64::from(covered) / f64::from(matches);
        assert!((0.935..=0.965).contains(&coverage), "{coverage}");
    }
}
