//! Tuning of search parameters by simultaneous perturbation (SPSA; J. C. Spall, "An Overview of the Simultaneous
//! Perturbation Method", 1998): each iteration moves all parameters at once by a random step up or down, plays pairs of
//! games between both sets, and moves the parameters towards the winner.
//!
//! The gains follow fishtest: in iteration `k` of `N`, a parameter is perturbed by `c_k = c (N / k)^0.101` and moves by
//! `a_k / c_k` a point won, with `a_k = r c² ((A + N) / (A + k))^0.602`. `c` is the perturbation of the last iteration,
//! `r` is [`FINAL_RATE`].

use alfil_kernel::zobrist::SplitMix64;
use alfil_session::{ParamValue, SearchParam};

/// The exponent of the step size.
const ALPHA: f64 = 0.602;
/// The exponent of the perturbation.
const GAMMA: f64 = 0.101;
/// The part of the run after which the step size begins to fall: the constant `A` over the number of iterations.
const STABILITY: f64 = 0.1;
/// The quotient of step size and squared perturbation in the last iteration.
pub const FINAL_RATE: f64 = 0.002;

/// A parameter and its value in the run.
#[derive(Clone, Debug, PartialEq)]
pub struct TunedParam {
    /// The parameter.
    pub param: &'static SearchParam,
    /// The value, a fraction between the iterations.
    pub value: f64,
    /// The perturbation of the last iteration.
    pub perturbation: f64,
}

/// A run of SPSA: its state is the values and the number of the next iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Spsa {
    /// The parameters.
    pub params: Vec<TunedParam>,
    /// The number of finished iterations.
    pub finished: u64,
    /// The number of iterations of the whole run.
    pub iterations: u64,
    /// The random seed.
    pub seed: u64,
}

/// The two sets of values of an iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Perturbation {
    /// The direction of each parameter, 1 or -1.
    pub directions: Vec<f64>,
    /// The values in that direction and in the opposite one.
    pub values: [Vec<ParamValue>; 2],
}

impl TunedParam {
    /// Returns a parameter with this start value; its last perturbation is a twentieth of its range, at least one half.
    pub fn new(param: &'static SearchParam, value: f64) -> TunedParam {
        let perturbation = (f64::from(param.max - param.min) / 20.0).max(0.5);
        TunedParam { param, value, perturbation }
    }

    fn clamp(&self, value: f64) -> f64 {
        value.clamp(f64::from(self.param.min), f64::from(self.param.max))
    }
}

impl Spsa {
    /// Returns the perturbation of the next iteration. It depends on the values, the seed and the number of the
    /// iteration only.
    pub fn perturbation(&self) -> Perturbation {
        let mut random = self.random();
        let mut directions = Vec::new();
        let mut values = [Vec::new(), Vec::new()];
        for tuned in &self.params {
            let direction = if random.next_u64() & 1 == 0 { 1.0 } else { -1.0 };
            directions.push(direction);
            let step = self.perturbation_size(tuned);
            for (values, sign) in values.iter_mut().zip([direction, -direction]) {
                // Rounded at random, so that the mean of the values played is the value itself.
                let exact = tuned.clamp(tuned.value + sign * step);
                let fraction = random.next_u64() as f64 / 2_f64.powi(64);
                values.push(ParamValue::clamped(tuned.param, (exact + fraction).floor() as i32));
            }
        }
        Perturbation { directions, values }
    }

    /// Ends the iteration of a perturbation: `points` is the excess of its first set, wins less losses.
    ///
    /// # Panics
    /// If the perturbation has another number of parameters.
    pub fn update(&mut self, perturbation: &Perturbation, points: f64) {
        assert_eq!(perturbation.directions.len(), self.params.len(), "a direction a parameter");
        let rates: Vec<_> = self.params.iter().map(|tuned| self.step_size(tuned)).collect();
        for ((tuned, direction), rate) in self.params.iter_mut().zip(&perturbation.directions).zip(rates) {
            tuned.value = tuned.clamp(tuned.value + rate * points * direction);
        }
        self.finished += 1;
    }

    /// Returns the values, rounded.
    pub fn values(&self) -> Vec<ParamValue> {
        let rounded = |tuned: &TunedParam| ParamValue::clamped(tuned.param, tuned.value.round() as i32);
        self.params.iter().map(rounded).collect()
    }

    /// Returns the seed of the openings of the next iteration.
    pub fn opening_seed(&self) -> u64 {
        self.random().next_u64()
    }

    /// Returns the generator of the random numbers of the next iteration.
    fn random(&self) -> SplitMix64 {
        let mut random = SplitMix64::new(self.seed);
        SplitMix64::new(random.next_u64() ^ self.finished)
    }

    fn perturbation_size(&self, tuned: &TunedParam) -> f64 {
        let (number, last) = ((self.finished + 1) as f64, self.iterations as f64);
        tuned.perturbation * (last / number).powf(GAMMA)
    }

    fn step_size(&self, tuned: &TunedParam) -> f64 {
        let (number, last) = ((self.finished + 1) as f64, self.iterations as f64);
        let stability = STABILITY * last;
        let final_step = FINAL_RATE * tuned.perturbation * tuned.perturbation;
        let step = final_step * ((stability + last) / (stability + number)).powf(ALPHA);
        // The change is a point times the step over the perturbation.
        step / self.perturbation_size(tuned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(iterations: u64) -> Spsa {
        let param = |name: &str, value: f64| TunedParam::new(SearchParam::from_name(name).unwrap(), value);
        let params = vec![param("rfp_margin", 140.0), param("razor_margin", 110.0), param("lmp_base", 2.0)];
        Spsa { params, finished: 0, iterations, seed: 3 }
    }

    /// Returns the points of a match between two sets whose strength falls with the squared distance from the best
    /// values.
    fn play(perturbation: &Perturbation, random: &mut SplitMix64, pairs: usize) -> f64 {
        let best = [85.0, 250.0, 5.0];
        let loss = |values: &[ParamValue]| -> f64 {
            let distance = |(value, best): (&ParamValue, f64)| {
                let range = f64::from(value.param().max - value.param().min);
                ((f64::from(value.value()) - best) / range).powi(2)
            };
            values.iter().zip(best).map(distance).sum()
        };
        let advantage = loss(&perturbation.values[1]) - loss(&perturbation.values[0]);
        let score = (0.5 + advantage).clamp(0.0, 1.0);
        let game = |_| if (random.next_u64() as f64 / 2_f64.powi(64)) < score { 1.0 } else { -1.0 };
        (0..2 * pairs).map(game).sum()
    }

    #[test]
    fn the_values_approach_the_best_ones() {
        let mut spsa = run(4_000);
        let mut random = SplitMix64::new(5);
        while spsa.finished < spsa.iterations {
            let perturbation = spsa.perturbation();
            let points = play(&perturbation, &mut random, 8);
            spsa.update(&perturbation, points);
        }
        let found: Vec<_> = spsa.values().iter().map(ParamValue::value).collect();
        assert!((75..=95).contains(&found[0]) && (220..=280).contains(&found[1]), "{found:?}");
        assert!((4..=6).contains(&found[2]), "{found:?}");
    }

    #[test]
    fn an_iteration_depends_on_the_state_only() {
        let mut spsa = run(100);
        let first = spsa.perturbation();
        assert_eq!(spsa.clone().perturbation(), first);
        assert_eq!(first.values[0].len(), 3);
        // The sets lie on both sides of the values, except at the ends of a range.
        let [one, two] = [first.values[0][0].value(), first.values[1][0].value()];
        assert!(one.min(two) < 140 && one.max(two) > 140, "{one} {two}");
        let seed = spsa.opening_seed();
        spsa.update(&first, 4.0);
        assert!(spsa.opening_seed() != seed && spsa.perturbation() != first);
        let moved = (spsa.params[0].value - 140.0) * first.directions[0];
        assert!(moved > 0.0, "a set that wins attracts the values");
    }

    #[test]
    fn values_stay_in_their_range() {
        let mut spsa = run(10);
        for _ in 0..10 {
            let perturbation = spsa.perturbation();
            spsa.update(&perturbation, 1e6);
            for value in perturbation.values.iter().flatten().chain(&spsa.values()) {
                assert!((value.param().min..=value.param().max).contains(&value.value()));
            }
        }
    }
}
