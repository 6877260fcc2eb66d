//! `alfil bench`: a fixed search on every board.

use std::time::Instant;

use alfil_session::{GameEntry, registry};
use clap::Args;
use serde_json::json;

use crate::errors::{CommandResult, Failure};
use crate::progress::Progress;

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
        let is_selected =
            |entry: &&GameEntry| self.game.as_deref().is_none_or(|game| game == entry.info.name());
        let entries: Vec<_> = registry::GAMES.into_iter().filter(|entry| is_selected(entry)).collect();
        let progress = Progress::new(entries.iter().map(|entry| entry.boards.len()).sum());
        for entry in entries {
            let game = entry.info.name();
            let mut signature = None;
            for board in entry.board_names() {
                let session = entry.open(Some(board))?;
                progress.show_message(format!("{game} {board}"));
                let start = Instant::now();
                let nodes = session.bench();
                let seconds = start.elapsed().as_secs_f64();
                let nps = (nodes as f64 / seconds.max(f64::EPSILON)) as u64;
                progress.print_line(if self.json {
                    let row =
                        json!({"game": game, "board": board, "nodes": nodes, "seconds": seconds, "nps": nps});
                    row.to_string()
                } else {
                    format!("{game:<8} {board:<9} {nodes:>10} nodes {seconds:>7.2} s {nps:>9} nodes/s")
                })?;
                progress.step(format!("{game} {board}"));
                equal &= *signature.get_or_insert(nodes) == nodes;
            }
        }
        progress.finish();
        if equal {
            Ok(())
        } else {
            Err(Failure::Input("the boards of a game visited different numbers of nodes".into()))
        }
    }
}
