//! A test server and a client with a real WebSocket.

pub(crate) mod games;

use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::time::Duration;

use alfil_server::{AccessToken, Server, Store};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// The timeout for expected messages; only a server that hangs takes so long.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(60);

/// The token of all servers of the tests.
static TOKEN: LazyLock<AccessToken> = LazyLock::new(|| AccessToken::random().expect("random numbers"));

/// Returns the token as a query of an address.
pub(crate) fn token_query() -> String {
    format!("?token={}", TOKEN.as_str())
}

/// Returns the header with which a browser sends its cookie.
pub(crate) fn cookie(port: u16) -> String {
    format!("Cookie: other=1; alfil-{port}={}", TOKEN.as_str())
}

/// Returns the response to a request of a browser with the cookie, as text.
pub(crate) async fn fetch(port: u16, path: &str) -> String {
    fetch_with(port, path, &[&cookie(port)]).await
}

/// Returns the response to a request with these headers beside `Host`, as text.
pub(crate) async fn fetch_with(port: u16, path: &str, headers: &[&str]) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.expect("a server");
    let host = format!("Host: 127.0.0.1:{port}");
    let lines = [&[&*host, "Connection: close"], headers].concat().join("\r\n");
    let request = format!("GET {path} HTTP/1.1\r\n{lines}\r\n\r\n");
    stream.write_all(request.as_bytes()).await.expect("a request");
    let mut response = Vec::new();
    stream.read_to_end(&mut response).await.expect("a response");
    String::from_utf8_lossy(&response).into_owned()
}

/// Starts a server and returns its port.
pub(crate) async fn start_server() -> u16 {
    start_server_with(Store::in_memory().expect("a store")).await
}

/// Starts a server with a store and returns its port.
pub(crate) async fn start_server_with(store: Store) -> u16 {
    let server = Server::bind(0, store, TOKEN.clone()).await.expect("a free port");
    let port = server.port();
    tokio::spawn(server.run());
    port
}

/// Returns the moves that lead to the current position of a response.
pub(crate) fn moves_to_position(response: &Value) -> Value {
    let tree = response["tree"].as_array().expect("a tree");
    let find =
        |node: &Value| tree.iter().find(|candidate| candidate["node"] == *node).expect("a node of the tree");
    let mut moves = Vec::new();
    let mut node = find(&response["node"]);
    while node["node"] != json!(0) {
        moves.push(node["text"].clone());
        node = find(&node["parent"]);
    }
    moves.reverse();
    Value::from(moves)
}

/// Expects a response without an error.
#[track_caller]
pub(crate) fn expect_ok(response: Value) -> Value {
    assert!(response["error"].is_null(), "{response}");
    response
}

/// A client with a WebSocket.
pub(crate) struct TestClient {
    pub socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    last_id: u64,
    /// The moves of the open game by id, as the page keeps them.
    nodes: BTreeMap<u64, Value>,
}

impl TestClient {
    pub(crate) async fn open(port: u16) -> TestClient {
        TestClient::connect(&format!("ws://127.0.0.1:{port}/ws{}", token_query())).await
    }

    /// Connects a client to the address of a WebSocket.
    pub(crate) async fn connect(address: &str) -> TestClient {
        let (socket, _) = connect_async(address).await.expect("a socket");
        TestClient { socket, last_id: 0, nodes: BTreeMap::new() }
    }

    /// Connects a client and starts a game.
    pub(crate) async fn with_game(port: u16, game: &str) -> TestClient {
        let mut page = TestClient::open(port).await;
        let response = page.request(json!({"do": "new", "game": game})).await;
        assert!(response["error"].is_null(), "{response}");
        page
    }

    /// Closes the connection, and waits until the server has ended the session.
    pub(crate) async fn close(mut self) {
        self.socket.close(None).await.expect("the server is connected");
        while tokio::time::timeout(TIMEOUT, self.socket.next()).await.expect("an end in time").is_some() {}
    }

    pub(crate) async fn send(&mut self, text: impl Into<String>) {
        self.socket.send(Message::text(text.into())).await.expect("the server is connected");
    }

    pub(crate) async fn receive(&mut self) -> Value {
        loop {
            let message = tokio::time::timeout(TIMEOUT, self.socket.next()).await.expect("a message in time");
            match message.expect("an open connection").expect("a message") {
                Message::Text(text) => {
                    return self.with_tree(serde_json::from_str(&text).expect("JSON"));
                }
                Message::Close(_) => panic!("it closed"),
                _ => {}
            }
        }
    }

    /// Takes over the moves of a message. A message with changed moves gets all moves as `tree`.
    fn with_tree(&mut self, mut message: Value) -> Value {
        let id = |node: &Value| node["node"].as_u64().expect("an id");
        if let Some(tree) = message["tree"].as_array() {
            self.nodes = tree.iter().map(|node| (id(node), node.clone())).collect();
        }
        if let Some(changed) = message["nodes"].as_array() {
            self.nodes.extend(changed.iter().map(|node| (id(node), node.clone())));
            for removed in message["removed"].as_array().into_iter().flatten() {
                self.nodes.remove(&removed.as_u64().expect("an id"));
            }
            message["tree"] = self.nodes.values().cloned().collect();
        }
        message
    }

    /// Sends a request and returns its response; skips events.
    pub(crate) async fn request(&mut self, mut request: Value) -> Value {
        self.last_id += 1;
        request["id"] = json!(self.last_id);
        self.send(request.to_string()).await;
        loop {
            let message = self.receive().await;
            if message["event"].is_null() && message["id"] == json!(self.last_id) {
                return message;
            }
        }
    }

    /// Waits for the computer's reply.
    pub(crate) async fn reply(&mut self) -> Value {
        loop {
            let message = self.receive().await;
            if message["event"] == "replied" {
                return expect_ok(message);
            }
        }
    }

    pub(crate) async fn play(&mut self, text: &str) -> Value {
        self.request(json!({"do": "play", "text": text})).await
    }
}
