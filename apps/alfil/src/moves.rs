//! `alfil moves`: the legal moves.

use clap::Args;
use serde_json::json;

use crate::Done;
use crate::ask::Place;
use crate::output::line;

/// List the legal moves, one a line, sorted by their bytes.
#[derive(Debug, Args)]
pub(crate) struct Moves {
    #[command(flatten)]
    place: Place,
}

impl Moves {
    pub(crate) fn run(&self) -> Done {
        let desk = self.place.desk()?;
        let moves = desk.moves(self.place.dialect())?;
        if self.place.json {
            let dialect = self.place.dialect().unwrap_or(desk.dialects()[0]);
            let fen = desk.view().fen;
            line(json!({"game": desk.game(), "fen": fen, "dialect": dialect, "moves": moves}))?;
        } else {
            for text in moves {
                line(text)?;
            }
        }
        Ok(())
    }
}
