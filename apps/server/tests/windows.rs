//! A game in several windows, thrown away, and by the clock.

mod common;

use alfil_server::Store;
use common::{TestClient, moves_to_position, start_server, start_server_with};
use serde_json::{Value, json};

/// An answer without an error.
#[track_caller]
fn expect_ok(answer: Value) -> Value {
    assert!(answer["error"].is_null(), "{answer}");
    answer
}

/// Two servers that keep their games in the same file, and a page at each with the same game before it.
async fn two_servers() -> (tempfile::TempDir, TestClient, TestClient) {
    let folder = tempfile::tempdir().unwrap();
    let mut pages = Vec::new();
    for _ in 0..2 {
        pages.push(TestClient::open(start_server_with(Store::open(folder.path()).unwrap()).await).await);
    }
    let (mut other, mut one) = (pages.remove(1), pages.remove(0));
    let new = json!({"do": "new", "game": "xiangqi", "moves": ["h2e2", "h9g7", "h0g2"]});
    let id = expect_ok(one.request(new).await)["game"]["id"].clone();
    expect_ok(other.request(json!({"do": "open", "game": id})).await);
    (folder, one, other)
}

#[tokio::test]
async fn after_a_conflict_the_page_is_shown_the_game_that_counts() {
    let (_folder, mut one, mut other) = two_servers().await;
    expect_ok(one.request(json!({"do": "undo", "plies": 1})).await);
    expect_ok(one.play("b0c2").await);
    let refused = other.request(json!({"do": "comment", "node": 3, "text": "of h0g2"})).await;
    assert_eq!(refused["cause"], "changed");
    let changed = other.receive().await;
    assert_eq!(
        (&changed["event"], moves_to_position(&changed)),
        (&json!("changed"), json!(["h2e2", "h9g7", "b0c2"]))
    );
    assert!(changed["look"].is_object() && changed["tree"][3]["comment"].is_null(), "{changed}");
    expect_ok(other.play("b9c7").await);
}

#[tokio::test]
async fn a_reply_that_is_thought_about_is_not_played_in_the_game_that_counts() {
    let (_folder, mut one, mut other) = two_servers().await;
    expect_ok(one.play("b9c7").await);
    other.send(json!({"id": 70, "do": "think", "level": 10, "time": 60_000}).to_string()).await;
    // A comment leaves whoever thinks alone.
    let mut deed = json!({"do": "comment", "node": 1, "text": "the usual way"});
    deed["id"] = json!(71);
    other.send(deed.to_string()).await;
    let (mut refused, mut ended, mut shown) = (false, false, false);
    while !(refused && ended && shown) {
        let message = other.receive().await;
        if message["event"] == "changed" {
            shown = true;
            assert_eq!(moves_to_position(&message), json!(["h2e2", "h9g7", "h0g2", "b9c7"]));
        } else if message["id"] == 71 {
            refused = message["cause"] == "changed";
        } else if message["id"] == 70 {
            ended = message["step"].is_null();
        }
    }
    let answer = expect_ok(other.play("b0c2").await);
    assert_eq!(moves_to_position(&answer), json!(["h2e2", "h9g7", "h0g2", "b9c7", "b0c2"]));
}

#[tokio::test]
async fn who_looks_at_a_variation_that_is_gone_is_not_shown_another_move_for_it() {
    let port = start_server().await;
    let mut one = TestClient::open(port).await;
    let new = json!({"do": "new", "game": "xiangqi", "moves": ["h2e2", "h9g7", "h0g2"]});
    let id = expect_ok(one.request(new).await)["game"]["id"].clone();
    expect_ok(one.request(json!({"do": "go", "node": 2})).await);
    expect_ok(one.play("b0c2").await);
    let mut other = TestClient::open(port).await;
    expect_ok(other.request(json!({"do": "open", "game": id, "node": 4})).await);
    expect_ok(one.request(json!({"do": "undo", "plies": 1})).await);
    assert_eq!(moves_to_position(&other.receive().await), json!(["h2e2", "h9g7"]));
    // The number 4 is given again, to another move.
    expect_ok(one.request(json!({"do": "go", "node": 1})).await);
    expect_ok(one.play("b9c7").await);
    assert_eq!(moves_to_position(&other.receive().await), json!(["h2e2", "h9g7"]));
}

#[tokio::test]
async fn the_game_on_the_board_goes_on_as_a_new_one_when_it_is_thrown_away() {
    let mut page = TestClient::with_game(start_server().await, "xiangqi").await;
    for text in ["h2e2", "h9g7", "h0g2"] {
        expect_ok(page.play(text).await);
    }
    let old = page.request(json!({"do": "games"})).await["kept"][0]["id"].clone();
    let answer = expect_ok(page.request(json!({"do": "forget", "game": old})).await);
    let new = answer["game"]["id"].clone();
    assert_eq!((&answer["kept"], new != old), (&json!([]), true));
    // What the engine found out brings nothing back.
    expect_ok(page.request(json!({"do": "analyse", "lines": 1, "seconds": 0})).await);
    assert_eq!(page.request(json!({"do": "games"})).await["kept"], json!([]));
    assert_eq!(
        moves_to_position(&expect_ok(page.play("b9c7").await)),
        json!(["h2e2", "h9g7", "h0g2", "b9c7"])
    );
    expect_ok(page.play("b0c2").await);
    let kept = page.request(json!({"do": "games"})).await["kept"].clone();
    assert_eq!((&kept[0]["id"], kept.as_array().unwrap().len()), (&new, 1));
    let gone = page.request(json!({"do": "open", "game": old})).await;
    assert_eq!(gone["cause"], "gone");
}

#[tokio::test]
async fn who_looks_through_his_games_or_chooses_a_notation_is_still_replied_to() {
    let mut page = TestClient::with_game(start_server().await, "xiangqi").await;
    expect_ok(page.play("h2e2").await);
    page.send(json!({"id": 70, "do": "think", "level": 10, "time": 1_000}).to_string()).await;
    page.send(json!({"id": 71, "do": "forget", "game": "another"}).to_string()).await;
    page.send(json!({"id": 72, "do": "dialect", "name": "uci10"}).to_string()).await;
    let reply = loop {
        let message = page.receive().await;
        if message["id"] == 70 {
            break message;
        }
    };
    assert_eq!(moves_to_position(&expect_ok(reply)).as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_game_thrown_away_in_another_window_goes_on_as_a_new_one() {
    let port = start_server().await;
    let mut one = TestClient::with_game(port, "xiangqi").await;
    expect_ok(one.play("h2e2").await);
    let mut other = TestClient::open(port).await;
    let old = other.request(json!({"do": "games"})).await["kept"][0]["id"].clone();
    expect_ok(other.request(json!({"do": "forget", "game": old})).await);
    let answer = expect_ok(one.play("h9g7").await);
    assert!(answer["game"]["id"].is_string() && answer["game"]["id"] != old, "{answer}");
    assert!(expect_ok(one.play("h0g2").await)["game"].is_null());
    assert_eq!(one.request(json!({"do": "games"})).await["kept"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_game_that_could_have_been_drawn_and_went_on_is_opened() {
    let moves = json!(["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8", "e2e4", "e7e5"]);
    let mut page = TestClient::open(start_server().await).await;
    let answer = expect_ok(page.request(json!({"do": "new", "game": "chess", "moves": moves})).await);
    assert_eq!(moves_to_position(&answer), moves);
    let id = &answer["game"]["id"];
    assert_eq!(moves_to_position(&expect_ok(page.request(json!({"do": "open", "game": id})).await)), moves);
}

#[tokio::test]
async fn the_clock_runs_for_both_and_is_kept() {
    let port = start_server().await;
    let mut page = TestClient::open(port).await;
    let clock = json!({"base": 300_000, "increment": 3_000});
    let new = json!({"do": "new", "game": "xiangqi", "person": 0, "level": 1, "clock": clock});
    let start = expect_ok(page.request(new).await);
    let at_first = &start["position"]["clock"];
    assert_eq!((&at_first["left"], &at_first["running"]), (&json!([300_000, 300_000]), &Value::Null));
    assert_eq!(expect_ok(page.play("h2e2").await)["position"]["clock"]["running"], 1);
    // Without a time of its own the computer takes its share of the clock, and its move adds to it.
    let reply = expect_ok(page.request(json!({"do": "think", "level": 1})).await);
    let told = &reply["position"]["clock"];
    assert_eq!(
        (&told["running"], &told["base"], &told["increment"]),
        (&json!(0), &clock["base"], &clock["increment"])
    );
    assert!(told["left"][1].as_u64().unwrap() <= 303_000);
    drop(page);
    let mut page = TestClient::open(port).await;
    let again = expect_ok(page.request(json!({"do": "open", "game": start["game"]["id"]})).await);
    assert_eq!(again["position"]["clock"]["running"], 0);
    assert!(again["position"]["clock"]["left"][0].as_u64().unwrap() <= 300_000);
}

#[tokio::test]
async fn whose_flag_falls_has_lost_and_every_window_hears_it() {
    let mut page = TestClient::open(start_server().await).await;
    let clock = json!({"base": 1_000, "increment": 0});
    let new = json!({"do": "new", "game": "xiangqi", "person": 1, "level": 1, "clock": clock});
    let id = expect_ok(page.request(new).await)["game"]["id"].clone();
    expect_ok(page.play("h2e2").await);
    let fallen = page.receive().await;
    assert_eq!((&fallen["event"], &fallen["position"]["clock"]["flagged"]), (&json!("changed"), &json!(1)));
    for deed in
        [json!({"do": "play", "text": "h9g7"}), json!({"do": "undo", "plies": 1}), json!({"do": "resign"})]
    {
        assert_eq!(page.request(deed).await["cause"], "over");
    }
    let again = expect_ok(page.request(json!({"do": "open", "game": id})).await);
    assert_eq!(again["position"]["clock"]["flagged"], 1);
    expect_ok(page.request(json!({"do": "seat", "person": null, "level": 1})).await);
    expect_ok(page.play("h9g7").await);
}

#[tokio::test]
async fn the_fall_of_a_flag_is_a_draw_where_the_other_side_cannot_win() {
    let mut page = TestClient::open(start_server().await).await;
    let (fen, clock) = ("4k3/q7/8/8/8/8/8/4K3 w - - 0 1", json!({"base": 1_000, "increment": 0}));
    let new = json!({"do": "new", "game": "chess", "fen": fen, "person": 1, "level": 1, "clock": clock});
    expect_ok(page.request(new).await);
    let told = expect_ok(page.play("e1e2").await);
    assert_eq!(told["position"]["clock"]["drawn"], false);
    // What the person looks at does not matter.
    let fallen = loop {
        let clock =
            expect_ok(page.request(json!({"do": "go", "node": 0})).await)["position"]["clock"].clone();
        if !clock["flagged"].is_null() {
            break clock;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    };
    assert_eq!((&fallen["flagged"], &fallen["drawn"]), (&json!(1), &json!(true)));
    let text = page.request(json!({"do": "export"})).await["text"].clone();
    assert!(text.as_str().unwrap().contains("[Result \"1/2-1/2\"]"), "{text}");
}

#[tokio::test]
async fn who_steps_back_while_the_computer_thinks_is_still_replied_to() {
    let mut page = TestClient::open(start_server().await).await;
    let clock = json!({"base": 600_000, "increment": 0});
    let new = json!({"do": "new", "game": "xiangqi", "person": 0, "level": 10, "clock": clock});
    expect_ok(page.request(new).await);
    expect_ok(page.play("h2e2").await);
    page.send(json!({"id": 70, "do": "think", "level": 10, "time": 2_000}).to_string()).await;
    expect_ok(page.request(json!({"do": "go", "node": 0})).await);
    let reply = loop {
        let message = page.receive().await;
        if message["id"] == 70 {
            break expect_ok(message);
        }
    };
    // Who looks back goes on doing so; the move stands in the moves_to_position, and the person's time runs.
    assert_eq!((&reply["node"], &reply["step"]), (&json!(0), &Value::Null));
    assert_eq!(reply["tree"].as_array().unwrap().len(), 3);
    assert_eq!(reply["position"]["clock"]["running"], 0);
    let tip = expect_ok(page.request(json!({"do": "go", "node": 2})).await);
    assert_eq!(tip["position"]["side"], 0);
}

#[tokio::test]
async fn nobody_loses_time_for_a_computer_that_was_not_asked() {
    let port = start_server().await;
    let mut page = TestClient::open(port).await;
    let clock = json!({"base": 1_000, "increment": 0});
    let new = json!({"do": "new", "game": "xiangqi", "person": 0, "level": 1, "clock": clock});
    expect_ok(page.request(new).await);
    expect_ok(page.play("h2e2").await);
    tokio::time::sleep(std::time::Duration::from_millis(1_200)).await;
    let reply = expect_ok(page.request(json!({"do": "think", "level": 1})).await);
    assert_eq!((&reply["position"]["clock"]["flagged"], reply["step"].is_object()), (&Value::Null, true));
}

#[tokio::test]
async fn a_move_that_would_offend_is_told_before_it_is_played_under_the_book_that_was_chosen() {
    let mut page = TestClient::open(start_server().await).await;
    let fen = "R2k5/9/9/9/9/9/9/9/9/4K4 b - - 0 1";
    let moves = ["d9d8", "a9a8", "d8d9", "a8a9", "d9d8", "a9a8", "d8d9"];
    let new = json!({"do": "new", "game": "xiangqi", "fen": fen, "moves": moves});
    let answer = expect_ok(page.request(new).await);
    let warnings = &answer["position"]["warnings"];
    assert_eq!(warnings.as_array().map(Vec::len), Some(1), "{warnings}");
    assert_eq!((&warnings[0]["text"], &warnings[0]["ending"]["winner"]), (&json!("a8a9"), &json!(1)));
    assert_eq!(warnings[0]["ending"]["cause"], "perpetual_check");
    assert_eq!(warnings[0]["ending"]["words_zh"], "红方长将判负，黑方胜");
    let answer = expect_ok(page.request(json!({"do": "dialect", "name": "chinese"})).await);
    assert_eq!(answer["position"]["warnings"][0]["label"], "车九进一");
    // By a book that asks for one occurrence more nothing happens yet.
    let answer = expect_ok(page.request(json!({"do": "book", "name": "elephanteye"})).await);
    assert_eq!(
        (&answer["game"]["book"], &answer["position"]["warnings"]),
        (&json!("elephanteye"), &json!([]))
    );
    let id = answer["game"]["id"].clone();
    let again = expect_ok(page.request(json!({"do": "open", "game": id})).await);
    assert_eq!((&again["game"]["book"], &again["position"]["warnings"]), (&json!("elephanteye"), &json!([])));
    assert!(page.request(json!({"do": "book", "name": "cycle"})).await["error"].is_string());
}
