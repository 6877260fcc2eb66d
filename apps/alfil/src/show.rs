//! `alfil show`: prints a position as a board.

use std::path::PathBuf;

use alfil_session::render;
use alfil_session::{GameSession, PositionView};
use clap::Args;
use serde_json::{Value, json};

use crate::args::{PieceStyleArg, PositionArgs};
use crate::errors::CommandResult;
use crate::output::{ForceArg, print_line, write_file};

/// Show a position as a board.
#[derive(Debug, Args)]
pub(crate) struct Show {
    #[command(flatten)]
    position_args: PositionArgs,
    /// Style of the pieces.
    #[arg(long, value_enum, default_value_t = PieceStyleArg::Hanzi, conflicts_with_all = ["raw", "json"])]
    pieces: PieceStyleArg,
    /// Also write an SVG picture to a file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    force_arg: ForceArg,
    /// Print the internal board representation.
    #[arg(long)]
    raw: bool,
}

impl Show {
    pub(crate) fn run(&self) -> CommandResult {
        let session = self.position_args.session()?;
        let view = session.view();
        if let Some(file) = &self.svg {
            let picture = render::render_svg(session.appearance(), &view);
            self.force_arg.check_new_file(file)?;
            write_file(file, picture.as_bytes())?;
        }
        if self.position_args.json {
            print_line(self.to_json(session.as_ref(), &view))?;
        } else if self.raw {
            print_line(session.dump().trim_end())?;
        } else {
            print_line(self.to_text(session.as_ref(), &view))?;
        }
        Ok(())
    }

    fn to_text(&self, session: &dyn GameSession, view: &PositionView) -> String {
        let mut text = render::render_text(session.appearance(), view, self.pieces.into());
        let side = session.appearance().sides[view.side_to_move.index()];
        let check =
            view.checked_king.as_deref().map_or("no".to_owned(), |square| format!("yes, on {square}"));
        for (name, value) in [
            ("fen", view.fen.clone()),
            ("side", side.to_owned()),
            ("check", check),
            ("key", format!("{:016x}", view.hash_key)),
            ("occurrences", view.occurrences.to_string()),
            ("status", view.status.clone()),
        ] {
            text += &format!("\n{name:<12} {value}");
        }
        text
    }

    fn to_json(&self, session: &dyn GameSession, view: &PositionView) -> Value {
        let side = session.appearance().sides[view.side_to_move.index()].to_lowercase();
        let pieces_by_square: serde_json::Map<_, _> =
            view.pieces.iter().map(|(square, letter)| (square.clone(), json!(letter.to_string()))).collect();
        let cause = view.game_end.as_ref().map(|ending| ending.cause.clone());
        let mut object = json!({
            "game": session.game(), "board": session.board(), "fen": view.fen, "side": side,
            // `men` is the name of earlier versions for `pieces`.
            "pieces": &pieces_by_square, "men": &pieces_by_square,
            "check": view.checked_king, "key": format!("{:016x}", view.hash_key), "occurrences": view.occurrences,
            "status": view.status, "cause": cause,
        });
        if self.raw {
            object["raw"] = json!(session.dump().lines().collect::<Vec<_>>());
        }
        object
    }
}
