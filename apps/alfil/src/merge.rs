//! `alfil merge`: the results of a finished analysis as tables, or as PGN.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use alfil_batch::manifest::Manifest;
use alfil_batch::merge::{MergeError, MergeTotals, OutputFormat, find_merged_file, merge_into};
use anyhow::Context as _;
use clap::{Args, ValueEnum};
use serde_json::json;

use crate::errors::{CommandResult, Failure};
use crate::output::{ForceArg, is_same_file, print_line, print_summary};
use crate::progress::Progress;
use crate::source_args::plural;

/// The format of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatArg {
    /// Tables of positions and games in Parquet.
    Parquet,
    /// Tables of positions and games as JSON lines.
    Jsonl,
    /// The games with `[%eval]` comments.
    Pgn,
}

impl FormatArg {
    /// Returns the argument that chooses the format, after a blank; an empty text for the default format.
    pub(crate) fn to_argument(self) -> String {
        let value = self.to_possible_value().filter(|_| self != FormatArg::Parquet);
        value.map_or(String::new(), |value| format!(" --format {}", value.get_name()))
    }
}

impl From<FormatArg> for OutputFormat {
    fn from(format: FormatArg) -> OutputFormat {
        match format {
            FormatArg::Parquet => OutputFormat::Parquet,
            FormatArg::Jsonl => OutputFormat::JsonLines,
            FormatArg::Pgn => OutputFormat::Pgn,
        }
    }
}

/// Write the results of a finished analysis.
///
/// They are a table of positions and one of games, or a file of PGN, for each of xiangqi, chess and Othello.
#[derive(Debug, Args)]
pub(crate) struct Merge {
    /// Folder of the analysis.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Folder for the results, of an analysis that is only to be read [default: the folder of the analysis].
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Format of the results.
    #[arg(long, value_enum, default_value = "parquet")]
    format: FormatArg,
    #[command(flatten)]
    force_arg: ForceArg,
    /// Print the totals as one JSON object.
    #[arg(long)]
    json: bool,
}

impl Merge {
    pub(crate) fn run(&self) -> CommandResult {
        let chunks = Manifest::open_all(&self.folder)?.first().map_or(0, Manifest::total_chunks);
        let output = self.output_folder()?;
        let progress = Progress::new(chunks as usize);
        let totals = merge_with(&self.folder, output, self.format, &progress)?;
        progress.finish();
        if self.json {
            // `poisoned` is the name of earlier versions for `failed`.
            return Ok(print_line(json!({
                "files": totals.files, "games": totals.games, "positions": totals.positions,
                "failed": totals.failed_chunks, "poisoned": totals.failed_chunks,
            }))?);
        }
        print_merged(&totals)
    }

    /// Returns the folder of the results, which is there then.
    fn output_folder(&self) -> Result<&Path, Failure> {
        let Some(output) = self.output.as_deref().filter(|output| !is_same_file(output, &self.folder)) else {
            return Ok(&self.folder);
        };
        std::fs::create_dir_all(output).with_context(|| format!("cannot create {}", output.display()))?;
        match find_merged_file(output).filter(|_| !self.force_arg.force) {
            None => Ok(output),
            Some(file) => Err(Failure::Input(format!("{} exists: --force replaces it", file.display()))),
        }
    }
}

/// Merges the results into the folder `output` and shows the progress.
///
/// # Errors
/// If chunks have no result, or a file cannot be read or written.
pub(crate) fn merge_with(
    folder: &Path,
    output: &Path,
    format: FormatArg,
    progress: &Progress,
) -> Result<MergeTotals, Failure> {
    let merged = merge_into(folder, output, format.into(), || progress.step("merging".into()));
    merged.map_err(|error| match &error {
        MergeError::File { error: cause, .. }
            if matches!(cause.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem)
                && folder == output =>
        {
            let folder = folder.display();
            Failure::Input(format!("{error}; alfil merge {folder} -o DIR writes the results elsewhere"))
        }
        _ => error.into(),
    })
}

/// Prints what was merged.
pub(crate) fn print_merged(totals: &MergeTotals) -> CommandResult {
    let MergeTotals { games, positions, failed_chunks, .. } = *totals;
    for file in &totals.files {
        print_summary(format_args!("wrote {}", file.display()))?;
    }
    let missing = match failed_chunks {
        0 => String::new(),
        _ => format!(", without those of {}", plural(failed_chunks, "failed chunk")),
    };
    let (games, positions) = (plural(games, "game"), plural(positions, "position"));
    Ok(print_summary(format_args!("{games}, {positions}{missing}"))?)
}

impl From<MergeError> for Failure {
    fn from(error: MergeError) -> Self {
        Failure::Input(error.to_string())
    }
}
