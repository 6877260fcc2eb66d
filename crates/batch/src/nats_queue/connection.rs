//! The connection to a NATS server.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use async_nats::connection::State;
use async_nats::jetstream::context::{ContextBuilder, RequestErrorKind};
use async_nats::jetstream::response::Response;
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectError, ConnectErrorKind, ConnectOptions, Event, ServerAddr, rustls};
use percent_encoding::percent_decode_str;

use super::keys::WorkerKey;
use crate::queue::QueueError;

/// The time to wait for an answer of the server.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);
/// The longest time between two attempts to reach a lost server.
const MAX_RECONNECT_DELAY: Duration = Duration::from_secs(5);
/// The time to wait before a request is repeated.
pub(super) const RETRY_DELAY: Duration = Duration::from_millis(500);
/// The time between two signs of life that the server has to answer. After three without an answer the connection is
/// lost, though nothing has closed it.
const PING_INTERVAL: Duration = Duration::from_secs(2);
/// A request that a connected server refuses so many times in a row is an error.
pub(super) const MAX_REFUSALS: u32 = 20;

/// Receives notes for the user: a lost server, a build that is refused.
pub type OnNote = Arc<dyn Fn(String) + Send + Sync>;

/// How to reach a NATS server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NatsOptions {
    /// The address: `nats://host`, `nats://user:password@host:4222`, `nats://token@host` or `tls://host`.
    pub url: String,
    /// The password, if the address has only a user.
    pub password: Option<String>,
    /// A file with credentials (JWT and key).
    pub credentials: Option<PathBuf>,
    /// A file with the certificates of authorities to trust, instead of those of the system.
    pub tls_ca: Option<PathBuf>,
    /// The key of this worker, with which it signs its reports. The server knows it by the key if the address has no
    /// user.
    pub key: Option<WorkerKey>,
    /// The name of this process in the lists of the server.
    pub name: String,
}

impl NatsOptions {
    /// Returns the name of this worker: that of its key, or that of its process.
    pub fn worker_name(&self) -> &str {
        self.key.as_ref().map_or(self.name.as_str(), WorkerKey::name)
    }
}

/// Returns an address without user and password.
///
/// ```
/// use alfil_batch::nats_queue::display_address;
///
/// assert_eq!(display_address("nats://anna:secret@host:4222"), "nats://host:4222");
/// ```
pub fn display_address(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("nats", url));
    let host = rest.rsplit('@').next().unwrap_or(rest);
    format!("{scheme}://{host}")
}

/// A connection that reconnects by itself.
#[derive(Clone)]
pub(super) struct Connection {
    pub(super) client: Client,
    pub(super) context: Context,
    /// The address without user and password.
    pub(super) address: String,
    pub(super) on_note: OnNote,
    /// The number of times that the server was lost and found again.
    reconnections: Arc<AtomicU64>,
}

impl Connection {
    /// Connects, and checks that the server has JetStream.
    pub(super) async fn open(options: &NatsOptions, on_note: &OnNote) -> Result<Connection, QueueError> {
        let address = display_address(&options.url);
        let failed = |what: String| QueueError::Server { address: address.clone(), what };
        let invalid = |error: std::io::Error| failed(format!("the address is wrong: {error}"));
        let server: ServerAddr = options.url.parse().map_err(invalid)?;
        let reconnections = Arc::new(AtomicU64::new(0));
        let on_event = event_handler(address.clone(), on_note.clone(), reconnections.clone());
        let mut connect = ConnectOptions::new()
            .name(&options.name)
            .connection_timeout(REQUEST_TIMEOUT)
            .request_timeout(Some(REQUEST_TIMEOUT))
            .ping_interval(PING_INTERVAL)
            .reconnect_delay_callback(reconnect_delay)
            .event_callback(on_event)
            .require_tls(server.tls_required() || options.tls_ca.is_some());
        let decode = |text: &str| match percent_decode_str(text).decode_utf8() {
            Ok(text) => Ok(text.into_owned()),
            Err(_) => Err(failed("user or password is not UTF-8".into())),
        };
        if let Some(user) = server.username() {
            let user = decode(user)?;
            let password = server.password().map(decode).transpose()?;
            connect = match password.or_else(|| options.password.clone()) {
                Some(password) => connect.user_and_password(user, password),
                None => connect.token(user),
            };
        }
        if let Some(path) = &options.credentials {
            let read = connect.credentials_file(path).await;
            connect = read.map_err(|error| QueueError::File { path: path.clone(), error })?;
        }
        if let Some(key) =
            options.key.as_ref().filter(|_| !server.has_user_pass() && options.credentials.is_none())
        {
            connect = connect.nkey(key.seed().to_owned());
        }
        if let Some(path) = &options.tls_ca {
            // The client library reports a missing file as a lost connection.
            check_certificates(path)?;
            connect = connect.add_root_certificates(path.clone());
        }
        let client = connect.connect(server).await.map_err(|error| failed(describe(&error)))?;
        let context = ContextBuilder::new().timeout(REQUEST_TIMEOUT).ack_timeout(REQUEST_TIMEOUT);
        let context = context.build(client.clone());
        let connection =
            Connection { client, context, address: address.clone(), on_note: on_note.clone(), reconnections };
        connection.check_jetstream().await?;
        Ok(connection)
    }

    /// Checks that the account may use JetStream. A server that has just started may need a moment.
    async fn check_jetstream(&self) -> Result<(), QueueError> {
        let mut refusals = 0;
        loop {
            // The fields of the answer depend on the version of the server; only errors matter.
            let answer: Result<Response<serde_json::Value>, _> = self.context.request("INFO", &()).await;
            let what = match answer {
                Ok(Response::Ok(_)) => return Ok(()),
                Ok(Response::Err { error }) if is_disabled(&error) => no_jetstream(),
                Ok(Response::Err { error }) => error.to_string(),
                Err(error) if error.kind() == RequestErrorKind::NoResponders => no_jetstream(),
                Err(error) => error.to_string(),
            };
            refusals += 1;
            if refusals >= 3 {
                return Err(self.error(what));
            }
            tokio::time::sleep(RETRY_DELAY).await;
        }
    }

    pub(super) fn is_connected(&self) -> bool {
        self.client.connection_state() == State::Connected
    }

    /// Returns the number of times that the server was lost and found again.
    pub(super) fn reconnections(&self) -> u64 {
        self.reconnections.load(Ordering::Relaxed)
    }

    pub(super) fn note(&self, text: String) {
        (self.on_note)(text);
    }

    pub(super) fn error(&self, what: impl Into<String>) -> QueueError {
        QueueError::Server { address: self.address.clone(), what: what.into() }
    }

    /// Repeats a request until it succeeds. While the server is lost this waits; `give_up` ends it after a refusal.
    pub(super) async fn persist<T, E: std::fmt::Display, F: Future<Output = Result<T, E>>>(
        &self,
        mut request: impl FnMut() -> F,
        give_up: impl AsyncFn() -> bool,
    ) -> Result<Option<T>, QueueError> {
        let mut refusals = 0;
        loop {
            let error = match request().await {
                Ok(value) => return Ok(Some(value)),
                Err(error) => error.to_string(),
            };
            if self.is_connected() {
                refusals += 1;
                if give_up().await {
                    return Ok(None);
                }
                if refusals >= MAX_REFUSALS {
                    return Err(self.error(error));
                }
            } else {
                refusals = 0;
            }
            tokio::time::sleep(RETRY_DELAY).await;
        }
    }
}

/// Checks that a file has certificates in the PEM format.
fn check_certificates(path: &Path) -> Result<(), QueueError> {
    const BEGIN: &[u8] = b"-----BEGIN CERTIFICATE-----";
    let bytes = std::fs::read(path).map_err(|error| QueueError::File { path: path.to_owned(), error })?;
    if bytes.windows(BEGIN.len()).any(|window| window == BEGIN) {
        return Ok(());
    }
    let what = "it has no certificate: a PEM file has the line -----BEGIN CERTIFICATE-----".to_owned();
    Err(QueueError::Damaged { path: path.to_owned(), what })
}

fn no_jetstream() -> String {
    "it has no JetStream for this user: start nats-server with -js".into()
}

fn is_disabled(error: &jetstream::Error) -> bool {
    use jetstream::ErrorCode;
    [ErrorCode::JETSTREAM_NOT_ENABLED, ErrorCode::JETSTREAM_NOT_ENABLED_FOR_ACCOUNT]
        .contains(&error.error_code())
}

fn reconnect_delay(attempt: usize) -> Duration {
    Duration::from_millis(100 * attempt.min(100) as u64).min(MAX_RECONNECT_DELAY)
}

/// Returns the function that receives the events of a connection: it counts reconnections and reports them.
fn event_handler(
    address: String,
    on_note: OnNote,
    reconnections: Arc<AtomicU64>,
) -> impl Fn(Event) -> std::future::Ready<()> + Send + Sync {
    let is_lost = AtomicBool::new(false);
    move |event| {
        match event {
            Event::Disconnected if !is_lost.swap(true, Ordering::Relaxed) => {
                on_note(format!("{address}: the connection is lost; waiting for the server"));
            }
            Event::Connected if is_lost.swap(false, Ordering::Relaxed) => {
                reconnections.fetch_add(1, Ordering::Relaxed);
                on_note(format!("{address}: connected again"));
            }
            Event::ServerError(error) => on_note(format!("{address}: {error}")),
            _ => {}
        }
        std::future::ready(())
    }
}

/// Describes why there is no connection, and what to do.
fn describe(error: &ConnectError) -> String {
    let source = std::error::Error::source(error).map_or(String::new(), |source| format!(" ({source})"));
    match error.kind() {
        ConnectErrorKind::Dns => format!("there is no machine of this name{source}"),
        ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
            "it refuses the user: give user and password in the address, --creds FILE or --key FILE".into()
        }
        _ if is_tls_error(error) => {
            format!("the TLS connection failed{source}; --tls-ca FILE names the authority of its certificate")
        }
        ConnectErrorKind::TimedOut => "it does not answer; is the address right, and the port open?".into(),
        _ => format!("it cannot be reached{source}; is nats-server running there?"),
    }
}

/// Returns whether TLS is the cause. The client library reports a refused certificate as an error of the connection.
fn is_tls_error(error: &ConnectError) -> bool {
    let source = std::error::Error::source(error).and_then(|source| source.downcast_ref::<std::io::Error>());
    let is_rustls =
        source.and_then(|source| source.get_ref()).is_some_and(|cause| cause.is::<rustls::Error>());
    is_rustls || error.kind() == ConnectErrorKind::Tls
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_its_password() {
        assert_eq!(display_address("nats://ann:s@cret@host:4222"), "nats://host:4222");
        assert_eq!(display_address("tls://host"), "tls://host");
        assert_eq!(display_address("host:1"), "nats://host:1");
    }
}
