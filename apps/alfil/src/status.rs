//! `alfil status`: what is done, running and failed in an analysis.

use std::path::PathBuf;

use alfil_batch::manifest::{ChunkRow, ChunkState, Manifest};
use alfil_batch::queue::{QueueCounts, QueueError};
use alfil_batch::sqlite_queue::{
    WorkerStatus, checked_chunks, counts, is_active, positions_per_second, worker_status,
};
use clap::Args;
use serde_json::{Value, json};

use crate::analyse::clock_since_1970;
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

/// What is shown of a part of an analysis.
struct Part<'a> {
    manifest: &'a Manifest,
    counts: QueueCounts,
    /// Whether a process works on it now.
    is_active: bool,
    failed: Vec<(ChunkRow, String)>,
    workers: Vec<WorkerStatus>,
    /// Positions per second in the last minutes.
    rate: Option<f64>,
    /// The number of chunks that were searched twice.
    checked: u64,
    /// The time now, in milliseconds since 1970.
    now: u64,
}

impl Status {
    pub(crate) fn run(&self) -> CommandResult {
        let manifests = Manifest::open_all(&self.folder)?;
        let now = clock_since_1970()();
        let parts: Vec<_> =
            manifests.iter().map(|manifest| self.read(manifest, now)).collect::<Result<_, _>>()?;
        if self.json {
            let chunks = manifests.first().map_or(0, Manifest::total_chunks);
            let parts_json: Vec<_> = parts.iter().map(Part::to_json).collect();
            print_line(json!({"chunks": chunks, "parts": parts_json}))?;
        } else {
            parts.iter().try_for_each(Part::print)?;
        }
        let has_failed = parts.iter().any(|part| part.counts.failed > 0);
        if has_failed { Err(Failure::NegativeResult) } else { Ok(()) }
    }

    fn read<'a>(&self, manifest: &'a Manifest, now: u64) -> Result<Part<'a>, QueueError> {
        let is_active = is_active(&self.folder, manifest.shard())?;
        let mut workers = worker_status(manifest)?;
        if !is_active {
            // Nothing of a process that has ended is running.
            workers.iter_mut().for_each(|worker| worker.running = 0);
        }
        Ok(Part {
            manifest,
            counts: counts(manifest)?,
            is_active,
            failed: failed_chunks(manifest)?,
            workers,
            rate: positions_per_second(manifest, now)?.filter(|_| is_active),
            checked: checked_chunks(manifest)?,
            now,
        })
    }
}

impl Part<'_> {
    fn print(&self) -> CommandResult {
        let shard = self.manifest.shard();
        if shard.count > 1 {
            print_line(format_args!("part {} of {}", shard.index, shard.count))?;
        }
        let QueueCounts { done, leased, pending, positions, positions_done, nodes, failed, .. } = self.counts;
        print_line(format_args!(
            "done      {done} of {}, {positions_done} of {}, {}",
            plural(self.counts.chunks(), "chunk"),
            plural(positions, "position"),
            plural(nodes, "node")
        ))?;
        let label = if self.is_active { "running " } else { "stopped " };
        print_line(format_args!("{label}  {}", plural(leased, "chunk")))?;
        print_line(format_args!("waiting   {}", plural(pending, "chunk")))?;
        print_line(format_args!("failed    {}", plural(failed, "chunk")))?;
        for (chunk, place) in &self.failed {
            let reason = chunk.reason.as_deref().unwrap_or("unknown");
            let (number, attempts) = (chunk.number, chunk.attempts);
            print_line(format_args!(
                "  chunk {number}, from {place}: {reason} ({})",
                plural(attempts.into(), "attempt")
            ))?;
        }
        if self.checked > 0 {
            print_line(format_args!("checked   {}, searched twice", plural(self.checked, "chunk")))?;
        }
        if let Some(rate) = self.rate {
            print_line(format_args!("rate      {rate:.1} positions/s"))?;
        }
        for worker in self.shown_workers() {
            print_line(format_args!("  {}", self.worker_text(worker)))?;
        }
        Ok(())
    }

    /// Returns the workers to show: those that work now, and those of a server.
    fn shown_workers(&self) -> impl Iterator<Item = &WorkerStatus> {
        let is_shown = |worker: &&WorkerStatus| {
            worker.running > 0 || worker.last_seen.is_some() || worker.set_aside.is_some()
        };
        self.workers.iter().filter(is_shown)
    }

    /// Returns the time since a moment, in seconds.
    fn seconds_since(&self, time: u64) -> u64 {
        self.now.saturating_sub(time) / 1_000
    }

    fn worker_text(&self, worker: &WorkerStatus) -> String {
        let mut text = format!("{}: {} done", worker.name, plural(worker.done, "chunk"));
        if worker.running > 0 {
            text += &format!(", {} running", worker.running);
            if let Some(time) = worker.leased_at {
                text += &format!(" for {} s", self.seconds_since(time));
            }
        }
        if let Some(time) = worker.last_seen {
            text += &format!(", seen {} s ago", self.seconds_since(time));
        }
        if let Some(reason) = &worker.set_aside {
            text += &format!(", set aside: {reason}");
        }
        text
    }

    fn to_json(&self) -> Value {
        let Part { manifest, counts, is_active, failed, checked, .. } = self;
        let chunk = |(chunk, place): &(ChunkRow, String)| {
            json!({
                "chunk": chunk.number, "id": chunk.id, "place": place, "attempts": chunk.attempts,
                "reason": chunk.reason,
            })
        };
        let failed: Vec<_> = failed.iter().map(chunk).collect();
        let worker = |worker: &WorkerStatus| {
            let since = |time: Option<u64>| time.map(|time| self.seconds_since(time));
            json!({
                "name": worker.name, "done": worker.done, "positions_done": worker.positions_done,
                "running": worker.running, "running_seconds": since(worker.leased_at),
                "seen_seconds": since(worker.last_seen), "set_aside": worker.set_aside,
            })
        };
        let workers: Vec<_> = self.shown_workers().map(worker).collect();
        let running = if *is_active { counts.leased } else { 0 };
        // `poisoned` and `poison` are the names of earlier versions for `failed` and `failed_chunks`.
        json!({
            "shard": manifest.shard().index, "shards": manifest.shard().count, "chunks": counts.chunks(),
            "done": counts.done, "running": running, "stopped": counts.leased - running,
            "waiting": counts.pending, "failed": counts.failed, "positions": counts.positions,
            "positions_done": counts.positions_done, "nodes": counts.nodes,
            "positions_per_second": self.rate, "checked": checked, "workers": workers,
            "failed_chunks": &failed, "poisoned": counts.failed, "poison": &failed,
        })
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

impl From<QueueError> for Failure {
    fn from(error: QueueError) -> Self {
        Failure::Input(error.to_string())
    }
}
