//! `alfil engine`: runs as an engine in the protocol that the first input line selects.

use std::io::{self, BufWriter};

use alfil_engine::protocols;
use alfil_engine::protocols::EngineIoError;
use alfil_session::registry;
use clap::Args;

use crate::errors::{CommandResult, Failure};

/// Run as an engine for a graphical interface.
///
/// The first line selects the protocol: UCI, UCCI, XBoard, NBoard or GTP.
#[derive(Debug, Default, Args)]
pub(crate) struct Engine {
    /// The game, if the protocol does not name it [default: the default game of the protocol].
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
