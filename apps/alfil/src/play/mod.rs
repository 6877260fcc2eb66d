//! `alfil play`: a game against the computer in the terminal, on the whole screen or line by line.

mod lines;
mod screen;
mod sheet;
mod signals;
mod table;

use std::io::IsTerminal;
use std::time::Duration;

use alfil_hall::draw::Pieces;
use alfil_hall::registry;
use alfil_kernel::Side;
use clap::{Args, ValueEnum};

use crate::Done;
use crate::errors::Failure;
use table::Table;

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
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = seconds)]
    time: Duration,
    /// How men are drawn; characters where the terminal has them.
    #[arg(long, value_enum)]
    pieces: Option<Style>,
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
    /// Moves to play from there, in the dialect.
    #[arg(long, num_args = 1.., value_name = "MOVE")]
    moves: Vec<String>,
    /// Line by line, as where the output is no terminal.
    #[arg(long)]
    plain: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Style {
    Hanzi,
    Letters,
    Ascii,
}

/// A time to think, up to a day.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=86_400.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or("expected seconds from 0 to 86400".into())
}

impl Play {
    pub(crate) fn run(&self) -> Done {
        let usual = registry::games().next().unwrap_or_default();
        let mut desk = registry::open(self.game.as_deref().unwrap_or(usual), None)?;
        desk.moves(self.dialect.as_deref()).map_err(|error| Failure::Usage(error.to_string()))?;
        desk.open(&self.fen, &alfil_kernel::Waivers::None)?;
        for (number, text) in self.moves.iter().enumerate() {
            desk.play(text, self.dialect.as_deref())
                .map_err(|error| Failure::Input(format!("move {}: {error}", number + 1)))?;
        }
        let pieces = match self.pieces {
            Some(Style::Hanzi) => Pieces::Hanzi,
            Some(Style::Letters) => Pieces::Letters,
            Some(Style::Ascii) => Pieces::Ascii,
            None => usual_pieces(),
        };
        let person = if self.side == 1 { Side::First } else { Side::Second };
        let table = Table::new(desk, person, self.level, self.time, pieces, self.dialect.as_deref());
        if self.plain || !std::io::stdout().is_terminal() || !std::io::stdin().is_terminal() {
            lines::play(table)
        } else {
            screen::play(table)
        }
    }
}

/// Characters where the locale says that the terminal reads UTF-8, else nothing that is not ASCII.
fn usual_pieces() -> Pieces {
    let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = set("LC_ALL").or_else(|| set("LC_CTYPE")).or_else(|| set("LANG")).unwrap_or_default();
    let locale = locale.to_lowercase();
    if locale.contains("utf-8") || locale.contains("utf8") { Pieces::Hanzi } else { Pieces::Ascii }
}
