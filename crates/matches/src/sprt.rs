//! The sequential probability ratio test (SPRT): a match ends as soon as its pairs show which of two strengths is true.
//!
//! The strengths are in normalised Elo (M. Van den Bergh, "Normalized Elo", 2020): the mean score above one half,
//! divided by the standard deviation of a game, times 800 / ln 10. A test in this unit takes the same number of games
//! whatever the fraction of draws and however unbalanced the openings are. The deviation is that of the pairs of games
//! from one opening, times the square root of two, because both games of a pair are correlated. The log-likelihood
//! ratio is that of the t-statistic, as fishtest computes it.

use std::f64::consts::LN_10;
use std::str::FromStr;

use crate::stats::Counts;

/// The normalised Elo of a mean that is one standard deviation of a game above one half.
const NORMALISED_ELO_PER_DEVIATION: f64 = 800.0 / LN_10;

/// The weight that is added to each result of a pair, so that an empty match has a mean.
const PRIOR_WEIGHT: f64 = 1e-3;

/// The smallest deviation of a game in the test. Few or one-sided results have a smaller one by chance.
const MIN_GAME_DEVIATION: f64 = 0.25;

/// A sequential test of two strengths.
///
/// ```
/// use alfil_matches::sprt::{Sprt, SprtResult};
///
/// let sprt: Sprt = "elo0=0,elo1=5".parse()?;
/// assert_eq!((sprt.alpha, sprt.beta), (0.05, 0.05));
/// assert_eq!(sprt.result(&[60, 250, 700, 420, 120]), Some(SprtResult::AcceptElo1));
/// assert_eq!(sprt.result(&[1, 2, 3, 2, 1]), None);
/// # Ok::<(), alfil_matches::sprt::ParseSprtError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The normalised Elo difference of the null hypothesis.
    pub elo0: f64,
    /// The normalised Elo difference of the alternative hypothesis, above `elo0`.
    pub elo1: f64,
    /// The probability of accepting `elo1` when `elo0` is true.
    pub alpha: f64,
    /// The probability of accepting `elo0` when `elo1` is true.
    pub beta: f64,
}

/// The end of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SprtResult {
    /// The first engine is no stronger than `elo0`.
    AcceptElo0,
    /// The first engine is at least as strong as `elo1`.
    AcceptElo1,
}

impl SprtResult {
    /// Returns the name of the accepted hypothesis: `elo0` or `elo1`.
    pub fn name(self) -> &'static str {
        match self {
            SprtResult::AcceptElo0 => "elo0",
            SprtResult::AcceptElo1 => "elo1",
        }
    }
}

impl Sprt {
    /// Returns the log-likelihood ratios at which `elo0` and `elo1` are accepted.
    pub fn bounds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// Returns the log-likelihood ratio of `elo1` against `elo0` from the numbers of pairs by their points.
    pub fn log_likelihood_ratio(&self, pairs: &Counts<5>) -> f64 {
        let weights = pairs.map(|count| count as f64 + PRIOR_WEIGHT);
        let total: f64 = weights.iter().sum();
        let moment = |f: &dyn Fn(f64) -> f64| {
            weights.iter().enumerate().map(|(i, weight)| weight * f(i as f64 / 4.0)).sum::<f64>() / total
        };
        let mean = moment(&|points| points);
        let game_deviation = (2.0 * moment(&|points| (points - mean).powi(2))).sqrt();
        let found = (mean - 0.5) / game_deviation.max(MIN_GAME_DEVIATION);
        let distance = |elo: f64| (found - elo / NORMALISED_ELO_PER_DEVIATION).powi(2);
        // Half the number of games times the difference of the squared distances.
        total * (distance(self.elo0) - distance(self.elo1))
    }

    /// Returns the result of the test, or `None` while it goes on.
    pub fn result(&self, pairs: &Counts<5>) -> Option<SprtResult> {
        let [low, high] = self.bounds();
        match self.log_likelihood_ratio(pairs) {
            ratio if ratio <= low => Some(SprtResult::AcceptElo0),
            ratio if ratio >= high => Some(SprtResult::AcceptElo1),
            _ => None,
        }
    }
}

/// The error for a text that is not a sequential test.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0}: expected elo0=A,elo1=B with A below B, and optionally alpha and beta between 0 and 0.5, such as elo0=0,elo1=5,alpha=0.05,beta=0.05"
)]
pub struct ParseSprtError(String);

impl FromStr for Sprt {
    type Err = ParseSprtError;

    fn from_str(text: &str) -> Result<Sprt, ParseSprtError> {
        let (mut elos, mut errors) = ([None; 2], [Some(0.05); 2]);
        for part in text.split(',') {
            let (key, value) = part.split_once('=').ok_or(ParseSprtError(format!("cannot read {part:?}")))?;
            let value = value.trim().parse::<f64>().ok().filter(|value| value.is_finite());
            let value = value.ok_or_else(|| ParseSprtError(format!("{part:?} has no number")))?;
            match key.trim() {
                "elo0" => elos[0] = Some(value),
                "elo1" => elos[1] = Some(value),
                "alpha" => errors[0] = Some(value).filter(|value| *value > 0.0 && *value < 0.5),
                "beta" => errors[1] = Some(value).filter(|value| *value > 0.0 && *value < 0.5),
                key => return Err(ParseSprtError(format!("unknown key {key:?}"))),
            }
        }
        let incomplete = || ParseSprtError(format!("{text:?} is no test"));
        let ([Some(elo0), Some(elo1)], [Some(alpha), Some(beta)]) = (elos, errors) else {
            return Err(incomplete());
        };
        if elo0 < elo1 { Ok(Sprt { elo0, elo1, alpha, beta }) } else { Err(incomplete()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alfil_kernel::zobrist::SplitMix64;

    /// Returns the normalised Elo difference of pairs with these probabilities.
    fn normalised_elo(probabilities: &[f64; 5]) -> f64 {
        let moment = |f: &dyn Fn(f64) -> f64| -> f64 {
            probabilities.iter().enumerate().map(|(i, probability)| probability * f(i as f64 / 4.0)).sum()
        };
        let mean = moment(&|points| points);
        let variance = moment(&|points| (points - mean).powi(2));
        (mean - 0.5) / (2.0 * variance).sqrt() * NORMALISED_ELO_PER_DEVIATION
    }

    #[test]
    fn the_bounds_are_those_of_wald() {
        let sprt: Sprt = "elo0=0,elo1=5,alpha=.05,beta=.10".parse().unwrap();
        let [low, high] = sprt.bounds();
        assert!(
            (low - (0.10_f64 / 0.95).ln()).abs() < 1e-12 && (high - (0.90_f64 / 0.05).ln()).abs() < 1e-12
        );
    }

    /// 600 pairs of a win and a draw, 400 of a loss and a draw: mean 0.55, variance of a pair 0.06, so the deviation
    /// of a game is sqrt(0.12) and the normalised Elo 347.4 * 0.05 / 0.3464 = 50.15.
    #[test]
    fn the_ratio_of_a_worked_example() {
        let pairs = [0, 400, 0, 600, 0];
        let expected = normalised_elo(&[0.0, 0.4, 0.0, 0.6, 0.0]);
        assert!((expected - 50.15).abs() < 0.01, "{expected}");
        // At the middle of both hypotheses the ratio's logarithm is about zero; it grows with the distance and changes
        // sign.
        let ratio = |elo0, elo1| Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 }.log_likelihood_ratio(&pairs);
        assert!(ratio(expected - 10.0, expected + 10.0).abs() < 0.02);
        assert!(ratio(0.0, 5.0) > 2.94 && ratio(60.0, 100.0) < -2.94);
        assert_eq!(ratio(0.0, 5.0).signum(), -ratio(95.0, 105.0).signum());
    }

    #[test]
    fn invalid_tests_are_rejected_with_the_reason() {
        for (text, expected) in [
            ("", "cannot read"),
            ("elo0=0", "\"elo0=0\" is no test"),
            ("elo0=5,elo1=0", "is no test"),
            ("elo0=0,elo1=x", "has no number"),
            ("elo0=0,elo1=5,alpha=0.7", "is no test"),
            ("elo0=0,elo1=5,gamma=1", "unknown key"),
        ] {
            let error = text.parse::<Sprt>().unwrap_err().to_string();
            assert!(error.contains(expected) && error.contains("elo0=A,elo1=B"), "{text}: {error}");
        }
    }

    /// Returns the probabilities of a pair's points with this normalised Elo: drawish results, tilted exponentially.
    fn pair_probabilities(elo: f64) -> [f64; 5] {
        let tilted = |tilt: f64| {
            let weights: [f64; 5] =
                std::array::from_fn(|i| [0.05, 0.22, 0.46, 0.22, 0.05][i] * (tilt * i as f64).exp());
            weights.map(|weight| weight / weights.iter().sum::<f64>())
        };
        let (mut low, mut high) = (-2.0, 2.0);
        for _ in 0..60 {
            let tilt = f64::midpoint(low, high);
            *(if normalised_elo(&tilted(tilt)) < elo { &mut low } else { &mut high }) = tilt;
        }
        tilted(low)
    }

    /// Simulates a test at this true strength.
    fn simulate(sprt: &Sprt, probabilities: &[f64; 5], random: &mut SplitMix64) -> SprtResult {
        let mut pairs = [0; 5];
        loop {
            let mut rest = random.next_u64() as f64 / 2_f64.powi(64);
            let result = probabilities.iter().position(|probability| {
                rest -= probability;
                rest < 0.0
            });
            pairs[result.unwrap_or(4)] += 1;
            if let Some(result) = sprt.result(&pairs) {
                return result;
            }
        }
    }

    #[test]
    fn a_one_sided_match_is_decided_early() {
        let sprt: Sprt = "elo0=0,elo1=5".parse().unwrap();
        assert_eq!(sprt.result(&[0, 0, 0, 0, 60]), Some(SprtResult::AcceptElo1));
        assert_eq!(sprt.result(&[60, 0, 0, 0, 0]), Some(SprtResult::AcceptElo0));
        assert_eq!(sprt.result(&[0, 0, 0, 0, 4]), None);
        assert_eq!(sprt.result(&[0; 5]), None);
    }

    /// 5,000 simulated tests at each hypothesis. The standard error of the rates is 0.3 %.
    #[test]
    fn the_error_rates_are_within_alpha_and_beta() {
        let sprt: Sprt = "elo0=0,elo1=25,alpha=.05,beta=.10".parse().unwrap();
        let mut random = SplitMix64::new(20_261_122);
        let mut rate = |elo: f64, wrong: SprtResult| {
            let probabilities = pair_probabilities(elo);
            let errors = (0..5_000).filter(|_| simulate(&sprt, &probabilities, &mut random) == wrong).count();
            errors as f64 / 5_000.0
        };
        let (false_gain, false_loss) =
            (rate(0.0, SprtResult::AcceptElo1), rate(25.0, SprtResult::AcceptElo0));
        assert!((0.03..=0.055).contains(&false_gain), "{false_gain}");
        assert!((0.07..=0.105).contains(&false_loss), "{false_loss}");
    }
}
