//! A server, and a page as it meets it: over a real socket.

// Every test file uses a part of this.
#![allow(dead_code, unreachable_pub)]

use std::time::Duration;

use alfil_server::{Server, Store};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// How long a test waits for a message that must come; it fails only where the server hangs.
pub const TIMEOUT: Duration = Duration::from_secs(60);

/// A running server's port.
pub async fn start_server() -> u16 {
    start_server_with(Store::in_memory().expect("memory")).await
}

/// A running server's port, its games in a store.
pub async fn start_server_with(store: Store) -> u16 {
    let server = Server::bind(0, store).await.expect("a free port");
    let port = server.url().trim_end_matches('/').rsplit(':').next().unwrap().parse().unwrap();
    tokio::spawn(server.run());
    port
}

/// The moves on the road to the position of an answer.
pub fn moves_to_position(answer: &Value) -> Value {
    let tree = answer["tree"].as_array().expect("a tree");
    let find = |node: &Value| tree.iter().find(|one| one["node"] == *node).expect("a node of the tree");
    let mut moves = Vec::new();
    let mut node = find(&answer["node"]);
    while node["node"] != json!(0) {
        moves.push(node["text"].clone());
        node = find(&node["parent"]);
    }
    moves.reverse();
    Value::from(moves)
}

/// A page at its socket.
pub struct TestClient {
    pub socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    last_id: u64,
}

impl TestClient {
    pub async fn open(port: u16) -> TestClient {
        let (socket, _) = connect_async(format!("ws://127.0.0.1:{port}/ws")).await.expect("a socket");
        TestClient { socket, last_id: 0 }
    }

    /// A page that has started a game.
    pub async fn with_game(port: u16, game: &str) -> TestClient {
        let mut page = TestClient::open(port).await;
        let answer = page.request(json!({"do": "new", "game": game})).await;
        assert!(answer["error"].is_null(), "{answer}");
        page
    }

    pub async fn send(&mut self, text: impl Into<String>) {
        self.socket.send(Message::text(text.into())).await.expect("it listens");
    }

    pub async fn receive(&mut self) -> Value {
        loop {
            let message = tokio::time::timeout(TIMEOUT, self.socket.next()).await.expect("it does not hang");
            match message.expect("it goes on").expect("it speaks") {
                Message::Text(text) => return serde_json::from_str(&text).expect("JSON"),
                Message::Close(_) => panic!("it closed"),
                _ => {}
            }
        }
    }

    /// The answer to a question; the events before it are left out.
    pub async fn request(&mut self, mut deed: Value) -> Value {
        self.last_id += 1;
        deed["id"] = json!(self.last_id);
        self.send(deed.to_string()).await;
        loop {
            let message = self.receive().await;
            if message["event"].is_null() && message["id"] == json!(self.last_id) {
                return message;
            }
        }
    }

    pub async fn play(&mut self, text: &str) -> Value {
        self.request(json!({"do": "play", "text": text})).await
    }
}
