//! Plays moves in any game and notation and prints the verdict: `cargo run --example play -- chess f3 e5 g4 Qh4`.

use alfil_session::registry;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let game = arguments.next().unwrap_or_else(|| "xiangqi".to_owned());
    let mut session = registry::open(&game, None)?;
    for text in arguments {
        let result = session.play(&text, None)?;
        println!("{text}: {}", result.sound);
    }
    match session.game_end() {
        Some(end) => println!("{}", end.message),
        None => println!("{}", session.view().fen),
    }
    Ok(())
}
