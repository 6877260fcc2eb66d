//! `alfil convert`: games of any format to another.

use std::path::{Path, PathBuf};

use alfil_batch::conversion::{
    Conversion, ConversionError, ConversionSettings, ConversionTotals, OutputError, SortKey, Split,
    charset_names, record_dialects, target_formats,
};
use alfil_batch::source::{STANDARD_STREAM, Source};
use alfil_session::FileFormat;
use clap::Args;
use clap::builder::PossibleValuesParser;
use serde_json::{Value, json};

use crate::errors::{CommandResult, Failure};
use crate::output::{ForceArg, print_summary};
use crate::source_args::{
    FaultPrinter, ReadingThreadsArg, SourceArgs, SourceProgress, faults_to_json, plural,
};

/// Convert games to another format.
///
/// They can be filtered, sorted and split into several files, without duplicates. What cannot be read or written is a
/// fault, printed on stderr with file, game and byte. The exit status is 0 if games were written without a fault, and 1
/// if there is a fault or no game is written.
#[derive(Debug, Args)]
pub(crate) struct Convert {
    #[command(flatten)]
    source_args: SourceArgs,
    /// The format to write.
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(target_formats().into_iter().map(FileFormat::id)))]
    to: String,
    /// The file to write [default: standard output]. With --split, and for formats with one game a file, a directory,
    /// or a path whose {} is replaced by the number or value of each part. A name that ends with .gz or .zst packs.
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force_arg: ForceArg,
    /// Leave out a game with the start and the main line of one written before, whose tags are kept.
    #[arg(long)]
    dedupe: bool,
    /// Sort by fields of --filter, such as `date,-whiteelo`; `-` sorts from the greatest value down. Unknown values
    /// come last.
    #[arg(long, value_name = "KEY", value_delimiter = ',', allow_hyphen_values = true)]
    sort: Vec<String>,
    /// Split into files of N games, or into a file for each value of a field.
    #[arg(long, value_name = "N|FIELD")]
    split: Option<String>,
    /// The dialect of moves in PGN, in the games that have more than one [default: that of the game].
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(record_dialects()))]
    dialect: Option<String>,
    /// The encoding of PGN.
    #[arg(long, value_name = "NAME", default_value = "utf-8", value_parser = PossibleValuesParser::new(charset_names()))]
    encoding: String,
    /// Add the name of the opening to games without the tag Opening, and in chess the ECO code.
    #[arg(long)]
    openings: bool,
    /// Leave out comments, evaluations and clock times.
    #[arg(long)]
    no_comments: bool,
    /// Leave out variations.
    #[arg(long)]
    no_variations: bool,
    /// Leave out what the format cannot hold, such as tags and comments, without reporting a fault.
    #[arg(long)]
    lossy: bool,
    /// Print the totals as JSON.
    #[arg(long, requires = "output")]
    json: bool,
    #[command(flatten)]
    threads_arg: ReadingThreadsArg,
}

impl Convert {
    pub(crate) fn run(&self) -> CommandResult {
        let settings = self.settings()?;
        let out = self.output.as_deref().filter(|path| *path != Path::new(STANDARD_STREAM));
        if out.is_none() && self.json {
            return Err(Failure::Usage("--json prints on standard output: name a file with -o".into()));
        }
        let source = self.source_args.open(self.openings)?;
        let mut conversion = Conversion::new(settings, out, source.files()).map_err(conversion_failure)?;
        let mut progress = SourceProgress::new(&source);
        let summary = Summary::new(&source, self.json);
        let (unfinished_files, totals, partial) =
            (conversion.unfinished_files(), conversion.totals(), summary.clone());
        // Games on standard output have no totals after them.
        let has_totals = out.is_some();
        progress.progress.set_partial_result(move || {
            let complete_games = unfinished_files.remove_and_block();
            has_totals.then(|| partial.text(&totals.lock(), Some(complete_games)))
        });
        let totals = conversion.totals();
        let mut printer = FaultPrinter::default();
        let preparation = conversion.preparation();
        source.map_in_order(
            self.threads_arg.count(),
            |batch| preparation.prepare(batch),
            |games| {
                let count = games.len();
                conversion.add_prepared(games).map_err(output_failure)?;
                printer.print_new(&progress.progress, &totals.lock().faults);
                progress.count_items(count);
                Ok::<(), Failure>(())
            },
        )?;
        let totals = conversion.finish().map_err(output_failure)?;
        // Sorted games are written at the end.
        printer.print_new(&progress.progress, &totals.faults);
        progress.progress.finish();
        printer.print_counts(&totals.faults);
        if out.is_some() {
            print_summary(summary.text(&totals, None))?;
        }
        if totals.written == 0 {
            return Err(Failure::Input("no game was written".into()));
        }
        if totals.faults.count() > 0 { Err(Failure::NegativeResult) } else { Ok(()) }
    }

    fn settings(&self) -> Result<ConversionSettings, Failure> {
        let usage = |error: &dyn std::fmt::Display| Failure::Usage(error.to_string());
        let format = FileFormat::from_id(&self.to).expect("the parser accepts only names of formats");
        let charset = alfil_session::Charset::from_name(&self.encoding);
        let sort = self.sort.iter().map(|key| SortKey::parse(key)).collect::<Result<_, _>>();
        Ok(ConversionSettings {
            filter: self.source_args.filter()?,
            dedupe: self.dedupe,
            sort: sort.map_err(|error| usage(&format_args!("--sort: {error}")))?,
            split: self.split.as_deref().map(parse_split).transpose()?,
            dialect: self.dialect.clone(),
            charset: charset.expect("the parser accepts only names of encodings"),
            keep_comments: !self.no_comments,
            keep_variations: !self.no_variations,
            allow_losses: self.lossy,
            replaces_files: self.force_arg.force,
            ..ConversionSettings::new(format)
        })
    }
}

fn parse_split(text: &str) -> Result<Split, Failure> {
    match text.parse() {
        Ok(0) => Err(Failure::Usage("--split: a file cannot have 0 games".into())),
        Ok(count) => Ok(Split::Count(count)),
        Err(_) if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) => {
            Err(Failure::Usage(format!("--split: {text} games in a file are too many, at most {}", u64::MAX)))
        }
        Err(_) => SortKey::parse_field(text).map(Split::Field).map_err(|error| {
            Failure::Usage(format!("--split: expected a number of games or a field; {error}"))
        }),
    }
}

fn conversion_failure(error: ConversionError) -> Failure {
    match error {
        ConversionError::Output(error) => output_failure(error),
        error => Failure::Usage(error.to_string()),
    }
}

fn output_failure(error: OutputError) -> Failure {
    if error.is_broken_pipe() {
        return Failure::OutputClosed;
    }
    match error {
        OutputError::NeedsDirectory(_)
        | OutputError::NeedsFile(_)
        | OutputError::UnusedPlaceholder
        | OutputError::UnwrittenPacking { .. }
        | OutputError::PlaceholderInDirectory(_) => Failure::Usage(error.to_string()),
        error => Failure::Input(error.to_string()),
    }
}

/// The summary that is printed after a conversion.
#[derive(Clone)]
struct Summary {
    files: usize,
    left_out: Vec<String>,
    json: bool,
}

impl Summary {
    fn new(source: &Source, json: bool) -> Summary {
        let left_out = source.files().left_out().iter().map(|path| path.display().to_string());
        Summary { files: source.files().files().len(), left_out: left_out.collect(), json }
    }

    /// Returns the text of the totals. `games_if_interrupted` is the number of games in complete files if the
    /// conversion was interrupted.
    fn text(&self, totals: &ConversionTotals, games_if_interrupted: Option<u64>) -> String {
        if self.json {
            self.to_json(totals, games_if_interrupted).to_string()
        } else {
            self.to_sentence(totals, games_if_interrupted)
        }
    }

    fn to_json(&self, totals: &ConversionTotals, games_if_interrupted: Option<u64>) -> Value {
        let mut value = json!({
            "files": self.files,
            "games": totals.games,
            "written": totals.written,
            "skipped": totals.skipped(),
            "filtered": totals.filtered,
            "duplicates": totals.duplicates,
            "faults": faults_to_json(&totals.faults),
            "fault_count": totals.faults.count(),
            "left_out": self.left_out,
        });
        if let Some(complete_games) = games_if_interrupted {
            value["interrupted"] = true.into();
            // The other files are removed.
            value["written"] = complete_games.into();
        }
        value
    }

    fn to_sentence(&self, totals: &ConversionTotals, games_if_interrupted: Option<u64>) -> String {
        let read =
            format!("{} read from {}", plural(totals.games, "game"), plural(self.files as u64, "file"));
        match games_if_interrupted {
            Some(0) => return format!("interrupted: {read}, nothing was written"),
            Some(games) => {
                return format!("interrupted: {read}, {} in complete files", plural(games, "game"));
            }
            None => {}
        }
        let mut parts = vec![read, format!("{} written", totals.written)];
        let duplicates = plural(totals.duplicates, "duplicate");
        let counts = [
            (totals.filtered, format!("{} left out by the filter", totals.filtered)),
            (totals.duplicates, format!("{duplicates} left out")),
            (totals.failed, format!("{} not written because of a fault", totals.failed)),
        ];
        parts.extend(counts.into_iter().filter(|(count, _)| *count > 0).map(|(_, text)| text));
        if totals.faults.count() > 0 {
            parts.push(plural(totals.faults.count(), "fault"));
        }
        if !self.left_out.is_empty() {
            let count = plural(self.left_out.len() as u64, "file");
            parts.push(format!("{count} not read: unknown file extension"));
        }
        parts.join(", ")
    }
}
