//! Plays a game of random moves and prints it: `cargo run --example random_game -- 7`, with a seed.

use alfil_chess::kernel::zobrist::SplitMix64;
use alfil_chess::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seed = std::env::args().nth(1).map_or(Ok(1), |text| text.parse())?;
    let mut random = SplitMix64::new(seed);
    let mut game = Chess::new();
    while !game.is_over() {
        let moves = game.legal_moves();
        let mv = moves[random.below(moves.len())];
        if game.side_to_move() == Side::First {
            print!("{}. ", game.moves().count() / 2 + 1);
        }
        print!("{} ", game.format_move(mv, Dialect::San)?);
        game.play_move(mv)?;
    }
    let verdict = game.verdict().expect("the game is over");
    println!("\n{:?} by {} at {game}", verdict.outcome, verdict.cause);
    Ok(())
}
