//! `alfil tune`: fits evaluation weights to games of self-play.

use std::fs;
use std::path::PathBuf;

use alfil_engine::threads;
use alfil_session::registry;
use alfil_training::game_data::GameData;
use alfil_training::{FitOptions, FitResult, SelfPlayOptions};
use anyhow::Context;
use clap::Args;

use crate::errors::{CommandResult, Failure};
use crate::output::print_line;
use crate::progress::Progress;
use crate::selfplay::read_games;

/// The number of games that a thread plays with one generator.
const BLOCK: u32 = 16;

/// Fit evaluation weights to games of self-play.
///
/// It is `alfil train --kind terms` that can also play its games. Prints the Rust source of the weights module, with a
/// summary of the fit as a comment. Equal seeds give equal games and equal weights.
#[derive(Debug, Args)]
pub(crate) struct Tune {
    /// The game.
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(registry::games()))]
    game: String,
    /// Number of games to play.
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(10..=1_000_000))]
    games: u32,
    /// Nodes of each search: the iteration that passes this number is the last.
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000_000))]
    nodes: u32,
    /// Seed of the games and of the order of positions.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u32,
    /// Number of passes over the positions.
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    epochs: u32,
    /// Number of threads.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// File of games, or folder of `alfil selfplay`: read if it exists (no games are played), written otherwise.
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
}

impl Tune {
    pub(crate) fn run(&self) -> CommandResult {
        let games = match &self.data {
            Some(path) if path.exists() => read_games(std::slice::from_ref(path), &self.game)?,
            Some(file) => {
                // The file is opened before the games, which may take hours. A partial file never gets the final name.
                let part = file.with_added_extension("part");
                let cannot_write = || format!("cannot write {}", file.display());
                fs::write(&part, []).with_context(cannot_write)?;
                let games = self.play_games()?;
                let bytes: Vec<_> = games.iter().flat_map(GameData::to_bytes).collect();
                fs::write(&part, bytes).and_then(|()| fs::rename(&part, file)).with_context(cannot_write)?;
                games
            }
            None => self.play_games()?,
        };
        let options =
            FitOptions { epochs: self.epochs as usize, seed: self.seed, threads: usize::from(self.threads) };
        let result = alfil_training::fit(&self.game, &games, &options)?;
        print_line(summary(&result))?;
        print_line(result.source.trim_end())?;
        Ok(())
    }

    fn play_games(&self) -> Result<Vec<GameData>, Failure> {
        let options = SelfPlayOptions { nodes: self.nodes, seed: self.seed, hash_mib: 4, network: None };
        let progress = Progress::new(self.games as usize);
        let blocks: Vec<_> = (0..self.games).step_by(BLOCK as usize).collect();
        let play_block = |&first: &u32| {
            let mut generator = alfil_training::game_generator(&self.game, &options)?;
            let play = |number| {
                progress.step("playing games".into());
                generator.play_game(number)
            };
            Ok((first..self.games.min(first + BLOCK)).map(play).collect())
        };
        let blocks: Result<Vec<Vec<_>>, Failure> =
            threads::parallel_map(&blocks, self.threads.into(), play_block).into_iter().collect();
        progress.finish();
        Ok(blocks?.into_iter().flatten().collect())
    }
}

pub(crate) fn summary(result: &FitResult) -> String {
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
