//! Positions of games that are held out, with exact scores up to 22 empty squares, and with scores of a deep search if
//! there are more.

use alfil_evaluation::nets;
use alfil_evaluation::othello::PatternEval;
use alfil_kernel::zobrist::SplitMix64;
use alfil_kernel::{GameHistory, NeverStop, Position as _, Side, Waivers};
use alfil_othello::rules::Ruleset;
use alfil_othello::{Bitboard, Board as _, Othello};
use alfil_search::{SearchRequest, Worker};
use alfil_session::EvaluationChoice;
use alfil_session::game_profile::GameProfile;
use alfil_session::searcher::{evaluator, network_of};
use alfil_solver::{SolveMode, Solver};
use thiserror::Error;

use super::{Sample, is_held_out, visit_positions};
use crate::TrainingError;
use crate::game_data::GameData;
use crate::self_play::NodeLimit;
use alfil_engine::threads;

/// The number of positions of a test set.
pub const TEST_POSITIONS: usize = 20_000;

/// With at most this number of empty squares, the score of a position is exact.
const EXACT_EMPTIES: usize = 22;

/// After this number of nodes, the search that gives the score of a position with more empty squares begins no further
/// iteration.
const SOFT_NODES: u64 = 30_000;

/// After this number of nodes, it ends within an iteration.
const MAX_NODES: u64 = 10 * SOFT_NODES;

/// The size of the tables of a thread, in MiB.
const TABLE_MIB: usize = 16;

/// The seed of the choice of positions.
const SEED: u64 = 20;

/// Positions with their scores, in discs from the view of the side to move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TestSet {
    pub(super) samples: Vec<Sample>,
}

/// The reason why a text is no test set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "line {line}: expected 64 squares of X, O and -, the discs of the side to move as X, and a score in discs"
)]
pub struct TestSetError {
    /// The number of the line.
    pub line: usize,
}

impl TestSet {
    /// Chooses positions of the games that are held out, and computes their scores. `report` is called with the number
    /// of positions that are done and of all.
    ///
    /// # Errors
    /// If a game cannot be replayed, or if no game is held out.
    pub fn new(
        games: &[GameData],
        count: usize,
        thread_count: usize,
        mut report: impl FnMut(usize, usize),
    ) -> Result<TestSet, TrainingError> {
        let mut samples = Vec::new();
        for game in games.iter().filter(|game| is_held_out(game)) {
            visit_positions(game, |sample| samples.push(sample))?;
        }
        if samples.is_empty() {
            return Err(TrainingError::TooFewGames { games: games.len() });
        }
        let mut random = SplitMix64::new(SEED);
        for i in 0..count.min(samples.len()) {
            let other = i + random.below(samples.len() - i);
            samples.swap(i, other);
        }
        samples.truncate(count);
        let all = samples.len();
        let mut scored = Vec::with_capacity(all);
        for part in samples.chunks(64) {
            scored.extend(threads::parallel_map(part, thread_count, with_score));
            report(scored.len(), all);
        }
        Ok(TestSet { samples: scored })
    }

    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Returns whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// Returns the set as text: a position a line, with `X` for the side to move, and its score.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for &Sample { own, other, target, .. } in &self.samples {
            for square in 0..64 {
                let (own, other) = (own >> square & 1 == 1, other >> square & 1 == 1);
                text.push(if own {
                    'X'
                } else if other {
                    'O'
                } else {
                    '-'
                });
            }
            text += &format!(" {target:.2}\n");
        }
        text
    }

    /// Reads the text of a set.
    ///
    /// # Errors
    /// With the first line that is no position.
    pub fn parse(text: &str) -> Result<TestSet, TestSetError> {
        let samples =
            text.lines().zip(1..).map(|(line, number)| parse_line(line).ok_or(TestSetError { line: number }));
        Ok(TestSet { samples: samples.collect::<Result<_, _>>()? })
    }
}

fn parse_line(line: &str) -> Option<Sample> {
    let (squares, score) = line.split_once(' ')?;
    if squares.len() != 64 {
        return None;
    }
    let (mut own, mut other) = (0u64, 0u64);
    for (square, letter) in squares.chars().enumerate() {
        match letter {
            'X' => own |= 1 << square,
            'O' => other |= 1 << square,
            '-' => {}
            _ => return None,
        }
    }
    let target = score.parse::<f32>().ok().filter(|score| score.abs() <= 64.0)?;
    let is_exact = (own | other).count_zeros() as usize <= EXACT_EMPTIES;
    Some(Sample { own, other, target, is_exact })
}

/// Returns the sample with its exact score, or with that of a deep search by the built-in evaluation.
fn with_score(sample: &Sample) -> Sample {
    let board = Bitboard::new(sample.own, sample.other, Side::First);
    let is_exact = board.empty_squares().len() <= EXACT_EMPTIES;
    let target = if is_exact {
        let solution = Solver::new(TABLE_MIB).with_patterns(Some(nets::othello())).solve(
            &board,
            SolveMode::Exact,
            &mut NeverStop,
        );
        solution.expect("nothing stops the solver").score as f32
    } else {
        let game =
            GameHistory::<Bitboard>::new(&board.to_setup(), &Waivers::All).expect("all issues are waived");
        let network = network_of::<Bitboard>(&EvaluationChoice::BuiltIn)
            .expect("the built-in weights belong to Othello");
        let eval: PatternEval = evaluator::<Bitboard>(network);
        let params = <Othello as GameProfile<Bitboard>>::info().search_params;
        let mut worker = Worker::new(game, Ruleset::STANDARD, eval, TABLE_MIB).with_params(params);
        let request = SearchRequest { soft_nodes: SOFT_NODES, ..SearchRequest::default() };
        worker.search_with(&request, &mut NodeLimit(MAX_NODES)).score.value() as f32 / 100.0
    };
    Sample { target, is_exact, ..*sample }
}
