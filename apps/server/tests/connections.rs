//! Connections that other programs leave open.

use std::time::Duration;

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::common::{TIMEOUT, TestClient, fetch, start_server};

/// More connections than the server has at once without a WebSocket.
const HALF_OPEN: usize = 300;
/// Less than the time after which a half-open connection ends.
const SOON: Duration = Duration::from_secs(4);

/// Opens connections that send the beginning of a request, if any.
async fn open_connections(port: u16, count: usize, beginning: &str) -> Vec<TcpStream> {
    let mut streams = Vec::new();
    for _ in 0..count {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).await.expect("a connection");
        stream.write_all(beginning.as_bytes()).await.expect("a beginning");
        streams.push(stream);
    }
    streams
}

#[tokio::test]
async fn half_open_connections_end_and_windows_that_sleep_stay() {
    let port = start_server().await;
    let mut sleeping = TestClient::with_game(port, "chess").await;
    for beginning in ["", "GET / HTTP/1.1\r\nHost: 127.0.0.1"] {
        let mut streams = open_connections(port, 20, beginning).await;
        for stream in &mut streams {
            // The server may say why.
            let ended = timeout(TIMEOUT, stream.read_to_end(&mut Vec::new())).await;
            assert!(ended.is_ok(), "a connection that sends {beginning:?} stays open");
        }
    }
    // The window has been silent for longer than a connection may.
    assert!(sleeping.play("e2e4").await["error"].is_null());
}

#[tokio::test]
async fn a_connection_between_two_requests_ends() {
    let port = start_server().await;
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let request = format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    timeout(TIMEOUT, stream.read_to_end(&mut Vec::new())).await.expect("the end of the connection").unwrap();
}

#[tokio::test]
async fn the_page_comes_while_another_program_holds_connections() {
    let port = start_server().await;
    let streams = open_connections(port, HALF_OPEN, "").await;
    let response = timeout(SOON, fetch(port, "/")).await.expect("the page without a wait");
    assert!(response.starts_with("HTTP/1.1 200"), "{response}");
    drop(streams);
    let mut page = TestClient::with_game(port, "chess").await;
    assert!(page.request(json!({"do": "play", "text": "e2e4"})).await["error"].is_null());
}
