//! The page's door: HTTP and a WebSocket over the hall.
//!
//! `GET /` gives the page, which is embedded in the program; `/ws` is the socket on which it plays. A connection has one
//! game before it. The page sends objects with an `id` and what to `do`; every one is answered with its `id`, and what a
//! thinking desk finds out comes in between with an `event`. See [`wire`] for the shapes. Games are kept in a [`store`].
//!
//! The server listens on 127.0.0.1 only, and answers only requests whose `Host` is itself and whose `Origin`, if there is
//! one, is itself: no other site in the same browser can drive it.

mod client_session;
mod import_export;
mod open_game;
mod page;
mod request_error;
mod review;
mod search_queue;
mod socket;
pub mod store;
pub mod text_tree;
mod tree_clock;
pub mod wire;

use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State, WebSocketUpgrade};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

pub use store::Store;

/// The port that an address without one means.
const HTTP_PORT: u16 = 80;
/// The largest message a page may send, in bytes.
const MAX_MESSAGE_BYTES: usize = 8 << 20;

/// What all connections share.
#[derive(Clone, Debug)]
struct Shared {
    port: u16,
    store: Store,
    /// One permit a processor: more games than that think one after another.
    search_permits: Arc<Semaphore>,
}

/// A server that has its port.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    port: u16,
    store: Store,
}

impl Server {
    /// Takes a port of this machine, and the games it keeps; port 0 takes any that is free.
    ///
    /// # Errors
    /// If the port is taken, or may not be.
    pub async fn bind(port: u16, store: Store) -> io::Result<Server> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let port = listener.local_addr()?.port();
        Ok(Server { listener, port, store })
    }

    /// The page's address.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Opens the page in the browser, if there is one; without one the address is still there to type.
    pub fn open_browser(&self) {
        let _ = open::that_detached(self.url());
    }

    /// Serves until the process ends.
    ///
    /// # Errors
    /// If the listener fails.
    pub async fn run(self) -> io::Result<()> {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let thinkers = Arc::new(Semaphore::new(processors));
        let shared = Shared { port: self.port, store: self.store, search_permits: thinkers };
        let router = Router::new()
            .route("/ws", any(upgrade))
            .fallback(get(page::serve))
            .layer(middleware::from_fn_with_state(shared.clone(), guard))
            .with_state(shared);
        axum::serve(self.listener, router).await
    }
}

/// Refuses what does not come from the page itself.
async fn guard(State(shared): State<Shared>, request: Request, next: Next) -> Response {
    if is_own_page(request.headers(), shared.port) {
        next.run(request).await
    } else {
        (StatusCode::FORBIDDEN, "Alfil answers its own page only.\n").into_response()
    }
}

fn is_own_page(headers: &HeaderMap, port: u16) -> bool {
    let mut own = vec![format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    if port == HTTP_PORT {
        // Browsers leave out the port that everybody expects.
        own.extend(["127.0.0.1".into(), "localhost".into()]);
    }
    let text =
        |name| headers.get(name).map(|value: &axum::http::HeaderValue| value.to_str().unwrap_or_default());
    let host = text(header::HOST).is_some_and(|host| own.iter().any(|name| name == host));
    let origin = text(header::ORIGIN).is_none_or(|origin| {
        origin.strip_prefix("http://").is_some_and(|origin| own.iter().any(|name| name == origin))
    });
    host && origin
}

async fn upgrade(State(shared): State<Shared>, socket: WebSocketUpgrade) -> Response {
    socket
        .max_message_size(MAX_MESSAGE_BYTES)
        .on_upgrade(|socket| socket::serve_client(socket, shared.search_permits, shared.store))
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
    fn only_the_page_itself_is_answered() {
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
