//! Chunks: the parts into which an analysis is divided. A chunk is complete in itself, so any worker can search it, and
//! its result depends on nothing else.

use alfil_session::SearchLimits;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::time::Duration;

/// The number of nodes for each position, if the user gives no limit.
pub const DEFAULT_NODES: u64 = 10_000;
/// The work of a chunk in nodes: some 45 seconds of one thread.
const CHUNK_NODES: u64 = 60_000_000;
/// The work of a chunk in milliseconds of one thread, if the time of each position is limited.
const CHUNK_MS: u64 = 45_000;
/// A small input is divided into this number of chunks, so that all threads have work.
const MIN_CHUNKS: u64 = 64;
/// Chunks of a small input have at least this number of positions, which share the transposition table.
const MIN_CHUNK_POSITIONS: u64 = 8;

/// The options of an analysis that change its results.
///
/// ```
/// use alfil_batch::chunk::AnalysisOptions;
///
/// let options = AnalysisOptions {
///     build: "0.1.0".into(),
///     nodes: Some(10_000),
///     movetime_ms: None,
///     lines: 2,
///     hash_mib: 16,
///     from: 1,
///     to: None,
///     every: 2,
///     rules: None,
/// };
/// // The positions after White's moves.
/// assert_eq!(options.analysed_plies(6).collect::<Vec<_>>(), [1, 3, 5]);
/// assert_eq!(options.search_limits().multipv, 2);
/// // A small input has chunks enough for all threads.
/// assert!(options.chunk_positions(1_000) < options.chunk_positions(1_000_000));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnalysisOptions {
    /// The program that searches: results of different programs are not mixed.
    pub build: String,
    /// The number of nodes for each position.
    pub nodes: Option<u64>,
    /// The time for each position, in milliseconds. Results are then not reproducible.
    pub movetime_ms: Option<u64>,
    /// The number of best lines of each position.
    pub lines: usize,
    /// Size of the transposition table of a chunk, in MiB.
    pub hash_mib: usize,
    /// The first ply whose position is analysed; 0 is the start of a game.
    pub from: usize,
    /// The last ply; none for the end of the game.
    pub to: Option<usize>,
    /// The step from one analysed ply to the next.
    pub every: usize,
    /// The ruleset that rules on repetitions, in games that have several.
    pub rules: Option<String>,
}

impl AnalysisOptions {
    /// Returns the options of an analysis of every position: its best line, searched with `nodes` nodes and the
    /// smallest table.
    ///
    /// ```
    /// use alfil_batch::chunk::AnalysisOptions;
    ///
    /// let options = AnalysisOptions { lines: 2, ..AnalysisOptions::with_nodes("0.1.0", 10_000) };
    /// assert_eq!(options.analysed_plies(2).collect::<Vec<_>>(), [0, 1, 2]);
    /// ```
    pub fn with_nodes(build: impl Into<String>, nodes: u64) -> AnalysisOptions {
        AnalysisOptions {
            build: build.into(),
            nodes: Some(nodes),
            movetime_ms: None,
            lines: 1,
            hash_mib: 1,
            from: 0,
            to: None,
            every: 1,
            rules: None,
        }
    }

    /// Returns the limits of the search of a position.
    pub fn search_limits(&self) -> SearchLimits {
        SearchLimits {
            nodes: self.nodes,
            time: self.movetime_ms.map(Duration::from_millis),
            multipv: self.lines,
            ..SearchLimits::default()
        }
    }

    /// Returns the plies of a game with `plies` moves whose positions are analysed.
    pub fn analysed_plies(&self, plies: usize) -> impl Iterator<Item = usize> + use<> {
        let last = self.to.unwrap_or(plies).min(plies);
        (self.from..last + 1).step_by(self.every.max(1))
    }

    /// Returns the number of positions of a chunk, if the whole input has `total` positions.
    pub fn chunk_positions(&self, total: u64) -> u64 {
        let by_work = match (self.nodes, self.movetime_ms) {
            (Some(nodes), _) => CHUNK_NODES / nodes.max(1),
            (None, Some(time_ms)) => CHUNK_MS / time_ms.max(1),
            (None, None) => 1,
        };
        by_work.min(total.div_ceil(MIN_CHUNKS).max(MIN_CHUNK_POSITIONS)).max(1)
    }
}

/// A part of an analysis.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk {
    /// The options.
    pub options: AnalysisOptions,
    /// The games with the positions to analyse, in the order of the input.
    pub games: Vec<ChunkGame>,
}

/// A game of a chunk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChunkGame {
    /// The index of the game in the input, from 0.
    pub index: u64,
    /// The name of the game, such as `chess`.
    pub game: String,
    /// The text of the initial position; none for the start position.
    pub start: Option<String>,
    /// The moves of the main line in the default dialect, as far as the chunk requires.
    pub moves: Vec<String>,
    /// The plies whose positions are analysed, ascending: 0 is the initial position.
    pub plies: Vec<usize>,
}

impl Chunk {
    /// Returns the name of the chunk: a hash of everything on which its result depends, as 32 hexadecimal digits.
    ///
    /// ```
    /// use alfil_batch::chunk::{AnalysisOptions, Chunk};
    /// # let options = AnalysisOptions::with_nodes("example", 100);
    ///
    /// let chunk = Chunk { options: options.clone(), games: Vec::new() };
    /// let deeper = Chunk { options: AnalysisOptions { nodes: Some(200), ..options }, games: Vec::new() };
    /// assert!(chunk.id().len() == 32 && chunk.id() != deeper.id());
    /// ```
    ///
    /// # Panics
    /// Never: plain data can be written as JSON.
    pub fn id(&self) -> String {
        let text = serde_json::to_vec(self).expect("plain data can be written as JSON");
        hex_digest(&Sha256::digest(text)[..16])
    }

    /// Returns the number of positions to analyse.
    pub fn positions(&self) -> u64 {
        self.games.iter().map(|game| game.plies.len() as u64).sum()
    }
}

/// Returns bytes as hexadecimal digits.
pub(crate) fn hex_digest(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn options(nodes: u64) -> AnalysisOptions {
        AnalysisOptions::with_nodes("test", nodes)
    }

    #[test]
    fn a_chunk_takes_some_45_seconds_and_small_inputs_have_many_chunks() {
        assert_eq!(options(10_000).chunk_positions(10_000_000), 6_000);
        assert_eq!(options(1_000_000_000).chunk_positions(10_000_000), 1);
        assert_eq!(options(10_000).chunk_positions(6_400), 100);
        assert_eq!(options(10_000).chunk_positions(80), 8);
        let timed = AnalysisOptions { nodes: None, movetime_ms: Some(500), ..options(1) };
        assert_eq!(timed.chunk_positions(10_000_000), 90);
    }

    #[test]
    fn plies_are_chosen_by_first_last_and_step() {
        let plies = |from, to, every, plies| -> Vec<usize> {
            AnalysisOptions { from, to, every, ..options(1) }.analysed_plies(plies).collect()
        };
        assert_eq!(plies(0, None, 1, 3), [0, 1, 2, 3]);
        assert_eq!(plies(2, Some(5), 2, 40), [2, 4]);
        assert_eq!(plies(2, Some(9), 1, 3), [2, 3]);
        assert!(plies(4, None, 1, 3).is_empty());
        assert_eq!(plies(0, None, 1, 0), [0]);
    }

    #[test]
    fn every_field_changes_the_name_of_a_chunk() {
        let game = ChunkGame {
            index: 0,
            game: "chess".into(),
            start: None,
            moves: vec!["e2e4".into()],
            plies: vec![0, 1],
        };
        let chunk = Chunk { options: options(1_000), games: vec![game.clone()] };
        assert_eq!((chunk.id().len(), chunk.positions()), (32, 2));
        assert_eq!(chunk.id(), chunk.clone().id());
        let with_options = |options| Chunk { options, games: vec![game.clone()] }.id();
        let with_game = |game| Chunk { options: options(1_000), games: vec![game] }.id();
        let base = || options(1_000);
        let ids = [
            chunk.id(),
            with_options(AnalysisOptions { build: "other".into(), ..base() }),
            with_options(AnalysisOptions { nodes: Some(1_001), ..base() }),
            with_options(AnalysisOptions { movetime_ms: Some(5), ..base() }),
            with_options(AnalysisOptions { lines: 2, ..base() }),
            with_options(AnalysisOptions { hash_mib: 2, ..base() }),
            with_options(AnalysisOptions { from: 1, ..base() }),
            with_options(AnalysisOptions { to: Some(1), ..base() }),
            with_options(AnalysisOptions { every: 2, ..base() }),
            with_options(AnalysisOptions { rules: Some("fide".into()), ..base() }),
            with_game(ChunkGame { index: 1, ..game.clone() }),
            with_game(ChunkGame { game: "xiangqi".into(), ..game.clone() }),
            with_game(ChunkGame { start: Some("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".into()), ..game.clone() }),
            with_game(ChunkGame { moves: vec!["d2d4".into()], ..game.clone() }),
            with_game(ChunkGame { plies: vec![1], ..game.clone() }),
        ];
        let distinct: std::collections::BTreeSet<_> = ids.iter().collect();
        assert_eq!(distinct.len(), ids.len());
    }
}
