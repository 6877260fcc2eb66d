//! `alfil solve`: the end of a game, played out exactly.

use std::path::{Path, PathBuf};
use std::time::Instant;

use alfil_hall::{Desk, SolveAsk, Solved, Thought};
use clap::Args;
use serde_json::json;

use crate::Done;
use crate::ask::{Place, read, waivers};
use crate::errors::Failure;
use crate::output::line;
use crate::progress::Progress;

/// Play a position out to the end, exactly.
#[derive(Debug, Args)]
pub(crate) struct Solve {
    #[command(flatten)]
    place: Place,
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
    pub(crate) fn run(&self) -> Done {
        match &self.suite {
            Some(file) => self.suite(file),
            None => self.one(),
        }
    }

    fn ask(&self) -> SolveAsk {
        SolveAsk { outcome: self.wld, threads: usize::from(self.threads) }
    }

    fn one(&self) -> Done {
        let desk = self.place.desk()?;
        let progress = Progress::new(1);
        let (solved, seconds) = self.solved(desk.as_ref(), &progress, "")?;
        progress.finish();
        if self.place.json {
            line(json!({
                "score": solved.score, "best": solved.best, "pv": solved.line, "nodes": solved.nodes,
                "seconds": seconds,
            }))?;
            return Ok(());
        }
        line(format_args!("score {:+}", solved.score))?;
        line(format_args!("best {}", solved.best.as_deref().unwrap_or("none: the game is over")))?;
        line(format_args!("pv {}", solved.line.join(" ")))?;
        line(format_args!("{} nodes in {seconds:.2} s", solved.nodes))?;
        Ok(())
    }

    /// Solves with what is known of this position after `known` of those before it.
    fn solved(&self, desk: &dyn Desk, progress: &Progress, known: &str) -> Result<(Solved, f64), Failure> {
        let start = Instant::now();
        let mut hear = |thought: Thought| {
            if let Thought::Info { score, nodes, seconds, line, .. } = thought {
                // Scores come in hundredths of a disc; on the way they are bounds.
                let best = line.first().map_or("-", String::as_str);
                progress.tell(format!(
                    "{known}at least {:+} with {best} after {nodes} nodes, {seconds:.1} s",
                    score / 100
                ));
            }
        };
        let solved = desk.solve(&self.ask(), &mut hear)?;
        Ok((solved, start.elapsed().as_secs_f64()))
    }

    fn suite(&self, file: &Path) -> Done {
        let mut desk = self.place.bare_desk()?;
        let text = read(file)?;
        let located = |error| Failure::Input(format!("{}: {error}", file.display()));
        let problems = desk.problems(&text).map_err(located)?;
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
        let waivers = waivers(desk.as_ref(), &self.place.waive)?;
        for (number, problem) in (self.from..).zip(wanted) {
            let place = |error: String| located_line(file, problem.line, &error);
            desk.open(&problem.fen, &waivers).map_err(|error| place(error.to_string()))?;
            let known = format!("{passed} passed, {failed} failed; position {number}: ");
            let (solved, seconds) = self.solved(desk.as_ref(), &progress, &known)?;
            nodes += solved.nodes;
            let expected = problem.score.map(|score| if self.wld { score.signum() } else { score });
            match expected {
                None => untold += 1,
                Some(expected) if expected == solved.score => passed += 1,
                Some(_) => failed += 1,
            }
            self.row(number, &problem.fen, expected, &solved, seconds)?;
            progress.step(format!("{passed} passed, {failed} failed"));
        }
        progress.finish();
        let seconds = start.elapsed().as_secs_f64();
        if self.place.json {
            line(json!({
                "passed": passed, "failed": failed, "skipped": untold, "nodes": nodes, "seconds": seconds,
            }))?;
        } else {
            let rate = if seconds > 0.0 { nodes as f64 / seconds / 1e6 } else { 0.0 };
            line(format_args!("{nodes} nodes in {seconds:.2} s, {rate:.1} million nodes/s"))?;
            if untold > 0 {
                line(format_args!("{untold} skipped"))?;
            }
            line(format_args!("{passed} passed, {failed} failed"))?;
        }
        if failed > 0 { Err(Failure::No) } else { Ok(()) }
    }

    fn row(
        &self,
        number: u64,
        fen: &str,
        expected: Option<i32>,
        solved: &Solved,
        seconds: f64,
    ) -> Result<(), Failure> {
        let passed = expected.map(|expected| expected == solved.score);
        if self.place.json {
            line(json!({
                "position": number, "fen": fen, "expected": expected, "score": solved.score,
                "best": solved.best, "pv": solved.line, "nodes": solved.nodes, "seconds": seconds,
                "passed": passed,
            }))?;
            return Ok(());
        }
        let best = solved.best.as_deref().unwrap_or("-");
        let verdict = match (passed, expected) {
            (Some(true), _) => "ok".to_owned(),
            (_, Some(expected)) => format!("MISMATCH, expected {expected:+}"),
            _ => "no score to compare with".to_owned(),
        };
        let (score, nodes) = (solved.score, solved.nodes);
        line(format_args!("{number:>3} {score:+3} {best:4} {nodes:>12} nodes {seconds:>8.2} s  {verdict}"))?;
        Ok(())
    }
}

fn located_line(file: &Path, line: usize, error: &str) -> Failure {
    Failure::Input(format!("{}:{line}: {error}", file.display()))
}
