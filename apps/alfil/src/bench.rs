//! `alfil bench`: a fixed search on every board.

use std::time::Instant;

use alfil_session::registry;
use clap::Args;
use serde_json::json;

use crate::errors::{CommandResult, Failure};
use crate::output::print_line;

/// Run a fixed search on every board: the boards of a game must visit equal numbers of nodes.
#[derive(Debug, Args)]
pub(crate) struct Bench {
    /// The game [default: all games].
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(registry::games()))]
    game: Option<String>,
    /// Print a JSON object for each board.
    #[arg(long)]
    json: bool,
}

impl Bench {
    pub(crate) fn run(&self) -> CommandResult {
        let mut equal = true;
        for entry in registry::GAMES {
            let game = entry.info.name();
            if self.game.as_deref().is_some_and(|selected| selected != game) {
                continue;
            }
            let mut signature = None;
            for board in entry.board_names() {
                let session = entry.open(Some(board))?;
                let start = Instant::now();
                let nodes = session.bench();
                let seconds = start.elapsed().as_secs_f64();
                let nps = (nodes as f64 / seconds.max(f64::EPSILON)) as u64;
                if self.json {
                    let row =
                        json!({"game": game, "board": board, "nodes": nodes, "seconds": seconds, "nps": nps});
                    print_line(row)?;
                } else {
                    print_line(format_args!(
                        "{game:<8} {board:<9} {nodes:>10} nodes {seconds:>7.2} s {nps:>9} nodes/s"
                    ))?;
                }
                equal &= *signature.get_or_insert(nodes) == nodes;
            }
        }
        if equal {
            Ok(())
        } else {
            Err(Failure::Input("the boards of a game visited different numbers of nodes".into()))
        }
    }
}
