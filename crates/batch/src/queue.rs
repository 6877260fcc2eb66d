//! The queue of chunks: workers lease a chunk, show that they are alive, and acknowledge it with its result.
//!
//! Delivery is at least once, and the effect exactly once: the result of a chunk depends on the chunk alone, so that a
//! repeated chunk has the same bytes and is counted once. A queue for many machines has to implement [`WorkQueue`]; the
//! workers do not know which one they use.

use std::path::PathBuf;

use crate::analysis::PositionResult;
use crate::checked_row::{checked_line, parse_checked_line};
use crate::chunk::Chunk;
use crate::run_identity::OtherRunError;

/// The number of failed attempts after which a chunk has failed: it is leased to no worker again.
pub const MAX_ATTEMPTS: u32 = 3;
/// The time after which a lease that is not renewed expires, in milliseconds.
pub const LEASE_MS: u64 = 60_000;

/// A chunk that is leased to a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The name of the chunk.
    pub id: String,
    /// The number of the chunk in the analysis, from 0.
    pub number: u64,
    /// The chunk.
    pub chunk: Chunk,
    /// The name of the worker.
    pub worker: String,
    /// The number of attempts that failed before.
    pub failed_attempts: u32,
    /// Whether an attempt failed, or a process ended while it searched the chunk, perhaps because of it. Such a chunk
    /// should be searched in a process of its own.
    pub is_suspect: bool,
}

/// The result of a chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkResult {
    /// The file: a [`PositionResult`] as JSON with a checksum on each line.
    pub bytes: Vec<u8>,
    /// The number of positions.
    pub positions: u64,
    /// The number of nodes searched.
    pub nodes: u64,
}

impl ChunkResult {
    /// Creates the result of a chunk from its positions.
    pub fn from_positions(positions: &[PositionResult], chunk: &Chunk) -> ChunkResult {
        let (mut bytes, seed) = (Vec::new(), checksum_seed(chunk));
        for position in positions {
            bytes.extend_from_slice(checked_line(seed, position).0.as_bytes());
            bytes.push(b'\n');
        }
        let nodes = positions.iter().map(|position| position.nodes).sum();
        ChunkResult { bytes, positions: positions.len() as u64, nodes }
    }

    /// Reads the result of a chunk from the bytes of its file.
    ///
    /// ```
    /// use alfil_batch::analysis::analyse_chunk;
    /// use alfil_batch::chunk::{AnalysisOptions, Chunk, ChunkGame};
    /// use alfil_batch::queue::{ChunkResult, ResultError};
    /// # let options = AnalysisOptions::with_nodes("example", 100);
    ///
    /// let game = ChunkGame {
    ///     index: 0,
    ///     game: "chess".into(),
    ///     start: None,
    ///     moves: vec!["e2e4".into()],
    ///     plies: vec![0, 1],
    /// };
    /// let chunk = Chunk { options, games: vec![game] };
    /// let result = ChunkResult::from_positions(&analyse_chunk(&chunk, &mut || true)?, &chunk);
    /// assert_eq!(ChunkResult::from_bytes(result.bytes.clone(), &chunk)?, result);
    /// let other = Chunk { games: Vec::new(), ..chunk };
    /// // The checksums of the lines are those of this chunk.
    /// assert!(matches!(ChunkResult::from_bytes(result.bytes, &other), Err(ResultError::DamagedLine { number: 1 })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the bytes are not the result of the chunk.
    pub fn from_bytes(bytes: Vec<u8>, chunk: &Chunk) -> Result<ChunkResult, ResultError> {
        let positions = parse_result(&bytes, chunk)?;
        let nodes = positions.iter().map(|position| position.nodes).sum();
        Ok(ChunkResult { bytes, positions: positions.len() as u64, nodes })
    }
}

/// Returns the seed of the checksums of a chunk's lines: a line of another chunk is as wrong as a damaged one.
fn checksum_seed(chunk: &Chunk) -> u32 {
    crc32fast::hash(chunk.id().as_bytes())
}

/// Reads the positions of the result of a chunk from the bytes of its file.
///
/// # Errors
/// If the bytes are not the result of the chunk.
pub(crate) fn parse_result(bytes: &[u8], chunk: &Chunk) -> Result<Vec<PositionResult>, ResultError> {
    let lines = bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    let seed = checksum_seed(chunk);
    let parse = |(number, line)| {
        let line = std::str::from_utf8(line).ok().and_then(|line| parse_checked_line(seed, line));
        line.map(|(position, _)| position).ok_or(ResultError::DamagedLine { number })
    };
    let positions: Vec<PositionResult> = (1..).zip(lines).map(parse).collect::<Result<_, _>>()?;
    let expected = chunk.games.iter().flat_map(|game| game.plies.iter().map(|&ply| (game.index, ply)));
    if !positions.iter().map(|position| (position.game, position.ply)).eq(expected) {
        return Err(ResultError::OtherPositions);
    }
    Ok(positions)
}

/// The reason why bytes are not the result of a chunk.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResultError {
    /// The checksum of a line is wrong.
    #[error("line {number} is damaged")]
    DamagedLine {
        /// The number of the line, from 1.
        number: usize,
    },
    /// The lines are the results of other positions.
    #[error("the positions are not those of the chunk")]
    OtherPositions,
}

/// What a queue holds.
///
/// ```
/// use alfil_batch::queue::QueueCounts;
///
/// let counts = QueueCounts { done: 7, failed: 1, ..QueueCounts::default() };
/// assert!(counts.chunks() == 8 && counts.is_finished());
/// assert!(!QueueCounts { leased: 1, ..counts }.is_finished());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueCounts {
    /// The number of chunks that no worker has.
    pub pending: u64,
    /// The number of chunks that workers have.
    pub leased: u64,
    /// The number of chunks with a result.
    pub done: u64,
    /// The number of chunks that failed [`MAX_ATTEMPTS`] times.
    pub failed: u64,
    /// The number of positions of all chunks.
    pub positions: u64,
    /// The number of positions with a result.
    pub positions_done: u64,
    /// The number of nodes searched for them.
    pub nodes: u64,
}

impl QueueCounts {
    /// Returns the number of chunks.
    pub fn chunks(&self) -> u64 {
        self.pending + self.leased + self.done + self.failed
    }

    /// Returns whether every chunk has a result or has failed.
    pub fn is_finished(&self) -> bool {
        self.pending + self.leased == 0
    }
}

/// What becomes of a chunk after a failed attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterFailure {
    /// It is tried again.
    Retried,
    /// It has failed [`MAX_ATTEMPTS`] times and is not tried again.
    Failed,
    /// The worker had lost its lease: the failure does not count.
    NotLeased,
}

/// A queue of chunks. All methods may be called from several threads. A worker has one chunk at a time.
/// [`check_work_queue`](crate::conformance::check_work_queue) checks an implementation.
///
/// ```
/// use alfil_batch::chunk::AnalysisOptions;
/// use alfil_batch::manifest::{PlannedGame, Shard};
/// use alfil_batch::queue::{AfterFailure, WorkQueue};
/// use alfil_batch::source::{Source, SourceItem, SourceOptions};
/// use alfil_batch::sqlite_queue::SqliteQueue;
/// use alfil_batch::worker_loop::execute_here;
/// # let options = AnalysisOptions::with_nodes("example", 100);
///
/// let folder = tempfile::tempdir()?;
/// let input = folder.path().join("in.pgn");
/// std::fs::write(&input, "1. e4 e5 *\n")?;
/// let games = Source::open(&[input], &SourceOptions::default())?.filter_map(|item| match item {
///     SourceItem::Game(game) => PlannedGame::from_source(&game).ok(),
///     SourceItem::Fault(_) => None,
/// });
/// let queue = SqliteQueue::open(folder.path(), Shard::WHOLE, Box::new(|| 0), (&options, games))?;
/// let lease = queue.lease("worker 1")?.unwrap();
/// assert!(queue.lease("worker 2")?.is_none());
/// // A chunk that fails is leased again, until it has failed three times.
/// assert_eq!(queue.fail(&lease, "the search failed")?, AfterFailure::Retried);
/// let lease = queue.lease("worker 2")?.unwrap();
/// assert_eq!((lease.failed_attempts, lease.is_suspect), (1, true));
/// let result = execute_here(&lease, &mut || true).unwrap();
/// assert!(queue.acknowledge(&lease, &result)?);
/// assert!(queue.counts()?.is_finished());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait WorkQueue: Sync {
    /// Leases a chunk to a worker; `None` if all are leased or finished. The queue of a server waits for a chunk while
    /// there may be one.
    ///
    /// # Errors
    /// If the queue cannot be read or written.
    fn lease(&self, worker: &str) -> Result<Option<Lease>, QueueError>;

    /// Shows that the worker is alive, and makes its lease longer. Returns whether it still has the lease, as far as
    /// the queue knows.
    ///
    /// # Errors
    /// If the queue cannot be read or written.
    fn report_progress(&self, lease: &Lease) -> Result<bool, QueueError>;

    /// Stores the result of a chunk and marks it as done, in this order. Returns whether the chunk is counted now:
    /// false if it was done before.
    ///
    /// # Errors
    /// If the result cannot be stored, or the queue cannot be written.
    fn acknowledge(&self, lease: &Lease, result: &ChunkResult) -> Result<bool, QueueError>;

    /// Counts a failed attempt with its reason. The queue of a server does not know yet whether the chunk has failed.
    ///
    /// # Errors
    /// If the queue cannot be read or written.
    fn fail(&self, lease: &Lease, reason: &str) -> Result<AfterFailure, QueueError>;

    /// Gives a chunk back without an attempt, because the process of its worker cannot search. No thread that waits in
    /// [`WorkQueue::lease`] goes on waiting.
    fn give_back(&self, lease: &Lease);
}

/// The error of a queue.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QueueError {
    /// The database of the queue cannot be read or written.
    #[error("cannot read or write the queue {}: {error}", path.display())]
    Database {
        /// The path of the database.
        path: PathBuf,
        /// The error of SQLite.
        error: rusqlite::Error,
    },
    /// A file cannot be read or written.
    #[error("cannot read or write {}: {error}", path.display())]
    File {
        /// The path.
        path: PathBuf,
        /// The error of the system.
        error: std::io::Error,
    },
    /// The folder of an analysis cannot be written.
    #[error(
        "cannot write in {}: {error}; name another folder with -o, or use `alfil status` and `alfil merge -o`, which \
         only read this one",
        path.display()
    )]
    ReadOnly {
        /// The folder.
        path: PathBuf,
        /// The error of the system.
        error: std::io::Error,
    },
    /// There is no analysis in the folder.
    #[error("there is no analysis in {}: alfil analyse IN... -o DIR starts one", path.display())]
    NoAnalysis {
        /// The folder.
        path: PathBuf,
    },
    /// No position is in the chosen plies.
    #[error("there is no position to analyse: no game is as long as --from")]
    NoPositions,
    /// Another process works on the queue.
    #[error("another process works on {}: wait for it, or stop it", path.display())]
    Locked {
        /// The path of the lock.
        path: PathBuf,
    },
    /// The folder holds the analysis of other input or with other options.
    #[error(transparent)]
    OtherAnalysis(#[from] OtherRunError),
    /// This worker can search no chunk.
    #[error("{0}")]
    Worker(String),
    /// A server cannot be reached, or refuses.
    #[error("{address}: {what}")]
    Server {
        /// The address, without user and password.
        address: String,
        /// What is wrong, and what to do.
        what: String,
    },
    /// A file is damaged.
    #[error("{}: {what}", path.display())]
    Damaged {
        /// The path.
        path: PathBuf,
        /// What is wrong, and what to do.
        what: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::tests::result;
    use crate::chunk::ChunkGame;
    use crate::chunk::tests::options;

    #[test]
    fn a_result_is_read_back_only_for_its_own_chunk() {
        let game = ChunkGame { index: 7, game: "chess".into(), start: None, moves: vec![], plies: vec![0] };
        let chunk = Chunk { options: options(10), games: vec![game] };
        let other = Chunk { options: options(20), ..chunk.clone() };
        let written = ChunkResult::from_positions(&[result(7, 0, 30)], &chunk);
        assert_eq!((written.positions, written.nodes), (1, 10));
        assert_eq!(ChunkResult::from_bytes(written.bytes.clone(), &chunk).unwrap(), written);
        for (bytes, expected) in [
            (Vec::new(), "not those of the chunk"),
            (ChunkResult::from_positions(&[result(7, 1, 30)], &chunk).bytes, "not those of the chunk"),
            (written.bytes[..written.bytes.len() - 5].to_vec(), "line 1 is damaged"),
            (ChunkResult::from_positions(&[result(7, 0, 30)], &other).bytes, "line 1 is damaged"),
        ] {
            let error = ChunkResult::from_bytes(bytes, &chunk).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
