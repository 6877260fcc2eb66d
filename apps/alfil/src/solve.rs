//! `alfil solve`: exact solution of endgames.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Instant;

use alfil_engine::SearchEvent;
use alfil_session::{FileFormat, GameSession, Solution, SolveRequest};
use clap::Args;
use serde_json::json;

use crate::args::{PositionArgs, check_threads, games_with, parse_waivers, read_file};
use crate::errors::{CommandResult, Failure};
use crate::output::print_line;
use crate::progress::Progress;

/// Solve a position exactly, to the end of the game.
#[derive(Debug, Args)]
#[command(mut_arg("game", |game| game.value_parser(games_with(|info| info.has_solver))))]
pub(crate) struct Solve {
    #[command(flatten)]
    position_args: PositionArgs,
    /// Solve for win, draw or loss only: the score is 1, 0 or -1.
    #[arg(long)]
    wld: bool,
    /// Number of threads.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
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
            Some(file) => {
                check_format(file)?;
                self.solve_suite(file)
            }
            None => self.solve_one(),
        }
    }

    fn request(&self) -> SolveRequest {
        SolveRequest { outcome_only: self.wld, threads: usize::from(self.threads) }
    }

    fn solve_one(&self) -> CommandResult {
        let session = self.position_args.session()?;
        let appearance = session.appearance();
        let empty_squares = appearance.files * appearance.ranks - session.view().pieces.len();
        let (progress, start, json) = (Progress::without_steps(), Instant::now(), self.position_args.json);
        let set_bound = |bound: Option<Bound>| {
            let seconds = move || start.elapsed().as_secs_f64();
            progress.set_partial_result(move || Some(format_bound(json, empty_squares, &bound, seconds())));
        };
        // Before the message: who sees it may press Ctrl-C.
        set_bound(None);
        progress.show_message(format!("{empty_squares} empty squares"));
        let mut on_bound = |bound: Bound| {
            let message = format!("{empty_squares} empty squares: {bound}");
            set_bound(Some(bound));
            progress.show_message(message);
        };
        let (solution, seconds) = self.solve_position(session.as_ref(), &mut on_bound)?;
        progress.finish();
        if self.position_args.json {
            print_line(json!({
                "score": solution.score, "best": solution.best_move(), "pv": solution.pv, "nodes": solution.nodes,
                "seconds": seconds,
            }))?;
            return Ok(());
        }
        print_line(format_args!("score {:+}", solution.score))?;
        print_line(format_args!(
            "best {}",
            solution.best_move().map_or("none: the game is over", String::as_str)
        ))?;
        print_line(format_args!("pv {}", solution.pv.join(" ")))?;
        print_line(format_args!("{} nodes in {seconds:.2} s", solution.nodes))?;
        Ok(())
    }

    /// Solves a position and returns the seconds that it took. `on_bound` receives each improvement.
    fn solve_position(
        &self,
        session: &dyn GameSession,
        on_bound: &mut (dyn FnMut(Bound) + Send),
    ) -> Result<(Solution, f64), Failure> {
        let start = Instant::now();
        let mut on_event = |event: SearchEvent| {
            if let SearchEvent::Info { score, nodes, pv, .. } = event {
                // Search scores are hundredths of a disc; before the end they are lower bounds.
                on_bound(Bound { score: score / 100, best: pv.first().cloned(), nodes });
            }
        };
        let solution = alfil_engine::solve(session, &self.request(), &mut on_event)?;
        Ok((solution, start.elapsed().as_secs_f64()))
    }

    fn solve_suite(&self, file: &Path) -> CommandResult {
        let mut session = self.position_args.new_session()?;
        let text = read_file(file)?;
        let located = |error| Failure::Input(format!("{}: {error}", file.display()));
        let problems = session.parse_problems(&text).map_err(located)?;
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
        let (mut totals, start, json) = (Totals::default(), Instant::now(), self.position_args.json);
        let progress = Progress::new(selected.len());
        let waivers = parse_waivers(session.as_ref(), &self.position_args.waive)?;
        for (number, problem) in (self.from..).zip(selected) {
            let located_error = |error: String| error_at_line(file, problem.line, &error);
            session.open(&problem.fen, &waivers).map_err(|error| located_error(error.to_string()))?;
            let before = format!("{} passed, {} failed", totals.passed, totals.failed);
            let known = totals;
            progress.set_partial_result(move || Some(format_totals(json, &known, start, true)));
            let mut on_bound = |bound: Bound| {
                let message = format!("{before}; position {number}: {bound}");
                progress.set_partial_result(move || {
                    let unsolved = if json { String::new() } else { format!("position {number}: {bound}\n") };
                    Some(unsolved + &format_totals(json, &known, start, true))
                });
                progress.show_message(message);
            };
            let (solution, seconds) = self.solve_position(session.as_ref(), &mut on_bound)?;
            totals.nodes += solution.nodes;
            let expected = problem.score.map(|score| if self.wld { score.signum() } else { score });
            match expected {
                None => totals.skipped += 1,
                Some(expected) if expected == solution.score => totals.passed += 1,
                Some(_) => totals.failed += 1,
            }
            let known = totals;
            progress.print_row(
                self.format_row(number, &problem.fen, expected, &solution, seconds),
                move || Some(format_totals(json, &known, start, true)),
            )?;
            progress.step(format!("{} passed, {} failed", totals.passed, totals.failed));
        }
        progress.finish();
        print_line(format_totals(json, &totals, start, false))?;
        if totals.failed > 0 { Err(Failure::NegativeResult) } else { Ok(()) }
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
            let row = json!({
                "position": number, "fen": fen, "expected": expected, "score": solution.score,
                "best": solution.best_move(), "pv": solution.pv, "nodes": solution.nodes, "seconds": seconds,
                "passed": passed,
            });
            return row.to_string();
        }
        let best = solution.best_move().map_or("-", String::as_str);
        let verdict = match (passed, expected) {
            (Some(true), _) => "ok".to_owned(),
            (_, Some(expected)) => format!("MISMATCH, expected {expected:+}"),
            _ => "no expected score".to_owned(),
        };
        let (score, nodes) = (solution.score, solution.nodes);
        format!("{number:>3} {score:+3} {best:4} {nodes:>12} nodes {seconds:>8.2} s  {verdict}")
    }
}

/// What is known of a position that is not solved yet.
#[derive(Clone, Debug)]
struct Bound {
    /// The least final score of the best move found so far.
    score: i32,
    best: Option<String>,
    nodes: u64,
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let best = self.best.as_deref().unwrap_or("-");
        write!(f, "at least {:+} with {best} after {} nodes", self.score, self.nodes)
    }
}

/// Formats what is known of a position when the solver is interrupted.
fn format_bound(json: bool, empty_squares: usize, bound: &Option<Bound>, seconds: f64) -> String {
    if json {
        let best = bound.as_ref().and_then(|bound| bound.best.clone());
        let object = json!({
            "score": null, "at_least": bound.as_ref().map(|bound| bound.score), "best": best,
            "nodes": bound.as_ref().map(|bound| bound.nodes), "seconds": seconds, "interrupted": true,
        });
        return object.to_string();
    }
    match bound {
        Some(bound) => format!("{bound}, {seconds:.1} s"),
        None => format!("not solved: {empty_squares} empty squares, no bound after {seconds:.1} s"),
    }
}

/// The totals of a suite.
#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    passed: u64,
    failed: u64,
    skipped: u64,
    nodes: u64,
}

/// Formats the totals of a suite that started at `start`.
fn format_totals(json: bool, totals: &Totals, start: Instant, is_interrupted: bool) -> String {
    let Totals { passed, failed, skipped, nodes } = *totals;
    let seconds = start.elapsed().as_secs_f64();
    if json {
        let mut object = json!({
            "passed": passed, "failed": failed, "skipped": skipped, "nodes": nodes, "seconds": seconds,
        });
        if is_interrupted {
            object["interrupted"] = json!(true);
        }
        return object.to_string();
    }
    let rate = if seconds > 0.0 { nodes as f64 / seconds / 1e6 } else { 0.0 };
    let skipped = if skipped > 0 { format!("{skipped} skipped\n") } else { String::new() };
    format!(
        "{nodes} nodes in {seconds:.2} s, {rate:.1} million nodes/s\n{skipped}{passed} passed, {failed} failed"
    )
}

/// Checks that the content of a file of problems is not that of another format.
fn check_format(file: &Path) -> CommandResult {
    let bytes = std::fs::read(file).unwrap_or_default();
    match FileFormat::detect(&bytes) {
        // A file that cannot be read has no format, and its error follows.
        None | Some(FileFormat::Obf) => Ok(()),
        Some(format) => {
            let (file, name) = (file.display(), format.name());
            Err(Failure::Input(format!(
                "{file}: this is {name}; a suite is a file of Othello problems (OBF)"
            )))
        }
    }
}

fn error_at_line(file: &Path, line: usize, error: &str) -> Failure {
    Failure::Input(format!("{}:{line}: {error}", file.display()))
}
