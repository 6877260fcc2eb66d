//! Fitting the numbers of an evaluation to games of the engine against itself.
//!
//! Two steps: [`play`] makes samples, which a file can keep, and [`fit`] brings the numbers closer to what came of them. Both give the
//! same for the same seed, on any number of threads.

mod fit;
mod games;

use std::fmt;
use std::str::FromStr;

use alfil_chess as chess;
use alfil_othello as othello;
use alfil_xiangqi as xiangqi;

use crate::desk::DeskError;

/// The games a fit learns from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayAsk {
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
pub struct FitAsk {
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
    pub share: f64,
}

/// As a line of a file has it: the game's number, the position, the score and the share, between bars.
impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}|{}|{}|{}", self.game, self.position, self.score, self.share)
    }
}

impl FromStr for Sample {
    type Err = DeskError;

    /// # Errors
    /// If a part is missing or is no number.
    fn from_str(line: &str) -> Result<Sample, DeskError> {
        let parts: Vec<_> = line.split('|').collect();
        let [game, position, score, share] = parts[..] else {
            return Err(DeskError::new(format!("{line:?} is not a sample: game|position|score|share")));
        };
        let odd = |what: &str, text: &str| DeskError::new(format!("{what} {text:?} is not a number"));
        let share = share.parse().ok().filter(|share| (0.0..=1.0).contains(share));
        Ok(Sample {
            game: game.parse::<u32>().map_err(|_| odd("the game", game))? as usize,
            position: position.into(),
            score: score.parse().map_err(|_| odd("the score", score))?,
            share: share.ok_or_else(|| DeskError::new("the share is not a number from 0 to 1"))?,
        })
    }
}

/// What came of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// The file of numbers with the new ones, before `cargo fmt`: `eval/numbers.rs` of the game's room.
    pub source: String,
    /// How many numbers there are; each weight has two.
    pub numbers: usize,
    /// How many of them changed.
    pub changed: usize,
    /// Samples that were learnt from.
    pub learnt: usize,
    /// Samples of the last tenth of the games, which were held out.
    pub held: usize,
    /// The score, in centipawns or hundredths of a disc, whose expectation is 73 %.
    pub scale: f64,
    /// Mean square errors of the held-out samples' shares as the search foretold them, the old numbers, the new ones.
    pub errors: [f64; 3],
}

/// Plays games of a game and gives their quiet positions; `heard` is told of each game that is over.
///
/// # Errors
/// If there is no such game.
pub fn play(game: &str, ask: &PlayAsk, heard: &(dyn Fn() + Sync)) -> Result<Vec<Sample>, DeskError> {
    match game {
        "xiangqi" => Ok(games::play::<xiangqi::Bitboard>(ask, heard)),
        "chess" => Ok(games::play::<chess::Bitboard>(ask, heard)),
        "othello" => Ok(games::play::<othello::Bitboard>(ask, heard)),
        _ => Err(nothing_to_fit(game)),
    }
}

/// Fits the numbers of a game's evaluation to samples.
///
/// # Errors
/// If there is no such game, too few samples, or one whose position cannot be read.
pub fn fit(game: &str, samples: &[Sample], ask: &FitAsk) -> Result<Fitted, DeskError> {
    match game {
        "xiangqi" => fit::fit::<xiangqi::Bitboard>(samples, ask),
        "chess" => fit::fit::<chess::Bitboard>(samples, ask),
        "othello" => fit::fit::<othello::Bitboard>(samples, ask),
        _ => Err(nothing_to_fit(game)),
    }
}

fn nothing_to_fit(game: &str) -> DeskError {
    DeskError::new(format!("there is no evaluation of {game:?} to fit"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_read_as_they_are_written() {
        let sample = Sample { game: 7, position: "4k3/8 w - - 0 1".into(), score: -31, share: 0.5 };
        assert_eq!(sample.to_string().parse(), Ok(sample));
        for wrong in ["", "7|x|3", "7|x|three|1", "-1|x|3|1", "7|x|3|1.5", "7|x|3|NaN"] {
            assert!(wrong.parse::<Sample>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_games_and_the_same_numbers_on_any_number_of_threads() {
        for game in crate::registry::games() {
            let made = |threads| {
                let ask = PlayAsk { games: 12, nodes: 60, seed: 3, threads };
                let samples = play(game, &ask, &|| ()).unwrap();
                let fitted = fit(game, &samples, &FitAsk { epochs: 2, seed: 3, threads }).unwrap();
                (samples, fitted)
            };
            let (samples, fitted) = made(1);
            assert_eq!((&samples, &fitted), (&made(3).0, &made(3).1), "{game}");
            assert!(fitted.changed > 20 && fitted.changed <= fitted.numbers, "{game}: {fitted:?}");
            assert_eq!(fitted.learnt + fitted.held, samples.len());
            assert!(fitted.source.contains("static WEIGHTS: Weights = Weights {"));
        }
        assert!(play("go", &PlayAsk { games: 1, nodes: 1, seed: 1, threads: 1 }, &|| ()).is_err());
        assert!(fit("chess", &[], &FitAsk { epochs: 1, seed: 1, threads: 1 }).is_err());
    }
}
