//! `alfil train`: trains a network, or fits patterns or hand-made terms, on games of self-play.

mod patterns;

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use alfil_session::registry;
use alfil_training::game_data::GameData;
use alfil_training::{EpochReport, FitOptions, FitResult, NetworkOptions, NetworkTrainer, loss_plot};
use anyhow::Context as _;
use clap::{Args, ValueEnum};
use serde_json::json;

use crate::errors::{CommandResult, Failure};
use crate::output::{ForceArg, ignore_closed_output, is_same_file, print_error_line, print_line, write_file};
use crate::progress::Progress;
use crate::selfplay::read_games;

/// Train an evaluation on games of self-play.
///
/// This trains a network, or fits patterns or hand-made terms.
///
/// A network is written to the output, its losses to the same name with .csv and .svg added. After each epoch the state
/// is written to the name with .state added: the same command goes on from there after an interruption. Equal data,
/// options and seeds give the same network on any number of threads. Othello has patterns in place of a network: their
/// weights are fitted by least squares, and measured on a fixed set of positions of games that are held out.
#[derive(Debug, Args)]
pub(crate) struct Train {
    /// The game.
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(registry::games()))]
    game: String,
    /// Shards of `alfil selfplay`, or folders of them.
    #[arg(required = true, value_name = "DATA")]
    data: Vec<PathBuf>,
    /// What to train.
    #[arg(long, value_enum, default_value_t = Kind::Network)]
    kind: Kind,
    /// File of the network, or of the source of the weights.
    #[arg(short, long, value_name = "NET")]
    output: PathBuf,
    #[command(flatten)]
    force_arg: ForceArg,
    /// Number of hidden units of each perspective [default: 64].
    #[arg(long, value_name = "H", value_parser = clap::builder::PossibleValuesParser::new(["16", "32", "64", "128", "256"]))]
    width: Option<String>,
    /// Number of output layers; the number of pieces on the board chooses one [default: 8].
    #[arg(long, value_name = "B", value_parser = clap::builder::PossibleValuesParser::new(["1", "2", "4", "8"]))]
    buckets: Option<String>,
    /// Begin with the weights of this network of the same shape in place of random ones.
    #[arg(long, value_name = "NET")]
    start: Option<PathBuf>,
    /// Number of passes over the positions [default: 30].
    #[arg(long, value_name = "E", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    epochs: Option<u32>,
    /// Number of positions in a batch [default: 16384].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(16..=1_048_576))]
    batch: Option<u32>,
    /// Learning rate at the beginning; it falls along a cosine [default: 0.001].
    #[arg(long, value_name = "R")]
    rate: Option<f32>,
    /// Learning rate at the end [default: 0.00001].
    #[arg(long, value_name = "R")]
    final_rate: Option<f32>,
    /// Weight of the next ply's score, which holds those of all later ones and the result, in the score of a position
    /// [default: 0.6].
    #[arg(long, value_name = "L")]
    lambda: Option<f32>,
    /// Fraction of the result of the game in the target; the rest is the score [default: 0.05, patterns 0].
    #[arg(long, value_name = "F")]
    result_fraction: Option<f32>,
    /// File of the test set of the patterns, which is made if it is not there [default: the output with .test added].
    #[arg(long, value_name = "FILE")]
    test: Option<PathBuf>,
    /// Number of positions that a weight of a pattern needs to go half of the way from the weight of the phase after it
    /// [default: 60].
    #[arg(long, value_name = "R")]
    ridge: Option<f32>,
    /// Number of steps of conjugate gradients for each phase of the patterns [default: 40].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    iterations: Option<u32>,
    /// Seed of the first weights and of the order of the positions [default: 1].
    #[arg(long, value_name = "S")]
    seed: Option<u32>,
    /// Number of threads.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1_024))]
    threads: u16,
    /// Licence written into the network, as an SPDX expression of at most 24 bytes [default: MIT OR Apache-2.0].
    #[arg(long, value_name = "SPDX", value_parser = parse_licence)]
    licence: Option<String>,
    /// Print a JSON object for each epoch, and one for the network.
    #[arg(long)]
    json: bool,
}

/// The number of passes over the positions if none is given.
const DEFAULT_EPOCHS: u32 = 30;

/// The seed if none is given.
const DEFAULT_SEED: u32 = 1;

/// The licence of a network if none is given.
const DEFAULT_LICENCE: &str = "MIT OR Apache-2.0";

/// What can be trained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// A network.
    Network,
    /// The weights of the hand-made evaluation.
    Terms,
    /// The weights of the patterns of Othello.
    Patterns,
    /// The errors of shallow searches of Othello, for Multi-ProbCut: nothing is trained, and the output has their
    /// table.
    ProbCut,
}

impl Kind {
    /// Returns its name on the command line.
    fn name(self) -> &'static str {
        match self {
            Kind::Network => "network",
            Kind::Terms => "terms",
            Kind::Patterns => "patterns",
            Kind::ProbCut => "prob-cut",
        }
    }

    /// Returns what is trained, in the plural.
    fn plural(self) -> &'static str {
        match self {
            Kind::Network => "networks",
            Kind::Terms | Kind::Patterns | Kind::ProbCut => self.name(),
        }
    }
}

fn parse_licence(text: &str) -> Result<String, String> {
    match text.len() {
        1..=24 if text.is_ascii() => Ok(text.into()),
        _ => Err("expected 1 to 24 ASCII characters".into()),
    }
}

impl Train {
    pub(crate) fn run(&self) -> CommandResult {
        self.check()?;
        // One bar for everything: a process has one handler of Ctrl-C.
        let progress = Progress::new(0);
        progress.show_message("reading the games");
        let games = read_games(&self.data, &self.game)?;
        match self.kind {
            Kind::Network => self.train_network(&games, &progress),
            Kind::Terms => self.fit_terms(&games, &progress),
            Kind::Patterns => self.train_patterns(&games, &progress),
            Kind::ProbCut => self.measure_prob_cut(&games, &progress),
        }
    }

    /// Checks the options and the output, so that a long fit does not fail at its end.
    fn check(&self) -> CommandResult {
        // Each option with the kinds that have it.
        let options = [
            ("width", self.width.is_some(), &[Kind::Network][..]),
            ("buckets", self.buckets.is_some(), &[Kind::Network]),
            ("start", self.start.is_some(), &[Kind::Network]),
            ("epochs", self.epochs.is_some(), &[Kind::Network, Kind::Terms]),
            ("seed", self.seed.is_some(), &[Kind::Network, Kind::Terms]),
            ("batch", self.batch.is_some(), &[Kind::Network]),
            ("rate", self.rate.is_some(), &[Kind::Network]),
            ("final-rate", self.final_rate.is_some(), &[Kind::Network]),
            ("lambda", self.lambda.is_some(), &[Kind::Network]),
            ("result-fraction", self.result_fraction.is_some(), &[Kind::Network, Kind::Patterns]),
            ("licence", self.licence.is_some(), &[Kind::Network, Kind::Patterns]),
            ("test", self.test.is_some(), &[Kind::Patterns, Kind::ProbCut]),
            ("ridge", self.ridge.is_some(), &[Kind::Patterns]),
            ("iterations", self.iterations.is_some(), &[Kind::Patterns]),
        ];
        if let Some((name, _, kinds)) =
            options.iter().find(|(_, is_given, kinds)| *is_given && !kinds.contains(&self.kind))
        {
            let others: Vec<_> = kinds.iter().map(|kind| kind.plural()).collect();
            return Err(Failure::Usage(format!(
                "--{name} is an option of {}: --kind {} has none",
                others.join(" and "),
                self.kind.name()
            )));
        }
        if matches!(self.kind, Kind::Patterns | Kind::ProbCut) && self.game != "othello" {
            return Err(Failure::Usage(format!("{} has no patterns: only othello has", self.game)));
        }
        if self.kind == Kind::Network && self.game == "othello" {
            let message = "othello has patterns in place of a network: use --kind patterns";
            return Err(Failure::Usage(message.into()));
        }
        if let Some(ridge) = self.ridge.filter(|ridge| !(0.0..=1e9).contains(ridge)) {
            return Err(Failure::Usage(format!("--ridge {ridge}: expected a number from 0 to 1000000000")));
        }
        for (name, number) in [
            ("rate", self.rate),
            ("final-rate", self.final_rate),
            ("lambda", self.lambda),
            ("result-fraction", self.result_fraction),
        ] {
            if let Some(number) = number.filter(|number| !(0.0..=1.0).contains(number)) {
                return Err(Failure::Usage(format!("--{name} {number}: expected a number from 0 to 1")));
            }
        }
        // Writing these would replace what is read.
        for (written, name) in
            [(self.output.clone(), "--output"), (added(&self.output, "svg"), "the plot of --output")]
        {
            if self.test.as_ref().is_some_and(|test| is_same_file(test, &written)) {
                return Err(Failure::Usage(format!("--test and {name} are the same file")));
            }
            if let Some(data) = self.data.iter().find(|data| is_same_file(data, &written)) {
                return Err(Failure::Usage(format!("{} and {name} are the same file", data.display())));
            }
        }
        // A test set that is there is read, and so are the state and the log of a training that goes on.
        let test = self.test.clone().filter(|test| !test.exists());
        let state = added(&self.output, "state");
        let log = added(&self.output, "csv");
        let written = [
            Some(self.output.clone()),
            (self.kind != Kind::Terms).then(|| added(&self.output, "svg")),
            (self.kind == Kind::Network && !state.exists()).then_some(log),
            test,
        ];
        Ok(written.iter().flatten().try_for_each(|path| self.force_arg.check_new_file(path))?)
    }

    fn epochs(&self) -> u32 {
        self.epochs.unwrap_or(DEFAULT_EPOCHS)
    }

    fn seed(&self) -> u32 {
        self.seed.unwrap_or(DEFAULT_SEED)
    }

    fn fit_terms(&self, games: &[GameData], progress: &Progress) -> CommandResult {
        let options =
            FitOptions { epochs: self.epochs() as usize, seed: self.seed(), threads: self.threads.into() };
        progress.show_message("fitting the weights");
        let result = alfil_training::fit(&self.game, games, &options)?;
        progress.finish();
        write_file(&self.output, result.source.as_bytes())?;
        let [search, before, after] = result.errors;
        if self.json {
            return Ok(print_line(json!({
                "game": self.game, "parameters": result.parameter_count, "changed": result.changed_count,
                "training_positions": result.training_count, "held_out_positions": result.held_out_count,
                "score_scale": result.scale, "search_error": search, "error_before": before, "error_after": after,
            }))?);
        }
        Ok(print_line(fit_summary(&result))?)
    }

    fn options(&self, games: &[GameData], start: Option<&[u8]>) -> NetworkOptions {
        let width = self.width.as_deref().map_or(64, |width| width.parse().expect("it is a possible value"));
        let buckets =
            self.buckets.as_deref().map_or(8, |buckets| buckets.parse().expect("it is a possible value"));
        let batch = self.batch.unwrap_or(16_384);
        let (rate, final_rate) = (self.rate.unwrap_or(1e-3), self.final_rate.unwrap_or(1e-5));
        let (lambda, result_fraction) = (self.lambda.unwrap_or(0.6), self.result_fraction.unwrap_or(0.05));
        let start = start.map_or(String::new(), |network| {
            format!(" --start a network with CRC-32 {:08x}", crc32fast::hash(network))
        });
        let command = format!(
            "alfil train {} --width {width} --buckets {buckets}{start} --epochs {} --batch {batch} --rate {rate} --final-rate {final_rate} \
             --lambda {lambda} --result-fraction {result_fraction} --seed {} \
             on {} games with CRC-32 {:08x}",
            self.game,
            self.epochs(),
            self.seed(),
            games.len(),
            games_checksum(games)
        );
        NetworkOptions {
            width,
            buckets,
            epochs: self.epochs() as usize,
            batch: batch as usize,
            rates: (rate, final_rate),
            lambda,
            result_fraction,
            seed: self.seed(),
            threads: self.threads.into(),
            licence: self.licence.as_deref().unwrap_or(DEFAULT_LICENCE).into(),
            command,
        }
    }

    fn train_network(&self, games: &[GameData], progress: &Progress) -> CommandResult {
        progress.show_message("preparing the positions");
        let start = self
            .start
            .as_ref()
            .map(|file| fs::read(file).with_context(|| format!("cannot read {}", file.display())));
        let start = start.transpose()?;
        let options = self.options(games, start.as_deref());
        let mut trainer = NetworkTrainer::new(&self.game, games, &options)?;
        let start_loss = start.map(|network| trainer.start_from(&network)).transpose()?;
        let (state_file, log_file) = (added(&self.output, "state"), added(&self.output, "csv"));
        let mut log = self.restore(&mut trainer, &state_file, &log_file)?;
        let (training, held_out) = trainer.position_counts();
        let terms_loss = trainer.terms_loss();
        if !self.json {
            print_progress(progress, &options.command)?;
            let positions = format!(
                "{training} positions for training, {held_out} held out from other games; a score of {:.0} is an \
                 expectation of 73 %",
                trainer.score_scale()
            );
            print_progress(progress, positions)?;
            let terms = format!("held out {terms_loss:.6} by the static scores of the hand-made terms");
            print_progress(progress, terms)?;
            if let Some(loss) = start_loss {
                print_progress(progress, format_args!("held out {loss:.6} before the training"))?;
            }
        }
        progress.add_steps(options.epochs.saturating_sub(trainer.epochs_done()));
        while trainer.epochs_done() < options.epochs {
            let start = Instant::now();
            let epoch = trainer.epochs_done() + 1;
            let report = trainer.train_epoch(|part| {
                let done = part * training as f64;
                let speed = done / start.elapsed().as_secs_f64().max(1e-9);
                progress
                    .show_message(format!("epoch {epoch}, {:.0} %, {speed:.0} positions/s", part * 100.0));
            });
            let seconds = start.elapsed().as_secs_f64();
            let speed = training as f64 / seconds.max(1e-9);
            log.push((report, seconds, speed));
            write_file(&log_file, csv(&log).as_bytes())?;
            write_file(&state_file, &trainer.state())?;
            let EpochReport { rate, training_loss, held_out_loss, .. } = report;
            let row = if self.json {
                let row = json!({
                    "epoch": epoch, "rate": rate, "training_loss": training_loss, "held_out_loss": held_out_loss,
                    "seconds": seconds, "positions_per_second": speed,
                });
                row.to_string()
            } else {
                format!(
                    "epoch {epoch:>3}  training {training_loss:.6}  held out {held_out_loss:.6}  {speed:.0} positions/s"
                )
            };
            print_progress(progress, row)?;
            progress.step(format!("epoch {epoch} of {}: held out {held_out_loss:.6}", options.epochs));
        }
        progress.finish();
        self.write_network(&trainer, &log, (terms_loss, start_loss))
    }

    /// Goes on from an interrupted training if there is one. Returns its log.
    fn restore(
        &self,
        trainer: &mut NetworkTrainer,
        state_file: &Path,
        log_file: &Path,
    ) -> Result<Vec<LogRow>, Failure> {
        if !state_file.exists() {
            return Ok(Vec::new());
        }
        let located =
            |error: &dyn std::fmt::Display| Failure::Input(format!("{}: {error}", state_file.display()));
        let state = fs::read(state_file).map_err(|error| located(&error))?;
        trainer.restore(&state).map_err(|error| located(&error))?;
        let log = fs::read_to_string(log_file).ok().and_then(|text| parse_csv(&text)).unwrap_or_default();
        if log.len() < trainer.epochs_done() {
            print_error_line(format_args!(
                "alfil: {} lacks some of the {} finished epochs, and so will the log and the plot",
                log_file.display(),
                trainer.epochs_done()
            ));
        }
        Ok(log.into_iter().take(trainer.epochs_done()).collect())
    }

    /// Writes the network, deletes the state and prints the row of the network. `(terms_loss, start_loss)` are the
    /// losses of the hand-made terms and of the first network, if there is one.
    fn write_network(
        &self,
        trainer: &NetworkTrainer,
        log: &[LogRow],
        (terms_loss, start_loss): (f64, Option<f64>),
    ) -> CommandResult {
        let network = trainer.network();
        let error = trainer.quantisation_error(&network);
        let bytes = network.to_bytes();
        write_file(&self.output, &bytes)?;
        let reports: Vec<_> = log.iter().map(|&(report, ..)| report).collect();
        write_file(&added(&self.output, "svg"), loss_plot(&network.description(), &reports).as_bytes())?;
        let state_file = added(&self.output, "state");
        fs::remove_file(&state_file).with_context(|| format!("cannot delete {}", state_file.display()))?;
        if self.json {
            return Ok(print_line(json!({
                "game": self.game, "network": self.output.display().to_string(), "bytes": bytes.len(),
                "width": network.info().width, "command_hash": format!("{:016x}", network.info().command_hash),
                "quantisation_mean_cp": error.mean, "quantisation_max_cp": error.max,
                "measured_positions": error.positions, "terms_loss": terms_loss, "start_loss": start_loss,
            }))?);
        }
        print_line(format_args!(
            "wrote {}: {}, {} bytes",
            self.output.display(),
            network.description(),
            bytes.len()
        ))?;
        Ok(print_line(format_args!(
            "scores of the network differ from those of the training by {:.2} centipawns on average and {:.1} at most, on {} positions",
            error.mean, error.max, error.positions
        ))?)
    }
}

/// Returns what a fit of hand-made terms did, as comments of its source.
fn fit_summary(result: &FitResult) -> String {
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

/// An epoch, its seconds, and its positions a second.
type LogRow = (EpochReport, f64, f64);

const CSV_HEADER: &str = "epoch,rate,training_loss,held_out_loss,seconds,positions_per_second\n";

fn csv(log: &[LogRow]) -> String {
    log.iter().fold(CSV_HEADER.to_owned(), |mut text, (report, seconds, speed)| {
        let EpochReport { epoch, rate, training_loss, held_out_loss } = report;
        let _ = writeln!(text, "{epoch},{rate},{training_loss},{held_out_loss},{seconds:.2},{speed:.0}");
        text
    })
}

/// Reads the log of an interrupted training; `None` if it is not one.
fn parse_csv(text: &str) -> Option<Vec<LogRow>> {
    let rows = text.strip_prefix(CSV_HEADER)?.lines().map(|line| {
        let cells: Vec<_> = line.split(',').collect();
        let &[epoch, rate, training, held_out, seconds, speed] = &cells[..] else { return None };
        let report = EpochReport {
            epoch: epoch.parse().ok()?,
            rate: rate.parse().ok()?,
            training_loss: training.parse().ok()?,
            held_out_loss: held_out.parse().ok()?,
        };
        Some((report, seconds.parse().ok()?, speed.parse().ok()?))
    });
    rows.collect()
}

/// Prints a line above the bar. If the reader of stdout has closed it, the training goes on: its result is a file.
fn print_progress(progress: &Progress, text: impl std::fmt::Display) -> io::Result<()> {
    ignore_closed_output(progress.print_line(text))
}

/// Returns the CRC-32 of games. It identifies the data, as paths and threads do not change what is trained.
fn games_checksum(games: &[GameData]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    games.iter().for_each(|game| hasher.update(&game.to_bytes()));
    hasher.finalize()
}

/// Returns the path with an extension added.
fn added(path: &Path, extension: &str) -> PathBuf {
    path.with_added_extension(extension)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_survives_writing_and_reading() {
        let report = EpochReport { epoch: 3, rate: 1e-4, training_loss: 0.0712, held_out_loss: 0.0733 };
        let log = vec![(report, 1.25, 400_000.0); 2];
        assert_eq!(parse_csv(&csv(&log)), Some(log));
        assert_eq!(parse_csv("epoch\n1\n"), None);
        assert_eq!(parse_csv(&format!("{CSV_HEADER}1,2,3\n")), None);
    }
}
