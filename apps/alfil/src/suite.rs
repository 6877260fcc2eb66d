//! `alfil perft --suite`: published counts against ours, row by row.

use std::path::Path;
use std::time::Instant;

use alfil_session::{GameSession, PerftRequest};
use serde_json::{Value, json};

use crate::CommandResult;
use crate::errors::Failure;
use crate::output::print_line;
use crate::perft::{MAX_PERFT_DEPTH, Perft, json_number};
use crate::progress::Progress;

/// A row of the file.
struct SuiteRow {
    fen: String,
    depth: u32,
    nodes: u128,
    convention: Option<String>,
}

/// Counts every row that is not too large.
///
/// # Errors
/// If the file cannot be read or a row cannot be understood, with its line; or if a count differs.
pub(crate) fn run(ask: &Perft, file: &Path) -> CommandResult {
    let mut desk = ask.position_args.new_session()?;
    let text = crate::args::read_file(file)?;
    let located =
        |number: usize, error: String| Failure::Input(format!("{}:{}: {error}", file.display(), number + 1));
    let waivers = crate::args::parse_waivers(desk.as_ref(), &ask.position_args.waive)?;
    let mut rows = Vec::new();
    for (number, text) in text.lines().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
        let row = parse_row(text).map_err(|error| located(number, error))?;
        desk.open(&row.fen, &waivers).map_err(|error| located(number, error.to_string()))?;
        rows.push((number, row));
    }
    if rows.is_empty() {
        return Err(Failure::Input(format!("{} holds no row to count", file.display())));
    }
    let (mut passed, mut failed, mut skipped) = (0_u64, 0_u64, 0_u64);
    let progress = Progress::new(rows.len());
    for (at, row) in rows {
        if ask.max_nodes.is_some_and(|most| row.nodes > most) {
            skipped += 1;
        } else {
            let mut wanted = ask.request(row.depth);
            wanted.convention = row.convention.clone().or(wanted.convention);
            let sound = check_row(desk.as_mut(), ask, &row, &wanted).map_err(|failure| match failure {
                Failure::Input(error) => located(at, error),
                failure => failure,
            })?;
            *(if sound { &mut passed } else { &mut failed }) += 1;
        }
        progress.step(format!("{passed} passed, {failed} failed"));
    }
    progress.finish();
    if ask.position_args.json {
        print_line(json!({"passed": passed, "failed": failed, "skipped": skipped}))?;
    } else {
        if skipped > 0 {
            print_line(format_args!("{skipped} skipped"))?;
        }
        print_line(format_args!("{passed} passed, {failed} failed"))?;
    }
    if failed > 0 { Err(Failure::NegativeResult) } else { Ok(()) }
}

/// Counts one row and says how it went.
fn check_row(
    desk: &mut dyn GameSession,
    ask: &Perft,
    row: &SuiteRow,
    wanted: &PerftRequest,
) -> Result<bool, Failure> {
    let waivers = crate::args::parse_waivers(desk, &ask.position_args.waive)?;
    desk.open(&row.fen, &waivers)?;
    let start = Instant::now();
    let nodes = alfil_engine::perft(desk, wanted, &|_, _| ())?;
    let seconds = start.elapsed().as_secs_f64();
    let sound = nodes == row.nodes;
    let (fen, depth, expected) = (&row.fen, row.depth, row.nodes);
    if ask.position_args.json {
        print_line(json!({
            "fen": fen, "depth": depth, "expected": json_number(expected), "nodes": json_number(nodes),
            "seconds": seconds, "passed": sound,
        }))?;
    } else if sound {
        print_line(format_args!("ok {fen} depth {depth}: {nodes}"))?;
    } else {
        print_line(format_args!("MISMATCH {fen} depth {depth}: expected {expected}, counted {nodes}"))?;
    }
    Ok(sound)
}

fn parse_row(text: &str) -> Result<SuiteRow, String> {
    let row: Value = serde_json::from_str(text).map_err(|error| format!("no JSON object: {error}"))?;
    let fen = row.get("fen").or_else(|| row.get("board")).and_then(Value::as_str);
    let whole = |name: &str| {
        let value = row.get(name).filter(|value| value.is_number());
        value
            .and_then(|value| value.to_string().parse::<u128>().ok())
            .ok_or(format!("{name} is no whole number"))
    };
    Ok(SuiteRow {
        fen: fen.ok_or("fen (or board) is missing")?.to_owned(),
        depth: u32::try_from(whole("depth")?)
            .ok()
            .filter(|&depth| depth <= MAX_PERFT_DEPTH)
            .ok_or(format!("depth is above {MAX_PERFT_DEPTH}"))?,
        nodes: whole("nodes")?,
        convention: row.get("convention").and_then(Value::as_str).map(str::to_owned),
    })
}
