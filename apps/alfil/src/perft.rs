//! `alfil perft`: the number of legal move paths.

mod count;
pub(crate) mod state_file;
mod suite;
mod suite_file;

use std::path::PathBuf;

use alfil_batch::manifest::Shard;
use alfil_session::{MAX_PERFT_DEPTH, PerftRequest, PerftSplit};
use clap::Args;

use crate::args::{PositionArgs, check_threads};
use crate::errors::{CommandResult, Failure};
use crate::shard_arg::ShardArg;

/// Count the legal move paths of a length.
#[derive(Debug, Args)]
pub(crate) struct Perft {
    #[command(flatten)]
    position_args: PositionArgs,
    /// Depth in plies, up to 64; depth 0 counts 1.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=i64::from(MAX_PERFT_DEPTH)), required_unless_present = "suite", conflicts_with = "suite")]
    depth: Option<u32>,
    /// Print the count of each first move; with --shard, of those that are counted whole.
    #[arg(long, conflicts_with = "suite")]
    divide: bool,
    /// Count every row of a file and compare: JSON lines with fen (or board), depth and nodes; or positions with counts
    /// such as ;D1 20 ;D2 400.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["fen", "pgn_file", "moves", "dialect", "king_takes_rook"]
    )]
    suite: Option<PathBuf>,
    /// Skip rows of the suite that have more nodes.
    #[arg(long, value_name = "N", conflicts_with = "depth")]
    max_nodes: Option<u128>,
    /// How passes are counted, in games with passes: ply (a pass is a ply), free (it takes no depth) or full (only
    /// lines of full depth count).
    #[arg(long, value_name = "ply|free|full", value_parser = ["ply", "free", "full"])]
    pass: Option<String>,
    /// Number of threads.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Keep subtree counts in a table of this many MiB, which the threads share. Positions are stored whole and
    /// compared, so that the count stays exact.
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    hash: Option<u32>,
    /// Seed of the hash function of the table. A second count with another seed stores the positions in other places,
    /// and so checks the first.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "hash")]
    hash_seed: u64,
    /// Cut the tree after N plies, and count each position there once [default: with --hash, --state, --shard or --add,
    /// the fewest plies that give 500 positions, with at least 4 plies below them where there are so many].
    #[arg(long, value_name = "N", conflicts_with = "suite", value_parser = clap::value_parser!(u32).range(1..=12))]
    split: Option<u32>,
    /// Count only the parts of one process of several: I/N; `slurm`, `slurm/N` or `kubernetes/N` take the number from
    /// the job.
    #[arg(long, value_name = "I/N", conflicts_with = "suite")]
    shard: Option<ShardArg>,
    /// Keep finished parts in this file: the same command goes on after the process was killed.
    #[arg(long, value_name = "FILE", conflicts_with = "suite")]
    state: Option<PathBuf>,
    /// Take over the finished parts of the state files of other processes.
    #[arg(long, value_name = "FILE", conflicts_with = "suite")]
    add: Vec<PathBuf>,
}

impl Perft {
    pub(crate) fn run(&self) -> CommandResult {
        match &self.suite {
            Some(file) => suite::run(self, file),
            None => {
                check_threads(usize::from(self.threads), 0)?;
                let session = self.position_args.session()?;
                count::run(self, session.as_ref(), self.depth.unwrap_or_default())
            }
        }
    }

    /// Returns the session request for one count.
    fn request(&self, depth: u32) -> PerftRequest {
        PerftRequest {
            depth,
            threads: usize::from(self.threads),
            hash_mib: self.hash.map(|mebibytes| mebibytes as usize),
            hash_seed: self.hash_seed,
            split: match self.split {
                Some(plies) => PerftSplit::Plies(plies),
                None if self.is_in_parts() => PerftSplit::Automatic,
                None => PerftSplit::RootMoves,
            },
            convention: self.pass.clone(),
            dialect: self.position_args.dialect().map(str::to_owned),
        }
    }

    /// Returns whether an argument makes use of parts smaller than the root moves.
    fn is_in_parts(&self) -> bool {
        self.split.is_some()
            || self.hash.is_some()
            || self.shard.is_some()
            || self.state.is_some()
            || !self.add.is_empty()
    }

    /// Returns the parts of `--shard`.
    fn shard(&self) -> Result<Shard, Failure> {
        let variable = |name: &str| std::env::var(name).ok();
        self.shard.map_or(Ok(Shard::WHOLE), |shard| shard.resolve(variable)).map_err(Failure::Usage)
    }
}

/// Converts a count of any size to a JSON number.
fn json_number(count: u128) -> serde_json::Value {
    serde_json::from_str(&count.to_string()).expect("a decimal integer is valid JSON")
}
