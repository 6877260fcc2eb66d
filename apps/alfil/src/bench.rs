//! `alfil bench`: a fixed search on every board.

use std::time::Instant;

use alfil_session::registry;
use clap::Args;
use serde_json::json;

use crate::CommandResult;
use crate::errors::Failure;
use crate::output::print_line;

/// A fixed search on every board: the node counts of one game are equal, or a board is wrong.
#[derive(Debug, Args)]
pub(crate) struct Bench {
    /// The game; all games where none is named.
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(registry::games()))]
    game: Option<String>,
    /// A JSON object for each board.
    #[arg(long)]
    json: bool,
}

impl Bench {
    pub(crate) fn run(&self) -> CommandResult {
        let mut equal = true;
        for &(game, boards) in registry::GAMES {
            if self.game.as_deref().is_some_and(|wanted| wanted != game) {
                continue;
            }
            let mut signature = None;
            for &board in boards {
                let desk = registry::open(game, Some(board))?;
                let start = Instant::now();
                let nodes = desk.bench();
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
        if equal { Ok(()) } else { Err(Failure::Input("the boards of a game visit different nodes".into())) }
    }
}
