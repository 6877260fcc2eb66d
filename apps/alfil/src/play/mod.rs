//! `alfil play`: a game against the computer in the terminal, full-screen or line by line.

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
use alfil_session::render::PieceStyle;
use alfil_session::{SKILL_LEVELS, pasted_position, registry};
use clap::Args;

use crate::args::{self, PieceStyleArg};
use crate::errors::{CommandResult, Failure};
use crate::game_file::GameFileArgs;
use crate::language::{Language, Locale};
use crate::match_command::engine_arg;
use crate::terminal;
use terminal_game::{GameOptions, TerminalGame};

/// Play against the computer in the terminal.
///
/// `?` shows the keys, and line by line `help` the commands. A game that is left with moves that are in no file is kept
/// in the user's data folder, and --pgn goes on with it.
#[derive(Debug, Args)]
pub(crate) struct Play {
    /// The game [default: that of --pgn, or the first one of the list].
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(registry::games()))]
    game: Option<String>,
    /// Your side: 1 moves first.
    #[arg(long, value_name = "SIDE", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=2))]
    side: u8,
    /// The skill level of the computer.
    #[arg(long, value_name = "LEVEL", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=i64::from(SKILL_LEVELS)))]
    level: u32,
    /// Milliseconds of the computer for a move.
    #[arg(long, value_name = "MS", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(0..=MAX_MOVE_TIME_MS))]
    movetime: u64,
    /// Clock of both sides: M:SS, H:MM:SS or SECONDS for the game, and an increment per move, such as 5:00+3.
    #[arg(long, value_name = "TIME[+SECONDS]", value_parser = parse_time_control)]
    tc: Option<TimeControl>,
    /// Style of the pieces [default: characters if the terminal supports them].
    #[arg(long, value_enum)]
    pieces: Option<PieceStyleArg>,
    /// Language [default: that of the locale].
    #[arg(long, value_enum)]
    lang: Option<Language>,
    /// Ruleset of the game [default: the first one of the game].
    #[arg(long, value_name = "RULESET", value_parser = args::rulesets())]
    rules: Option<String>,
    /// Notation of moves. Moves may be typed in every dialect of the game if they are unambiguous.
    #[arg(long, value_name = "NAME", value_parser = args::dialects(|_| true))]
    dialect: Option<String>,
    /// The start position.
    #[arg(
        long,
        visible_alias = "position",
        value_name = "TEXT",
        default_value = "startpos",
        allow_hyphen_values = true
    )]
    fen: String,
    /// Issues of the position to waive, by name; `all` waives every waivable issue.
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = args::waivable_issues(|_| true))]
    waive: Vec<String>,
    #[command(flatten)]
    game_file: GameFileArgs,
    /// Moves to play from the position, in the dialect.
    #[arg(long, num_args = 1.., value_name = "MOVE")]
    moves: Vec<String>,
    /// Play line by line, as without a terminal and with TERM=dumb.
    #[arg(long)]
    plain: bool,
}

/// The maximal time for a move: a day.
const MAX_MOVE_TIME_MS: u64 = 86_400_000;

/// Parses the time control of a game.
fn parse_time_control(text: &str) -> Result<TimeControl, String> {
    let clock = engine_arg::parse_clock(text)?;
    if clock.moves_to_go.is_some() {
        return Err(
            "moves before the time are not supported here: expected TIME[+SECONDS], such as 5:00+3".into()
        );
    }
    TimeControl::new(clock.remaining, clock.increment).map_err(|error| error.to_string())
}

impl Play {
    pub(crate) fn run(&self) -> CommandResult {
        let locale = Locale::from_variables(|name| std::env::var(name).ok());
        let game = self.new_game(locale)?;
        let has_screen = std::io::stdout().is_terminal() && std::io::stdin().is_terminal();
        if self.plain || !has_screen || !terminal::can_move_cursor() {
            line_mode::play(game)
        } else {
            screen::play(game)
        }
    }

    /// Creates the game of the arguments.
    fn new_game(&self, locale: Locale) -> Result<TerminalGame, Failure> {
        let default_game = registry::games().next().unwrap_or_default();
        let game_of_file = match self.game {
            Some(_) => None,
            None => self.game_file.game_name()?,
        };
        let game = self.game.as_deref().or(game_of_file.as_deref()).unwrap_or(default_game);
        let mut session = registry::open(game, None)?;
        // An error means that the game has no such dialect.
        session.legal_moves(self.dialect.as_deref()).map_err(|error| Failure::Usage(error.to_string()))?;
        if let Some(ruleset) = &self.rules {
            session.set_ruleset(ruleset).map_err(|error| Failure::Usage(error.to_string()))?;
        }
        let waivers = args::parse_waivers(session.as_ref(), &self.waive)?;
        let mut start = pasted_position(&self.fen).into_owned();
        if self.game_file.is_given() {
            start = self.game_file.open_in(session.as_mut(), &waivers)?;
        } else {
            session.open(&start, &waivers)?;
        }
        for (number, text) in self.moves.iter().enumerate() {
            // A move that is valid in only one dialect is read in that dialect.
            let played = match session.detect_dialect(text, self.dialect.as_deref()) {
                Ok(dialect) => session.play(text, Some(dialect)),
                Err(error) => Err(error),
            };
            played.map_err(|error| error.at_move(number + 1))?;
        }
        let pieces = match self.pieces {
            Some(pieces) => pieces.into(),
            // Without UTF-8 only ASCII can be shown.
            None if locale.utf8 => PieceStyle::Hanzi,
            None => PieceStyle::Ascii,
        };
        let options = GameOptions {
            start,
            person: if self.side == 1 { Side::First } else { Side::Second },
            level: self.level,
            move_time: Duration::from_millis(self.movetime),
            time_control: self.tc,
            piece_style: pieces,
            language: self.lang.unwrap_or(locale.language),
            dialect: self.dialect.clone(),
            ruleset: self.rules.clone(),
            kept_games: alfil_server::data_folder().ok().map(|folder| folder.join("terminal")),
        };
        Ok(TerminalGame::new(session, options)?)
    }
}
