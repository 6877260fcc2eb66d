//! `alfil perft --suite`: compares perft counts with the published counts of a file.

use std::path::Path;
use std::time::Instant;

use alfil_kernel::Waivers;
use alfil_session::searcher::check_memory;
use alfil_session::{FileFormat, GameSession, PerftRequest, SessionError};
use serde_json::json;

use super::suite_file::{self, SuiteRow};
use super::{Perft, json_number};
use crate::args::{check_threads, read_suite};
use crate::errors::{CommandResult, Failure};
use crate::output::{ignore_closed_output, print_summary};
use crate::progress::Progress;

/// The formats of a suite. A line with a board of Othello and counts is detected as OBF.
const FORMATS: [FileFormat; 4] = [FileFormat::Json, FileFormat::Epd, FileFormat::Obf, FileFormat::PerftLines];

/// Counts every row whose expected count is at most `--max-nodes`.
///
/// # Errors
/// If the file cannot be read, an argument or a row is invalid (the error of a row names its line), or a count differs.
pub(crate) fn run(args: &Perft, file: &Path) -> CommandResult {
    let mut session = args.position_args.new_session()?;
    let text = read_suite(file, &FORMATS, "has JSON lines, or positions with counts such as ;D1 20")?;
    let located_error = |line_index: usize, error: String| {
        Failure::Input(format!("{}:{}: {error}", file.display(), line_index + 1))
    };
    let waivers = crate::args::parse_waivers(session.as_ref(), &args.position_args.waive)?;
    check_threads(usize::from(args.threads), 0)?;
    // The errors of --pass and --hash belong to no row. A plan of depth 0 counts nothing.
    session.perft_plan(&PerftRequest { hash_mib: None, ..args.request(0) })?;
    if let Some(mebibytes) = args.hash {
        check_memory(mebibytes as usize)?;
    }
    let mut rows = Vec::new();
    for (line_index, row) in suite_file::parse_rows(&text, session.as_ref()) {
        let row = row.map_err(|error| located_error(line_index, error))?;
        check_row(session.as_mut(), &waivers, &row)
            .map_err(|error| located_error(line_index, error.to_string()))?;
        rows.push(row);
    }
    if rows.is_empty() {
        return Err(Failure::Input(format!("{} has no rows", file.display())));
    }
    let (mut passed, mut failed, mut skipped) = (0_u64, 0_u64, 0_u64);
    let (progress, json) = (Progress::new(rows.len()), args.position_args.json);
    let partial_result = move |totals: [u64; 3]| move || Some(format_totals(json, totals, true));
    progress.set_partial_result(partial_result([passed, failed, skipped]));
    for row in rows {
        if args.max_nodes.is_some_and(|max| row.nodes > max) {
            skipped += 1;
            progress.set_partial_result(partial_result([passed, failed, skipped]));
        } else {
            let mut request = args.request(row.depth);
            request.convention = row.convention.clone().or(request.convention);
            let (is_equal, text) = count_row(session.as_mut(), &waivers, args, &row, &request)?;
            *(if is_equal { &mut passed } else { &mut failed }) += 1;
            // The exit status is a result too.
            ignore_closed_output(progress.print_row(text, partial_result([passed, failed, skipped])))?;
        }
        progress.step(format!("{passed} passed, {failed} failed"));
    }
    progress.finish();
    print_summary(format_totals(json, [passed, failed, skipped], false))?;
    if failed > 0 { Err(Failure::NegativeResult) } else { Ok(()) }
}

/// Formats the numbers of passed, failed and skipped rows.
fn format_totals(json: bool, [passed, failed, skipped]: [u64; 3], is_interrupted: bool) -> String {
    if json {
        let mut object = json!({"passed": passed, "failed": failed, "skipped": skipped});
        if is_interrupted {
            object["interrupted"] = json!(true);
        }
        return object.to_string();
    }
    let skipped = if skipped > 0 { format!("{skipped} skipped\n") } else { String::new() };
    format!("{skipped}{passed} passed, {failed} failed")
}

/// Checks the position and the convention of a row.
fn check_row(session: &mut dyn GameSession, waivers: &Waivers, row: &SuiteRow) -> Result<(), SessionError> {
    session.open(&row.fen, waivers)?;
    session.perft_plan(&PerftRequest { convention: row.convention.clone(), ..PerftRequest::default() })?;
    Ok(())
}

/// Counts one row; returns whether the count is as expected, and the line that says so.
fn count_row(
    session: &mut dyn GameSession,
    waivers: &Waivers,
    args: &Perft,
    row: &SuiteRow,
    request: &PerftRequest,
) -> Result<(bool, String), SessionError> {
    session.open(&row.fen, waivers)?;
    let start = Instant::now();
    let nodes = alfil_engine::perft(session, request, &|_, _| ())?;
    let seconds = start.elapsed().as_secs_f64();
    let is_equal = nodes == row.nodes;
    let (fen, depth, expected) = (session.view().fen, row.depth, row.nodes);
    let text = if args.position_args.json {
        let row = json!({
            "fen": fen, "depth": depth, "expected": json_number(expected), "nodes": json_number(nodes),
            "seconds": seconds, "passed": is_equal,
        });
        row.to_string()
    } else if is_equal {
        format!("ok {fen} depth {depth}: {nodes}")
    } else {
        format!("MISMATCH {fen} depth {depth}: expected {expected}, counted {nodes}")
    };
    Ok((is_equal, text))
}
