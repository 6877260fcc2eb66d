//! A count in parts: several threads, a state file, a part of the parts, and what is known so far.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use alfil_batch::run_file::RunFileError;
use alfil_session::{GameSession, PerftPlan, RootMoveTally};
use serde_json::{Value, json};

use super::state_file::{self, PartCount, PartCounts, StateFile, StateHeader};
use super::{Perft, json_number};
use crate::errors::{CommandResult, Failure};
use crate::output::{print_error_line, print_line};
use crate::progress::Progress;

/// A count: its plan, the parts that belong to it, and their counts.
struct Count<'a> {
    args: &'a Perft,
    plan: Arc<dyn PerftPlan>,
    /// The fields of the position and the depth.
    head: Value,
    /// The parts whose counts are summed, ascending.
    selected: Vec<usize>,
    known: PartCounts,
    state: Option<StateFile>,
    start: Instant,
}

/// Counts the position of the session and prints the number.
///
/// # Errors
/// If the plan is impossible, or a state file cannot be used.
pub(super) fn run(args: &Perft, session: &dyn GameSession, depth: u32) -> CommandResult {
    let start = Instant::now();
    let plan = session.perft_plan(&args.request(depth))?;
    let (game, board, fen) = (session.game(), session.board(), session.view().fen);
    let mut head = json!({"game": game, "board": board, "fen": fen, "depth": depth});
    if let Some(convention) = &args.pass {
        head["pass"] = json!(convention);
    }
    let header = StateHeader {
        count: head.clone(),
        split: plan.split_plies(),
        parts: plan.part_count(),
        fingerprint: plan.fingerprint(),
    };
    let (mut known, mut damaged) = (PartCounts::new(), 0);
    // The file of each known part.
    let mut files = HashMap::new();
    for name in &args.add {
        let (counts, damaged_lines) = state_file::read(name, &header)?;
        state_file::add_counts(&mut known, &mut files, name, counts)?;
        damaged += damaged_lines;
    }
    let added: Vec<usize> = known.keys().copied().collect();
    let mut state = None;
    if let Some(name) = &args.state {
        let (file, counts, damaged_lines) = StateFile::open(name, &header)?;
        state_file::add_counts(&mut known, &mut files, name, counts)?;
        damaged += damaged_lines;
        state = Some(file);
    }
    if damaged > 0 {
        let lines = if damaged == 1 { "line" } else { "lines" };
        // The part of a damaged line may belong to another shard.
        let then = if args.shard.is_some() { ", as far as they belong to --shard" } else { "" };
        print_error_line(format_args!(
            "{damaged} damaged {lines} of state: the parts are counted again{then}"
        ));
    }
    let shard = args.shard()?;
    let mut selected: Vec<usize> =
        (0..plan.part_count()).filter(|&part| shard.contains(part as u64)).chain(added).collect();
    selected.sort_unstable();
    selected.dedup();
    Count { args, plan, head, selected, known, state, start }.run()
}

impl Count<'_> {
    fn run(self) -> CommandResult {
        if self.plan.root_moves().is_empty() {
            // Depth 0, or a finished game.
            let nodes = self.selected.iter().map(|&part| self.plan.count(part)).sum();
            return self.print(nodes, &[], nodes);
        }
        let (pending, known): (Vec<usize>, Vec<usize>) =
            self.selected.iter().partition(|part| !self.known.contains_key(part));
        let mut tally = RootMoveTally::new(self.plan.clone());
        for part in known {
            tally.add(part, self.known[&part].nodes);
        }
        let before = tally.total();
        let progress =
            Progress::with_remaining_time(self.selected.len(), self.selected.len() - pending.len());
        let tally = Arc::new(Mutex::new(tally));
        let (shown_tally, start) = (tally.clone(), self.start);
        let json_head = self.args.position_args.json.then(|| self.head.clone());
        progress.set_partial_result(move || {
            let tally = shown_tally.lock().ok()?;
            Some(partial_count(&tally, json_head.as_ref(), start.elapsed().as_secs_f64()))
        });
        let seconds = self.count_parts(&pending, &progress, &tally)?;
        progress.finish();
        let tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
        let mut rows = rows_of(&tally);
        rows.sort_unstable();
        // Not `sum`, which is -0.0 without parts.
        let known_seconds = self
            .selected
            .iter()
            .filter_map(|part| self.known.get(part))
            .fold(0.0, |sum, known| sum + known.seconds);
        self.print_with_time(tally.total(), &rows, tally.total() - before, known_seconds + seconds)
    }

    /// Counts the parts that are not known. Returns the sum of their times.
    fn count_parts(
        &self,
        pending: &[usize],
        progress: &Progress,
        tally: &Mutex<RootMoveTally>,
    ) -> Result<f64, Failure> {
        let has_failed = AtomicBool::new(false);
        let results = alfil_engine::threads::parallel_map(pending, usize::from(self.args.threads), |&part| {
            if has_failed.load(Ordering::Relaxed) {
                return Ok(0.0);
            }
            let start = Instant::now();
            let nodes = self.plan.count(part);
            let seconds = start.elapsed().as_secs_f64();
            if let Some(state) = &self.state {
                state
                    .add(part, PartCount { nodes, seconds })
                    .inspect_err(|_| has_failed.store(true, Ordering::Relaxed))?;
            }
            let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
            tally.add(part, nodes);
            progress.step(format!("at least {}", tally.total()));
            Ok(seconds)
        });
        let sum: Result<f64, RunFileError> = results.into_iter().sum();
        sum.map_err(|error| {
            Failure::Input(format!("{error}; the count can go on from it when there is space"))
        })
    }

    fn print(&self, nodes: u128, rows: &[(String, u128)], counted: u128) -> CommandResult {
        self.print_with_time(nodes, rows, counted, self.start.elapsed().as_secs_f64())
    }

    /// Prints the result. `counted` of the nodes are from this process; the parts took `part_seconds` together.
    fn print_with_time(
        &self,
        nodes: u128,
        rows: &[(String, u128)],
        counted: u128,
        part_seconds: f64,
    ) -> CommandResult {
        let seconds = self.start.elapsed().as_secs_f64();
        let (selected, parts) = (self.selected.len(), self.plan.part_count());
        if self.args.position_args.json {
            let mut object = self.head.clone();
            object["nodes"] = json_number(nodes);
            object["seconds"] = json!(seconds);
            // A count faster than the clock resolution has no rate.
            object["nps"] = json!(if seconds > 0.0 { (counted as f64 / seconds) as u64 } else { 0 });
            if self.args.is_in_parts() {
                object["split"] = json!(self.plan.split_plies());
                object["parts"] = json!(parts);
                object["selected_parts"] = json!(selected);
                object["part_seconds"] = json!(part_seconds);
            }
            if self.args.divide {
                object["divide"] = divide_to_json(rows);
            }
            print_line(object)?;
            return Ok(());
        }
        if self.args.divide {
            for (mv, nodes) in rows {
                print_line(format_args!("{mv}: {nodes}"))?;
            }
        }
        match selected == parts {
            true => print_line(nodes)?,
            false => print_line(format_args!("{nodes} in {selected} of {parts} parts"))?,
        }
        Ok(())
    }
}

/// Returns the finished root moves with their counts.
fn rows_of(tally: &RootMoveTally) -> Vec<(String, u128)> {
    tally.finished().map(|(mv, nodes)| (mv.to_owned(), nodes)).collect()
}

fn divide_to_json(rows: &[(String, u128)]) -> Value {
    rows.iter().map(|(mv, nodes)| json!({"move": mv, "nodes": json_number(*nodes)})).collect()
}

/// Returns the text of an interrupted count, or the JSON object with the fields of `head`.
fn partial_count(tally: &RootMoveTally, head: Option<&Value>, seconds: f64) -> String {
    let (rows, total) = (rows_of(tally), tally.total());
    match head {
        None if total == 0 => "nothing is counted yet".into(),
        None => {
            let rows: String = rows.iter().map(|(mv, nodes)| format!("{mv}: {nodes}\n")).collect();
            format!("{rows}at least {total}")
        }
        Some(head) => {
            let mut object = head.clone();
            object["at_least"] = if total == 0 { Value::Null } else { json_number(total) };
            object["seconds"] = json!(seconds);
            object["divide"] = divide_to_json(&rows);
            object["interrupted"] = json!(true);
            object.to_string()
        }
    }
}
