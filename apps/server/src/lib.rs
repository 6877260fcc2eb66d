//! The web server: the page over HTTP, game sessions over a WebSocket.
//!
//! `GET /` returns the page and `/book/` the documents, which are embedded in the program; `/ws` is the WebSocket of
//! the page. A connection has one open game. The page sends requests with an `id` and what to `do`; every request gets
//! a response with its `id`, and search results arrive as messages with an `event`. See [`alfil_page::wire`] for the
//! messages. Games are saved in a [`store`].
//!
//! The server listens on 127.0.0.1 only and rejects requests with the `Host` or `Origin` of another site, so that other
//! sites in the same browser cannot control it. Other users of the machine have no [`AccessToken`].

mod access;
mod connections;
mod external_engines;
mod group_sync;
mod host;
mod page;
mod search_queue;
mod search_tables;
mod serve_args;
mod socket;
pub mod store;
mod watchers;

use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State, WebSocketUpgrade};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tower_http::compression::CompressionLayer;

pub use access::AccessToken;
pub use external_engines::{ExternalEngines, ExternalSearch};
pub use serve_args::{ServeArgs, ServeError};
pub use store::{Store, data_folder};

use access::Access;
use alfil_page::{EngineNames, PageEnvironment};
use connections::ConnectionLimits;
use search_tables::SearchTables;

/// The path of the WebSocket.
const SOCKET_PATH: &str = "/ws";
/// The port of an HTTP address without one.
const HTTP_PORT: u16 = 80;
/// The number of sessions that keep the table of a search which has ended, beside those that search.
const MAX_IDLE_TABLES: usize = 1;
/// The maximal size of a message from the page.
const MAX_MESSAGE_BYTES: usize = 8 << 20;

/// The state that all connections share.
#[derive(Clone, Debug)]
struct Shared {
    port: u16,
    store: Store,
    /// A permit per processor; further searches wait.
    search_permits: Arc<Semaphore>,
    search_tables: SearchTables,
    /// A permit per WebSocket; further ones are refused.
    socket_permits: Arc<Semaphore>,
    access: Access,
    environment: PageEnvironment,
    engines: Option<Arc<dyn ExternalEngines>>,
}

/// A server that is bound to its port.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    port: u16,
    store: Store,
    access: Access,
    engines: Option<Arc<dyn ExternalEngines>>,
}

impl Server {
    /// Binds a port on this machine; port 0 selects a free one. Browsers need the token.
    ///
    /// # Errors
    /// If the port is in use or not permitted.
    pub async fn bind(port: u16, store: Store, token: AccessToken) -> io::Result<Server> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let port = listener.local_addr()?.port();
        Ok(Server { listener, port, store, access: Access::new(token, port), engines: None })
    }

    /// Offers external engines to the page.
    #[must_use]
    pub fn with_engines(self, engines: Arc<dyn ExternalEngines>) -> Server {
        Server { engines: Some(engines), ..self }
    }

    /// Returns the port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Returns the address of the page, with the token.
    pub fn url(&self) -> String {
        format!("{}{}", self.address("/"), self.access.query())
    }

    /// Returns the address of the WebSocket, with the token.
    pub fn socket_url(&self) -> String {
        format!("{}{}", self.address(SOCKET_PATH).replacen("http", "ws", 1), self.access.query())
    }

    fn address(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// Opens the page in the browser; without a browser nothing happens.
    pub fn open_browser(&self) {
        if let Ok(query) = self.access.single_use_query() {
            let _ = open::that_detached(format!("{}{query}", self.address("/")));
        }
    }

    /// Serves until the process ends.
    pub async fn run(self) {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let search_permits = Arc::new(Semaphore::new(processors));
        let search_tables = SearchTables::new(processors + MAX_IDLE_TABLES);
        let limits = ConnectionLimits::of_process();
        let socket_permits = Arc::new(Semaphore::new(limits.sockets));
        let mut environment = PageEnvironment::new(host::HOST, Arc::new(self.store.clone()));
        if let Some(engines) = self.engines.clone() {
            environment = environment.with_engines(EngineNames(Arc::new(move |game| engines.names(game))));
        }
        let Server { listener, port, store, access, engines } = self;
        let shared = Shared {
            port,
            store,
            search_permits,
            search_tables,
            socket_permits,
            access,
            environment,
            engines,
        };
        let router = Router::new()
            .route(SOCKET_PATH, any(upgrade))
            .fallback(get(page::serve))
            .layer(CompressionLayer::new())
            .layer(middleware::from_fn_with_state(shared.clone(), guard))
            .layer(middleware::map_response(page::protect))
            .with_state(shared);
        connections::serve(listener, router, limits).await;
    }
}

/// Rejects requests that do not come from the page itself, or from a browser without the token.
async fn guard(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    let is_socket = request.uri().path() == SOCKET_PATH;
    let mut response = if !is_own_page(request.headers(), shared.port) {
        (StatusCode::FORBIDDEN, "Only Alfil's own page may send requests.\n").into_response()
    } else if let Some(response) = shared.access.response(request.uri(), request.headers(), is_socket) {
        response
    } else {
        return next.run(request).await;
    };
    // Programs without the token keep no connection.
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}

fn is_own_page(headers: &HeaderMap, port: u16) -> bool {
    let mut own_hosts = vec![format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    if port == HTTP_PORT {
        // Browsers omit the default port.
        own_hosts.extend(["127.0.0.1".into(), "localhost".into()]);
    }
    let is_own = |text: &str| own_hosts.iter().any(|name| name == text);
    // Programs differ in which of two headers counts.
    let values =
        |name| headers.get_all(name).iter().map(|value: &HeaderValue| value.to_str().unwrap_or_default());
    let hosts: Vec<_> = values(header::HOST).collect();
    let is_own_origin = |origin: &str| origin.strip_prefix("http://").is_some_and(is_own);
    matches!(hosts[..], [host] if is_own(host)) && values(header::ORIGIN).all(is_own_origin)
}

async fn upgrade(State(shared): State<Shared>, socket: WebSocketUpgrade) -> Response {
    let Ok(permit) = shared.socket_permits.clone().try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "Too many windows have the page open: close some.\n")
            .into_response();
    };
    socket
        .max_message_size(MAX_MESSAGE_BYTES)
        .on_upgrade(|socket| socket::serve_client(socket, shared, permit))
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

    #[test]
    fn two_headers_of_one_name_are_rejected() {
        for (name, second) in [(header::HOST, "evil.example"), (header::HOST, "127.0.0.1:7878")] {
            let mut twice = headers("127.0.0.1:7878", None);
            twice.append(name, second.parse().unwrap());
            assert!(!is_own_page(&twice, 7878), "{second}");
        }
        let mut origins = headers("127.0.0.1:7878", Some("http://127.0.0.1:7878"));
        origins.append(header::ORIGIN, "http://evil.example".parse().unwrap());
        assert!(!is_own_page(&origins, 7878));
    }
}
