//! Searches a position of chess to a depth and prints each iteration:
//! `cargo run --release --example search_chess -- 8 "FEN"`.

use alfil_chess::{Bitboard, Chess, Move, Ruleset};
use alfil_evaluation::chess::HandcraftedEval;
use alfil_kernel::{SearchControl, SearchInfo};
use alfil_search::Worker;

/// Never stops the search, and prints its reports.
struct PrintReports;

impl SearchControl<Move> for PrintReports {
    fn is_stopped(&mut self, _: u64) -> bool {
        false
    }

    fn report(&mut self, info: &SearchInfo<'_, Move>) {
        println!("depth {}: {:?}, {} nodes, {:?}", info.depth, info.score, info.nodes, info.pv);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let depth = arguments.next().map_or(Ok(8), |text| text.parse())?;
    let game = match arguments.next() {
        Some(fen) => Chess::from_fen(&fen)?,
        None => Chess::new(),
    };
    let history = game.history().clone();
    let mut worker =
        Worker::<Bitboard, _, _>::new(history, Ruleset::default(), HandcraftedEval::default(), 16);
    let result = worker.search(depth, &mut PrintReports);
    println!("best move: {:?}", result.mv);
    Ok(())
}
