//! What a match is, in the words of the command line: all that its file must know to go on.

use std::path::PathBuf;
use std::time::Duration;

use alfil_matches::game::{MatchRules, ScoreAdjudication};
use alfil_matches::openings;
use alfil_matches::openings::{Opening, OpeningGenerator};
use alfil_matches::{EngineMatch, PlayerLimits};
use alfil_session::registry;
use anyhow::Context;
use clap::Args;
use serde::{Deserialize, Serialize};

use super::engine_arg::{self, EngineArg};
use crate::errors::Failure;
use crate::progress::Progress;

/// What is played.
#[derive(Args, Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(crate) struct MatchArgs {
    /// The game.
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(registry::games()), required_unless_present = "resume")]
    game: Option<String>,
    /// An engine, twice: `nodes=5000` for one of the house (also level, board), or `cmd='PROGRAM ARGUMENTS' proto=uci`; then
    /// ranks=0-9|1-10, option.NAME=VALUE, send='LINE', name=NAME, and tc, movetime, nodes or depth where they differ.
    #[arg(long = "engine", value_name = "WORDS", required_unless_present = "resume")]
    engines: Vec<String>,
    /// How many games: pairs with colours exchanged.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    games: u64,
    /// A clock for each game: [MOVES/]TIME[+SECONDS], such as 10+0.1, 5:00+3 or 40/60.
    #[arg(long, value_name = "TIME")]
    tc: Option<String>,
    /// Milliseconds a move.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Positions a move.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Plies.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Openings, one a line: a position or `startpos`, then `moves` and moves; or moves alone.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["plies", "balance"])]
    openings: Option<PathBuf>,
    /// Random plies of the openings that are made where no file is named.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=100))]
    plies: Option<u64>,
    /// The largest advantage that a short search may see after them, in hundredths.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(0..))]
    balance: Option<i32>,
    /// What the openings are made from.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The rule book.
    #[arg(long, value_name = "BOOK")]
    rules: Option<String>,
    /// A win when both engines have seen such an advantage for so many moves.
    #[arg(long, value_name = "MOVES:SCORE")]
    win: Option<String>,
    /// A draw when from this ply on both have seen no larger advantage for so many moves.
    #[arg(long, value_name = "PLY:MOVES:SCORE")]
    draw: Option<String>,
    /// The solver decides from so many empty squares on: for Othello.
    #[arg(long, value_name = "EMPTIES", value_parser = clap::value_parser!(u64).range(1..=24))]
    solve: Option<u64>,
    /// A game of so many plies is drawn.
    #[arg(long, value_name = "PLIES", default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..))]
    longest: u64,
    /// Milliseconds that are let pass when a move comes late.
    #[arg(long, value_name = "MS", default_value_t = 50)]
    margin: u64,
    /// Seconds that an engine may take to start, to answer a stop, and to move where it has no clock.
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    patience: u64,
}

impl MatchArgs {
    /// The name of the game.
    pub(crate) fn game(&self) -> &str {
        self.game.as_deref().unwrap_or_default()
    }

    /// The rule book, if one is named.
    pub(crate) fn ruleset(&self) -> Option<&str> {
        self.rules.as_deref()
    }

    /// How long an engine is waited for.
    pub(crate) fn timeout(&self) -> Duration {
        Duration::from_secs(self.patience)
    }

    /// The two engines, with names that differ.
    ///
    /// # Errors
    /// If there are not two, or their words cannot be read.
    pub(crate) fn parse_engines(&self) -> Result<[EngineArg; 2], Failure> {
        let [first, second] = &self.engines[..] else {
            let found = self.engines.len();
            return Err(Failure::Usage(format!(
                "a match has two engines: --engine twice, not {found} times"
            )));
        };
        let own = PlayerLimits {
            clock: self.tc.as_deref().map(engine_arg::parse_clock).transpose().map_err(Failure::Usage)?,
            move_time: self.movetime.map(Duration::from_millis),
            nodes: self.nodes,
            depth: self.depth,
        };
        let read = |text: &String| {
            let mut spec =
                EngineArg::parse(text).map_err(|error| Failure::Usage(format!("--engine: {error}")))?;
            if spec.limits.is_unlimited() {
                spec.limits = own.clone();
            }
            Ok::<_, Failure>(spec)
        };
        let (first, mut second) = (read(first)?, read(second)?);
        if first.name == second.name {
            second.name += " (2)";
        }
        Ok([first, second])
    }

    /// The openings: from the file, or made.
    ///
    /// # Errors
    /// If they cannot be read or made.
    pub(crate) fn make_openings(&self, progress: &Progress) -> Result<Vec<Opening>, Failure> {
        if let Some(file) = &self.openings {
            let text =
                std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
            return openings::parse_openings(self.game(), &text)
                .map_err(|error| Failure::Input(format!("{}: {error}", file.display())));
        }
        let usual = OpeningGenerator::with_defaults(self.game(), self.seed);
        let recipe = OpeningGenerator {
            plies: self.plies.map_or(usual.plies, |plies| plies as usize),
            max_imbalance_cp: self.balance.unwrap_or(usual.max_imbalance_cp),
            ..usual
        };
        let pairs = self.games.div_ceil(2) as usize;
        // There is one opening of no moves.
        let pairs = if recipe.plies == 0 { 1 } else { pairs };
        let mut tell = |made| progress.update(format!("opening {made} of {pairs} is made"));
        Ok(recipe.generate(self.game(), pairs, &mut tell)?)
    }

    /// The match.
    ///
    /// # Errors
    /// If an engine cannot play it, or its words contradict each other.
    pub(crate) fn build_match(
        &self,
        engines: &[EngineArg; 2],
        openings: Vec<Opening>,
    ) -> Result<EngineMatch, Failure> {
        let usage = |words: String| Failure::Usage(words);
        if self.games % 2 == 1 {
            return Err(usage(format!("{} games are no pairs: give an even number", self.games)));
        }
        let mut desk = registry::open(self.game(), None)?;
        if let Some(book) = &self.rules {
            desk.set_ruleset(book).map_err(|error| usage(error.message))?;
        }
        if self.solve.is_some() && desk.view().piece_counts.is_none() {
            return Err(usage(format!("{} has no solver", self.game())));
        }
        let boards = registry::GAMES
            .iter()
            .find(|(name, _)| *name == self.game())
            .map_or(&[][..], |(_, boards)| boards);
        let positions = openings.iter().any(|opening| opening.start.is_some());
        if let Some(words) =
            engines.iter().find_map(|spec| spec.unsupported_reason(self.game(), boards, positions))
        {
            return Err(usage(words));
        }
        let rules = MatchRules {
            game: self.game().to_owned(),
            ruleset: self.rules.clone(),
            time_margin: Duration::from_millis(self.margin),
            max_plies: self.longest as usize,
            win_adjudication: self.win.as_deref().map(parse_win_rule).transpose()?,
            draw_adjudication: self.draw.as_deref().map(parse_draw_rule).transpose()?,
            solver_empties: self.solve.map(|empties| empties as usize),
        };
        let paces = [engines[0].limits.clone(), engines[1].limits.clone()];
        Ok(EngineMatch { rules, limits: paces, openings, games: self.games as usize })
    }
}

/// `MOVES:SCORE`.
fn parse_win_rule(text: &str) -> Result<ScoreAdjudication, Failure> {
    match parse_numbers(text)[..] {
        [moves @ 1..=100, score] if score > 0 => {
            Ok(ScoreAdjudication { moves: moves as usize, score_cp: score })
        }
        _ => {
            Err(Failure::Usage(format!("--win is MOVES:SCORE, up to 100 moves, such as 4:600, not {text:?}")))
        }
    }
}

/// `PLY:MOVES:SCORE`.
fn parse_draw_rule(text: &str) -> Result<(usize, ScoreAdjudication), Failure> {
    match parse_numbers(text)[..] {
        [ply, moves @ 1..=100, score] if ply >= 0 && score >= 0 => {
            Ok((ply as usize, ScoreAdjudication { moves: moves as usize, score_cp: score }))
        }
        _ => Err(Failure::Usage(format!(
            "--draw is PLY:MOVES:SCORE, up to 100 moves, such as 80:8:10, not {text:?}"
        ))),
    }
}

/// The whole numbers between colons; none where anything else stands.
fn parse_numbers(text: &str) -> Vec<i32> {
    text.split(':').map(str::parse).collect::<Result<_, _>>().unwrap_or_default()
}
