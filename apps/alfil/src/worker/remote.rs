//! `alfil worker nats://host`: searches the chunks of the analyses of a server.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use alfil_batch::nats_queue::{NatsQueue, OnNote, WorkerOptions, display_address};
use alfil_batch::worker_loop::{ChunkEvent, run_workers};
use serde_json::json;

use super::{Worker, build_id, execute};
use crate::analyse::DEFAULT_HASH_MIB;
use crate::args::check_threads;
use crate::errors::CommandResult;
use crate::nats_args::process_name;
use crate::output::print_line;
use crate::progress::Progress;
use crate::source_args::plural;

/// What this worker has done.
#[derive(Clone, Copy, Debug, Default)]
struct WorkerTotals {
    chunks: u64,
    failed: u64,
    positions: u64,
    nodes: u64,
}

impl Worker {
    /// Serves the analyses of a server, until it is interrupted or has been idle for the time given.
    pub(super) fn serve(&self) -> CommandResult {
        let threads = usize::from(self.threads.unwrap_or(1));
        // The tables are taken to have the default size of an analysis.
        check_threads(threads, DEFAULT_HASH_MIB.into())?;
        let progress = Progress::without_steps();
        let notes = progress.clone();
        let on_note: OnNote = Arc::new(move |text| notes.print_note(format_args!("alfil: {text}")));
        let options = WorkerOptions {
            nats: self.nats_args.options(&self.queue),
            build: build_id()?,
            analysis: self.analysis.clone(),
            idle: self.idle.map(Duration::from_secs),
        };
        let queue = Arc::new(NatsQueue::open(options, &on_note)?);
        let start = Instant::now();
        let totals = Arc::new(Mutex::new(WorkerTotals::default()));
        let (shown, held, json) = (totals.clone(), queue.clone(), self.json);
        progress.set_partial_result(move || {
            // Other workers need not wait until the leases end.
            held.release();
            let totals = *shown.lock().unwrap_or_else(PoisonError::into_inner);
            Some(totals_text(&totals, start.elapsed().as_secs_f64(), json, true))
        });
        progress.show_message(format!("waiting for chunks of {}", display_address(&self.queue)));
        let on_event = |event: ChunkEvent| {
            let mut counted = totals.lock().unwrap_or_else(PoisonError::into_inner);
            let mut note = None;
            match event {
                ChunkEvent::Done { positions, nodes, .. } => {
                    counted.chunks += 1;
                    counted.positions += positions;
                    counted.nodes += nodes;
                }
                ChunkEvent::AttemptFailed { number, reason, .. } => {
                    counted.failed += 1;
                    note = Some(format!("alfil: chunk {number}: {reason}"));
                }
            }
            let shown = *counted;
            // An interruption takes the locks of the progress and of the totals in this order.
            drop(counted);
            if let Some(note) = note {
                progress.print_note(note);
            }
            progress.show_message(totals_text(&shown, start.elapsed().as_secs_f64(), false, false));
        };
        run_workers(queue.as_ref(), threads, &process_name(), &execute, &on_event)?;
        progress.finish();
        let totals = *totals.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(print_line(totals_text(&totals, start.elapsed().as_secs_f64(), self.json, false))?)
    }
}

fn totals_text(totals: &WorkerTotals, seconds: f64, json: bool, interrupted: bool) -> String {
    let WorkerTotals { chunks, failed, positions, nodes } = totals;
    if json {
        let mut report = json!({
            "chunks": chunks, "failed": failed, "positions": positions, "nodes": nodes, "seconds": seconds,
        });
        if interrupted {
            report["interrupted"] = true.into();
        }
        return report.to_string();
    }
    let text = format!(
        "{}, {}, {} in {seconds:.0} s; {} failed",
        plural(*chunks, "chunk"),
        plural(*positions, "position"),
        plural(*nodes, "node"),
        plural(*failed, "attempt")
    );
    if interrupted { format!("interrupted: {text}") } else { text }
}
