//! Fitting the numbers of an evaluation to games of the engine against itself.
//!
//! Two steps: [`play`] makes samples, which a file can keep, and [`fit`] brings the numbers closer to what came of them. Both give the
//! same for the same seed, on any number of threads.

mod fit;
mod self_play;

use std::fmt;
use std::str::FromStr;

use alfil_chess as chess;
use alfil_othello as othello;
use alfil_xiangqi as xiangqi;

use alfil_session::game_session::SessionError;

/// The games a fit learns from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfPlayOptions {
    /// How many.
    pub games: usize,
    /// Positions visited for a move.
    pub nodes: u64,
    /// What the games are drawn from.
    pub seed: u32,
    /// How many games are played at a time.
    pub threads: usize,
}

/// How numbers are fitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FitOptions {
    /// How often each sample is looked at.
    pub epochs: usize,
    /// What the order of the samples is drawn from.
    pub seed: u32,
    /// How many positions are taken apart at a time.
    pub threads: usize,
}

/// A quiet position of a game: nobody is in check, and the best move takes nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The number of its game.
    pub game: usize,
    /// The position in the game's own text.
    pub position: String,
    /// What a search thought of it, for the first side.
    pub score: i32,
    /// What the first side got in the end, from 0 to 1.
    pub game_result: f64,
}

/// As a line of a file has it: the game's number, the position, the score and the share, between bars.
impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}|{}|{}|{}", self.game, self.position, self.score, self.game_result)
    }
}

impl FromStr for Sample {
    type Err = SessionError;

    /// # Errors
    /// If a part is missing or is no number.
    fn from_str(line: &str) -> Result<Sample, SessionError> {
        let parts: Vec<_> = line.split('|').collect();
        let [game, position, score, share] = parts[..] else {
            return Err(SessionError::new(format!("{line:?} is not a sample: game|position|score|share")));
        };
        let odd = |what: &str, text: &str| SessionError::new(format!("{what} {text:?} is not a number"));
        let share = share.parse().ok().filter(|share| (0.0..=1.0).contains(share));
        Ok(Sample {
            game: game.parse::<u32>().map_err(|_| odd("the game", game))? as usize,
            position: position.into(),
            score: score.parse().map_err(|_| odd("the score", score))?,
            game_result: share.ok_or_else(|| SessionError::new("the share is not a number from 0 to 1"))?,
        })
    }
}

/// What came of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct FitResult {
    /// The file of numbers with the new ones, before `cargo fmt`: `eval/numbers.rs` of the game's room.
    pub source: String,
    /// How many numbers there are; each weight has two.
    pub parameter_count: usize,
    /// How many of them changed.
    pub changed_count: usize,
    /// Samples that were learnt from.
    pub training_count: usize,
    /// Samples of the last tenth of the games, which were held out.
    pub held_out_count: usize,
    /// The score, in centipawns or hundredths of a disc, whose expectation is 73 %.
    pub scale: f64,
    /// Mean square errors of the held-out samples' shares as the search foretold them, the old numbers, the new ones.
    pub errors: [f64; 3],
}

/// Plays games of a game and gives their quiet positions; `heard` is told of each game that is over.
///
/// # Errors
/// If there is no such game.
pub fn self_play(
    game: &str,
    ask: &SelfPlayOptions,
    heard: &(dyn Fn() + Sync),
) -> Result<Vec<Sample>, SessionError> {
    match game {
        "xiangqi" => Ok(self_play::play_games::<xiangqi::Bitboard>(ask, heard)),
        "chess" => Ok(self_play::play_games::<chess::Bitboard>(ask, heard)),
        "othello" => Ok(self_play::play_games::<othello::Bitboard>(ask, heard)),
        _ => Err(unknown_game(game)),
    }
}

/// Fits the numbers of a game's evaluation to samples.
///
/// # Errors
/// If there is no such game, too few samples, or one whose position cannot be read.
pub fn fit(game: &str, samples: &[Sample], ask: &FitOptions) -> Result<FitResult, SessionError> {
    match game {
        "xiangqi" => fit::fit::<xiangqi::Bitboard>(samples, ask),
        "chess" => fit::fit::<chess::Bitboard>(samples, ask),
        "othello" => fit::fit::<othello::Bitboard>(samples, ask),
        _ => Err(unknown_game(game)),
    }
}

fn unknown_game(game: &str) -> SessionError {
    SessionError::new(format!("there is no evaluation of {game:?} to fit"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_read_as_they_are_written() {
        let sample = Sample { game: 7, position: "4k3/8 w - - 0 1".into(), score: -31, game_result: 0.5 };
        assert_eq!(sample.to_string().parse(), Ok(sample));
        for wrong in ["", "7|x|3", "7|x|three|1", "-1|x|3|1", "7|x|3|1.5", "7|x|3|NaN"] {
            assert!(wrong.parse::<Sample>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_games_and_the_same_numbers_on_any_number_of_threads() {
        for game in alfil_session::registry::games() {
            let made = |threads| {
                let ask = SelfPlayOptions { games: 12, nodes: 60, seed: 3, threads };
                let samples = self_play(game, &ask, &|| ()).unwrap();
                let fitted = fit(game, &samples, &FitOptions { epochs: 2, seed: 3, threads }).unwrap();
                (samples, fitted)
            };
            let (samples, fitted) = made(1);
            assert_eq!((&samples, &fitted), (&made(3).0, &made(3).1), "{game}");
            assert!(
                fitted.changed_count > 20 && fitted.changed_count <= fitted.parameter_count,
                "{game}: {fitted:?}"
            );
            assert_eq!(fitted.training_count + fitted.held_out_count, samples.len());
            assert!(fitted.source.contains("static WEIGHTS: Weights = Weights {"));
        }
        assert!(
            self_play("go", &SelfPlayOptions { games: 1, nodes: 1, seed: 1, threads: 1 }, &|| ()).is_err()
        );
        assert!(fit("chess", &[], &FitOptions { epochs: 1, seed: 1, threads: 1 }).is_err());
    }
}
