//! Tests of the server over a real WebSocket.

use alfil_server::{AccessToken, Server, Store};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};

use crate::common::{TIMEOUT, TestClient, fetch, moves_to_position, start_server, token_query};

#[tokio::test]
async fn every_game_can_be_started_and_has_all_piece_pictures() {
    let mut client = TestClient::open(start_server().await).await;
    let games = client.request(json!({"do": "games"})).await["games"].as_array().unwrap().clone();
    assert_eq!(games[0]["game"], "xiangqi");
    assert_eq!(games[0]["sides"], json!(["Red", "Black"]));
    for game in games {
        let response = client.request(json!({"do": "new", "game": game["game"]})).await;
        assert_eq!(response["look"]["title"], game["title"]);
        assert_eq!(response["look"]["sides"], game["sides"]);
        let look = &response["look"];
        for (square, letter) in response["position"]["pieces"].as_object().unwrap() {
            assert!(
                look["pieces"].get(letter.as_str().unwrap()).is_some(),
                "{game} has no piece {letter} on {square}"
            );
        }
        assert!(!response["position"]["targets"].as_array().unwrap().is_empty());
    }
}

#[tokio::test]
async fn a_move_is_answered_with_its_script_and_the_legal_moves() {
    let mut client = TestClient::with_game(start_server().await, "xiangqi").await;
    let response = client.play("h2e2").await;
    assert_eq!(
        response["step"]["script"],
        json!([{"do": "lift", "square": "h2", "piece": "C"}, {"do": "put", "square": "e2", "piece": "C"}])
    );
    assert_eq!(response["position"]["side"], 1);
    assert_eq!(response["position"]["last"], json!(["h2", "e2"]));
    assert_eq!(moves_to_position(&response), json!(["h2e2"]));
    let targets = response["position"]["targets"].as_array().unwrap();
    let reply = targets.iter().find(|target| target["text"] == "h9g7").expect("a legal horse move");
    assert_eq!((&reply["from"], &reply["to"], &reply["choice"]), (&json!("h9"), &json!("g7"), &Value::Null));
}

#[tokio::test]
async fn the_script_of_a_target_equals_that_of_its_move() {
    let mut client = TestClient::with_game(start_server().await, "xiangqi").await;
    let mut position = client.request(json!({"do": "new", "game": "xiangqi"})).await["position"].clone();
    for ply in 0..40 {
        let targets = position["targets"].as_array().unwrap().clone();
        let Some(target) = targets.get(ply * 7 % targets.len().max(1)) else { break };
        let response = client.play(target["text"].as_str().unwrap()).await;
        assert_eq!(response["step"]["script"], target["script"]);
        position = response["position"].clone();
    }
}

#[tokio::test]
async fn search_info_precedes_the_computers_reply() {
    let mut client = TestClient::open(start_server().await).await;
    client.request(json!({"do": "new", "game": "xiangqi", "person": 0, "level": 10})).await;
    let played = client.play("h2e2").await;
    assert_eq!(played["turn"], json!({"next": "computer", "replying": true}));
    let mut info_count = 0;
    let response = loop {
        let message = client.receive().await;
        if message["event"] != "thought" {
            break message;
        }
        assert!(message["depth"].as_u64().unwrap() > 0 && message["nodes"].as_u64().unwrap() > 0);
        info_count += 1;
    };
    assert!(info_count > 0);
    assert_eq!((&response["event"], &response["position"]["side"]), (&json!("replied"), &json!(0)));
    assert_eq!(response["turn"], json!({"next": "person"}));
    assert_eq!(moves_to_position(&response).as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_new_game_discards_the_search_of_the_old_position() {
    let mut client = TestClient::with_game(start_server().await, "xiangqi").await;
    for _ in 0..20 {
        let new = json!({"id": 1000, "do": "new", "game": "xiangqi", "person": 1, "level": 10});
        client.send(new.to_string()).await;
        let response = client.request(json!({"do": "new", "game": "xiangqi"})).await;
        assert_eq!(moves_to_position(&response), json!([]));
    }
    // A late reply would show in the moves.
    let response = client.play("h2e2").await;
    assert_eq!(moves_to_position(&response), json!(["h2e2"]));
}

#[tokio::test]
async fn disconnection_stops_the_search() {
    let port = start_server().await;
    // Searches of a minute, more than can run at the same time.
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    for _ in 0..2 * processors {
        let mut client = TestClient::open(port).await;
        client.request(json!({"do": "pace", "reply_ms": 60_000})).await;
        client.request(json!({"do": "new", "game": "xiangqi", "person": 1, "level": 10})).await;
    }
    let mut client = TestClient::open(port).await;
    client.request(json!({"do": "new", "game": "xiangqi", "person": 1, "level": 1})).await;
    let response = client.reply().await;
    assert_eq!(moves_to_position(&response).as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn undo_sends_the_reverse_scripts() {
    let mut client = TestClient::with_game(start_server().await, "xiangqi").await;
    client.play("h2e2").await;
    client.play("h9g7").await;
    let response = client.request(json!({"do": "undo", "plies": 2})).await;
    assert_eq!(
        response["steps"][0]["script"],
        json!([{"do": "lift", "square": "g7", "piece": "n"}, {"do": "put", "square": "h9", "piece": "n"}])
    );
    assert_eq!(response["steps"].as_array().unwrap().len(), 2);
    assert_eq!(moves_to_position(&response), json!([]));
    let nothing = client.request(json!({"do": "undo", "plies": 1_000_000})).await;
    assert_eq!(nothing["steps"], json!([]));
}

#[tokio::test]
async fn a_game_can_be_restarted_from_its_moves() {
    let port = start_server().await;
    let mut client = TestClient::open(port).await;
    let moves = json!(["h2e2", "h9g7"]);
    let response = client.request(json!({"do": "new", "game": "xiangqi", "moves": moves})).await;
    assert_eq!(moves_to_position(&response), moves);
    let response = client.request(json!({"do": "new", "game": "xiangqi", "moves": ["h2e2", "h2e2"]})).await;
    assert!(response["error"].is_string());
}

#[tokio::test]
async fn the_end_of_a_game_is_reported_and_stops_play() {
    let mut client = TestClient::open(start_server().await).await;
    // The rook gives mate on the open file.
    let fen = "3k5/4R4/9/9/9/9/9/9/R8/4K4 w - - 0 1";
    let response = client.request(json!({"do": "new", "game": "xiangqi", "fen": fen})).await;
    assert!(response["error"].is_null(), "{response}");
    let response = client.play("a1d1").await;
    assert_eq!(response["step"]["sound"], "end");
    assert_eq!(response["position"]["ending"]["winner"], 0);
    assert!(response["position"]["ending"]["words"].as_str().unwrap().contains("Red wins"), "{response}");
    assert_eq!(response["position"]["targets"], json!([]));
    assert_eq!(response["turn"], json!({"next": "wait", "reason": "game_over"}));
    for request in [json!({"do": "play", "text": "d9d8"}), json!({"do": "hint"})] {
        let error = client.request(request).await;
        assert!(error["error"].as_str().unwrap().contains("the game is over"), "{error}");
        assert_eq!(error["cause"], "over");
    }
    let response = client.request(json!({"do": "undo", "plies": 1})).await;
    assert!(response["position"]["ending"].is_null());
}

#[tokio::test]
async fn invalid_requests_get_an_error_and_the_connection_stays_usable() {
    let mut client = TestClient::open(start_server().await).await;
    for request in [
        json!({"do": "play", "text": "h2e2"}),
        json!({"do": "undo", "plies": 1}),
        json!({"do": "continue"}),
        json!({"do": "new", "game": "tiddlywinks"}),
        json!({"do": "new", "game": "xiangqi", "fen": "nonsense"}),
        json!({"do": "new", "game": "xiangqi", "fen": ""}),
        json!({"do": "dance"}),
        json!({"do": "seat", "person": 0, "level": -1}),
        json!({"do": "seat"}),
        json!({"game": "xiangqi"}),
    ] {
        let response = client.request(request.clone()).await;
        assert!(
            response["error"].as_str().is_some_and(|message| message.len() > 10),
            "{request}: {response}"
        );
    }
    client.request(json!({"do": "new", "game": "xiangqi"})).await;
    for text in ["", "h2", "h2e9", "z9z8", "H2E2\u{0}", "h7e7", "帥帥"] {
        let response = client.play(text).await;
        assert!(response["error"].is_string(), "{text:?}: {response}");
    }
    assert_eq!(client.play("h2e2").await["position"]["side"], 1);
}

#[tokio::test]
async fn values_out_of_range_are_rejected_with_the_range() {
    let mut client = TestClient::with_game(start_server().await, "xiangqi").await;
    for (request, part) in [
        (json!({"do": "seat", "person": null, "level": 0}), "levels are 1 to 10"),
        (json!({"do": "seat", "person": null, "level": 4_000_000_000_u64}), "levels are 1 to 10"),
        (json!({"do": "new", "game": "xiangqi", "levels": [1, 11]}), "levels are 1 to 10"),
        (json!({"do": "pace", "reply_ms": 60_001}), "0 to 60000 milliseconds"),
        (json!({"do": "hint", "time": 60_001}), "0 to 60000 milliseconds"),
        (json!({"do": "analyse", "lines": 0}), "1 to 64 lines"),
        (json!({"do": "analyse", "lines": 1, "seconds": 601}), "0 to 600 seconds"),
        (json!({"do": "seat", "person": 0, "level": 99}), "no level 99"),
        (json!({"do": "arrange", "pieces": {}, "side": 7}), "no side 7"),
        (json!({"do": "new", "game": "xiangqi", "level": 11}), "no level 11"),
        (json!({"do": "new", "game": "xiangqi", "waive": ["gravity"]}), "gravity"),
        (
            json!({"do": "new", "game": "xiangqi", "person": 0, "clock": {"base": 0, "increment": 0}}),
            "1 to 86400 seconds",
        ),
    ] {
        let response = client.request(request).await;
        assert!(
            response["error"].as_str().is_some_and(|message| message.contains(part)),
            "{part}: {response}"
        );
    }
    assert!(client.request(json!({"do": "hint", "time": 50})).await["hint"].is_string());
}

#[tokio::test]
async fn malformed_messages_are_answered_and_the_connection_stays_usable() {
    let mut client = TestClient::with_game(start_server().await, "xiangqi").await;
    for text in
        ["", "{", "[]", "null", "7", "\"do\"", "{\"id\":-1,\"do\":\"games\"}", "{\"id\":{},\"do\":\"play\"}"]
    {
        client.send(text).await;
        let response = client.receive().await;
        assert!(
            response["error"].as_str().unwrap().starts_with("cannot read this message"),
            "{text}: {response}"
        );
    }
    client.socket.send(Message::binary(vec![0, 159, 146, 150])).await.unwrap();
    assert!(client.receive().await["error"].is_string());
    let deep = format!("{{\"id\":1,\"do\":{}1{}}}", "[".repeat(20_000), "]".repeat(20_000));
    client.send(deep).await;
    assert!(client.receive().await["error"].is_string());
    assert_eq!(client.play("h2e2").await["position"]["side"], 1);
}

#[tokio::test]
async fn an_oversized_message_closes_only_its_connection() {
    let port = start_server().await;
    let mut client = TestClient::with_game(port, "xiangqi").await;
    // The server may close the connection before the message is complete.
    let _ = client.socket.send(Message::text("x".repeat(9 << 20))).await;
    let end = tokio::time::timeout(TIMEOUT, client.socket.next()).await.expect("a closed connection in time");
    assert!(matches!(end, None | Some(Err(_)) | Some(Ok(Message::Close(_)))), "{end:?}");
    assert_eq!(TestClient::with_game(port, "xiangqi").await.play("h2e2").await["position"]["side"], 1);
}

#[tokio::test]
async fn requests_of_other_sites_are_rejected() {
    let port = start_server().await;
    for (name, value) in [("origin", "http://evil.example"), ("host", "evil.example")] {
        let mut request = format!("ws://127.0.0.1:{port}/ws{}", token_query()).into_client_request().unwrap();
        request.headers_mut().insert(name, value.parse().unwrap());
        let error = connect_async(request).await.expect_err("a rejected connection");
        assert!(matches!(&error, Error::Http(response) if response.status() == 403), "{error:?}");
    }
}

#[tokio::test]
async fn the_root_serves_the_page_or_how_to_build_it() {
    let port = start_server().await;
    let root = fetch(port, "/").await;
    assert!(root.starts_with("HTTP/1.1 200"));
    assert!(root.contains("id=\"page\"") || root.contains("cargo xtask serve"), "{root}");
    for path in ["/nothing.js", "/../Cargo.toml", "/%2e%2e/Cargo.toml", "//etc/passwd"] {
        let response = fetch(port, path).await;
        assert!(response.starts_with("HTTP/1.1 404"), "{path}: {response}");
    }
}

#[tokio::test]
async fn text_of_another_game_is_rejected_with_the_name_of_that_game() {
    let mut client = TestClient::with_game(start_server().await, "xiangqi").await;
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    for request in [json!({"do": "import", "text": fen}), json!({"do": "examine", "fen": fen})] {
        let error = client.request(request).await;
        assert_eq!((&error["cause"], &error["other"]), (&json!("other"), &json!("chess")), "{error}");
    }
    let response = client.request(json!({"do": "import", "text": fen, "game": "chess"})).await;
    assert_eq!((&response["game"]["game"], &response["position"]["fen"]), (&json!("chess"), &json!(fen)));
    // A dialect for readers of Chinese is only sent for games that have one.
    assert_eq!(response["game"]["dialect_zh"], "san");
    let response = client.request(json!({"do": "new", "game": "xiangqi", "ruleset": "cxa2020"})).await;
    let game = &response["game"];
    assert_eq!((&game["dialects"][0], &game["samples"][0]), (&json!("ucci"), &json!("a0a1")));
    assert_eq!(game["samples"].as_array().map(Vec::len), game["dialects"].as_array().map(Vec::len));
    assert_eq!(
        (&response["game"]["dialect_zh"], &response["game"]["ruleset"]),
        (&json!("chinese"), &json!("cxa2020"))
    );
}

#[tokio::test]
async fn a_port_can_be_bound_once() {
    let store = Store::in_memory().unwrap();
    let token = AccessToken::random().unwrap();
    let first = Server::bind(0, store.clone(), token.clone()).await.unwrap();
    let error = Server::bind(first.port(), store, token).await.unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::AddrInUse);
}
