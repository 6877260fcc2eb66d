//! Arguments of the commands that read many games.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, atomic::AtomicU64};

use alfil_batch::filter::Filter;
use alfil_batch::manifest::Manifest;
use alfil_batch::source::{Source, SourceError, SourceOptions};
use alfil_batch::{Fault, FaultList};
use alfil_session::registry;
use clap::Args;
use clap::builder::PossibleValuesParser;
use serde_json::{Value, json};

use crate::errors::Failure;
use crate::output::{folder_of, is_same_file, print_error_line};
use crate::progress::Progress;

/// The number of games between two updates of the progress.
pub(crate) const GAMES_BETWEEN_UPDATES: u64 = 256;

/// The number of faults that are printed; `--json` lists more.
const MAX_PRINTED_FAULTS: usize = 20;

/// The files whose games are read, and the condition on the games.
#[derive(Debug, Args)]
pub(crate) struct SourceArgs {
    /// Files of any format that is read, packed or not, directories with everything in them, or `-` for standard input.
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<PathBuf>,
    /// The game of records that do not say which game they are.
    #[arg(long, value_name = "GAME", value_parser = PossibleValuesParser::new(registry::games()))]
    game: Option<String>,
    /// Only the games for which a condition is true, such as `white~"Hu Ronghua" and plies>40`: fields white, red,
    /// black, player, event, site, date, year, round, result, eco, opening, variant, game, plies, elo, whiteelo,
    /// redelo, blackelo, start, tag("NAME"); = != < <= > >= ~ (contains); and, or, not, parentheses.
    #[arg(long, value_name = "CONDITION")]
    filter: Option<String>,
    /// A file with the names of the players (.jou) or of the tournaments (.trn) of WTHOR bases; may be repeated
    /// [default: those beside a base].
    #[arg(long, value_name = "FILE")]
    names: Vec<PathBuf>,
}

/// The threads that read games.
#[derive(Debug, Args)]
pub(crate) struct ReadingThreadsArg {
    /// Number of threads that read games [default: all cores].
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1_024))]
    threads: Option<u16>,
}

impl ReadingThreadsArg {
    /// Returns the number of threads.
    pub(crate) fn count(&self) -> usize {
        self.threads.map_or_else(all_cores, usize::from)
    }
}

/// Returns the number of cores, the threads with which games are read if none is given.
pub(crate) fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

impl SourceArgs {
    /// Opens the files. `name_openings` says whether games get the names of their openings. Games whose tags make the
    /// condition false are skipped.
    ///
    /// # Errors
    /// If a path does not exist or cannot be read, or the condition cannot be parsed.
    pub(crate) fn open(&self, name_openings: bool) -> Result<Source, Failure> {
        let filter = self.filter()?;
        self.open_with(&self.inputs, SourceOptions { name_openings, filter, ..SourceOptions::default() })
    }

    /// Opens the files for an analysis whose results go to a folder. What analyses have written into folders of games
    /// is not read, and neither is the folder of the results if a pattern of the shell has named it beside other files.
    ///
    /// # Errors
    /// If a path does not exist or cannot be read, or the games are in the folder of the results, where these could
    /// replace them or be read as games.
    pub(crate) fn open_for_analysis(&self, results: &Path) -> Result<Source, Failure> {
        let is_continued = self.inputs.len() > 1 && Manifest::open_all(results).is_ok();
        let mut inputs = Vec::new();
        for input in &self.inputs {
            let is_in_results = match input.is_dir() {
                true if is_continued && is_same_file(input, results) => continue,
                true => is_same_file(input, results),
                // A file that does not exist is reported when it is opened, and `-` is standard input.
                false => input.exists() && is_same_file(folder_of(input), results),
            };
            if is_in_results {
                let (input, results) = (input.display(), results.display());
                let message = format!(
                    "{input}: the games are in the folder of the results, {results}; name another one with -o, such as {results}/analysis"
                );
                return Err(Failure::Usage(message));
            }
            inputs.push(input.clone());
        }
        let filter = self.filter()?;
        self.open_with(&inputs, SourceOptions { skips_analyses: true, filter, ..SourceOptions::default() })
    }

    fn open_with(&self, inputs: &[PathBuf], options: SourceOptions) -> Result<Source, Failure> {
        let options = SourceOptions { game: self.game.clone(), name_files: self.names.clone(), ..options };
        Source::open(inputs, &options).map_err(|error| match error {
            SourceError::RepeatedStandardInput => Failure::Usage(error.to_string()),
            error => Failure::Input(error.to_string()),
        })
    }

    /// Parses the condition.
    ///
    /// # Errors
    /// If it cannot be parsed; the error has the column.
    pub(crate) fn filter(&self) -> Result<Option<Filter>, Failure> {
        let filter = self.filter.as_deref().map(Filter::parse).transpose();
        filter.map_err(|error| Failure::Usage(format!("--filter: {error}")))
    }
}

/// The progress of a command that reads a source: by bytes if the length of the input is known.
pub(crate) struct SourceProgress {
    pub(crate) progress: Progress,
    bytes_read: Arc<AtomicU64>,
    items: u64,
}

impl SourceProgress {
    pub(crate) fn new(source: &Source) -> SourceProgress {
        let progress = match source.files().total_bytes() {
            Some(bytes) => Progress::with_bytes(bytes),
            None => Progress::without_steps(),
        };
        SourceProgress { progress, bytes_read: source.bytes_read(), items: 0 }
    }

    /// Counts games and faults of the source, and shows the progress now and then.
    pub(crate) fn count_items(&mut self, count: u64) {
        let before = self.items;
        self.items += count;
        if before / GAMES_BETWEEN_UPDATES != self.items / GAMES_BETWEEN_UPDATES {
            self.progress.set_position(self.bytes_read.load(Ordering::Relaxed));
            self.progress.show_message(plural(self.items, "record"));
        }
    }
}

/// Prints the faults of a list on stderr: of those of which the same is wrong the first one, up to a limit.
#[derive(Default)]
pub(crate) struct FaultPrinter {
    /// The number of faults that were considered.
    considered: usize,
    printed: Vec<Fault>,
}

impl FaultPrinter {
    /// Prints the new faults of a list.
    pub(crate) fn print_new(&mut self, progress: &Progress, faults: &FaultList) {
        for fault in &faults.kept()[self.considered..] {
            let is_new = self.printed.iter().all(|printed| printed.what != fault.what);
            if is_new && self.printed.len() < MAX_PRINTED_FAULTS {
                progress.print_note(format_args!("alfil: {fault}"));
                self.printed.push(fault.clone());
            }
        }
        self.considered = faults.kept().len();
    }

    /// Prints the numbers of the faults that were not printed.
    pub(crate) fn print_counts(&self, faults: &FaultList) {
        let mut rest = faults.count();
        for fault in &self.printed {
            let count = faults.count_like(fault);
            rest -= count;
            if count > 1 {
                print_error_line(format_args!("alfil: {} more: {}", count - 1, fault.what));
            }
        }
        if rest > 0 {
            print_error_line(format_args!("alfil: {}", plural(rest, "more fault")));
        }
    }
}

/// Returns the JSON of the faults that are kept.
pub(crate) fn faults_to_json(faults: &FaultList) -> Value {
    let row = |fault: &Fault| json!({"file": &*fault.file, "game": fault.game, "byte": fault.byte, "what": fault.what});
    faults.kept().iter().map(row).collect()
}

/// Returns a number with its noun: `1 game`, `2 games`.
pub(crate) fn plural(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
