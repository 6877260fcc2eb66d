//! The arguments of a match, which a match file stores to resume the match.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use alfil_matches::game::{MatchRules, ScoreAdjudication};
use alfil_matches::openings;
use alfil_matches::openings::{Opening, OpeningGenerator};
use alfil_matches::sprt::Sprt;
use alfil_matches::{EngineMatch, PlayerLimits, gauntlet, round_robin};
use alfil_session::registry::{self, Registry};
use anyhow::Context;
use clap::builder::ArgPredicate;
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};

use super::engine_arg::{self, EngineArg};
use super::tournament_score::TournamentScore;
use crate::errors::Failure;
use crate::progress::Progress;
use crate::source_args::plural;

/// The plies that are played of each game of a PGN file of openings.
const DEFAULT_PGN_PLIES: usize = 16;

/// The maximum number of engines in a tournament.
const MAX_ENGINES: usize = 64;

/// Which engines of a tournament meet.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Tournament {
    /// Each engine meets all others
    #[serde(rename = "roundrobin")]
    #[value(name = "roundrobin")]
    RoundRobin,
    /// The first engine meets all others
    Gauntlet,
}

/// The arguments that define a match.
#[derive(Args, Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(crate) struct MatchArgs {
    /// The game.
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(registry::games()), required_unless_present = "resume")]
    game: Option<String>,
    /// An engine, given twice or more: `nodes=5000` for the built-in one (also level, board, hash, threads, eval=FILE),
    /// or `cmd='PROGRAM ARGUMENTS' proto=uci` with ranks=0-9|1-10, option.NAME=VALUE, send='LINE'; for both name=NAME
    /// and tc, movetime, nodes, softnodes or depth. Paths are written with `/`, on Windows too.
    #[arg(long = "engine", value_name = "ENGINE", required_unless_present = "resume")]
    engines: Vec<String>,
    /// Let more than two engines meet: each one all others, or the first one all others.
    #[arg(long, conflicts_with = "sprt")]
    #[serde(default)]
    tournament: Option<Tournament>,
    /// Number of games between any two engines, played in pairs with reversed colours; with --sprt the maximum.
    #[arg(long, value_name = "N", default_value_t = 100, default_value_if("sprt", ArgPredicate::IsPresent, "10000"),
        value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    games: u64,
    /// End the match when a sequential test has decided between two differences in normalised Elo; alpha and beta are
    /// the probabilities of a wrong decision.
    #[arg(long, value_name = "elo0=A,elo1=B[,alpha=P,beta=P]")]
    #[serde(default)]
    sprt: Option<String>,
    /// Clock of each game: [MOVES/]TIME[+SECONDS], such as 10+0.1, 5:00+3 or 40/60.
    #[arg(long, value_name = "TIME")]
    tc: Option<String>,
    /// Milliseconds per move.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Nodes per move.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Nodes per move after which no further iteration begins; only for the built-in engine.
    #[arg(long = "softnodes", value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    #[serde(default)]
    soft_nodes: Option<u64>,
    /// Search depth in plies.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// File of openings: games of any format, of which the first plies are played; or one per line: a position (FEN or
    /// EPD) or `startpos`, then `moves` and moves; or moves alone.
    #[arg(long, value_name = "FILE", conflicts_with = "balance")]
    openings: Option<PathBuf>,
    /// Plies of an opening: random plies if there is no file, and plies of the games of a file of games (16 by
    /// default).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=100))]
    plies: Option<u64>,
    /// Largest score of a short search after a generated opening, in centipawns, or the smallest and the largest:
    /// 90..150.
    #[arg(long, value_name = "[A..]B")]
    balance: Option<String>,
    /// Seed of the generated openings.
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "openings")]
    seed: u64,
    /// The ruleset.
    #[arg(long, value_name = "RULESET", value_parser = crate::args::rulesets())]
    rules: Option<String>,
    /// Adjudicate a win when both engines have reported a score of at least SCORE centipawns for the same side for this
    /// number of moves.
    #[arg(long, value_name = "MOVES:SCORE")]
    win: Option<String>,
    /// Adjudicate a draw when, from this ply on, both engines have reported no score above SCORE centipawns for this
    /// number of moves.
    #[arg(long, value_name = "PLY:MOVES:SCORE")]
    draw: Option<String>,
    /// Let the solver decide the game from this number of empty squares on (Othello only).
    #[arg(long, value_name = "EMPTIES", value_parser = clap::value_parser!(u64).range(1..=24))]
    solve: Option<u64>,
    /// Length in plies at which a game is a draw.
    #[arg(long, value_name = "PLIES", default_value_t = 600,
        value_parser = clap::value_parser!(u64).range(1..))]
    #[serde(alias = "longest")]
    max_plies: u64,
    /// Milliseconds by which a move may exceed its time.
    #[arg(long, value_name = "MS", default_value_t = 50)]
    margin: u64,
    /// Seconds that an engine may take to start, to answer a stop, and to move without a clock.
    #[arg(long, value_name = "SECONDS", default_value_t = 60,
        value_parser = clap::value_parser!(u64).range(1..=86_400))]
    #[serde(alias = "patience")]
    timeout: u64,
}

impl MatchArgs {
    /// Returns the name of the game.
    pub(crate) fn game(&self) -> &str {
        self.game.as_deref().unwrap_or_default()
    }

    /// Returns the ruleset, if one is given.
    pub(crate) fn ruleset(&self) -> Option<&str> {
        self.rules.as_deref()
    }

    /// Returns the sequential test, if there is one.
    ///
    /// # Errors
    /// If its text is invalid.
    pub(crate) fn sprt(&self) -> Result<Option<Sprt>, Failure> {
        let parse = |text: &String| text.parse().map_err(|error| Failure::Usage(format!("--sprt: {error}")));
        self.sprt.as_ref().map(parse).transpose()
    }

    /// Returns the timeout of an engine.
    pub(crate) fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout)
    }

    /// Parses the engines and makes their names differ.
    ///
    /// # Errors
    /// If there are not two engines, or too many, or an engine argument is invalid.
    pub(crate) fn parse_engines(&self) -> Result<Vec<EngineArg>, Failure> {
        let usage = |expected: &str| {
            let found = match self.engines.len() {
                0 => "none".to_owned(),
                1 => "it once".to_owned(),
                count => format!("it {count} times"),
            };
            Failure::Usage(format!("{expected}, found {found}"))
        };
        match (self.tournament, self.engines.len()) {
            (None, 2) | (Some(_), 2..=MAX_ENGINES) => {}
            (None, 3..) => {
                return Err(usage(
                    "a match has two engines: expected --engine twice (or --tournament roundrobin or gauntlet)",
                ));
            }
            (None, _) => return Err(usage("a match has two engines: expected --engine twice")),
            (Some(_), _) => {
                return Err(usage(&format!(
                    "a tournament has two engines or more: expected --engine 2 to {MAX_ENGINES} times"
                )));
            }
        }
        let default_limits = PlayerLimits {
            clock: self.tc.as_deref().map(engine_arg::parse_clock).transpose().map_err(Failure::Usage)?,
            move_time: self.movetime.map(Duration::from_millis),
            nodes: self.nodes,
            soft_nodes: self.soft_nodes,
            depth: self.depth,
        };
        let parse = |text: &String| {
            let mut engine =
                EngineArg::parse(text).map_err(|error| Failure::Usage(format!("--engine: {error}")))?;
            if engine.limits.is_unlimited() {
                engine.limits = default_limits.clone();
            }
            Ok::<_, Failure>(engine)
        };
        let mut engines: Vec<EngineArg> = Vec::new();
        for text in &self.engines {
            let mut engine = parse(text)?;
            let is_taken = |name: &str| engines.iter().any(|other| other.name == name);
            if is_taken(&engine.name) {
                let names = (2..).map(|count| format!("{} ({count})", engine.name));
                engine.name = names.into_iter().find(|name| !is_taken(name)).unwrap_or_default();
            }
            engines.push(engine);
        }
        Ok(engines)
    }

    /// Returns which engines meet.
    fn pairings(&self) -> Vec<[usize; 2]> {
        match self.tournament {
            Some(Tournament::Gauntlet) => gauntlet(self.engines.len()),
            Some(Tournament::RoundRobin) | None => round_robin(self.engines.len()),
        }
    }

    /// Returns the score of the match before its first game.
    ///
    /// # Errors
    /// If the text of the sequential test is invalid.
    pub(crate) fn new_score(&self, engines: &[EngineArg]) -> Result<TournamentScore, Failure> {
        let names = engines.iter().map(|engine| engine.name.clone()).collect();
        Ok(TournamentScore::new(names, self.pairings(), self.sprt()?))
    }

    /// Reads the openings from the file, or generates them.
    ///
    /// # Errors
    /// If the openings cannot be read or generated.
    pub(crate) fn make_openings(&self, progress: &Progress) -> Result<Vec<Opening>, Failure> {
        let openings = match &self.openings {
            Some(file) => self.read_openings(file, progress)?,
            None => self.generate_openings(progress)?,
        };
        let (count, pairs) = (openings.len(), self.games / 2);
        if (count as u64) < pairs {
            let openings = plural(count as u64, "opening");
            progress.print_note(format_args!(
                "alfil: {pairs} game pairs are played from {openings}: without a limit of time, pairs from the same \
                 opening may be equal, and the interval is then too narrow"
            ));
        }
        Ok(openings)
    }

    fn read_openings(&self, file: &Path, progress: &Progress) -> Result<Vec<Opening>, Failure> {
        let bytes = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        let plies = self.plies.map_or(DEFAULT_PGN_PLIES, |plies| plies as usize);
        let name = file.display();
        let openings::OpeningFile { openings, skipped, first_error, is_of_games, .. } =
            openings::parse_openings(self.game(), &bytes, plies)
                .map_err(|error| Failure::Input(format!("{name}: {error}")))?;
        if self.plies.is_some() && !is_of_games {
            return Err(Failure::Usage(format!(
                "--plies is for a file of games: the lines of {name} are played whole"
            )));
        }
        if let Some(error) = first_error {
            let games = if skipped == 1 { "1 game was" } else { &format!("{skipped} games were") };
            progress.print_note(format_args!("alfil: {name}: {games} skipped; the first: {error}"));
        }
        Ok(openings)
    }

    fn generate_openings(&self, progress: &Progress) -> Result<Vec<Opening>, Failure> {
        let imbalance_cp = self.balance.as_deref().map(parse_balance).transpose()?;
        let defaults = OpeningGenerator::with_defaults(registry::info(self.game())?, self.seed);
        let generator = OpeningGenerator {
            plies: self.plies.map_or(defaults.plies, |plies| plies as usize),
            imbalance_cp: imbalance_cp.unwrap_or(defaults.imbalance_cp.clone()),
            ..defaults
        };
        let pairs = self.games.div_ceil(2) as usize;
        // Without random plies there is a single opening, the start position.
        let pairs = if generator.plies == 0 { 1 } else { pairs };
        let mut report = |made| progress.show_message(format!("generated opening {made} of {pairs}"));
        Ok(generator.generate(self.game(), pairs, &mut report)?)
    }

    /// Returns the description of the network of each engine, where it has one.
    ///
    /// # Errors
    /// If this build does not have the game.
    pub(crate) fn networks(&self, engines: &[EngineArg]) -> Result<Vec<Option<String>>, Failure> {
        let entry = Registry::default().entry(self.game())?;
        Ok(engines.iter().map(|engine| engine.network(entry)).collect())
    }

    /// Builds the match.
    ///
    /// # Errors
    /// If an engine cannot play the match, or the arguments contradict each other.
    pub(crate) fn build_match(
        &self,
        engines: &[EngineArg],
        openings: Vec<Opening>,
    ) -> Result<EngineMatch, Failure> {
        let usage = |message: String| Failure::Usage(message);
        if self.games % 2 == 1 {
            return Err(usage(format!(
                "games are played in pairs: expected an even number of games, found {}",
                self.games
            )));
        }
        let mut session = registry::open(self.game(), None)?;
        if let Some(ruleset) = &self.rules {
            session.set_ruleset(ruleset).map_err(|error| usage(error.message))?;
        }
        if self.solve.is_some() && !session.info().has_solver {
            return Err(usage(format!("{} has no solver", self.game())));
        }
        let entry = Registry::default().entry(self.game())?;
        let has_start_positions = openings.iter().any(|opening| opening.start.is_some());
        if let Some(message) =
            engines.iter().find_map(|engine| engine.unsupported_reason(entry, has_start_positions))
        {
            return Err(usage(message));
        }
        let rules = MatchRules {
            registry: Registry::default(),
            game: self.game().to_owned(),
            ruleset: self.rules.clone(),
            time_margin: Duration::from_millis(self.margin),
            max_plies: self.max_plies as usize,
            win_adjudication: self.win.as_deref().map(parse_win_rule).transpose()?,
            draw_adjudication: self.draw.as_deref().map(parse_draw_rule).transpose()?,
            solver_empties: self.solve.map(|empties| empties as usize),
        };
        let limits = engines.iter().map(|engine| engine.limits.clone()).collect();
        let names = engines.iter().map(|engine| engine.name.clone()).collect();
        let (pairings, games) = (self.pairings(), self.games as usize);
        Ok(EngineMatch { rules, names, limits, pairings, openings, games })
    }
}

/// Parses `B` or `A..B` as a range from 0 or `A`.
fn parse_balance(text: &str) -> Result<RangeInclusive<i32>, Failure> {
    let (low, high) = text.split_once("..").unwrap_or(("0", text));
    let number = |text: &str| text.parse::<i32>().ok().filter(|number| *number >= 0);
    match number(low).zip(number(high)) {
        Some((low, high)) if low <= high => Ok(low..=high),
        _ => Err(Failure::Usage(format!(
            "expected --balance with centipawns from 0, such as 60 or 90..150, found {text:?}"
        ))),
    }
}

/// Parses `MOVES:SCORE`.
fn parse_win_rule(text: &str) -> Result<ScoreAdjudication, Failure> {
    match parse_numbers(text)[..] {
        [moves @ 1..=100, score] if score > 0 => {
            Ok(ScoreAdjudication { moves: moves as usize, score_cp: score })
        }
        _ => Err(Failure::Usage(format!(
            "expected --win MOVES:SCORE with up to 100 moves, such as 4:600, found {text:?}"
        ))),
    }
}

/// Parses `PLY:MOVES:SCORE`.
fn parse_draw_rule(text: &str) -> Result<(usize, ScoreAdjudication), Failure> {
    match parse_numbers(text)[..] {
        [ply, moves @ 1..=100, score] if ply >= 0 && score >= 0 => {
            Ok((ply as usize, ScoreAdjudication { moves: moves as usize, score_cp: score }))
        }
        _ => Err(Failure::Usage(format!(
            "expected --draw PLY:MOVES:SCORE with up to 100 moves, such as 80:8:10, found {text:?}"
        ))),
    }
}

/// Parses whole numbers between colons; returns no numbers if one is invalid.
fn parse_numbers(text: &str) -> Vec<i32> {
    text.split(':').map(str::parse).collect::<Result<_, _>>().unwrap_or_default()
}
