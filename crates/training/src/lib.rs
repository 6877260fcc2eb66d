//! Tuning: fits the weights of an evaluation to self-play games.
//!
//! [`self_play()`] generates samples, which can be stored in a file, and [`fit()`] fits the weights to them. Both give
//! the same result for the same seed, on any number of threads.

mod fit;
mod self_play;

use std::fmt;
use std::str::FromStr;

use alfil_chess as chess;
use alfil_evaluation::Tunable;
use alfil_kernel::{Game as _, Position};
use alfil_othello as othello;
use alfil_xiangqi as xiangqi;

use alfil_session::game_profile::EvaluatorOf;
use alfil_session::game_profile::GameProfile;
use alfil_session::game_session::SessionError;

/// The options of self-play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfPlayOptions {
    /// The number of games.
    pub games: usize,
    /// The nodes searched for each move.
    pub nodes: u64,
    /// The random seed of the games.
    pub seed: u32,
    /// The number of games played in parallel.
    pub threads: usize,
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

/// A quiet position of a game: the side to move is not in check, and the best move is no capture.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The number of its game.
    pub game: usize,
    /// The position text.
    pub position: String,
    /// The search score for the first side.
    pub score: i32,
    /// The game result for the first side, from 0 to 1.
    pub game_result: f64,
}

/// Formats the line of a file: game number, position, score and result, separated by bars.
impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}|{}|{}|{}", self.game, self.position, self.score, self.game_result)
    }
}

impl FromStr for Sample {
    type Err = SessionError;

    /// # Errors
    /// Returns an error if a part is missing or is not a number.
    fn from_str(line: &str) -> Result<Sample, SessionError> {
        let parts: Vec<_> = line.split('|').collect();
        let [game, position, score, game_result] = parts[..] else {
            return Err(SessionError::new(format!(
                "{line:?} is not a sample: expected game|position|score|result"
            )));
        };
        let not_a_number =
            |what: &str, text: &str| SessionError::new(format!("{what} {text:?} is not a number"));
        let game_result = game_result.parse().ok().filter(|game_result| (0.0..=1.0).contains(game_result));
        Ok(Sample {
            game: game.parse::<u32>().map_err(|_| not_a_number("the game", game))? as usize,
            position: position.into(),
            score: score.parse().map_err(|_| not_a_number("the score", score))?,
            game_result: game_result
                .ok_or_else(|| SessionError::new("the result is not a number from 0 to 1"))?,
        })
    }
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

/// Plays games and returns samples of their quiet positions; `on_game` is called after each game.
///
/// # Errors
/// Returns an error if there is no such game.
pub fn self_play(
    game: &str,
    options: &SelfPlayOptions,
    on_game: &(dyn Fn() + Sync),
) -> Result<Vec<Sample>, SessionError> {
    Ok((trainer(game)?.play_games)(options, on_game))
}

/// Fits the weights of a game's evaluation to samples.
///
/// # Errors
/// Returns an error if there is no such game, too few samples, or one whose position cannot be read.
pub fn fit(game: &str, samples: &[Sample], options: &FitOptions) -> Result<FitResult, SessionError> {
    (trainer(game)?.fit)(samples, options)
}

/// Self-play and fit of one game.
struct Trainer {
    game: &'static str,
    play_games: fn(&SelfPlayOptions, &(dyn Fn() + Sync)) -> Vec<Sample>,
    fit: fn(&[Sample], &FitOptions) -> Result<FitResult, SessionError>,
}

impl Trainer {
    const fn new<P>() -> Trainer
    where
        P: Position,
        P::Game: GameProfile<P>,
        EvaluatorOf<P>: Tunable<P>,
    {
        Trainer { game: P::Game::NAME, play_games: self_play::play_games::<P>, fit: fit::fit::<P> }
    }
}

/// The games with tunable weights.
const TRAINERS: [Trainer; 3] = [
    Trainer::new::<xiangqi::Bitboard>(),
    Trainer::new::<chess::Bitboard>(),
    Trainer::new::<othello::Bitboard>(),
];

fn trainer(game: &str) -> Result<&'static Trainer, SessionError> {
    let trainer = TRAINERS.iter().find(|trainer| trainer.game == game);
    trainer.ok_or_else(|| SessionError::new(format!("there is no game {game:?} with tunable weights")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_survive_formatting_and_parsing() {
        let sample = Sample { game: 7, position: "4k3/8 w - - 0 1".into(), score: -31, game_result: 0.5 };
        assert_eq!(sample.to_string().parse(), Ok(sample));
        for invalid in ["", "7|x|3", "7|x|three|1", "-1|x|3|1", "7|x|3|1.5", "7|x|3|NaN"] {
            assert!(invalid.parse::<Sample>().is_err(), "{invalid}");
        }
    }

    #[test]
    fn samples_and_weights_depend_on_the_seed_but_not_on_threads() {
        for game in alfil_session::registry::games() {
            let sample_and_fit = |threads| {
                let options = SelfPlayOptions { games: 12, nodes: 60, seed: 3, threads };
                let samples = self_play(game, &options, &|| ()).unwrap();
                let result = fit(game, &samples, &FitOptions { epochs: 2, seed: 3, threads }).unwrap();
                (samples, result)
            };
            let (samples, result) = sample_and_fit(1);
            assert_eq!((&samples, &result), (&sample_and_fit(3).0, &sample_and_fit(3).1), "{game}");
            assert!(
                result.changed_count > 20 && result.changed_count <= result.parameter_count,
                "{game}: {result:?}"
            );
            assert_eq!(result.training_count + result.held_out_count, samples.len());
            assert!(result.source.contains("static WEIGHTS: Weights = Weights {"));
        }
        assert!(
            self_play("go", &SelfPlayOptions { games: 1, nodes: 1, seed: 1, threads: 1 }, &|| ()).is_err()
        );
        assert!(fit("chess", &[], &FitOptions { epochs: 1, seed: 1, threads: 1 }).is_err());
    }
}
