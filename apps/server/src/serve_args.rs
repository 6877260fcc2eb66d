//! The options of `alfil serve` and of the program `alfil-server`, and the run of both.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use alfil_session::SessionError;
use clap::Args;

use crate::store::data_folder;
use crate::{AccessToken, ExternalEngines, Server, Store};

/// The number of threads for requests that wait for the disk or for another process; further requests take turns.
const MAX_WAITING_THREADS: usize = 32;

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
    /// The token cannot be read or written.
    #[error(
        "cannot keep the token of the page in {folder}: {error}; choose another folder with --data FOLDER"
    )]
    Token {
        /// The data folder.
        folder: String,
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
    /// Returns an error if the games, the token or the port cannot be opened.
    pub fn run(
        &self,
        engines: Option<Arc<dyn ExternalEngines>>,
        show_line: impl FnOnce(&str) -> io::Result<()>,
    ) -> Result<(), ServeError> {
        let folder = self.data.clone().map_or_else(data_folder, Ok).map_err(ServeError::Store)?;
        let store = Store::open(&folder).map_err(ServeError::Store)?;
        let token_error = |error| ServeError::Token { folder: folder.display().to_string(), error };
        let token = AccessToken::of_folder(&folder).map_err(token_error)?;
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            // External engines have one each as long as they search.
            .max_blocking_threads(2 * processors + MAX_WAITING_THREADS)
            .build()?;
        runtime.block_on(async {
            let port_error = |error| ServeError::Port { port: self.port, error };
            let mut server = Server::bind(self.port, store, token).await.map_err(port_error)?;
            if let Some(engines) = engines {
                server = server.with_engines(engines);
            }
            show_line(&format!("Alfil is at {}  (press Ctrl-C to stop)", server.url()))?;
            if self.open {
                server.open_browser();
            }
            server.run().await;
            Ok(())
        })
    }
}
