//! `alfil solve`: exact solution of endgames.

use std::path::{Path, PathBuf};
use std::time::Instant;

use alfil_engine::SearchEvent;
use alfil_session::{GameSession, Solution, SolveRequest};
use clap::Args;
use serde_json::json;

use crate::args::{PositionArgs, parse_waivers, read_file};
use crate::errors::{CommandResult, Failure};
use crate::output::print_line;
use crate::progress::Progress;

/// Solve a position exactly, to the end of the game.
#[derive(Debug, Args)]
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
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "moves"])]
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
        match &self.suite {
            Some(file) => self.solve_suite(file),
            None => self.solve_one(),
        }
    }

    fn request(&self) -> SolveRequest {
        SolveRequest { outcome_only: self.wld, threads: usize::from(self.threads) }
    }

    fn solve_one(&self) -> CommandResult {
        let session = self.position_args.session()?;
        let progress = Progress::new(1);
        let (solution, seconds) = self.solve_position(session.as_ref(), &progress, "")?;
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

    /// Solves a position; `prefix` precedes the partial result of this position.
    fn solve_position(
        &self,
        session: &dyn GameSession,
        progress: &Progress,
        prefix: &str,
    ) -> Result<(Solution, f64), Failure> {
        let start = Instant::now();
        let mut on_event = |event: SearchEvent| {
            if let SearchEvent::Info { score, nodes, seconds, pv, .. } = event {
                // Search scores are hundredths of a disc; before the end they are lower bounds.
                let best = pv.first().map_or("-", String::as_str);
                progress.update(format!(
                    "{prefix}at least {:+} with {best} after {nodes} nodes, {seconds:.1} s",
                    score / 100
                ));
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
        let (mut passed, mut failed, mut unscored) = (0_u64, 0_u64, 0_u64);
        let (mut nodes, start) = (0, Instant::now());
        let progress = Progress::new(selected.len());
        let waivers = parse_waivers(session.as_ref(), &self.position_args.waive)?;
        for (number, problem) in (self.from..).zip(selected) {
            let located_error = |error: String| error_at_line(file, problem.line, &error);
            session.open(&problem.fen, &waivers).map_err(|error| located_error(error.to_string()))?;
            let prefix = format!("{passed} passed, {failed} failed; position {number}: ");
            let (solution, seconds) = self.solve_position(session.as_ref(), &progress, &prefix)?;
            nodes += solution.nodes;
            let expected = problem.score.map(|score| if self.wld { score.signum() } else { score });
            match expected {
                None => unscored += 1,
                Some(expected) if expected == solution.score => passed += 1,
                Some(_) => failed += 1,
            }
            self.print_row(number, &problem.fen, expected, &solution, seconds)?;
            progress.step(format!("{passed} passed, {failed} failed"));
        }
        progress.finish();
        let seconds = start.elapsed().as_secs_f64();
        if self.position_args.json {
            print_line(json!({
                "passed": passed, "failed": failed, "skipped": unscored, "nodes": nodes, "seconds": seconds,
            }))?;
        } else {
            let rate = if seconds > 0.0 { nodes as f64 / seconds / 1e6 } else { 0.0 };
            print_line(format_args!("{nodes} nodes in {seconds:.2} s, {rate:.1} million nodes/s"))?;
            if unscored > 0 {
                print_line(format_args!("{unscored} skipped"))?;
            }
            print_line(format_args!("{passed} passed, {failed} failed"))?;
        }
        if failed > 0 { Err(Failure::NegativeResult) } else { Ok(()) }
    }

    fn print_row(
        &self,
        number: u64,
        fen: &str,
        expected: Option<i32>,
        solution: &Solution,
        seconds: f64,
    ) -> Result<(), Failure> {
        let passed = expected.map(|expected| expected == solution.score);
        if self.position_args.json {
            print_line(json!({
                "position": number, "fen": fen, "expected": expected, "score": solution.score,
                "best": solution.best_move(), "pv": solution.pv, "nodes": solution.nodes, "seconds": seconds,
                "passed": passed,
            }))?;
            return Ok(());
        }
        let best = solution.best_move().map_or("-", String::as_str);
        let verdict = match (passed, expected) {
            (Some(true), _) => "ok".to_owned(),
            (_, Some(expected)) => format!("MISMATCH, expected {expected:+}"),
            _ => "no expected score".to_owned(),
        };
        let (score, nodes) = (solution.score, solution.nodes);
        print_line(format_args!(
            "{number:>3} {score:+3} {best:4} {nodes:>12} nodes {seconds:>8.2} s  {verdict}"
        ))?;
        Ok(())
    }
}

fn error_at_line(file: &Path, line: usize, error: &str) -> Failure {
    Failure::Input(format!("{}:{line}: {error}", file.display()))
}
