//! The server alone, for `cargo xtask serve`: less has to be built than for `alfil`, which serves the same page with
//! external engines.

use std::io::{Write as _, stdout};

use alfil_server::ServeArgs;
use clap::Parser;

/// Serve the web page of Alfil.
#[derive(Debug, Parser)]
#[command(name = "alfil-server", version)]
struct Cli {
    #[command(flatten)]
    serve: ServeArgs,
}

fn main() -> anyhow::Result<()> {
    Ok(Cli::parse().serve.run(None, |line| writeln!(stdout(), "{line}"))?)
}
