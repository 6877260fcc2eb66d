//! The options of `alfil serve` and of the program `alfil-server`, and the run of both.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use alfil_session::SessionError;
use clap::Args;

use crate::store::data_folder;
use crate::{ExternalEngines, Server, Store};

/// Where the page is served, and where its games are saved.
#[derive(Clone, Debug, Args)]
pub struct ServeArgs {
    /// The port on this machine.
    #[arg(long, value_name = "PORT", default_value_t = 7878)]
    port: u16,
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
    /// Folder in which games are saved [default: alfil in the user's data folder].
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
}

/// Why the page cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The games cannot be opened.
    #[error("{0}; choose another folder with --data FOLDER")]
    Store(SessionError),
    /// The port cannot be opened.
    #[error("cannot open port {port} on this machine: {error}; choose another port with --port")]
    Port {
        /// The port.
        port: u16,
        /// The reason.
        error: io::Error,
    },
    /// The server cannot be started, or the address not be shown.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl ServeArgs {
    /// Serves the page until the process ends. `show_line` shows the address of the page when it can be opened.
    ///
    /// # Errors
    /// Returns an error if the games or the port cannot be opened, or the listener fails.
    pub fn run(
        &self,
        engines: Option<Arc<dyn ExternalEngines>>,
        show_line: impl FnOnce(&str) -> io::Result<()>,
    ) -> Result<(), ServeError> {
        let folder = self.data.clone().map_or_else(data_folder, Ok).map_err(ServeError::Store)?;
        let store = Store::open(&folder).map_err(ServeError::Store)?;
        let runtime = tokio::runtime::Runtime::new()?;
        runtime.block_on(async {
            let port_error = |error| ServeError::Port { port: self.port, error };
            let mut server = Server::bind(self.port, store).await.map_err(port_error)?;
            if let Some(engines) = engines {
                server = server.with_engines(engines);
            }
            show_line(&format!("Alfil is at {}  (press Ctrl-C to stop)", server.url()))?;
            if self.open {
                server.open_browser();
            }
            Ok(server.run().await?)
        })
    }
}
