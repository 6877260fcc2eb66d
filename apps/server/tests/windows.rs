//! Tests of games in several windows, of deleted games and of clocks.

use alfil_server::Store;
use serde_json::{Value, json};

use crate::common::{TestClient, expect_ok, moves_to_position, start_server, start_server_with};

/// Starts two servers on the same file, with a client at each that has opened the same game.
async fn two_servers(person: Option<usize>) -> (tempfile::TempDir, TestClient, TestClient) {
    let folder = tempfile::tempdir().unwrap();
    let mut clients = Vec::new();
    for _ in 0..2 {
        clients.push(TestClient::open(start_server_with(Store::open(folder.path()).unwrap()).await).await);
    }
    let (mut other_client, mut client) = (clients.remove(1), clients.remove(0));
    for client in [&mut client, &mut other_client] {
        expect_ok(client.request(json!({"do": "pace", "reply_ms": 60_000})).await);
    }
    let moves = json!(["h2e2", "h9g7", "h0g2"]);
    let new = json!({"do": "new", "game": "xiangqi", "moves": moves, "person": person, "level": 10});
    let id = expect_ok(client.request(new).await)["game"]["id"].clone();
    expect_ok(other_client.request(json!({"do": "open", "game": id})).await);
    (folder, client, other_client)
}

#[tokio::test]
async fn after_a_conflict_the_page_gets_the_saved_game() {
    let (_folder, mut client, mut other_client) = two_servers(None).await;
    expect_ok(client.request(json!({"do": "prune", "node": 3})).await);
    expect_ok(client.play("b0c2").await);
    let is_rejected = other_client.request(json!({"do": "comment", "node": 3, "text": "of h0g2"})).await;
    assert_eq!(is_rejected["cause"], "changed");
    let changed = other_client.receive().await;
    assert_eq!(
        (&changed["event"], moves_to_position(&changed)),
        (&json!("changed"), json!(["h2e2", "h9g7", "b0c2"]))
    );
    assert!(changed["look"].is_object() && changed["tree"][3]["comment"].is_null(), "{changed}");
    expect_ok(other_client.play("b9c7").await);
}

#[tokio::test]
async fn two_windows_play_and_comment_without_losing_anything() {
    let port = start_server().await;
    let mut client = TestClient::open(port).await;
    let id =
        expect_ok(client.request(json!({"do": "new", "game": "chess", "moves": ["e2e4", "a7a5"]})).await);
    let mut other = TestClient::open(port).await;
    expect_ok(other.request(json!({"do": "open", "game": id["game"]["id"]})).await);
    // The requests of both are on their way at the same time, so that it depends on chance which is first.
    let replies = ["e7e5", "c7c5", "e7e6", "c7c6", "d7d5", "g8f6", "g7g6", "d7d6", "b7b6", "h7h6"];
    for (number, moves) in replies.chunks(2).enumerate() {
        for (window, text) in [(&mut client, moves[0]), (&mut other, moves[1])] {
            let id = 100 + 10 * number;
            window.send(json!({"id": id, "do": "go", "node": 1}).to_string()).await;
            window.send(json!({"id": id + 1, "do": "play", "text": text}).to_string()).await;
            window.send(json!({"id": id + 2, "do": "marks", "node": 1, "nags": [1]}).to_string()).await;
        }
        for window in [&mut client, &mut other] {
            loop {
                let message = window.receive().await;
                let is_played = message["id"] == 101 + 10 * number;
                assert!(!is_played || message["error"].is_null(), "{message}");
                if message["id"] == 102 + 10 * number {
                    break;
                }
            }
        }
    }
    let tree =
        expect_ok(client.request(json!({"do": "open", "game": id["game"]["id"]})).await)["tree"].clone();
    let mut found: Vec<_> =
        tree.as_array().unwrap().iter().skip(3).map(|node| node["text"].as_str().unwrap()).collect();
    let mut expected = replies.to_vec();
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected);
}

#[tokio::test]
async fn a_running_search_does_not_move_in_a_replaced_game() {
    // The computer has to move. Each server searches, because they do not know of each other.
    let (_folder, mut client, mut other_client) = two_servers(Some(0)).await;
    expect_ok(client.play("b9c7").await);
    expect_ok(client.request(json!({"do": "comment", "node": 1, "text": "central"})).await);
    // A comment does not stop the search. It is refused, because it would replace the other one.
    let mut request = json!({"do": "comment", "node": 1, "text": "the usual way"});
    request["id"] = json!(71);
    other_client.send(request.to_string()).await;
    let (mut is_rejected, mut has_ended, mut is_shown) = (false, false, false);
    while !(is_rejected && has_ended && is_shown) {
        let message = other_client.receive().await;
        if message["event"] == "changed" {
            is_shown = true;
            assert_eq!(moves_to_position(&message), json!(["h2e2", "h9g7", "h0g2", "b9c7"]));
            has_ended = message["turn"] == json!({"next": "person"});
        } else if message["id"] == 71 {
            is_rejected = message["cause"] == "changed";
        }
    }
    let response = expect_ok(other_client.play("b0c2").await);
    assert_eq!(moves_to_position(&response), json!(["h2e2", "h9g7", "h0g2", "b9c7", "b0c2"]));
}

#[tokio::test]
async fn a_removed_variation_is_not_replaced_by_a_move_with_its_number() {
    let port = start_server().await;
    let mut client = TestClient::open(port).await;
    let new = json!({"do": "new", "game": "xiangqi", "moves": ["h2e2", "h9g7", "h0g2"]});
    let id = expect_ok(client.request(new).await)["game"]["id"].clone();
    expect_ok(client.request(json!({"do": "go", "node": 2})).await);
    expect_ok(client.play("b0c2").await);
    let mut other_client = TestClient::open(port).await;
    expect_ok(other_client.request(json!({"do": "open", "game": id, "node": 4})).await);
    expect_ok(client.request(json!({"do": "prune", "node": 4})).await);
    assert_eq!(moves_to_position(&other_client.receive().await), json!(["h2e2", "h9g7"]));
    // The number 4 is used again, for another move.
    expect_ok(client.request(json!({"do": "go", "node": 1})).await);
    expect_ok(client.play("b9c7").await);
    assert_eq!(moves_to_position(&other_client.receive().await), json!(["h2e2", "h9g7"]));
}

#[tokio::test]
async fn a_deleted_open_game_continues_as_a_new_one() {
    let mut client = TestClient::with_game(start_server().await, "xiangqi").await;
    for text in ["h2e2", "h9g7", "h0g2"] {
        expect_ok(client.play(text).await);
    }
    let old = client.request(json!({"do": "games"})).await["kept"][0]["id"].clone();
    let response = expect_ok(client.request(json!({"do": "forget", "game": old})).await);
    let new = response["game"]["id"].clone();
    assert_eq!((&response["kept"], new != old), (&json!([]), true));
    // Search results do not save a deleted game again.
    expect_ok(client.request(json!({"do": "analyse", "lines": 1, "seconds": 0})).await);
    assert_eq!(client.request(json!({"do": "games"})).await["kept"], json!([]));
    assert_eq!(
        moves_to_position(&expect_ok(client.play("b9c7").await)),
        json!(["h2e2", "h9g7", "h0g2", "b9c7"])
    );
    expect_ok(client.play("b0c2").await);
    let saved = client.request(json!({"do": "games"})).await["kept"].clone();
    assert_eq!((&saved[0]["id"], saved.as_array().unwrap().len()), (&new, 1));
    let response = client.request(json!({"do": "open", "game": old})).await;
    assert_eq!(response["cause"], "gone");
}

#[tokio::test]
async fn requests_without_effect_on_the_position_do_not_stop_the_reply() {
    let mut client = TestClient::open(start_server().await).await;
    expect_ok(client.request(json!({"do": "pace", "reply_ms": 1_000})).await);
    expect_ok(client.request(json!({"do": "new", "game": "xiangqi", "person": 0, "level": 10})).await);
    expect_ok(client.play("h2e2").await);
    client.send(json!({"id": 71, "do": "forget", "game": "another"}).to_string()).await;
    client.send(json!({"id": 72, "do": "dialect", "name": "uci10"}).to_string()).await;
    assert_eq!(moves_to_position(&client.reply().await).as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_game_deleted_in_another_window_continues_as_a_new_one() {
    let port = start_server().await;
    let mut client = TestClient::with_game(port, "xiangqi").await;
    expect_ok(client.play("h2e2").await);
    let mut other_client = TestClient::open(port).await;
    let old = other_client.request(json!({"do": "games"})).await["kept"][0]["id"].clone();
    expect_ok(other_client.request(json!({"do": "forget", "game": old})).await);
    let response = expect_ok(client.play("h9g7").await);
    assert!(response["game"]["id"].is_string() && response["game"]["id"] != old, "{response}");
    assert!(expect_ok(client.play("h0g2").await)["game"].is_null());
    assert_eq!(client.request(json!({"do": "games"})).await["kept"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_game_that_continued_after_a_threefold_repetition_can_be_opened() {
    let moves = json!(["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8", "e2e4", "e7e5"]);
    let mut client = TestClient::open(start_server().await).await;
    let response = expect_ok(client.request(json!({"do": "new", "game": "chess", "moves": moves})).await);
    assert_eq!(moves_to_position(&response), moves);
    let id = &response["game"]["id"];
    assert_eq!(moves_to_position(&expect_ok(client.request(json!({"do": "open", "game": id})).await)), moves);
}

#[tokio::test]
async fn the_clock_runs_for_both_sides_and_is_saved() {
    let port = start_server().await;
    let mut client = TestClient::open(port).await;
    let clock = json!({"base": 300_000, "increment": 3_000});
    let new = json!({"do": "new", "game": "xiangqi", "person": 0, "level": 1, "clock": clock});
    let start = expect_ok(client.request(new).await);
    let at_first = &start["position"]["clock"];
    assert_eq!((&at_first["left"], &at_first["running"]), (&json!([300_000, 300_000]), &Value::Null));
    assert_eq!(expect_ok(client.play("h2e2").await)["position"]["clock"]["running"], 1);
    // Without a time limit the reply uses the time budget of the clock.
    let reply = client.reply().await;
    let clock_after = &reply["position"]["clock"];
    assert_eq!(
        (&clock_after["running"], &clock_after["base"], &clock_after["increment"]),
        (&json!(0), &clock["base"], &clock["increment"])
    );
    assert!(clock_after["left"][1].as_u64().unwrap() <= 303_000);
    drop(client);
    let mut client = TestClient::open(port).await;
    let reopened = expect_ok(client.request(json!({"do": "open", "game": start["game"]["id"]})).await);
    assert_eq!(reopened["position"]["clock"]["running"], 0);
    assert!(reopened["position"]["clock"]["left"][0].as_u64().unwrap() <= 300_000);
}

#[tokio::test]
async fn a_flag_fall_loses_the_game_and_is_sent() {
    let mut client = TestClient::open(start_server().await).await;
    let clock = json!({"base": 1_000, "increment": 0});
    let new = json!({"do": "new", "game": "xiangqi", "person": 1, "level": 1, "clock": clock});
    let id = expect_ok(client.request(new).await)["game"]["id"].clone();
    client.reply().await;
    let flag_fall = client.receive().await;
    assert_eq!(
        (&flag_fall["event"], &flag_fall["position"]["clock"]["flagged"]),
        (&json!("changed"), &json!(1))
    );
    for request in
        [json!({"do": "play", "text": "h9g7"}), json!({"do": "undo", "plies": 1}), json!({"do": "resign"})]
    {
        assert_eq!(client.request(request).await["cause"], "over");
    }
    let reopened = expect_ok(client.request(json!({"do": "open", "game": id})).await);
    assert_eq!(reopened["position"]["clock"]["flagged"], 1);
    let analysed = expect_ok(client.request(json!({"do": "seat", "person": null, "level": 1})).await);
    // Which moves are legal depends on the move that the computer has chosen.
    let text = analysed["position"]["targets"][0]["text"].as_str().expect("a legal move").to_owned();
    expect_ok(client.play(&text).await);
}

#[tokio::test]
async fn a_flag_fall_is_a_draw_if_the_opponent_cannot_win() {
    let mut client = TestClient::open(start_server().await).await;
    let (fen, clock) = ("4k3/q7/8/8/8/8/8/4K3 w - - 0 1", json!({"base": 1_000, "increment": 0}));
    let new = json!({"do": "new", "game": "chess", "fen": fen, "person": 1, "level": 1, "clock": clock});
    expect_ok(client.request(new).await);
    let clock_after = client.reply().await;
    assert_eq!(clock_after["position"]["clock"]["drawn"], false);
    // The shown position does not matter.
    let flag_fall = loop {
        let clock =
            expect_ok(client.request(json!({"do": "go", "node": 0})).await)["position"]["clock"].clone();
        if !clock["flagged"].is_null() {
            break clock;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    };
    assert_eq!((&flag_fall["flagged"], &flag_fall["drawn"]), (&json!(1), &json!(true)));
    let text = client.request(json!({"do": "export"})).await["text"].clone();
    assert!(text.as_str().unwrap().contains("[Result \"1/2-1/2\"]"), "{text}");
}

#[tokio::test]
async fn stepping_back_does_not_stop_the_reply() {
    let mut client = TestClient::open(start_server().await).await;
    let clock = json!({"base": 600_000, "increment": 0});
    let new = json!({"do": "new", "game": "xiangqi", "person": 0, "level": 10, "clock": clock});
    expect_ok(client.request(json!({"do": "pace", "reply_ms": 2_000})).await);
    expect_ok(client.request(new).await);
    expect_ok(client.play("h2e2").await);
    let earlier = expect_ok(client.request(json!({"do": "go", "node": 0})).await);
    assert_eq!(earlier["turn"], json!({"next": "person", "replying": true}));
    let reply = client.reply().await;
    // The page stays where it is; the move is in the tree, and the person's clock runs.
    assert_eq!((&reply["node"], &reply["step"]), (&json!(0), &Value::Null));
    assert_eq!(reply["tree"].as_array().unwrap().len(), 3);
    assert_eq!(reply["position"]["clock"]["running"], 0);
    let response = expect_ok(client.request(json!({"do": "go", "node": 2})).await);
    assert_eq!(response["position"]["side"], 0);
}

#[tokio::test]
async fn the_computers_clock_runs_only_during_its_search() {
    let port = start_server().await;
    let mut client = TestClient::open(port).await;
    let clock = json!({"base": 1_000, "increment": 0});
    let new = json!({"do": "new", "game": "xiangqi", "person": 0, "level": 1, "clock": clock});
    expect_ok(client.request(new).await);
    expect_ok(client.request(json!({"do": "pause", "paused": true})).await);
    let played = expect_ok(client.play("h2e2").await);
    assert_eq!(played["turn"], json!({"next": "wait", "reason": "paused"}));
    tokio::time::sleep(std::time::Duration::from_millis(1_200)).await;
    expect_ok(client.request(json!({"do": "pause", "paused": false})).await);
    let reply = client.reply().await;
    assert_eq!((&reply["position"]["clock"]["flagged"], reply["step"].is_object()), (&Value::Null, true));
}

#[tokio::test]
async fn moves_that_lose_by_the_chosen_ruleset_are_in_the_warnings() {
    let mut client = TestClient::open(start_server().await).await;
    let fen = "R2k5/9/9/9/9/9/9/9/9/4K4 b - - 0 1";
    let moves = ["d9d8", "a9a8", "d8d9", "a8a9", "d9d8", "a9a8", "d8d9"];
    let new = json!({"do": "new", "game": "xiangqi", "fen": fen, "moves": moves});
    let response = expect_ok(client.request(new).await);
    let warnings = &response["position"]["warnings"];
    assert_eq!(warnings.as_array().map(Vec::len), Some(1), "{warnings}");
    assert_eq!((&warnings[0]["text"], &warnings[0]["ending"]["winner"]), (&json!("a8a9"), &json!(1)));
    assert_eq!(warnings[0]["ending"]["cause"], "perpetual_check");
    assert_eq!(warnings[0]["ending"]["words_zh"], "红方长将判负，黑方胜");
    let response = expect_ok(client.request(json!({"do": "dialect", "name": "chinese"})).await);
    assert_eq!(response["position"]["warnings"][0]["label"], "车九进一");
    // A ruleset that demands another occurrence has no warning yet.
    let response = expect_ok(client.request(json!({"do": "ruleset", "name": "elephanteye"})).await);
    assert_eq!(
        (&response["game"]["ruleset"], &response["position"]["warnings"]),
        (&json!("elephanteye"), &json!([]))
    );
    let id = response["game"]["id"].clone();
    let reopened = expect_ok(client.request(json!({"do": "open", "game": id})).await);
    assert_eq!(
        (&reopened["game"]["ruleset"], &reopened["position"]["warnings"]),
        (&json!("elephanteye"), &json!([]))
    );
    assert!(client.request(json!({"do": "ruleset", "name": "cycle"})).await["error"].is_string());
}
