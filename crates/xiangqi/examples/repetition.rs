//! Judges a game under every ruleset: `cargo run --example repetition -- FEN MOVES...`, by default a perpetual check.

use alfil_xiangqi::prelude::*;

const FEN: &str = "3k5/8R/9/9/9/9/9/9/9/4K4 w";
const MOVES: &str = "i8i9 d9d8 i9i8 d8d9 i8i9 d9d8 i9i8 d8d9 i8i9 d9d8 i9i8 d8d9 i8i9";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let fen = arguments.next().unwrap_or_else(|| FEN.to_owned());
    let mut moves: Vec<_> = arguments.collect();
    if moves.is_empty() {
        moves = MOVES.split(' ').map(str::to_owned).collect();
    }
    let mut game = Xiangqi::from_fen(&fen)?;
    for text in &moves {
        game.play(text)?;
    }
    for name in RulesetName::ALL {
        let game = game.clone().with_rules(name.ruleset());
        match game.verdict() {
            Some(verdict) => println!("{name}: {:?}, {}", verdict.outcome, verdict.cause),
            None => println!("{name}: the game continues"),
        }
        for ply in game.rules().analyse_repetition(game.history()).into_iter().flat_map(|found| found.plies) {
            println!("    {} {:?}", ply.mv, ply.class);
        }
    }
    Ok(())
}
