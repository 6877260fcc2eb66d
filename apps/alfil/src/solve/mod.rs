//! `alfil solve`: exact solution of endgames.

mod partial_solution;

use std::path::{Path, PathBuf};
use std::time::Instant;

use alfil_engine::SearchEvent;
use alfil_session::{FileFormat, GameSession, Solution, SolveRequest};
use clap::Args;
use serde_json::{Value, json};

use crate::args::{GamesWithSolver, PositionArgs, check_threads, parse_waivers, read_suite};
use crate::errors::{CommandResult, Failure};
use crate::output::{ignore_closed_output, print_error_line, print_line, print_summary};
use crate::progress::Progress;

use partial_solution::PartialSolution;

/// The most empty squares of a position that is solved: with each further one a solution takes some three times as
/// long.
const MAX_EMPTY_SQUARES: usize = 40;
/// The empty squares from which on a solution takes hours, and a note says so.
const MANY_EMPTY_SQUARES: usize = 30;

/// Checks that a position has few enough empty squares to be solved.
fn check_empty_squares(empty_squares: usize) -> Result<(), String> {
    match empty_squares {
        0..=MAX_EMPTY_SQUARES => Ok(()),
        _ => Err(format!(
            "a position with {empty_squares} empty squares cannot be solved in a lifetime: name an ending with at \
             most {MAX_EMPTY_SQUARES}"
        )),
    }
}

/// Solve an ending of Othello exactly, to the end of the game.
#[derive(Debug, Args)]
pub(crate) struct Solve {
    #[command(flatten)]
    position_args: PositionArgs<GamesWithSolver>,
    /// Solve for win, draw or loss only: the score is 1, 0 or -1.
    #[arg(long)]
    wld: bool,
    /// Find the score of every move, not only of a best one.
    #[arg(long)]
    all: bool,
    /// Number of threads.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Size of the solver's table in MiB, which the positions of a suite share [default: by the empty squares].
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    hash: Option<u32>,
    /// Solve every position of an OBF file and compare with its scores.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "pgn_file", "moves"])]
    suite: Option<PathBuf>,
    /// First position of the suite to solve, counted from 1.
    #[arg(long, value_name = "A", requires = "suite", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    from: u64,
    /// Last position of the suite to solve.
    #[arg(long, value_name = "B", requires = "suite", value_parser = clap::value_parser!(u64).range(1..))]
    to: Option<u64>,
}

impl Solve {
    pub(crate) fn run(&self) -> CommandResult {
        check_threads(usize::from(self.threads), 0)?;
        match &self.suite {
            Some(file) => self.solve_suite(file),
            None => self.solve_one(),
        }
    }

    fn request(&self) -> SolveRequest {
        SolveRequest {
            outcome_only: self.wld,
            threads: usize::from(self.threads),
            scores_all_moves: self.all,
            hash_mib: self.hash.map(|mebibytes| mebibytes as usize),
        }
    }

    fn solve_one(&self) -> CommandResult {
        let session = self.position_args.session()?;
        let (start, json) = (Instant::now(), self.position_args.json);
        let mut partial = unsolved(session.as_ref())?;
        let empty_squares = partial.empty_squares;
        check_empty_squares(empty_squares)
            .map_err(|error| Failure::Input(format!("{error} by --fen, --pgn or --moves")))?;
        if empty_squares >= MANY_EMPTY_SQUARES {
            print_error_line(format_args!(
                "alfil: {empty_squares} empty squares may take hours, and each further one some three times as long"
            ));
        }
        let progress = Progress::with_remaining_time(partial.moves, 0);
        let set_partial_result = |partial: PartialSolution| {
            let text = move || partial.partial_result(json, start.elapsed().as_secs_f64());
            progress.set_partial_result(move || Some(text()));
        };
        // Before the message: a user who sees it may press Ctrl-C.
        set_partial_result(partial.clone());
        progress.show_message(format!("{} empty squares", partial.empty_squares));
        let mut on_event = |event: SearchEvent| {
            partial.update(&event, self.all);
            set_partial_result(partial.clone());
            progress.set_position(partial.moves_done as u64);
            progress.show_message(partial.progress_message());
        };
        let (solution, seconds) = self.solve_position(session.as_ref(), &mut on_event)?;
        progress.finish();
        if json {
            let mut object = json!({});
            self.add_solution(&mut object, &solution, seconds);
            print_line(object)?;
            return Ok(());
        }
        print_line(format_args!("score {:+}", solution.score))?;
        print_line(format_args!(
            "best {}",
            solution.best_move().map_or("none: the game is over", String::as_str)
        ))?;
        print_line(format_args!("pv {}", solution.pv.join(" ")))?;
        for (mv, score) in &solution.move_scores {
            print_line(format_args!("{mv} {score:+}"))?;
        }
        print_line(format_args!("{} nodes in {seconds:.2} s", solution.nodes))?;
        Ok(())
    }

    /// Solves a position and returns the seconds that it took. `on_event` receives the reports of the solver.
    fn solve_position(
        &self,
        session: &dyn GameSession,
        on_event: &mut (dyn FnMut(SearchEvent) + Send),
    ) -> Result<(Solution, f64), Failure> {
        let start = Instant::now();
        let solution = alfil_engine::solve(session, &self.request(), on_event)?;
        Ok((solution, start.elapsed().as_secs_f64()))
    }

    fn solve_suite(&self, file: &Path) -> CommandResult {
        let mut session = self.position_args.new_session()?;
        let text = read_suite(file, &[FileFormat::Obf], "is a file of Othello problems (OBF)")?;
        let located = |error| Failure::Input(format!("{}: {error}", file.display()));
        let problems = session.parse_problems(text.trim_start_matches('\u{feff}')).map_err(located)?;
        if problems.is_empty() {
            return Err(Failure::Input(format!("{} has no positions", file.display())));
        }
        let last = self.to.unwrap_or(problems.len() as u64);
        if self.from > last || last > problems.len() as u64 {
            let (from, count) = (self.from, problems.len());
            return Err(Failure::Usage(format!(
                "{} has {count} positions; the range {from} to {last} is invalid",
                file.display()
            )));
        }
        let selected = &problems[self.from as usize - 1..last as usize];
        let waivers = parse_waivers(session.as_ref(), &self.position_args.waive)?;
        // A position that cannot be solved is reported before the hours that those before it may take.
        for problem in selected {
            let opened = session.open(&problem.fen, &waivers);
            opened.map_err(|error| error_at_line(file, problem.line, &error.to_string()))?;
            let empty_squares = unsolved(session.as_ref())?.empty_squares;
            check_empty_squares(empty_squares).map_err(|error| error_at_line(file, problem.line, &error))?;
        }
        let (mut totals, start, json) = (Totals::default(), Instant::now(), self.position_args.json);
        let progress = Progress::with_remaining_time(selected.len(), 0);
        progress.set_partial_result(move || Some(format_totals(json, &totals, start, true)));
        for (number, problem) in (self.from..).zip(selected) {
            session.open(&problem.fen, &waivers)?;
            let before = format!("{} passed, {} failed", totals.passed, totals.failed);
            let totals_before = totals;
            let mut position = unsolved(session.as_ref())?;
            let mut on_event = |event: SearchEvent| {
                position.update(&event, self.all);
                let unsolved = position.clone();
                progress.set_partial_result(move || {
                    let text = if json { String::new() } else { format!("position {number}: {unsolved}\n") };
                    Some(text + &format_totals(json, &totals_before, start, true))
                });
                progress
                    .show_message(format!("{before}; position {number}: {}", position.progress_message()));
            };
            let (solution, seconds) = self.solve_position(session.as_ref(), &mut on_event)?;
            totals.nodes += solution.nodes;
            let expected = problem.score.map(|score| if self.wld { score.signum() } else { score });
            match expected {
                None => totals.without_expected += 1,
                Some(expected) if expected == solution.score => totals.passed += 1,
                Some(_) => totals.failed += 1,
            }
            let row = self.format_row(number, &problem.fen, expected, &solution, seconds);
            let totals_now = totals;
            let partial_result = move || Some(format_totals(json, &totals_now, start, true));
            // The exit status is a result too.
            ignore_closed_output(progress.print_row(row, partial_result))?;
            progress.step(format!("{} passed, {} failed", totals.passed, totals.failed));
        }
        progress.finish();
        print_summary(format_totals(json, &totals, start, false))?;
        if totals.failed > 0 { Err(Failure::NegativeResult) } else { Ok(()) }
    }

    /// Adds a solution to a JSON object.
    fn add_solution(&self, object: &mut Value, solution: &Solution, seconds: f64) {
        object["score"] = json!(solution.score);
        object["best"] = json!(solution.best_move());
        object["pv"] = json!(solution.pv);
        object["nodes"] = json!(solution.nodes);
        object["seconds"] = json!(seconds);
        if self.all {
            object["moves"] = partial_solution::json_of_move_scores(&solution.move_scores);
        }
    }

    /// Formats a solved position of the suite.
    fn format_row(
        &self,
        number: u64,
        fen: &str,
        expected: Option<i32>,
        solution: &Solution,
        seconds: f64,
    ) -> String {
        let passed = expected.map(|expected| expected == solution.score);
        if self.position_args.json {
            let mut row = json!({"position": number, "fen": fen, "expected": expected});
            self.add_solution(&mut row, solution, seconds);
            row["passed"] = json!(passed);
            return row.to_string();
        }
        let best = solution.best_move().map_or("-", String::as_str);
        let verdict = match (passed, expected) {
            (Some(true), _) => "ok".to_owned(),
            (_, Some(expected)) => format!("MISMATCH, expected {expected:+}"),
            _ => "no expected score".to_owned(),
        };
        let (score, nodes) = (solution.score, solution.nodes);
        let moves: String =
            solution.move_scores.iter().map(|(mv, score)| format!("  {mv} {score:+}")).collect();
        format!("{number:>3} {score:+3} {best:4} {nodes:>12} nodes {seconds:>8.2} s  {verdict}{moves}")
    }
}

/// Returns what is known of the session's position before the solver starts.
fn unsolved(session: &dyn GameSession) -> Result<PartialSolution, Failure> {
    let appearance = session.appearance();
    let empty_squares = appearance.files * appearance.ranks - session.view().pieces.len();
    Ok(PartialSolution::new(empty_squares, session.legal_moves(None)?.len()))
}

/// The totals of a suite.
#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    passed: u64,
    failed: u64,
    /// The number of positions that were solved and have no expected score; `skipped` in JSON.
    without_expected: u64,
    nodes: u64,
}

/// Formats the totals of a suite that started at `start`.
fn format_totals(json: bool, totals: &Totals, start: Instant, is_interrupted: bool) -> String {
    let Totals { passed, failed, without_expected, nodes } = *totals;
    let seconds = start.elapsed().as_secs_f64();
    if json {
        let mut object = json!({
            "passed": passed, "failed": failed, "skipped": without_expected, "nodes": nodes, "seconds": seconds,
        });
        if is_interrupted {
            object["interrupted"] = json!(true);
        }
        return object.to_string();
    }
    let rate = if seconds > 0.0 { nodes as f64 / seconds / 1e6 } else { 0.0 };
    let without = if without_expected > 0 {
        format!("{without_expected} without an expected score\n")
    } else {
        String::new()
    };
    format!(
        "{nodes} nodes in {seconds:.2} s, {rate:.1} million nodes/s\n{without}{passed} passed, {failed} failed"
    )
}

fn error_at_line(file: &Path, line: usize, error: &str) -> Failure {
    Failure::Input(format!("{}:{line}: {error}", file.display()))
}
