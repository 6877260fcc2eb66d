//! `alfil serve`: the web server.

use std::path::PathBuf;
use std::sync::Arc;

use alfil_server::Store;
use alfil_server::store::data_folder;
use clap::Args;

use crate::errors::{CommandResult, Failure};
use crate::external_engine_processes::ExternalEngineProcesses;
use crate::match_command::engine_arg::EngineArg;
use crate::output::print_line;

/// Serve the web page.
#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// The port on this machine.
    #[arg(long, value_name = "PORT", default_value_t = 7878)]
    port: u16,
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
    /// Folder in which games are saved [default: alfil in the user's data folder].
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// An external engine (another program) that the page offers by its name, such as
    /// 'name=Pikafish cmd=./pikafish proto=uci option.Threads=2'; may be repeated. The keys are those of `alfil match`,
    /// without limits: the page chooses the time for each move.
    #[arg(long = "engine", value_name = "ENGINE", value_parser = EngineArg::parse)]
    engines: Vec<EngineArg>,
}

impl Serve {
    pub(crate) fn run(&self) -> CommandResult {
        let engines = ExternalEngineProcesses::new(self.engines.clone()).map_err(Failure::Usage)?;
        let input_error = |error: alfil_session::SessionError| {
            Failure::Input(format!("{error}; choose another folder with --data FOLDER"))
        };
        let folder = self.data.clone().map_or_else(data_folder, Ok).map_err(input_error)?;
        let store = Store::open(&folder).map_err(input_error)?;
        let runtime = tokio::runtime::Runtime::new()?;
        runtime.block_on(async {
            let server = alfil_server::Server::bind(self.port, store).await.map_err(|error| {
                Failure::Input(format!(
                    "cannot open port {} on this machine: {error}; choose another port with --port",
                    self.port
                ))
            })?;
            let server = match self.engines.is_empty() {
                true => server,
                false => server.with_engines(Arc::new(engines)),
            };
            print_line(format_args!("Alfil is at {}  (press Ctrl-C to stop)", server.url()))?;
            if self.open {
                server.open_browser();
            }
            server.run().await?;
            Ok(())
        })
    }
}
