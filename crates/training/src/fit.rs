//! Logistic regression: fits the weights to the results and search scores of the samples (Texel tuning).

use alfil_evaluation::{EvalTrace, TaperedScore, Tunable, Weights};
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{Position, Setup as _, Waivers};

use super::{FitOptions, FitResult, Sample};
use alfil_engine::threads;
use alfil_session::game_profile::EvaluatorOf;
use alfil_session::game_profile::GameProfile;
use alfil_session::game_session::SessionError;

/// The fraction of the game result in the target; the rest is the expected result of the search score.
const RESULT_FRACTION: f64 = 0.7;

/// The weight of the squared change of a parameter, in units of the scale, relative to the mean square error: it keeps
/// parameters near their old values.
const PRIOR_WEIGHT: f64 = 0.02;

/// The initial learning rate, in units of the scale; the last quarter of the epochs uses a fifth of it.
const LEARNING_RATE: f64 = 0.0015;

/// The number of samples in a batch.
const BATCH_SIZE: usize = 4_096;

/// The decay rates of Adam's first and second moments, as its authors recommend (Kingma and Ba, 2015).
const ADAM_DECAY: (f64, f64) = (0.9, 0.999);

/// The scales to try: the first, the ratio between neighbours, and their number.
const SCALE_GRID: (f64, f64, i32) = (50.0, 1.02, 300);

/// The midgame and endgame halves of all weights.
type WeightHalves = Vec<[f64; 2]>;

/// A sample prepared for training.
struct TrainingPosition {
    trace: EvalTrace,
    game_result: f64,
    target: f64,
}

pub(super) fn fit<P: Position>(samples: &[Sample], options: &FitOptions) -> Result<FitResult, SessionError>
where
    P::Game: GameProfile<P>,
    EvaluatorOf<P>: Tunable<P>,
{
    let games = samples.iter().map(|sample| sample.game + 1).max().unwrap_or(0);
    if !samples.is_sorted_by_key(|sample| sample.game) {
        return Err(SessionError::new("the samples are not in the order of their games"));
    }
    // The positions of a game are correlated, so whole games are held out.
    let split = samples.partition_point(|sample| sample.game * 10 < games * 9);
    if split == 0 || split == samples.len() {
        return Err(SessionError::new(format!("{} samples of {games} games are too few", samples.len())));
    }
    let (scale, search_error) = fit_scale(samples, split);
    let positions = training_positions::<P>(samples, scale, options.threads)?;
    let (training, held_out) = positions.split_at(split);
    let weights = EvaluatorOf::<P>::weights();
    let old = weights.to_row();
    let prior: WeightHalves =
        old.iter().map(|weight| [weight.midgame().into(), weight.endgame().into()]).collect();
    let minimum = minimise(&prior, training, scale, options);
    let new: Vec<_> = minimum.iter().map(|half| half.map(|number| number.round() as i32)).collect();
    let new: Vec<_> = new.into_iter().map(|[midgame, endgame]| TaperedScore::new(midgame, endgame)).collect();
    let changes = |(old, new): (&TaperedScore, &TaperedScore)| {
        usize::from(old.midgame() != new.midgame()) + usize::from(old.endgame() != new.endgame())
    };
    let rounded: WeightHalves =
        new.iter().map(|weight| [weight.midgame().into(), weight.endgame().into()]).collect();
    Ok(FitResult {
        source: weights_source(&weights.with_row(&new)),
        parameter_count: 2 * old.len(),
        changed_count: old.iter().zip(&new).map(changes).sum(),
        training_count: training.len(),
        held_out_count: held_out.len(),
        scale,
        errors: [
            search_error,
            mean_square_error(&prior, held_out, scale),
            mean_square_error(&rounded, held_out, scale),
        ],
    })
}

/// Returns the source file of the weights.
fn weights_source(weights: &impl Weights) -> String {
    let fields = weights.to_source();
    let constructors = ["one", "row", "table"]
        .into_iter()
        .filter(|constructor| fields.contains(&format!(": {constructor}(")));
    format!(
        "//! The tuned weights of the evaluation, as `alfil tune` prints them; [`Weights`] describes them.\n\n\
         use crate::tapered_score::{{{}}};\n\n\
         use super::weights::Weights;\n\n\
         pub(super) static WEIGHTS: Weights = Weights {{\n{fields}}};\n",
        constructors.collect::<Vec<_>>().join(", ")
    )
}

fn expected_result(score: f64, scale: f64) -> f64 {
    1.0 / (1.0 + (-score / scale).exp())
}

/// Returns the scale at which the search scores of the samples before `split` predict the results best, and the mean
/// square error of that prediction on the samples after it.
fn fit_scale(samples: &[Sample], split: usize) -> (f64, f64) {
    let error = |samples: &[Sample], scale| {
        let squared_error =
            |sample: &Sample| (expected_result(sample.score.into(), scale) - sample.game_result).powi(2);
        samples.iter().map(squared_error).sum::<f64>() / samples.len() as f64
    };
    let (first, ratio, count) = SCALE_GRID;
    let scales = (0..count).map(|i| first * ratio.powi(i));
    let errors = scales.map(|scale| (error(&samples[..split], scale), scale));
    let (_, best) = errors.min_by(|one, other| one.0.total_cmp(&other.0)).expect("the grid is not empty");
    (best, error(&samples[split..], best))
}

fn training_positions<P: Position>(
    samples: &[Sample],
    scale: f64,
    threads: usize,
) -> Result<Vec<TrainingPosition>, SessionError>
where
    P::Game: GameProfile<P>,
    EvaluatorOf<P>: Tunable<P>,
{
    let prepare = |sample: &Sample| {
        let with_position =
            |error: &dyn std::fmt::Display| SessionError::new(format!("{}: {error}", sample.position));
        let setup = <P::Game as alfil_kernel::Game>::Setup::parse(&sample.position)
            .map_err(|error| with_position(&error))?;
        let position = P::from_setup(&setup, &Waivers::None).map_err(|error| with_position(&error))?;
        let search_result = expected_result(sample.score.into(), scale);
        Ok(TrainingPosition {
            trace: EvaluatorOf::<P>::trace(&position),
            game_result: sample.game_result,
            target: RESULT_FRACTION * sample.game_result + (1.0 - RESULT_FRACTION) * search_result,
        })
    };
    threads::parallel_map(samples, threads, prepare).into_iter().collect()
}

/// Returns the evaluation of a position with these weights.
fn evaluate(weights: &WeightHalves, trace: &EvalTrace) -> f64 {
    let mut sums = [0.0; 2];
    for &(index, count) in &trace.counts {
        for (sum, weight) in sums.iter_mut().zip(weights[usize::from(index)]) {
            *sum += weight * f64::from(count);
        }
    }
    (sums[0] * trace.phase + sums[1] * (1.0 - trace.phase)) * trace.scale
}

/// Returns the mean square error of the predicted results.
fn mean_square_error(weights: &WeightHalves, positions: &[TrainingPosition], scale: f64) -> f64 {
    let squared_error = |position: &TrainingPosition| {
        (expected_result(evaluate(weights, &position.trace), scale) - position.game_result).powi(2)
    };
    positions.iter().map(squared_error).sum::<f64>() / positions.len() as f64
}

/// Minimises the mean square error with Adam (Kingma and Ba, 2015), with a penalty for the distance from the old
/// weights.
fn minimise(
    prior: &WeightHalves,
    positions: &[TrainingPosition],
    scale: f64,
    options: &FitOptions,
) -> WeightHalves {
    let mut weights = prior.clone();
    let (mut first_moments, mut second_moments) = (vec![[0.0; 2]; prior.len()], vec![[0.0; 2]; prior.len()]);
    let mut order: Vec<_> = (0..positions.len()).collect();
    let mut random = SplitMix64::new(u64::from(options.seed));
    let mut step = 0;
    for epoch in 0..options.epochs {
        for i in (1..order.len()).rev() {
            order.swap(i, random.below(i + 1));
        }
        let rate = LEARNING_RATE * scale * if epoch * 4 >= options.epochs * 3 { 0.2 } else { 1.0 };
        for batch in order.chunks(BATCH_SIZE) {
            step += 1;
            let gradients = gradient(&weights, batch.iter().map(|&i| &positions[i]), scale);
            let bias = (1.0 - ADAM_DECAY.0.powi(step), 1.0 - ADAM_DECAY.1.powi(step));
            for (i, weight) in weights.iter_mut().enumerate() {
                for half in 0..2 {
                    let penalty = 2.0 * PRIOR_WEIGHT * (weight[half] - prior[i][half]) / (scale * scale);
                    let gradient = gradients[i][half] / batch.len() as f64 + penalty;
                    let first = &mut first_moments[i][half];
                    *first = ADAM_DECAY.0 * *first + (1.0 - ADAM_DECAY.0) * gradient;
                    let second = &mut second_moments[i][half];
                    *second = ADAM_DECAY.1 * *second + (1.0 - ADAM_DECAY.1) * gradient * gradient;
                    // A parameter that occurs in no sample does not change.
                    weight[half] -= rate * (*first / bias.0) / ((*second / bias.1).sqrt() + 1e-12);
                }
            }
        }
    }
    weights
}

/// Returns the sum of the gradients of the squared errors of a batch.
fn gradient<'a>(
    weights: &WeightHalves,
    batch: impl Iterator<Item = &'a TrainingPosition>,
    scale: f64,
) -> WeightHalves {
    let mut gradient_sum = vec![[0.0; 2]; weights.len()];
    for position in batch {
        let trace = &position.trace;
        let predicted = expected_result(evaluate(weights, trace), scale);
        let derivative =
            2.0 * (predicted - position.target) * predicted * (1.0 - predicted) / scale * trace.scale;
        let halves = [derivative * trace.phase, derivative * (1.0 - trace.phase)];
        for &(index, count) in &trace.counts {
            for (sum, half) in gradient_sum[usize::from(index)].iter_mut().zip(halves) {
                *sum += half * f64::from(count);
            }
        }
    }
    gradient_sum
}
