//! `alfil match`: engines against each other.

pub(crate) mod engine_arg;
mod match_args;
mod match_file;
mod match_score;
mod pgn_log;
mod process;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use alfil_matches::EngineMatch;
use alfil_matches::openings::Opening;
use alfil_session::{SessionError, registry};
use clap::Args;
use serde_json::{Value, json};

use crate::CommandResult;
use crate::errors::Failure;
use crate::output::print_line;
use crate::progress::Progress;
use engine_arg::EngineArg;
use match_args::MatchArgs;
use match_file::{MatchFile, MatchHeader};
use match_score::MatchScore;
use pgn_log::PgnLog;

/// Two engines against each other: pairs of games from the same openings with colours exchanged, under our laws.
#[derive(Debug, Args)]
pub(crate) struct Match {
    #[command(flatten)]
    args: MatchArgs,
    /// Games at the same time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    concurrency: u16,
    /// Keep the games in a file, a JSON object a line; a match that was broken off goes on from it.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Go on with the match of a file: it says what is played.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["MatchArgs", "out"])]
    resume: Option<PathBuf>,
    /// Keep the games as PGN, with evaluations and times, each as soon as it is over; with --resume those played before, too.
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Print a JSON object for each game, then one for the result.
    #[arg(long)]
    json: bool,
}

/// A match, ready to be played.
struct MatchRun {
    args: MatchArgs,
    engines: [EngineArg; 2],
    engine_match: EngineMatch,
    score: MatchScore,
    finished_games: BTreeMap<usize, Value>,
    match_file: Option<MatchFile>,
    pgn_log: Option<PgnLog>,
}

impl Match {
    pub(crate) fn run(&self) -> CommandResult {
        let progress = Progress::new(0);
        let table = match &self.resume {
            Some(file) => self.resume_from(file)?,
            None => self.start_new(&progress)?,
        };
        self.play(table, &progress)
    }

    /// A new match.
    fn start_new(&self, progress: &Progress) -> Result<MatchRun, Failure> {
        let plan = self.args.clone();
        let engines = plan.parse_engines()?;
        // Asked before the openings are made, which takes a while.
        plan.build_match(&engines, Vec::new())?;
        let openings = plan.make_openings(progress)?;
        let texts = openings.iter().map(ToString::to_string).collect();
        let bout = plan.build_match(&engines, openings)?;
        let header =
            MatchHeader { version: env!("CARGO_PKG_VERSION").into(), plan: plan.clone(), openings: texts };
        // Of two files both are made or none, so that the same words can be said again.
        let records = self.open_pgn_log(&BTreeMap::new())?;
        let ledger = self.out.as_deref().map(|file| MatchFile::create(file, &header)).transpose();
        let ledger =
            ledger.inspect_err(|_| self.pgn.iter().for_each(|made| drop(std::fs::remove_file(made))))?;
        let score = MatchScore::new(engines.each_ref().map(|spec| spec.name.clone()));
        Ok(MatchRun {
            args: plan,
            engines,
            engine_match: bout,
            score,
            finished_games: BTreeMap::new(),
            match_file: ledger,
            pgn_log: records,
        })
    }

    /// The file of records, if one is asked for, with these games.
    fn open_pgn_log(&self, done: &BTreeMap<usize, Value>) -> anyhow::Result<Option<PgnLog>> {
        let again = self.resume.is_some();
        self.pgn.as_deref().map(|file| PgnLog::open(file, again, done.values())).transpose()
    }

    /// A match that was broken off.
    fn resume_from(&self, file: &Path) -> Result<MatchRun, Failure> {
        let (ledger, header, games) = MatchFile::resume(file)?;
        let MatchHeader { plan, openings, .. } = header;
        let located = |error: String| Failure::Input(format!("{}: {error}", file.display()));
        let mut desk = registry::open(plan.game(), None).map_err(|error| located(error.message))?;
        let openings =
            openings.iter().map(|text| Opening::parse(text, desk.as_mut())).collect::<Result<_, _>>();
        let engines = plan.parse_engines()?;
        let bout = plan.build_match(&engines, openings.map_err(|error| located(error.message))?)?;
        let mut score = MatchScore::new(engines.each_ref().map(|spec| spec.name.clone()));
        for (&number, row) in &games {
            score
                .add_row(number, row)
                .filter(|()| number < bout.games)
                .ok_or_else(|| located(format!("game {} is none of this match", number + 1)))?;
        }
        let records = self.open_pgn_log(&games)?;
        Ok(MatchRun {
            args: plan,
            engines,
            engine_match: bout,
            score,
            finished_games: games,
            match_file: Some(ledger),
            pgn_log: records,
        })
    }

    fn play(&self, table: MatchRun, progress: &Progress) -> CommandResult {
        let MatchRun {
            args: plan,
            engines,
            engine_match: bout,
            mut score,
            finished_games: done,
            match_file: mut ledger,
            pgn_log: mut records,
        } = table;
        progress.add_steps(bout.games - done.len());
        let start = Instant::now();
        let seats = || {
            Ok(engines.each_ref().map(|spec| spec.new_player(plan.game(), plan.ruleset(), plan.timeout())))
        };
        let mut failure = None;
        let mut heard = |played| {
            let row = score.game_row(plan.game(), &played);
            score.add(played.number, played.half_points(), played.termination);
            let written = ledger
                .as_mut()
                .map_or(Ok(()), |ledger| ledger.append_row(&row))
                .and_then(|()| records.as_mut().map_or(Ok(()), |records| records.append_game(&row)))
                .map_err(Failure::from);
            let text = if self.json { row.to_string() } else { score.game_line(&played, &row) };
            let printed = progress.print_line(text);
            let seconds = start.elapsed().as_secs_f64();
            progress.step(match self.json {
                true => json!({"result": score.to_json(plan.game(), seconds)}).to_string(),
                false => score.summary(plan.game(), seconds),
            });
            written.and(printed.map_err(Failure::from)).map_err(|error| {
                failure = Some(error);
                SessionError::new("the match cannot be kept")
            })
        };
        let done = done.into_keys().collect();
        let played = bout.run(&done, usize::from(self.concurrency), &seats, &mut heard);
        progress.finish();
        if let Some(failure) = failure {
            return Err(failure);
        }
        played?;
        let seconds = start.elapsed().as_secs_f64();
        if self.json {
            print_line(json!({"result": score.to_json(plan.game(), seconds)}))?;
        } else {
            print_line(score.summary(plan.game(), seconds))?;
        }
        Ok(())
    }
}
