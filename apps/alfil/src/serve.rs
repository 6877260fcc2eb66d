//! `alfil serve`: the page on which people play.

use std::path::PathBuf;

use alfil_server::Store;
use alfil_server::store::data_folder;
use clap::Args;

use crate::CommandResult;
use crate::errors::Failure;
use crate::output::print_line;

/// Open the page on which people play.
#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// The port on this machine.
    #[arg(long, value_name = "PORT", default_value_t = 7878)]
    port: u16,
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
    /// The folder in which games are kept [default: alfil in the person's data folder].
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
}

impl Serve {
    pub(crate) fn run(&self) -> CommandResult {
        let input = |error: alfil_session::SessionError| {
            Failure::Input(format!("{error}; --data FOLDER names another place"))
        };
        let folder = self.data.clone().map_or_else(data_folder, Ok).map_err(input)?;
        let store = Store::open(&folder).map_err(input)?;
        let runtime = tokio::runtime::Runtime::new()?;
        runtime.block_on(async {
            let server = alfil_server::Server::bind(self.port, store).await.map_err(|error| {
                Failure::Input(format!("port {} on this machine cannot be opened: {error}", self.port))
            })?;
            print_line(format_args!("Alfil is at {}  (Ctrl-C ends it)", server.url()))?;
            if self.open {
                server.open_browser();
            }
            server.run().await?;
            Ok(())
        })
    }
}
