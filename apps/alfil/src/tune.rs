//! `alfil tune`: fits evaluation weights to games of self-play.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use alfil_session::registry;
use alfil_training::{FitOptions, FitResult, Sample, SelfPlayOptions};
use anyhow::Context;
use clap::Args;

use crate::errors::{CommandResult, Failure};
use crate::output::print_line;
use crate::progress::Progress;

/// Fit evaluation weights to games of self-play.
///
/// Prints the Rust source of the weights module, with a summary of the fit as a comment. Equal seeds give equal games
/// and equal weights.
#[derive(Debug, Args)]
pub(crate) struct Tune {
    /// The game.
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(registry::games()))]
    game: String,
    /// Number of games to play.
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(10..=1_000_000))]
    games: u32,
    /// Nodes per move; the actual limit varies by up to a quarter more.
    #[arg(long, value_name = "N", default_value_t = 1_200, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,
    /// Seed of the games and of the order of positions.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u32,
    /// Number of passes over the positions.
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    epochs: u32,
    /// Number of threads.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// File of positions: read if it exists (no games are played), written otherwise.
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
}

impl Tune {
    pub(crate) fn run(&self) -> CommandResult {
        let samples = match &self.data {
            Some(file) if file.exists() => read_samples(file)?,
            Some(file) => {
                // The file is opened before the games, which may take hours. A partial file never gets the final name.
                let part = file.with_added_extension("part");
                write_samples(&part, &[])?;
                let samples = self.play_games()?;
                write_samples(&part, &samples)?;
                fs::rename(&part, file).with_context(|| format!("cannot write {}", file.display()))?;
                samples
            }
            None => self.play_games()?,
        };
        let options =
            FitOptions { epochs: self.epochs as usize, seed: self.seed, threads: usize::from(self.threads) };
        let result = alfil_training::fit(&self.game, &samples, &options)?;
        print_line(summary(&result))?;
        print_line(result.source.trim_end())?;
        Ok(())
    }

    fn play_games(&self) -> Result<Vec<Sample>, Failure> {
        let options = SelfPlayOptions {
            games: self.games as usize,
            nodes: self.nodes,
            seed: self.seed,
            threads: usize::from(self.threads),
        };
        let progress = Progress::new(options.games);
        let samples =
            alfil_training::self_play(&self.game, &options, &|| progress.step("playing games".into()))?;
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

fn summary(result: &FitResult) -> String {
    let [search, before, after] = result.errors;
    format!(
        "// {} of {} weights changed.\n\
         // {} training positions, {} held out from other games; a score of {:.0} is an expectation of 73 %.\n\
         // Mean square error on the held-out positions: {before:.5} before, {after:.5} after; \
         {search:.5} by search scores.",
        result.changed_count,
        result.parameter_count,
        result.training_count,
        result.held_out_count,
        result.scale
    )
}
