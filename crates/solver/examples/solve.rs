//! Solves an Othello position with all threads: `cargo run --release --example solve -- BOARD`.

use alfil_kernel::NeverStop;
use alfil_othello::prelude::*;
use alfil_solver::{SolveMode, Solver};

const BOARD: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::env::args().nth(1).unwrap_or_else(|| BOARD.to_owned());
    let board: Bitboard = text.parse()?;
    let threads = std::thread::available_parallelism()?.get();
    let solver = Solver::new(64);
    let task = solver.new_task(&board, SolveMode::Exact);
    let solution = std::thread::scope(|scope| {
        for worker in 1..threads {
            let task = &task;
            scope.spawn(move || task.run(worker, &mut NeverStop));
        }
        task.run(0, &mut NeverStop)
    });
    let solution = solution.ok_or("the search was stopped")?;
    println!("{:+} discs by {:?}, {} nodes", solution.score, solution.best_move, solution.nodes);
    Ok(())
}
