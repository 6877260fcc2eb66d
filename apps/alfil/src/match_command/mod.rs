//! `alfil match`: matches between two engines, and tournaments of more.

pub(crate) mod engine_arg;
pub(crate) mod game_row;
pub(crate) mod match_args;
pub(crate) mod match_file;
mod match_score;
mod pgn_log;
mod tournament_score;

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use alfil_batch::run_file::RunFile;
use alfil_matches::EngineMatch;
use alfil_matches::openings::Opening;
use alfil_session::searcher::check_memory;
use alfil_session::{SessionError, registry};
use clap::{Args, Command, Id};
use serde_json::{Value, json};

use crate::args::THREAD_MIB;
use crate::errors::{CommandResult, Failure, create_error};
use crate::output::{ForceArg, is_same_file, print_line};
use crate::progress::Progress;
use engine_arg::EngineArg;
use match_args::MatchArgs;
use match_file::{MatchHeader, RESUME_HINT};
use pgn_log::PgnLog;
use tournament_score::TournamentScore;

/// Play engines against each other.
///
/// They play pairs of games from the same opening with colours exchanged.
#[derive(Debug, Args)]
pub(crate) struct Match {
    #[command(flatten)]
    args: MatchArgs,
    /// Number of games to play at the same time, each with its own engines.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Save the games in a file, a JSON object per line; --resume continues an interrupted match from it.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Continue the match of a file, with the arguments saved there.
    #[arg(long, value_name = "FILE", conflicts_with_all = arguments_of_a_new_match())]
    resume: Option<PathBuf>,
    /// Save the games as PGN, with evaluations and times, each when it ends; with --resume the earlier games too.
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    #[command(flatten)]
    force_arg: ForceArg,
    /// Write the PGN without comments, evaluations and times.
    #[arg(long, requires = "pgn")]
    no_comments: bool,
    /// Print a JSON object for each game, then one for the result.
    #[arg(long)]
    json: bool,
}

/// Returns the arguments that a resumed match has in its file, and `output`. An error then names those that are given,
/// where it would name all arguments of a group.
fn arguments_of_a_new_match() -> Vec<Id> {
    let command = MatchArgs::augment_args(Command::new(""));
    command.get_arguments().map(|argument| argument.get_id().clone()).chain(["output".into()]).collect()
}

/// A match that is ready to be played.
struct MatchRun {
    args: MatchArgs,
    engines: Vec<EngineArg>,
    engine_match: EngineMatch,
    score: TournamentScore,
    finished_games: BTreeMap<usize, Value>,
    match_file: Option<RunFile>,
    pgn_log: Option<PgnLog>,
}

impl Match {
    pub(crate) fn run(&self) -> CommandResult {
        let progress = Progress::new(0);
        progress.show_message("preparing");
        let match_run = match &self.resume {
            Some(file) => self.resume_from(file, &progress)?,
            None => self.start_new(&progress)?,
        };
        self.play(match_run, &progress)
    }

    /// Starts a new match.
    fn start_new(&self, progress: &Progress) -> Result<MatchRun, Failure> {
        let args = self.args.clone();
        let engines = args.parse_engines()?;
        if self.output.as_ref().zip(self.pgn.as_ref()).is_some_and(|(output, pgn)| is_same_file(output, pgn))
        {
            return Err(Failure::Usage("--output and --pgn are the same file".into()));
        }
        // Checks the arguments before the openings are generated, which is slow.
        args.sprt()?;
        self.check_memory(&engines)?;
        args.build_match(&engines, Vec::new())?;
        for (path, hint) in [(&self.output, RESUME_HINT), (&self.pgn, pgn_log::RESUME_HINT)] {
            let Some(path) = path.as_deref() else { continue };
            if path.is_file() && !self.force_arg.force {
                return Err(create_error(path, hint, ErrorKind::AlreadyExists.into()).into());
            }
            self.force_arg.check_new_file(path)?;
        }
        if let Some(engine) = engines.iter().find(|engine| engine.is_limited_by_timeout_alone()) {
            return Err(Failure::Usage(format!(
                "engine {}: only --timeout would end its searches; give tc, movetime, nodes or depth",
                engine.name
            )));
        }
        let openings = args.make_openings(progress)?;
        let texts = openings.iter().map(ToString::to_string).collect();
        let engine_match = args.build_match(&engines, openings)?;
        let header = MatchHeader {
            version: env!("CARGO_PKG_VERSION").into(),
            args: args.clone(),
            openings: texts,
            networks: Some(args.networks(&engines)?),
        };
        if self.force_arg.force {
            [&self.output, &self.pgn].into_iter().flatten().try_for_each(|path| match_file::remove(path))?;
        }
        // Either both files are created or none, so that the same command line can be repeated.
        let pgn_log = self.open_pgn_log(&BTreeMap::new())?;
        let match_file = self.output.as_deref().map(|file| match_file::create(file, &header)).transpose();
        let match_file =
            match_file.inspect_err(|_| self.pgn.iter().for_each(|path| drop(std::fs::remove_file(path))))?;
        let score = args.new_score(&engines)?;
        Ok(MatchRun {
            args,
            engines,
            engine_match,
            score,
            finished_games: BTreeMap::new(),
            match_file,
            pgn_log,
        })
    }

    /// Opens the PGN file, if the arguments name one, and writes the finished games to it.
    fn open_pgn_log(&self, finished: &BTreeMap<usize, Value>) -> anyhow::Result<Option<PgnLog>> {
        let resumes = self.resume.is_some();
        self.pgn
            .as_deref()
            .map(|file| PgnLog::open(file, resumes, !self.no_comments, finished.values()))
            .transpose()
    }

    /// Continues an interrupted match.
    fn resume_from(&self, file: &Path, progress: &Progress) -> Result<MatchRun, Failure> {
        let (match_file, header, games) = match_file::resume(file)?;
        let MatchHeader { args, openings, networks, .. } = header;
        let located = |error: String| Failure::Input(format!("{}: {error}", file.display()));
        let mut session = registry::open(args.game(), None).map_err(|error| located(error.message))?;
        let openings =
            openings.iter().map(|text| Opening::parse(text, session.as_mut())).collect::<Result<_, _>>();
        let engines = args.parse_engines()?;
        self.check_memory(&engines)?;
        let engine_match = args.build_match(&engines, openings.map_err(|error| located(error.message))?)?;
        let networks_now = args.networks(&engines)?;
        let networks = networks.iter().flatten().zip(&networks_now).zip(&engines);
        for ((before, now), engine) in networks.filter(|((before, now), _)| before != now) {
            let [before, now] = [before, now].map(|one| one.as_deref().unwrap_or("hand-made terms"));
            progress.print_note(format_args!(
                "alfil: {} evaluates by {now}, and in the games before by {before}",
                engine.name
            ));
        }
        let mut score = args.new_score(&engines)?;
        for (&number, row) in &games {
            score
                .add_row(number, row)
                .filter(|()| number < engine_match.game_count())
                .ok_or_else(|| located(format!("game {} does not belong to this match", number + 1)))?;
        }
        if self.force_arg.force {
            self.pgn.as_deref().map_or(Ok(()), match_file::remove)?;
        }
        let pgn_log = self.open_pgn_log(&games)?;
        Ok(MatchRun {
            args,
            engines,
            engine_match,
            score,
            finished_games: games,
            match_file: Some(match_file),
            pgn_log,
        })
    }

    /// Checks that the games played at the same time fit into memory.
    fn check_memory(&self, engines: &[EngineArg]) -> CommandResult {
        let players: usize = engines.iter().map(EngineArg::memory_mib).sum();
        let mebibytes = usize::from(self.threads) * (THREAD_MIB + players);
        check_memory(mebibytes).map_err(|_| {
            let threads = self.threads;
            Failure::Input(format!(
                "not enough memory for this match, which takes up to {mebibytes} MiB with --threads {threads}; \
                 choose fewer games at a time, or less hash or fewer threads of the engines"
            ))
        })
    }

    fn play(&self, match_run: MatchRun, progress: &Progress) -> CommandResult {
        let MatchRun {
            args,
            engines,
            engine_match,
            mut score,
            finished_games: finished,
            mut match_file,
            mut pgn_log,
        } = match_run;
        let games = engine_match.game_count();
        progress.add_steps(games - finished.len());
        progress.show_message(format!("{} of {games} games", finished.len()));
        let start = Instant::now();
        let game = registry::info(args.game())?;
        let new_player = |engine: &EngineArg| engine.new_player(game, args.ruleset(), args.timeout());
        let new_players = || Ok(engines.iter().map(new_player).collect());
        // The texts that an interruption prints: the score of the finished games.
        let partial_result = |score_now: TournamentScore| {
            let (json, name, start) = (self.json, args.game().to_owned(), start);
            move || {
                let seconds = start.elapsed().as_secs_f64();
                Some(match json {
                    true => json!({"result": score_now.to_json(&name, seconds, true)}).to_string(),
                    false => score_now.summary(&name, seconds),
                })
            }
        };
        if !finished.is_empty() {
            progress.set_partial_result(partial_result(score.clone()));
        }
        let mut failure = None;
        // The file of a match may already decide the sequential test.
        let is_decided = score.is_decided();
        let mut on_game = |played| {
            let row = game_row::game_row(args.game(), score.names(), &played);
            score.add(&played);
            let written = match_file
                .as_mut()
                .map_or(Ok(()), |match_file| match_file.append(&row).map_err(anyhow::Error::from))
                .and_then(|()| pgn_log.as_mut().map_or(Ok(()), |pgn_log| pgn_log.append_game(&row)))
                .map_err(Failure::from);
            let text = if self.json { row.to_string() } else { game_row::game_line(&played, &row) };
            // What an interruption from now on prints: the score with this game.
            let printed = progress.print_row(text, partial_result(score.clone()));
            progress.step(score.summary_line());
            let flow = if score.is_decided() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
            written.and(printed.map_err(Failure::from)).map(|()| flow).map_err(|error| {
                // The match ends with this error of the session, and the command with the one that was kept.
                failure = Some(error);
                SessionError::new("cannot save or print a game of the match")
            })
        };
        let finished = finished.into_keys().collect();
        let played = match is_decided {
            true => Ok(()),
            false => engine_match.run(&finished, usize::from(self.threads), &new_players, &mut on_game),
        };
        progress.finish();
        if let Some(failure) = failure {
            return Err(failure);
        }
        played?;
        let seconds = start.elapsed().as_secs_f64();
        if self.json {
            print_line(json!({"result": score.to_json(args.game(), seconds, false)}))?;
        } else {
            print_line(score.summary(args.game(), seconds))?;
        }
        Ok(())
    }
}
