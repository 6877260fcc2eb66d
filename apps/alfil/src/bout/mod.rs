//! `alfil match`: engines against each other.

mod ledger;
mod plan;
mod process;
mod records;
mod score;
pub(crate) mod spec;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use alfil_hall::bout::Bout;
use alfil_hall::bout::openings::Opening;
use alfil_hall::{DeskError, registry};
use clap::Args;
use serde_json::{Value, json};

use crate::Done;
use crate::errors::Failure;
use crate::output::line;
use crate::progress::Progress;
use ledger::{Header, Ledger};
use plan::Plan;
use records::Records;
use score::Score;
use spec::Spec;

/// Two engines against each other: pairs of games from the same openings with colours exchanged, under our laws.
#[derive(Debug, Args)]
pub(crate) struct Match {
    #[command(flatten)]
    plan: Plan,
    /// Games at the same time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    concurrency: u16,
    /// Keep the games in a file, a JSON object a line; a match that was broken off goes on from it.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Go on with the match of a file: it says what is played.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["Plan", "out"])]
    resume: Option<PathBuf>,
    /// Keep the games as PGN, with evaluations and times, each as soon as it is over; with --resume those played before, too.
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Print a JSON object for each game, then one for the result.
    #[arg(long)]
    json: bool,
}

/// A match, ready to be played.
struct Table {
    plan: Plan,
    engines: [Spec; 2],
    bout: Bout,
    score: Score,
    done: BTreeMap<usize, Value>,
    ledger: Option<Ledger>,
    records: Option<Records>,
}

impl Match {
    pub(crate) fn run(&self) -> Done {
        let progress = Progress::new(0);
        let table = match &self.resume {
            Some(file) => self.resumed(file)?,
            None => self.begun(&progress)?,
        };
        self.play(table, &progress)
    }

    /// A new match.
    fn begun(&self, progress: &Progress) -> Result<Table, Failure> {
        let plan = self.plan.clone();
        let engines = plan.engines()?;
        // Asked before the openings are made, which takes a while.
        plan.bout(&engines, Vec::new())?;
        let openings = plan.make_openings(progress)?;
        let texts = openings.iter().map(ToString::to_string).collect();
        let bout = plan.bout(&engines, openings)?;
        let header =
            Header { version: env!("CARGO_PKG_VERSION").into(), plan: plan.clone(), openings: texts };
        // Of two files both are made or none, so that the same words can be said again.
        let records = self.records(&BTreeMap::new())?;
        let ledger = self.out.as_deref().map(|file| Ledger::create(file, &header)).transpose();
        let ledger =
            ledger.inspect_err(|_| self.pgn.iter().for_each(|made| drop(std::fs::remove_file(made))))?;
        let score = Score::new(engines.each_ref().map(|spec| spec.name.clone()));
        Ok(Table { plan, engines, bout, score, done: BTreeMap::new(), ledger, records })
    }

    /// The file of records, if one is asked for, with these games.
    fn records(&self, done: &BTreeMap<usize, Value>) -> anyhow::Result<Option<Records>> {
        let again = self.resume.is_some();
        self.pgn.as_deref().map(|file| Records::open(file, again, done.values())).transpose()
    }

    /// A match that was broken off.
    fn resumed(&self, file: &Path) -> Result<Table, Failure> {
        let (ledger, header, games) = Ledger::resume(file)?;
        let Header { plan, openings, .. } = header;
        let located = |error: String| Failure::Input(format!("{}: {error}", file.display()));
        let mut desk = registry::open(plan.game(), None).map_err(|error| located(error.words))?;
        let openings =
            openings.iter().map(|text| Opening::read(text, desk.as_mut())).collect::<Result<_, _>>();
        let engines = plan.engines()?;
        let bout = plan.bout(&engines, openings.map_err(|error| located(error.words))?)?;
        let mut score = Score::new(engines.each_ref().map(|spec| spec.name.clone()));
        for (&number, row) in &games {
            score
                .add_row(number, row)
                .filter(|()| number < bout.games)
                .ok_or_else(|| located(format!("game {} is none of this match", number + 1)))?;
        }
        let records = self.records(&games)?;
        Ok(Table { plan, engines, bout, score, done: games, ledger: Some(ledger), records })
    }

    fn play(&self, table: Table, progress: &Progress) -> Done {
        let Table { plan, engines, bout, mut score, done, mut ledger, mut records } = table;
        progress.lengthen(bout.games - done.len());
        let start = Instant::now();
        let seats =
            || Ok(engines.each_ref().map(|spec| spec.player(plan.game(), plan.book(), plan.patience())));
        let mut failure = None;
        let mut heard = |played| {
            let row = score.row(plan.game(), &played);
            score.add(played.number, played.halves(), played.how);
            let written = ledger
                .as_mut()
                .map_or(Ok(()), |ledger| ledger.add(&row))
                .and_then(|()| records.as_mut().map_or(Ok(()), |records| records.add(&row)))
                .map_err(Failure::from);
            let text = if self.json { row.to_string() } else { score.line(&played, &row) };
            let printed = progress.line(text);
            let seconds = start.elapsed().as_secs_f64();
            progress.step(match self.json {
                true => json!({"result": score.data(plan.game(), seconds)}).to_string(),
                false => score.long(plan.game(), seconds),
            });
            written.and(printed.map_err(Failure::from)).map_err(|error| {
                failure = Some(error);
                DeskError::new("the match cannot be kept")
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
            line(json!({"result": score.data(plan.game(), seconds)}))?;
        } else {
            line(score.long(plan.game(), seconds))?;
        }
        Ok(())
    }
}
