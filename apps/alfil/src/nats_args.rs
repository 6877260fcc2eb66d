//! How to reach a NATS server: the options that `alfil analyse` and `alfil worker` share.

use std::path::PathBuf;

use alfil_batch::nats_queue::{NatsOptions, WorkerKey};
use clap::Args;

use crate::errors::Failure;

/// The environment variable with the password, which the list of processes would show in an address.
const PASSWORD_VARIABLE: &str = "ALFIL_NATS_PASSWORD";

/// The options of a connection.
#[derive(Debug, Args)]
pub(crate) struct NatsArgs {
    /// File with the credentials of a NATS user.
    #[arg(long, value_name = "FILE")]
    creds: Option<PathBuf>,
    /// File with the authorities whose TLS certificates to trust [default: those of the system].
    #[arg(long, value_name = "FILE")]
    tls_ca: Option<PathBuf>,
}

impl NatsArgs {
    /// Returns how to reach the server with this address, for a worker with its key.
    pub(crate) fn options(&self, url: &str, key: Option<WorkerKey>) -> NatsOptions {
        NatsOptions {
            url: url.to_owned(),
            password: std::env::var(PASSWORD_VARIABLE).ok().filter(|password| !password.is_empty()),
            credentials: self.creds.clone(),
            tls_ca: self.tls_ca.clone(),
            key,
            name: process_name(),
        }
    }

    /// Checks that no option is given, for a queue that is not on a NATS server.
    ///
    /// # Errors
    /// If one is given.
    pub(crate) fn refuse(&self) -> Result<(), Failure> {
        match self {
            NatsArgs { creds: None, tls_ca: None } => Ok(()),
            _ => Err(Failure::Usage("--creds and --tls-ca are for a queue such as nats://host".into())),
        }
    }
}

/// Returns whether a text is the address of a NATS server.
pub(crate) fn is_nats_url(text: &str) -> bool {
    text.starts_with("nats://") || text.starts_with("tls://")
}

/// Returns the name of this process: machine and process number.
pub(crate) fn process_name() -> String {
    format!("{}-{}", machine_name(), std::process::id())
}

#[cfg(unix)]
fn machine_name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[cfg(not(unix))]
fn machine_name() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_else(|_| "machine".into())
}
