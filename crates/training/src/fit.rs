//! Logistic regression: the numbers that foretell best what came of the samples.

use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{EvalTrace, Position, Setup as _, TaperedScore, Tunable, Waivers, Weights};

use super::{FitOptions, FitResult, Sample};
use alfil_engine::threads;
use alfil_session::game_profile::GameProfile;
use alfil_session::game_session::SessionError;
use alfil_session::typed_session::EvaluatorOf;

/// The part of the target that is the game's result; the rest is what the search thought.
const RESULT_FRACTION: f64 = 0.7;

/// How strongly every number is drawn back to the old one: the weight of its squared change, in units of the scale, beside the mean
/// square error.
const PRIOR_WEIGHT: f64 = 0.02;

/// The first steps, in units of the scale; the last quarter of the epochs goes in steps a fifth as long.
const LEARNING_RATE: f64 = 0.0015;

/// Samples a step looks at.
const BATCH_SIZE: usize = 4_096;

/// Adam's memory of the slope and of its square, as its authors give them (Kingma and Ba, 2015).
const ADAM_DECAY: (f64, f64) = (0.9, 0.999);

/// The scales tried for a score's expectation: from the first, each so much greater.
const SCALE_GRID: (f64, f64, i32) = (50.0, 1.02, 300);

/// A number of each half of all weights.
type WeightHalves = Vec<[f64; 2]>;

/// A sample ready to learn from.
struct TrainingPosition {
    trace: EvalTrace,
    game_result: f64,
    target: f64,
}

pub(super) fn fit<P: Position>(samples: &[Sample], ask: &FitOptions) -> Result<FitResult, SessionError>
where
    P::Game: GameProfile<P>,
    EvaluatorOf<P>: Tunable<P>,
{
    let games = samples.iter().map(|sample| sample.game + 1).max().unwrap_or(0);
    if !samples.is_sorted_by_key(|sample| sample.game) {
        return Err(SessionError::new("the samples are not in the order of their games"));
    }
    // Positions of one game are alike, so whole games are held out.
    let split = samples.partition_point(|sample| sample.game * 10 < games * 9);
    if split == 0 || split == samples.len() {
        return Err(SessionError::new(format!("{} samples of {games} games are too few", samples.len())));
    }
    let (scale, foretold) = fit_scale(samples, split);
    let lessons = training_positions::<P>(samples, scale, ask.threads)?;
    let (learnt, held) = lessons.split_at(split);
    let weights = EvaluatorOf::<P>::weights();
    let old = weights.to_row();
    let prior: WeightHalves =
        old.iter().map(|weight| [weight.midgame().into(), weight.endgame().into()]).collect();
    let fitted = minimise(&prior, learnt, scale, ask);
    let new: Vec<_> = fitted.iter().map(|half| half.map(|number| number.round() as i32)).collect();
    let new: Vec<_> = new.into_iter().map(|[middle, end]| TaperedScore::new(middle, end)).collect();
    let changes = |(old, new): (&TaperedScore, &TaperedScore)| {
        usize::from(old.midgame() != new.midgame()) + usize::from(old.endgame() != new.endgame())
    };
    let rounded: WeightHalves =
        new.iter().map(|weight| [weight.midgame().into(), weight.endgame().into()]).collect();
    Ok(FitResult {
        source: weights_source(&weights.with_row(&new)),
        parameter_count: 2 * old.len(),
        changed_count: old.iter().zip(&new).map(changes).sum(),
        training_count: learnt.len(),
        held_out_count: held.len(),
        scale,
        errors: [foretold, mean_square_error(&prior, held, scale), mean_square_error(&rounded, held, scale)],
    })
}

/// The file of numbers.
fn weights_source(weights: &impl Weights) -> String {
    let fields = weights.to_source();
    let makers = ["one", "row", "table"].into_iter().filter(|maker| fields.contains(&format!(": {maker}(")));
    format!(
        "//! The numbers of the evaluation, as the front door's `tune` prints them; what each is for, [`Weights`] says.\n\n\
         use alfil_kernel::taper::{{{}}};\n\n\
         use super::weights::Weights;\n\n\
         pub(super) static WEIGHTS: Weights = Weights {{\n{fields}}};\n",
        makers.collect::<Vec<_>>().join(", ")
    )
}

fn expected_result(score: f64, scale: f64) -> f64 {
    1.0 / (1.0 + (-score / scale).exp())
}

/// The scale by which the search's scores of the samples before `split` foretell shares best, and their error in those after it.
fn fit_scale(samples: &[Sample], split: usize) -> (f64, f64) {
    let error = |samples: &[Sample], scale| {
        let miss =
            |sample: &Sample| (expected_result(sample.score.into(), scale) - sample.game_result).powi(2);
        samples.iter().map(miss).sum::<f64>() / samples.len() as f64
    };
    let (first, ratio, count) = SCALE_GRID;
    let scales = (0..count).map(|i| first * ratio.powi(i));
    let tried = scales.map(|scale| (error(&samples[..split], scale), scale));
    let (_, best) = tried.min_by(|one, other| one.0.total_cmp(&other.0)).expect("there are scales");
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
    let lesson = |sample: &Sample| {
        let wrong =
            |error: &dyn std::fmt::Display| SessionError::new(format!("{}: {error}", sample.position));
        let setup =
            <P::Game as alfil_kernel::Game>::Setup::parse(&sample.position).map_err(|error| wrong(&error))?;
        let position = P::from_setup(&setup, &Waivers::None).map_err(|error| wrong(&error))?;
        let thought = expected_result(sample.score.into(), scale);
        Ok(TrainingPosition {
            trace: EvaluatorOf::<P>::trace(&position),
            game_result: sample.game_result,
            target: RESULT_FRACTION * sample.game_result + (1.0 - RESULT_FRACTION) * thought,
        })
    };
    threads::parallel_map(samples, threads, lesson).into_iter().collect()
}

/// What these numbers say of a position.
fn evaluate(numbers: &WeightHalves, features: &EvalTrace) -> f64 {
    let mut sums = [0.0; 2];
    for &(number, times) in &features.counts {
        for (sum, worth) in sums.iter_mut().zip(numbers[usize::from(number)]) {
            *sum += worth * f64::from(times);
        }
    }
    (sums[0] * features.phase + sums[1] * (1.0 - features.phase)) * features.scale
}

/// The mean square error of what the numbers foretell.
fn mean_square_error(numbers: &WeightHalves, lessons: &[TrainingPosition], scale: f64) -> f64 {
    let miss = |lesson: &TrainingPosition| {
        (expected_result(evaluate(numbers, &lesson.trace), scale) - lesson.game_result).powi(2)
    };
    lessons.iter().map(miss).sum::<f64>() / lessons.len() as f64
}

/// Adam (Kingma and Ba, 2015) on the mean square error, drawn back to where it began.
fn minimise(
    prior: &WeightHalves,
    lessons: &[TrainingPosition],
    scale: f64,
    ask: &FitOptions,
) -> WeightHalves {
    let mut numbers = prior.clone();
    let (mut slopes, mut squares) = (vec![[0.0; 2]; prior.len()], vec![[0.0; 2]; prior.len()]);
    let mut order: Vec<_> = (0..lessons.len()).collect();
    let mut random = SplitMix64::new(u64::from(ask.seed));
    let mut step = 0;
    for epoch in 0..ask.epochs {
        for i in (1..order.len()).rev() {
            order.swap(i, random.below(i + 1));
        }
        let rate = LEARNING_RATE * scale * if epoch * 4 >= ask.epochs * 3 { 0.2 } else { 1.0 };
        for batch in order.chunks(BATCH_SIZE) {
            step += 1;
            let slope = gradient(&numbers, batch.iter().map(|&i| &lessons[i]), scale);
            let fade = (1.0 - ADAM_DECAY.0.powi(step), 1.0 - ADAM_DECAY.1.powi(step));
            for (i, number) in numbers.iter_mut().enumerate() {
                for half in 0..2 {
                    let pull = 2.0 * PRIOR_WEIGHT * (number[half] - prior[i][half]) / (scale * scale);
                    let slope = slope[i][half] / batch.len() as f64 + pull;
                    let mean = &mut slopes[i][half];
                    *mean = ADAM_DECAY.0 * *mean + (1.0 - ADAM_DECAY.0) * slope;
                    let square = &mut squares[i][half];
                    *square = ADAM_DECAY.1 * *square + (1.0 - ADAM_DECAY.1) * slope * slope;
                    // A slope that was never seen moves nothing.
                    number[half] -= rate * (*mean / fade.0) / ((*square / fade.1).sqrt() + 1e-12);
                }
            }
        }
    }
    numbers
}

/// The slope of the square errors of a batch, summed.
fn gradient<'a>(
    numbers: &WeightHalves,
    batch: impl Iterator<Item = &'a TrainingPosition>,
    scale: f64,
) -> WeightHalves {
    let mut slope = vec![[0.0; 2]; numbers.len()];
    for lesson in batch {
        let features = &lesson.trace;
        let foretold = expected_result(evaluate(numbers, features), scale);
        let steep = 2.0 * (foretold - lesson.target) * foretold * (1.0 - foretold) / scale * features.scale;
        let halves = [steep * features.phase, steep * (1.0 - features.phase)];
        for &(number, times) in &features.counts {
            for (sum, half) in slope[usize::from(number)].iter_mut().zip(halves) {
                *sum += half * f64::from(times);
            }
        }
    }
    slope
}
