//! `alfil bench`: a fixed search on every board.

use std::time::{Duration, Instant};

use alfil_session::{GameEntry, GameSession, registry};
use clap::Args;
use serde_json::json;

use crate::errors::{CommandResult, Failure};
use crate::progress::Progress;

/// The searches of a board: at least this number, and at least for this time.
const MIN_SEARCHES: usize = 5;
const MIN_TIME: Duration = Duration::from_millis(1_500);

/// Run a fixed search on every board, and measure its speed.
///
/// The boards of a game must visit equal numbers of nodes. They search in turn, again and again, each at least five
/// times and at least for 1.5 seconds, so that another process disturbs all of them alike; the time is the median of a
/// search.
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
        let progress = Progress::new(entries.len());
        for entry in entries {
            let game = entry.info.name();
            progress.show_message(game);
            let mut signature = None;
            for Measurement { board, nodes, seconds } in measure(entry)? {
                let nps = (nodes as f64 / seconds.max(f64::EPSILON)) as u64;
                progress.print_line(if self.json {
                    let row =
                        json!({"game": game, "board": board, "nodes": nodes, "seconds": seconds, "nps": nps});
                    row.to_string()
                } else {
                    format!("{game:<8} {board:<9} {nodes:>10} nodes {seconds:>7.2} s {nps:>9} nodes/s")
                })?;
                equal &= *signature.get_or_insert(nodes) == nodes;
            }
            progress.step(game.to_owned());
        }
        progress.finish();
        if equal {
            Ok(())
        } else {
            Err(Failure::Input("the boards of a game visited different numbers of nodes".into()))
        }
    }
}

/// The speed of a board.
struct Measurement {
    board: &'static str,
    /// The nodes of a search.
    nodes: u64,
    /// The median time of a search.
    seconds: f64,
}

/// Searches on the boards of a game in turn.
///
/// # Errors
/// If a board cannot be opened.
fn measure(entry: &GameEntry) -> Result<Vec<Measurement>, Failure> {
    let opened = entry.board_names().into_iter().map(|board| Ok((board, entry.open(Some(board))?)));
    let sessions: Vec<(&str, Box<dyn GameSession>)> = opened.collect::<Result<_, Failure>>()?;
    let mut searches: Vec<(u64, Vec<Duration>)> = vec![Default::default(); sessions.len()];
    let is_measured =
        |times: &[Duration]| times.len() >= MIN_SEARCHES && times.iter().sum::<Duration>() >= MIN_TIME;
    while !searches.iter().all(|(_, times)| is_measured(times)) {
        for ((_, session), (nodes, times)) in sessions.iter().zip(&mut searches) {
            let start = Instant::now();
            *nodes = session.bench();
            times.push(start.elapsed());
        }
    }
    let measurements = sessions.iter().zip(searches).map(|((board, _), (nodes, mut times))| {
        times.sort_unstable();
        Measurement { board, nodes, seconds: times[times.len() / 2].as_secs_f64() }
    });
    Ok(measurements.collect())
}
