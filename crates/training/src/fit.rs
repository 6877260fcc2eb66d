//! Logistic regression: fits the weights to the results and search scores of the samples (Texel tuning).

use alfil_evaluation::{EvalTrace, TaperedScore, Tunable, Weights};
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{Position, Side, Tactics as _};

use super::{FitOptions, FitResult};
use crate::TrainingError;
use crate::game_data::{GameData, NO_SCORE};
use crate::replay::replay;
use crate::trained_game::TrainedGame;
use alfil_engine::threads;
use alfil_session::game_profile::EvaluatorOf;

/// The fraction of the game result in the target; the rest is the expected result of the search score.
const RESULT_FRACTION: f64 = 0.4;

/// The greatest number of positions of a fit: more of them change the weights little and do not fit into memory.
const MAX_POSITIONS: usize = 3_000_000;

/// The weight of the squared change of a parameter, in units of the scale and divided by the number of positions,
/// relative to the mean square error: it keeps parameters near their old values that few positions decide.
const PRIOR_WEIGHT: f64 = 400.0;

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

/// A position of a game: the side to move is not in check, and its best move is quiet.
struct Sample {
    trace: EvalTrace,
    /// The search score for the first side.
    score: i32,
    /// The result for the first side, from 0 to 1.
    game_result: f64,
    /// The value that the evaluation is to predict.
    target: f64,
}

pub(super) fn fit<P: Position>(games: &[GameData], options: &FitOptions) -> Result<FitResult, TrainingError>
where
    P::Game: TrainedGame<P>,
{
    // The positions of a game are correlated, so whole games are held out.
    let (training, held_out) = games.split_at(games.len() - games.len() / 10);
    let plies: usize = games.iter().map(|game| game.plies.len()).sum();
    let interval = plies.div_ceil(MAX_POSITIONS).max(2);
    let mut training = samples::<P>(training, interval, options.threads)?;
    let held_out = samples::<P>(held_out, interval, options.threads)?;
    if training.is_empty() || held_out.is_empty() {
        return Err(TrainingError::TooFewGames { games: games.len() });
    }
    let scale = fit_scale(&training);
    for sample in &mut training {
        let search_result = expected_result(sample.score.into(), scale);
        sample.target = RESULT_FRACTION * sample.game_result + (1.0 - RESULT_FRACTION) * search_result;
    }
    let weights = EvaluatorOf::<P>::weights();
    let old = weights.to_row();
    let prior: WeightHalves =
        old.iter().map(|weight| [weight.midgame().into(), weight.endgame().into()]).collect();
    let minimum = minimise(&prior, &training, scale, options);
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
            search_error(&held_out, scale),
            mean_square_error(&prior, &held_out, scale),
            mean_square_error(&rounded, &held_out, scale),
        ],
    })
}

/// Returns the samples of games: of the usable positions one in `interval`, at random, as neighbouring positions add
/// little information.
fn samples<P: Position>(
    games: &[GameData],
    interval: usize,
    threads: usize,
) -> Result<Vec<Sample>, TrainingError>
where
    P::Game: TrainedGame<P>,
{
    let of_game = |game: &GameData| {
        let mut random = SplitMix64::new(u64::from(game.seed) << 32 | u64::from(game.number));
        let (eval, mut samples) = (EvaluatorOf::<P>::default(), Vec::new());
        replay::<P>(game, |history, mv, ply| {
            let is_usable = ply.score != NO_SCORE
                && i32::from(ply.score).abs() < EvaluatorOf::<P>::DECISIVE_SCORE
                && !history.in_check()
                && !eval.is_noisy(history.position(), mv);
            if is_usable && random.below(interval) == 0 {
                let sign = if history.side_to_move() == Side::First { 1 } else { -1 };
                samples.push(Sample {
                    trace: EvaluatorOf::<P>::trace(history.position()),
                    score: sign * i32::from(ply.score),
                    game_result: EvaluatorOf::<P>::game_result(game.result, game.margin.into()),
                    target: 0.0,
                });
            }
        })
        .map_err(|error| TrainingError::Replay { game: game.number, error })?;
        Ok(samples)
    };
    let all: Result<Vec<_>, _> = threads::parallel_map(games, threads, of_game).into_iter().collect();
    Ok(all?.into_iter().flatten().collect())
}

/// Returns the source file of the weights.
fn weights_source(weights: &impl Weights) -> String {
    let fields = weights.to_source();
    let constructors = ["one", "row", "table"]
        .into_iter()
        .filter(|constructor| fields.contains(&format!(": {constructor}(")));
    format!(
        "//! The tuned weights of the evaluation, as `alfil train --kind terms` writes them; [`Weights`] describes \
         them.\n\n\
         use crate::tapered_score::{{{}}};\n\n\
         use super::weights::Weights;\n\n\
         pub(super) static WEIGHTS: Weights = Weights {{\n{fields}}};\n",
        constructors.collect::<Vec<_>>().join(", ")
    )
}

/// Returns the expected result of a score, from 0 to 1; that of `scale` is 73 %.
pub(crate) fn expected_result(score: f64, scale: f64) -> f64 {
    1.0 / (1.0 + (-score / scale).exp())
}

/// Returns the scale at which the search scores of the samples predict the results best.
fn fit_scale(samples: &[Sample]) -> f64 {
    // The minimum is flat: a part of many samples gives it well enough.
    let part = samples.iter().take(200_000);
    best_scale(&part.map(|sample| (sample.score.into(), sample.game_result)).collect::<Vec<_>>())
}

/// Returns the scale at which scores predict results best, from pairs of them.
pub(crate) fn best_scale(pairs: &[(f64, f64)]) -> f64 {
    let (first, ratio, count) = SCALE_GRID;
    let error = |scale| -> f64 {
        pairs.iter().map(|&(score, result)| (expected_result(score, scale) - result).powi(2)).sum()
    };
    let scales = (0..count).map(|i| first * ratio.powi(i));
    let errors = scales.map(|scale| (error(scale), scale));
    errors.min_by(|one, other| one.0.total_cmp(&other.0)).expect("the grid is not empty").1
}

/// Returns the mean square error of the results that the search scores predict.
fn search_error(samples: &[Sample], scale: f64) -> f64 {
    let squared_error =
        |sample: &Sample| (expected_result(sample.score.into(), scale) - sample.game_result).powi(2);
    samples.iter().map(squared_error).sum::<f64>() / samples.len() as f64
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
fn mean_square_error(weights: &WeightHalves, positions: &[Sample], scale: f64) -> f64 {
    let squared_error = |position: &Sample| {
        (expected_result(evaluate(weights, &position.trace), scale) - position.game_result).powi(2)
    };
    positions.iter().map(squared_error).sum::<f64>() / positions.len() as f64
}

/// Minimises the mean square error with Adam (Kingma and Ba, 2015), with a penalty for the distance from the old
/// weights.
fn minimise(prior: &WeightHalves, positions: &[Sample], scale: f64, options: &FitOptions) -> WeightHalves {
    let mut weights = prior.clone();
    let (mut first_moments, mut second_moments) = (vec![[0.0; 2]; prior.len()], vec![[0.0; 2]; prior.len()]);
    let mut order: Vec<_> = (0..positions.len()).collect();
    let mut random = SplitMix64::new(u64::from(options.seed));
    let mut step = 0;
    let prior_weight = PRIOR_WEIGHT / positions.len() as f64;
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
                    let penalty = 2.0 * prior_weight * (weight[half] - prior[i][half]) / (scale * scale);
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
fn gradient<'a>(weights: &WeightHalves, batch: impl Iterator<Item = &'a Sample>, scale: f64) -> WeightHalves {
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
