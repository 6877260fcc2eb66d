//! The connections of the server. Each may wait for a request, and be open without a WebSocket, for a limited time, and
//! their number is limited, so that connections that other programs leave open do not lock the page out.

use std::collections::VecDeque;
use std::io::ErrorKind;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::AbortHandle;
use tokio::time::{sleep, timeout};

/// How long the head of a request may take, and a connection be idle between two requests.
const HEADER_TIMEOUT: Duration = Duration::from_secs(5);
/// The age at which a connection takes no more requests.
const MAX_AGE: Duration = Duration::from_secs(60);
/// How long the last response of a connection may take.
const LAST_RESPONSE_TIMEOUT: Duration = Duration::from_secs(30);
/// The pause after a connection that could not be accepted, because the process has no more files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// The maximal number of connections without a WebSocket; a browser has six.
const MAX_REQUEST_CONNECTIONS: usize = 64;
/// The maximal number of WebSockets: a window of a browser each.
const MAX_SOCKETS: usize = 1024;
/// The number of open files that the process wishes to have.
const WANTED_FILES: u64 = 4096;

/// The maximal numbers of connections.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConnectionLimits {
    /// Connections without a WebSocket: further ones wait.
    requests: usize,
    /// WebSockets: further ones are refused.
    pub(crate) sockets: usize,
}

impl ConnectionLimits {
    /// Returns the limits for this process, which raises its limit of open files.
    pub(crate) fn of_process() -> ConnectionLimits {
        ConnectionLimits::for_files(usize::try_from(raise_file_limit()).unwrap_or(usize::MAX))
    }

    /// Leaves at least a quarter of the open files to the store and to external engines.
    fn for_files(files: usize) -> ConnectionLimits {
        ConnectionLimits {
            requests: MAX_REQUEST_CONNECTIONS.min(files / 4).max(1),
            sockets: MAX_SOCKETS.min(files / 2).max(1),
        }
    }
}

/// Raises the limit of open files to what the system allows, at most to [`WANTED_FILES`]; returns it.
#[cfg(unix)]
fn raise_file_limit() -> u64 {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let current = current.unwrap_or(u64::MAX);
    let wanted = WANTED_FILES.min(maximum.unwrap_or(u64::MAX));
    let is_raised =
        current < wanted && setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum }).is_ok();
    if is_raised { wanted } else { current }
}

#[cfg(not(unix))]
fn raise_file_limit() -> u64 {
    WANTED_FILES
}

/// Serves the connections of a listener for ever.
pub(crate) async fn serve(listener: TcpListener, router: Router, limits: ConnectionLimits) {
    let permits = Arc::new(Semaphore::new(limits.requests));
    let mut silent: VecDeque<SilentConnection> = VecDeque::new();
    loop {
        let stream = accept(&listener).await;
        silent.retain(|connection| !connection.task.is_finished() && !connection.has_request.load(Relaxed));
        if permits.available_permits() == 0
            && let Some(oldest) = silent.pop_front()
        {
            oldest.task.abort();
        }
        // If all have sent requests, the next one waits. The semaphore is never closed.
        let Ok(permit) = permits.clone().acquire_owned().await else { return };
        let has_request = Arc::new(AtomicBool::new(false));
        let task = tokio::spawn(serve_connection(stream, router.clone(), has_request.clone(), permit));
        silent.push_back(SilentConnection { task: task.abort_handle(), has_request });
    }
}

/// A connection that has not sent the head of a request yet: the oldest ends when there are too many.
struct SilentConnection {
    task: AbortHandle,
    has_request: Arc<AtomicBool>,
}

async fn accept(listener: &TcpListener) -> TcpStream {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return stream,
            // The other side has given up.
            Err(error)
                if matches!(
                    error.kind(),
                    ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset | ErrorKind::ConnectionRefused
                ) => {}
            Err(_) => sleep(ACCEPT_PAUSE).await,
        }
    }
}

/// Serves a connection, until it ends or becomes a WebSocket, which needs no permit.
async fn serve_connection(
    stream: TcpStream,
    router: Router,
    has_request: Arc<AtomicBool>,
    _permit: OwnedSemaphorePermit,
) {
    // Short messages follow each other closely: none waits until the page has acknowledged the one before.
    let _ = stream.set_nodelay(true);
    let answers = TowerToHyperService::new(router);
    let answers = service_fn(move |request| {
        has_request.store(true, Relaxed);
        answers.call(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .serve_connection(TokioIo::new(stream), answers)
        .with_upgrades();
    let mut connection = pin!(connection);
    // A connection that fails has ended.
    if timeout(MAX_AGE, connection.as_mut()).await.is_err() {
        connection.as_mut().graceful_shutdown();
        let _ = timeout(LAST_RESPONSE_TIMEOUT, connection).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_open_files_are_not_all_for_connections() {
        for files in [1, 64, 256, 1024, 4096, usize::MAX] {
            let ConnectionLimits { requests, sockets } = ConnectionLimits::for_files(files);
            assert!(requests > 0 && sockets > 0);
            assert!(files < 4 || requests + sockets <= files / 4 * 3, "{files}: {requests} and {sockets}");
        }
    }
}
