//! `alfil show`: a position for people to look at.

use std::path::PathBuf;

use alfil_session::render;
use alfil_session::render::PieceStyle;
use alfil_session::{GameSession, PositionView};
use anyhow::Context;
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use crate::CommandResult;
use crate::args::PositionArgs;
use crate::output::print_line;

/// Show a position as people like to read it.
#[derive(Debug, Args)]
pub(crate) struct Show {
    #[command(flatten)]
    position_args: PositionArgs,
    /// How men are drawn.
    #[arg(long, value_enum, default_value_t = PieceStyleArg::Hanzi)]
    pieces: PieceStyleArg,
    /// Also write a picture to a file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print the representation itself: numbers, lines, sets.
    #[arg(long)]
    raw: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum PieceStyleArg {
    /// Chinese characters, or the figures people know.
    Hanzi,
    /// The letters of the position's text.
    Letters,
    /// Letters, and nothing that is not ASCII.
    Ascii,
}

impl Show {
    pub(crate) fn run(&self) -> CommandResult {
        let desk = self.position_args.session()?;
        let view = desk.view();
        if let Some(file) = &self.svg {
            let picture = render::render_svg(desk.appearance(), &view);
            std::fs::write(file, picture).with_context(|| format!("cannot write {}", file.display()))?;
        }
        if self.position_args.json {
            print_line(self.to_json(desk.as_ref(), &view))?;
        } else if self.raw {
            print_line(desk.dump().trim_end())?;
        } else {
            print_line(self.to_text(desk.as_ref(), &view))?;
        }
        Ok(())
    }

    fn to_text(&self, desk: &dyn GameSession, view: &PositionView) -> String {
        let pieces = match self.pieces {
            PieceStyleArg::Hanzi => PieceStyle::Hanzi,
            PieceStyleArg::Letters => PieceStyle::Letters,
            PieceStyleArg::Ascii => PieceStyle::Ascii,
        };
        let mut sheet = render::render_text(desk.appearance(), view, pieces);
        let side = desk.appearance().sides[view.side_to_move.index()];
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
            sheet += &format!("\n{name:<12} {value}");
        }
        sheet
    }

    fn to_json(&self, desk: &dyn GameSession, view: &PositionView) -> Value {
        let side = desk.appearance().sides[view.side_to_move.index()].to_lowercase();
        let men: serde_json::Map<_, _> =
            view.pieces.iter().map(|(square, letter)| (square.clone(), json!(letter.to_string()))).collect();
        let cause = view.game_end.as_ref().map(|ending| ending.cause.clone());
        let mut object = json!({
            "game": desk.game(), "board": desk.board(), "fen": view.fen, "side": side, "men": men,
            "check": view.checked_king, "key": format!("{:016x}", view.hash_key), "occurrences": view.occurrences,
            "status": view.status, "cause": cause,
        });
        if self.raw {
            object["raw"] = json!(desk.dump().lines().collect::<Vec<_>>());
        }
        object
    }
}
