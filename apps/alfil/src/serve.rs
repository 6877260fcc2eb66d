//! `alfil serve`: the web server.

use std::sync::Arc;

use alfil_server::{ExternalEngines, ServeArgs, ServeError};
use clap::Args;

use crate::errors::{CommandResult, Failure};
use crate::external_engine_processes::ExternalEngineProcesses;
use crate::match_command::engine_arg::EngineArg;
use crate::output::print_line;

/// Serve the page, to play and analyse in a browser.
#[derive(Debug, Args)]
pub(crate) struct Serve {
    #[command(flatten)]
    args: ServeArgs,
    /// An external engine (another program) that the page offers by its name, such as
    /// 'name=Pikafish cmd=./pikafish proto=uci option.Threads=2'; may be repeated. The keys are those of `alfil match`,
    /// without limits: the page chooses the time for each move.
    #[arg(long = "engine", value_name = "ENGINE", value_parser = EngineArg::parse)]
    engines: Vec<EngineArg>,
}

impl Serve {
    pub(crate) fn run(&self) -> CommandResult {
        for engine in &self.engines {
            engine
                .check_program()
                .map_err(|error| Failure::Input(format!("engine {}: {error}", engine.name)))?;
        }
        let processes = ExternalEngineProcesses::new(self.engines.clone()).map_err(Failure::Usage)?;
        let engines = (!self.engines.is_empty()).then(|| Arc::new(processes) as Arc<dyn ExternalEngines>);
        self.args.run(engines, |line| print_line(line)).map_err(|error| match error {
            ServeError::Io(error) => error.into(),
            error => Failure::Input(error.to_string()),
        })
    }
}
