//! `alfil tune`: fits evaluation weights to games of self-play.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{Read, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use alfil_engine::threads;
use alfil_session::registry;
use alfil_training::game_data::GameData;
use alfil_training::{FitOptions, FitResult, SelfPlayOptions};
use anyhow::Context;
use clap::Args;

use crate::args::check_threads;
use crate::errors::{CommandResult, Failure};
use crate::output::{check_new_file, print_line, write_file};
use crate::progress::Progress;
use crate::row_file::open_locked_file;
use crate::selfplay::read_games;

/// The number of games that a thread plays with one generator.
const BLOCK: usize = 16;

/// The number of games if none is given.
const DEFAULT_GAMES: u32 = 2_000;

/// The nodes of each search if none are given.
const DEFAULT_NODES: u32 = 1_000;

/// Fit evaluation weights to games of self-play.
///
/// It is `alfil train --kind terms` that can also play its games. Prints the Rust source of the weights module, with a
/// summary of the fit as a comment. Equal seeds give equal games and equal weights.
#[derive(Debug, Args)]
pub(crate) struct Tune {
    /// The game.
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(registry::games()))]
    game: String,
    /// Number of games to play [default: 2000].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(10..=1_000_000))]
    games: Option<u32>,
    /// Nodes of each search: the iteration that passes this number is the last [default: 1000].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000_000))]
    nodes: Option<u32>,
    /// Seed of the games and of the order of positions.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u32,
    /// Number of passes over the positions.
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    epochs: u32,
    /// Number of threads.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// File of games, or folder of `alfil selfplay`: read if it exists (no games are played, and --games and --nodes
    /// must be those of its games if they are given), written otherwise.
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
}

impl Tune {
    pub(crate) fn run(&self) -> CommandResult {
        let options = SelfPlayOptions {
            nodes: self.nodes.unwrap_or(DEFAULT_NODES),
            seed: self.seed,
            hash_mib: 4,
            evaluation: alfil_session::EvaluationChoice::Terms,
        };
        check_threads(self.threads.into(), alfil_training::generator_mib(&self.game, &options)?)?;
        // One bar for everything: a process has one handler of Ctrl-C.
        let progress = Progress::new(0);
        progress.show_message("reading the games");
        let games = match &self.data {
            Some(path) if path.exists() => {
                let games = read_games(std::slice::from_ref(path), &self.game)?;
                self.check_options(path, &games)?;
                games
            }
            Some(file) => {
                check_new_file(file)?;
                // Each game is written when it ends. A partial file never gets the final name.
                let part = file.with_added_extension("part");
                let (part, played) = PartFile::open(part, &self.game, &options, self.games())?;
                let games = self.play_games(&options, played, Some(&part), &progress)?;
                let bytes: Vec<_> = games.iter().flat_map(GameData::to_bytes).collect();
                write_file(file, &bytes)?;
                // From here on the games are in the file, and no longer in the part file.
                progress.show_message(self.fit_message());
                fs::remove_file(&part.path)
                    .with_context(|| format!("cannot delete {}", part.path.display()))?;
                games
            }
            None => self.play_games(&options, Vec::new(), None, &progress)?,
        };
        progress.show_message(self.fit_message());
        let options =
            FitOptions { epochs: self.epochs as usize, seed: self.seed, threads: usize::from(self.threads) };
        let result = alfil_training::fit(&self.game, &games, &options)?;
        progress.finish();
        print_line(summary(&result))?;
        print_line(result.source.trim_end())?;
        Ok(())
    }

    fn games(&self) -> u32 {
        self.games.unwrap_or(DEFAULT_GAMES)
    }

    /// Checks that stored games are those of --games and --nodes, as far as these are given.
    fn check_options(&self, path: &Path, games: &[GameData]) -> CommandResult {
        let (path, advice) = (path.display(), "leave out the option, or name a file that does not exist");
        if let Some(count) = self.games.filter(|&count| count as usize != games.len()) {
            let found = games.len();
            return Err(Failure::Usage(format!("{path} has {found} games, not --games {count}: {advice}")));
        }
        if let Some(nodes) = self.nodes
            && let Some(other) = games.iter().find(|game| game.nodes != nodes)
        {
            let found = other.nodes;
            return Err(Failure::Usage(format!(
                "{path} has games of --nodes {found}, not {nodes}: {advice}"
            )));
        }
        Ok(())
    }

    /// Returns what an interruption of the fit says.
    fn fit_message(&self) -> String {
        match &self.data {
            Some(file) => {
                format!(
                    "fitting the weights; the games are in {}, so that none is played again",
                    file.display()
                )
            }
            None => "fitting the weights".into(),
        }
    }

    /// Plays the games that are not played yet, and returns all in the order of their numbers.
    fn play_games(
        &self,
        options: &SelfPlayOptions,
        mut played: Vec<GameData>,
        part: Option<&PartFile>,
        progress: &Progress,
    ) -> Result<Vec<GameData>, Failure> {
        let mut is_played = HashSet::new();
        // Earlier versions let two processes write one file, so a game may be there twice.
        played.retain(|game| is_played.insert(game.number));
        let numbers: Vec<_> = (0..self.games()).filter(|number| !is_played.contains(number)).collect();
        progress.add_steps(numbers.len());
        let (count, kept) = (AtomicUsize::new(played.len()), part.map(PartFile::note).unwrap_or_default());
        let message = |count: usize| format!("{count} of {} games{kept}", self.games());
        progress.show_message(message(played.len()));
        let has_failed = AtomicBool::new(false);
        let play_block = |numbers: &&[u32]| {
            let mut generator = alfil_training::game_generator(&self.game, options)?;
            // After a failure no thread begins another game: the error of that game is reported.
            let numbers = numbers.iter().take_while(|_| !has_failed.load(Ordering::Relaxed));
            let play = |&number: &u32| -> Result<GameData, Failure> {
                let fail = || has_failed.store(true, Ordering::Relaxed);
                let game = generator.play_game(number).inspect_err(|_| fail())?;
                part.map_or(Ok(()), |part| part.append(&game)).inspect_err(|_| fail())?;
                let count = 1 + count.fetch_add(1, Ordering::Relaxed);
                progress.step(message(count));
                Ok(game)
            };
            numbers.map(play).collect()
        };
        let blocks: Vec<_> = numbers.chunks(BLOCK).collect();
        let blocks: Result<Vec<Vec<_>>, Failure> =
            threads::parallel_map(&blocks, self.threads.into(), play_block).into_iter().collect();
        played.extend(blocks?.into_iter().flatten());
        played.sort_unstable_by_key(|game| game.number);
        Ok(played)
    }
}

/// Returns whether a game can be read at any byte.
fn has_game(bytes: &[u8]) -> bool {
    (0..bytes.len()).any(|at| GameData::read(&bytes[at..]).is_ok())
}

/// The games of an unfinished run, in the order in which they ended.
struct PartFile {
    path: PathBuf,
    file: Mutex<File>,
}

impl PartFile {
    /// Opens or creates the file for a run of `count` games; returns it with the games that it has. If the last game is
    /// cut off, it is removed.
    ///
    /// # Errors
    /// If the file cannot be read or written, is damaged, has games of other options, or another process has it open.
    /// It is then unchanged.
    fn open(
        path: PathBuf,
        game: &str,
        options: &SelfPlayOptions,
        count: u32,
    ) -> Result<(PartFile, Vec<GameData>), Failure> {
        let cannot_open = || format!("cannot open {}", path.display());
        let mut file = open_locked_file(&path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).with_context(cannot_open)?;
        let (mut games, mut length) = (Vec::new(), 0);
        while length < bytes.len() {
            match GameData::read(&bytes[length..]) {
                Ok((game, read)) => {
                    games.push(game);
                    length += read;
                }
                Err(error) => {
                    let is_truncation = error.is_truncation();
                    if is_truncation && !has_game(&bytes[length + 1..]) {
                        break;
                    }
                    let reason = match is_truncation {
                        true => "its number of plies is damaged, as games follow it".to_owned(),
                        false => error.to_string(),
                    };
                    return Err(Failure::Input(format!(
                        "{}: game {} at byte {length}: {reason}; move the file away to begin anew",
                        path.display(),
                        games.len() + 1
                    )));
                }
            }
        }
        let is_other =
            |found: &&GameData| (found.game, found.nodes, found.seed) != (game, options.nodes, options.seed);
        if let Some(GameData { game, nodes, seed, .. }) = games.iter().find(is_other) {
            let path = path.display();
            return Err(Failure::Input(format!(
                "{path} has games of an unfinished run of {game} with --nodes {nodes} --seed {seed}; \
                 continue that run, or remove the file"
            )));
        }
        if let Some(last) = games.iter().map(|game| game.number).max().filter(|&last| last >= count) {
            return Err(Failure::Input(format!(
                "{} has games of an unfinished run of more than {count} games: use --games {} or more, \
                 or remove the file",
                path.display(),
                last.saturating_add(1)
            )));
        }
        if length < bytes.len() {
            let cut = file.set_len(length as u64).and_then(|()| file.seek(SeekFrom::End(0)));
            cut.with_context(cannot_open)?;
        }
        Ok((PartFile { path, file: Mutex::new(file) }, games))
    }

    /// Returns the note on an interrupted run.
    fn note(&self) -> String {
        format!(" are in {}; the same command continues", self.path.display())
    }

    /// Adds a game. If it cannot be written, nothing of it is left.
    fn append(&self, game: &GameData) -> CommandResult {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let cannot_write = || format!("cannot write {}", self.path.display());
        let length = file.metadata().with_context(cannot_write)?.len();
        file.write_all(&game.to_bytes())
            .inspect_err(|_| drop(file.set_len(length)))
            .with_context(cannot_write)?;
        Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_process_at_a_time_plays_the_games_of_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let options = SelfPlayOptions {
            nodes: 40,
            seed: 1,
            hash_mib: 4,
            evaluation: alfil_session::EvaluationChoice::Terms,
        };
        let open = || PartFile::open(folder.path().join("games.part"), "othello", &options, 10);
        let first = open().unwrap();
        let Err(Failure::Input(message)) = open() else { panic!("it is open twice") };
        assert!(message.contains("another process"), "{message}");
        drop(first);
        assert!(open().is_ok());
    }
}
