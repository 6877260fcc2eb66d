//! Joins the results of all chunks: a file of positions and a file of games for each game, in the order of the input.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use alfil_session::{OpeningNamesCache, SessionError};
use parquet::errors::ParquetError;
use tempfile::TempPath;

use crate::analysis::PositionResult;
pub use crate::analysis_folder::find_merged_file;
use crate::chunk::AnalysisOptions;
use crate::game_analysis::GameAnalysis;
use crate::manifest::{ChunkRow, ChunkState, Manifest};
use crate::parquet_table::ParquetTable;
use crate::queue::{QueueError, parse_result};
use crate::sqlite_queue::result_path;
use crate::table::{GameRow, PositionRow, TableRow};

/// The format of merged results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputFormat {
    /// Two tables in Parquet: positions and games.
    Parquet,
    /// Two tables as JSON lines: positions and games.
    JsonLines,
    /// The records with evaluations.
    Pgn,
}

/// What was merged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MergeTotals {
    /// The files written, in the order of their games' names.
    pub files: Vec<PathBuf>,
    /// The number of games.
    pub games: u64,
    /// The number of positions.
    pub positions: u64,
    /// The number of failed chunks, whose positions are missing.
    pub failed_chunks: u64,
}

/// The reason why results are not merged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// The manifest cannot be read.
    #[error(transparent)]
    Queue(#[from] QueueError),
    /// Chunks have no result yet.
    #[error(
        "{missing} of {chunks} chunks have no result yet: run the same `alfil analyse` again, then merge"
    )]
    Unfinished {
        /// The number of chunks without a result.
        missing: u64,
        /// The number of all chunks.
        chunks: u64,
    },
    /// Parts of the analysis are missing, or do not belong together.
    #[error("{}: {what}", folder.display())]
    Parts {
        /// The folder.
        folder: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// A game cannot be written.
    #[error("{file}, game {number}: {error}")]
    Game {
        /// The name of its file.
        file: String,
        /// Its number in the file.
        number: u64,
        /// The reason.
        error: SessionError,
    },
    /// A file with games of the analysis has the name of a merged file.
    #[error("{} has games of the analysis, and the results would replace it: move it to another folder", path.display())]
    IsInput {
        /// The path.
        path: PathBuf,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {error}", path.display())]
    File {
        /// The path.
        path: PathBuf,
        /// The error of the system.
        error: std::io::Error,
    },
    /// A Parquet file cannot be written.
    #[error("cannot write {}: {error}", path.display())]
    Parquet {
        /// The path.
        path: PathBuf,
        /// The error of the writer.
        error: ParquetError,
    },
}

/// Merges the results of an analysis. Games of which no position is analysed are written, too. `on_chunk` is called
/// after each chunk.
///
/// ```
/// use alfil_batch::chunk::AnalysisOptions;
/// use alfil_batch::manifest::{PlannedGame, Shard};
/// use alfil_batch::merge::{MergeError, OutputFormat, merge};
/// use alfil_batch::sqlite_queue::SqliteQueue;
/// use alfil_batch::worker_loop::{execute_here, run_workers};
/// # let options = AnalysisOptions::with_nodes("example", 100);
/// # let game = PlannedGame {
/// #     file: "a.pgn".into(), file_number: 1, game: "chess".into(), start: None,
/// #     moves: vec!["e2e4".into()], record: "1. e4 *\n".into(), error: None,
/// # };
///
/// let folder = tempfile::tempdir()?;
/// let queue =
///     SqliteQueue::open(folder.path(), Shard::WHOLE, Box::new(|| 0), (&options, [game].into_iter()))?;
/// assert!(matches!(merge(folder.path(), OutputFormat::Pgn, || ()), Err(MergeError::Unfinished { .. })));
/// run_workers(&queue, 1, "example", &execute_here, &|_event| ())?;
/// let totals = merge(folder.path(), OutputFormat::Pgn, || ())?;
/// assert_eq!((totals.games, totals.positions), (1, 2));
/// assert!(std::fs::read_to_string(&totals.files[0])?.contains("[%eval "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If chunks have no result yet, a result is damaged, or a file cannot be written or has the games.
pub fn merge(folder: &Path, format: OutputFormat, on_chunk: impl FnMut()) -> Result<MergeTotals, MergeError> {
    merge_into(folder, folder, format, on_chunk)
}

/// Merges the results of the analysis in `folder` as [`merge`] does, and writes them in the folder `output`. The folder
/// of the analysis is only read.
///
/// # Errors
/// See [`merge`].
pub fn merge_into(
    folder: &Path,
    output: &Path,
    format: OutputFormat,
    mut on_chunk: impl FnMut(),
) -> Result<MergeTotals, MergeError> {
    let manifests = Manifest::open_all(folder)?;
    manifests.iter().try_for_each(Manifest::verify)?;
    let chunks = all_chunks(folder, &manifests)?;
    let mut output = Output {
        folder: output,
        format,
        options: manifests[0].options(),
        openings: OpeningNamesCache::default(),
        games: BTreeMap::new(),
        inputs: BTreeSet::new(),
        totals: MergeTotals::default(),
    };
    let mut unanalysed = Vec::new();
    for manifest in &manifests {
        unanalysed.extend(manifest.games_without_positions()?.into_iter().map(|index| (index, manifest)));
    }
    let mut unanalysed = unanalysed.into_iter().peekable();
    let mut current: Option<OpenGame<'_>> = None;
    for (manifest, row) in chunks {
        let chunk = manifest.chunk(row.number)?;
        let is_done = row.state == ChunkState::Done;
        output.totals.failed_chunks += u64::from(!is_done);
        let mut positions = Vec::new();
        if is_done {
            let path = result_path(folder, &row.id);
            let parsed = match fs::read(&path) {
                Ok(bytes) => parse_result(&bytes, &chunk),
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    let what = "it is missing: run the same `alfil analyse` again".into();
                    return Err(QueueError::Damaged { path, what }.into());
                }
                Err(error) => return Err(QueueError::File { path, error }.into()),
            };
            positions = parsed.map_err(|what| {
                let what =
                    format!("{what}: run the same `alfil analyse` again, which searches its chunk again");
                QueueError::Damaged { path, what }
            })?;
        }
        let mut positions = positions.into_iter().peekable();
        for game in &chunk.games {
            if current.as_ref().is_none_or(|open| open.index != game.index) {
                if let Some(done) = current.take() {
                    output.write(done)?;
                }
                while let Some((index, manifest)) = unanalysed.next_if(|(index, _)| *index < game.index) {
                    output.write(OpenGame { index, manifest, positions: Vec::new() })?;
                }
                current = Some(OpenGame { index: game.index, manifest, positions: Vec::new() });
            }
            if let Some(open) = &mut current {
                let of_game = |position: &PositionResult| position.game == game.index;
                open.positions.extend(std::iter::from_fn(|| positions.next_if(of_game)));
            }
        }
        on_chunk();
    }
    if let Some(done) = current.take() {
        output.write(done)?;
    }
    for (index, manifest) in unanalysed {
        output.write(OpenGame { index, manifest, positions: Vec::new() })?;
    }
    output.finish()
}

/// Returns the chunks of all parts in order, each with its manifest.
fn all_chunks<'a>(
    folder: &Path,
    manifests: &'a [Manifest],
) -> Result<Vec<(&'a Manifest, ChunkRow)>, MergeError> {
    let parts = |what| MergeError::Parts { folder: folder.to_owned(), what };
    let (first, count) = (&manifests[0], manifests[0].shard().count);
    if manifests.iter().any(|other| (other.analysis(), other.shard().count) != (first.analysis(), count)) {
        return Err(parts("its queues are of different analyses; each needs a folder of its own".into()));
    }
    let has_part = |index: &u64| manifests.iter().any(|manifest| manifest.shard().index == *index);
    let missing: Vec<_> =
        (1..=count).filter(|index| !has_part(index)).map(|index| index.to_string()).collect();
    if !missing.is_empty() {
        let list = missing.join(", ");
        return Err(parts(format!(
            "the parts {list} of {count} are missing: run them with --shard I/{count}"
        )));
    }
    let mut chunks = Vec::new();
    for manifest in manifests {
        chunks.extend(manifest.chunks()?.into_iter().map(|chunk| (manifest, chunk)));
    }
    chunks.sort_by_key(|(_, chunk)| chunk.number);
    let is_finished = |chunk: &ChunkRow| matches!(chunk.state, ChunkState::Done | ChunkState::Failed);
    let missing = chunks.iter().filter(|(_, chunk)| !is_finished(chunk)).count() as u64;
    let total = first.total_chunks();
    match missing + total.saturating_sub(chunks.len() as u64) {
        0 => Ok(chunks),
        missing => Err(MergeError::Unfinished { missing, chunks: total }),
    }
}

/// The game whose results are being collected.
struct OpenGame<'a> {
    index: u64,
    manifest: &'a Manifest,
    positions: Vec<PositionResult>,
}

/// What is being written.
struct Output<'a> {
    /// The folder of the files.
    folder: &'a Path,
    format: OutputFormat,
    options: &'a AnalysisOptions,
    openings: OpeningNamesCache,
    /// The files of each game.
    games: BTreeMap<String, GameOutput>,
    /// The names of the files with the games.
    inputs: BTreeSet<String>,
    totals: MergeTotals,
}

impl Output<'_> {
    fn write(&mut self, open: OpenGame<'_>) -> Result<(), MergeError> {
        let game = open.manifest.game(open.index)?;
        let (file, number, name) = (game.file.clone(), game.file_number, game.game.clone());
        let located = |error| MergeError::Game { file: file.clone(), number, error };
        self.inputs.insert(file.clone());
        self.totals.games += 1;
        self.totals.positions += open.positions.len() as u64;
        let analysis = GameAnalysis::new(game, open.positions, &self.openings).map_err(located)?;
        if !self.games.contains_key(&name) {
            let files = GameOutput::new(self.folder, &name, self.format, self.options)?;
            self.games.insert(name.clone(), files);
        }
        match self.games.get_mut(&name) {
            Some(GameOutput::Tables { positions, games }) => {
                analysis.position_rows().try_for_each(|row| positions.push(row))?;
                games.push(analysis.game_row())
            }
            Some(GameOutput::Pgn(file)) => {
                let text = analysis.pgn(self.options).map_err(located)?;
                file.write(text.as_bytes())?;
                file.write(b"\n")
            }
            None => Ok(()),
        }
    }

    fn finish(mut self) -> Result<MergeTotals, MergeError> {
        for path in self.games.values().flat_map(GameOutput::paths) {
            let Ok(replaced) = path.canonicalize() else { continue };
            let mut inputs = self.inputs.iter().filter_map(|file| Path::new(file).canonicalize().ok());
            if inputs.any(|input| input == replaced) {
                return Err(MergeError::IsInput { path: path.to_owned() });
            }
        }
        for files in self.games.into_values() {
            self.totals.files.extend(files.finish()?);
        }
        Ok(self.totals)
    }
}

/// The files of a game.
enum GameOutput {
    Tables { positions: Table<PositionRow>, games: Table<GameRow> },
    Pgn(NewFile),
}

impl GameOutput {
    fn new(
        folder: &Path,
        game: &str,
        format: OutputFormat,
        options: &AnalysisOptions,
    ) -> Result<GameOutput, MergeError> {
        let file = |suffix: &str| NewFile::create(folder.join(format!("{game}{suffix}")));
        Ok(match format {
            OutputFormat::Parquet => GameOutput::Tables {
                positions: Table::parquet(file(".parquet")?, options)?,
                games: Table::parquet(file("-games.parquet")?, options)?,
            },
            OutputFormat::JsonLines => GameOutput::Tables {
                positions: Table::JsonLines(file(".jsonl")?),
                games: Table::JsonLines(file("-games.jsonl")?),
            },
            OutputFormat::Pgn => GameOutput::Pgn(file(".pgn")?),
        })
    }

    /// Returns the paths of the finished files.
    fn paths(&self) -> Vec<&Path> {
        match self {
            GameOutput::Tables { positions, games } => vec![positions.path(), games.path()],
            GameOutput::Pgn(file) => vec![&file.path],
        }
    }

    fn finish(self) -> Result<Vec<PathBuf>, MergeError> {
        match self {
            GameOutput::Tables { positions, games } => Ok(vec![positions.finish()?, games.finish()?]),
            GameOutput::Pgn(file) => Ok(vec![file.finish()?]),
        }
    }
}

/// A table that is being written.
enum Table<R: TableRow> {
    Parquet(PathBuf, Box<ParquetTable<NewFile, R>>),
    JsonLines(NewFile),
}

impl<R: TableRow> Table<R> {
    fn parquet(file: NewFile, options: &AnalysisOptions) -> Result<Self, MergeError> {
        let path = file.path.clone();
        let options = serde_json::to_string(options).expect("plain data can be written as JSON");
        let table = ParquetTable::new(file, &[("alfil.options", options)]);
        match table {
            Ok(table) => Ok(Table::Parquet(path, Box::new(table))),
            Err(error) => Err(MergeError::Parquet { path, error }),
        }
    }

    fn path(&self) -> &Path {
        match self {
            Table::Parquet(path, _) => path,
            Table::JsonLines(file) => &file.path,
        }
    }

    fn push(&mut self, row: R) -> Result<(), MergeError> {
        match self {
            Table::Parquet(path, table) => {
                table.push(row).map_err(|error| MergeError::Parquet { path: path.clone(), error })
            }
            Table::JsonLines(file) => file.write(format!("{}\n", row.to_json()).as_bytes()),
        }
    }

    fn finish(self) -> Result<PathBuf, MergeError> {
        match self {
            Table::Parquet(path, table) => {
                table.finish().map_err(|error| MergeError::Parquet { path, error })?.finish()
            }
            Table::JsonLines(file) => file.finish(),
        }
    }
}

/// A file that has a temporary name until it is complete. After an error an incomplete one is removed; one that an
/// interruption leaves is overwritten by the next merge.
struct NewFile {
    path: PathBuf,
    temporary: TempPath,
    output: BufWriter<File>,
}

impl NewFile {
    fn create(path: PathBuf) -> Result<NewFile, MergeError> {
        let mut temporary = path.clone().into_os_string();
        temporary.push(".part");
        let temporary = PathBuf::from(temporary);
        let failed = |error| MergeError::File { path: temporary.clone(), error };
        let output = BufWriter::new(File::create(&temporary).map_err(failed)?);
        let temporary = TempPath::try_from_path(&temporary).map_err(failed)?;
        Ok(NewFile { path, temporary, output })
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), MergeError> {
        self.output.write_all(bytes).map_err(|error| MergeError::File { path: self.path.clone(), error })
    }

    fn finish(self) -> Result<PathBuf, MergeError> {
        let NewFile { path, temporary, output } = self;
        let complete = || {
            output.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()?;
            temporary.persist(&path).map_err(|error| error.error)
        };
        match complete() {
            Ok(()) => Ok(path),
            Err(error) => Err(MergeError::File { path, error }),
        }
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.output.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.output.flush()
    }
}

#[cfg(test)]
mod tests;
