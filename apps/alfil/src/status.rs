//! `alfil status`: what is done, running and failed in an analysis.

use std::path::PathBuf;

use alfil_batch::manifest::{ChunkRow, ChunkState, Manifest};
use alfil_batch::queue::{QueueCounts, QueueError};
use alfil_batch::sqlite_queue::{counts, is_active};
use clap::Args;
use serde_json::{Value, json};

use crate::errors::{CommandResult, Failure};
use crate::output::print_line;
use crate::source_args::plural;

/// Show what is done, running and failed in an analysis.
///
/// The exit status is 1 if chunks have failed; they are named.
#[derive(Debug, Args)]
pub(crate) struct Status {
    /// Folder of the analysis.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl Status {
    pub(crate) fn run(&self) -> CommandResult {
        let manifests = Manifest::open_all(&self.folder)?;
        let mut parts = Vec::new();
        for manifest in &manifests {
            let is_active = is_active(&self.folder, manifest.shard())?;
            parts.push((manifest, counts(manifest)?, is_active, failed_chunks(manifest)?));
        }
        let has_failed = parts.iter().any(|(_, counts, _, _)| counts.failed > 0);
        let result = if has_failed { Err(Failure::NegativeResult) } else { Ok(()) };
        if self.json {
            let parts: Vec<_> = parts
                .iter()
                .map(|(manifest, counts, is_active, failed)| part_json(manifest, counts, *is_active, failed))
                .collect();
            let chunks = manifests.first().map_or(0, Manifest::total_chunks);
            print_line(json!({"chunks": chunks, "parts": parts}))?;
            return result;
        }
        for (manifest, counts, is_active, failed) in &parts {
            let shard = manifest.shard();
            if shard.count > 1 {
                print_line(format_args!("part {} of {}", shard.index, shard.count))?;
            }
            let QueueCounts { done, leased, pending, positions, positions_done, nodes, .. } = *counts;
            print_line(format_args!(
                "done      {done} of {}, {positions_done} of {}, {}",
                plural(counts.chunks(), "chunk"),
                plural(positions, "position"),
                plural(nodes, "node")
            ))?;
            let label = if *is_active { "running " } else { "stopped " };
            print_line(format_args!("{label}  {}", plural(leased, "chunk")))?;
            print_line(format_args!("waiting   {}", plural(pending, "chunk")))?;
            print_line(format_args!("failed    {}", plural(counts.failed, "chunk")))?;
            for (chunk, place) in failed {
                let reason = chunk.reason.as_deref().unwrap_or("unknown");
                let (number, attempts) = (chunk.number, chunk.attempts);
                print_line(format_args!(
                    "  chunk {number}, from {place}: {reason} ({})",
                    plural(attempts.into(), "attempt")
                ))?;
            }
        }
        result
    }
}

/// Returns the failed chunks, each with the place where it begins.
fn failed_chunks(manifest: &Manifest) -> Result<Vec<(ChunkRow, String)>, QueueError> {
    let chunks = manifest.chunks()?.into_iter().filter(|chunk| chunk.state == ChunkState::Failed);
    let with_place = |chunk: ChunkRow| {
        let game = chunk.first_game.map(|number| manifest.game(number)).transpose()?;
        let place = game.map_or(String::new(), |game| format!("{}, game {}", game.file, game.file_number));
        Ok((chunk, place))
    };
    chunks.map(with_place).collect()
}

fn part_json(
    manifest: &Manifest,
    counts: &QueueCounts,
    is_active: bool,
    failed: &[(ChunkRow, String)],
) -> Value {
    let chunk = |(chunk, place): &(ChunkRow, String)| {
        json!({
            "chunk": chunk.number, "id": chunk.id, "place": place, "attempts": chunk.attempts,
            "reason": chunk.reason,
        })
    };
    let failed: Vec<_> = failed.iter().map(chunk).collect();
    let running = if is_active { counts.leased } else { 0 };
    // `poisoned` and `poison` are the names of earlier versions for `failed` and `failed_chunks`.
    json!({
        "shard": manifest.shard().index, "shards": manifest.shard().count, "chunks": counts.chunks(),
        "done": counts.done, "running": running, "stopped": counts.leased - running,
        "waiting": counts.pending, "failed": counts.failed, "positions": counts.positions,
        "positions_done": counts.positions_done, "nodes": counts.nodes,
        "failed_chunks": &failed, "poisoned": counts.failed, "poison": &failed,
    })
}

impl From<QueueError> for Failure {
    fn from(error: QueueError) -> Self {
        Failure::Input(error.to_string())
    }
}
