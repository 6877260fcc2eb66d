//! `alfil analyse`: evaluates every position of many games. Killed and started again, it goes on.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use alfil_batch::chunk::{AnalysisOptions, DEFAULT_NODES};
use alfil_batch::filter::Filter;
use alfil_batch::manifest::{Manifest, PlannedGame, Shard};
use alfil_batch::merge::find_merged_file;
use alfil_batch::nats_queue::{
    CoordinationTotals, CoordinatorOptions, DEFAULT_CHECK_INTERVAL, OnNote, coordinate,
};
use alfil_batch::queue::{QueueCounts, QueueError};
use alfil_batch::source::{Place, SourceBatch, SourceItem};
use alfil_batch::sqlite_queue::SqliteQueue;
use alfil_batch::worker_loop::{ChunkEvent, run_workers};
use alfil_batch::{Fault, FaultList};
use anyhow::Context as _;
use clap::Args;
use serde_json::{Value, json};

use crate::args::{check_threads, rulesets};
use crate::errors::{CommandResult, Failure};
use crate::merge::{FormatArg, merge_with, print_merged};
use crate::nats_args::{NatsArgs, is_nats_url};
use crate::output::{print_error_line, print_summary};
use crate::progress::Progress;
use crate::shard_arg::ShardArg;
use crate::source_args::{
    FaultPrinter, GAMES_BETWEEN_UPDATES, SourceArgs, all_cores, faults_to_json, plural,
};
use crate::worker::{build_id, execute};

/// The size of the table of each thread if none is given, in MiB.
pub(crate) const DEFAULT_HASH_MIB: u16 = 16;

/// Evaluate every position of many games.
///
/// Positions get score, win probabilities, depth, nodes and best line, moves their loss, games their accuracy. The
/// results are the same for the same nodes, on any number of threads. A run that was interrupted or killed goes on if
/// it is started again with the same arguments.
#[derive(Debug, Args)]
pub(crate) struct Analyse {
    #[command(flatten)]
    source_args: SourceArgs,
    /// Folder for the queue and the results. It may be in a folder of games: results in there are not read as games.
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Nodes for each position [default: 10000, without --movetime].
    #[arg(long, value_name = "N", conflicts_with = "movetime", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    nodes: Option<u64>,
    /// Milliseconds for each position; the results are then not reproducible.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    movetime: Option<u64>,
    /// Number of best lines of each position.
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=500))]
    lines: u16,
    /// Number of threads, each with a position of its own [default: 1].
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1_024))]
    threads: Option<u16>,
    /// Transposition table of each thread, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_HASH_MIB, value_parser = clap::value_parser!(u16).range(1..=4_096))]
    hash: u16,
    /// First ply whose position is analysed; 0 is the start of a game.
    #[arg(long, value_name = "PLY", default_value_t = 0)]
    from: u32,
    /// Last ply [default: the end of the game].
    #[arg(long, value_name = "PLY")]
    to: Option<u32>,
    /// Step from one analysed ply to the next. Losses of moves need every ply.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Ruleset that rules on repetitions, of the games that have rulesets.
    #[arg(long, value_name = "RULESET", value_parser = rulesets())]
    rules: Option<String>,
    /// Format of the results.
    #[arg(long, value_enum, default_value = "parquet")]
    format: FormatArg,
    /// Queue of the chunks: `sqlite`, a database in the folder, or the address of a NATS server, whose workers search:
    /// nats://HOST:PORT or tls://HOST:PORT, with USER:PASSWORD@ before HOST if it needs them.
    #[arg(long, value_name = "QUEUE", default_value = "sqlite", value_parser = parse_queue)]
    queue: String,
    /// Write the results over files of their names in the folder that are of no analysis.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    nats_args: NatsArgs,
    /// Seconds after which the chunk of a silent worker is given to another one [default: 60].
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(3..=86_400))]
    lease: Option<u64>,
    /// File with the keys of the workers, as `alfil keys` makes it: only results that they sign are taken.
    #[arg(long, value_name = "FILE")]
    keys: Option<PathBuf>,
    /// Search one chunk in N twice, by different workers, and set aside a worker whose result differs; 0: none
    /// [default: 50].
    #[arg(long, value_name = "N")]
    check: Option<u64>,
    /// Part of the work: I/N, `slurm/N` or `slurm` (a task of an array job), or `kubernetes/N` (a pod of an indexed
    /// job).
    #[arg(long, value_name = "I/N")]
    shard: Option<ShardArg>,
    /// Try failed chunks again.
    #[arg(long)]
    retry: bool,
    /// Print the totals as one JSON object.
    #[arg(long)]
    json: bool,
}

/// The time after which the chunk of a silent worker of a server is given to another one, in seconds.
const DEFAULT_LEASE_SECONDS: u64 = 60;

/// The games that could not be read, and the files that were not.
struct InputLosses {
    faults: FaultList,
    /// The files of folders that are not read.
    left_out: Vec<String>,
}

/// What this run has done.
#[derive(Clone, Copy, Debug, Default)]
struct RunTotals {
    chunks: u64,
    positions: u64,
    nodes: u64,
    search_time: Duration,
}

/// The longest time that an interrupted analysis waits for its server.
const STOP_TIMEOUT: Duration = Duration::from_secs(6);

/// The request of an interruption to stop the coordinator, and its confirmation.
#[derive(Default)]
struct CoordinatorStop {
    is_requested: AtomicBool,
    is_confirmed: Mutex<bool>,
    confirmed: Condvar,
}

impl CoordinatorStop {
    /// Requests the stop, and waits until the coordinator has removed its chunks from the server.
    fn request_and_wait(&self) {
        self.is_requested.store(true, Ordering::SeqCst);
        let is_confirmed = self.is_confirmed.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = self.confirmed.wait_timeout_while(is_confirmed, STOP_TIMEOUT, |is_confirmed| !*is_confirmed);
    }

    /// Confirms that the coordinator has ended: a later stop need not wait. If a stop was requested, the thread of the
    /// interruption ends the process.
    fn confirm(&self) {
        *self.is_confirmed.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.confirmed.notify_all();
        if self.is_requested.load(Ordering::SeqCst) {
            loop {
                std::thread::park();
            }
        }
    }
}

impl Analyse {
    pub(crate) fn run(&self) -> CommandResult {
        self.check_queue()?;
        let threads = usize::from(self.threads.unwrap_or(1));
        check_threads(threads, self.hash.into())?;
        let variable = |name: &str| std::env::var(name).ok();
        let shard = self.shard.map_or(Ok(Shard::WHOLE), |shard| shard.resolve(variable));
        let shard = shard.map_err(Failure::Usage)?;
        let options = self.options()?;
        // One bar for everything: a process has one handler of Ctrl-C.
        let progress = Progress::new(0);
        let (queue, input) = self.open_queue(shard, &options, &progress)?;
        if self.retry {
            queue.retry_failed()?;
        }
        let before = queue.counts()?;
        let Searched { totals, seconds, coordination } = self.run_queue(&queue, threads, &progress)?;
        let counts = queue.counts()?;
        let search_fraction = totals.search_time.as_secs_f64() / (seconds.max(1e-9) * threads as f64);
        // `poisoned` is the name of earlier versions for `failed`.
        let mut report = json!({
            "chunks": counts.chunks(), "done": counts.done, "failed": counts.failed,
            "poisoned": counts.failed,
            "positions": counts.positions, "positions_done": counts.positions_done, "nodes": counts.nodes,
            "kept": before.done, "faults": faults_to_json(&input.faults), "fault_count": input.faults.count(),
            "left_out": input.left_out, "seconds": seconds,
            "search_percent": (!self.has_server()).then_some(100.0 * search_fraction),
            "checked": coordination.checked, "unchecked": coordination.unchecked,
            "set_aside": coordination.set_aside,
        });
        progress.begin(counts.chunks(), 0);
        let merged = match shard {
            Shard::WHOLE => Some(merge_with(&self.output, &self.output, self.format, &progress)?),
            _ => None,
        };
        progress.finish();
        if self.json {
            report["games"] = merged.as_ref().map_or(Value::Null, |merged| merged.games.into());
            report["files"] = json!(merged.map_or(Vec::new(), |merged| merged.files));
            print_summary(&report)?;
        } else {
            let search_fraction = (!self.has_server()).then_some(search_fraction);
            print_summary(totals_text(&totals, seconds, before.done, search_fraction))?;
            if let Some(text) = checks_text(&coordination) {
                print_summary(text)?;
            }
            match &merged {
                Some(merged) => print_merged(merged)?,
                None => print_summary(format_args!(
                    "part {} of {} is done; when all are: alfil merge {}{}",
                    shard.index,
                    shard.count,
                    self.output.display(),
                    self.format.to_argument()
                ))?,
            }
        }
        if counts.failed > 0 {
            let (count, folder) = (counts.failed, self.output.display());
            print_error_line(format_args!(
                "alfil: {} failed: see alfil status {folder}; --retry searches again",
                plural(count, "chunk")
            ));
            return Err(Failure::NegativeResult);
        }
        // As of `games` and `convert`: games that could not be read are named on stderr.
        if input.faults.count() > 0 { Err(Failure::NegativeResult) } else { Ok(()) }
    }

    /// Returns whether a server has the queue.
    fn has_server(&self) -> bool {
        is_nats_url(&self.queue)
    }

    fn check_queue(&self) -> CommandResult {
        if !self.has_server() {
            self.nats_args.refuse()?;
            let given = [
                ("--lease", self.lease.is_some()),
                ("--keys", self.keys.is_some()),
                ("--check", self.check.is_some()),
            ];
            return match given.iter().find(|(_, is_given)| *is_given) {
                None => Ok(()),
                Some((name, _)) => Err(Failure::Usage(format!("{name} is for a queue such as nats://host"))),
            };
        }
        let wrong = [
            (
                self.threads.is_some(),
                "--threads: the workers of the server search; `alfil worker URL --threads T`",
            ),
            (
                self.shard.is_some(),
                "--shard: the server divides the work; each part would need a coordinator",
            ),
        ];
        match wrong.iter().find(|(is_given, _)| *is_given) {
            Some((_, text)) => Err(Failure::Usage((*text).into())),
            None => Ok(()),
        }
    }

    fn options(&self) -> Result<AnalysisOptions, Failure> {
        if let Some(to) = self.to.filter(|&to| to < self.from) {
            return Err(Failure::Usage(format!("--to {to} is before --from {}", self.from)));
        }
        Ok(AnalysisOptions {
            build: build_id()?,
            nodes: self.nodes.or((self.movetime.is_none()).then_some(DEFAULT_NODES)),
            movetime_ms: self.movetime,
            lines: self.lines.into(),
            hash_mib: self.hash.into(),
            from: self.from as usize,
            to: self.to.map(|ply| ply as usize),
            every: self.every as usize,
            rules: self.rules.clone(),
        })
    }

    /// Reads the input and opens the queue.
    fn open_queue(
        &self,
        shard: Shard,
        options: &AnalysisOptions,
        progress: &Progress,
    ) -> Result<(SqliteQueue, InputLosses), Failure> {
        // The records are planned as they are; openings are named when the results are merged.
        let (source, filter) =
            (self.source_args.open_for_analysis(&self.output)?, self.source_args.filter()?);
        let left_out = source.files().left_out().iter().map(|path| path.display().to_string()).collect();
        for path in source.files().left_out() {
            let name = path.display();
            progress.print_note(format_args!("alfil: {name}: left out, its name is not that of a record"));
        }
        let (faults, printer) = (RefCell::new(FaultList::default()), RefCell::new(FaultPrinter::default()));
        // A new analysis replaces nothing that is there.
        let has_no_queue = || {
            let queues = Manifest::open_all(&self.output);
            matches!(queues, Err(QueueError::NoAnalysis { .. } | QueueError::File { .. }))
        };
        if let Some(file) = find_merged_file(&self.output).filter(|_| !self.force && has_no_queue()) {
            let message = format!(
                "{}: the results would replace it; name another folder with -o, or --force replaces it",
                file.display()
            );
            return Err(Failure::Input(message));
        }
        let (sender, receiver) = sync_channel(1);
        let plan = |batch: SourceBatch| plan_games(batch, filter.as_ref());
        let queue = std::thread::scope(|scope| {
            // Where the rest is not needed, the receiver is gone, and reading ends.
            let reading =
                scope.spawn(move || source.map_in_order(all_cores(), plan, |planned| sender.send(planned)));
            let mut reading = Some(reading);
            // Games that end with a panic are not all games.
            let end = std::iter::from_fn(move || match reading.take()?.join() {
                Ok(_) => None,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            let mut read = 0_u64;
            let mut games = receiver.into_iter().chain(end).flatten().filter_map(|planned| {
                read += 1;
                if read.is_multiple_of(GAMES_BETWEEN_UPDATES) {
                    progress.show_message(format!("reading game {read}"));
                }
                let mut faults = faults.borrow_mut();
                let planned = planned.map_err(|fault| faults.push(fault)).ok();
                printer.borrow_mut().print_new(progress, &faults);
                planned
            });
            // Nothing is written for an input without games.
            let first = games.next();
            if first.is_none() {
                return Err(Failure::Input("there is no game or position to analyse".into()));
            }
            std::fs::create_dir_all(&self.output)
                .with_context(|| format!("cannot create {}", self.output.display()))?;
            let clock = Box::new(clock_since_1970());
            Ok(SqliteQueue::open(&self.output, shard, clock, (options, first.into_iter().chain(games)))?)
        })?;
        let faults = faults.into_inner();
        printer.into_inner().print_counts(&faults);
        for (number, what) in queue.damaged_results() {
            progress
                .print_note(format_args!("alfil: the result of chunk {number} is searched again: {what}"));
        }
        Ok((queue, InputLosses { faults, left_out }))
    }

    /// Searches the chunks that have no result; returns what was done and the seconds.
    fn run_queue(
        &self,
        queue: &SqliteQueue,
        threads: usize,
        progress: &Progress,
    ) -> Result<Searched, Failure> {
        let before = queue.counts()?;
        progress.begin(before.chunks(), before.done + before.failed);
        let start = Instant::now();
        let totals = Arc::new(Mutex::new(RunTotals::default()));
        let shown = (totals.clone(), self.json);
        let stop = Arc::new(CoordinatorStop::default());
        let stopped = self.has_server().then(|| stop.clone());
        progress.set_partial_result(move || {
            if let Some(stop) = &stopped {
                stop.request_and_wait();
            }
            let totals = *shown.0.lock().unwrap_or_else(PoisonError::into_inner);
            Some(interrupted_text(&totals, &before, start.elapsed().as_secs_f64(), shown.1))
        });
        let on_event = |event: ChunkEvent| match event {
            ChunkEvent::Started { .. } => {}
            ChunkEvent::Withdrawn { chunks, positions, nodes } => {
                let mut totals = totals.lock().unwrap_or_else(PoisonError::into_inner);
                // An earlier run may have counted some of them.
                totals.chunks = totals.chunks.saturating_sub(chunks);
                totals.positions = totals.positions.saturating_sub(positions);
                totals.nodes = totals.nodes.saturating_sub(nodes);
                drop(totals);
                progress.step_back(chunks);
            }
            ChunkEvent::Done { positions, nodes, search_time, is_counted, .. } => {
                let mut totals = totals.lock().unwrap_or_else(PoisonError::into_inner);
                totals.search_time += search_time;
                if is_counted {
                    totals.chunks += 1;
                    totals.positions += positions;
                    totals.nodes += nodes;
                }
                let text = progress_text(&totals, &before, start.elapsed().as_secs_f64());
                drop(totals);
                if is_counted {
                    progress.step(text);
                }
            }
            ChunkEvent::AttemptFailed { number, reason, is_last } => {
                let next = if is_last { "it is not tried again" } else { "it is tried again" };
                progress.print_note(format_args!("alfil: chunk {number}: {reason}; {next}"));
                if is_last {
                    progress.step(String::new());
                }
            }
        };
        let mut coordination = CoordinationTotals::default();
        if self.has_server() {
            let notes = progress.clone();
            let on_note: OnNote = Arc::new(move |text| notes.print_note(format_args!("alfil: {text}")));
            let lease = Duration::from_secs(self.lease.unwrap_or(DEFAULT_LEASE_SECONDS));
            let options = CoordinatorOptions {
                nats: self.nats_args.options(&self.queue, None),
                lease,
                check_interval: self.check.unwrap_or(DEFAULT_CHECK_INTERVAL),
                keys: self.keys.clone(),
            };
            coordination = coordinate(queue, &options, &stop.is_requested, &on_note, &on_event)?;
            stop.confirm();
        } else {
            let name = std::process::id().to_string();
            run_workers(queue, threads, &name, &execute, &on_event)?;
        }
        let totals = *totals.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Searched { totals, seconds: start.elapsed().as_secs_f64(), coordination })
    }
}

/// What came out of the searches.
struct Searched {
    totals: RunTotals,
    seconds: f64,
    coordination: CoordinationTotals,
}

/// Returns a clock that counts milliseconds since 1970, and goes on evenly while the clock of the system is set.
pub(crate) fn clock_since_1970() -> impl Fn() -> u64 {
    let since_1970 = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let start = Instant::now();
    move || (since_1970 + start.elapsed()).as_millis() as u64
}

/// Plans the games of a batch for which the filter is true.
fn plan_games(batch: SourceBatch, filter: Option<&Filter>) -> Vec<Result<PlannedGame, Fault>> {
    let mut planned = Vec::new();
    for item in batch.into_games() {
        match item {
            SourceItem::Fault(fault) => planned.push(Err(fault)),
            SourceItem::Game(game) if filter.is_some_and(|filter| !filter.matches(&game.game)) => {}
            SourceItem::Game(game) => planned.push(PlannedGame::from_source(&game).map_err(|error| {
                let Place { file, number, byte } = game.place;
                Fault { file, game: Some(number), byte, what: error.message }
            })),
        }
    }
    planned
}

/// Returns what the spot checks have shown; `None` if there were none.
fn checks_text(coordination: &CoordinationTotals) -> Option<String> {
    let CoordinationTotals { checked, unchecked, set_aside } = coordination;
    let not_made = match unchecked {
        0 => String::new(),
        _ => format!("; {} could not be, without a second worker", plural(*unchecked, "chunk")),
    };
    let names: Vec<_> = set_aside.keys().map(String::as_str).collect();
    let aside = match names.len() {
        0 => String::new(),
        _ => format!("; set aside: {}", names.join(", ")),
    };
    let is_empty = checked + unchecked == 0 && names.is_empty();
    (!is_empty).then(|| format!("{} searched twice{not_made}{aside}", plural(*checked, "chunk")))
}

fn totals_text(totals: &RunTotals, seconds: f64, kept: u64, search_fraction: Option<f64>) -> String {
    let RunTotals { chunks, positions, nodes, .. } = totals;
    let rate = *positions as f64 / seconds.max(1e-9);
    let in_search = search_fraction
        .map_or(String::new(), |fraction| format!(", threads {:.1} % searching", 100.0 * fraction));
    format!(
        "{} in {}, {} in {seconds:.1} s ({rate:.1} positions/s{in_search}); {} {} there already",
        plural(*positions, "position"),
        plural(*chunks, "chunk"),
        plural(*nodes, "node"),
        plural(kept, "chunk"),
        if kept == 1 { "was" } else { "were" }
    )
}

fn parse_queue(text: &str) -> Result<String, String> {
    match text {
        "sqlite" => Ok(text.into()),
        _ if is_nats_url(text) => Ok(text.into()),
        _ => Err("expected sqlite, nats://HOST or tls://HOST".into()),
    }
}

fn progress_text(totals: &RunTotals, before: &QueueCounts, seconds: f64) -> String {
    let rate = totals.positions as f64 / seconds.max(1e-9);
    let left = before.positions.saturating_sub(before.positions_done + totals.positions);
    let minutes = left as f64 / rate.max(1e-9) / 60.0;
    format!("{}, {rate:.1} a second, {minutes:.0} min left", plural(totals.positions, "position"))
}

/// Returns what is printed when the run is interrupted.
fn interrupted_text(totals: &RunTotals, before: &QueueCounts, seconds: f64, json: bool) -> String {
    let done = before.done + totals.chunks;
    if json {
        let report = json!({
            "interrupted": true, "chunks": before.chunks(), "done": done, "positions": before.positions,
            "positions_done": before.positions_done + totals.positions, "nodes": before.nodes + totals.nodes,
            "kept": before.done, "seconds": seconds,
        });
        return report.to_string();
    }
    let chunks = plural(before.chunks(), "chunk");
    format!("interrupted: {done} of {chunks} done; run the same command again to go on")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interruption_after_the_end_of_the_coordinator_does_not_wait_for_it() {
        let stop = CoordinatorStop::default();
        stop.confirm();
        let start = Instant::now();
        stop.request_and_wait();
        assert!(start.elapsed() < STOP_TIMEOUT);
    }

    #[test]
    fn the_spot_checks_are_summed_up() {
        let mut totals = CoordinationTotals::default();
        assert_eq!(checks_text(&totals), None);
        totals.checked = 2;
        assert_eq!(checks_text(&totals).unwrap(), "2 chunks searched twice");
        totals.unchecked = 1;
        totals.set_aside.insert("node7".into(), "its result of chunk 3 is wrong".into());
        let expected =
            "2 chunks searched twice; 1 chunk could not be, without a second worker; set aside: node7";
        assert_eq!(checks_text(&totals).unwrap(), expected);
    }
}
