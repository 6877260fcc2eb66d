//! The weights of the patterns of Othello, fitted to games of self-play by least squares.
//!
//! Each phase is fitted on its own, from the end of the game, to the scores of its positions: the exact ones near the
//! end, and before them those of a search of a few plies whose leaves are in the phase after it, which is already
//! fitted. The result of the game says less, because self-play searches few nodes, and many discs are lost between a
//! position and the end. A phase begins with the weights of the phase after it, and a penalty for the distance from
//! them keeps those weights that few positions decide (ridge regression).

mod least_squares;
mod lookahead;
mod plot;
mod prob_cut;
mod test_set;

use alfil_evaluation::othello::{
    Counts, FEATURES, HandcraftedEval, PHASE_EMPTIES, PHASES, PatternFeatures, PatternStates, PatternWeights,
    UNITS_PER_DISC, phase_of,
};
use alfil_kernel::{Evaluator as _, Side};
use alfil_othello::bitboard::scalar::mobility;
use alfil_othello::{Bitboard, Board as _};

use crate::TrainingError;
use crate::game_data::{GameData, NO_SCORE};
use crate::replay::replay;
use alfil_engine::threads;
use least_squares::Equations;
use lookahead::lookahead;

pub use plot::{deviation_plot, error_plot};
pub use prob_cut::{ProbCutErrors, ProbCutGroup, prob_cut_errors};
pub use test_set::{TEST_POSITIONS, TestSet, TestSetError};

/// One game in this number is held out as a whole.
const HELD_OUT_INTERVAL: u32 = 20;

/// The number of parts of the equations. It does not depend on the number of threads, so that sums do not.
const PARTS: usize = 8;

/// The greatest depth of a search for the score of a position, in plies. In the opening phase, the one of the highest
/// number, which has more empty squares than the others, its leaves may be in the same phase: their weights are then
/// those of the phase after it.
const MAX_LOOKAHEAD: u32 = 4;

/// The number of positions that a thread takes at once.
const TARGET_CHUNK: usize = 4_096;

/// The options of a training of patterns.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternOptions {
    /// The weight of the squared distance of a weight from that of the phase after it, in positions: a weight that this
    /// many positions have goes half of the way.
    pub ridge: f64,
    /// The number of steps of conjugate gradients for each phase.
    pub iterations: usize,
    /// The fraction of the result in the target of a position whose score is not exact; the rest is the score of a
    /// search with the weights of the later phases.
    pub result_fraction: f64,
    /// The number of threads.
    pub threads: usize,
    /// The licence of the weights.
    pub licence: String,
    /// The command, whose hash the file of the weights has.
    pub command: String,
}

/// The result for a phase. Errors are mean absolute ones, in discs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PhaseReport {
    /// The phase: 0 is the last of the game.
    pub phase: usize,
    /// The number of positions of the phase for training, without those one ply after it, which are for training, too.
    pub positions: usize,
    /// The error on all these positions.
    pub training_error: f64,
    /// The number of positions of the test set.
    pub test_positions: usize,
    /// The error on the test set.
    pub test_error: f64,
    /// The error of the hand-made terms on the test set.
    pub terms_error: f64,
}

/// A position for training: the discs of the side to move and of its opponent, and its score in discs.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Sample {
    own: u64,
    other: u64,
    target: f32,
    /// Whether `target` is the exact score; otherwise it is the result of the game, or in a test set the score of a
    /// deep search.
    is_exact: bool,
}

impl Sample {
    fn empties(&self) -> u32 {
        (self.own | self.other).count_zeros()
    }
}

/// Returns whether no position of the game is for training.
fn is_held_out(game: &GameData) -> bool {
    game.number % HELD_OUT_INTERVAL == HELD_OUT_INTERVAL - 1
}

/// Calls `visit` with each position that was searched.
fn visit_positions(game: &GameData, mut visit: impl FnMut(Sample)) -> Result<(), TrainingError> {
    let replayed = replay::<Bitboard>(game, |history, _, ply| {
        if ply.score == NO_SCORE {
            return;
        }
        let side = history.side_to_move();
        let position = history.position();
        let (own, other) = (position.discs(side).0, position.discs(!side).0);
        let is_exact = history.ply() >= usize::from(game.exact_from);
        let target = match (is_exact, side) {
            (true, _) => f32::from(ply.score) / 100.0,
            (false, Side::First) => f32::from(game.margin),
            (false, Side::Second) => -f32::from(game.margin),
        };
        visit(Sample { own, other, target, is_exact });
    });
    replayed.map(drop).map_err(|error| TrainingError::Replay { game: game.number, error })
}

/// Returns the positions for training by their number of empty squares.
fn training_samples(games: &[GameData], options: &PatternOptions) -> Result<Vec<Vec<Sample>>, TrainingError> {
    let parts: Vec<_> = games.chunks(games.len().div_ceil(PARTS).max(1)).collect();
    let of_part = |part: &&[GameData]| -> Result<Vec<Sample>, TrainingError> {
        let mut samples = Vec::new();
        for game in part.iter().filter(|game| !is_held_out(game)) {
            visit_positions(game, |sample| samples.push(sample))?;
        }
        Ok(samples)
    };
    let mut by_empties = vec![Vec::new(); 65];
    for part in threads::parallel_map(&parts, options.threads, of_part) {
        for sample in part? {
            by_empties[sample.empties() as usize].push(sample);
        }
    }
    Ok(by_empties)
}

/// Gives each position of a phase whose score is not exact the score of a search. Its leaves are in the middle of the
/// phase after it, whose weights are known.
fn set_targets(samples: &mut [Sample], weights: &PatternWeights, phase: usize, options: &PatternOptions) {
    let fraction = options.result_fraction as f32;
    let leaf_empties = (PHASE_EMPTIES * phase as u32).saturating_sub(2);
    let parts: Vec<_> = samples.chunks(TARGET_CHUNK).collect();
    let targets = threads::parallel_map(&parts, options.threads, |part| {
        let target = |sample: &Sample| {
            let depth = sample.empties().saturating_sub(leaf_empties).min(MAX_LOOKAHEAD);
            match sample.is_exact {
                true => sample.target,
                false => {
                    let score = lookahead(weights, sample.own, sample.other, depth) as f32 / 100.0;
                    fraction * sample.target + (1.0 - fraction) * score
                }
            }
        };
        part.iter().map(target).collect::<Vec<_>>()
    });
    for (sample, target) in samples.iter_mut().zip(targets.into_iter().flatten()) {
        sample.target = target;
    }
}

fn counts(own: u64, other: u64) -> Counts {
    Counts {
        moves: mobility(own, other).count_ones(),
        replies: mobility(other, own).count_ones(),
        empty: !(own | other),
    }
}

/// Returns the equations of samples.
fn equations(samples: &[Sample], features: &PatternFeatures, threads: usize) -> Equations {
    let parts: Vec<_> = samples.chunks(samples.len().div_ceil(PARTS).max(1)).collect();
    let rows = threads::parallel_map(&parts, threads, |part| {
        let row = |sample: &Sample| -> ([u32; FEATURES], f32) {
            let states = PatternStates::of(sample.own, sample.other);
            (features.of(&states, counts(sample.own, sample.other)), sample.target)
        };
        part.iter().map(row).collect::<Vec<_>>()
    });
    Equations::new(rows, features.weight_count(), threads)
}

/// Fits weights of patterns to games of Othello. `report` is called after each phase.
///
/// # Errors
/// If a game is of another game or cannot be replayed, or if no position is left for training.
pub fn train_patterns(
    games: &[GameData],
    test_set: &TestSet,
    options: &PatternOptions,
    mut report: impl FnMut(PhaseReport),
) -> Result<PatternWeights, TrainingError> {
    crate::trainer("othello")?.check_games(games)?;
    let features = PatternFeatures::new();
    let mut samples = training_samples(games, options)?;
    if samples.iter().all(Vec::is_empty) {
        return Err(TrainingError::TooFewGames { games: games.len() });
    }
    let mut weights = vec![0.0; features.weight_count()];
    let mut rows: Vec<Vec<i16>> = Vec::new();
    let mut so_far = PatternWeights::new(&vec![vec![0; features.weight_count()]; PHASES], "", "");
    for phase in 0..PHASES {
        let (mut chosen, mut own_count) = (Vec::new(), 0);
        let in_phase = |empties: usize| phase_of(empties as u32) == phase;
        for (empties, samples) in samples.iter_mut().enumerate() {
            if in_phase(empties) {
                own_count += samples.len();
                set_targets(samples, &so_far, phase, options);
                chosen.extend_from_slice(samples);
            } else if in_phase(empties + 1) {
                // The positions one ply after the phase are like those of the phase.
                chosen.append(samples);
            }
        }
        let equations = equations(&chosen, &features, options.threads);
        let training_error = equations.solve(&mut weights, options.ridge, options.iterations);
        let unit = f64::from(UNITS_PER_DISC);
        let round = |&weight: &f64| (weight * unit).round().clamp(-8_191.0, 8_191.0) as i16;
        rows.push(weights.iter().map(round).collect());
        let mut known = rows.clone();
        // Until they are fitted, the phases before have the same weights.
        known.resize(PHASES, rows[phase].clone());
        so_far = PatternWeights::new(&known, "", "");
        let errors = test_errors(test_set, Some(phase), &so_far);
        report(PhaseReport {
            phase,
            positions: own_count,
            training_error,
            test_positions: errors.0,
            test_error: errors.1,
            terms_error: errors.2,
        });
    }
    Ok(PatternWeights::new(&rows, &options.licence, &options.command))
}

/// Returns the number of positions of a test set in a phase, or of all, and the mean absolute errors of the weights and
/// of the hand-made terms on them.
pub fn test_errors(test_set: &TestSet, phase: Option<usize>, weights: &PatternWeights) -> (usize, f64, f64) {
    let mut terms = HandcraftedEval::default();
    let (mut count, mut errors) = (0, [0.0; 2]);
    for &Sample { own, other, target, .. } in &test_set.samples {
        let empties = (own | other).count_zeros();
        if phase.is_some_and(|phase| phase_of(empties) != phase) {
            continue;
        }
        let score = weights.score(&PatternStates::of(own, other), counts(own, other));
        let board = Bitboard::new(own, other, Side::First);
        terms.reset(&board);
        let scores = [score, terms.score(&board).value()];
        for (error, score) in errors.iter_mut().zip(scores) {
            *error += (f64::from(score) / 100.0 - f64::from(target)).abs();
        }
        count += 1;
    }
    let [new, old] = errors.map(|error| error / f64::from(count.max(1)));
    (count as usize, new, old)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EvaluationChoice, SelfPlayOptions, game_generator};

    fn games() -> Vec<GameData> {
        let options =
            SelfPlayOptions { nodes: 30, seed: 8, hash_mib: 1, evaluation: EvaluationChoice::Terms };
        let mut generator = game_generator("othello", &options).unwrap();
        (0..60).map(|number| generator.play_game(number).unwrap()).collect()
    }

    fn options(threads: usize) -> PatternOptions {
        PatternOptions {
            ridge: 2.0,
            iterations: 12,
            result_fraction: 0.8,
            threads,
            licence: "MIT".into(),
            command: "a test".into(),
        }
    }

    #[test]
    fn weights_fit_their_games_and_do_not_depend_on_threads() {
        let games = games();
        let mut late = Vec::new();
        for game in games.iter().filter(|game| is_held_out(game)) {
            visit_positions(game, |sample| late.push(sample)).unwrap();
        }
        late.retain(|sample: &Sample| sample.is_exact);
        let test_set = TestSet { samples: late };
        let train = |threads| {
            let mut reports = Vec::new();
            let weights =
                train_patterns(&games, &test_set, &options(threads), |report| reports.push(report)).unwrap();
            (weights, reports)
        };
        let (weights, reports) = train(1);
        assert_eq!(train(3), (weights.clone(), reports.clone()));
        assert_eq!(reports.len(), PHASES);
        assert!(reports.iter().all(|report| report.training_error < 9.0), "{reports:?}");
        let none = PatternWeights::new(&vec![vec![0; PatternFeatures::new().weight_count()]; PHASES], "", "");
        let (count, error, terms) = test_errors(&test_set, None, &weights);
        assert_eq!(count, test_set.len());
        assert_eq!(reports.iter().map(|report| report.test_positions).sum::<usize>(), count);
        let without = test_errors(&test_set, None, &none).1;
        assert!(error < 0.9 * without && terms < without, "{error} {terms} {without}");
        let error = train_patterns(&[], &test_set, &options(1), |_| {}).unwrap_err();
        assert_eq!(error, TrainingError::TooFewGames { games: 0 });
    }

    #[test]
    fn a_test_set_has_positions_of_held_out_games_and_survives_writing() {
        let games = games();
        let set = TestSet::new(&games, 20, 2, |done, all| assert!(done <= all)).unwrap();
        assert_eq!(set.len(), 20);
        assert_eq!(TestSet::parse(&set.to_text()), Ok(set.clone()));
        let mut held_out = std::collections::HashMap::new();
        for game in games.iter().filter(|game| is_held_out(game)) {
            visit_positions(game, |sample| {
                held_out.insert((sample.own, sample.other), sample.is_exact.then_some(sample.target));
            })
            .unwrap();
        }
        for sample in &set.samples {
            let exact = held_out[&(sample.own, sample.other)];
            assert!(exact.is_none_or(|exact| exact == sample.target), "{sample:?} {exact:?}");
        }
        let text = set.to_text().replacen('-', "?", 1);
        assert!(TestSet::parse(&text).is_err());
        assert_eq!(TestSet::parse("X 3\n"), Err(TestSetError { line: 1 }));
    }
}
