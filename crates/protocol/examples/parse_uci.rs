//! Reads UCI commands from standard input and prints what they mean:
//! `echo "go depth 12" | cargo run --example parse_uci`.

use std::io::BufRead as _;

use alfil_protocol::uci::parse_command;

fn main() -> std::io::Result<()> {
    for line in std::io::stdin().lock().lines() {
        match parse_command(&line?) {
            Ok(command) => println!("{command:?}"),
            Err(error) => println!("error: {error}"),
        }
    }
    Ok(())
}
