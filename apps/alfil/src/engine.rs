//! `alfil engine`: whoever drives an engine by lines of text is answered in the protocol that the first line names.

use std::io::{self, BufWriter};

use alfil_engine::protocols;
use alfil_engine::protocols::EngineIoError;
use alfil_session::registry;
use clap::Args;

use crate::CommandResult;
use crate::errors::Failure;

/// Speak as an engine to a graphical board; the first line chooses the protocol.
#[derive(Debug, Default, Args)]
pub(crate) struct Engine {
    /// The game, where the protocol does not say [default: the protocol's usual one].
    #[arg(long, value_name = "GAME", value_parser = clap::builder::PossibleValuesParser::new(registry::games()))]
    game: Option<String>,
}

impl Engine {
    pub(crate) fn run(&self) -> CommandResult {
        let output = BufWriter::new(io::stdout());
        protocols::run(self.game.as_deref(), io::stdin(), output).map_err(|error| match error {
            EngineIoError::UnknownGame(error) => Failure::Usage(error.to_string()),
            EngineIoError::Io(error) => error.into(),
        })
    }
}
