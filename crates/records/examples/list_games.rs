//! Lists the games of PGN files of chess: `cargo run --example list_games -- games.pgn`.

use std::fs::File;
use std::io::BufReader;

use alfil_chess::Chess;
use alfil_records::pgn;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for path in std::env::args().skip(1) {
        let mut reader = pgn::Reader::new(BufReader::new(File::open(&path)?));
        while let Some(text) = reader.next_game()? {
            let game = text.parse::<Chess>();
            let tag = |name| game.tree.tags.value(name).unwrap_or("?");
            let plies = game.tree.main_line_moves().count();
            println!("{path}: {} - {}, {}, {plies} plies", tag("White"), tag("Black"), tag("Result"));
            if let Some(error) = &game.error {
                println!("    {error}");
            }
        }
    }
    Ok(())
}
