//! `alfil tune`: the numbers of an evaluation, fitted to games of the engine against itself.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use alfil_session::registry;
use alfil_training::{FitOptions, FitResult, Sample, SelfPlayOptions};
use anyhow::Context;
use clap::Args;

use crate::CommandResult;
use crate::errors::Failure;
use crate::output::print_line;
use crate::progress::Progress;

/// Fit the numbers of an evaluation to games of the engine against itself.
///
/// Standard output is the source of the numbers, `eval/numbers.rs` of the game's room, for a person to put there and format; what came
/// of the fit stands before it as a comment. The same seed gives the same games and the same numbers.
#[derive(Debug, Args)]
pub(crate) struct Tune {
    /// The game.
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(registry::games()))]
    game: String,
    /// How many games are played.
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(10..=1_000_000))]
    games: u32,
    /// Positions visited for a move, and up to a quarter more.
    #[arg(long, value_name = "N", default_value_t = 1_200, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,
    /// What games and order are drawn from.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u32,
    /// How often the fit looks at each position.
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    epochs: u32,
    /// Threads.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// The positions of the games: read if the file is there, and no games are played; written if it is not.
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
}

impl Tune {
    pub(crate) fn run(&self) -> CommandResult {
        let samples = match &self.data {
            Some(file) if file.exists() => read_samples(file)?,
            Some(file) => {
                // Games of hours are not played for a file that cannot be written, and half a file is never taken for a whole one.
                let part = file.with_added_extension("part");
                write_samples(&part, &[])?;
                let samples = self.play_games()?;
                write_samples(&part, &samples)?;
                fs::rename(&part, file).with_context(|| format!("cannot write {}", file.display()))?;
                samples
            }
            None => self.play_games()?,
        };
        let ask =
            FitOptions { epochs: self.epochs as usize, seed: self.seed, threads: usize::from(self.threads) };
        let fitted = alfil_training::fit(&self.game, &samples, &ask)?;
        print_line(summary(&fitted))?;
        print_line(fitted.source.trim_end())?;
        Ok(())
    }

    fn play_games(&self) -> Result<Vec<Sample>, Failure> {
        let ask = SelfPlayOptions {
            games: self.games as usize,
            nodes: self.nodes,
            seed: self.seed,
            threads: usize::from(self.threads),
        };
        let progress = Progress::new(ask.games);
        let samples =
            alfil_training::self_play(&self.game, &ask, &|| progress.step("games are played".into()))?;
        progress.finish();
        Ok(samples)
    }
}

fn read_samples(file: &Path) -> Result<Vec<Sample>, Failure> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let sample = |(number, line): (usize, &str)| {
        line.parse().map_err(|error| Failure::Input(format!("{}:{}: {error}", file.display(), number + 1)))
    };
    text.lines().enumerate().map(sample).collect()
}

fn write_samples(file: &Path, samples: &[Sample]) -> CommandResult {
    let text = samples.iter().fold(String::new(), |mut text, sample| {
        let _ = writeln!(text, "{sample}");
        text
    });
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))?;
    Ok(())
}

fn summary(fitted: &FitResult) -> String {
    let [search, before, after] = fitted.errors;
    format!(
        "// {} of {} numbers changed.\n\
         // {} positions, and {} of other games held out; a score of {:.0} is an expectation of 73 %.\n\
         // Mean square error on those held out: {before:.5} before, {after:.5} after; the search's own scores {search:.5}.",
        fitted.changed_count,
        fitted.parameter_count,
        fitted.training_count,
        fitted.held_out_count,
        fitted.scale
    )
}
