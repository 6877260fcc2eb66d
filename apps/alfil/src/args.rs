//! Arguments that many commands share: game, board, position and moves.

use std::path::Path;

use alfil_kernel::Waivers;
use alfil_session::render::PieceStyle;
use alfil_session::searcher::check_memory;
use alfil_session::{
    EvaluationChoice, FileFormat, GameEntry, GameInfo, GameSession, SessionError, pasted_position, registry,
};
use anyhow::Context as _;
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

use crate::errors::{CommandResult, Failure};
use crate::game_file::GameFileArgs;

/// The dialect that writes castling as the king capturing its own rook.
const CHESS960_DIALECT: &str = "uci960";

/// Reads a file of positions with expected results, once: it may be a pipe. A content of no known format is returned,
/// because it can be a suite with mistakes, which its parser names.
///
/// # Errors
/// If the file cannot be read, its content is that of a format that is not among `formats`, or it is not UTF-8; then
/// the error names the first invalid byte.
pub(crate) fn read_suite(file: &Path, formats: &[FileFormat], expected: &str) -> Result<String, Failure> {
    let name = file.display();
    let bytes =
        std::fs::read(file).map_err(|error| Failure::Input(format!("cannot read {name}: {error}")))?;
    if let Some(format) = FileFormat::detect(&bytes).filter(|format| !formats.contains(format)) {
        return Err(Failure::Input(format!("{name}: this is {}; a suite {expected}", format.name())));
    }
    String::from_utf8(bytes).map_err(|error| {
        let byte = error.utf8_error().valid_up_to();
        Failure::Input(format!("cannot read {name}: it is not UTF-8 from byte {byte} on"))
    })
}

/// Returns whether a game has rulesets to choose from.
pub(crate) fn has_rulesets(info: &GameInfo) -> bool {
    !info.rulesets.is_empty()
}

/// Returns the games for which `has_command` is true.
fn entries(has_command: fn(&GameInfo) -> bool) -> impl Iterator<Item = &'static GameEntry> {
    registry::GAMES.into_iter().filter(move |entry| has_command(entry.info))
}

/// Returns the parser of the values that games have, each value once.
fn values_of(
    has_command: fn(&GameInfo) -> bool,
    values: impl Fn(&'static GameEntry) -> Vec<&'static str>,
) -> PossibleValuesParser {
    let mut all = Vec::new();
    for value in entries(has_command).flat_map(values) {
        if !all.contains(&value) {
            all.push(value);
        }
    }
    PossibleValuesParser::new(all)
}

/// Returns the parser of the names of the games that have a command.
pub(crate) fn games_with(has_command: fn(&GameInfo) -> bool) -> PossibleValuesParser {
    values_of(has_command, |entry| vec![entry.info.name()])
}

/// Returns the only game that has a command, which need not be named; `None` if there are more.
pub(crate) fn only_game(has_command: fn(&GameInfo) -> bool) -> Option<&'static str> {
    let mut games = entries(has_command).map(|entry| entry.info.name());
    games.next().filter(|_| games.next().is_none())
}

/// Returns the parser of the names of boards.
fn boards(has_command: fn(&GameInfo) -> bool) -> PossibleValuesParser {
    values_of(has_command, GameEntry::board_names)
}

/// Returns the parser of the names of dialects.
pub(crate) fn dialects(has_command: fn(&GameInfo) -> bool) -> PossibleValuesParser {
    values_of(has_command, |entry| entry.game.dialects())
}

/// Returns the parser of the names of rulesets.
pub(crate) fn rulesets() -> PossibleValuesParser {
    values_of(has_rulesets, |entry| entry.info.rulesets.iter().map(|ruleset| ruleset.name).collect())
}

/// Returns the parser of the names of issues that can be waived, and `all`.
pub(crate) fn waivable_issues(has_command: fn(&GameInfo) -> bool) -> PossibleValuesParser {
    values_of(has_command, |entry| [&["all"], entry.game.waivable_issues()].concat())
}

/// The address space of a search thread in MiB: its stack and what the allocator sets aside for it.
pub(crate) const THREAD_MIB: usize = 24;

/// Checks that the system can give the memory of some threads, each with `own_mib` of tables: a thread that cannot
/// allocate ends the program.
///
/// # Errors
/// If it cannot.
pub(crate) fn check_threads(threads: usize, own_mib: usize) -> CommandResult {
    let mebibytes = threads * (THREAD_MIB + own_mib);
    if threads <= 1 || check_memory(mebibytes).is_ok() {
        return Ok(());
    }
    Err(Failure::Input(format!(
        "not enough memory for {threads} threads, which take up to {mebibytes} MiB; choose fewer threads"
    )))
}

/// The games that have a command on positions, with an argument of its own if chess is among them.
pub(crate) trait CommandGames: Args {
    /// Returns whether a game has the command.
    fn has_command(info: &GameInfo) -> bool;
    /// Returns whether castling is written as the king capturing its own rook.
    fn king_takes_rook(&self) -> bool {
        false
    }
}

/// All games.
#[derive(Debug, Args)]
pub(crate) struct AnyGame {
    /// Write castling as the king capturing its rook, as in Chess960 (chess only).
    #[arg(long = "960")]
    king_takes_rook: bool,
}

/// The games with rulesets.
#[derive(Debug, Args)]
pub(crate) struct GamesWithRulesets {}

/// The games with a solver.
#[derive(Debug, Args)]
pub(crate) struct GamesWithSolver {}

impl CommandGames for AnyGame {
    fn has_command(_: &GameInfo) -> bool {
        true
    }

    fn king_takes_rook(&self) -> bool {
        self.king_takes_rook
    }
}

impl CommandGames for GamesWithRulesets {
    fn has_command(info: &GameInfo) -> bool {
        has_rulesets(info)
    }
}

impl CommandGames for GamesWithSolver {
    fn has_command(info: &GameInfo) -> bool {
        info.has_solver
    }
}

/// A game and a position of it.
#[derive(Debug, Args)]
pub(crate) struct PositionArgs<G: CommandGames = AnyGame> {
    /// The game.
    #[arg(
        value_parser = games_with(G::has_command),
        default_value = only_game(G::has_command),
        required = only_game(G::has_command).is_none()
    )]
    pub(crate) game: String,
    /// The board representation [default: the fastest one of the game].
    #[arg(long, value_name = "BOARD", value_parser = boards(G::has_command))]
    pub(crate) board: Option<String>,
    /// The position in the game's text format (FEN, EPD, board string), or the address of a board on a site.
    // Othello positions often begin with empty squares, which are written as hyphens.
    #[arg(
        long,
        visible_alias = "position",
        value_name = "TEXT",
        default_value = "startpos",
        allow_hyphen_values = true
    )]
    pub(crate) fen: String,
    #[command(flatten)]
    pub(crate) game_file: GameFileArgs,
    /// Moves to play from the position, in the dialect.
    #[arg(long, num_args = 1.., value_name = "MOVE")]
    pub(crate) moves: Vec<String>,
    /// The dialect of moves, for input and output.
    #[arg(long, value_name = "NAME", value_parser = dialects(G::has_command))]
    pub(crate) dialect: Option<String>,
    #[command(flatten)]
    games: G,
    /// Issues of the position to waive, by name; `all` waives every waivable issue.
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = waivable_issues(G::has_command))]
    pub(crate) waive: Vec<String>,
    /// Print JSON: one object on one line, or one object per row.
    #[arg(long)]
    pub(crate) json: bool,
}

/// A style of pieces.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum PieceStyleArg {
    /// Chinese characters, or chess figurines.
    Hanzi,
    /// The letters of the position text.
    Letters,
    /// Letters, in pure ASCII output.
    Ascii,
}

impl From<PieceStyleArg> for PieceStyle {
    fn from(style: PieceStyleArg) -> Self {
        match style {
            PieceStyleArg::Hanzi => PieceStyle::Hanzi,
            PieceStyleArg::Letters => PieceStyle::Letters,
            PieceStyleArg::Ascii => PieceStyle::Ascii,
        }
    }
}

/// The value of `--eval-file` that means the hand-made terms.
const TERMS: &str = "terms";

/// Reads the evaluation of `--eval-file`: the network of a file, or the hand-made terms; without it the built-in one.
///
/// # Errors
/// If the file cannot be read. Whether it is a network of the game is not checked.
pub(crate) fn read_evaluation(file: Option<&Path>) -> anyhow::Result<EvaluationChoice> {
    match file {
        None => Ok(EvaluationChoice::BuiltIn),
        // Engines take `<terms>`, because every other value is a file.
        Some(file) if file == TERMS || file == "<terms>" => Ok(EvaluationChoice::Terms),
        Some(file) => {
            let bytes = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
            Ok(EvaluationChoice::Network(bytes.into()))
        }
    }
}

/// Returns the waivers that `names` list.
///
/// # Errors
/// If the game has no waivable issue of a name, which is an error of usage.
pub(crate) fn parse_waivers(session: &dyn GameSession, names: &[String]) -> Result<Waivers, Failure> {
    session.parse_waivers(names).map_err(|error| Failure::Usage(error.to_string()))
}

impl<G: CommandGames> PositionArgs<G> {
    /// Opens a session at the start position of the game.
    pub(crate) fn new_session(&self) -> Result<Box<dyn GameSession>, Failure> {
        let usage = |error: SessionError| Failure::Usage(error.to_string());
        let session = registry::open(&self.game, self.board.as_deref()).map_err(usage)?;
        if self.games.king_takes_rook() && !session.dialects().contains(&CHESS960_DIALECT) {
            return Err(Failure::Usage(format!(
                "--960 is a notation of castling, and {} has no castling",
                self.game
            )));
        }
        // Checked here so that an unknown dialect is a usage error.
        session.legal_moves(self.dialect()).map_err(usage)?;
        Ok(session)
    }

    /// Returns the dialect of moves, `None` for the game's default. `--960` does not change SAN, which writes castling
    /// the same way in every start position.
    pub(crate) fn dialect(&self) -> Option<&str> {
        match self.dialect.as_deref() {
            None | Some("uci") if self.games.king_takes_rook() => Some(CHESS960_DIALECT),
            dialect => dialect,
        }
    }

    /// Opens a session at the position of the arguments and plays the moves.
    pub(crate) fn session(&self) -> Result<Box<dyn GameSession>, Failure> {
        let mut session = self.new_session()?;
        let waivers = parse_waivers(session.as_ref(), &self.waive)?;
        if self.game_file.is_given() {
            self.game_file.open_in(session.as_mut(), &waivers)?;
        } else {
            session.open(&pasted_position(&self.fen), &waivers)?;
        }
        for (number, text) in self.moves.iter().enumerate() {
            session.replay(text, self.dialect()).map_err(|error| error.at_move(number + 1))?;
        }
        Ok(session)
    }
}
