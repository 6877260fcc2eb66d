//! The web server: the page over HTTP, game sessions over a WebSocket.
//!
//! `GET /` returns the page and `/book/` the documents, which are embedded in the program; `/ws` is the WebSocket of
//! the page. A connection has one open game. The page sends requests with an `id` and what to `do`; every request gets
//! a response with its `id`, and search results arrive as messages with an `event`. See [`alfil_page::wire`] for the
//! messages. Games are saved in a [`store`].
//!
//! The server listens on 127.0.0.1 only and rejects requests with the `Host` or `Origin` of another site, so that other
//! sites in the same browser cannot control it.

mod external_engines;
mod host;
mod page;
mod search_queue;
mod serve_args;
mod socket;
pub mod store;

use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State, WebSocketUpgrade};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use axum::serve::ListenerExt;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tower_http::compression::CompressionLayer;

pub use external_engines::{ExternalEngines, ExternalSearch};
pub use serve_args::{ServeArgs, ServeError};
pub use store::{Store, data_folder};

use alfil_page::{EngineNames, PageEnvironment};

/// The port of an HTTP address without one.
const HTTP_PORT: u16 = 80;
/// The maximal size of a message from the page.
const MAX_MESSAGE_BYTES: usize = 8 << 20;

/// The state that all connections share.
#[derive(Clone, Debug)]
struct Shared {
    port: u16,
    store: Store,
    /// A permit per processor; further searches wait.
    search_permits: Arc<Semaphore>,
    environment: PageEnvironment,
    engines: Option<Arc<dyn ExternalEngines>>,
}

/// A server that is bound to its port.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    port: u16,
    store: Store,
    engines: Option<Arc<dyn ExternalEngines>>,
}

impl Server {
    /// Binds a port on this machine; port 0 selects a free one.
    ///
    /// # Errors
    /// If the port is in use or not permitted.
    pub async fn bind(port: u16, store: Store) -> io::Result<Server> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let port = listener.local_addr()?.port();
        Ok(Server { listener, port, store, engines: None })
    }

    /// Offers external engines to the page.
    #[must_use]
    pub fn with_engines(self, engines: Arc<dyn ExternalEngines>) -> Server {
        Server { engines: Some(engines), ..self }
    }

    /// Returns the address of the page.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Opens the page in the browser; without a browser nothing happens.
    pub fn open_browser(&self) {
        let _ = open::that_detached(self.url());
    }

    /// Serves until the process ends.
    ///
    /// # Errors
    /// If the listener fails.
    pub async fn run(self) -> io::Result<()> {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let search_permits = Arc::new(Semaphore::new(processors));
        let mut environment = PageEnvironment::new(host::HOST, Arc::new(self.store.clone()));
        if let Some(engines) = self.engines.clone() {
            environment = environment.with_engines(EngineNames(Arc::new(move |game| engines.names(game))));
        }
        let (store, engines) = (self.store, self.engines);
        let shared = Shared { port: self.port, store, search_permits, environment, engines };
        let router = Router::new()
            .route("/ws", any(upgrade))
            .fallback(get(page::serve))
            .layer(CompressionLayer::new())
            .layer(middleware::from_fn_with_state(shared.clone(), guard))
            .with_state(shared);
        // Short messages follow each other closely: none waits until the page has acknowledged the one before.
        let listener = self.listener.tap_io(|stream| drop(stream.set_nodelay(true)));
        axum::serve(listener, router).await
    }
}

/// Rejects requests that do not come from the page itself.
async fn guard(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    if is_own_page(request.headers(), shared.port) {
        next.run(request).await
    } else {
        (StatusCode::FORBIDDEN, "Only Alfil's own page may send requests.\n").into_response()
    }
}

fn is_own_page(headers: &HeaderMap, port: u16) -> bool {
    let mut own_hosts = vec![format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    if port == HTTP_PORT {
        // Browsers omit the default port.
        own_hosts.extend(["127.0.0.1".into(), "localhost".into()]);
    }
    let text =
        |name| headers.get(name).map(|value: &axum::http::HeaderValue| value.to_str().unwrap_or_default());
    let host = text(header::HOST).is_some_and(|host| own_hosts.iter().any(|name| name == host));
    let origin = text(header::ORIGIN).is_none_or(|origin| {
        origin.strip_prefix("http://").is_some_and(|origin| own_hosts.iter().any(|name| name == origin))
    });
    host && origin
}

async fn upgrade(State(shared): State<Shared>, socket: WebSocketUpgrade) -> Response {
    socket.max_message_size(MAX_MESSAGE_BYTES).on_upgrade(|socket| socket::serve_client(socket, shared))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(host: &str, origin: Option<&str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        headers
    }

    #[test]
    fn requests_of_other_origins_are_rejected() {
        assert!(is_own_page(&headers("127.0.0.1:7878", None), 7878));
        assert!(is_own_page(&headers("localhost:7878", Some("http://localhost:7878")), 7878));
        assert!(is_own_page(&headers("127.0.0.1", Some("http://127.0.0.1")), 80));
        assert!(is_own_page(&headers("localhost:80", Some("http://localhost:80")), 80));
        assert!(!is_own_page(&headers("localhost", Some("https://localhost")), 80));
        for (host, origin) in [
            ("127.0.0.1:80", None),
            ("127.0.0.1", None),
            ("127.0.0.1:7878", Some("http://127.0.0.1")),
            ("evil.example", None),
            ("127.0.0.1:7878", Some("http://evil.example")),
            ("127.0.0.1:7878", Some("null")),
            ("127.0.0.1:7878", Some("https://127.0.0.1:7878.evil.example")),
        ] {
            assert!(!is_own_page(&headers(host, origin), 7878), "{host} {origin:?}");
        }
        assert!(!is_own_page(&HeaderMap::new(), 7878));
    }
}
