//! `alfil perft --suite`: compares perft counts with the published counts of a file.

use std::path::Path;
use std::time::Instant;

use alfil_session::{GameSession, PerftRequest};
use serde_json::{Value, json};

use super::{MAX_PERFT_DEPTH, Perft, json_number};
use crate::errors::{CommandResult, Failure};
use crate::output::print_line;
use crate::progress::Progress;

/// A row of the suite file.
struct SuiteRow {
    fen: String,
    depth: u32,
    nodes: u128,
    convention: Option<String>,
}

/// Counts every row whose expected count is at most `--max-nodes`.
///
/// # Errors
/// If the file cannot be read, a row is invalid (the error names its line), or a count differs.
pub(crate) fn run(args: &Perft, file: &Path) -> CommandResult {
    let mut session = args.position_args.new_session()?;
    let text = crate::args::read_file(file)?;
    let located_error =
        |number: usize, error: String| Failure::Input(format!("{}:{}: {error}", file.display(), number + 1));
    let waivers = crate::args::parse_waivers(session.as_ref(), &args.position_args.waive)?;
    let mut rows = Vec::new();
    for (number, text) in text.lines().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
        let row = parse_row(text).map_err(|error| located_error(number, error))?;
        session.open(&row.fen, &waivers).map_err(|error| located_error(number, error.to_string()))?;
        rows.push((number, row));
    }
    if rows.is_empty() {
        return Err(Failure::Input(format!("{} has no rows", file.display())));
    }
    let (mut passed, mut failed, mut skipped) = (0_u64, 0_u64, 0_u64);
    let progress = Progress::new(rows.len());
    for (at, row) in rows {
        if args.max_nodes.is_some_and(|max| row.nodes > max) {
            skipped += 1;
        } else {
            let mut request = args.request(row.depth);
            request.convention = row.convention.clone().or(request.convention);
            let is_equal =
                check_row(session.as_mut(), args, &row, &request).map_err(|failure| match failure {
                    Failure::Input(error) => located_error(at, error),
                    failure => failure,
                })?;
            *(if is_equal { &mut passed } else { &mut failed }) += 1;
        }
        progress.step(format!("{passed} passed, {failed} failed"));
    }
    progress.finish();
    if args.position_args.json {
        print_line(json!({"passed": passed, "failed": failed, "skipped": skipped}))?;
    } else {
        if skipped > 0 {
            print_line(format_args!("{skipped} skipped"))?;
        }
        print_line(format_args!("{passed} passed, {failed} failed"))?;
    }
    if failed > 0 { Err(Failure::NegativeResult) } else { Ok(()) }
}

/// Counts one row and prints the result; returns whether the count is as expected.
fn check_row(
    session: &mut dyn GameSession,
    args: &Perft,
    row: &SuiteRow,
    request: &PerftRequest,
) -> Result<bool, Failure> {
    let waivers = crate::args::parse_waivers(session, &args.position_args.waive)?;
    session.open(&row.fen, &waivers)?;
    let start = Instant::now();
    let nodes = alfil_engine::perft(session, request, &|_, _| ())?;
    let seconds = start.elapsed().as_secs_f64();
    let is_equal = nodes == row.nodes;
    let (fen, depth, expected) = (&row.fen, row.depth, row.nodes);
    if args.position_args.json {
        print_line(json!({
            "fen": fen, "depth": depth, "expected": json_number(expected), "nodes": json_number(nodes),
            "seconds": seconds, "passed": is_equal,
        }))?;
    } else if is_equal {
        print_line(format_args!("ok {fen} depth {depth}: {nodes}"))?;
    } else {
        print_line(format_args!("MISMATCH {fen} depth {depth}: expected {expected}, counted {nodes}"))?;
    }
    Ok(is_equal)
}

fn parse_row(text: &str) -> Result<SuiteRow, String> {
    let row: Value = serde_json::from_str(text).map_err(|error| format!("not a JSON object: {error}"))?;
    let fen = row.get("fen").or_else(|| row.get("board")).and_then(Value::as_str);
    let whole_number = |name: &str| {
        let value = row.get(name).filter(|value| value.is_number());
        value
            .and_then(|value| value.to_string().parse::<u128>().ok())
            .ok_or(format!("{name} is not a whole number"))
    };
    Ok(SuiteRow {
        fen: fen.ok_or("fen (or board) is missing")?.to_owned(),
        depth: u32::try_from(whole_number("depth")?)
            .ok()
            .filter(|&depth| depth <= MAX_PERFT_DEPTH)
            .ok_or(format!("depth is above {MAX_PERFT_DEPTH}"))?,
        nodes: whole_number("nodes")?,
        convention: row.get("convention").and_then(Value::as_str).map(str::to_owned),
    })
}
