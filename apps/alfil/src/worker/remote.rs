//! `alfil worker nats://host`: searches the chunks of the analyses of a server.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use alfil_batch::nats_queue::{NatsQueue, OnNote, WorkerKey, WorkerOptions, display_address};
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
use crate::terminal::shows_progress;

/// The shortest time between two lines about chunks.
const LINE_INTERVAL: Duration = Duration::from_secs(1);

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
        let key = self.key.as_deref().map(WorkerKey::read).transpose()?;
        let nats = self.nats_args.options(&self.queue, key);
        let name = nats.worker_name().to_owned();
        let progress = Progress::without_steps();
        let notes = progress.clone();
        let on_note: OnNote = Arc::new(move |text| notes.print_note(format_args!("alfil: {text}")));
        let options = WorkerOptions {
            nats,
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
        let address = display_address(&self.queue);
        let log = LineLog::new(&progress);
        let threads_text = plural(threads as u64, "thread");
        log.print(format_args!("{address}: connected as {name}, {threads_text}; waiting for chunks"));
        progress.show_message(format!("waiting for chunks of {address}"));
        let on_event = |event: ChunkEvent| {
            let mut counted = totals.lock().unwrap_or_else(PoisonError::into_inner);
            let (mut note, mut line) = (None, None);
            let is_done = matches!(event, ChunkEvent::Done { .. });
            match event {
                ChunkEvent::Started { number, positions } => {
                    line = Some(format!("chunk {number}: searching {}", plural(positions, "position")));
                }
                ChunkEvent::Done { number, positions, nodes, search_time, .. } => {
                    counted.chunks += 1;
                    counted.positions += positions;
                    counted.nodes += nodes;
                    let rate = counted.positions as f64 / start.elapsed().as_secs_f64().max(1e-9);
                    line = Some(format!(
                        "chunk {number}: done in {:.1} s; {}, {rate:.1} positions/s",
                        search_time.as_secs_f64(),
                        plural(counted.chunks, "chunk"),
                    ));
                }
                ChunkEvent::AttemptFailed { number, reason, .. } => {
                    counted.failed += 1;
                    note = Some(format!("alfil: chunk {number}: {reason}"));
                }
                // Only a coordinator withdraws results.
                ChunkEvent::Withdrawn { .. } => {}
            }
            let shown = *counted;
            // An interruption takes the locks of the progress and of the totals in this order.
            drop(counted);
            if let Some(note) = note {
                progress.print_note(note);
            }
            if let Some(line) = line {
                log.print_seldom(line, is_done);
            }
            progress.show_message(totals_text(&shown, start.elapsed().as_secs_f64(), false, false));
        };
        run_workers(queue.as_ref(), threads, &process_name(), &execute, &on_event)?;
        progress.finish();
        let totals = *totals.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(print_line(totals_text(&totals, start.elapsed().as_secs_f64(), self.json, false))?)
    }
}

/// What a worker does, in lines, where no progress is drawn.
struct LineLog<'a> {
    progress: &'a Progress,
    /// The times of the last lines about a chunk that begins and about one that is done.
    last: [Mutex<Option<Instant>>; 2],
}

impl LineLog<'_> {
    fn new(progress: &Progress) -> LineLog<'_> {
        LineLog { progress, last: Default::default() }
    }

    fn print(&self, text: impl std::fmt::Display) {
        if !shows_progress() {
            self.progress.print_note(format_args!("alfil: {text}"));
        }
    }

    /// Prints a line if none like it was printed in the last second: chunks may take milliseconds.
    fn print_seldom(&self, text: impl std::fmt::Display, is_done: bool) {
        let mut last = self.last[usize::from(is_done)].lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_none_or(|last| last.elapsed() >= LINE_INTERVAL) {
            *last = Some(Instant::now());
            self.print(text);
        }
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
