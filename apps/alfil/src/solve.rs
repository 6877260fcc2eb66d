//! `alfil solve`: the end of a game, played out exactly.

use std::path::{Path, PathBuf};
use std::time::Instant;

use alfil_engine::SearchEvent;
use alfil_session::{GameSession, Solution, SolveRequest};
use clap::Args;
use serde_json::json;

use crate::CommandResult;
use crate::args::{PositionArgs, parse_waivers, read_file};
use crate::errors::Failure;
use crate::output::print_line;
use crate::progress::Progress;

/// Play a position out to the end, exactly.
#[derive(Debug, Args)]
pub(crate) struct Solve {
    #[command(flatten)]
    position_args: PositionArgs,
    /// Only who wins, or that nobody does: the score is then 1, 0 or -1.
    #[arg(long)]
    wld: bool,
    /// Threads.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Solve every position of a file (OBF) and compare with the scores it tells.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "moves"])]
    suite: Option<PathBuf>,
    /// The first position of the suite to solve, counted from 1.
    #[arg(long, value_name = "A", requires = "suite", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    from: u64,
    /// The last one.
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
        let desk = self.position_args.session()?;
        let progress = Progress::new(1);
        let (solved, seconds) = self.solve_position(desk.as_ref(), &progress, "")?;
        progress.finish();
        if self.position_args.json {
            print_line(json!({
                "score": solved.score, "best": solved.best_move, "pv": solved.pv, "nodes": solved.nodes,
                "seconds": seconds,
            }))?;
            return Ok(());
        }
        print_line(format_args!("score {:+}", solved.score))?;
        print_line(format_args!("best {}", solved.best_move.as_deref().unwrap_or("none: the game is over")))?;
        print_line(format_args!("pv {}", solved.pv.join(" ")))?;
        print_line(format_args!("{} nodes in {seconds:.2} s", solved.nodes))?;
        Ok(())
    }

    /// Solves with what is known of this position after `known` of those before it.
    fn solve_position(
        &self,
        desk: &dyn GameSession,
        progress: &Progress,
        known: &str,
    ) -> Result<(Solution, f64), Failure> {
        let start = Instant::now();
        let mut hear = |thought: SearchEvent| {
            if let SearchEvent::Info { score, nodes, seconds, pv: line, .. } = thought {
                // Scores come in hundredths of a disc; on the way they are bounds.
                let best = line.first().map_or("-", String::as_str);
                progress.update(format!(
                    "{known}at least {:+} with {best} after {nodes} nodes, {seconds:.1} s",
                    score / 100
                ));
            }
        };
        let solved = alfil_engine::solve(desk, &self.request(), &mut hear)?;
        Ok((solved, start.elapsed().as_secs_f64()))
    }

    fn solve_suite(&self, file: &Path) -> CommandResult {
        let mut desk = self.position_args.new_session()?;
        let text = read_file(file)?;
        let located = |error| Failure::Input(format!("{}: {error}", file.display()));
        let problems = desk.parse_problems(&text).map_err(located)?;
        if problems.is_empty() {
            return Err(Failure::Input(format!("{} holds no position to solve", file.display())));
        }
        let last = self.to.unwrap_or(problems.len() as u64);
        if self.from > last || last > problems.len() as u64 {
            let (from, count) = (self.from, problems.len());
            return Err(Failure::Usage(format!(
                "{} has {count} positions: there are none from {from} to {last}",
                file.display()
            )));
        }
        let wanted = &problems[self.from as usize - 1..last as usize];
        let (mut passed, mut failed, mut untold) = (0_u64, 0_u64, 0_u64);
        let (mut nodes, start) = (0, Instant::now());
        let progress = Progress::new(wanted.len());
        let waivers = parse_waivers(desk.as_ref(), &self.position_args.waive)?;
        for (number, problem) in (self.from..).zip(wanted) {
            let place = |error: String| error_at_line(file, problem.line, &error);
            desk.open(&problem.fen, &waivers).map_err(|error| place(error.to_string()))?;
            let known = format!("{passed} passed, {failed} failed; position {number}: ");
            let (solved, seconds) = self.solve_position(desk.as_ref(), &progress, &known)?;
            nodes += solved.nodes;
            let expected = problem.score.map(|score| if self.wld { score.signum() } else { score });
            match expected {
                None => untold += 1,
                Some(expected) if expected == solved.score => passed += 1,
                Some(_) => failed += 1,
            }
            self.print_row(number, &problem.fen, expected, &solved, seconds)?;
            progress.step(format!("{passed} passed, {failed} failed"));
        }
        progress.finish();
        let seconds = start.elapsed().as_secs_f64();
        if self.position_args.json {
            print_line(json!({
                "passed": passed, "failed": failed, "skipped": untold, "nodes": nodes, "seconds": seconds,
            }))?;
        } else {
            let rate = if seconds > 0.0 { nodes as f64 / seconds / 1e6 } else { 0.0 };
            print_line(format_args!("{nodes} nodes in {seconds:.2} s, {rate:.1} million nodes/s"))?;
            if untold > 0 {
                print_line(format_args!("{untold} skipped"))?;
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
        solved: &Solution,
        seconds: f64,
    ) -> Result<(), Failure> {
        let passed = expected.map(|expected| expected == solved.score);
        if self.position_args.json {
            print_line(json!({
                "position": number, "fen": fen, "expected": expected, "score": solved.score,
                "best": solved.best_move, "pv": solved.pv, "nodes": solved.nodes, "seconds": seconds,
                "passed": passed,
            }))?;
            return Ok(());
        }
        let best = solved.best_move.as_deref().unwrap_or("-");
        let verdict = match (passed, expected) {
            (Some(true), _) => "ok".to_owned(),
            (_, Some(expected)) => format!("MISMATCH, expected {expected:+}"),
            _ => "no score to compare with".to_owned(),
        };
        let (score, nodes) = (solved.score, solved.nodes);
        print_line(format_args!(
            "{number:>3} {score:+3} {best:4} {nodes:>12} nodes {seconds:>8.2} s  {verdict}"
        ))?;
        Ok(())
    }
}

fn error_at_line(file: &Path, line: usize, error: &str) -> Failure {
    Failure::Input(format!("{}:{line}: {error}", file.display()))
}
