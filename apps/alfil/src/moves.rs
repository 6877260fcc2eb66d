//! `alfil moves`: the legal moves.

use clap::Args;
use serde_json::json;

use crate::args::PositionArgs;
use crate::errors::CommandResult;
use crate::output::print_line;

/// List the legal moves, one per line, sorted by bytes.
#[derive(Debug, Args)]
pub(crate) struct Moves {
    #[command(flatten)]
    position_args: PositionArgs,
}

impl Moves {
    pub(crate) fn run(&self) -> CommandResult {
        let session = self.position_args.session()?;
        let moves = session.legal_moves(self.position_args.dialect())?;
        if self.position_args.json {
            let dialect = self.position_args.dialect().unwrap_or(session.dialects()[0]);
            let fen = session.view().fen;
            print_line(json!({"game": session.game(), "fen": fen, "dialect": dialect, "moves": moves}))?;
        } else {
            for text in moves {
                print_line(text)?;
            }
        }
        Ok(())
    }
}
