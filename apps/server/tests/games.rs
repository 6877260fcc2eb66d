//! Tests of games: saving, variations, searches, setup and rulings.

use alfil_server::Store;
use serde_json::{Value, json};

use crate::common::{TestClient, expect_ok, moves_to_position, start_server, start_server_with};

/// Sends a request; returns all messages up to its response.
async fn messages_until_response(client: &mut TestClient, mut request: Value) -> Vec<Value> {
    request["id"] = json!(9000);
    client.send(request.to_string()).await;
    let mut messages = Vec::new();
    loop {
        let message = client.receive().await;
        let last = message["event"].is_null() && message["id"] == 9000;
        messages.push(message);
        if last {
            return messages;
        }
    }
}

#[tokio::test]
async fn saved_games_survive_a_restart_of_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let mut client =
        TestClient::with_game(start_server_with(Store::open(folder.path()).unwrap()).await, "othello").await;
    client.play("f5").await;
    client.request(json!({"do": "seat", "person": 1, "level": 7})).await;
    let listed = client.request(json!({"do": "games"})).await["kept"].clone();
    assert_eq!((&listed[0]["game"], &listed[0]["plies"]), (&json!("othello"), &json!(1)));

    let mut client = TestClient::open(start_server_with(Store::open(folder.path()).unwrap()).await).await;
    let id = client.request(json!({"do": "games"})).await["kept"][0]["id"].clone();
    let response = expect_ok(client.request(json!({"do": "open", "game": id})).await);
    assert_eq!(moves_to_position(&response), json!(["f5"]));
    assert_eq!((&response["game"]["person"], &response["game"]["level"]), (&json!(1), &json!(7)));
    client.request(json!({"do": "forget", "game": id})).await;
    assert!(client.request(json!({"do": "open", "game": id})).await["error"].is_string());
}

#[tokio::test]
async fn an_untouched_game_is_not_saved() {
    let mut client = TestClient::with_game(start_server().await, "xiangqi").await;
    assert_eq!(client.request(json!({"do": "games"})).await["kept"], json!([]));
}

#[tokio::test]
async fn two_windows_of_a_game_stay_in_sync() {
    let port = start_server().await;
    let mut client = TestClient::with_game(port, "xiangqi").await;
    let id = client.play("h2e2").await;
    assert!(id["error"].is_null());
    let id = client.request(json!({"do": "games"})).await["kept"][0]["id"].clone();
    let mut other_client = TestClient::open(port).await;
    expect_ok(other_client.request(json!({"do": "open", "game": id})).await);
    client.play("h9g7").await;
    let changed = other_client.receive().await;
    assert_eq!(changed["event"], "changed");
    assert_eq!(moves_to_position(&changed), json!(["h2e2", "h9g7"]));
    other_client.play("h0g2").await;
    assert_eq!(moves_to_position(&client.receive().await), json!(["h2e2", "h9g7", "h0g2"]));
}

#[tokio::test]
async fn variations_comments_and_dialects_are_kept() {
    let mut client = TestClient::with_game(start_server().await, "xiangqi").await;
    expect_ok(client.request(json!({"do": "walk", "moves": ["h2e2", "h9g7", "h0g2"]})).await);
    let response = expect_ok(client.request(json!({"do": "go", "node": 1})).await);
    assert_eq!(response["steps"].as_array().unwrap().len(), 2);
    expect_ok(client.play("b9c7").await);
    expect_ok(client.request(json!({"do": "comment", "node": 4, "text": "also good"})).await);
    let response = expect_ok(client.request(json!({"do": "dialect", "name": "uci10"})).await);
    let labels: Vec<_> =
        response["tree"].as_array().unwrap().iter().map(|node| node["label"].clone()).collect();
    assert_eq!(json!(labels), json!(["", "h3e3", "h10g8", "h1g3", "b10c8"]));
    assert_eq!(response["tree"][4]["comment"], "also good");
    assert_eq!(response["tree"][1]["children"], json!([2, 4]));
    let text = expect_ok(client.request(json!({"do": "export"})).await)["text"].as_str().unwrap().to_owned();
    assert!(text.contains("(1... B9-C7 {also good})"), "{text}");
    let imported = expect_ok(client.request(json!({"do": "import", "text": text})).await);
    assert_eq!(moves_to_position(&imported), json!(["h2e2", "h9g7", "h0g2"]));
    let pruned = expect_ok(client.request(json!({"do": "prune", "node": 2})).await);
    assert_eq!((&pruned["node"], moves_to_position(&pruned)), (&json!(1), json!(["h2e2"])));
    let chinese = expect_ok(client.request(json!({"do": "dialect", "name": "chinese"})).await);
    assert_eq!(chinese["game"]["dialect"], "chinese");
    let response = json!({"do": "play", "text": "馬8進7", "dialect": "chinese-traditional"});
    let response = expect_ok(client.request(response).await);
    assert_eq!(moves_to_position(&response), json!(["h2e2", "h9g7"]));
    let labels: Vec<_> =
        response["tree"].as_array().unwrap().iter().map(|node| node["label"].clone()).collect();
    // The variation was exported and imported with the game.
    assert_eq!(json!(labels), json!(["", "炮二平五", "马２进３", "马８进７"]));
    for request in [
        json!({"do": "go", "node": 77}),
        json!({"do": "prune", "node": 0}),
        json!({"do": "comment", "node": 77, "text": "x"}),
        json!({"do": "dialect", "name": "klingon"}),
        json!({"do": "import", "text": "帥帥"}),
        json!({"do": "seat", "person": 2, "level": 1}),
    ] {
        assert!(client.request(request.clone()).await["error"].is_string(), "{request}");
    }
}

#[tokio::test]
async fn an_analysis_reports_its_lines_and_can_be_stopped() {
    let mut client = TestClient::with_game(start_server().await, "xiangqi").await;
    client.send(json!({"id": 5, "do": "analyse", "lines": 3}).to_string()).await;
    let mut ranks = std::collections::BTreeSet::new();
    while ranks.len() < 3 {
        let info = client.receive().await;
        if info["event"] == "thought" {
            assert_eq!((&info["of"], &info["node"]), (&json!(5), &json!(0)));
            assert_eq!(info["line"].as_array().unwrap().len(), info["labels"].as_array().unwrap().len());
            ranks.insert(info["rank"].as_u64().unwrap());
        }
    }
    let messages = messages_until_response(&mut client, json!({"do": "stop"})).await;
    assert!(
        messages.iter().any(|message| message["id"] == 5),
        "the analysis gets its response: {messages:?}"
    );
    let hint = expect_ok(client.request(json!({"do": "hint"})).await)["hint"].as_str().unwrap().to_owned();
    expect_ok(client.play(&hint).await);
}

#[tokio::test]
async fn scores_are_from_the_view_of_the_first_side() {
    let mut client = TestClient::open(start_server().await).await;
    // Red is two rooks ahead, whichever side is to move.
    for side in ["w", "b"] {
        let fen = format!("4k4/4a4/9/9/9/9/9/R7R/4A4/4K4 {side} - - 0 1");
        expect_ok(client.request(json!({"do": "new", "game": "xiangqi", "fen": fen})).await);
        let messages =
            messages_until_response(&mut client, json!({"do": "analyse", "lines": 1, "seconds": 1})).await;
        let info = messages.iter().rfind(|message| message["event"] == "thought").expect("search info");
        assert!(info["score"]["value"].as_i64().unwrap() > 100, "{info}");
    }
}

#[tokio::test]
async fn a_review_scores_every_position() {
    let mut client = TestClient::with_game(start_server().await, "xiangqi").await;
    expect_ok(client.request(json!({"do": "walk", "moves": ["h2e2", "h9g7", "e2e6"]})).await);
    let messages = messages_until_response(&mut client, json!({"do": "review"})).await;
    let nodes: Vec<_> = messages
        .iter()
        .filter(|message| message["event"] == "reviewed")
        .map(|client| client["node"].clone())
        .collect();
    assert_eq!(json!(nodes), json!([0, 1, 2, 3]));
    let tree = messages.last().unwrap()["tree"].as_array().unwrap();
    assert!(tree.iter().all(|node| node["review"]["value"].is_i64()), "{tree:?}");
}

#[tokio::test]
async fn a_review_finds_no_losses_in_normal_moves() {
    let mut client = TestClient::with_game(start_server().await, "xiangqi").await;
    expect_ok(client.request(json!({"do": "walk", "moves": ["h2e2", "h9g7", "h0g2"]})).await);
    let messages = messages_until_response(&mut client, json!({"do": "review"})).await;
    let tree = messages.last().unwrap()["tree"].as_array().unwrap();
    let values: Vec<_> = tree.iter().map(|node| node["score"]["value"].as_i64().unwrap()).collect();
    // The page lists losses from 60 centipawns on.
    assert!(values.windows(2).all(|pair| (pair[0] - pair[1]).abs() < 60), "{values:?}");
}

#[tokio::test]
async fn a_setup_reports_its_issues_by_square() {
    let mut client = TestClient::with_game(start_server().await, "xiangqi").await;
    let pieces = json!({"e0": "K", "d9": "k", "a9": "B"});
    let setup =
        expect_ok(client.request(json!({"do": "arrange", "pieces": pieces, "side": 1})).await)["setup"]
            .clone();
    assert_eq!(setup["fen"], "B2k5/9/9/9/9/9/9/9/9/4K4 b - - 0 1");
    let fault = &setup["issues"][0];
    assert_eq!((&fault["squares"], &fault["waivable"]), (&json!(["a9"]), &json!(true)));
    let new = json!({"do": "new", "game": "xiangqi", "fen": setup["fen"]});
    assert!(client.request(new.clone()).await["error"].is_string());
    let mut waived = new;
    waived["waive"] = json!([fault["name"]]);
    expect_ok(client.request(waived).await);
    let setup = expect_ok(client.request(json!({"do": "examine", "fen": "4k4/9/9/9/9/9/9/9/9/4K4 w"})).await);
    assert_eq!(setup["setup"]["pieces"], json!({"e0": "K", "e9": "k"}));
    assert!(client.request(json!({"do": "examine", "fen": "9/9"})).await["error"].is_string());
    for game in ["xiangqi", "othello"] {
        let start = expect_ok(client.request(json!({"do": "new", "game": game})).await);
        let pieces = start["position"]["pieces"].clone();
        let setup =
            expect_ok(client.request(json!({"do": "arrange", "pieces": pieces, "side": 0})).await)["setup"]
                .clone();
        assert_eq!((&setup["fen"], &setup["issues"]), (&start["position"]["fen"], &json!([])));
    }
}

#[tokio::test]
async fn a_resigned_game_is_lost_until_a_move_is_taken_back() {
    let mut client = TestClient::open(start_server().await).await;
    expect_ok(client.request(json!({"do": "new", "game": "xiangqi", "person": 0, "level": 1})).await);
    client.play("h2e2").await;
    assert_eq!(expect_ok(client.request(json!({"do": "resign"})).await)["game"]["resigned"], 0);
    client.request(json!({"do": "undo", "plies": 1})).await;
    assert!(
        client.request(json!({"do": "seat", "person": null, "level": 1})).await["game"]["resigned"].is_null()
    );
    assert!(client.request(json!({"do": "resign"})).await["error"].is_string());
}

#[tokio::test]
async fn appearance_and_tactical_marks_are_sent_as_data() {
    let mut client = TestClient::with_game(start_server().await, "xiangqi").await;
    let marks = expect_ok(client.request(json!({"do": "tactical_marks"})).await)["tactical_marks"].clone();
    assert!(
        marks.as_array().unwrap().contains(&json!({"kind": "blocked", "side": 0, "squares": ["b0", "c0"]}))
    );
    let look = client.request(json!({"do": "new", "game": "xiangqi"})).await["look"].clone();
    assert_eq!(look["legend"].as_array().unwrap().len(), look["legend_outlines"].as_array().unwrap().len());
    assert_eq!((&look["title_zh"], &look["pieces"]["k"]["name_zh"]), (&json!("象棋"), &json!("黑将")));
    for (game, counts_discs) in [("xiangqi", false), ("othello", true)] {
        let look = client.request(json!({"do": "new", "game": game})).await["look"].clone();
        assert_eq!([&look["shows_move_values"], &look["shows_piece_counts"]], [counts_discs; 2]);
    }
}

#[tokio::test]
async fn a_repetition_is_judged_by_every_ruleset_with_reasons() {
    let mut client = TestClient::open(start_server().await).await;
    // Perpetual check by a rook.
    let fen = "3k5/R8/9/9/9/9/9/9/9/4K4 w - - 0 1";
    let start = expect_ok(client.request(json!({"do": "new", "game": "xiangqi", "fen": fen})).await);
    let rulesets = start["game"]["rulesets"].as_array().unwrap().clone();
    assert!(rulesets.len() > 1);
    assert_eq!(
        (&rulesets[0]["title"], &rulesets[0]["title_zh"]),
        (&json!("Asian rules (AXF)"), &json!("亚洲规则（AXF）"))
    );
    let round = ["a8a9", "d9d8", "a9a8", "d8d9"];
    let moves: Vec<_> = round.iter().cycle().take(8).collect();
    let response = expect_ok(client.request(json!({"do": "walk", "moves": moves})).await);
    assert_eq!(response["position"]["ending"]["winner"], 1, "{response}");
    for chinese in [false, true] {
        for ruleset in rulesets.iter().map(|ruleset| &ruleset["name"]) {
            let ruling = expect_ok(
                client.request(json!({"do": "rule", "ruleset": ruleset, "chinese": chinese})).await,
            )["ruling"]
                .clone();
            assert_eq!(&ruling["ruleset"], ruleset);
            assert!(!ruling["explanation"].as_array().unwrap().is_empty(), "{ruling}");
        }
    }
    assert!(client.request(json!({"do": "rule", "ruleset": "unknown"})).await["error"].is_string());
    assert!(client.request(json!({"do": "rule", "occurrences": 1})).await["error"].is_string());
}

#[tokio::test]
async fn idle_connections_do_not_block_others() {
    let port = start_server().await;
    let mut idle_clients = Vec::new();
    for _ in 0..200 {
        idle_clients.push(TestClient::open(port).await);
    }
    let mut client = TestClient::with_game(port, "xiangqi").await;
    assert_eq!(client.play("h2e2").await["position"]["side"], 1);
    assert!(idle_clients[199].request(json!({"do": "games"})).await["games"].is_array());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn searches_queue_while_other_requests_are_answered() {
    let port = start_server().await;
    let mut searching_clients = Vec::new();
    // More searches than processors are needed for a queue.
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    for _ in 0..20.max(2 * processors) {
        let mut client = TestClient::open(port).await;
        client.send(json!({"id": 6, "do": "pace", "reply_ms": 300}).to_string()).await;
        let new = json!({"id": 7, "do": "new", "game": "xiangqi", "person": 1, "level": 10});
        client.send(new.to_string()).await;
        searching_clients.push(client);
    }
    // Requests without a search are answered at once.
    let mut client = TestClient::with_game(port, "xiangqi").await;
    assert_eq!(client.play("h2e2").await["position"]["side"], 1);
    let mut queued = 0;
    for mut client in searching_clients {
        loop {
            let message = client.receive().await;
            queued += usize::from(message["event"] == "waiting");
            if message["event"] == "replied" {
                assert_eq!(moves_to_position(&message).as_array().unwrap().len(), 1);
                break;
            }
        }
    }
    assert!(queued > 0, "more games than processors think one after another");
}
