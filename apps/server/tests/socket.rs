//! The server as a page meets it: over a real socket.

mod common;

use alfil_server::{Server, Store};
use common::{TIMEOUT, TestClient, moves_to_position, start_server};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};

#[tokio::test]
async fn every_game_of_the_list_can_be_started_and_says_what_to_draw() {
    let mut page = TestClient::open(start_server().await).await;
    let games = page.request(json!({"do": "games"})).await["games"].as_array().unwrap().clone();
    assert_eq!(games[0]["game"], "xiangqi");
    assert_eq!(games[0]["sides"], json!(["Red", "Black"]));
    for game in games {
        let answer = page.request(json!({"do": "new", "game": game["game"]})).await;
        assert_eq!(answer["look"]["title"], game["title"]);
        assert_eq!(answer["look"]["sides"], game["sides"]);
        let look = &answer["look"];
        for (square, letter) in answer["position"]["men"].as_object().unwrap() {
            assert!(
                look["men"].get(letter.as_str().unwrap()).is_some(),
                "{game} has no man {letter} of {square}"
            );
        }
        assert!(!answer["position"]["targets"].as_array().unwrap().is_empty());
    }
}

#[tokio::test]
async fn a_move_is_answered_with_its_script_and_all_that_can_follow() {
    let mut page = TestClient::with_game(start_server().await, "xiangqi").await;
    let answer = page.play("h2e2").await;
    assert_eq!(
        answer["step"]["script"],
        json!([{"do": "lift", "square": "h2", "piece": "C"}, {"do": "put", "square": "e2", "piece": "C"}])
    );
    assert_eq!(answer["position"]["side"], 1);
    assert_eq!(answer["position"]["last"], json!(["h2", "e2"]));
    assert_eq!(moves_to_position(&answer), json!(["h2e2"]));
    let targets = answer["position"]["targets"].as_array().unwrap();
    let reply = targets.iter().find(|target| target["text"] == "h9g7").expect("the horse can go there");
    assert_eq!((&reply["from"], &reply["to"], &reply["choice"]), (&json!("h9"), &json!("g7"), &Value::Null));
}

#[tokio::test]
async fn the_script_of_a_target_is_the_script_of_its_move() {
    let mut page = TestClient::with_game(start_server().await, "xiangqi").await;
    let mut position = page.request(json!({"do": "new", "game": "xiangqi"})).await["position"].clone();
    for ply in 0..40 {
        let targets = position["targets"].as_array().unwrap().clone();
        let Some(target) = targets.get(ply * 7 % targets.len().max(1)) else { break };
        let answer = page.play(target["text"].as_str().unwrap()).await;
        assert_eq!(answer["step"]["script"], target["script"]);
        position = answer["position"].clone();
    }
}

#[tokio::test]
async fn the_computer_replies_after_its_thoughts() {
    let mut page = TestClient::with_game(start_server().await, "xiangqi").await;
    page.play("h2e2").await;
    page.send(json!({"id": 77, "do": "think", "level": 10}).to_string()).await;
    let mut thoughts = 0;
    let answer = loop {
        let message = page.receive().await;
        if message["event"] != "thought" {
            break message;
        }
        assert!(message["depth"].as_u64().unwrap() > 0 && message["nodes"].as_u64().unwrap() > 0);
        thoughts += 1;
    };
    assert!(thoughts > 0);
    assert_eq!(answer["id"], 77);
    assert_eq!(answer["position"]["side"], 0);
    assert_eq!(moves_to_position(&answer).as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn whoever_plays_on_while_it_thinks_hears_nothing_of_the_old_position() {
    let mut page = TestClient::with_game(start_server().await, "xiangqi").await;
    for _ in 0..20 {
        page.send(json!({"id": 1000, "do": "think", "level": 10}).to_string()).await;
        let answer = page.request(json!({"do": "new", "game": "xiangqi"})).await;
        assert_eq!(moves_to_position(&answer), json!([]));
    }
    // Were an old reply still to come, the record would show it.
    let answer = page.play("h2e2").await;
    assert_eq!(moves_to_position(&answer), json!(["h2e2"]));
}

#[tokio::test]
async fn pages_that_go_while_it_thinks_leave_room_for_others() {
    let port = start_server().await;
    for _ in 0..8 {
        let mut page = TestClient::with_game(port, "xiangqi").await;
        page.send(json!({"id": 1, "do": "think", "level": 10}).to_string()).await;
    }
    let mut page = TestClient::with_game(port, "xiangqi").await;
    let answer = page.request(json!({"do": "think", "level": 1})).await;
    assert_eq!(moves_to_position(&answer).as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn moves_are_taken_back_and_told_backwards() {
    let mut page = TestClient::with_game(start_server().await, "xiangqi").await;
    page.play("h2e2").await;
    page.play("h9g7").await;
    let answer = page.request(json!({"do": "undo", "plies": 2})).await;
    assert_eq!(
        answer["steps"][0]["script"],
        json!([{"do": "lift", "square": "g7", "piece": "n"}, {"do": "put", "square": "h9", "piece": "n"}])
    );
    assert_eq!(answer["steps"].as_array().unwrap().len(), 2);
    assert_eq!(moves_to_position(&answer), json!([]));
    let nothing = page.request(json!({"do": "undo", "plies": 1_000_000})).await;
    assert_eq!(nothing["steps"], json!([]));
}

#[tokio::test]
async fn a_game_goes_on_where_a_lost_connection_left_it() {
    let port = start_server().await;
    let mut page = TestClient::open(port).await;
    let moves = json!(["h2e2", "h9g7"]);
    let answer = page.request(json!({"do": "new", "game": "xiangqi", "moves": moves})).await;
    assert_eq!(moves_to_position(&answer), moves);
    let answer = page.request(json!({"do": "new", "game": "xiangqi", "moves": ["h2e2", "h2e2"]})).await;
    assert!(answer["error"].is_string());
}

#[tokio::test]
async fn the_end_is_told_in_words_and_ends_the_game() {
    let mut page = TestClient::open(start_server().await).await;
    // A rook gives the last check on an open file.
    let fen = "3k5/4R4/9/9/9/9/9/9/R8/4K4 w - - 0 1";
    let answer = page.request(json!({"do": "new", "game": "xiangqi", "fen": fen})).await;
    assert!(answer["error"].is_null(), "{answer}");
    let answer = page.play("a1d1").await;
    assert_eq!(answer["step"]["sound"], "end");
    assert_eq!(answer["position"]["ending"]["winner"], 0);
    assert!(answer["position"]["ending"]["words"].as_str().unwrap().contains("Red wins"), "{answer}");
    assert_eq!(answer["position"]["targets"], json!([]));
    for deed in [json!({"do": "play", "text": "d9d8"}), json!({"do": "think", "level": 3})] {
        let refused = page.request(deed).await;
        assert!(refused["error"].as_str().unwrap().contains("the game is over"), "{refused}");
        assert_eq!(refused["cause"], "over");
    }
    let back = page.request(json!({"do": "undo", "plies": 1})).await;
    assert!(back["position"]["ending"].is_null());
}

#[tokio::test]
async fn what_cannot_be_done_is_answered_in_a_sentence_and_play_goes_on() {
    let mut page = TestClient::open(start_server().await).await;
    for deed in [
        json!({"do": "play", "text": "h2e2"}),
        json!({"do": "undo", "plies": 1}),
        json!({"do": "think", "level": 3}),
        json!({"do": "new", "game": "tiddlywinks"}),
        json!({"do": "new", "game": "xiangqi", "fen": "nonsense"}),
        json!({"do": "new", "game": "xiangqi", "fen": ""}),
        json!({"do": "dance"}),
        json!({"do": "think", "level": -1}),
        json!({"do": "think"}),
        json!({"game": "xiangqi"}),
    ] {
        let answer = page.request(deed.clone()).await;
        assert!(answer["error"].as_str().is_some_and(|words| words.len() > 10), "{deed}: {answer}");
    }
    page.request(json!({"do": "new", "game": "xiangqi"})).await;
    for text in ["", "h2", "h2e9", "z9z8", "H2E2\u{0}", "h7e7", "帥帥"] {
        let answer = page.play(text).await;
        assert!(answer["error"].is_string(), "{text:?}: {answer}");
    }
    assert_eq!(page.play("h2e2").await["position"]["side"], 1);
}

#[tokio::test]
async fn what_is_out_of_range_is_refused_with_the_range() {
    let mut page = TestClient::with_game(start_server().await, "xiangqi").await;
    for (deed, part) in [
        (json!({"do": "think", "level": 0}), "levels are 1 to 10"),
        (json!({"do": "think", "level": 4_000_000_000_u64}), "levels are 1 to 10"),
        (json!({"do": "think", "level": 3, "time": 60_001}), "0 to 60000 milliseconds"),
        (json!({"do": "analyse", "lines": 0}), "1 to 64 lines"),
        (json!({"do": "analyse", "lines": 1, "seconds": 601}), "0 to 600 seconds"),
        (json!({"do": "seat", "person": 0, "level": 99}), "no level 99"),
        (json!({"do": "arrange", "men": {}, "side": 7}), "no side 7"),
        (json!({"do": "new", "game": "xiangqi", "level": 11}), "no level 11"),
        (json!({"do": "new", "game": "xiangqi", "waive": ["gravity"]}), "gravity"),
        (
            json!({"do": "new", "game": "xiangqi", "person": 0, "clock": {"base": 0, "increment": 0}}),
            "1 to 86400 seconds",
        ),
    ] {
        let answer = page.request(deed).await;
        assert!(answer["error"].as_str().is_some_and(|words| words.contains(part)), "{part}: {answer}");
    }
    assert!(page.request(json!({"do": "think", "level": 1, "time": 50})).await["step"].is_object());
}

#[tokio::test]
async fn malformed_frames_are_answered_and_the_socket_stays() {
    let mut page = TestClient::with_game(start_server().await, "xiangqi").await;
    for text in
        ["", "{", "[]", "null", "7", "\"do\"", "{\"id\":-1,\"do\":\"games\"}", "{\"id\":{},\"do\":\"play\"}"]
    {
        page.send(text).await;
        let answer = page.receive().await;
        assert!(
            answer["error"].as_str().unwrap().starts_with("this message is not understood"),
            "{text}: {answer}"
        );
    }
    page.socket.send(Message::binary(vec![0, 159, 146, 150])).await.unwrap();
    assert!(page.receive().await["error"].is_string());
    let deep = format!("{{\"id\":1,\"do\":{}1{}}}", "[".repeat(20_000), "]".repeat(20_000));
    page.send(deep).await;
    assert!(page.receive().await["error"].is_string());
    assert_eq!(page.play("h2e2").await["position"]["side"], 1);
}

#[tokio::test]
async fn a_message_larger_than_any_we_send_ends_that_socket_only() {
    let port = start_server().await;
    let mut page = TestClient::with_game(port, "xiangqi").await;
    // The server may hang up before all of it is sent.
    let _ = page.socket.send(Message::text("x".repeat(9 << 20))).await;
    let end = tokio::time::timeout(TIMEOUT, page.socket.next()).await.expect("it does not hang");
    assert!(matches!(end, None | Some(Err(_)) | Some(Ok(Message::Close(_)))), "{end:?}");
    assert_eq!(TestClient::with_game(port, "xiangqi").await.play("h2e2").await["position"]["side"], 1);
}

#[tokio::test]
async fn other_sites_are_refused() {
    let port = start_server().await;
    for (name, value) in [("origin", "http://evil.example"), ("host", "evil.example")] {
        let mut request = format!("ws://127.0.0.1:{port}/ws").into_client_request().unwrap();
        request.headers_mut().insert(name, value.parse().unwrap());
        let refused = connect_async(request).await.expect_err("it must not open");
        assert!(matches!(&refused, Error::Http(answer) if answer.status() == 403), "{refused:?}");
    }
}

/// What a plain HTTP request is answered: the whole text.
async fn fetch(port: u16, path: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn the_page_or_how_to_get_it_is_at_the_root() {
    let port = start_server().await;
    let root = fetch(port, "/").await;
    assert!(root.starts_with("HTTP/1.1 200"));
    assert!(root.contains("id=\"page\"") || root.contains("cargo xtask serve"), "{root}");
    for path in ["/nothing.js", "/../Cargo.toml", "/%2e%2e/Cargo.toml", "//etc/passwd"] {
        let answer = fetch(port, path).await;
        assert!(answer.starts_with("HTTP/1.1 404"), "{path}: {answer}");
    }
}

#[tokio::test]
async fn what_belongs_to_another_game_says_to_which_and_is_opened_there() {
    let mut page = TestClient::with_game(start_server().await, "xiangqi").await;
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    for deed in [json!({"do": "import", "text": fen}), json!({"do": "examine", "fen": fen})] {
        let refused = page.request(deed).await;
        assert_eq!((&refused["cause"], &refused["other"]), (&json!("other"), &json!("chess")), "{refused}");
    }
    let answer = page.request(json!({"do": "import", "text": fen, "game": "chess"})).await;
    assert_eq!((&answer["game"]["game"], &answer["position"]["fen"]), (&json!("chess"), &json!(fen)));
    // A dialect for readers of Chinese is named where there is one.
    assert_eq!(answer["game"]["dialect_zh"], "san");
    let answer = page.request(json!({"do": "new", "game": "xiangqi", "book": "cxa2020"})).await;
    let told = &answer["game"];
    assert_eq!((&told["dialects"][0], &told["samples"][0]), (&json!("ucci"), &json!("a0a1")));
    assert_eq!(told["samples"].as_array().map(Vec::len), told["dialects"].as_array().map(Vec::len));
    assert_eq!(
        (&answer["game"]["dialect_zh"], &answer["game"]["book"]),
        (&json!("chinese"), &json!("cxa2020"))
    );
}

#[tokio::test]
async fn a_port_is_taken_once() {
    let store = Store::in_memory().unwrap();
    let first = Server::bind(0, store.clone()).await.unwrap();
    let port: u16 = first.url().trim_end_matches('/').rsplit(':').next().unwrap().parse().unwrap();
    assert_eq!(Server::bind(port, store).await.unwrap_err().kind(), std::io::ErrorKind::AddrInUse);
}
