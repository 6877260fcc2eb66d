//! The commands of the house: `cargo xtask serve` sets up and runs the main job, `cargo xtask test` runs all the tests,
//! `cargo xtask rivals` compares with programs installed beside it.

mod rivals;
mod serve;
mod shell;
mod test;

use clap::{Parser, Subcommand};

/// The commands of the house.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Build page and program, and serve.
    Serve(serve::Serve),
    /// Run all the tests.
    Test(test::Test),
    /// Compare with installed rivals: in pairs, medians.
    Rivals(rivals::Rivals),
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().command {
        Command::Serve(serve) => serve.run(),
        Command::Test(test) => test.run(),
        Command::Rivals(rivals) => rivals.run(),
    }
}
