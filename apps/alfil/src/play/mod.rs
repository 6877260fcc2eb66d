//! `alfil play`: a game against the computer in the terminal, on the whole screen or line by line.

mod clock;
mod line_mode;
mod messages;
mod render;
mod review;
mod screen;
mod signals;
mod terminal_game;

use std::io::IsTerminal;
use std::time::Duration;

use alfil_kernel::Side;
use alfil_session::game_clock::TimeControl;
use alfil_session::registry;
use alfil_session::render::PieceStyle;
use clap::{Args, ValueEnum};

use crate::errors::Failure;
use crate::language::{Language, Locale};
use crate::match_command::engine_arg;
use crate::{CommandResult, args};
use terminal_game::{GameOptions, TerminalGame};

/// Play against the computer in the terminal.
#[derive(Debug, Args)]
pub(crate) struct Play {
    /// The game; the first of the list if none is named.
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(registry::games()))]
    game: Option<String>,
    /// The side you play: 1 begins.
    #[arg(long, value_name = "SIDE", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
    side: u8,
    /// The computer's strength.
    #[arg(long, value_name = "LEVEL", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=10))]
    level: u32,
    /// How long it may think about a move, in seconds.
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = parse_seconds)]
    time: Duration,
    /// Both sides' time for the game, as M:SS, H:MM:SS or SECONDS, and what a move adds: 5:00+3.
    #[arg(long, value_name = "TIME[+SECONDS]", value_parser = parse_time_control)]
    tc: Option<TimeControl>,
    /// How men are drawn; characters where the terminal has them.
    #[arg(long, value_enum)]
    pieces: Option<PieceStyleArg>,
    /// The language; the terminal's own where none is named.
    #[arg(long, value_enum)]
    lang: Option<Language>,
    /// The rule book by which the game is judged; the one between people where none is named.
    #[arg(long, value_name = "R")]
    rules: Option<String>,
    /// How moves are written; what you type may be in any of the game's dialects that it cannot be mistaken for.
    #[arg(long, value_name = "NAME")]
    dialect: Option<String>,
    /// The position to start from.
    #[arg(
        long,
        visible_alias = "position",
        value_name = "TEXT",
        default_value = "startpos",
        allow_hyphen_values = true
    )]
    fen: String,
    /// Let a complaint about that position pass, by name, or all of them.
    #[arg(long, value_name = "NAME")]
    waive: Vec<String>,
    /// Moves to play from there, in the dialect.
    #[arg(long, num_args = 1.., value_name = "MOVE")]
    moves: Vec<String>,
    /// Line by line, as where the output is no terminal.
    #[arg(long)]
    plain: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum PieceStyleArg {
    Hanzi,
    Letters,
    Ascii,
}

/// A time to think, up to a day.
fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=86_400.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or("expected seconds from 0 to 86400".into())
}

/// Times for a whole game.
fn parse_time_control(text: &str) -> Result<TimeControl, String> {
    let clock = engine_arg::parse_clock(text)?;
    if clock.moves_to_go.is_some() {
        return Err(
            "a clock at this table has no new time after some moves: TIME[+SECONDS], such as 5:00+3".into()
        );
    }
    TimeControl::new(clock.remaining, clock.increment).map_err(|error| error.to_string())
}

impl Play {
    pub(crate) fn run(&self) -> CommandResult {
        let locale = Locale::from_variables(|name| std::env::var(name).ok());
        let table = self.new_game(locale)?;
        if self.plain || !std::io::stdout().is_terminal() || !std::io::stdin().is_terminal() {
            line_mode::play(table)
        } else {
            screen::play(table)
        }
    }

    /// The table as somebody wants it.
    fn new_game(&self, locale: Locale) -> Result<TerminalGame, Failure> {
        let usual = registry::games().next().unwrap_or_default();
        let mut desk = registry::open(self.game.as_deref().unwrap_or(usual), None)?;
        desk.legal_moves(self.dialect.as_deref()).map_err(|error| Failure::Usage(error.to_string()))?;
        if let Some(book) = &self.rules {
            desk.set_ruleset(book).map_err(|error| Failure::Usage(error.to_string()))?;
        }
        let waivers = args::parse_waivers(desk.as_ref(), &self.waive)?;
        desk.open(&self.fen, &waivers)?;
        for (number, text) in self.moves.iter().enumerate() {
            // Nobody is asked twice how a move is written that one dialect only can mean.
            let played = match desk.detect_dialect(text, self.dialect.as_deref()) {
                Ok(dialect) => desk.play(text, Some(dialect)),
                Err(error) => Err(error),
            };
            played.map_err(|error| error.at_move(number + 1))?;
        }
        let pieces = match self.pieces {
            Some(PieceStyleArg::Hanzi) => PieceStyle::Hanzi,
            Some(PieceStyleArg::Letters) => PieceStyle::Letters,
            Some(PieceStyleArg::Ascii) => PieceStyle::Ascii,
            // Characters where the terminal reads them, else nothing that is not ASCII.
            None if locale.utf8 => PieceStyle::Hanzi,
            None => PieceStyle::Ascii,
        };
        let wants = GameOptions {
            start: self.fen.clone(),
            person: if self.side == 1 { Side::First } else { Side::Second },
            level: self.level,
            move_time: self.time,
            time_control: self.tc,
            pieces,
            language: self.lang.unwrap_or(locale.language),
            dialect: self.dialect.clone(),
            ruleset: self.rules.clone(),
        };
        Ok(TerminalGame::new(desk, wants))
    }
}
