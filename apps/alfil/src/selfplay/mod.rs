//! `alfil selfplay`: plays games for training, and summarises or checks those that were played.

pub(crate) mod shards;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Instant;

use alfil_engine::threads;
use alfil_session::{EvaluationChoice, registry};
use alfil_training::game_data::{Ending, GameData};
use alfil_training::{SelfPlayOptions, Summary, TrainingError};
use anyhow::Context as _;
use clap::Args;
use serde_json::{Value, json};

use crate::args::{check_threads, read_evaluation};
use crate::errors::{CommandResult, Failure};
use crate::output::print_line;
use crate::progress::Progress;
use crate::source_args::plural;
pub(crate) use shards::read_games;
use shards::{Shard, ShardPlan};

/// Play games for training.
///
/// On Unix this runs at the lowest priority. Each thread searches with a transposition table and histories of its own.
/// A game depends on the seed, its number, --nodes, --hash and the network only, so any number of threads plays the
/// same games. They are written in shards: files that get their name when they are complete. A run that was interrupted
/// goes on where it stopped if it is started again with the same arguments.
#[derive(Debug, Args)]
pub(crate) struct SelfPlay {
    /// The game.
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(registry::games()))]
    game: String,
    /// Number of games.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Folder for the shards.
    #[arg(short, long, value_name = "DIR", required_unless_present_any = ["info", "check"])]
    output: Option<PathBuf>,
    /// Nodes of each search: the iteration that passes this number is the last.
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000_000))]
    nodes: u32,
    /// Seed of the games.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u32,
    /// Number of threads.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1_024))]
    threads: u16,
    /// Transposition table of each thread, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=4_096))]
    hash: u16,
    /// File of the network that evaluates instead of the built-in evaluation, or `terms` for the hand-made one.
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
    /// Number of games in a shard.
    #[arg(long, value_name = "N", default_value_t = 1_024, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    shard_games: u32,
    /// Summarise a shard, or all shards of a folder, and play nothing.
    #[arg(long, value_name = "PATH", conflicts_with_all = ["check", "threads"], conflicts_with_all = PLAY_OPTIONS)]
    info: Option<PathBuf>,
    /// Replay the games of a shard, or of all shards of a folder, under the rules, and play nothing.
    #[arg(long, value_name = "PATH", conflicts_with_all = PLAY_OPTIONS)]
    check: Option<PathBuf>,
    /// Print the totals as one JSON object.
    #[arg(long)]
    json: bool,
}

/// The options without effect if no game is played.
const PLAY_OPTIONS: [&str; 7] = ["output", "games", "nodes", "seed", "hash", "eval_file", "shard_games"];

impl SelfPlay {
    pub(crate) fn run(&self) -> CommandResult {
        match (&self.info, &self.check, &self.output) {
            (Some(path), ..) => self.summarise(path, |_| Ok(())),
            (_, Some(path), _) => self.summarise(path, |game| {
                alfil_training::check_game(game)
                    .map_err(|error| Failure::Input(format!("game {} of its run: {error}", game.number)))
            }),
            (.., Some(folder)) => self.play(folder),
            (None, None, None) => Err(Failure::Usage("--output is missing".into())),
        }
    }

    /// Prints the totals of stored games, after `check` accepted each.
    fn summarise(&self, path: &Path, check: impl Fn(&GameData) -> CommandResult + Sync) -> CommandResult {
        check_threads(self.threads.into(), 0)?;
        let mut summary = Summary::default();
        let files = shards::shard_files(path)?;
        let progress = Progress::new(files.len());
        for file in &files {
            let games = shards::read_games_of(path, file, &self.game)?;
            let failures = threads::parallel_map(&games, self.threads.into(), |game| check(game));
            for result in failures {
                result.map_err(|failure| match failure {
                    Failure::Input(error) => Failure::Input(format!("{}: {error}", file.display())),
                    other => other,
                })?;
            }
            games.iter().for_each(|game| summary.add(game));
            progress.step(plural(summary.games, "game"));
        }
        progress.finish();
        self.print_totals(&summary, files.len(), Value::Null)
    }

    fn play(&self, folder: &Path) -> CommandResult {
        let evaluation = read_evaluation(self.eval_file.as_deref())?;
        let checksum = match &evaluation {
            EvaluationChoice::Network(bytes) => Some(crc32fast::hash(bytes)),
            EvaluationChoice::BuiltIn => registry::info(&self.game)?.built_in_network.map(crc32fast::hash),
            _ => None,
        };
        let options =
            SelfPlayOptions { nodes: self.nodes, seed: self.seed, hash_mib: self.hash.into(), evaluation };
        check_threads(self.threads.into(), alfil_training::generator_mib(&self.game, &options)?)?;
        // A network of another game is refused before anything is written.
        alfil_training::game_generator(&self.game, &options)?;
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
        let plan = ShardPlan {
            folder,
            game: &self.game,
            seed: self.seed,
            nodes: self.nodes,
            games: self.games,
            shard_games: self.shard_games,
            hash: self.hash,
            network: checksum,
        };
        // The run is locked to the end of this function.
        let mut run_file = plan.lock()?;
        let mut summary = Summary::default();
        let mut missing = Vec::new();
        for shard in plan.shards() {
            match plan.read(&shard)? {
                Some(games) => games.iter().for_each(|game| summary.add(game)),
                None => missing.push(shard),
            }
        }
        run_file.begin()?;
        let kept = summary.games;
        lower_priority();
        let start = Instant::now();
        let played = self.play_shards(&plan, &options, &missing, &mut summary, start)?;
        let seconds = start.elapsed().as_secs_f64();
        let run = json!({
            "kept": kept, "seconds": seconds, "plies_per_hour": (played as f64 / seconds.max(1e-9) * 3600.0) as u64,
        });
        self.print_totals(&summary, plan.shards().count(), run)
    }

    /// Plays and writes the missing shards. Returns the number of plies.
    fn play_shards(
        &self,
        plan: &ShardPlan<'_>,
        options: &SelfPlayOptions,
        missing: &[Shard],
        summary: &mut Summary,
        start: Instant,
    ) -> Result<u64, Failure> {
        let numbers: Vec<_> = missing.iter().flat_map(Shard::numbers).collect();
        let progress = Progress::new(numbers.len());
        let next = AtomicUsize::new(0);
        let (sender, receiver) = mpsc::sync_channel::<Result<GameData, TrainingError>>(256);
        let mut played = 0;
        thread::scope(|scope| -> CommandResult {
            for _ in 0..self.threads {
                let (sender, next, numbers) = (sender.clone(), &next, &numbers);
                let play_games = move || {
                    let generator = alfil_training::game_generator(&self.game, options);
                    let mut generator = generator.expect("these options gave a generator before");
                    while let Some(&number) = numbers.get(next.fetch_add(1, Ordering::Relaxed)) {
                        // The receiver has gone if a game has no opening, or if a shard cannot be written.
                        if sender.send(generator.play_game(number)).is_err() {
                            return;
                        }
                    }
                };
                // After a panic the writer reports the shards that are missing.
                threads::spawn_scoped(scope, play_games).context("cannot start a thread")?;
            }
            drop(sender);
            let mut writer = shards::ShardWriter::new(plan, missing);
            for (count, game) in (1..).zip(receiver) {
                let game = game?;
                summary.add(&game);
                played += game.plies.len() as u64;
                let name = writer.add(game)?;
                progress.step(progress_text(count, numbers.len(), played, start, name));
            }
            writer.finish()
        })?;
        progress.finish();
        Ok(played)
    }

    fn print_totals(&self, summary: &Summary, shards: usize, run: Value) -> CommandResult {
        let Summary { games, plies, .. } = *summary;
        let endings: serde_json::Map<_, _> = Ending::ALL
            .iter()
            .map(|&ending| (ending.name().into(), summary.ended_by(ending).into()))
            .collect();
        if self.json {
            let mut totals = json!({
                "game": self.game, "shards": shards, "games": games, "plies": plies,
                "random_plies": summary.random_plies, "exact_plies": summary.exact_plies,
                "decided_plies": summary.decided_plies, "max_plies": summary.max_plies,
                "losses": summary.results[0], "draws": summary.results[1], "wins": summary.results[2],
                "endings": endings,
            });
            if let (Value::Object(totals), Value::Object(run)) = (&mut totals, run) {
                totals.extend(run);
            }
            return Ok(print_line(totals)?);
        }
        let [losses, draws, wins] = summary.results;
        print_line(format_args!(
            "{}, {plies} plies ({} random, {} exact, {} with a score beyond 1500), the longest {}",
            plural(games, "game"),
            summary.random_plies,
            summary.exact_plies,
            summary.decided_plies,
            summary.max_plies
        ))?;
        print_line(format_args!("first side: {wins} wins, {draws} draws, {losses} losses"))?;
        let endings: Vec<_> = endings.iter().map(|(name, count)| format!("{count} by {name}")).collect();
        print_line(format_args!("ended {}", endings.join(", ")))?;
        if let (Some(kept), Some(seconds), Some(rate)) =
            (run["kept"].as_u64(), run["seconds"].as_f64(), run["plies_per_hour"].as_u64())
        {
            print_line(format_args!(
                "{} in {seconds:.1} s, {rate} plies an hour; {kept} were there already",
                plural(games - kept, "game")
            ))?;
        }
        Ok(())
    }
}

/// Returns the line of the progress bar, and after an interruption of the partial result.
fn progress_text(count: usize, all: usize, plies: u64, start: Instant, last_shard: Option<String>) -> String {
    let seconds = start.elapsed().as_secs_f64();
    let rate = plies as f64 / seconds.max(1e-9) * 3600.0;
    let rest = seconds / count as f64 * (all - count) as f64;
    let written = last_shard.map_or(String::new(), |name| format!(", wrote {name}"));
    format!(
        "{}, {plies} plies, {:.2} million an hour, {:.0} min left{written}",
        plural(count as u64, "game"),
        rate / 1e6,
        rest / 60.0
    )
}

/// Lowers the priority of the process as far as possible: it takes only the time that nothing else needs.
pub(crate) fn lower_priority() {
    // Without the permission it runs at normal priority.
    #[cfg(unix)]
    let _ = rustix::process::nice(19);
}
