//! The words that many commands share: which game, which board, which position, which moves.

use std::path::Path;

use alfil_kernel::Waivers;
use alfil_session::{GameSession, SessionError, registry};
use clap::Args;

use crate::errors::Failure;

/// The dialect in which castling is the king taking its rook.
const CHESS960_DIALECT: &str = "uci960";

/// The text of a file that somebody names.
///
/// # Errors
/// If it cannot be read, or is no UTF-8: from which byte on.
pub(crate) fn read_file(file: &Path) -> Result<String, Failure> {
    let name = file.display();
    let bytes =
        std::fs::read(file).map_err(|error| Failure::Input(format!("cannot read {name}: {error}")))?;
    String::from_utf8(bytes).map_err(|error| {
        let byte = error.utf8_error().valid_up_to();
        Failure::Input(format!("cannot read {name}: it is no UTF-8 from byte {byte} on"))
    })
}

/// A game and a position of it.
#[derive(Debug, Args)]
pub(crate) struct PositionArgs {
    /// The game.
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(registry::games()))]
    pub(crate) game: String,
    /// The board that represents it; the game's fastest where none is named.
    #[arg(long, value_name = "BOARD")]
    pub(crate) board: Option<String>,
    /// The position in the game's own text.
    // Many a board of Othello begins with empty squares, which are written as hyphens.
    #[arg(
        long,
        visible_alias = "position",
        value_name = "TEXT",
        default_value = "startpos",
        allow_hyphen_values = true
    )]
    pub(crate) fen: String,
    /// Moves to play from there, in the dialect.
    #[arg(long, num_args = 1.., value_name = "MOVE")]
    pub(crate) moves: Vec<String>,
    /// How moves are written, in and out.
    #[arg(long, value_name = "NAME")]
    pub(crate) dialect: Option<String>,
    /// Write castling as the king taking its rook, in and out, as in Chess960: for chess.
    #[arg(long = "960")]
    king_takes_rook: bool,
    /// Let complaints about the position pass, by name; `all` for all that can be.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) waive: Vec<String>,
    /// Print JSON: one object on one line, or one a line where rows are promised.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Which complaints about a position are let pass.
///
/// # Errors
/// If the game has none of a name.
pub(crate) fn parse_waivers(desk: &dyn GameSession, names: &[String]) -> Result<Waivers, Failure> {
    let known = desk.waivable_issues();
    if let Some(name) = names.iter().find(|&name| name != "all" && !known.contains(&name.as_str())) {
        let (game, known) = (desk.game(), known.join(", "));
        return Err(Failure::Usage(format!("{game} has no complaint {name:?} to waive: all, {known}")));
    }
    Ok(match names {
        [] => Waivers::None,
        names if names.iter().any(|name| name == "all") => Waivers::All,
        names => Waivers::Named(names.to_vec()),
    })
}

impl PositionArgs {
    /// A desk with the start position of the game.
    pub(crate) fn new_session(&self) -> Result<Box<dyn GameSession>, Failure> {
        let usage = |error: SessionError| Failure::Usage(error.to_string());
        let desk = registry::open(&self.game, self.board.as_deref()).map_err(usage)?;
        if self.king_takes_rook && !desk.dialects().contains(&CHESS960_DIALECT) {
            return Err(Failure::Usage(format!(
                "--960 is a way to write castling, which {} has not",
                self.game
            )));
        }
        // Asked here, so that a wrong name is a matter of usage.
        desk.legal_moves(self.dialect()).map_err(usage)?;
        Ok(desk)
    }

    /// How moves are written, in and out; none for the game's default. Castling in algebraic notation is one thing for all
    /// starts, so there `--960` changes nothing.
    pub(crate) fn dialect(&self) -> Option<&str> {
        match self.dialect.as_deref() {
            None | Some("uci") if self.king_takes_rook => Some(CHESS960_DIALECT),
            dialect => dialect,
        }
    }

    /// A desk with the position asked for, its moves played.
    pub(crate) fn session(&self) -> Result<Box<dyn GameSession>, Failure> {
        let mut desk = self.new_session()?;
        let waivers = parse_waivers(desk.as_ref(), &self.waive)?;
        desk.open(&self.fen, &waivers)?;
        for (number, text) in self.moves.iter().enumerate() {
            desk.play(text, self.dialect()).map_err(|error| error.at_move(number + 1))?;
        }
        Ok(desk)
    }
}
