//! Self-play games, and what is fitted to them.
//!
//! [`game_generator`] plays games, [`game_data`] is their format, [`check_game`] replays one, [`NetworkTrainer`] trains
//! a network, [`train_patterns`] fits the patterns of Othello, and [`fit()`] the weights of a hand-made evaluation;
//! [`BookTree`] grows an opening book. All give the same result for the same seed, on any number of threads.

pub mod game_data;
pub mod plot;

mod fit;
mod network;
mod opening_book;
mod patterns;
mod replay;
mod self_play;
mod summary;
mod trained_game;

use alfil_chess as chess;
use alfil_evaluation::network_inputs::NetworkInputs;
use alfil_kernel::{Game as _, Position};
use alfil_othello as othello;
use alfil_xiangqi as xiangqi;
use thiserror::Error;

use crate::game_data::GameData;
use crate::trained_game::TrainedGame;

pub use alfil_evaluation::othello::{BookPosition, OpeningBook, PHASE_EMPTIES};
pub use alfil_session::EvaluationChoice;
pub use network::{EpochReport, NetworkOptions, NetworkTrainer, QuantisationError, loss_plot};
pub use opening_book::{BOOK_SCORER_MIB, BookScorer, BookTree};
pub use patterns::{
    PatternOptions, PhaseReport, ProbCutErrors, ProbCutGroup, TEST_POSITIONS, TestSet, TestSetError,
    deviation_plot, error_plot, prob_cut_errors, test_errors, train_patterns,
};
pub use replay::ReplayError;
pub use self_play::{GameGenerator, SelfPlayOptions};
pub use summary::Summary;

/// The reason why a training command cannot be done.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum TrainingError {
    /// No game of this name has training.
    #[error("there is no game {0:?} with self-play and training")]
    UnknownGame(String),
    /// The data have too few games to hold some out.
    #[error("{games} games are too few: no position is left for training or for the held-out part")]
    TooFewGames {
        /// The number of games.
        games: usize,
    },
    /// The test set has too few positions for the regression of the errors of shallow searches.
    #[error(
        "{found} positions of the test set have at least {min_empties} empty squares, but the regression \
         needs {min_group} in each of two ranges of {range} numbers of empty squares"
    )]
    TooFewPositions {
        /// The number of positions that were searched.
        found: usize,
        /// The least number of empty squares of a position that is searched.
        min_empties: u32,
        /// The least number of positions in a range.
        min_group: usize,
        /// The size of a range.
        range: u32,
    },
    /// No opening of a game of self-play has a score near 0.
    #[error(
        "game {number}: none of {openings} random openings has a score within {max_score}: \
         the scores of the evaluation are too far from 0"
    )]
    NoOpening {
        /// The number of the game in its run.
        number: u32,
        /// The number of openings that were tried.
        openings: usize,
        /// The greatest score, of either side, of an opening.
        max_score: i32,
    },
    /// A game belongs to another game than the one that is trained.
    #[error("game {number} is a game of {found}, not of {expected}")]
    OtherGame {
        /// The number of the game in its run.
        number: u32,
        /// Its game.
        found: &'static str,
        /// The game that is trained.
        expected: &'static str,
    },
    /// The evaluation of the game is no network.
    #[error("{0} has no evaluation networks")]
    NoNetworks(String),
    /// The bytes are no network of the game.
    #[error("the network: {0}")]
    Network(String),
    /// A network cannot have this width.
    #[error("width {0}: expected 16, 32, 64, 128 or 256")]
    Width(usize),
    /// A network cannot have this number of second layers.
    #[error("{0} buckets: expected 1, 2, 4 or 8")]
    Buckets(usize),
    /// A batch has no position.
    #[error("a batch of 0 positions: expected at least 1")]
    EmptyBatch,
    /// The state of an interrupted training cannot be used.
    #[error("the state of the training: {0}")]
    State(String),
    /// A game cannot be replayed.
    #[error("game {game}: {error}")]
    Replay {
        /// The number of the game in its run.
        game: u32,
        /// The reason.
        error: ReplayError,
    },
}

/// The options of a fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FitOptions {
    /// The number of passes over the samples.
    pub epochs: usize,
    /// The random seed of the order of the samples.
    pub seed: u32,
    /// The number of threads that evaluate positions.
    pub threads: usize,
}

/// The result of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct FitResult {
    /// The source file with the new weights, before `cargo fmt`: `tuned_weights.rs` of the game.
    pub source: String,
    /// The number of parameters: two for each weight.
    pub parameter_count: usize,
    /// The number of parameters that changed.
    pub changed_count: usize,
    /// The number of samples for training.
    pub training_count: usize,
    /// The number of samples of the last tenth of the games, which are held out.
    pub held_out_count: usize,
    /// The score whose expected result is 73 %, in centipawns (Othello: hundredths of a disc).
    pub scale: f64,
    /// The mean square errors on the held-out samples of the search scores, the old weights and the new weights.
    pub errors: [f64; 3],
}

/// Returns a new generator of games for one thread.
///
/// ```
/// use alfil_training::{EvaluationChoice, SelfPlayOptions, check_game, game_generator};
///
/// let options = SelfPlayOptions { nodes: 50, seed: 1, hash_mib: 1, evaluation: EvaluationChoice::Terms };
/// let game = game_generator("othello", &options).unwrap().play_game(7).unwrap();
/// assert_eq!(game_generator("othello", &options).unwrap().play_game(7).unwrap(), game);
/// assert_eq!(check_game(&game), Ok(()));
/// ```
///
/// # Errors
/// If no game of this name has self-play, or if the network is none of the game.
pub fn game_generator(
    game: &str,
    options: &SelfPlayOptions,
) -> Result<Box<dyn GameGenerator>, TrainingError> {
    (trainer(game)?.generator)(options)
}

/// Returns the size of the tables of a generator, in MiB: the transposition table and that of exact scores.
///
/// # Errors
/// If no game of this name has self-play.
pub fn generator_mib(game: &str, options: &SelfPlayOptions) -> Result<usize, TrainingError> {
    Ok(options.hash_mib + trainer(game)?.oracle_mib)
}

/// Replays a game and checks that its moves are legal and that the rules give its result.
///
/// # Errors
/// With the first ply that is wrong, or the result that the rules give.
pub fn check_game(game: &GameData) -> Result<(), ReplayError> {
    let trainer = TRAINERS.iter().find(|trainer| trainer.game == game.game);
    (trainer.expect("every game of a header has a trainer").check)(game)
}

/// Fits the weights of a game's evaluation to its games.
///
/// # Errors
/// If there is no such game, or if the games are too few, of another game or cannot be replayed.
pub fn fit(game: &str, games: &[GameData], options: &FitOptions) -> Result<FitResult, TrainingError> {
    let trainer = trainer(game)?;
    trainer.check_games(games)?;
    (trainer.fit)(games, options)
}

/// Self-play, check and fit of one game.
struct Trainer {
    game: &'static str,
    generator: fn(&SelfPlayOptions) -> Result<Box<dyn GameGenerator>, TrainingError>,
    /// The size of the table of exact scores, in MiB.
    oracle_mib: usize,
    check: fn(&GameData) -> Result<(), ReplayError>,
    fit: fn(&[GameData], &FitOptions) -> Result<FitResult, TrainingError>,
    /// The preparation of a training; `None` in games without networks.
    network: Option<PrepareNetwork>,
}

type PrepareNetwork = fn(&[GameData], &NetworkOptions) -> Result<NetworkTrainer, TrainingError>;

impl Trainer {
    const fn new<P>() -> Trainer
    where
        P: Position,
        P::Game: TrainedGame<P>,
    {
        Trainer {
            game: P::Game::NAME,
            generator: |options| Ok(Box::new(self_play::TypedGenerator::<P>::new(options)?)),
            oracle_mib: P::Game::ORACLE_MIB,
            check: replay::check::<P>,
            fit: fit::fit::<P>,
            network: None,
        }
    }

    const fn with_networks<P>() -> Trainer
    where
        P: Position,
        P::Game: TrainedGame<P> + NetworkInputs,
    {
        Trainer { network: Some(NetworkTrainer::for_game::<P>), ..Self::new::<P>() }
    }

    /// Checks that all games are of this game.
    fn check_games(&self, games: &[GameData]) -> Result<(), TrainingError> {
        match games.iter().find(|game| game.game != self.game) {
            None => Ok(()),
            Some(game) => {
                Err(TrainingError::OtherGame { number: game.number, found: game.game, expected: self.game })
            }
        }
    }
}

/// The games with self-play.
const TRAINERS: [Trainer; 3] = [
    Trainer::with_networks::<xiangqi::Bitboard>(),
    Trainer::with_networks::<chess::Bitboard>(),
    Trainer::new::<othello::Bitboard>(),
];

fn trainer(game: &str) -> Result<&'static Trainer, TrainingError> {
    let trainer = TRAINERS.iter().find(|trainer| trainer.game == game);
    trainer.ok_or_else(|| TrainingError::UnknownGame(game.into()))
}

#[cfg(test)]
mod tests;
