//! Analyses a position of chess for a second: `cargo run --release --example analyse -- FEN`.

use std::time::Duration;

use alfil_engine::{BoardEngine, BoardEngineOptions, SearchEvent};
use alfil_session::{EvaluationChoice, SearchLimits, SearchReport, SearchResources, registry};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let board = registry::board_game("chess")?.open(std::env::args().nth(1).as_deref(), &[])?;
    let engine = BoardEngine::new(BoardEngineOptions {
        resources: SearchResources::default(),
        evaluation: EvaluationChoice::BuiltIn,
        rules: None,
    })?;
    let limits = SearchLimits { time: Some(Duration::from_secs(1)), multipv: 1, ..SearchLimits::default() };
    let (_, events) = engine.start(&*board, &limits)?;
    for event in events {
        match event {
            SearchEvent::Info { report: SearchReport { depth, score, nodes, pv, .. }, .. } => {
                println!("depth {depth}: {score} centipawns, {nodes} nodes, {}", pv.join(" "));
            }
            SearchEvent::BestMove(mv) => println!("best move: {mv:?}"),
            _ => {}
        }
    }
    Ok(())
}
