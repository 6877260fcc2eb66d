//! `alfil merge`: the results of a finished analysis as tables, or as PGN.

use std::path::{Path, PathBuf};

use alfil_batch::manifest::Manifest;
use alfil_batch::merge::{MergeError, MergeTotals, OutputFormat, merge};
use clap::{Args, ValueEnum};
use serde_json::json;

use crate::errors::{CommandResult, Failure};
use crate::output::{print_line, print_summary};
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
    /// Format of the results.
    #[arg(long, value_enum, default_value = "parquet")]
    format: FormatArg,
    /// Print the totals as one JSON object.
    #[arg(long)]
    json: bool,
}

impl Merge {
    pub(crate) fn run(&self) -> CommandResult {
        let chunks = Manifest::open_all(&self.folder)?.first().map_or(0, Manifest::total_chunks);
        let progress = Progress::new(chunks as usize);
        let totals = merge_with(&self.folder, self.format, &progress)?;
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
}

/// Merges the results and shows the progress.
///
/// # Errors
/// If chunks have no result, or a file cannot be read or written.
pub(crate) fn merge_with(
    folder: &Path,
    format: FormatArg,
    progress: &Progress,
) -> Result<MergeTotals, MergeError> {
    merge(folder, format.into(), || progress.step("merging".into()))
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
