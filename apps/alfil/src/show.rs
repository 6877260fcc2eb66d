//! `alfil show`: a position for people to look at.

use std::path::PathBuf;

use alfil_hall::draw::{self, Pieces};
use alfil_hall::{Desk, View};
use anyhow::Context;
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use crate::Done;
use crate::ask::Place;
use crate::output::line;

/// Show a position as people like to read it.
#[derive(Debug, Args)]
pub(crate) struct Show {
    #[command(flatten)]
    place: Place,
    /// How men are drawn.
    #[arg(long, value_enum, default_value_t = Style::Hanzi)]
    pieces: Style,
    /// Also write a picture to a file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print the representation itself: numbers, lines, sets.
    #[arg(long)]
    raw: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Style {
    /// Chinese characters, or the figures people know.
    Hanzi,
    /// The letters of the position's text.
    Letters,
    /// Letters, and nothing that is not ASCII.
    Ascii,
}

impl Show {
    pub(crate) fn run(&self) -> Done {
        let desk = self.place.desk()?;
        let view = desk.view();
        if let Some(file) = &self.svg {
            let picture = draw::svg(desk.look(), &view);
            std::fs::write(file, picture).with_context(|| format!("cannot write {}", file.display()))?;
        }
        if self.place.json {
            line(self.object(desk.as_ref(), &view))?;
        } else if self.raw {
            line(desk.raw().trim_end())?;
        } else {
            line(self.sheet(desk.as_ref(), &view))?;
        }
        Ok(())
    }

    fn sheet(&self, desk: &dyn Desk, view: &View) -> String {
        let pieces = match self.pieces {
            Style::Hanzi => Pieces::Hanzi,
            Style::Letters => Pieces::Letters,
            Style::Ascii => Pieces::Ascii,
        };
        let mut sheet = draw::text(desk.look(), view, pieces);
        let side = desk.look().sides[view.side.index()];
        let check = view.check.as_deref().map_or("no".to_owned(), |square| format!("yes, on {square}"));
        for (name, value) in [
            ("fen", view.fen.clone()),
            ("side", side.to_owned()),
            ("check", check),
            ("key", format!("{:016x}", view.key)),
            ("occurrences", view.occurrences.to_string()),
            ("status", view.words.clone()),
        ] {
            sheet += &format!("\n{name:<12} {value}");
        }
        sheet
    }

    fn object(&self, desk: &dyn Desk, view: &View) -> Value {
        let side = desk.look().sides[view.side.index()].to_lowercase();
        let men: serde_json::Map<_, _> =
            view.men.iter().map(|(square, letter)| (square.clone(), json!(letter.to_string()))).collect();
        let cause = view.ending.as_ref().map(|ending| ending.cause.clone());
        let mut object = json!({
            "game": desk.game(), "board": desk.board(), "fen": view.fen, "side": side, "men": men,
            "check": view.check, "key": format!("{:016x}", view.key), "occurrences": view.occurrences,
            "status": view.words, "cause": cause,
        });
        if self.raw {
            object["raw"] = json!(desk.raw().lines().collect::<Vec<_>>());
        }
        object
    }
}
