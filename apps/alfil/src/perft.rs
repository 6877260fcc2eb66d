//! `alfil perft`: the number of legal move paths.

mod suite;
mod suite_file;

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use alfil_session::{GameSession, PerftRequest};
use clap::Args;
use serde_json::json;

use crate::args::{PositionArgs, check_threads};
use crate::errors::{CommandResult, Failure};
use crate::output::print_line;
use crate::progress::Progress;

/// The maximal depth in plies: more than any count reaches, and small enough for the stack of a thread.
const MAX_PERFT_DEPTH: u32 = 64;

/// Count legal move paths.
#[derive(Debug, Args)]
pub(crate) struct Perft {
    #[command(flatten)]
    position_args: PositionArgs,
    /// Depth in plies, up to 64; depth 0 counts 1.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=i64::from(MAX_PERFT_DEPTH)), required_unless_present = "suite", conflicts_with = "suite")]
    depth: Option<u32>,
    /// Print the count of each first move.
    #[arg(long, conflicts_with = "suite")]
    divide: bool,
    /// Count every row of a file and compare: JSON lines with fen (or board), depth and nodes; or positions with counts
    /// such as ;D1 20 ;D2 400.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "pgn_file", "moves"])]
    suite: Option<PathBuf>,
    /// Skip rows of the suite that have more nodes.
    #[arg(long, value_name = "N", conflicts_with = "depth")]
    max_nodes: Option<u128>,
    /// How passes are counted, in games with passes.
    #[arg(long, value_name = "ply|free|full", value_parser = ["ply", "free", "full"])]
    pass: Option<String>,
    /// Number of threads.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Cache subtree counts in a table of this many MiB; a collision of 64-bit keys can make a count wrong.
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=65536), conflicts_with = "threads")]
    hash: Option<u32>,
}

impl Perft {
    pub(crate) fn run(&self) -> CommandResult {
        match &self.suite {
            Some(file) => suite::run(self, file),
            None => self.count(),
        }
    }

    /// Returns the session request for one count.
    fn request(&self, depth: u32) -> PerftRequest {
        PerftRequest {
            depth,
            threads: usize::from(self.threads),
            hash_mib: self.hash.map(|mebibytes| mebibytes as usize),
            convention: self.pass.clone(),
            dialect: self.position_args.dialect().map(str::to_owned),
        }
    }

    fn count(&self) -> CommandResult {
        check_threads(usize::from(self.threads), 0)?;
        let session = self.position_args.session()?;
        let depth = self.depth.unwrap_or_default();
        let start = Instant::now();
        let (nodes, rows) = self.count_with_progress(session.as_ref(), &self.request(depth))?;
        let seconds = start.elapsed().as_secs_f64();
        // A count faster than the clock resolution has no rate.
        let nps = if seconds > 0.0 { (nodes as f64 / seconds) as u64 } else { 0 };
        if self.position_args.json {
            let mut object = json!({
                "game": session.game(), "board": session.board(), "fen": session.view().fen, "depth": depth,
                "nodes": json_number(nodes), "seconds": seconds, "nps": nps,
            });
            if self.divide {
                object["divide"] = divide_to_json(&rows);
            }
            print_line(object)?;
            return Ok(());
        }
        if self.divide {
            for (mv, nodes) in rows {
                print_line(format_args!("{mv}: {nodes}"))?;
            }
        }
        print_line(nodes)?;
        Ok(())
    }

    /// Counts with a progress bar; returns the total and the counts of the first moves, sorted.
    fn count_with_progress(
        &self,
        session: &dyn GameSession,
        request: &PerftRequest,
    ) -> Result<(u128, Rows), Failure> {
        let progress = Progress::new(session.legal_moves(None)?.len());
        let start = Instant::now();
        let head = self.position_args.json.then(|| {
            let (game, board, fen) = (session.game(), session.board(), session.view().fen);
            json!({"game": game, "board": board, "fen": fen, "depth": request.depth})
        });
        let rows = Arc::new(Mutex::new(Rows::new()));
        let finished_rows = rows.clone();
        progress.set_partial_result(move || {
            let rows = finished_rows.lock().ok()?;
            Some(partial_count(&rows, head.as_ref(), start.elapsed().as_secs_f64()))
        });
        let nodes = alfil_engine::perft(session, request, &|mv, nodes| {
            let Ok(mut rows) = rows.lock() else { return };
            rows.push((mv.to_owned(), nodes));
            let total: u128 = rows.iter().map(|&(_, nodes)| nodes).sum();
            progress.step(format!("at least {total}"));
        });
        progress.finish();
        let mut rows = rows.lock().map(|mut rows| std::mem::take(&mut *rows)).unwrap_or_default();
        rows.sort_unstable();
        Ok((nodes?, rows))
    }
}

/// The counts of the first moves that are finished.
type Rows = Vec<(String, u128)>;

fn divide_to_json(rows: &Rows) -> serde_json::Value {
    rows.iter().map(|(mv, nodes)| json!({"move": mv, "nodes": json_number(*nodes)})).collect()
}

/// Returns the text of an interrupted count, or the JSON object with the fields of `head`.
fn partial_count(rows: &Rows, head: Option<&serde_json::Value>, seconds: f64) -> String {
    let total: u128 = rows.iter().map(|&(_, nodes)| nodes).sum();
    match head {
        None if rows.is_empty() => "nothing is counted yet: no first move is finished".into(),
        None => {
            let rows: String = rows.iter().map(|(mv, nodes)| format!("{mv}: {nodes}\n")).collect();
            format!("{rows}at least {total}")
        }
        Some(head) => {
            let mut object = head.clone();
            object["at_least"] = if rows.is_empty() { serde_json::Value::Null } else { json_number(total) };
            object["seconds"] = json!(seconds);
            object["divide"] = divide_to_json(rows);
            object["interrupted"] = json!(true);
            object.to_string()
        }
    }
}

/// Converts a count of any size to a JSON number.
fn json_number(count: u128) -> serde_json::Value {
    serde_json::from_str(&count.to_string()).expect("a decimal integer is valid JSON")
}
