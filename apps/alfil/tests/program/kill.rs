//! `alfil serve` is killed in the middle of a game several times: no acknowledged move is lost.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use super::PROGRAM;

const KILL_COUNT: usize = 20;

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Starts the server with a data folder and connects to it.
async fn start_server(folder: &Path) -> (Child, Socket) {
    let mut child = Command::new(PROGRAM)
        .args(["serve", "--port", "0", "--data"])
        .arg(folder)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
    let address = line.split_whitespace().find(|word| word.starts_with("http")).expect("an address");
    let (socket, _) = connect_async(format!("{}ws", address.replace("http", "ws"))).await.expect("a socket");
    (child, socket)
}

async fn request(socket: &mut Socket, request: Value) -> Value {
    socket.send(Message::text(request.to_string())).await.expect("it listens");
    loop {
        if let Message::Text(text) = socket.next().await.expect("it goes on").expect("it speaks") {
            let answer: Value = serde_json::from_str(&text).expect("JSON");
            assert!(answer["error"].is_null(), "{answer}");
            return answer;
        }
    }
}

fn move_count(answer: &Value) -> usize {
    answer["tree"].as_array().expect("a tree").len() - 1
}

#[tokio::test]
async fn no_acknowledged_move_is_lost_when_the_server_is_killed() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut moves = 0;
    let mut id = Value::Null;
    for kill in 0..KILL_COUNT {
        let (mut child, mut socket) = start_server(folder.path()).await;
        let mut answer = if kill == 0 {
            request(&mut socket, json!({"do": "new", "game": "othello"})).await
        } else {
            request(&mut socket, json!({"do": "open", "game": id})).await
        };
        id = answer["game"]["id"].clone();
        assert_eq!(move_count(&answer), moves, "after {kill} kills");
        // Two moves per run; the response to the second one arrives before the kill.
        for _ in 0..2 {
            let Some(text) = answer["position"]["targets"][0]["text"].as_str() else { break };
            answer = request(&mut socket, json!({"do": "play", "text": text})).await;
            moves += 1;
        }
        child.kill().expect("it is killed");
        child.wait().expect("it ends");
    }
    assert!(moves >= KILL_COUNT, "only {moves} moves were played");
}
