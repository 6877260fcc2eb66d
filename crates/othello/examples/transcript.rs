//! Prints the discs after each move of a transcript: `cargo run --example transcript -- f5d6c3d3c4`.

use alfil_othello::notation::parse_transcript;
use alfil_othello::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::env::args().nth(1).unwrap_or_else(|| "f5d6c3d3c4".to_owned());
    let mut game = Othello::new();
    for mv in parse_transcript(game.position(), &text)? {
        game.play_move(mv)?;
        let [black, white] = Side::BOTH.map(|side| game.position().discs(side).len());
        println!("{mv}: {black} to {white}");
    }
    match game.verdict() {
        Some(verdict) => println!("{:?} by {} discs ({})", verdict.outcome, verdict.margin, verdict.cause),
        None => println!("{} legal moves: {:?}", game.legal_moves().len(), game.legal_moves()),
    }
    Ok(())
}
